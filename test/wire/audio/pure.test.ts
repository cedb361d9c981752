import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AlignmentClock, alignmentWords } from '../../../src/wire/audio/alignment.ts';
import { outputFormats, parseFormat, secondsOf } from '../../../src/wire/audio/formats.ts';
import { WordBuffer } from '../../../src/wire/audio/live.ts';
import { parseMixed } from '../../../src/wire/audio/mixed.ts';
import { audioModels, countCharacters } from '../../../src/wire/audio/models.ts';
import { alignSamples, readWav, toWav } from '../../../src/wire/audio/pcm.ts';
import { chargedCredits, estimateTextCredits, plans } from '../../../src/wire/audio/prices.ts';
import { collectBytes } from '../../../src/wire/audio/sound.ts';
import { joinWords, monotoneWords, sentencesOf } from '../../../src/wire/audio/words.ts';

const collect = async <T>(source: AsyncIterable<T>): Promise<T[]> => {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
};

describe('samples', () => {
  it('are the same samples however the stream is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 9 })), async (chunks) => {
        const whole = Buffer.concat(chunks);
        const even = whole.length % 2 === 0;
        const source = (async function* () {
          yield* chunks;
        })();
        if (!even) {
          await expect(collect(alignSamples(source))).rejects.toThrow('inside a sample');
          return;
        }
        const aligned = await collect(alignSamples(source));
        expect(aligned.every(({ length }) => length > 0 && length % 2 === 0)).toBe(true);
        expect(Buffer.concat(aligned)).toEqual(whole);
      }),
      { seed: 3 },
    );
  });

  it('come back out of a WAV file', () => {
    const samples = Uint8Array.from([1, 2, 3, 4]);
    const file = toWav(samples, 'pcm_24000');
    expect(readWav(file)).toEqual({ sampleRate: 24_000, channels: 1, bitsPerSample: 16, data: samples });
    const view = new DataView(file.buffer);
    expect([view.getUint32(4, true), view.getUint32(28, true), view.getUint32(40, true)]).toEqual([36 + 4, 48_000, 4]);
    expect(() => readWav(file.subarray(0, 46))).toThrow('cut');
    expect(() => readWav(Uint8Array.from([1, 2, 3]))).toThrow('RIFF');
  });

  it('are found behind other chunks and in files of unknown length', () => {
    const file = Buffer.from(toWav(Uint8Array.from([9, 8]), 'pcm_8000'));
    const list = Buffer.concat([Buffer.from('LIST'), Buffer.from([3, 0, 0, 0]), Buffer.from('abc\0')]);
    const extended = Buffer.concat([file.subarray(0, 36), list, file.subarray(36)]);
    expect([...readWav(extended).data]).toEqual([9, 8]);
    file.writeUInt32LE(0xffff_ffff, 40);
    expect([...readWav(file).data]).toEqual([9, 8]);
  });

  it('measure as bytes over twice the rate', () => {
    expect(secondsOf(parseFormat('pcm_16000'), 32_000)).toBe(1);
    expect(secondsOf(parseFormat('ulaw_8000'), 4_000)).toBe(0.5);
    expect(secondsOf(parseFormat('mp3_44100_128'), 16_000)).toBe(1);
    expect(secondsOf(parseFormat('opus_48000_64'), 16_000)).toBeUndefined();
  });

  it('knows every format of the list, and no other', () => {
    expect(outputFormats.map((name) => parseFormat(name).name)).toEqual(outputFormats);
    expect(outputFormats.length).toBe(7 + 7 + 7 + 2 + 5);
    expect(() => parseFormat('mp3_44100')).toThrow('output_format');
  });
});

describe('times of characters', () => {
  const chunk = (start: number, end: number) => ({
    characters: ['a', 'b'],
    character_start_times_seconds: [start, start + 0.1],
    character_end_times_seconds: [start + 0.1, end],
  });

  it('go on when every chunk starts at zero', () => {
    const clock = new AlignmentClock();
    clock.place(chunk(0, 1), 0);
    expect(clock.place(chunk(0, 1), 1.25).character_start_times_seconds).toEqual([1.25, 1.35]);
    expect(clock.place(chunk(0, 1), 2.5).character_end_times_seconds).toEqual([2.6, 3.5]);
  });

  it('stay when they count from the start, even if they overlap a little', () => {
    const clock = new AlignmentClock();
    clock.place(chunk(0, 1), 0);
    expect(clock.place(chunk(0.98, 2), 1).character_start_times_seconds[0]).toBe(0.98);
    expect(clock.place(chunk(2, 3), 2).character_start_times_seconds[0]).toBe(2);
  });

  it('make words, without tags when asked', () => {
    const characters = [...'[sighs] No way'];
    const alignment = {
      characters,
      character_start_times_seconds: characters.map((_, i) => i),
      character_end_times_seconds: characters.map((_, i) => i + 1),
    };
    expect(alignmentWords(alignment, { dropTags: true })).toEqual([
      { text: 'No', start: 8, end: 10 },
      { text: 'way', start: 11, end: 14 },
    ]);
    expect(alignmentWords(alignment).map(({ text }) => text)).toEqual(['[sighs]', 'No', 'way']);
  });

  it('of brackets that are no audio tag stay', () => {
    const wordsOf = (said: string): string =>
      alignmentWords(
        {
          characters: [...said],
          character_start_times_seconds: Array.from(said, (_, i) => i),
          character_end_times_seconds: Array.from(said, (_, i) => i + 1),
        },
        { dropTags: true },
      )
        .map(({ text }) => text)
        .join(' ');
    const long = `From [0 up to ${'one more '.repeat(20)}it goes to 1].`;
    expect(wordsOf(long)).toBe(long);
    expect(wordsOf('An [ opens, [sighs] and ] closes.')).toBe('An [ opens, and ] closes.');
  });
});

describe('words of a transcript', () => {
  const words = [
    { text: 'Hello', start: 0.12, end: 0.41, type: 'word', speaker_id: 'a' },
    { text: ' ', start: 0.39, end: 0.44, type: 'spacing', speaker_id: 'a' },
    { text: 'there.', start: 0.44, end: 0.8, type: 'word', speaker_id: 'a' },
    { text: ' ', start: 0.8, end: 0.86, type: 'spacing', speaker_id: 'a' },
    { text: 'Yes', start: null, end: null, type: 'word', speaker_id: 'b' },
    { text: ' ', start: 0.8, end: 0.86, type: 'spacing', speaker_id: 'b' },
    { text: 'sir', start: 0.7, end: 0.6, type: 'word', speaker_id: 'b' },
    { text: '(laughter)', start: 3, end: 4, type: 'audio_event', speaker_id: 'b' },
  ] as const;

  it('never run backwards', () => {
    expect(monotoneWords(words).map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [120, 410],
      [440, 800],
      [800, 800], // missing: from the end before it to the start after it
      [800, 800], // 700 to 600 lies before what came before it
      [3_000, 4_000],
    ]);
  });

  it('join to the text as they are', () => expect(joinWords(words)).toBe('Hello there. Yes sir(laughter)'));

  it('make sentences by full stop, speaker and event', () => {
    expect(sentencesOf({ words }).map(({ text, startMs, endMs, speaker }) => [text, startMs, endMs, speaker])).toEqual([
      ['Hello there.', 120, 800, 'a'],
      ['Yes sir', 800, 800, 'b'],
      ['(laughter)', 3_000, 4_000, 'b'],
    ]);
    expect(sentencesOf({ words: [] })).toEqual([]);
  });
});

describe('prices', () => {
  it('are those of the tables', () => {
    expect(estimateTextCredits('x'.repeat(1_001), audioModels.voice_flash_v2_5!).credits).toBe(501); // 1,001 × 0.5, rounded up
    expect(estimateTextCredits('😀😀', audioModels.voice_v3!, { plan: 'pro', voiceRate: 3 })).toEqual({
      characters: 2,
      credits: 6,
      cost: { usd: 0, credits: 6, source: 'table', parts: [{ name: 'characters', credits: 6, quantity: 2 }] },
      overageUsd: (6 / 1_000) * 0.24,
    });
    expect(estimateTextCredits('x'.repeat(100), audioModels.voice_v3!, { voiceRate: 1.1 }).credits).toBe(110);
    expect(plans.business.overageUsdPer1000).toBe(0.12);
    expect(estimateTextCredits('x', audioModels.voice_v3_conversational!).credits).toBeUndefined();
  });

  it('of a finished call come from the first header that is there; none is unknown, not free', () => {
    const names = ['character-cost', 'x-character-count'];
    expect(chargedCredits({ 'character-cost': '0', 'x-character-count': '5' }, names)).toBe(0);
    expect(chargedCredits({ 'x-character-count': '5' }, names)).toBe(5);
    expect(chargedCredits({ 'character-cost': '' }, names)).toBeUndefined();
  });

  it('count code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '\u0301', '\ud83d', '\ude00') }), (text) => {
        expect(countCharacters(text)).toBe([...text].length);
      }),
    );
  });
});

describe('text for a socket', () => {
  it('is the same text in messages that end after a word, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' ', '😀', '.'), maxLength: 12 })), (cuts) => {
        const buffer = new WordBuffer();
        const sent = [...cuts.map((cut) => buffer.push(cut)), buffer.flush()].filter((message) => message !== '');
        const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim();
        expect(squeeze(sent.join(''))).toBe(squeeze(cuts.join('')));
        expect(sent.every((message) => /\S $/.test(message))).toBe(true);
      }),
      { seed: 11 },
    );
  });

  it('does not wait for a space that never comes', () => {
    const buffer = new WordBuffer();
    expect(buffer.push('語'.repeat(250)).trim().length).toBeGreaterThan(200);
    expect(buffer.flush()).toBe('語 ');
  });

  it('takes no mark from its letter, and no part from an emoji, where it does not wait', () => {
    for (const cluster of ['นี้', 'か\u3099', 'é'.normalize('NFD'), '👩\u200d👩\u200d👧', '👍🏽']) {
      const buffer = new WordBuffer();
      const sent = [...cluster.repeat(150)].map((piece) => buffer.push(piece)); // token by token
      const messages = [...sent, buffer.flush()].filter((message) => message !== '');
      expect(messages.length).toBeGreaterThan(1);
      expect(messages.join('').replaceAll(' ', '')).toBe(cluster.repeat(150));
      for (const message of messages) expect(message.trim().startsWith(cluster)).toBe(true);
    }
  });
});

describe('multipart/mixed', () => {
  const where = { operation: { service: 'audio', name: 'audio.music.detailed' } } as const;
  const build = (sound: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(
        'preamble\r\n--b1\r\nContent-Type: application/json\r\n\r\n{"a":1}\r\n--b1\r\ncontent-type: audio/mpeg\r\n\r\n',
      ),
      sound,
      Buffer.from('\r\n--b1--\r\n'),
    ]);

  it('gives the parts byte for byte, even when the sound holds the delimiter letters', () => {
    const sound = Buffer.concat([Buffer.from([0, 13, 10, 255]), Buffer.from('x--b1\r\n'), Buffer.from('\r\n--b1more')]);
    const parts = parseMixed(build(sound), 'multipart/mixed; boundary="b1"', where);
    expect(parts.map(({ headers }) => headers['content-type'])).toEqual(['application/json', 'audio/mpeg']);
    expect(Buffer.from(parts[1]!.body)).toEqual(sound);
  });

  it('refuses a body that ends early or names no boundary', () => {
    const whole = build(Buffer.from('abc'));
    expect(() => parseMixed(whole.subarray(0, -12), 'multipart/mixed; boundary=b1', where)).toThrow('ends before');
    expect(() => parseMixed(whole, 'multipart/mixed', where)).toThrow('boundary');
  });
});

describe('a body that is read as a whole', () => {
  it('ends where it would be too much', async () => {
    const piece = new Uint8Array(2 ** 20);
    let taken = 0;
    async function* pieces(count: number): AsyncGenerator<Uint8Array> {
      for (; taken < count; taken++) yield piece;
    }
    const operation = { service: 'audio', name: 'audio.isolation.create' } as const;
    expect(await collectBytes(operation, pieces(3))).toHaveLength(3 * 2 ** 20);
    await expect(collectBytes(operation, pieces(1_000))).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
    expect(taken).toBeLessThan(140);
  });
});
