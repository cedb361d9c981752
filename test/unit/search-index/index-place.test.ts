import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { tempFolder } from '../../support/temp.ts';

const files = { 'docs/a.md': 'Tides of the bay.', 'docs/old/b.md': 'Gulls on the pier.' };
const options = { create: true, embedder: fakeEmbedder() };

describe('an address inside an index', () => {
  it.each([undefined, 2])('is refused, and the index is named; shards: %s', async (shards) => {
    const base = tempFolder(files);
    const address = join(base, 'ix');
    await using index = await openIndex(address, { ...options, shards });
    await index.ingest(join(base, 'docs'));
    const before = readdirSync(address).sort();
    const names = [...before.filter((name) => !name.startsWith('.') && !name.includes('.')), 'shards/7', 'lance/x/y'];
    for (const name of names)
      for (const create of [true, false])
        await expect(openIndex(join(address, name), { create }), name).rejects.toMatchObject({
          code: 'INVALID_ARGUMENT',
          hint: `Give the folder of the index: ${address}.`,
        });
    expect(readdirSync(address).sort()).toEqual(before);
  });

  it('is taken where it is a shard, which is an index', async () => {
    const base = tempFolder(files);
    await using index = await openIndex(join(base, 'ix'), { ...options, shards: 2 });
    await index.ingest(join(base, 'docs'));
    const [set = ''] = readdirSync(join(base, 'ix/shards'));
    await using shard = await openIndex(join(base, 'ix/shards', set, '0000'), options);
    expect((await shard.status()).documents).toBeLessThanOrEqual(2);
  });
});

it('an index that cannot be looked at is told from one that is not there', async () => {
  const base = tempFolder({ 'a.md': 'Tides of the bay.' });
  symlinkSync('turn', join(base, 'turn')); // a link to itself, as no permission can let anybody in
  for (const create of [true, false])
    await expect(openIndex(join(base, 'turn'), { create })).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: `the index folder ${join(base, 'turn')} cannot be opened: ELOOP`,
    });
  for (const none of ['none', 'a.md', 'a.md/x'])
    await expect(openIndex(join(base, none)), none).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' });
});

describe('a new index among documents', () => {
  it.each(['docs', '.'])('is refused where %s is ingested', async (path) => {
    const base = tempFolder(files);
    const docs = join(base, 'docs');
    await using index = await openIndex(docs, options);
    for (const dryRun of [true, false])
      await expect(index.ingest(join(base, path), { dryRun })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(/has documents in it, like (a\.md|old),/),
        hint: `An index needs a folder of its own, like ${join(docs, '.ibid')}.`,
      });
    expect(readdirSync(docs)).toEqual(['a.md', 'old']);
  });

  it('is made beside them, in an empty folder, on a new disk, and where a killed run began', async () => {
    const base = tempFolder(files);
    mkdirSync(join(base, 'docs/empty'));
    mkdirSync(join(base, 'disk/lost+found'), { recursive: true });
    mkdirSync(join(base, 'docs/begun/locks'), { recursive: true });
    for (const address of ['docs/.ibid', 'docs/empty', 'docs/begun', 'disk']) {
      await using index = await openIndex(join(base, address), options);
      expect(await index.ingest(join(base, 'docs'))).toMatchObject({ added: 2, failed: [] });
    }
  });

  it('is made in a folder whose other parts it is not made of', async () => {
    const base = tempFolder({ ...files, 'data/app.json': '{}' });
    await using index = await openIndex(join(base, 'data'), options);
    expect(await index.ingest(join(base, 'docs'))).toMatchObject({ added: 2 });
  });
});

it("the index's own files are no documents of it", async () => {
  const base = tempFolder(files);
  const address = join(base, '.ibid');
  await using index = await openIndex(address, options);
  await index.ingest(join(base, 'docs'));
  for (const path of ['lance', 'checksums', 'lance/meta.lance'])
    await expect(index.ingest(join(address, path))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: `${join(address, path)} is inside the index ${address}`,
    });
  expect(await index.status()).toMatchObject({ documents: 2, skipped: [] });
});
