import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type OpenIndexOptions, openIndex, type SearchIndex } from '../../../src/index.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { mp3, pcm, spokenJson, wav } from '../../support/sound.ts';
import { tempFolder, writeFiles } from '../../support/temp.ts';
import { KnowingTranscriber } from '../../support/transcriber.ts';

const words = 'The slipway needs gravel'.split(' ');
const transcriber = new KnowingTranscriber(() =>
  words.map((text, i) => ({ text, startMs: 400 * i, endMs: 400 * i + 350, speaker: 'speaker_0' })),
);

const texts = async (index: SearchIndex): Promise<[string, string][]> =>
  (
    await Array.fromAsync(
      index.documents(),
      async ({ uri }) => [uri, (await index.document(uri))!.text] as [string, string],
    )
  ).sort();

it('documents of other folders stay as they are when one folder is rebuilt with other chunks', async () => {
  const base = tempFolder({
    'notes/tides.md': '# Tides\n\nHigh water at noon.',
    'other/talk.mp3': mp3(300),
    'other/talk.json': spokenJson([
      ['speaker_0', 'Welcome to the board.'],
      ['speaker_1', 'The rent rises.'],
    ]),
    'other/heard.wav': wav(pcm(2000)),
    'other/folder.md': 'A file that becomes a folder.',
    'other/blank.md': 'A file that becomes empty.',
    'other/edited.md': 'A file that is edited.',
  });
  const opened = async (options: OpenIndexOptions): Promise<SearchIndex> => {
    const index = await openIndex(join(base, 'index'), { create: true, base, embedder: fakeEmbedder(), ...options });
    onTestFinished(() => index.close());
    return index;
  };
  const index = await opened({ models: { transcriber } });
  expect(await index.ingest([join(base, 'notes'), join(base, 'other')])).toMatchObject({ added: 6, failed: [] });
  await index.nameSpeakers('other/talk.mp3', { 2: 'Henrik Vold' });
  const before = await texts(index);
  await index.close();

  rmSync(join(base, 'other/folder.md'));
  writeFiles(base, { 'other/folder.md/inner.md': 'Nobody has asked for this.', 'other/edited.md': 'An edited file.' });
  writeFileSync(join(base, 'other/blank.md'), '');
  const anew = await opened({ chunking: { maxTokens: 100 } });
  expect(await anew.ingest(join(base, 'notes'), { rebuild: true })).toMatchObject({ failed: [], skipped: [] });
  const after = before.map(([uri, text]) => [uri, uri === 'other/edited.md' ? 'An edited file.' : text]);
  expect(await texts(anew)).toEqual(after);
  expect(Object.fromEntries(before)['other/talk.mp3']).toContain('Henrik Vold');

  // the next run sees that the file is another one
  expect(await anew.ingest(join(base, 'other'))).toMatchObject({ failed: [], emptied: ['other/blank.md'] });
});

const damaged = '%PDF-1.7\nnothing of a PDF';

const openedIn = async (base: string, options: OpenIndexOptions = {}): Promise<SearchIndex> => {
  const index = await openIndex(join(base, 'index'), { create: true, base, embedder: fakeEmbedder(), ...options });
  onTestFinished(() => index.close());
  return index;
};

it.each([
  ['the same chunks', {}],
  ['other chunks', { chunking: { maxTokens: 100 } }],
])('a rebuild with %s keeps what cannot be read at the moment, and says that it is stale', async (_, options) => {
  const base = tempFolder({ 'docs/tides.md': '# Tides\n\nHigh water at noon.', 'docs/crane.md': 'The crane is red.' });
  const first = await openedIn(base);
  await first.ingest(join(base, 'docs'));
  const before = await texts(first);
  await first.close();

  const index = await openedIn(base, options);
  writeFiles(base, { 'docs/tides.md': damaged });
  const stale = { uri: 'docs/tides.md', code: 'FILE_DAMAGED' };
  expect(await index.ingest(join(base, 'docs'), { rebuild: true })).toMatchObject({ documents: 2, failed: [stale] });
  expect(await texts(index)).toEqual(before);
  expect((await index.search('noon')).hits[0]?.chunk.uri).toBe('docs/tides.md');
  expect((await index.status()).failed).toMatchObject([{ ...stale, stale: true }]);

  writeFiles(base, { 'docs/tides.md': 'Low water at six.' });
  expect(await index.ingest(join(base, 'docs'))).toMatchObject({ updated: 1, unchanged: 1, failed: [] });
  expect((await index.status()).failed).toEqual([]);
});

it('a stale document of another folder is read again after a rebuild, though its size and time are known', async () => {
  const base = tempFolder({ 'docs/crane.md': 'The crane is red.', 'other/tides.md': 'High water at noon.' });
  const index = await openedIn(base);
  const both = [join(base, 'docs'), join(base, 'other')];
  await index.ingest(both);
  writeFiles(base, { 'other/tides.md': damaged });
  await index.ingest(both);
  expect((await index.status()).failed).toMatchObject([{ uri: 'other/tides.md', stale: true }]);

  const stale = [{ uri: 'other/tides.md', code: 'FILE_DAMAGED' }];
  expect(await index.ingest(both[0]!, { rebuild: true })).toMatchObject({ documents: 2, failed: stale });
  expect((await index.status()).failed).toMatchObject([{ ...stale[0], stale: true }]);
  expect(await index.ingest(both)).toMatchObject({ unchanged: 1, failed: stale });
});

it('a rebuild keeps the warnings of documents that it takes over', async () => {
  const base = tempFolder({ 'docs/crane.md': 'The crane is red.', 'other/note.md': 'Seen. %% a comment %%' });
  const index = await openedIn(base);
  await index.ingest([join(base, 'docs'), join(base, 'other')]);
  const { warnings } = await index.status();
  expect(warnings).toHaveLength(1);
  await index.ingest(join(base, 'docs'), { rebuild: true });
  expect((await index.status()).warnings).toEqual(warnings);
});
