import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { Meter } from '../../../src/core/meter.ts';
import { overviewCaptions } from '../../../src/overview/captions.ts';
import { mp3Of } from '../../../src/overview/mp3.ts';
import type { OverviewScript } from '../../../src/overview/script.ts';
import { faded, type SpokenPartEvent, type SpokenScript, spokenScript } from '../../../src/overview/spoken-script.ts';
import { cuesOf } from '../../../src/read/captions/subtitles.ts';
import type { Speaker, SpokenTurn } from '../../../src/speak/contract.ts';
import { readWav } from '../../../src/wire/audio/pcm.ts';
import { script as hostile, spoken as hostileSound } from './made.ts';

const hasFfmpeg = !spawnSync('ffmpeg', ['-version']).error;
const rate = 16_000;
const MS_PER_CHAR = 5;
const PEAK = 12_000;
const HERTZ = 440;

/** A tone that begins and ends at its peak: whatever is put together without care clicks. */
function tone(samples: number): Int16Array {
  return Int16Array.from({ length: samples }, (_, i) => Math.round(PEAK * Math.cos((2 * Math.PI * HERTZ * i) / rate)));
}

interface Calls {
  readonly turns: (readonly SpokenTurn[])[];
}

/** Says each character for 5 ms, in parts cut anywhere. */
function toneSpeaker(calls: Calls, more: Partial<Speaker> = {}): Speaker {
  return {
    ...{ id: 'tone', formats: ['pcm'], limits: { characters: 5000, voices: 2 }, voices: ['first', 'second', 'third'] },
    price: () => 0.1,
    async *speak(given) {
      const turns = await Array.fromAsync(given);
      calls.turns.push(turns);
      let ms = 0;
      for (const [turn, { text }] of turns.entries()) {
        const endMs = ms + MS_PER_CHAR * text.length;
        const audio = new Uint8Array(tone((rate * (endMs - ms)) / 1000).buffer);
        const span = { turn, start: 0, end: text.length, startMs: ms, endMs };
        yield { audio: audio.subarray(0, 100), sampleRate: rate, spans: [] };
        yield { audio: audio.subarray(100), sampleRate: rate, spans: [span] };
        ms = endMs;
      }
    },
    ...more,
  };
}

/** A script of sentences of some length, turn by turn. */
function scriptOf(turns: number, chars: number): OverviewScript {
  const text = `${'word '
    .repeat(Math.ceil(chars / 5))
    .slice(0, chars - 1)
    .trimEnd()}.`;
  return {
    title: 'T',
    turns: Array.from({ length: turns }, (_, i) => ({
      voice: i % 2 === 0 ? ('A' as const) : ('B' as const),
      sentences: [
        { text, citations: [1] },
        { text, citations: [1] },
      ],
    })),
    sources: [],
  };
}

async function hear(
  script: OverviewScript,
  speaker: Speaker,
  options: { meter?: Meter; voices?: readonly string[]; signal?: AbortSignal } = {},
): Promise<{ sound: SpokenScript; events: SpokenPartEvent[] }> {
  const saying = spokenScript(script, speaker, { meter: new Meter(), ...options });
  const events: SpokenPartEvent[] = [];
  for (let step = await saying.next(); ; step = await saying.next()) {
    if (step.done) return { sound: step.value, events };
    events.push(step.value);
  }
}

const samplesOf = (wav: Uint8Array): Int16Array => {
  const { data } = readWav(wav);
  return new Int16Array(Uint8Array.from(data).buffer);
};

describe('a spoken script', () => {
  it('of many parts is joined without a click, and nothing else of it is changed', async () => {
    const calls: Calls = { turns: [] };
    const script = scriptOf(20, 80); // about 160 characters a turn, four turns a part
    const { sound, events } = await hear(script, toneSpeaker(calls));
    expect(calls.turns.length).toBe(5);
    expect(calls.turns.flat().length).toBe(40);
    const samples = samplesOf(sound.audio);
    const partSizes = calls.turns.map((turns) =>
      turns.reduce((sum, { text }) => sum + (rate * MS_PER_CHAR * text.length) / 1000, 0),
    );
    const gap = (rate * 250) / 1000;
    const total = partSizes.reduce((sum, size) => sum + size, 0) + gap * 4;
    expect(samples.length).toBe(total);
    expect(sound.seconds).toBeCloseTo(total / rate, 9);
    expect(readWav(sound.audio)).toMatchObject({ sampleRate: rate, channels: 1, bitsPerSample: 16 });
    // the steepest step of the tone, and of the fade over it: PEAK · (2πf/r + π/2 / (5 ms · r))
    const steepest = PEAK * ((2 * Math.PI * HERTZ) / rate + Math.PI / 2 / (0.005 * rate)) + 1;
    expect(steepest).toBeLessThan(PEAK / 4); // a cut at the peak would be four times that
    const fade = 0.005 * rate;
    let at = 0;
    for (const [i, size] of partSizes.entries()) {
      const seam = [at - 1, at, at + size - 1, at + size];
      for (const edge of seam)
        for (let k = edge - fade; k < edge + fade; k++) {
          const step = Math.abs((samples[k + 1] ?? 0) - (samples[k] ?? 0));
          expect(step, `${k} of part ${i}`).toBeLessThanOrEqual(steepest);
        }
      expect(samples[at]).toBe(0);
      expect(samples[at + size - 1]).toBe(0);
      const wanted = calls.turns[i]!.flatMap(({ text }) => [...tone((rate * MS_PER_CHAR * text.length) / 1000)]);
      expect(samples.slice(at + fade, at + size - fade)).toEqual(Int16Array.from(wanted.slice(fade, size - fade)));
      expect(samples.slice(at + size, at + size + gap).every((value) => value === 0)).toBe(true);
      at += size + gap;
    }
    expect(events.map(({ part, parts }) => `${part}/${parts}`)).toEqual(['1/5', '2/5', '3/5', '4/5', '5/5']);
  });

  it('knows when each sentence is said, behind the joins too', async () => {
    const { sound } = await hear(scriptOf(6, 80), toneSpeaker({ turns: [] }));
    expect(sound.sentences.map(({ turn, sentence }) => `${turn}.${sentence}`)).toEqual(
      Array.from({ length: 12 }, (_, i) => `${Math.floor(i / 2)}.${i % 2}`),
    );
    const ms = (sound.sentences[0]!.toMs - sound.sentences[0]!.fromMs) as number;
    sound.sentences.forEach(({ fromMs, toMs }, i) => {
      const joins = i >= 8 ? 1 : 0; // four turns of two sentences stand before the join
      expect(fromMs).toBeCloseTo(i * ms + joins * 250, 6);
      expect(toMs).toBeCloseTo((i + 1) * ms + joins * 250, 6);
    });
  });

  it('has the voices that are named, else the first two', async () => {
    const calls: Calls = { turns: [] };
    await hear(scriptOf(2, 50), toneSpeaker(calls));
    await hear(scriptOf(2, 50), toneSpeaker(calls), { voices: ['x', 'y'] });
    await hear(scriptOf(2, 50), toneSpeaker(calls, { voices: ['only'] }));
    const voices = calls.turns.map((turns) => turns.map(({ voice }) => voice).join(' '));
    expect(voices).toEqual(['first first second second', 'x x y y', 'only only only only']);
  });

  it('is paid for as a whole, or not at all', async () => {
    const meter = new Meter();
    const { sound } = await hear(scriptOf(20, 80), toneSpeaker({ turns: [] }), { meter });
    const { characters, costUsd } = sound.usage;
    expect(meter.spentUsd).toBeCloseTo((characters * 0.1) / 1000, 9);
    expect(costUsd).toBeCloseTo(meter.spentUsd, 9);
    const calls: Calls = { turns: [] };
    const poor = new Meter(meter.spentUsd / 2);
    await expect(hear(scriptOf(20, 80), toneSpeaker(calls), { meter: poor })).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
    });
    expect(calls.turns).toEqual([]);
    const unpriced = toneSpeaker({ turns: [] }, { price: () => undefined });
    await expect(hear(scriptOf(2, 50), unpriced, { meter: new Meter(1) })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    expect((await hear(scriptOf(2, 50), unpriced)).sound.usage).not.toHaveProperty('costUsd');
  });

  it('says of a speaker that breaks its contract what it has done', async () => {
    const call = async function* (part: object): AsyncGenerator<never> {
      yield part as never;
    };
    const span = { turn: 0, start: 0, end: 1, startMs: 0, endMs: 1 };
    for (const part of [
      { audio: new Uint8Array(), sampleRate: rate, spans: [span] },
      { audio: new Uint8Array(3), sampleRate: rate, spans: [span] },
      { audio: new Uint8Array(4), sampleRate: rate, spans: [span] },
    ]) {
      const speaker = toneSpeaker({ turns: [] }, { speak: () => call(part) });
      await expect(hear(scriptOf(1, 50), speaker)).rejects.toMatchObject({ code: 'CONTRACT_BROKEN' });
    }
  });

  it('ends when the caller leaves, between two parts', async () => {
    const abort = new AbortController();
    const calls: Calls = { turns: [] };
    const saying = spokenScript(scriptOf(20, 80), toneSpeaker(calls), { meter: new Meter(), signal: abort.signal });
    await saying.next();
    abort.abort(new Error('gone'));
    await expect(saying.next()).rejects.toThrow('gone');
    expect(calls.turns.length).toBe(1);
  });

  it('fades sound of one sample, and of none', () => {
    expect(faded(new Uint8Array(), rate).length).toBe(0);
    expect(faded(new Uint8Array([1, 2]), rate)).toEqual(Buffer.from([1, 2]));
  });
});

describe('captions', () => {
  it('are cues that other programs read: one a sentence, with its sources', async () => {
    const text = overviewCaptions(hostile, hostileSound);
    const blocks = text.trimEnd().split('\n\n');
    expect(blocks.slice(0, 2)).toEqual(['WEBVTT', 'NOTE Made by ibid']);
    expect(blocks[3]).toBe(
      '2\n00:00:01.000 --> 00:00:02.000\nB: Raw data are kept for five years.\n[1] docs/1.md#0-33',
    );
    expect(text.replaceAll('-->', '')).not.toMatch(/[<>]/);
    const read = [...cuesOf(text)];
    // a long sentence is several captions, without a gap
    const times = read.map(({ timeMs }) => timeMs!);
    expect(times[0]).toEqual([0, 1000]);
    expect(times.at(-1)).toEqual([3000, 4000]);
    for (const [i, [from]] of times.entries()) expect(from).toBe(i === 0 ? 0 : times[i - 1]![1]);
    expect(read.length).toBeGreaterThan(4);
  });
});

describe('mp3', () => {
  it.skipIf(!hasFfmpeg)('is made by ffmpeg, as long as it was (needs ffmpeg)', async () => {
    const { sound } = await hear(scriptOf(2, 50), toneSpeaker({ turns: [] }));
    const mp3 = await mp3Of(sound, undefined, {});
    expect(mp3.mediaType).toBe('audio/mpeg');
    const seconds = mp3.audio.length / 16_000; // 128 kbit/s
    expect(seconds).toBeGreaterThan(sound.seconds);
    expect(seconds).toBeLessThan(sound.seconds + 0.3);
    await expect(mp3Of(sound, undefined, { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
  });
});
