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

const bytes = wavFile(
  Int16Array.from({ length: 32_000 }, (_, at) => (at % 200) * 100 + 1),
  16_000,
);
const file = { content: bytes, filename: 'talk.wav', type: 'audio/wav' } as const;
const theirFile = { data: new Blob([Buffer.from(bytes)], { type: 'audio/wav' }), filename: 'talk.wav' };

type CamelKey<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelKey<Tail>>}` : Key;
type Theirs<T> = T extends typeof file
  ? typeof theirFile
  : T extends readonly (infer Entry)[]
    ? Theirs<Entry>[]
    : T extends object
      ? { -readonly [Key in keyof T as CamelKey<Key>]: Theirs<T[Key]> }
      : T;

/**
 * Our request as the official client spells it: names in camelCase, the public name of the model, its own kind of file.
 */
function theirs<const T>(value: T, key = ''): Theirs<T> {
  const spell = (): unknown => {
    if (value === (file as unknown)) return theirFile;
    if (key === 'model_id') return wire(String(value));
    if (Array.isArray(value)) return value.map((entry: unknown) => theirs(entry));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
        theirs(inner as unknown, name),
      ]),
    );
  };
  return spell() as Theirs<T>; // what the type says, value by value
}

const voice = 'v/odd id';
const speech = {
  text: 'The index holds 12 recordings.',
  model_id: 'voice_flash_v2_5',
  language_code: 'en',
  output_format: 'pcm_16000',
  seed: 7,
  voice_settings: { stability: 0.4, similarity_boost: 0.75, style: 0, use_speaker_boost: true, speed: 1.1 },
  previous_text: 'Before.',
  next_text: 'After.',
  apply_text_normalization: 'on',
} as const;
const dialogue = {
  inputs: [
    { text: '[excited] Three reports agree.', voice_id: 'v_host' },
    { text: 'On what?', voice_id: 'v_guest' },
  ],
  model_id: 'voice_v3',
  settings: { stability: 0.5 },
  seed: 11,
  output_format: 'mp3_44100_64',
} as const;
const transcript = {
  model_id: 'scribe_v2',
  file,
  language_code: 'en',
  tag_audio_events: false,
  timestamps_granularity: 'character',
  diarize: true,
  diarization_threshold: 0.25,
  additional_formats: [{ format: 'srt' }, { format: 'txt' }],
  keyterms: ['index', 'nearest neighbour'],
  entity_detection: ['number', 'name'],
  temperature: 0,
  seed: 3,
  enable_logging: true,
  webhook: true,
  webhook_metadata: { doc: 'd9' },
} as const;
const fetched = {
  model_id: 'scribe_v2',
  source_url: 'https://example.org/talk.mp3',
  use_multi_channel: true,
} as const;
const found = { search: 'n', page_size: 5, sort: 'name', voice_ids: ['v_host', 'v_guest'] } as const;
const clone = {
  name: 'Mine',
  description: '',
  files: [file, file],
  labels: { accent: 'neutral' },
  remove_background_noise: false,
} as const;
const settings = { stability: 0.25, similarity_boost: 0 } as const;
const library = { language: 'de', page_size: 2, use_cases: ['narration'] } as const;
const days = { start_unix: 1_790_000_000_000, end_unix: 1_790_200_000_000 } as const;
const items = { page_size: 2, voice_id: voice, search: 'index' } as const;
const download = { history_item_ids: ['history_1', 'history_2'], output_format: 'default' } as const;
const rules = [
  { type: 'alias', string_to_replace: 'RAG', alias: 'rag' },
  { type: 'phoneme', string_to_replace: 'Nguyen', phoneme: 'W IH1 N', alphabet: 'cmu-arpabet' },
] as const;
const dictionary = 'dictionary_1';
const rain = { text: 'rain', duration_seconds: 2, prompt_influence: 0.3, loop: true } as const;
const song = { prompt: 'calm piano', music_length_ms: 10_000, model_id: 'music_v1' } as const;
const words = { file, text: 'Hello there.' } as const;
const changed = { audio: file, model_id: 'voice_multilingual_v2', seed: 1 } as const;
const design = { voice_description: 'A calm narrator with a warm and clear voice', auto_generate_text: true } as const;
const dub = { file, target_lang: 'de', source_lang: 'en', num_speakers: 1 } as const;
const project = { file, reference: 'r', source_language: 'en' } as const;
const agent = { conversation_config: {}, name: 'Clerk' } as const;
const podcast = {
  model_id: 'voice_multilingual_v2',
  mode: { type: 'conversation', conversation: { host_voice_id: 'v_host', guest_voice_id: 'v_guest' } },
  source: { type: 'text', text: 'The tower.' },
  duration_scale: 'short',
} as const;

/** The official client's call and ours. */
type Row = readonly [theirs: () => unknown, ours: () => unknown];

const answered: readonly Row[] = [
  [() => sdk.textToSpeech.convert(voice, theirs(speech)), () => ours.speech.create({ voice_id: voice, ...speech })],
  [() => sdk.textToSpeech.stream(voice, theirs(speech)), () => ours.speech.stream({ voice_id: voice, ...speech })],
  [
    () => sdk.textToSpeech.convertWithTimestamps(voice, theirs(speech)),
    () => ours.speech.withTimestamps({ voice_id: voice, ...speech }),
  ],
  [
    () => sdk.textToSpeech.streamWithTimestamps(voice, theirs(speech)),
    () => ours.speech.streamWithTimestamps({ voice_id: voice, ...speech }),
  ],
  [() => sdk.textToDialogue.convert(theirs(dialogue)), () => ours.dialogue.create(dialogue)],
  [() => sdk.textToDialogue.stream(theirs(dialogue)), () => ours.dialogue.stream(dialogue)],
  [() => sdk.textToDialogue.convertWithTimestamps(theirs(dialogue)), () => ours.dialogue.withTimestamps(dialogue)],
  [() => sdk.textToDialogue.streamWithTimestamps(theirs(dialogue)), () => ours.dialogue.streamWithTimestamps(dialogue)],
  [() => sdk.speechToText.convert(theirs(transcript)), () => ours.transcripts.create(transcript)],
  [() => sdk.speechToText.convert(theirs(fetched)), () => ours.transcripts.create(fetched)],
  [() => sdk.speechToText.transcripts.get('transcript_1'), () => ours.transcripts.get('transcript_1')],
  [() => sdk.voices.getAll({ showLegacy: true }), () => ours.voices.list({ show_legacy: true })],
  [() => sdk.voices.search(theirs(found)), () => ours.voices.search(found)],
  [() => sdk.voices.get(voice), () => ours.voices.get(voice)],
  [() => sdk.voices.ivc.create(theirs(clone)), () => ours.voices.add(clone)],
  [() => sdk.voices.update('voice_1', { name: 'Renamed' }), () => ours.voices.edit('voice_1', { name: 'Renamed' })],
  [() => sdk.voices.settings.update('voice_1', theirs(settings)), () => ours.voices.editSettings('voice_1', settings)],
  [() => sdk.voices.settings.get('voice_1'), () => ours.voices.settings('voice_1')],
  [() => sdk.voices.getShared(theirs(library)), () => ours.voices.shared(library)],
  [
    () => sdk.voices.share('owner_1', 'shared_1', { newName: 'Borrowed' }),
    () => ours.voices.addShared('owner_1', 'shared_1', { new_name: 'Borrowed' }),
  ],
  [() => sdk.models.list(), () => ours.models()],
  [() => sdk.user.subscription.get(), () => ours.account.subscription()],
  [() => sdk.user.get(), () => ours.account.user()],
  [() => sdk.usage.get(theirs(days)), () => ours.account.usage(days)],
  [() => sdk.history.list(theirs(items)), () => ours.account.history.list(items)],
  [() => sdk.history.getAudio('history_1'), () => ours.account.history.audio('history_1')],
  [() => sdk.history.download(theirs(download)), () => ours.account.history.download(download)],
  [() => sdk.tokens.singleUse.create('tts_websocket'), () => ours.tokens.create('tts_websocket')],
  [
    () => sdk.pronunciationDictionaries.createFromRules({ name: 'terms', rules: theirs(rules) }),
    () => ours.dictionaries.addFromRules({ name: 'terms', rules }),
  ],
  [
    () => sdk.pronunciationDictionaries.rules.add(dictionary, { rules: theirs([rules[0]]) }),
    () => ours.dictionaries.addRules(dictionary, [rules[0]]),
  ],
  [
    () => sdk.pronunciationDictionaries.rules.set(dictionary, { rules: theirs(rules) }),
    () => ours.dictionaries.setRules(dictionary, rules),
  ],
  [
    () => sdk.pronunciationDictionaries.rules.remove(dictionary, { ruleStrings: ['RAG'] }),
    () => ours.dictionaries.removeRules(dictionary, ['RAG']),
  ],
  [() => sdk.pronunciationDictionaries.get(dictionary), () => ours.dictionaries.get(dictionary)],
  [() => sdk.textToSoundEffects.convert(theirs(rain)), () => ours.soundEffects.create(rain)],
  [() => sdk.music.compose(theirs(song)), () => ours.music.create(song)],
  [() => sdk.music.stream(theirs(song)), () => ours.music.stream(song)],
  [() => sdk.music.compositionPlan.create(theirs(song)), () => ours.music.plan(song)],
  [() => sdk.forcedAlignment.create(theirs(words)), () => ours.alignment.create(words)],
  [() => sdk.audioIsolation.convert({ audio: theirFile }), () => ours.isolation.create({ audio: file })],
  [
    () => sdk.speechToSpeech.convert('v_host', theirs(changed)),
    () => ours.voiceChanger.create({ voice_id: 'v_host', ...changed }),
  ],
  [() => sdk.textToVoice.design(theirs(design)), () => ours.voiceDesign.design(design)],
  [() => sdk.dubbing.create(theirs(dub)), () => ours.dubbing.create(dub)],
  [() => sdk.dubbing.get('dub_1'), () => ours.dubbing.get('dub_1')],
  [() => sdk.conversationalAi.agents.create(theirs(agent)), () => ours.agents.create(agent)],
  [
    () => sdk.conversationalAi.agents.update('agent_1', { name: 'Archivist' }),
    () => ours.agents.update('agent_1', { name: 'Archivist' }),
  ],
  [() => sdk.conversationalAi.agents.get('agent_1'), () => ours.agents.get('agent_1')],
  [
    () => sdk.conversationalAi.conversations.getSignedUrl({ agentId: 'agent_1' }),
    () => ours.agents.signedUrl('agent_1'),
  ],
  [
    () => sdk.conversationalAi.knowledgeBase.documents.createFromText({ text: 'The limit is 512.', name: 'limits' }),
    () => ours.agents.knowledge.addText({ text: 'The limit is 512.', name: 'limits' }),
  ],
];

/** Calls that name what the stand-in does not have, or has no more: a refusal is fine, what was sent is looked at. */
const refused: readonly Row[] = [
  [() => sdk.speechToText.transcripts.delete('t/1'), () => ours.transcripts.delete('t/1')],
  [() => sdk.voices.settings.getDefault(), () => ours.voices.defaultSettings()],
  [() => sdk.history.get('h_1'), () => ours.account.history.get('h_1')],
  [() => sdk.history.delete('h_1'), () => ours.account.history.delete('h_1')],
  [
    () => sdk.pronunciationDictionaries.createFromFile({ name: 'terms', file: theirFile }),
    () => ours.dictionaries.addFromFile({ name: 'terms', file }),
  ],
  [() => sdk.pronunciationDictionaries.list({ pageSize: 5 }), () => ours.dictionaries.list({ page_size: 5 })],
  [
    () => sdk.pronunciationDictionaries.update('d_1', { name: 'Other', archived: false }),
    () => ours.dictionaries.update('d_1', { name: 'Other', archived: false }),
  ],
  [() => sdk.pronunciationDictionaries.download('d_1', 'v 1'), () => ours.dictionaries.download('d_1', 'v 1')],
  [() => sdk.music.composeDetailed(theirs(song)), () => ours.music.detailed(song)],
  [() => sdk.music.composeDetailedStream(theirs(song)), () => ours.music.streamDetailed(song)],
  [() => sdk.dubbing.audio.get('dub_1', 'de'), () => ours.dubbing.audio('dub_1', 'de')],
  [
    () => sdk.dubbing.transcript.getTranscriptForDub('dub_1', 'de', { formatType: 'webvtt' }),
    () => ours.dubbing.transcript('dub_1', 'de', 'webvtt'),
  ],
  [() => sdk.dubbing.delete('dub_1'), () => ours.dubbing.delete('dub_1')],
  [() => sdk.dubbing.project.create(theirs(project)), () => ours.dubbing.projects.create(project)],
  [() => sdk.dubbing.project.get('p_1'), () => ours.dubbing.projects.get('p_1')],
  [() => sdk.dubbing.project.delete('p_1'), () => ours.dubbing.projects.delete('p_1')],
  [
    () => sdk.dubbing.project.language.create('p_1', { targetLanguage: 'de' }),
    () => ours.dubbing.projects.addLanguage('p_1', { target_language: 'de' }),
  ],
  [() => sdk.dubbing.project.language.get('p_1', 'l_1'), () => ours.dubbing.projects.getLanguage('p_1', 'l_1')],
  [
    () => sdk.speechToSpeech.stream('v_host', theirs(changed)),
    () => ours.voiceChanger.stream({ voice_id: 'v_host', ...changed }),
  ],
  [() => sdk.audioIsolation.stream({ audio: theirFile }), () => ours.isolation.stream({ audio: file })],
  [() => sdk.studio.createPodcast(theirs(podcast)), () => ours.podcasts.create(podcast)],
  [
    () => sdk.conversationalAi.agents.list({ pageSize: 5, search: 'a b' }),
    () => ours.agents.list({ page_size: 5, search: 'a b' }),
  ],
  [() => sdk.conversationalAi.agents.delete('agent_1'), () => ours.agents.delete('agent_1')],
  [
    () => sdk.conversationalAi.knowledgeBase.documents.createFromFile({ file: theirFile, name: 'notes' }),
    () => ours.agents.knowledge.addFile({ file, name: 'notes' }),
  ],
  [
    () => sdk.conversationalAi.knowledgeBase.documents.createFromUrl({ url: 'https://example.org/spec' }),
    () => ours.agents.knowledge.addUrl({ url: 'https://example.org/spec' }),
  ],
  [
    () => sdk.conversationalAi.conversations.list({ agentId: 'agent_1', pageSize: 5 }),
    () => ours.agents.conversations.list({ agent_id: 'agent_1', page_size: 5 }),
  ],
  [() => sdk.conversationalAi.conversations.get('c_1'), () => ours.agents.conversations.get('c_1')],
];

/** What a call sent; its answer is read to the end, so that the next request does not overtake it. */
const sent = (call: () => unknown, mayBeRefused: boolean) =>
  sentBy(harness, keyHeader, async () => {
    try {
      const given = await call();
      if (typeof given !== 'object' || given === null || !(Symbol.asyncIterator in given)) return;
      for await (const _ of given as AsyncIterable<unknown>); // just seen to be one
    } catch (error) {
      if (!mayBeRefused) throw error;
    }
  });

describe('what the official client sends and what ours sends, field by field (public profile)', () => {
  const rows = [...answered.map((row) => [false, ...row] as const), ...refused.map((row) => [true, ...row] as const)];
  const named = rows.map((row) => [/ours\.([\w.]+)/.exec(String(row[2]))![1]!, ...row] as const);

  it.each(named)('%s', async (_name, mayBeRefused, theirCall, ourCall) => {
    const expected = (await sent(theirCall, mayBeRefused)).map(byName);
    expect(expected).toHaveLength(1);
    expect((await sent(ourCall, mayBeRefused)).map(byName)).toEqual(expected);
  });

  it('voices.delete and voiceDesign.create, each client on a voice of its own', async () => {
    const gone = await sentBy(harness, keyHeader, () => sdk.voices.delete('voice_1'));
    const alsoGone = await sentBy(harness, keyHeader, () => ours.voices.delete('voice_2'));
    expect(alsoGone).toEqual(gone.map((request) => ({ ...request, path: '/v1/voices/voice_2' })));
    const kept = { voice_name: 'Designed', voice_description: design.voice_description } as const;
    const made = await sentBy(harness, keyHeader, () =>
      sdk.textToVoice.create({ ...theirs(kept), generatedVoiceId: 'preview_1' }),
    );
    const alsoMade = await sentBy(harness, keyHeader, () =>
      ours.voiceDesign.create({ ...kept, generated_voice_id: 'preview_2' }),
    );
    expect(alsoMade).toEqual(
      made.map((request) => ({ ...request, body: { ...(request.body as object), generated_voice_id: 'preview_2' } })),
    );
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
