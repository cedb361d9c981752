import { describe, expect, it } from 'vitest';
import { longDialogue } from '../../../../src/services/audio/long-dialogue.ts';
import { longSpeech } from '../../../../src/services/audio/long-speech.ts';
import { memorySegments } from '../../../../src/services/audio/segment-store.ts';
import { readWav, type SpeechRequest } from '../../../../src/wire/audio/index.ts';
import { WireError } from '../../../../src/wire/http/errors.ts';
import { type Answer, open, type Sent } from '../../../wire/audio/fake.ts';

describe('long texts', () => {
  const text = Array.from(
    { length: 8 },
    (_, i) => `Sentence number ${i} is spoken here, and it is about this long in all.`,
  ).join(' ');
  /** One sample per character of the text, with the segment's number in it. */
  const speak = ({ call }: Sent, index: number): Answer => ({
    headers: { 'request-id': `r${index}`, 'character-cost': String((call.json as SpeechRequest).text.length) },
    chunks: [new Uint8Array((call.json as SpeechRequest).text.length * 2).fill(index + 1)],
  });
  const bodies = (sent: readonly Sent[]): SpeechRequest[] => sent.map(({ call }) => call.json as SpeechRequest);
  const options = { maxCharacters: 150 };

  it('are spoken in order, each told of the three before it', async () => {
    const { service, sent } = open(speak);
    const result = await longSpeech(service, { voice_id: 'v', text }, options);
    const asked = bodies(sent);
    expect(asked.map(({ previous_request_ids }) => previous_request_ids)).toEqual([
      undefined,
      ['r0'],
      ['r0', 'r1'],
      ['r0', 'r1', 'r2'],
    ]);
    expect(asked.map((body) => body.text).join(' ')).toBe(text);
    expect(asked[0]!.next_text).toBe(asked[1]!.text);
    expect(asked.at(-1)!.next_text).toBeUndefined();
    const wav = readWav(result.audio);
    const samples = asked.reduce((sum, body) => sum + body.text.length, 0);
    expect(wav).toMatchObject({ sampleRate: 24_000, channels: 1 });
    expect(wav.data.length).toBe(samples * 2);
    expect(result.seconds).toBe(samples / 24_000);
    expect(result.credits).toBe(samples);
  });

  it('have exactly the silence asked for between segments', async () => {
    const { service, sent } = open(speak);
    const result = await longSpeech(
      service,
      { voice_id: 'v', text, output_format: 'pcm_8000' },
      { ...options, silenceMs: 500, wav: false },
    );
    const samples = bodies(sent).reduce((sum, body) => sum + body.text.length, 0);
    expect(result.audio.length).toBe((samples + 3 * 4_000) * 2);
    const first = bodies(sent)[0]!.text.length * 2;
    expect(result.audio.subarray(first, first + 8_000).every((byte) => byte === 0)).toBe(true);
    expect(result.audio[first + 8_000]).toBe(2);
  });

  it('know their neighbours in the third generation as the reference says, where the public service refuses it', async () => {
    const told = async (profile: 'reference' | 'public'): Promise<boolean> => {
      const third = open(speak, { profile });
      await longSpeech(third.service, { voice_id: 'v', text, model_id: 'voice_v3' }, options);
      return bodies(third.sent).some((body) => body.previous_text ?? body.next_text ?? body.previous_request_ids);
    };
    expect([await told('reference'), await told('public')]).toEqual([true, false]);
  });

  it('have texts as neighbours where nothing is kept', async () => {
    const unlogged = open(speak);
    await longSpeech(unlogged.service, { voice_id: 'v', text, enable_logging: false }, options);
    expect(bodies(unlogged.sent)[1]!.previous_text).toBe(bodies(unlogged.sent)[0]!.text);
    expect(bodies(unlogged.sent).every((body) => body.previous_request_ids === undefined)).toBe(true);
  });

  it('pay once for equal segments that are under way at the same time', async () => {
    const same = `${'The same words are said again, word for word and with the same length every time. '.repeat(2)}`;
    const store = memorySegments();
    const { service, sent } = open(async (call, index) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return index === 0 ? { error: new WireError('RATE_LIMITED', 'HTTP 429') } : speak(call, index);
    });
    const request = { voice_id: 'v', text: same.repeat(4).trim(), enable_logging: false };
    const run = (concurrency: number) => longSpeech(service, request, { ...options, store, concurrency });
    // the first take fails: who waits for it makes the segment, and the others have it from there
    await expect(run(4)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    const { segments, credits } = await run(4);
    const texts = new Set(segments.map(({ text: said }) => said));
    expect(segments.length).toBeGreaterThan(texts.size);
    expect(sent.length - 1).toBe(texts.size);
    expect(credits).toBe(0);
    const script = Array.from({ length: 4 }, () => ({ voice_id: 'v', text: same.trim() }));
    const spoken = open(async (call) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      const { inputs } = call.call.json as { inputs: readonly { text: string }[] };
      return { chunks: [new Uint8Array(inputs.length * 200)], headers: { 'character-cost': '7' } };
    });
    const made = await longDialogue(spoken.service, { inputs: script }, { maxCharacters: 170, store, concurrency: 4 });
    expect([made.parts, spoken.sent.length, made.credits]).toEqual([4, 1, 7]);
  });

  it('pay for no segment twice after a run that was stopped', async () => {
    const store = memorySegments();
    const stopped = open((sent, index) =>
      index === 2 ? { error: new WireError('RATE_LIMITED', 'HTTP 429') } : speak(sent, index),
    );
    await expect(longSpeech(stopped.service, { voice_id: 'v', text }, { ...options, store })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    const again = open((sent, index) => speak(sent, index + 2));
    const result = await longSpeech(again.service, { voice_id: 'v', text }, { ...options, store });
    expect(again.sent.length).toBe(2);
    expect(bodies(again.sent)[0]!.previous_request_ids).toEqual(['r0', 'r1']);
    expect(result.segments.map(({ fromStore, credits }) => [fromStore, credits === 0])).toEqual([
      [true, true],
      [true, true],
      [false, false],
      [false, false],
    ]);
    const whole = await longSpeech(open(speak).service, { voice_id: 'v', text }, options);
    expect(result.audio).toEqual(whole.audio);
    const other = open(speak);
    await longSpeech(other.service, { voice_id: 'v', text, seed: 1 }, { ...options, store });
    expect(other.sent.length).toBe(4);
  });

  it('keep what was being made, and is billed, when another request fails', async () => {
    /** The first request fails while the second one is under way. */
    const failing = async (sent: Sent, index: number): Promise<Answer> => {
      if (index === 0) return { error: new WireError('RATE_LIMITED', 'HTTP 429') };
      await new Promise((resolve) => setTimeout(resolve, 20));
      sent.call.options?.signal?.throwIfAborted();
      return { chunks: [new Uint8Array(4_800)] };
    };
    const store = memorySegments();
    const said = open(failing);
    const texts = { ...options, continuity: 'text', store } as const;
    await expect(longSpeech(said.service, { voice_id: 'v', text }, texts)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    expect([said.sent.length, store.size]).toEqual([2, 1]);
    const inputs = text.split('. ').map((line) => ({ text: line, voice_id: 'v' }));
    const talk = open(failing);
    await expect(longDialogue(talk.service, { inputs }, { maxCharacters: 150, store })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    expect([talk.sent.length, store.size]).toEqual([2, 2]);
  });

  it('do not use ids that the service has forgotten', async () => {
    const store = memorySegments();
    const first = open((sent, index) =>
      index === 1 ? { error: new WireError('BILLING', 'HTTP 402') } : speak(sent, index),
    );
    await longSpeech(first.service, { voice_id: 'v', text }, { ...options, store, now: () => 0 }).catch(() => {});
    const later = open(speak);
    await longSpeech(later.service, { voice_id: 'v', text }, { ...options, store, now: () => 2 * 3_600_000 + 1 });
    expect(bodies(later.sent)[0]).toMatchObject({ previous_text: expect.any(String) });
    expect(bodies(later.sent)[0]!.previous_request_ids).toBeUndefined();
  });

  it('have times from measured sound, not from the last alignment', async () => {
    const { service } = open(({ call }) => {
      const said = (call.json as SpeechRequest).text;
      const times = Array.from(said, (_, i) => i / 1_000); // far shorter than the sound
      return {
        body: {
          audio_base64: Buffer.alloc(48_000).toString('base64'),
          alignment: {
            characters: [...said],
            character_start_times_seconds: times,
            character_end_times_seconds: times,
          },
          normalized_alignment: null,
        },
      };
    });
    const result = await longSpeech(service, { voice_id: 'v', text }, { ...options, timestamps: true, silenceMs: 250 });
    const starts = result.segments.map(({ startSeconds }) => startSeconds);
    expect(starts).toEqual([0, 1.25, 2.5, 3.75]);
    const second = result.segments[0]!.text.length;
    expect(result.alignment!.character_start_times_seconds[second]).toBe(1.25);
    expect(result.credits).toBeUndefined();
  });

  it('do not join mp3 by default', async () => {
    const { service, sent } = open(speak);
    await expect(longSpeech(service, { voice_id: 'v', text, output_format: 'mp3_44100_128' }, options)).rejects.toThrow(
      'do not join',
    );
    expect(sent).toEqual([]);
  });

  it('ask again for a segment that ends early, as often as allowed', async () => {
    const { service, sent } = open((_, index) =>
      index === 0 ? { chunks: [new Uint8Array(2)] } : { chunks: [new Uint8Array(480_000)] },
    );
    await longSpeech(service, { voice_id: 'v', text }, { ...options, retakes: 1 });
    expect(bodies(sent)[0]!.text).toBe(bodies(sent)[1]!.text);
    expect(sent.length).toBe(5);
  });

  it('keep the longest of the takes that end early', async () => {
    const lengths = [600, 2];
    const { service, sent } = open((_, index) => ({ chunks: [new Uint8Array(lengths[index] ?? 480_000)] }));
    const result = await longSpeech(service, { voice_id: 'v', text }, { ...options, retakes: 1 });
    expect(sent.length).toBe(5);
    expect(result.segments[0]!.seconds).toBe(300 / 24_000);
  });

  it('counts the credits of takes that were thrown away', async () => {
    const { service, sent } = open((_, index) => ({
      headers: { 'character-cost': String(10 ** index) },
      chunks: [new Uint8Array(index === 0 ? 2 : 480_000)],
    }));
    const spoken = await longSpeech(service, { voice_id: 'v', text }, { ...options, concurrency: 1, retakes: 1 });
    expect(sent.length).toBe(5);
    expect(spoken.credits).toBe(11_111); // 1 + 10 + 100 + 1,000 + 10,000
    expect(spoken.segments[0]!.credits).toBe(11);
  });
});

describe('a long dialogue', () => {
  it('is sent in whole turns and placed by measured sound', async () => {
    const { service, sent } = open(({ call }) => {
      const asked = (call.json as { inputs: { text: string; voice_id: string }[] }).inputs;
      return {
        headers: { 'character-cost': '5' },
        body: {
          audio_base64: Buffer.alloc(48_000 * asked.length).toString('base64'),
          alignment: null,
          normalized_alignment: null,
          voice_segments: asked.map(({ voice_id }, i) => ({
            voice_id,
            start_time_seconds: i,
            end_time_seconds: i + 1,
            character_start_index: 0,
            character_end_index: 1,
            dialogue_input_index: i,
          })),
        },
      };
    });
    const script = Array.from({ length: 5 }, (_, i) => ({
      text: `Turn ${i} ${'x'.repeat(90)}`,
      voice_id: i % 2 ? 'b' : 'a',
    }));
    const result = await longDialogue(
      service,
      { inputs: script },
      { timestamps: true, maxCharacters: 200, silenceMs: 500 },
    );
    expect(sent.map(({ call }) => (call.json as { inputs: unknown[] }).inputs.length)).toEqual([2, 2, 1]);
    expect(
      result.voice_segments.map(({ start_time_seconds, dialogue_input_index }) => [
        start_time_seconds,
        dialogue_input_index,
      ]),
    ).toEqual([
      [0, 0],
      [1, 1],
      [2.5, 2],
      [3.5, 3],
      [5, 4],
    ]);
    expect(result).toMatchObject({ parts: 3, credits: 15, seconds: 6 });
  });
});
