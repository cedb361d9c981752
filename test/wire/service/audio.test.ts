import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type AudioServiceOptions, audioService } from './audio/audio-service.ts';
import { synthesise, wavFile } from './audio/formats.ts';
import { type Harness, serve } from './harness.ts';
import type { Fields } from './shape.ts';

let harness: Harness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

async function start(options: AudioServiceOptions = {}) {
  const service = audioService(options);
  const running = await serve([service]);
  harness = running;
  const send = async (
    path: string,
    body: Fields | FormData,
    headers: Record<string, string> = { 'x-audio-api-key': 'test-audio-key' },
  ) => {
    const form = body instanceof FormData;
    const response = await fetch(`${running.url}${path}`, {
      method: 'POST',
      headers: form ? headers : { 'content-type': 'application/json', ...headers },
      body: form ? body : JSON.stringify(body),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.toString('utf8');
    const detail = text.startsWith('{"detail"') ? (JSON.parse(text) as { detail: unknown }).detail : undefined;
    return { status: response.status, headers: response.headers, bytes, text, detail };
  };
  return { service, send, harness: running };
}

const speech = '/v1/text-to-speech/v_narrator';
const said = 'Twelve recordings.';

function format(codec: 'mp3' | 'pcm' | 'wav' | 'ulaw' | 'alaw' | 'opus', sampleRate: number, kbps?: number) {
  return { id: codec, codec, sampleRate, kbps };
}

describe('the sound of the stand-in', () => {
  it('is a WAV file whose header tells its length', () => {
    const wav = Buffer.from(synthesise(format('wav', 16_000), 0.5, 100));
    expect([wav.toString('latin1', 0, 4), wav.toString('latin1', 8, 15)]).toEqual(['RIFF', 'WAVEfmt']);
    expect([wav.readUInt32LE(4), wav.readUInt32LE(24), wav.readUInt32LE(40)]).toEqual([wav.length - 8, 16_000, 16_000]);
  });

  it('is a train of MP3 frames of the length their header says', () => {
    // 144 × bit rate / sample rate bytes a frame at 44.1 kHz, 72 × at 22.05 kHz; half a second of 1,152 or 576 samples
    // each.
    const high = Buffer.from(synthesise(format('mp3', 44_100, 128), 0.5, 100));
    const low = Buffer.from(synthesise(format('mp3', 22_050, 32), 0.5, 100));
    expect(high.length).toBe(Math.floor((144 * 128_000) / 44_100) * Math.ceil(22_050 / 1152));
    expect(low.length).toBe(Math.floor((72 * 32_000) / 22_050) * Math.ceil(11_025 / 576));
    expect([high.readUInt32BE(0), high.readUInt32BE(417)]).toEqual([0xfffb90c0, 0xfffb90c0]);
    expect(low.readUInt16BE(0)).toBe(0xfff3);
  });

  it('is G.711, which turns back into about the same samples', () => {
    const pcm = Buffer.from(synthesise(format('pcm', 8000), 0.1, 200));
    const coded = synthesise(format('ulaw', 8000), 0.1, 200);
    expect(coded.length).toBe(800);
    coded.forEach((byte, at) => {
      // ITU-T G.711: invert, then sign, 3 bits of exponent, 4 of mantissa.
      const bits = ~byte & 0xff;
      const magnitude = ((((bits & 0x0f) << 3) + 132) << ((bits >> 4) & 7)) - 132;
      const sample = bits & 0x80 ? -magnitude : magnitude;
      expect(Math.abs(sample - pcm.readInt16LE(at * 2))).toBeLessThan(Math.abs(sample) * 0.05 + 16);
    });
  });
});

describe('the stand-in speech operations', () => {
  it.each<[string, string, number, string | undefined]>([
    ['free', 'mp3_44100_128', 200, undefined],
    ['free', 'mp3_44100_192', 403, 'output_format_not_allowed'],
    ['creator', 'mp3_44100_192', 200, undefined],
    ['creator', 'pcm_44100', 403, 'output_format_not_allowed'],
    ['pro', 'pcm_44100', 200, undefined],
    ['free', 'ulaw_8000', 403, 'output_format_not_allowed'],
    ['starter', 'opus_48000_64', 200, undefined],
    ['pro', 'flac_44100', 400, 'invalid_output_format'],
  ])('on the %s plan %s is %i', async (plan, wanted, status, code) => {
    const { send } = await start({ plan: plan as 'free' });
    const answer = await send(`${speech}?output_format=${wanted}`, { text: said });
    expect([answer.status, (answer.detail as Fields | undefined)?.code]).toEqual([status, code]);
  });

  it.each<[string, string, Fields, number, string]>([
    ['an empty text', speech, { text: ' ' }, 400, 'empty_text'],
    ['a long text', speech, { text: 'a'.repeat(10_001) }, 400, 'text_too_long'],
    ['a long text for v3', speech, { text: 'a'.repeat(5_001), model_id: 'voice_v3' }, 400, 'text_too_long'],
    ['an unknown model', speech, { text: said, model_id: 'voice_v9' }, 400, 'unsupported_model'],
    ['an unknown voice', '/v1/text-to-speech/nobody', { text: said }, 404, 'voice_not_found'],
    [
      'stability between the steps of v3',
      speech,
      { text: said, model_id: 'voice_v3', voice_settings: { stability: 0.4 } },
      400,
      'invalid_voice_settings',
    ],
    ['an unknown id', speech, { text: said, next_request_ids: ['request_99'] }, 400, 'invalid_parameters'],
    ['streamed WAV', `${speech}/stream?output_format=wav_16000`, { text: said }, 400, 'invalid_output_format'],
    ['no logging', `${speech}?enable_logging=false`, { text: said }, 403, 'feature_not_available'],
    [
      'an unknown dictionary',
      speech,
      { text: said, pronunciation_dictionary_locators: [{ pronunciation_dictionary_id: 'd' }] },
      404,
      'not_found',
    ],
    [
      'dialogue by another model',
      '/v1/text-to-dialogue',
      { inputs: [{ text: said, voice_id: 'v_host' }], model_id: 'voice_flash_v2_5' },
      400,
      'unsupported_model',
    ],
    [
      'long dialogue',
      '/v1/text-to-dialogue',
      { inputs: [{ text: 'a'.repeat(5_001), voice_id: 'v_host' }] },
      400,
      'text_too_long',
    ],
  ])('refuses %s and takes no credits', async (_, path, body, status, code) => {
    const { send, service } = await start();
    const answer = await send(path, body);
    expect([answer.status, (answer.detail as Fields).code]).toEqual([status, code]);
    expect(service.credits.used).toBe(0);
  });

  it.each<[string, Fields, (string | number)[]]>([
    ['a fourth id', { previous_request_ids: ['a', 'b', 'c', 'd'] }, ['body', 'previous_request_ids']],
    ['stability out of range', { voice_settings: { stability: 1.5 } }, ['body', 'voice_settings', 'stability']],
    ['an unknown setting', { voice_settings: { pitch: 1 } }, ['body', 'voice_settings', 'pitch']],
    ['null', { language_code: null }, ['body', 'language_code']],
    ['a format in the body', { output_format: 'mp3_44100_128' }, ['body', 'output_format']],
  ])('finds %s before it looks at the key', async (_, change, loc) => {
    const { send } = await start();
    const answer = await send(speech, { text: said, ...change }, {});
    expect([answer.status, (answer.detail as Fields[])[0]?.loc]).toEqual([422, loc]);
  });

  it('wants the settings in the body when it is told so', async () => {
    const { send } = await start({ formatPlacement: 'body' });
    expect((await send(speech, { text: said, output_format: 'pcm_8000' })).bytes.length).toBe(said.length * 480 * 2);
    expect((await send(`${speech}?output_format=pcm_8000`, { text: said })).status).toBe(422);
  });

  it('forgets ids after two hours, and before a stream was read', async () => {
    let now = 1_790_000_000_000;
    const { send, service } = await start({ now: () => now });
    const first = await send(speech, { text: said });
    const body = { text: said, previous_request_ids: [String(first.headers.get('request-id'))] };
    now += 2 * 3_600_000;
    expect((await send(speech, body)).status).toBe(200);
    now += 1;
    expect((await send(speech, body)).status).toBe(400);
    const streamed = await send(`${speech}/stream`, { text: said });
    const id = String(streamed.headers.get('request-id'));
    expect(service.generations.get(id)?.complete).toBe(true);
    service.generations.get(id)!.complete = false;
    expect((await send(speech, { text: said, previous_request_ids: [id] })).status).toBe(400);
  });

  it('runs out of credits as 401 or 402, and out of slots as 429', async () => {
    const { send, service } = await start({ credits: 20, plan: 'free', script: { holdMs: 50 } });
    const three = await Promise.all([1, 2, 3].map(() => send(speech, { text: 'abc' })));
    expect(three.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
    const heavy = { text: 'a'.repeat(15) };
    expect(await send(speech, heavy)).toMatchObject({ status: 401, detail: { status: 'quota_exceeded' } });
    service.script.quotaStatus = 402;
    expect(await send(speech, heavy)).toMatchObject({ status: 402, detail: { code: 'insufficient_credits' } });
    expect(service.credits.used).toBe(6);
  });

  it('streams lines with and without data, with times that go on or begin again', async () => {
    const { send, service } = await start();
    const body = { text: said.repeat(8) };
    const starts = async () => {
      const { text } = await send(`${speech}/stream/with-timestamps`, body);
      const lines = text.split('\n').filter((line) => line !== '');
      return lines.map((line) => {
        const parsed = JSON.parse(line.replace(/^data: /, '')) as {
          alignment: { character_start_times_seconds: number[] };
        };
        return { raw: line, first: parsed.alignment.character_start_times_seconds[0] };
      });
    };
    const plain = await starts();
    expect(plain.length).toBeGreaterThan(2);
    expect(plain[1]?.first).toBeGreaterThan(0);
    service.script.speech = { dataPrefix: true, restartTimes: true };
    const prefixed = await starts();
    expect(prefixed.every(({ raw, first }) => raw.startsWith('data: {') && first === 0)).toBe(true);
  });

  it('freezes dialogue times by script', async () => {
    const { send } = await start({ script: { speech: { freezeAfterSeconds: 2 } } });
    const inputs = [said.repeat(2), said].map((text, at) => ({ text, voice_id: at === 0 ? 'v_host' : 'v_guest' }));
    const { text } = await send('/v1/text-to-dialogue/with-timestamps', { inputs });
    const segments = (JSON.parse(text) as { voice_segments: Fields[] }).voice_segments;
    expect([segments[1]?.start_time_seconds, segments[1]?.end_time_seconds]).toEqual([2, 2]);
  });
});

describe('the stand-in transcription', () => {
  const recording = (seconds: number, channels = 1, level = 100) => {
    const samples = Int16Array.from({ length: 16_000 * seconds * channels }, () => level);
    return new Blob([Buffer.from(wavFile(samples, 16_000, channels))], { type: 'audio/wav' });
  };
  const form = (parts: readonly (readonly [string, string])[], audio: Blob | undefined = recording(5)): FormData => {
    const data = new FormData();
    data.append('model_id', 'scribe_v2');
    if (audio !== undefined) data.append('file', audio, 'talk.wav');
    for (const [name, value] of parts) data.append(name, value);
    return data;
  };
  const path = '/v1/speech-to-text';

  it.each<[string, [string, string][], number]>([
    ['a literal null', [['language_code', 'null']], 422],
    ['an unknown part', [['modelId', 'x']], 422],
    [
      'a part twice',
      [
        ['diarize', 'true'],
        ['diarize', 'true'],
      ],
      422,
    ],
    ['a boolean in capitals', [['diarize', 'True']], 422],
    ['formats as several parts', [['additional_formats', '{"format":"srt"}']], 422],
    ['key terms as one JSON part', [['keyterms', '["index","recording"]']], 400],
    ['a long key term', [['keyterms', 'a'.repeat(50)]], 400],
    ['a threshold without diarising', [['diarization_threshold', '0.2']], 400],
    [
      'channels and speakers',
      [
        ['use_multi_channel', 'true'],
        ['diarize', 'true'],
      ],
      400,
    ],
    ['two sources', [['source_url', 'https://example.org/a.mp3']], 400],
    ['33 speakers', [['num_speakers', '33']], 422],
  ])('refuses %s', async (_, parts, status) => {
    const { send } = await start();
    expect((await send(path, form(parts))).status).toBe(status);
  });

  it('hears nothing in silence, and misbehaves by script', async () => {
    const { send, service } = await start();
    const words = async (audio?: Blob) => {
      const { text } = await send(path, form([], audio));
      return (JSON.parse(text) as { words: { text: string; start: number | null; end: number; type: string }[] }).words;
    };
    expect(await words(recording(5, 1, 0))).toEqual([]);
    const plain = await words();
    const overlaps = (list: Awaited<ReturnType<typeof words>>) =>
      list.some((item, at) => at > 0 && item.start !== null && item.start < list[at - 1]!.end);
    expect(overlaps(plain)).toBe(false);
    service.script.transcription = { overlappingSpacing: true };
    expect(overlaps(await words())).toBe(true);
    service.script.transcription = { frozenAfterSeconds: 1 };
    expect(new Set((await words()).filter(({ start }) => start === 1).map(({ end }) => end))).toEqual(new Set([1]));
    service.script.transcription = { nullTimes: true };
    expect((await words()).some(({ start }) => start === null)).toBe(true);
  });

  it('answers mono with the plain shape', async () => {
    const { send, service } = await start();
    const channels = [['use_multi_channel', 'true']] as const;
    expect((await send(path, form(channels, recording(5, 2)))).text).toMatch(/^\{"transcripts":/);
    expect((await send(path, form(channels))).text).toMatch(/^\{"language_code":/);
    service.script.transcription = { monoAnswer: true };
    expect((await send(path, form(channels, recording(5, 2)))).text).toMatch(/^\{"language_code":/);
  });

  it('delivers later what it signed', async () => {
    const received: { signature: string; body: string }[] = [];
    let arrived: () => void = () => undefined;
    const delivered = new Promise<void>((done) => {
      arrived = done;
    });
    const receiver = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        received.push({
          signature: String(request.headers['x-audio-signature']),
          body: Buffer.concat(pieces).toString(),
        });
        response.end();
        arrived();
      });
    });
    await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
    const { port } = receiver.address() as AddressInfo;
    const webhook = { url: `http://127.0.0.1:${port}/hook`, secret: 'shh' };
    const { send } = await start({ script: { transcription: { webhook } } });
    const answer = await send(
      path,
      form([
        ['webhook', 'true'],
        ['webhook_metadata', '{"doc":"d9"}'],
      ]),
    );
    await delivered;
    receiver.close();
    expect(answer.status).toBe(202);
    const { signature, body } = received[0]!;
    const [, time, hex] = /^t=(\d+),v0=([0-9a-f]{64})$/.exec(signature) ?? [];
    expect(hex).toBe(createHmac('sha256', 'shh').update(`${time}.${body}`).digest('hex'));
    expect(JSON.parse(body)).toMatchObject({
      data: { request_id: (JSON.parse(answer.text) as Fields).request_id, webhook_metadata: { doc: 'd9' } },
    });
  });
});
