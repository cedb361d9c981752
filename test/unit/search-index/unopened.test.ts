import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openIndex, type SearchIndex } from '../../../src/index.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { tempFolder, writeFiles } from '../../support/temp.ts';

const uris = async (index: SearchIndex): Promise<string[]> =>
  (await Array.fromAsync(index.documents())).map(({ uri }) => uri).sort();

const files = { 'docs/a.md': 'Tides of the bay.', 'docs/b.md': 'Gulls on the pier.', 'disk/c.md': 'Charts of 1890.' };

async function indexed(): Promise<{ base: string; index: SearchIndex; docs: string; disk: string }> {
  const base = tempFolder(files);
  const index = await openIndex(join(base, '.ibid'), { create: true, embedder: fakeEmbedder() });
  onTestFinished(() => index.close());
  const [docs, disk] = [join(base, 'docs'), join(base, 'disk')];
  await index.ingest([docs, disk]);
  return { base, index, docs, disk };
}

it.each([false, true])(
  'a disk that is away removes nothing, and the other folders are read; rebuild: %s',
  async (rebuild) => {
    const { base, index, docs, disk } = await indexed();
    renameSync(disk, join(base, 'unmounted'));
    writeFiles(base, { 'docs/d.md': 'A new note on seals.' });
    const run = index.ingest([docs, disk], { rebuild });
    const told = (await Array.fromAsync(run)).filter(({ type }) => type === 'failed');
    const away = { uri: 'disk', code: 'FILE_UNREADABLE', message: expect.stringContaining('cannot be opened') };
    expect(told).toEqual([{ type: 'failed', ...away }]);
    expect(await run).toMatchObject({ failed: [away], removed: 0, documents: 4 });
    expect(await uris(index)).toEqual(['disk/c.md', 'docs/a.md', 'docs/b.md', 'docs/d.md']);
    renameSync(join(base, 'unmounted'), disk);
    expect(await index.ingest([docs, disk])).toMatchObject({ failed: [], unchanged: 4 });
  },
);

it('a folder that is away stays also where a folder above it is read', async () => {
  const { base, index, disk } = await indexed();
  renameSync(disk, join(tempFolder(), 'unmounted'));
  expect(await index.ingest([base, disk])).toMatchObject({ failed: [{ uri: 'disk' }], removed: 0, documents: 3 });
  expect(await index.ingest([base])).toMatchObject({ failed: [], removed: 1, documents: 2 });
});

it('without any of the paths nothing is done', async () => {
  const { base, index, docs, disk } = await indexed();
  renameSync(disk, join(base, 'unmounted'));
  renameSync(docs, join(base, 'gone'));
  await expect(index.ingest([docs, disk, docs])).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  expect(await uris(index)).toHaveLength(3);
});

it('what was away is not what the index was made from, as check says it', async () => {
  const { base, index, docs } = await indexed();
  await index.ingest([docs, join(base, 'mistyped')]);
  expect(await index.check()).toContainEqual({ check: 'files', ok: true, detail: 'none has changed' });
});

it('a folder that cannot be listed is told', async () => {
  const { base, index, docs } = await indexed();
  // together longer than any path that the system opens
  const half = join(...Array.from({ length: 12 }, () => 'x'.repeat(200)));
  for (const folder of [docs, join(base, 'other')]) mkdirSync(join(folder, half), { recursive: true });
  renameSync(join(base, 'other'), join(docs, half, 'other'));
  const { failed } = await index.ingest(docs);
  renameSync(join(docs, half, 'other'), join(base, 'other')); // else nothing could remove it
  const uri = expect.stringMatching(/^docs\/x{200}\/.*\/other\//);
  expect(failed).toEqual([{ uri, code: 'FILE_UNREADABLE', message: expect.stringContaining('cannot be listed') }]);
});
