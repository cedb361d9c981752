import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openIndex, type SearchIndex } from '../../../src/index.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { tempFolder, writeFiles } from '../../support/temp.ts';

const texts = {
  'docs/tides.md': 'High water is at noon.',
  'docs/crane.md': 'The crane is red.',
  'docs/pump.md': 'The pump is blue.',
};

async function ingested(files: Readonly<Record<string, string>> = texts) {
  const base = tempFolder(files);
  const index = await openIndex(join(base, 'index'), { create: true, base, embedder: fakeEmbedder() });
  onTestFinished(() => index.close());
  const docs = join(base, 'docs');
  await index.ingest(docs);
  return { base, docs, index };
}

const found = async (index: SearchIndex, query: string): Promise<readonly string[]> =>
  (await index.search(query, { mode: 'lexical' })).hits.map(({ chunk }) => chunk.uri);

it.each([
  ['no bytes', '', false],
  ['only blanks', ' \n\n', false],
  ['no bytes, in a rebuild', '', true],
])('a file that has %s now leaves the index, and comes back with its text', async (_, text, rebuild) => {
  const { base, docs, index } = await ingested();
  writeFiles(base, { 'docs/tides.md': text });
  const empty = { uri: 'docs/tides.md', code: 'FILE_EMPTY' };
  const emptied = { documents: 2, failed: [], skipped: [empty], emptied: ['docs/tides.md'] };
  expect(await index.ingest(docs, { rebuild, dryRun: !rebuild })).toMatchObject(emptied);
  if (!rebuild) expect(await index.ingest(docs)).toMatchObject({ ...emptied, removed: 1 });
  expect(await found(index, 'noon')).toEqual([]);
  expect(await index.document('docs/tides.md')).toBeUndefined();
  expect(await index.status()).toMatchObject({ documents: 2, failed: [], skipped: [empty] });
  const later = await index.ingest(docs); // it is known by now
  expect(later).toMatchObject({ removed: 0, unchanged: 2, skipped: [empty] });
  expect(later.emptied).toBeUndefined();

  writeFiles(base, texts);
  expect(await index.ingest(docs)).toMatchObject({ documents: 3, added: 1, skipped: [] });
  expect(await found(index, 'noon')).toEqual(['docs/tides.md']);
});

it.each([{}, { rebuild: true }])('a run does not empty more than half of an index by itself: %o', async (options) => {
  const { base, docs, index } = await ingested();
  writeFiles(base, { 'docs/tides.md': '', 'docs/crane.md': '' }); // a full disk does that
  await expect(index.ingest(docs, options).then()).rejects.toMatchObject({
    code: 'DELETE_GUARD',
    message: expect.stringContaining('2 of the 3 documents in its scope, 2 of them with a file that has no bytes now'),
  });
  expect(await found(index, 'noon')).toEqual(['docs/tides.md']);
  expect(await index.ingest(docs, { ...options, force: true })).toMatchObject({ documents: 1 });
});

it('a document that a program gives again without text stays: `remove` is there for that', async () => {
  const { index } = await ingested();
  await index.add([{ uri: 'note:1', text: 'The gate is green.' }]);
  expect(await index.add([{ uri: 'note:1', text: '' }])).toMatchObject({ removed: 0 });
  expect(await found(index, 'gate')).toEqual(['note:1']);
});
