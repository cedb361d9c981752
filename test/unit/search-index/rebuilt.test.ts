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
  const { failed } = await anew.ingest(join(base, 'other'));
  expect(failed).toMatchObject([{ uri: 'other/blank.md', code: 'FILE_EMPTY' }]);
});
