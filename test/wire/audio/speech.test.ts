import { describe, expect, it } from 'vitest';
import { infoOf } from '../../../src/wire/audio/context.ts';
import { audioProfiles, type SpeechRequest, toWav } from '../../../src/wire/audio/index.ts';
import { WireError } from '../../../src/wire/http/errors.ts';
import { type Answer, open, type Sent } from './fake.ts';

const sound: Answer = {
  headers: { 'request-id': 'r1', 'character-cost': '3', 'content-type': 'audio/mpeg' },
  chunks: [Uint8Array.from([1, 2]), Uint8Array.from([3])],
};
const request: SpeechRequest = { voice_id: 'v/1', text: 'Hi.' };

describe('what is sent', () => {
  it('has the formats in the query and nothing that was not asked for', async () => {
    const { service, sent } = open(() => sound);
    await service.speech.create({ ...request, output_format: 'pcm_16000', enable_logging: false, seed: 0 });
    expect(sent[0]!.call.query).toEqual({ output_format: 'pcm_16000', enable_logging: false });
    expect(JSON.parse(JSON.stringify(sent[0]!.call.json))).toEqual({
      text: 'Hi.',
      seed: 0,
      model_id: 'voice_multilingual_v2',
    });
    expect(sent[0]!.call.path).toEqual({ voice_id: 'v/1' });
  });

  it('has them in the body, and there only, by switch', async () => {
    const { service, sent } = open(() => sound, { profile: { placement: 'body' } });
    await service.speech.create({ ...request, output_format: 'pcm_16000', enable_logging: false });
    expect(sent[0]!.call.query).toEqual({});
    expect(sent[0]!.call.json).toMatchObject({ output_format: 'pcm_16000', enable_logging: false });
  });

  it('has the public names in the public profile', async () => {
    const { service, sent, warnings } = open(() => sound, { profile: 'public' });
    await service.speech.create({ ...request, model_id: 'voice_turbo_v2_5' });
    await service.speech.create({ ...request, model_id: 'eleven_multilingual_v2', language_code: 'de' });
    expect(sent.map(({ call }) => (call.json as { model_id: string }).model_id)).toEqual([
      'eleven_turbo_v2_5',
      'eleven_multilingual_v2',
    ]);
    expect((sent[1]!.call.json as { language_code?: string }).language_code).toBeUndefined();
    expect(warnings.map(({ code }) => code)).toEqual(['MODEL_DEPRECATED', 'LANGUAGE_DROPPED']);
  });

  it('has a stability the model takes', async () => {
    const { service, sent, warnings } = open(() => sound);
    await service.speech.create({ ...request, model_id: 'voice_v3', voice_settings: { stability: 0.7 } });
    expect(sent[0]!.call.json).toMatchObject({ voice_settings: { stability: 0.5 } });
    expect(warnings[0]!.code).toBe('STABILITY_SNAPPED');
    const strict = open(() => sound, { profile: { stabilityBetweenSteps: 'refuse' } });
    await expect(
      strict.service.speech.create({ ...request, model_id: 'voice_v3', voice_settings: { stability: 0.7 } }),
    ).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('a dialogue in the third generation', () => {
  it('takes 5,000 characters in the reference profile, and 2,000 in the public one', async () => {
    const say = (profile: 'reference' | 'public', length: number): Promise<unknown> =>
      open(() => sound, { profile }).service.dialogue.create({ inputs: [{ text: 'x'.repeat(length), voice_id: 'v' }] });
    await say('reference', 5_000);
    await say('public', 2_000);
    await expect(say('reference', 5_001)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(say('public', 2_001)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('what is refused before sending', () => {
  const cases: readonly (readonly [name: string, request: Partial<SpeechRequest>, field: string])[] = [
    ['empty text', { text: ' ' }, 'text'],
    ['no text', { text: undefined as never }, 'text'], // as a caller without types may
    ['no voice', { voice_id: '' }, 'voice_id'],
    ['too long a text', { text: 'x'.repeat(5_001), model_id: 'voice_v3' }, 'text'],
    ['an unknown model', { model_id: 'voice_v9' }, 'model_id'],
    ['a model that listens', { model_id: 'scribe_v2' }, 'model_id'],
    ['ids without logging', { next_request_ids: ['a'], enable_logging: false }, 'next_request_ids'],
    ['stability above 1', { voice_settings: { stability: 1.01 } }, 'voice_settings.stability'],
    ['speed out of range', { voice_settings: { speed: 0 } }, 'voice_settings.speed'],
    ['an unknown format', { output_format: 'flac' }, 'output_format'],
    ['a language that is none', { language_code: 'English' }, 'language_code'],
  ];
  it.each(cases)('%s', async (_, fields, field) => {
    const { service, sent } = open(() => sound);
    const error: unknown = await service.speech.create({ ...request, ...fields }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect((error as Error).message.startsWith(`${field}: `) || (error as Error).message.startsWith(`${field}[`)).toBe(
      true,
    );
    expect(sent).toEqual([]);
  });

  it('but not a text of 5,000 astral characters, nor an unknown model that is let through', async () => {
    const { service } = open(() => sound);
    await service.speech.create({ ...request, text: '😀'.repeat(5_000), model_id: 'voice_v3' });
    const lenient = open(() => sound, { profile: { unknownModels: 'send' } });
    await lenient.service.speech.create({ ...request, model_id: 'voice_v9' });
  });

  it('a format above the plan, unless stepping down is wished', async () => {
    const { service } = open(() => sound, { plan: 'starter' });
    await expect(service.speech.create({ ...request, output_format: 'pcm_44100' })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    const lower = open(() => sound, { plan: 'starter', stepDown: true });
    const result = await lower.service.speech.create({ ...request, output_format: 'pcm_44100' });
    expect(result).toMatchObject({ format: 'mp3_44100_128', mediaType: 'audio/mpeg' });
    expect(lower.sent[0]!.call.query).toMatchObject({ output_format: 'mp3_44100_128' });
  });
});

describe('what comes back', () => {
  it('is the sound with its id and its credits', async () => {
    const { service } = open(() => sound);
    const result = await service.speech.create({ ...request, output_format: 'pcm_16000' });
    expect(result).toMatchObject({
      requestId: 'r1',
      credits: 3,
      mediaType: 'audio/pcm',
      cost: { credits: 3, source: 'service' },
    });
    expect([...result.audio]).toEqual([1, 2, 3]);
  });

  it('has no id to go on from where only the trace has one', () => {
    const headers = { 'x-trace-id': 'trace_1' };
    const reply = { status: 200, headers, requestId: 'trace_1', attempts: 1, elapsedMs: 1 }; // as the transport reads it
    expect(infoOf(audioProfiles.reference, reply).requestId).toBeUndefined();
  });

  it.each([
    ['nothing', { chunks: [] }],
    ['JSON by its type', { headers: { 'content-type': 'application/json' }, chunks: [Buffer.from('{}')] }],
    [
      'JSON under another type',
      { headers: { 'content-type': 'audio/mpeg' }, chunks: [Buffer.from('{"detail":{"status":"x"}}')] },
    ],
  ])('is refused when a 200 holds %s', async (_, answer) => {
    const { service } = open(() => answer);
    await expect(service.speech.create(request)).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
    const stream = await service.speech.stream(request);
    await expect(Array.fromAsync(stream)).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
  });

  it('is asked for again in the default format when the service refuses the format', async () => {
    const refusal = new WireError('PERMISSION_DENIED', 'HTTP 403', {
      body: '{"detail":{"code":"output_format_not_allowed"}}',
    });
    const answer = (sent: Sent): Answer =>
      sent.call.query?.output_format === 'pcm_44100' ? { error: refusal } : sound;
    await expect(open(answer).service.speech.create({ ...request, output_format: 'pcm_44100' })).rejects.toBe(refusal);
    const lower = open(answer, { stepDown: true });
    expect((await lower.service.speech.create({ ...request, output_format: 'pcm_44100' })).format).toBe(
      'mp3_44100_128',
    );
    expect(lower.sent.length).toBe(2);
    const music = open(answer, { stepDown: true });
    const song = await music.service.music.create({ prompt: 'Calm piano', output_format: 'pcm_44100' });
    expect([song.format, music.sent.length]).toEqual(['mp3_44100_128', 2]);
    // The recording of a form may be a stream that was read.
    const form = open(answer, { stepDown: true });
    const change = { voice_id: 'v', audio: new Uint8Array(1), output_format: 'pcm_44100' };
    await expect(form.service.voiceChanger.create(change)).rejects.toBe(refusal);
    expect(form.sent.length).toBe(1);
  });

  it('warns when the sound is far too short', async () => {
    const { service, warnings } = open(() => ({ chunks: [new Uint8Array(48_000)] }));
    await service.speech.create({ ...request, text: 'word '.repeat(100), output_format: 'pcm_24000' }); // 500 characters in 1 s
    expect(warnings.map(({ code }) => code)).toEqual(['AUDIO_SHORT']);
  });

  it('warns of an early end in all forms: streams, samples cut in two, files shorter than they say', async () => {
    const short = open(() => ({ chunks: [new Uint8Array(48_000)] }));
    const long = { ...request, text: 'word '.repeat(100), output_format: 'pcm_24000' };
    for await (const _ of await short.service.speech.stream(long));
    const turns = { inputs: [{ text: long.text, voice_id: 'v' }], output_format: 'pcm_24000' };
    await short.service.dialogue.create(turns);
    const timed = open(() => ({ body: { audio_base64: Buffer.alloc(48_000).toString('base64') } }));
    await timed.service.speech.withTimestamps(long);
    await timed.service.dialogue.withTimestamps(turns);
    const piece = JSON.stringify({ audio_base64: Buffer.alloc(24_000).toString('base64') });
    const timedStream = open(() => ({ lines: [piece, piece] }));
    for await (const _ of await timedStream.service.speech.streamWithTimestamps(long));
    for await (const _ of await timedStream.service.dialogue.streamWithTimestamps(turns));
    const odd = open(() => ({ chunks: [new Uint8Array(5)] }));
    await odd.service.speech.create({ ...request, output_format: 'pcm_24000' });
    const cut = open(() => ({ chunks: [toWav(new Uint8Array(100), 'pcm_24000').subarray(0, 90)] }));
    await cut.service.speech.create({ ...request, output_format: 'wav_24000' });
    const all = [short, timed, timedStream, odd, cut].flatMap(({ warnings }) => warnings.map(({ code }) => code));
    expect(all).toEqual(new Array(8).fill('AUDIO_SHORT'));
    const whole = open(() => ({ chunks: [toWav(new Uint8Array(100), 'pcm_24000')] }));
    await whole.service.speech.create({ ...request, output_format: 'wav_24000' });
    expect(whole.warnings).toEqual([]);
  });
});

describe('streams with times', () => {
  const line = (start: number): string =>
    JSON.stringify({
      audio_base64: Buffer.alloc(32_000).toString('base64'), // 1 s of pcm_16000
      alignment: {
        characters: ['a'],
        character_start_times_seconds: [start],
        character_end_times_seconds: [start + 0.9],
      },
      normalized_alignment: null,
    });

  it.each([
    ['lines', (text: string) => [text]],
    ['lines with data: before them', (text: string) => ['event: audio', `data: ${text}`, ': ping']],
  ])('are read from %s, on one clock', async (_, wrap) => {
    const { service } = open(() => ({ lines: [line(0), line(0)].flatMap(wrap) }));
    const stream = await service.speech.streamWithTimestamps({ ...request, output_format: 'pcm_16000' });
    const chunks = await Array.fromAsync(stream);
    expect(chunks.map(({ alignment }) => alignment?.character_start_times_seconds[0])).toEqual([0, 1]);
  });

  it('throw the error that stands in them', async () => {
    const { service } = open(() => ({ lines: [line(0), '{"detail":{"status":"system_busy","message":"later"}}'] }));
    const stream = await service.speech.streamWithTimestamps(request);
    await expect(Array.fromAsync(stream)).rejects.toMatchObject({ code: 'OVERLOADED' });
  });

  it('refuse damage', async () => {
    const bad = [
      '{"audio_base64":"!!!"}',
      '{"audio_base64":"AA==","alignment":{"characters":["a"],"character_start_times_seconds":[],"character_end_times_seconds":[]}}',
      '{',
      '',
    ];
    for (const text of bad) {
      const { service } = open(() => ({ lines: [text] }));
      const stream = await service.speech.streamWithTimestamps(request);
      await expect(Array.fromAsync(stream)).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
    }
  });
});
