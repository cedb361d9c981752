import { existsSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type IngestSummary, openIndex, type SearchIndexIngestOptions } from '../../../src/index.ts';
import { Database } from '../../../src/store/database.ts';
import { openStore } from '../../../src/store/index.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { tempFolder } from '../../support/temp.ts';
import { randomSource } from '../vector/random.ts';

const embedder = fakeEmbedder(16);
const copyOf = (address: string): string => {
  const folder = join(address, 'copies');
  return join(folder, readdirSync(folder).find((name) => name.startsWith('documents_'))!, 'manifest');
};

async function ingest(
  address: string,
  folder: string,
  options: SearchIndexIngestOptions = {},
): Promise<Omit<IngestSummary, 'elapsedMs' | 'tokens'>> {
  await using index = await openIndex(address, { create: true, base: folder, embedder });
  const { elapsedMs: _, tokens: __, ...summary } = await index.ingest(folder, { force: true, ...options });
  return summary;
}

async function linesOf(address: string): Promise<unknown[]> {
  await using store = await openStore(address);
  const lines = [...(await store.manifest()).values()].map(({ first: _, ...line }) => line);
  return lines.sort((a, b) => (a.uri < b.uri ? -1 : 1));
}

/** Changes a folder in one of the ways in which people and programs do. */
function change(folder: string, random: ReturnType<typeof randomSource>, step: number): void {
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
  const one = names[random.integer(0, Math.max(0, names.length - 1))];
  const text = `# ${step}\n\nThe ${['ferry', 'orchard', 'harbour'][step % 3]} of ${random.integer(0, 1000)}.`;
  const at = new Date(1_700_000_000_000 + step * 1000);
  const ways = [
    () => writeFileSync(join(folder, `new-${step}.md`), text),
    () => one && writeFileSync(join(folder, one), text),
    () => one && rmSync(join(folder, one)),
    () => one && renameSync(join(folder, one), join(folder, `moved-${step}.md`)),
    () => one && utimesSync(join(folder, one), at, at),
    () => writeFileSync(join(folder, '.ibidignore'), one ? `${one}\n` : ''),
    () => writeFileSync(join(folder, `empty-${step}.md`), ''),
    () => undefined,
  ];
  ways[random.integer(0, ways.length - 1)]!();
}

describe('a run with the copy of the manifest', () => {
  it.each([1, 2, 3])('does what one without it does, whatever changes (seed %i)', async (seed) => {
    const random = randomSource(seed);
    const folder = tempFolder({ 'a.md': '# A\n\nBoats.', 'b.md': '# B\n\nTrees.', 'c.md': '# C\n\nRoads.' });
    const [withCopy, without] = [join(tempFolder(), 'one'), join(tempFolder(), 'other')];
    for (let step = 0; step < 14; step++) {
      if (step > 0) change(folder, random, step);
      if (existsSync(join(without, 'copies'))) rmSync(join(without, 'copies'), { recursive: true });
      if (step > 0 && random.integer(0, 2) === 0) {
        const path = copyOf(withCopy);
        const bytes = readFileSync(path);
        bytes[random.integer(0, bytes.length - 1)]! ^= 1 << random.integer(0, 7);
        writeFileSync(
          path,
          random.integer(0, 1) === 0 ? bytes : bytes.subarray(0, random.integer(0, bytes.length - 1)),
        );
      }
      const [mine, theirs] = [await ingest(withCopy, folder), await ingest(without, folder)];
      expect(mine, `seed ${seed}, step ${step}`).toEqual(theirs);
      expect(await linesOf(withCopy), `seed ${seed}, step ${step}`).toEqual(await linesOf(without));
    }
  });

  it('opens no table while nothing has changed, and sees what another program has written', async () => {
    const folder = tempFolder({ 'a.md': '# A\n\nBoats.', 'b.md': '# B\n\nTrees.' });
    const address = join(tempFolder(), 'index');
    await ingest(address, folder);
    const opened = vi.spyOn(Database.prototype, 'open');
    try {
      await ingest(address, folder);
      opened.mockClear();
      expect(await ingest(address, folder)).toMatchObject({ documents: 2, unchanged: 2, added: 0 });
      expect(opened).not.toHaveBeenCalled();
    } finally {
      opened.mockRestore();
    }
    {
      await using other = await openIndex(address, { embedder });
      await other.remove('a.md');
    }
    expect(await ingest(address, folder)).toMatchObject({ documents: 2, unchanged: 1, added: 1 });
  });

  it('holds the lock, and refuses other settings, as any run does', async () => {
    const folder = tempFolder({ 'a.md': '# A\n\nBoats.' });
    const address = join(tempFolder(), 'index');
    for (let run = 0; run < 2; run++) await ingest(address, folder);
    const open = { base: folder, embedder };
    {
      await using first = await openIndex(address, open);
      await using second = await openIndex(address, open);
      const events = first.ingest(folder)[Symbol.asyncIterator]();
      await events.next();
      await expect(second.ingest(folder)).rejects.toMatchObject({ code: 'INDEX_LOCKED' });
      for (let event = await events.next(); !event.done; event = await events.next());
      expect(await second.ingest(folder)).toMatchObject({ unchanged: 1 });
    }
    await using other = await openIndex(address, { ...open, chunking: { maxTokens: 100 } });
    await expect(other.ingest(folder)).rejects.toMatchObject({ code: 'INDEX_MISMATCH' });
    expect(await ingest(address, folder)).toMatchObject({ unchanged: 1 });
  });

  it('compares the files of the index before it writes to them', async () => {
    const folder = tempFolder({ 'a.md': '# A\n\nBoats.' });
    const address = join(tempFolder(), 'index');
    for (let run = 0; run < 2; run++) await ingest(address, folder);
    const data = join(address, 'lance', 'chunks_1.lance', 'data');
    const path = join(data, readdirSync(data)[0]!);
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
    writeFileSync(join(folder, 'b.md'), '# B\n\nTrees.');
    await expect(ingest(address, folder)).rejects.toMatchObject({ code: 'INDEX_DAMAGED' });
    writeFileSync(path, bytes.subarray(1));
    rmSync(join(folder, 'b.md'));
    await expect(ingest(address, folder)).rejects.toMatchObject({ code: 'INDEX_DAMAGED' }); // its size is looked at
  });
});
