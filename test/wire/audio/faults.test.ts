import { describe, expect, it } from 'vitest';
import { alignSamples } from '../../../src/wire/audio/index.ts';
import { loopback } from './loopback.ts';

const { stand, harness, audio } = await loopback();

const request = {
  voice_id: 'v_host',
  text: 'Ten words that are spoken and may be cut short.',
  output_format: 'pcm_16000',
};
const bytes = request.text.length * 60 * 32; // 60 ms per character, 32 bytes per ms

describe('a service that misbehaves', () => {
  it('is asked again after a refusal, and billed once', async () => {
    harness.script({ fault: { kind: 'status', status: 429, retryAfter: { ms: 1 } }, times: 2 });
    const before = stand.credits.used;
    expect(await audio.speech.create(request)).toMatchObject({ attempts: 3, credits: request.text.length });
    expect(stand.credits.used - before).toBe(request.text.length);
  });

  it('is not asked again when the request may have been billed', async () => {
    harness.script({ fault: { kind: 'reset' } });
    await expect(audio.speech.create(request)).rejects.toMatchObject({ code: 'CONNECTION_FAILED', attempts: 1 });
    expect(harness.requests.length).toBe(1);
    harness.clear();
    harness.script({ fault: { kind: 'reset' } });
    await audio.speech.create(request, { repeatUnanswered: true });
    expect(harness.requests.length).toBe(2);
  });

  it('is not asked again once sound has come, and its cut is told', async () => {
    harness.script({ fault: { kind: 'cut', afterBytes: 5_000 } });
    const stream = await audio.speech.stream(request);
    let heard = 0;
    await expect(
      (async () => {
        for await (const chunk of stream) heard += chunk.length;
      })(),
    ).rejects.toMatchObject({ code: 'STREAM_BROKEN' });
    expect(heard).toBeLessThanOrEqual(5_000);
    expect(harness.requests.length).toBe(1);
  });

  it.each([1, 3, 7, 4_096])('gives the same samples in pieces of %d bytes', async (size) => {
    const whole = await audio.speech.create(request);
    expect(whole.audio.length).toBe(bytes);
    harness.script({
      fault: size === 1 ? { kind: 'splitRandomly', max: 3_001, seed: 1 } : { kind: 'split', bytes: size * 101 },
    });
    const chunks = await Array.fromAsync(alignSamples(await audio.speech.stream(request)));
    expect(chunks.every(({ length }) => length % 2 === 0)).toBe(true);
    expect(Buffer.concat(chunks).equals(Buffer.from(whole.audio))).toBe(true);
  });

  it('may split lines anywhere, inside UTF-8 too', async () => {
    const german = { ...request, text: 'Fünf Zähler für Öl – gezählt.' };
    harness.script({ fault: { kind: 'splitRandomly', max: 997, seed: 3 } });
    const chunks = await Array.fromAsync(await audio.speech.streamWithTimestamps(german));
    expect(chunks.flatMap(({ alignment }) => alignment?.characters ?? []).join('')).toBe(german.text);
  });

  it('may answer with a web page, or with nothing', async () => {
    harness.script({ fault: { kind: 'html', status: 502 }, times: 9 });
    await expect(audio.voices.list(undefined, { maxRetries: 0 })).rejects.toMatchObject({
      code: 'SERVICE_FAILED',
      status: 502,
    });
    harness.clear();
    harness.script({ fault: { kind: 'empty', status: 200 } });
    await expect(audio.voices.list()).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
    harness.script({ fault: { kind: 'html', status: 200 } });
    await expect(audio.speech.create(request)).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
  });

  it('may leave the socket in the middle', async () => {
    const live = { voice_id: 'v_host', model_id: 'voice_flash_v2_5' };
    const text = [
      { text: 'A first sentence. ', flush: true },
      { text: 'And a second one. ', flush: true },
    ];
    harness.script({ fault: { kind: 'dropSocket', afterMessages: 1 } });
    await expect(Array.fromAsync(audio.speech.live(text, live))).rejects.toMatchObject({ code: 'STREAM_BROKEN' });
    harness.script({ fault: { kind: 'closeSocket', afterMessages: 1, code: 1011, reason: 'restart' } });
    await expect(Array.fromAsync(audio.speech.live(text, live))).rejects.toMatchObject({ code: 'STREAM_BROKEN' });
    harness.script({ fault: { kind: 'closeSocket', afterMessages: 1, code: 1000 } });
    await expect(Array.fromAsync(audio.speech.live(text, live))).rejects.toMatchObject({ code: 'STREAM_BROKEN' });
  });
});
