import { describe, expect, it } from 'vitest';
import { Meter } from '../../../src/core/meter.ts';
import type { SoundPart, Speaker } from '../../../src/speak/contract.ts';
import { speakTurns } from '../../../src/speak/speech.ts';
import { fakeSpeaker } from '../../../src/testing.ts';

const fake = fakeSpeaker();

const hear = async (speaker: unknown): Promise<SoundPart[]> =>
  await Array.fromAsync(speakTurns(speaker as Speaker, [{ text: 'The ferry leaves.' }], { meter: new Meter() }));

/** The fake, each part as `change` gives it. */
const giving = (change: (part: SoundPart) => unknown) => ({
  ...fake,
  async *speak(...call: Parameters<Speaker['speak']>) {
    for await (const part of fake.speak(...call)) yield change(part);
  },
});

/** A copy of the bytes, in a buffer of their own. */
const bufferOf = ({ audio }: SoundPart): ArrayBuffer => new Uint8Array(audio).buffer;

describe('a speaker of the caller', () => {
  it.each<[string, unknown, string]>([
    ['gives a buffer', giving((part) => ({ ...part, audio: bufferOf(part) })), 'Uint8Array'],
    ['gives samples', giving((part) => ({ ...part, audio: new Int16Array(bufferOf(part)) })), 'Uint8Array'],
    ['gives half a sample', giving((part) => ({ ...part, audio: part.audio.subarray(1) })), 'between two samples'],
    ['gives no sound', giving(({ audio: _, ...part }) => part), 'Uint8Array'],
    ['gives no rate', giving((part) => ({ ...part, sampleRate: 0 })), 'sampleRate'],
    ['gives no spans', giving(({ spans: _, ...part }) => part), 'spans'],
    ['gives spans of another turn', giving((part) => ({ ...part, spans: [{ ...part.spans[0], turn: 9 }] })), 'spans'],
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
    ['cannot speak', { ...fake, speak: undefined }],
  ])('that %s is refused', async (_, speaker) => {
    await expect(hear(speaker)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
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
