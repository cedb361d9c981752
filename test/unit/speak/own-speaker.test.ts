import { describe, expect, it } from 'vitest';
import { Meter } from '../../../src/core/meter.ts';
import type { SoundPart, Speaker } from '../../../src/speak/contract.ts';
import { speakTurns } from '../../../src/speak/speech.ts';
import { fakeSpeaker } from '../../../src/testing.ts';

const fake = fakeSpeaker();

const hear = async (speaker: unknown, signal?: AbortSignal): Promise<SoundPart[]> =>
  await Array.fromAsync(
    speakTurns(speaker as Speaker, [{ text: 'The ferry leaves.' }], { meter: new Meter(), signal }),
  );

/** The fake, each part as `change` gives it. */
const giving = (change: (part: SoundPart) => unknown) => ({
  ...fake,
  async *speak(...call: Parameters<Speaker['speak']>) {
    for await (const part of fake.speak(...call)) yield change(part);
  },
});

/** A copy of the bytes, in a buffer of their own. */
const bufferOf = ({ audio }: SoundPart): ArrayBuffer => new Uint8Array(audio).buffer;

const withSpan = (part: SoundPart, change: object) => ({
  ...part,
  spans: part.spans.map((one) => ({ ...one, ...change })),
});

describe('a speaker of the caller', () => {
  it.each<[string, unknown, string]>([
    ['gives a buffer', giving((part) => ({ ...part, audio: bufferOf(part) })), 'Uint8Array'],
    ['gives samples', giving((part) => ({ ...part, audio: new Int16Array(bufferOf(part)) })), 'Uint8Array'],
    ['gives half a sample', giving((part) => ({ ...part, audio: part.audio.subarray(1) })), 'between two samples'],
    ['gives no sound', giving(({ audio: _, ...part }) => part), 'Uint8Array'],
    ['gives no rate', giving((part) => ({ ...part, sampleRate: 0 })), 'sampleRate'],
    ['gives no spans', giving(({ spans: _, ...part }) => part), 'spans'],
    ['gives spans of another turn', giving((part) => ({ ...part, spans: [{ ...part.spans[0], turn: 9 }] })), 'spans'],
    [
      'changes its rate',
      {
        ...fake,
        async *speak(...call: Parameters<Speaker['speak']>) {
          yield* fake.speak(...call);
          for await (const part of fake.speak(...call)) yield { ...part, sampleRate: part.sampleRate + 1 };
        },
      },
      'the same for a whole call',
    ],
    ['gives spans without times', giving((part) => withSpan(part, { startMs: Number.NaN })), 'startMs'],
    ['gives spans that run backwards', giving((part) => withSpan(part, { startMs: 9, endMs: 1 })), 'startMs'],
    ['gives spans of no text', giving((part) => withSpan(part, { start: 4, end: undefined })), 'start'],
    ['promises and fails', { ...fake, speak: () => Promise.reject(new Error('no route')) }, 'async iterable'],
    ['promises a price', { ...fake, price: () => Promise.reject(new Error('no route')) }, 'price'],
    ['has a price that is no number', { ...fake, price: () => Number.NaN }, 'NaN'],
    ['gives null for a part', giving(() => null), 'Uint8Array'],
    ['gives nothing', { ...fake, speak: () => undefined }, 'async iterable'],
  ])('that %s is named', async (_, speaker, what) => {
    await expect(hear(speaker)).rejects.toMatchObject({
      code: 'CONTRACT_BROKEN',
      message: expect.stringContaining(what),
      hint: expect.stringContaining('speakerContract'),
    });
  });

  it.each<[string, unknown]>([
    ['is null', null],
    ['has no id', { ...fake, id: '' }],
    ['has no limits', { ...fake, limits: undefined }],
    ['has no voice', { ...fake, voices: [] }],
    ['cannot speak', { ...fake, speak: undefined }],
  ])('that %s is refused', async (_, speaker) => {
    await expect(hear(speaker)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it.each<[string, unknown]>([
    [
      'says nothing',
      {
        ...fake,
        async *speak() {
          yield await new Promise<never>(() => {});
        },
      },
    ],
    [
      'stops in the middle',
      {
        ...fake,
        async *speak(...call: Parameters<Speaker['speak']>) {
          yield* fake.speak(...call);
          yield await new Promise<never>(() => {});
        },
      },
    ],
  ])('that %s is not waited for after the abort', async (_, speaker) => {
    const abort = new AbortController();
    const stopped = new Error('stopped');
    setTimeout(() => abort.abort(stopped), 50);
    await expect(hear(speaker, abort.signal)).rejects.toBe(stopped);
  });

  it('whose price throws has a code', async () => {
    const price = () => {
      throw new Error('no route');
    };
    await expect(hear({ ...fake, price })).rejects.toMatchObject({ code: 'SERVICE_FAILED' });
  });

  it('that throws has a code, and the reason', async () => {
    const cause = new Error('no route');
    const speaker = {
      ...fake,
      speak() {
        throw cause;
      },
    };
    await expect(hear(speaker)).rejects.toMatchObject({
      code: 'SERVICE_FAILED',
      message: 'the speaker "fake-voice" failed: no route',
      cause,
    });
  });
});
