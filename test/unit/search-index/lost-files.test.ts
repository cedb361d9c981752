import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { tempFolder } from '../../support/temp.ts';

const notes = Object.fromEntries(
  Array.from({ length: 6 }, (_, i) => [`docs/note-${i}.md`, `# Note ${i}\n\nThe lamp of quay ${i} is lit.\n`]),
);

/** Loses the files with the rows of a table, as a copy of the index does that was broken off. */
function lose(at: string, table: string): void {
  const folder = readdirSync(join(at, 'lance')).find((name) => name.startsWith(`${table}_`));
  const data = join(at, 'lance', folder!, 'data');
  for (const name of readdirSync(data)) rmSync(join(data, name));
}

describe('an index that has lost a file', { timeout: 60_000 }, () => {
  it.each(['chunks', 'lexical'])('of %s says so to who searches, and to who ingests', async (table) => {
    const folder = tempFolder(notes);
    const [at, docs] = [join(folder, '.ibid'), join(folder, 'docs')];
    {
      await using index = await openIndex(at, { create: true, base: folder });
      await index.ingest([docs]);
    }
    lose(at, table);
    const damaged = { code: 'INDEX_DAMAGED', message: expect.stringMatching(new RegExp(`${table}_.*is gone`)) };
    await using index = await openIndex(at, { base: folder });
    await expect(index.search('lamp')).rejects.toMatchObject(damaged);
    await expect(index.ingest([docs]).then()).rejects.toMatchObject(damaged);
    expect(await index.repair()).toMatchObject({ lost: [] });
    expect((await index.search('lamp of quay 3')).hits[0]!.chunk.uri).toBe('docs/note-3.md');
  });

  it('of shards is searched without the one that lost it, and the hint says what to do', async () => {
    const folder = tempFolder(notes);
    const [at, docs] = [join(folder, '.ibid'), join(folder, 'docs')];
    {
      await using index = await openIndex(at, { create: true, base: folder, shards: 2 });
      await index.ingest([docs]);
    }
    const [set] = readdirSync(join(at, 'shards'));
    const shard = join(at, 'shards', set!, '0001');
    lose(shard, 'chunks');
    await using index = await openIndex(at, { base: folder });
    const { report } = await index.search('lamp');
    expect(report.shards).toMatchObject({ asked: 2, missing: [{ name: '0001', code: 'INDEX_DAMAGED' }] });
    await expect(index.ingest([docs]).then()).rejects.toMatchObject({
      code: 'INDEX_DAMAGED',
      hint: expect.stringContaining('ingest the same folders'),
    });
    rmSync(shard, { recursive: true });
    expect(await index.ingest([docs])).toMatchObject({ documents: 6, failed: [] });
  });
});
