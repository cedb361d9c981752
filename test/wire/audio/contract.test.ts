import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longSpeech, memorySegments } from '../../../src/services/audio/index.ts';
import { type AudioService, audioOperations, createAudioService, readWav } from '../../../src/wire/audio/index.ts';
import type { Operation } from '../../../src/wire/http/contract.ts';
import type { WireError } from '../../../src/wire/http/errors.ts';
import { audioService } from '../service/audio/audio-service.ts';
import { wavFile } from '../service/audio/formats.ts';
import { type Harness, serve } from '../service/harness.ts';
import { examples, type Given } from './examples.ts';

const stand = audioService();
let harness: Harness;
let audio: AudioService;
const recording = wavFile(
  Int16Array.from({ length: 16_000 * 6 }, (_, at) => (at % 200) * 100 + 1),
  16_000,
  1,
);

beforeAll(async () => {
  harness = await serve([stand]);
  audio = createAudioService({ apiKey: 'test-audio-key', baseUrl: harness.url, plan: 'pro' });
});
afterAll(async () => {
  await audio.close();
  await harness.close();
});

const given: Record<string, unknown> = { recording };
const keep =
  (name: keyof Given) =>
  (value: unknown): void => {
    expect(value).toEqual(expect.stringMatching(/./));
    given[name] = value;
  };
const sound = (value: unknown): void => {
  expect(value).toBeInstanceOf(Uint8Array);
  expect((value as Uint8Array).length).toBeGreaterThan(1_000);
};
const many = (value: unknown): void => expect(value).toBeGreaterThan(1_000);
const filled = (value: unknown): void => expect((value as { length: number }).length).toBeGreaterThan(0);
const is =
  (expected: unknown) =>
  (value: unknown): void =>
    expect(value).toEqual(expected);
const pair =
  (first: (value: unknown) => void, second: (value: unknown) => void) =>
  (value: unknown): void => {
    const [one, two] = value as [unknown, unknown];
    first(one);
    second(two);
  };
const some = (value: unknown): void => expect(value).toBeDefined();

/** What the example of every row gives back. Order matters: later rows use what earlier ones made. */
const rows: Readonly<Record<string, (result: unknown) => void>> = {
  'speech.create': (result) => expect(result).toMatchObject({ credits: 30, mediaType: 'audio/mpeg' }), // 30 characters at 1.0
  'speech.stream': many,
  'speech.withTimestamps': (result) =>
    expect((result as { characters: string[] }).characters.join('')).toBe('Every character has a time.'),
  'speech.streamWithTimestamps': is('On one clock.'),
  // 31 characters with the closing space, 60 ms each, 32 bytes per ms
  'speech.live': is(31 * 60 * 32),
  'speech.liveMulti': is(['answer', 'aside']),
  'dialogue.create': sound,
  'dialogue.stream': many,
  'dialogue.withTimestamps': (result) =>
    expect(result).toMatchObject([{ voice_id: 'v_host' }, { voice_id: 'v_guest' }]),
  'dialogue.streamWithTimestamps': many,
  'dialogue.live': many,
  'transcripts.create': (result) => expect(result).toContain('Hello there'),
  'transcripts.get': filled,
  'transcripts.realtime': filled,
  'transcripts.delete': is('ok'),
  'voices.list': filled,
  'voices.search': (result) => expect(result).toContain('Narrator'),
  'voices.get': is('Narrator'),
  'voices.add': keep('voiceId'),
  'voices.edit': is('ok'),
  'voices.settings': is(0.5),
  'voices.editSettings': is('ok'),
  'voices.defaultSettings': is(0.75),
  'voices.delete': is('ok'),
  'voices.shared': filled,
  'voices.addShared': filled,
  models: (result) => expect(result).toContainEqual(['voice_v3', 5_000]),
  'account.subscription': pair(is('pro'), many),
  'account.user': (result) => expect(JSON.stringify(result)).not.toContain('test-audio-key'),
  'account.usage': pair(filled, some),
  'account.history.list': (result) => {
    filled(result);
    keep('historyItemId')((result as { history_item_id: string }[])[0]!.history_item_id);
  },
  'account.history.get': filled,
  'account.history.audio': sound,
  'account.history.download': pair(sound, filled),
  'account.history.delete': is('ok'),
  'dictionaries.addFromRules': (result) => {
    const { id, version_id } = result as { id: string; version_id: string };
    keep('dictionaryId')(id);
    keep('versionId')(version_id);
  },
  'dictionaries.addFromFile': (result) => expect(result).toMatchObject({ name: 'terms' }),
  'dictionaries.addRules': filled,
  'dictionaries.setRules': filled,
  'dictionaries.removeRules': filled,
  'dictionaries.get': is('terms'),
  'dictionaries.list': filled,
  'dictionaries.download': (result) => expect(result).toContain('<lexicon'),
  'dictionaries.update': is('old terms'),
  'soundEffects.create': pair(sound, is(100)),
  'music.create': pair(sound, filled),
  'music.stream': many,
  'music.detailed': pair(sound, (details) => expect(details).toMatchObject({ song_metadata: { title: 'A song' } })),
  'music.streamDetailed': (result) => expect(result).toBeGreaterThan(1),
  'music.plan': pair(is(200), sound),
  'dubbing.create': keep('dubbingId'),
  'dubbing.get': is('dubbed'),
  'dubbing.audio': many,
  'dubbing.transcript': (result) => expect(result).toMatch(/^WEBVTT/),
  'dubbing.delete': is('ok'),
  'dubbing.projects.create': keep('projectId'),
  'dubbing.projects.get': is('ready'),
  'dubbing.projects.addLanguage': keep('languageId'),
  'dubbing.projects.getLanguage': is('completed'),
  'dubbing.projects.delete': is('ok'),
  'voiceDesign.design': (result) =>
    keep('previewId')((result as { generated_voice_id: string }[])[0]!.generated_voice_id),
  'voiceDesign.create': filled,
  'voiceChanger.create': sound,
  'voiceChanger.stream': many,
  'isolation.create': sound,
  'isolation.stream': many,
  'alignment.create': (result) => expect(result).toMatchObject([{ text: 'Hello' }, { text: 'there.' }]),
  'podcasts.create': (result) => expect(result).toMatchObject({ project_id: expect.any(String) }),
  'agents.create': keep('agentId'),
  'agents.list': filled,
  'agents.get': (result) => expect(result).toMatchObject({ agent: { language: 'en' } }),
  'agents.update': is('Night desk'),
  'agents.signedUrl': (result) => expect(result).toMatch(/^ws/),
  'agents.knowledge.addFile': filled,
  'agents.knowledge.addText': filled,
  'agents.knowledge.addUrl': filled,
  'agents.conversations.list': (result) => {
    filled(result);
    keep('conversationId')((result as { conversation_id: string }[])[0]!.conversation_id);
  },
  'agents.conversations.get': filled,
  'agents.delete': is('ok'),
  'tokens.create': filled,
};

const nameOf = ({ name }: Operation): string => name.replace(/^audio\./, '');

/** What is made of operations and has no row of its own. */
const compositions = ['longSpeech', 'longDialogue', 'transcripts.verifyWebhook'];

describe('every row of the operation table', () => {
  it('has an example, and every example a row', () => {
    expect(Object.keys(rows).sort()).toEqual(audioOperations.map(nameOf).sort());
    expect(Object.keys(examples).sort()).toEqual([...Object.keys(rows), ...compositions].sort());
  });

  it.each(Object.keys(rows))('%s', async (name) => {
    if (name === 'transcripts.get') {
      const result = await audio.transcripts.create({ file: recording });
      given.transcriptionId = result.kind === 'transcript' ? result.transcription_id : undefined;
    }
    const before = harness.requests.length;
    const { method, path } = audioOperations.find((operation) => nameOf(operation) === name)!;
    // earlier rows filled in what this one needs
    const result = await examples[name]!(audio, given as unknown as Given);
    rows[name]!(result);
    const sent = harness.requests.slice(before);
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
    expect(sent.map((request) => `${request.method} ${pattern.test(request.path)}`)).toContain(`${method} true`);
    expect(sent.every(({ status }) => status < 400)).toBe(true);
  });
});

describe('what is made of several operations', () => {
  it('longSpeech', async () => {
    const result = await examples.longSpeech!(audio, given as unknown as Given);
    expect(readWav(result as Uint8Array).sampleRate).toBe(24_000);
  });

  it('longDialogue', async () => {
    const result = await examples.longDialogue!(audio, given as unknown as Given);
    expect(readWav(result as Uint8Array).data.length).toBeGreaterThan(1_000);
  });

  it('transcripts.verifyWebhook', async () => {
    expect(await examples['transcripts.verifyWebhook']!(audio, given as unknown as Given)).toBe('Hello.');
  });
});

describe('against the strict service', () => {
  const line = { voice_id: 'v_host', text: 'Hi.' };
  const design = { voice_description: 'x'.repeat(20) };
  const rule = { type: 'alias', string_to_replace: '', alias: 'x' } as const;
  const locators = Array.from('abcd', (id) => ({ pronunciation_dictionary_id: id }));
  const live = (request: object) => Array.fromAsync(audio.speech.live(['Hi. '], { voice_id: 'v_host', ...request }));

  /** What the client leaves to the service, which says at once and clearly what is wrong. */
  it.each<[field: string, call: () => Promise<unknown>]>([
    ['duration_seconds', () => audio.soundEffects.create({ text: 'x', duration_seconds: 31 })],
    ['either prompt or composition_plan', () => audio.music.create({})],
    ['composition_plan', () => audio.music.create({ prompt: 'x', composition_plan: {} })],
    ['voice_description', () => audio.voiceDesign.design({ voice_description: 'x', auto_generate_text: true })],
    ['text', () => audio.voiceDesign.design({ ...design, text: 'x'.repeat(99) })],
    ['string_to_replace', () => audio.dictionaries.addFromRules({ name: 'n', rules: [rule] })],
    [
      '10 voices',
      () => audio.dialogue.create({ inputs: Array.from('abcdefghijk', (id) => ({ ...line, voice_id: id })) }),
    ],
    ['previous_request_ids', () => audio.speech.create({ ...line, previous_request_ids: ['a', 'b', 'c', 'd'] })],
    ['locators', () => audio.speech.create({ ...line, pronunciation_dictionary_locators: locators })],
    ['seed', () => audio.speech.create({ ...line, seed: -1 })],
    ['output_format', () => audio.speech.stream({ ...line, output_format: 'wav_24000' })],
    ['page_size', () => audio.voices.search({ page_size: 101 })],
    ['conversation_config', () => audio.agents.create({} as never)],
    ['type', () => audio.tokens.create('other' as never)],
    ['output_format', () => live({ output_format: 'wav_24000' })],
    ['version_id', () => live({ pronunciation_dictionary_locators: locators.slice(1, 2) })],
    ['chunk_length_schedule', () => live({ generation_config: { chunk_length_schedule: [49] } })],
  ])('is told of %s by the service itself', async (field, call) => {
    const error: unknown = await call().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'REQUEST_REJECTED' });
    const { message, param } = error as WireError;
    expect(`${param} ${message}`).toContain(field);
  });

  it('uploads the same file from memory, a stream, a function and a path', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'ibid-audio-')), 'talk.wav');
    writeFileSync(path, recording);
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < recording.length; at += 50_000) yield recording.subarray(at, at + 50_000);
    };
    const texts: string[] = [];
    for (const file of [recording, new Blob([Buffer.from(recording)]), chunks(), chunks, { path }]) {
      const before = harness.requests.length;
      const result = await audio.transcripts.create({ file });
      texts.push(result.kind === 'transcript' ? result.transcript.text : result.kind);
      const part = harness.requests[before]!.parts.find(({ name }) => name === 'file');
      expect(part!.bytes.equals(Buffer.from(recording))).toBe(true);
    }
    expect(new Set(texts).size).toBe(1);
    await expect(audio.transcripts.create({ file: { path: `${path}.no` } })).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
    });
  });

  it('names the cause when the text dries up, and the abort when there is one', async () => {
    await using server = await serve([audioService({ script: { speech: { idleMs: 40, olderDurations: true } } })]);
    await using client = createAudioService({ apiKey: 'test-audio-key', baseUrl: server.url });
    const drying = async function* (): AsyncGenerator<string> {
      yield 'One sentence, and then nothing more. ';
      await new Promise(() => {});
    };
    const request = { voice_id: 'v_host', model_id: 'voice_flash_v2_5' };
    await expect(Array.fromAsync(client.speech.live(drying(), request))).rejects.toMatchObject({ code: 'TIMEOUT' });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('enough')), 15);
    await expect(Array.fromAsync(client.speech.live(drying(), request, { signal: stop.signal }))).rejects.toThrow(
      'enough',
    );
  });

  it('speaks a long text with ids of requests that were read to their end', async () => {
    const text = Array.from(
      { length: 6 },
      (_, i) => `Sentence ${i} is about as long as this one is, give or take.`,
    ).join(' ');
    const options = { maxCharacters: 140, store: memorySegments(), timestamps: true, silenceMs: 100 };
    const request = { voice_id: 'v/odd id', text, output_format: 'pcm_16000' };
    const result = await longSpeech(audio, request, options);
    expect(result.segments.length).toBe(3);
    expect(result.credits).toBe(result.segments.reduce((sum, segment) => sum + segment.text.length, 0));
    const seconds =
      result.segments.reduce((sum, segment) => sum + Math.round(segment.text.length * 0.06 * 16_000), 0) / 16_000 + 0.2;
    expect(readWav(result.audio).data.length).toBe(Math.round(seconds * 32_000));
    expect(result.alignment!.characters.length).toBe(result.credits);
    const before = stand.credits.used;
    expect((await longSpeech(audio, request, options)).audio).toEqual(result.audio);
    expect(stand.credits.used).toBe(before);
  });

  it.each([
    [401, 'BILLING'],
    [402, 'BILLING'],
  ] as const)('tells used-up credits from a wrong key when they come as %d', async (quotaStatus, code) => {
    const poor = audioService({ credits: 1, script: { quotaStatus } });
    await using server = await serve([poor]);
    await using client = createAudioService({ apiKey: 'test-audio-key', baseUrl: server.url });
    await expect(client.speech.create({ voice_id: 'v_host', text: 'Too dear.' })).rejects.toMatchObject({ code });
    await using stranger = createAudioService({ apiKey: 'wrong-key', baseUrl: server.url });
    await expect(stranger.speech.create({ voice_id: 'v_host', text: 'Hi.' })).rejects.toMatchObject({
      code: 'KEY_REJECTED',
    });
  });

  it('gives formats of a larger plan up only when asked to', async () => {
    await using server = await serve([audioService({ plan: 'free' })]);
    const options = { apiKey: 'test-audio-key', baseUrl: server.url };
    await using strict = createAudioService(options);
    const request = { voice_id: 'v_host', text: 'Hi there.', output_format: 'ulaw_8000' };
    await expect(strict.speech.create(request)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await using lenient = createAudioService({ ...options, stepDown: true });
    expect((await lenient.speech.create(request)).format).toBe('mp3_44100_128');
  });

  it('sends the two placed fields in the body by switch, and public names in the public profile', async () => {
    const named = audioService({ keyHeader: 'xi-api-key', bodyKey: 'xi_api_key', dialect: 'public' });
    await using server = await serve([named]);
    await using client = createAudioService({
      apiKey: 'test-audio-key',
      baseUrl: server.url,
      profile: { keyHeader: 'xi-api-key', keyFields: ['xi_api_key'] },
    });
    await client.speech.create({ voice_id: 'v_host', text: 'Hi.' });
    expect(JSON.stringify(await client.account.user())).not.toContain('test-audio-key');
    await using placed = await serve([audioService({ formatPlacement: 'body' })]);
    await using body = createAudioService({
      apiKey: 'test-audio-key',
      baseUrl: placed.url,
      profile: { placement: 'body' },
    });
    const result = await body.speech.create({ voice_id: 'v_host', text: 'Hi.', output_format: 'pcm_8000' });
    expect(result.audio.length).toBe(Math.round(3 * 0.06 * 8_000) * 2);
  });

  it('keeps within the simultaneous requests of the plan', async () => {
    const slow = audioService({ plan: 'free', script: { holdMs: 15 } });
    await using server = await serve([slow]);
    await using client = createAudioService({ apiKey: 'test-audio-key', baseUrl: server.url });
    const texts = Array.from({ length: 8 }, (_, i) => `Line ${i}.`);
    await Promise.all(texts.map((text) => client.speech.create({ voice_id: 'v_host', text })));
    expect(server.peakInFlight).toBeLessThanOrEqual(2);
    expect(server.requests.every(({ status }) => status === 200)).toBe(true);
  });

  it('puts stream times on one clock however the service counts them', async () => {
    const request = {
      voice_id: 'v_host',
      text: 'Times of a text that is spoken in several chunks, one after another. '.repeat(4),
      output_format: 'pcm_16000',
    };
    const starts = async (script: object): Promise<number[]> => {
      await using server = await serve([audioService({ script: { speech: script } })]);
      await using client = createAudioService({ apiKey: 'test-audio-key', baseUrl: server.url });
      const chunks = await Array.fromAsync(await client.speech.streamWithTimestamps(request));
      return chunks.flatMap(({ alignment }) => alignment?.character_start_times_seconds ?? []);
    };
    const plain = await starts({});
    const restarted = await starts({ restartTimes: true, dataPrefix: true, blankLines: true });
    expect(plain.length).toBe(request.text.length);
    expect(restarted.length).toBe(plain.length);
    restarted.forEach((start, i) => {
      expect(Math.abs(start - plain[i]!)).toBeLessThan(0.01);
    });
  });

  it.each(['empty', 'json'] as const)('refuses %s where sound should be', async (badAudio) => {
    await using server = await serve([audioService({ script: { speech: { badAudio } } })]);
    await using client = createAudioService({ apiKey: 'test-audio-key', baseUrl: server.url });
    await expect(client.speech.create({ voice_id: 'v_host', text: 'Hi.' })).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
    });
  });

  it('reads mono answers to multichannel, silence, and accepted jobs', async () => {
    const heard = audioService({ script: { transcription: { overlappingSpacing: true, nullTimes: true } } });
    await using server = await serve([heard]);
    await using client = createAudioService({ apiKey: 'test-audio-key', baseUrl: server.url });
    const stereo = wavFile(
      Int16Array.from({ length: 16_000 * 8 }, (_, at) => at % 99),
      16_000,
      2,
    );
    expect((await client.transcripts.create({ file: stereo, use_multi_channel: true })).kind).toBe('multichannel');
    heard.script.transcription = { monoAnswer: true };
    expect((await client.transcripts.create({ file: stereo, use_multi_channel: true })).kind).toBe('transcript');
    heard.script.transcription = { silence: true };
    expect(await client.transcripts.create({ file: stereo })).toMatchObject({ transcript: { text: '', words: [] } });
    heard.script.transcription = { asyncStatus: 200 };
    expect((await client.transcripts.create({ file: stereo, webhook: true })).kind).toBe('accepted');
  });
});
