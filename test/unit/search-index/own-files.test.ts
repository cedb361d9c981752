import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parquetFile, writeParquet } from '../../../src/cli/parquet.ts';
import { skippedLines } from '../../../src/cli/skipped.ts';
import { openIndex, overviewCaptions, overviewPage, webVtt } from '../../../src/index.ts';
import { readScript, renderScript } from '../../../src/overview/script-text.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { pcm, wav } from '../../support/sound.ts';
import { tempFolder, writeFiles } from '../../support/temp.ts';
import { KnowingTranscriber } from '../../support/transcriber.ts';
import { script, spoken } from '../overview/made.ts';

it('what ibid itself wrote among the documents is no document, and is not paid for', async () => {
  const base = tempFolder({
    'docs/tides.md': 'High water is at noon.',
    // as an earlier version wrote it, without a mark
    'docs/all.html': '<title>All</title><p>Two voices say that high water is at noon.</p>',
    'docs/talk.wav': wav(pcm(1000)),
    'docs/talk.vtt': 'WEBVTT\n\n00:00.000 --> 00:01.000\nThe crane is red.\n',
  });
  const docs = join(base, 'docs');
  const transcriber = new KnowingTranscriber(() => [{ text: 'paid', startMs: 0, endMs: 900 }]);
  const models = { transcriber };
  const index = await openIndex(join(base, 'index'), { create: true, base, embedder: fakeEmbedder(), models });
  onTestFinished(() => index.close());
  expect(await index.ingest(docs)).toMatchObject({ added: 3, skipped: [] });

  writeFiles(docs, {
    'all.html': overviewPage(script, spoken),
    'all.vtt': overviewCaptions(script, spoken),
    'script.md': renderScript(script),
    'answer.vtt': webVtt([{ startMs: 0, endMs: 900, text: 'High water is at noon.', notes: [] }]),
  });
  for (const name of ['all.wav', 'answer.wav']) writeFileSync(join(docs, name), spoken.audio);
  await writeParquet(parquetFile(join(docs, 'chunks.parquet')), index.export({}), {});
  const own = ['all.html', 'all.wav', 'answer.wav', 'chunks.parquet', 'script.md'];
  const skipped = own.map((name) => ({ uri: `docs/${name}`, code: 'FILE_OWN' }));
  const left = { documents: 2, failed: [], skipped };
  const summary = await index.ingest(docs, { transcribe: {} });
  expect(summary).toMatchObject({ ...left, added: 0, unchanged: 2, costUsd: 0 });
  expect(skippedLines(summary.skipped)).toEqual([
    'skipped 5 files that ibid made of documents (2 .wav, 1 .html, 1 .parquet, 1 .md)',
  ]);
  expect((await index.search('high water is at noon')).hits.map(({ chunk }) => chunk.uri)).toContain('docs/tides.md');
  expect(await index.document('docs/all.html')).toBeUndefined();
  expect((await index.status()).skipped).toMatchObject(skipped);
  expect(await index.ingest(docs)).toMatchObject({ ...left, unchanged: 2 });
  expect(await index.ingest(docs, { rebuild: true })).toMatchObject(left);

  // a script stays a script, and a file without the mark is a document
  expect(readScript(readFileSync(join(docs, 'script.md'), 'utf8')).title).toBe(readScript(renderScript(script)).title);
  writeFiles(docs, { 'script.md': renderScript(script).replace(/<!--.*-->/, '') });
  expect(await index.ingest(docs)).toMatchObject({ documents: 3, added: 1 });
});
