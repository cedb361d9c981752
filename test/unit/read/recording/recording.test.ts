import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { locate } from '../../../../src/core/location.ts';
import type { Document } from '../../../../src/core/types.ts';
import type { RecordingOptions } from '../../../../src/read/contract.ts';
import { createReader } from '../../../../src/read/reader.ts';
import { chunkDocument } from '../../../../src/text/chunk/chunk.ts';
import { id3Chapter, id3Text, mp3, pcm, spokenJson, wav } from '../../../support/sound.ts';
import { tempFolder } from '../../../support/temp.ts';
import { codes, expectSound, headings, outline } from '../helpers.ts';

async function read(
  name: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  recording: RecordingOptions = {},
): Promise<Document> {
  const folder = tempFolder(files);
  await using reader = createReader();
  const beside = recording.beside && join(folder, recording.beside);
  const document = await reader.read({ path: join(folder, name), uri: name }, { recording: { ...recording, beside } });
  expectSound(document);
  return document;
}

const said = spokenJson([
  ['speaker_0', 'Good morning. The rent rises in April.'],
  ['speaker_1', 'By how much?'],
  ['speaker_0', 'By four per cent.'],
]);
const chapters = {
  TIT2: id3Text('Minutes of March'),
  TPE1: id3Text('The Board'),
  TYER: id3Text('2024'),
  CHAP: id3Chapter('c1', 'Opening', 0, 800),
  CHAP2: id3Chapter('c2', 'Rents', 800, 5000),
};

describe('a recording as a document', () => {
  test('turns are paragraphs, chapters headings; every span has the times of its words', async () => {
    const document = await read(
      'talk.mp3',
      { 'talk.mp3': mp3(400, chapters), 'talk.json': said },
      { beside: 'talk.json' },
    );
    expect(outline(document)).toEqual([
      ['heading', 'Opening'],
      ['paragraph', 'Speaker 1: Good morning.'],
      ['heading', 'Rents'],
      ['paragraph', 'Speaker 1: The rent rises in April.'],
      ['paragraph', 'Speaker 2: By how much?'],
      ['paragraph', 'Speaker 1: By four per cent.'],
    ]);
    expect(headings(document).map(([level]) => level)).toEqual([1, 1]);
    expect(document).toMatchObject({ title: 'Minutes of March', format: 'recording' });
    expect(document.metadata).toMatchObject({
      artist: 'The Board',
      date: '2024',
      container: 'MPEG',
      language: 'en',
      speakers: 'Speaker 1; Speaker 2',
      transcript: 'talk.json',
    });
    expect(document.metadata.durationMs).toBeCloseTo((400 * 1152 * 1000) / 44_100, -2);
    const [chunk] = chunkDocument(document);
    const place = (text: string) => {
      const start = document.text.indexOf(text);
      return locate({ ...chunk!, locators: document.locators }, { start, end: start + text.length });
    };
    // word n lasts from 400 n to 400 n + 350
    expect(place('rises in April.')).toEqual({ timeMs: [1600, 2750], speaker: 'Speaker 1' });
    expect(place('how')).toEqual({ timeMs: [3200, 3550], speaker: 'Speaker 2' });
    expect(place('much?\n\nSpeaker 1: By')).toEqual({ timeMs: [3600, 4350], speaker: 'Speaker 2' });
  });

  test('names of speakers are in the text and in the places', async () => {
    const files = { 'talk.wav': wav(pcm(6000)), 'talk.json': said };
    const document = await read('talk.wav', files, {
      beside: 'talk.json',
      names: { 1: 'Ailsa', speaker_1: 'Bo; the younger' },
    });
    expect(document.text).toMatch(/^Ailsa: Good morning\. The rent rises in April\.\n\nBo, the younger: By how much\?/);
    expect(document.metadata.speakers).toBe('Ailsa; Bo, the younger');
    expect(new Set(document.locators.map(({ speaker }) => speaker))).toEqual(new Set(['Ailsa', 'Bo, the younger']));
  });

  test('without marks, pauses end sentences; a long speech is parted at sentences; no chunk cuts a word', async () => {
    const words = Array.from({ length: 3000 }, (_, i) => ({
      type: 'word',
      text: `extraordinary${i}`,
      start: i * 0.4 + Math.floor(i / 10) * 2,
      end: i * 0.4 + Math.floor(i / 10) * 2 + 0.3,
    }));
    const json = JSON.stringify({ text: words.map(({ text }) => text).join(' '), words });
    const document = await read('a.wav', { 'a.wav': wav(pcm(100)), 'a.json': json }, { beside: 'a.json' });
    expect(document.text.split(/\n+/)).toHaveLength(300);
    expect(document.blocks.length).toBeGreaterThan(30);
    const cuts = chunkDocument(document).map(({ span }) => span.start);
    expect(cuts.length).toBeGreaterThan(10);
    for (const cut of cuts) expect(document.locators.some(({ start, end }) => start < cut && cut < end)).toBe(false);
    for (const cut of cuts.slice(1)) expect(document.text[cut - 1]).toBe('\n');
  });

  test('a word without a length lasts until the next one, or a moment', async () => {
    const at = (text: string, start: number): object => ({ text, type: 'word', start, end: start });
    const words = [at('One', 1), at('two', 1), at('three', 2.5), at('four', 30), at('five', 31)];
    const files = { 'a.wav': wav(pcm(40_000)), 'a.json': JSON.stringify({ text: 'One two three four five', words }) };
    const document = await read('a.wav', files, { beside: 'a.json' });
    expect(document.locators.map(({ timeMs }) => timeMs)).toEqual([
      [1000, 2500], // of two words
      [2500, 4500],
      [30_000, 31_000],
      [31_000, 33_000],
    ]);
  });

  test('lyrics inside are its text', async () => {
    const lyrics = Buffer.concat([Buffer.from([0]), Buffer.from('eng\0First line\nSecond line', 'latin1')]);
    const document = await read('song.mp3', { 'song.mp3': mp3(100, { USLT: lyrics }) });
    expect(document.text).toBe('First line\nSecond line');
    expect(document.metadata.transcript).toBe('lyrics');
  });

  test('with chapters alone it is a document that waits', async () => {
    const document = await read('talk.mp3', { 'talk.mp3': mp3(100, chapters) });
    expect(codes(document)).toEqual(['WAITS_FOR_TRANSCRIPT']);
    expect(document.text).toBe('Opening\n\nRents');
  });

  test('it has no length where its header gives none', async () => {
    const endless = wav(pcm(1000));
    endless.writeUInt16LE(0, 32); // bytes of a sample
    await expect(read('a.wav', { 'a.wav': endless })).rejects.toMatchObject({
      code: 'FILE_UNTRANSCRIBED',
      message: expect.stringMatching(/^a recording without a transcript/),
    });
  });

  test('without words it waits, until a transcript is made', async () => {
    const files = { 'talk.wav': wav(pcm(61_000)) };
    await expect(read('talk.wav', files)).rejects.toMatchObject({
      code: 'FILE_UNTRANSCRIBED',
      message: 'a recording of 1 min without a transcript',
      hint: expect.stringContaining('transcribe'),
    });
    let asked: unknown;
    const document = await read('talk.wav', files, {
      transcribe: async (recording) => {
        asked = recording;
        return { transcript: { words: [{ text: 'Hello', startMs: 5, endMs: 90 }] }, by: 'ears-1' };
      },
    });
    expect(asked).toMatchObject({ uri: 'talk.wav', info: { durationMs: 61_000, channels: 1, container: 'WAVE' } });
    expect(document).toMatchObject({
      text: 'Hello',
      metadata: { transcript: 'ears-1' },
      locators: [{ timeMs: [5, 90] }],
    });
  });
});

describe('bad recordings', () => {
  test.each([
    ['empty', 'a.mp3', Buffer.alloc(0), 'FILE_EMPTY'],
    ['of 0 seconds', 'a.wav', wav(Buffer.alloc(0)), 'FILE_EMPTY'],
    ['words under the name of sound', 'a.mp3', Buffer.from('only words'), 'FILE_UNSUPPORTED'],
    ['tags cut short', 'a.mp3', mp3(4, { TIT2: Buffer.alloc(5000) }).subarray(0, 900), 'FILE_DAMAGED'],
    [
      'MP4 without its index',
      'a.m4a',
      Buffer.from('\0\0\0\x14ftypM4A \0\0\0\0isom\0\0\0\x20mdat'.padEnd(400, 'x'), 'latin1'),
      'FILE_DAMAGED',
    ],
  ])('%s', async (_, name, bytes, code) => {
    await expect(read(name, { [name]: bytes })).rejects.toMatchObject({ code });
  });

  test('under a wrong extension it is read, with a warning', async () => {
    const document = await read('talk.ogg', { 'talk.ogg': wav(pcm(500)), 'talk.json': said }, { beside: 'talk.json' });
    expect(codes(document)).toEqual(['TYPE_MISMATCH']);
    expect(document.metadata.container).toBe('WAVE');
  });

  test('cut short it says how much is there', async () => {
    const files = { 'a.wav': wav(pcm(1000), { promised: 64_000 }), 'a.json': said };
    expect((await read('a.wav', files, { beside: 'a.json' })).warnings).toEqual([
      { code: 'RECORDING_CUT', message: 'the file is cut short: it holds 25 % of its sound' },
    ]);
    await expect(read('a.wav', files)).rejects.toMatchObject({ message: expect.stringContaining('25 %') });
  });

  test('broken, with a transcript beside it, its words are read; a broken transcript is none', async () => {
    const broken = mp3(4, { TIT2: Buffer.alloc(5000) }).subarray(0, 900);
    expect(codes(await read('a.mp3', { 'a.mp3': broken, 'a.json': said }, { beside: 'a.json' }))).toEqual([
      'RECORDING_UNREADABLE',
    ]);
    const files = { 'a.wav': wav(pcm(500)), 'a.json': '{"words": [' };
    await expect(read('a.wav', files, { beside: 'a.json' })).rejects.toMatchObject({
      code: 'FILE_UNTRANSCRIBED',
      message: expect.stringContaining('a.json: the transcript beside the recording is no JSON'),
    });
  });

  test('over the limit of recordings, not of files', async () => {
    const folder = tempFolder({ 'a.wav': wav(pcm(60_000)), 'a.json': said });
    const at = { path: join(folder, 'a.wav'), uri: 'a.wav' };
    const recording = { beside: join(folder, 'a.json') };
    await using small = createReader({ maxFileBytes: 1000 });
    expect((await small.read(at, { recording })).text).toContain('rent');
    await using smaller = createReader({ maxRecordingBytes: 1000 });
    await expect(smaller.read(at, { recording })).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      hint: expect.stringContaining('maxRecordingBytes'),
    });
  });

  test('nobody speaks in it', async () => {
    const transcribe = async () => ({ transcript: { words: [] }, by: 'ears-1' });
    await expect(read('a.wav', { 'a.wav': wav(pcm(500)) }, { transcribe })).rejects.toMatchObject({
      code: 'FILE_EMPTY',
    });
  });
});
