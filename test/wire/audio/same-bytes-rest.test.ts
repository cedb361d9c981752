import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { AudioFormat, ElevenLabsClient, RealtimeEvents } from '@elevenlabs/elevenlabs-js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { type AudioService, audioProfiles, createAudioService } from '../../../src/wire/audio/index.ts';
import { audioService, defaultSpeechModels } from '../service/audio/audio-service.ts';
import { wavFile } from '../service/audio/formats.ts';
import { byName, sentBy } from '../service/compare.ts';
import { type Harness, serve } from '../service/harness.ts';

const apiKey = 'test-audio-key';
const { keyHeader, modelIds } = audioProfiles.public;
const wire = (id: string): string => modelIds[id] ?? id;
let harness: Harness;
let sdk: ElevenLabsClient;
let ours: AudioService;

beforeAll(async () => {
  const models = defaultSpeechModels.map((model) => ({ ...model, id: wire(model.id) }));
  harness = await serve([audioService({ dialect: 'public', keyHeader, credits: 10_000_000, models })]);
  sdk = new ElevenLabsClient({ apiKey, baseUrl: harness.url, maxRetries: 0 });
  ours = createAudioService({ apiKey, baseUrl: harness.url, profile: 'public', maxRetries: 0 });
  // One of the official client's calls prints that it was made.
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await ours.close();
  await harness.close();
});

/** Reads answers to their end; a refusal is fine here, where only what was sent is looked at. */
async function made(call: () => unknown): Promise<void> {
  try {
    const given = await call();
    if (typeof given !== 'object' || given === null || !(Symbol.asyncIterator in given)) return;
    for await (const _ of given as AsyncIterable<unknown>); // just seen to be one
  } catch {}
}

const bytes = wavFile(
  Int16Array.from({ length: 32_000 }, (_, at) => (at % 200) * 100 + 1),
  16_000,
);
const theirFile = { data: new Blob([Buffer.from(bytes)], { type: 'audio/wav' }), filename: 'talk.wav' };
const ourFile = { content: bytes, filename: 'talk.wav', type: 'audio/wav' };
const theirSong = { prompt: 'calm piano', musicLengthMs: 10_000, modelId: 'music_v1' as const };
const ourSong = { prompt: 'calm piano', music_length_ms: 10_000, model_id: 'music_v1' };
const talk = { hostVoiceId: 'v_host', guestVoiceId: 'v_guest' };

/** By the operation's name, so that the coverage test finds it. */
const rows: readonly (readonly [operation: string, theirs: () => unknown, mine: () => unknown])[] = [
  ['transcripts.delete', () => sdk.speechToText.transcripts.delete('t/1'), () => ours.transcripts.delete('t/1')],
  ['voices.defaultSettings', () => sdk.voices.settings.getDefault(), () => ours.voices.defaultSettings()],
  ['account.history.get', () => sdk.history.get('h_1'), () => ours.account.history.get('h_1')],
  ['account.history.delete', () => sdk.history.delete('h_1'), () => ours.account.history.delete('h_1')],
  [
    'dictionaries.addFromFile',
    () => sdk.pronunciationDictionaries.createFromFile({ name: 'terms', file: theirFile }),
    () => ours.dictionaries.addFromFile({ name: 'terms', file: ourFile }),
  ],
  [
    'dictionaries.list',
    () => sdk.pronunciationDictionaries.list({ pageSize: 5 }),
    () => ours.dictionaries.list({ page_size: 5 }),
  ],
  [
    'dictionaries.update',
    () => sdk.pronunciationDictionaries.update('d_1', { name: 'Other', archived: false }),
    () => ours.dictionaries.update('d_1', { name: 'Other', archived: false }),
  ],
  [
    'dictionaries.download',
    () => sdk.pronunciationDictionaries.download('d_1', 'v 1'),
    () => ours.dictionaries.download('d_1', 'v 1'),
  ],
  ['music.detailed', () => sdk.music.composeDetailed(theirSong), () => ours.music.detailed(ourSong)],
  ['music.streamDetailed', () => sdk.music.composeDetailedStream(theirSong), () => ours.music.streamDetailed(ourSong)],
  ['dubbing.audio', () => sdk.dubbing.audio.get('dub_1', 'de'), () => ours.dubbing.audio('dub_1', 'de')],
  [
    'dubbing.transcript',
    () => sdk.dubbing.transcript.getTranscriptForDub('dub_1', 'de', { formatType: 'webvtt' }),
    () => ours.dubbing.transcript('dub_1', 'de', 'webvtt'),
  ],
  ['dubbing.delete', () => sdk.dubbing.delete('dub_1'), () => ours.dubbing.delete('dub_1')],
  [
    'dubbing.projects.create',
    () => sdk.dubbing.project.create({ file: theirFile, reference: 'r', sourceLanguage: 'en' }),
    () => ours.dubbing.projects.create({ file: ourFile, reference: 'r', source_language: 'en' }),
  ],
  ['dubbing.projects.get', () => sdk.dubbing.project.get('p_1'), () => ours.dubbing.projects.get('p_1')],
  ['dubbing.projects.delete', () => sdk.dubbing.project.delete('p_1'), () => ours.dubbing.projects.delete('p_1')],
  [
    'dubbing.projects.addLanguage',
    () => sdk.dubbing.project.language.create('p_1', { targetLanguage: 'de' }),
    () => ours.dubbing.projects.addLanguage('p_1', { target_language: 'de' }),
  ],
  [
    'dubbing.projects.getLanguage',
    () => sdk.dubbing.project.language.get('p_1', 'l_1'),
    () => ours.dubbing.projects.getLanguage('p_1', 'l_1'),
  ],
  [
    'voiceChanger.stream',
    () => sdk.speechToSpeech.stream('v_host', { audio: theirFile, modelId: wire('voice_multilingual_v2'), seed: 1 }),
    () => ours.voiceChanger.stream({ voice_id: 'v_host', audio: ourFile, model_id: 'voice_multilingual_v2', seed: 1 }),
  ],
  [
    'isolation.stream',
    () => sdk.audioIsolation.stream({ audio: theirFile }),
    () => ours.isolation.stream({ audio: ourFile }),
  ],
  [
    'podcasts.create',
    () =>
      sdk.studio.createPodcast({
        modelId: wire('voice_multilingual_v2'),
        mode: { type: 'conversation', conversation: talk },
        source: { type: 'text', text: 'The tower.' },
        durationScale: 'short',
      }),
    () =>
      ours.podcasts.create({
        model_id: 'voice_multilingual_v2',
        mode: { type: 'conversation', conversation: { host_voice_id: 'v_host', guest_voice_id: 'v_guest' } },
        source: { type: 'text', text: 'The tower.' },
        duration_scale: 'short',
      }),
  ],
  [
    'agents.list',
    () => sdk.conversationalAi.agents.list({ pageSize: 5, search: 'a b' }),
    () => ours.agents.list({ page_size: 5, search: 'a b' }),
  ],
  ['agents.delete', () => sdk.conversationalAi.agents.delete('agent_1'), () => ours.agents.delete('agent_1')],
  [
    'agents.knowledge.addFile',
    () => sdk.conversationalAi.knowledgeBase.documents.createFromFile({ file: theirFile, name: 'notes' }),
    () => ours.agents.knowledge.addFile({ file: ourFile, name: 'notes' }),
  ],
  [
    'agents.knowledge.addUrl',
    () => sdk.conversationalAi.knowledgeBase.documents.createFromUrl({ url: 'https://example.org/spec' }),
    () => ours.agents.knowledge.addUrl({ url: 'https://example.org/spec' }),
  ],
  [
    'agents.conversations.list',
    () => sdk.conversationalAi.conversations.list({ agentId: 'agent_1', pageSize: 5 }),
    () => ours.agents.conversations.list({ agent_id: 'agent_1', page_size: 5 }),
  ],
  [
    'agents.conversations.get',
    () => sdk.conversationalAi.conversations.get('c_1'),
    () => ours.agents.conversations.get('c_1'),
  ],
];

describe('what the official client sends and what ours sends for the rest of the operations (public profile)', () => {
  it.each(rows)('%s', async (_operation, theirs, mine) => {
    const expected = (await sentBy(harness, keyHeader, () => made(theirs))).map(byName);
    const got = (await sentBy(harness, keyHeader, () => made(mine))).map(byName);
    expect(expected).toHaveLength(1);
    expect(got).toEqual(expected);
  });
});

/** A socket that keeps what it was sent, and answers a commit. */
async function recorder(): Promise<{ readonly url: string; readonly seen: unknown[] } & AsyncDisposable> {
  const seen: unknown[] = [];
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket, request) => {
    const url = new URL(request.url ?? '', 'http://socket.test');
    seen.push({ path: url.pathname, query: [...url.searchParams].sort(), key: request.headers[keyHeader] });
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as { readonly commit?: boolean }; // sent by the clients under test
      seen.push(message);
      if (message.commit === true) socket.send('{"message_type":"committed_transcript","text":"done"}');
    });
    socket.send('{"message_type":"session_started","session_id":"s","config":{}}');
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listening on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('what the official client sends over the realtime socket', () => {
  it('is what ours sends: query, key, sound and commit', async () => {
    await using socket = await recorder();
    const sound = bytes.subarray(44, 44 + 16_000);
    const connection = await new ElevenLabsClient({ apiKey, baseUrl: socket.url }).speechToText.realtime.connect({
      modelId: 'scribe_v2_realtime',
      audioFormat: AudioFormat.PCM_16000,
      sampleRate: 16_000,
      languageCode: 'en',
    });
    const heard = new Promise((resolve) => connection.on(RealtimeEvents.COMMITTED_TRANSCRIPT, resolve));
    await new Promise((resolve) => connection.on(RealtimeEvents.SESSION_STARTED, resolve));
    connection.send({ audioBase64: Buffer.from(sound).toString('base64') });
    connection.commit();
    expect(await heard).toMatchObject({ text: 'done' });
    connection.close();
    const expected = socket.seen.splice(0);
    await using client = createAudioService({ apiKey, baseUrl: socket.url, profile: 'public', maxRetries: 0 });
    const events = await Array.fromAsync(client.transcripts.realtime([sound], { language_code: 'en' }));
    expect(events.at(-1)).toEqual({ type: 'committed_transcript', text: 'done' });
    expect(expected).toHaveLength(3);
    expect(socket.seen).toEqual(expected);
  });
});
