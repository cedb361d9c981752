import { appendFileSync, mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type OpenIndexOptions, openIndex, type SearchIndex } from '../../../src/index.ts';
import { mp3, pcm, spokenJson, wav } from '../../support/sound.ts';
import { tempFolder, writeFiles } from '../../support/temp.ts';
import { KnowingTranscriber } from '../../support/transcriber.ts';

const meeting = spokenJson([
  ['speaker_0', 'Welcome to the meeting of the harbour board.'],
  ['speaker_1', 'The rent of the boathouse rises to four hundred kroner in April.'],
  ['speaker_0', 'Who voted against it?'],
  ['speaker_1', 'Nobody voted against it, and two members were absent.'],
]);

const heard = (text: string) =>
  text
    .split(' ')
    .map((word, i) => ({ text: word, startMs: 400 * i, endMs: 400 * i + 350, speaker: `speaker_${i > 5 ? 1 : 0}` }));

async function opened(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: OpenIndexOptions = {},
): Promise<{ readonly index: SearchIndex; readonly folder: string }> {
  const folder = tempFolder(files);
  const index = await openIndex(join(folder, '.ibid'), { create: true, base: folder, ...options });
  return { index, folder };
}

const uris = async (index: SearchIndex): Promise<string[]> =>
  (await Array.fromAsync(index.documents())).map(({ uri }) => uri).sort();

describe('recordings in an index', () => {
  test('a transcript beside a recording is no document of its own; other neighbours are', async () => {
    const { index } = await opened({
      'talk.mp3': mp3(300),
      'talk.json': meeting,
      'talk.srt': '1\n00:00:01,000 --> 00:00:02,000\nThe same\n',
      'notes.json': '{"colour": "grey", "words": "some"}',
      'other.wav': wav(pcm(500)),
      'other.json': '{"recorded": "by hand", "place": "pier"}',
      'film.mp4': Buffer.from([0, 0, 0, 0]),
      'alone.vtt': 'WEBVTT\n\n00:01.000 --> 00:02.000\nAlone\n',
    });
    const summary = await index.ingest(index.base);
    expect(await uris(index)).toEqual(['alone.vtt', 'notes.json', 'other.json', 'talk.mp3']);
    expect(summary.skipped.map(({ uri, code }) => [uri, code])).toEqual([['other.wav', 'FILE_UNTRANSCRIBED']]);
    expect(summary.failed.map(({ uri, code }) => [uri, code])).toEqual([['film.mp4', 'FILE_UNSUPPORTED']]);
    expect((await index.status()).skipped).toMatchObject([{ uri: 'other.wav', code: 'FILE_UNTRANSCRIBED' }]);
    await index.close();
  });

  test('a transcript that begins with its whole text, as Whisper writes it, is one', async () => {
    const segments = Array.from({ length: 200 }, (_, i) => ({
      start: i,
      end: i + 1,
      text: ` Line ${i} of the "talk".`,
    }));
    const text = segments.map((segment) => segment.text).join('');
    const { index } = await opened({
      'talk.mp3': mp3(300),
      'talk.json': JSON.stringify({ text, segments, language: 'en' }),
      'other.wav': wav(pcm(500)),
      'other.json': JSON.stringify({ text, place: 'pier' }),
    });
    await index.ingest(index.base);
    expect(await uris(index)).toEqual(['other.json', 'talk.mp3']);
    const { hits } = await index.search('Line 77 of the talk', { limit: 1, where: { format: 'recording' } });
    expect(hits[0]!.chunk.text).toContain('Line 77 of the "talk".');
    await index.close();
  });

  test('a change of the transcript, and its loss, are seen; without a change nothing is read', async () => {
    const { index, folder } = await opened({ 'talk.mp3': mp3(300), 'talk.json': meeting });
    await index.ingest(folder);
    expect(await index.ingest(folder)).toMatchObject({ unchanged: 1, updated: 0 });
    const later = new Date(Date.now() + 5000);
    utimesSync(join(folder, 'talk.json'), later, later);
    expect(await index.ingest(folder)).toMatchObject({ unchanged: 1, updated: 0 });
    writeFileSync(join(folder, 'talk.json'), meeting.replaceAll('boathouse', 'smokehouse'));
    expect(await index.ingest(folder)).toMatchObject({ updated: 1 });
    expect((await index.document('talk.mp3'))!.text).toContain('smokehouse');
    const shown = (await index.search('smokehouse')).hits[0]!.chunk;
    expect((await index.show(`talk.mp3#0-${shown.span.end}`)).source).toBe('same');
    appendFileSync(join(folder, 'talk.mp3'), Buffer.alloc(1));
    expect((await index.show('talk.mp3#0-20')).source).toBe('has changed since it was indexed');
    rmSync(join(folder, 'talk.json'));
    expect((await index.ingest(folder)).failed).toMatchObject([{ uri: 'talk.mp3', code: 'FILE_UNTRANSCRIBED' }]);
    await index.close();
  });

  test('a transcript that is older than its recording is read when it takes the place of another', async () => {
    const { index, folder } = await opened({ 'talk.mp3': mp3(300), 'talk.json': meeting });
    const at = (day: number): Date => new Date(Date.UTC(2025, 0, day));
    utimesSync(join(folder, 'talk.mp3'), at(20), at(20));
    utimesSync(join(folder, 'talk.json'), at(1), at(1));
    await index.ingest(folder);
    writeFileSync(join(folder, 'talk.json'), meeting.replaceAll('boathouse', 'warehouse')); // of the same length
    utimesSync(join(folder, 'talk.json'), at(2), at(2)); // as an archive or a copy restores it
    expect(await index.ingest(folder)).toMatchObject({ updated: 1 });
    expect((await index.document('talk.mp3'))!.text).toContain('warehouse');
    await index.close();
  });

  test('a recording that is named is read beside a link that leads nowhere, as in a folder', async () => {
    const { index, folder } = await opened({ 'talk.mp3': mp3(300), 'talk.json': meeting });
    symlinkSync('gone.vtt', join(folder, 'talk.mp3.json'));
    mkdirSync(join(folder, 'talk.vtt'));
    expect(await index.ingest(join(folder, 'talk.mp3'))).toMatchObject({ added: 1 });
    expect(await index.ingest(folder)).toMatchObject({ unchanged: 1 });
    await index.close();
  });

  test('answers cite the time and the speaker; the citation is a media fragment that is found again', async () => {
    const { index, folder } = await opened({ 'talk.mp3': mp3(3000), 'talk.json': meeting });
    await index.ingest(folder);
    const answer = await index.ask('How much is the rent of the boathouse from April?', { mode: 'extractive' });
    const citation = answer.citations[0]!;
    // the eighth to nineteenth word, of 400 ms each
    expect(citation.place).toEqual({ timeMs: [3200, 7950], speaker: 'Speaker 2' });
    expect(citation.media).toBe('talk.mp3#t=3.2,7.95');
    const passage = await index.show(citation.media!);
    expect(passage.quote).toBe('The rent of the boathouse rises to four hundred kroner in April.');
    expect(passage.words!.map(({ text, timeMs }) => [text, timeMs[0]])).toEqual(
      passage.quote.split(' ').map((text, i) => [text, 3200 + 400 * i]),
    );
    expect((await index.show(citation.reference)).media).toBe(citation.media);
    expect((await index.show('talk.mp3#t=3.3')).quote).toContain('rent of the boathouse');
    await expect(index.show('talk.mp3#t=500,501')).rejects.toMatchObject({ code: 'CITATION_NOT_FOUND' });
    await index.close();
  });

  test('what waits is taken up by the run that has a transcriber; rebuilt without one, it keeps its words', async () => {
    const files = {
      'a.wav': wav(pcm(4000)),
      'b.wav': wav(pcm(5000)),
      'text.md': 'The Kittiwake is a ship. The old Kittiwake is grey.',
    };
    const { index, folder } = await opened(files);
    expect((await index.ingest(folder)).skipped).toHaveLength(2);
    await index.close();
    const transcriber = new KnowingTranscriber((_, { length }) =>
      heard(
        length === 64_044 ? 'We painted the Kittiwake last summer, and then it rained' : 'The slipway needs gravel',
      ),
    );
    {
      await using own = await openIndex(join(folder, '.ibid'), { models: { transcriber } });
      const dry = await own.ingest(folder, { dryRun: true, budget: 100 });
      expect(dry.transcription).toMatchObject({ recordings: 2, requests: 2, seconds: 9, costUsd: 9 });
      expect(dry.costUsd).toBe(9);
      expect(transcriber.asked).toHaveLength(0);
      const summary = await own.ingest(folder);
      expect(summary).toMatchObject({
        added: 2,
        unchanged: 1,
        skipped: [],
        costUsd: 9,
        transcription: { requests: 2, cached: 0 },
      });
      expect(transcriber.asked[0]!.call.keyterms).toContain('Kittiwake');
      expect((await own.search('gravel')).hits[0]!.chunk).toMatchObject({
        uri: 'b.wav',
        metadata: { transcript: 'knowing-1' },
      });
      expect((await own.status()).transcribed).toEqual({ requests: 2, seconds: 9, costUsd: 9 });
    }
    await using plain = await openIndex(join(folder, '.ibid'));
    expect(await plain.ingest(folder, { rebuild: true })).toMatchObject({ documents: 3, skipped: [] });
    expect((await plain.document('a.wav'))!.text).toContain('Speaker 2: and then it rained');
    writeFiles(folder, { 'c.wav': wav(pcm(700)) });
    expect((await plain.ingest(folder)).skipped).toMatchObject([{ uri: 'c.wav' }]);
    await expect(plain.ingest(folder, { transcribe: true })).rejects.toMatchObject({ code: 'KEY_MISSING' });
    expect(transcriber.asked).toHaveLength(2);
  });

  test('a budget is shared by all transcripts of a run; what it does not cover fails and is tried again', async () => {
    const transcriber = new KnowingTranscriber(() => heard('The slipway needs gravel'));
    const files = Object.fromEntries([3, 4, 5].map((seconds) => [`r${seconds}.wav`, wav(pcm(1000 * seconds))]));
    const { index, folder } = await opened(files, { models: { transcriber } });
    const first = await index.ingest(folder, { budget: 8 });
    expect(first.costUsd).toBeLessThanOrEqual(8);
    expect(first.failed.map(({ code }) => code)).toContain('BUDGET_EXCEEDED');
    expect(await index.ingest(folder)).toMatchObject({ documents: 3, failed: [] });
    expect([...transcriber.answered.values()]).toEqual([1, 1, 1]);
    await index.close();
  });

  test('names of speakers are searched, kept for a rebuild, and taken back', async () => {
    const captions = 'WEBVTT\n\n00:01.000 --> 00:02.000\n<v HV>The gravel comes on Monday.\n';
    const { index, folder } = await opened({
      'talk.mp3': mp3(300),
      'talk.json': meeting,
      'm/one.mp3': mp3(50),
      'm/one.vtt': captions,
    });
    await index.ingest(folder);
    expect(await index.speakers('talk.mp3')).toMatchObject([
      {
        number: 1,
        name: 'Speaker 1',
        firstMs: 0,
        spokenMs: 12 * 350,
        says: 'Welcome to the meeting of the harbour board.',
      },
      { number: 2, name: 'Speaker 2', firstMs: 3200, spokenMs: 21 * 350 },
    ]);
    expect(await index.nameSpeakers('talk.mp3', { 2: 'Ailsa Munro' })).toMatchObject({ updated: 1, removed: 0 });
    expect((await index.search('Ailsa Munro rent')).hits[0]!.chunk.text).toContain('Ailsa Munro: The rent');
    expect((await index.show('talk.mp3#0-20')).source).toBe('same');
    await index.nameSpeakers('m', { HV: 'Henrik Vold' });
    writeFiles(folder, { 'm/two.mp3': mp3(60), 'm/two.vtt': captions.replace('Monday', 'Friday') });
    await index.ingest(folder, { rebuild: true });
    for (const uri of ['m/one.mp3', 'm/two.mp3'])
      expect((await index.document(uri))!.text).toMatch(/^Henrik Vold: The gravel/);
    expect((await index.document('talk.mp3'))!.metadata.speakers).toBe('Speaker 1; Ailsa Munro');
    await index.nameSpeakers('talk.mp3', { 2: '' });
    expect((await index.document('talk.mp3'))!.metadata.speakers).toBe('Speaker 1; Speaker 2');
    await expect(index.nameSpeakers('m', { 1: 'X' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(index.nameSpeakers('none', { a: 'X' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(index.speakers('none')).rejects.toMatchObject({ code: 'CITATION_NOT_FOUND' });
    await index.close();
  });

  test('one file by its name finds its transcript, and a moved recording keeps its words', async () => {
    const { index, folder } = await opened({ 'talk.wav': wav(pcm(15_000)), 'talk.json': meeting });
    expect(await index.ingest(join(folder, 'talk.wav'))).toMatchObject({ added: 1 });
    writeFiles(folder, { 'b/talk.wav': wav(pcm(15_000)), 'b/talk.json': meeting });
    rmSync(join(folder, 'talk.wav'));
    rmSync(join(folder, 'talk.json'));
    expect(await index.ingest(folder)).toMatchObject({ renamed: 1, added: 0, updated: 0 });
    expect(statSync(join(folder, 'b/talk.wav')).size).toBe(240_044);
    await index.close();
  });
});
