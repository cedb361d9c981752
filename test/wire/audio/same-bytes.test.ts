import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AudioService, audioProfiles, createAudioService } from '../../../src/wire/audio/index.ts';
import { audioService, defaultSpeechModels } from '../service/audio/audio-service.ts';
import { wavFile } from '../service/audio/formats.ts';
import { byName, sentBy } from '../service/compare.ts';
import { type Harness, serve } from '../service/harness.ts';

const apiKey = 'test-audio-key';
const { keyHeader, modelIds } = audioProfiles.public;
const wire = (id: string): string => modelIds[id] ?? id;
const service = audioService({
  dialect: 'public',
  keyHeader,
  credits: 10_000_000,
  models: defaultSpeechModels.map((model) => ({ ...model, id: wire(model.id) })),
});
let harness: Harness;
let sdk: ElevenLabsClient;
let ours: AudioService;

beforeAll(async () => {
  harness = await serve([service]);
  sdk = new ElevenLabsClient({ apiKey, baseUrl: harness.url, maxRetries: 0 });
  ours = createAudioService({ apiKey, baseUrl: harness.url, profile: 'public', maxRetries: 0 });
});
afterAll(async () => {
  await ours.close();
  await harness.close();
});

/** Reads bodies to their end, so that the next request does not overtake them. */
async function drain(answer: unknown): Promise<void> {
  const given = await answer;
  if (typeof given !== 'object' || given === null || !(Symbol.asyncIterator in given)) return;
  // Just seen to be one.
  for await (const _ of given as AsyncIterable<unknown>);
}

async function same(theirs: () => unknown, mine: () => unknown): Promise<void> {
  const expected = (await sentBy(harness, keyHeader, () => drain(theirs()))).map(byName);
  const got = (await sentBy(harness, keyHeader, () => drain(mine()))).map(byName);
  expect(expected).toHaveLength(1);
  expect(got).toEqual(expected);
}

const samples = Int16Array.from({ length: 32_000 }, (_, at) => (at % 200) * 100 + 1);
const bytes = wavFile(samples, 16_000);
const theirFile = { data: new Blob([Buffer.from(bytes)], { type: 'audio/wav' }), filename: 'talk.wav' };
const ourFile = { content: bytes, filename: 'talk.wav', type: 'audio/wav' };
const voice = 'v/odd id';
const text = 'The index holds 12 recordings.';

describe('what the official client sends and what ours sends, field by field (public profile)', () => {
  it('speech in four forms', async () => {
    const theirs = {
      text,
      modelId: wire('voice_flash_v2_5'),
      languageCode: 'en',
      outputFormat: 'pcm_16000' as const,
      seed: 7,
      voiceSettings: { stability: 0.4, similarityBoost: 0.75, style: 0, useSpeakerBoost: true, speed: 1.1 },
      previousText: 'Before.',
      nextText: 'After.',
      applyTextNormalization: 'on' as const,
    };
    const mine = {
      voice_id: voice,
      text,
      model_id: 'voice_flash_v2_5',
      language_code: 'en',
      output_format: 'pcm_16000',
      seed: 7,
      voice_settings: { stability: 0.4, similarity_boost: 0.75, style: 0, use_speaker_boost: true, speed: 1.1 },
      previous_text: 'Before.',
      next_text: 'After.',
      apply_text_normalization: 'on' as const,
    };
    await same(
      () => sdk.textToSpeech.convert(voice, theirs),
      () => ours.speech.create(mine),
    );
    await same(
      () => sdk.textToSpeech.stream(voice, theirs),
      () => ours.speech.stream(mine),
    );
    await same(
      () => sdk.textToSpeech.convertWithTimestamps(voice, theirs),
      () => ours.speech.withTimestamps(mine),
    );
    await same(
      () => sdk.textToSpeech.streamWithTimestamps(voice, theirs),
      () => ours.speech.streamWithTimestamps(mine),
    );
  });

  it('dialogue in four forms', async () => {
    const theirs = {
      inputs: [
        { text: '[excited] Three reports agree.', voiceId: 'v_host' },
        { text: 'On what?', voiceId: 'v_guest' },
      ],
      modelId: wire('voice_v3'),
      settings: { stability: 0.5 },
      seed: 11,
      outputFormat: 'mp3_44100_64' as const,
    };
    const mine = {
      inputs: theirs.inputs.map((line) => ({ text: line.text, voice_id: line.voiceId })),
      model_id: 'voice_v3',
      settings: { stability: 0.5 },
      seed: 11,
      output_format: 'mp3_44100_64',
    };
    await same(
      () => sdk.textToDialogue.convert(theirs),
      () => ours.dialogue.create(mine),
    );
    await same(
      () => sdk.textToDialogue.stream(theirs),
      () => ours.dialogue.stream(mine),
    );
    await same(
      () => sdk.textToDialogue.convertWithTimestamps(theirs),
      () => ours.dialogue.withTimestamps(mine),
    );
    await same(
      () => sdk.textToDialogue.streamWithTimestamps(theirs),
      () => ours.dialogue.streamWithTimestamps(mine),
    );
  });

  it('transcription: every kind of part', async () => {
    await same(
      () =>
        sdk.speechToText.convert({
          modelId: 'scribe_v2',
          file: theirFile,
          languageCode: 'en',
          tagAudioEvents: false,
          timestampsGranularity: 'character',
          diarize: true,
          diarizationThreshold: 0.25,
          additionalFormats: [{ format: 'srt' }, { format: 'txt' }],
          keyterms: ['index', 'nearest neighbour'],
          entityDetection: ['number', 'name'],
          temperature: 0,
          seed: 3,
          enableLogging: true,
          webhook: true,
          webhookMetadata: { doc: 'd9' },
        }),
      () =>
        ours.transcripts.create({
          model_id: 'scribe_v2',
          file: ourFile,
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
        }),
    );
    await same(
      () =>
        sdk.speechToText.convert({
          modelId: 'scribe_v2',
          sourceUrl: 'https://example.org/talk.mp3',
          useMultiChannel: true,
        }),
      () =>
        ours.transcripts.create({
          model_id: 'scribe_v2',
          source_url: 'https://example.org/talk.mp3',
          use_multi_channel: true,
        }),
    );
    await same(
      () => sdk.speechToText.transcripts.get('transcript_1'),
      () => ours.transcripts.get('transcript_1'),
    );
  });

  it('voices', async () => {
    await same(
      () => sdk.voices.getAll({ showLegacy: true }),
      () => ours.voices.list({ show_legacy: true }),
    );
    await same(
      () => sdk.voices.search({ search: 'n', pageSize: 5, sort: 'name', voiceIds: ['v_host', 'v_guest'] }),
      () => ours.voices.search({ search: 'n', page_size: 5, sort: 'name', voice_ids: ['v_host', 'v_guest'] }),
    );
    await same(
      () => sdk.voices.get(voice),
      () => ours.voices.get(voice),
    );
    await same(
      () =>
        sdk.voices.ivc.create({
          name: 'Mine',
          description: '',
          files: [theirFile, theirFile],
          labels: { accent: 'neutral' },
          removeBackgroundNoise: false,
        }),
      () =>
        ours.voices.add({
          name: 'Mine',
          description: '',
          files: [ourFile, ourFile],
          labels: { accent: 'neutral' },
          remove_background_noise: false,
        }),
    );
    await same(
      () => sdk.voices.update('voice_1', { name: 'Renamed' }),
      () => ours.voices.edit('voice_1', { name: 'Renamed' }),
    );
    await same(
      () => sdk.voices.settings.update('voice_1', { stability: 0.25, similarityBoost: 0 }),
      () => ours.voices.editSettings('voice_1', { stability: 0.25, similarity_boost: 0 }),
    );
    await same(
      () => sdk.voices.settings.get('voice_1'),
      () => ours.voices.settings('voice_1'),
    );
    await same(
      () => sdk.voices.getShared({ language: 'de', pageSize: 2, useCases: ['narration'] }),
      () => ours.voices.shared({ language: 'de', page_size: 2, use_cases: ['narration'] }),
    );
    await same(
      () => sdk.voices.share('owner_1', 'shared_1', { newName: 'Borrowed' }),
      () => ours.voices.addShared('owner_1', 'shared_1', { new_name: 'Borrowed' }),
    );
    // The second delete of one voice would be refused; each client deletes its own.
    const theirs = await sentBy(harness, keyHeader, () => sdk.voices.delete('voice_1'));
    const mine = await sentBy(harness, keyHeader, () => ours.voices.delete('voice_2'));
    expect(mine).toEqual(theirs.map((request) => ({ ...request, path: '/v1/voices/voice_2' })));
  });

  it('models, account, usage, history', async () => {
    await same(
      () => sdk.models.list(),
      () => ours.models(),
    );
    await same(
      () => sdk.user.subscription.get(),
      () => ours.account.subscription(),
    );
    await same(
      () => sdk.user.get(),
      () => ours.account.user(),
    );
    const [start, end] = [1_790_000_000_000, 1_790_200_000_000];
    await same(
      () => sdk.usage.get({ startUnix: start, endUnix: end }),
      () => ours.account.usage({ start_unix: start, end_unix: end }),
    );
    await same(
      () => sdk.history.list({ pageSize: 2, voiceId: voice, search: 'index' }),
      () => ours.account.history.list({ page_size: 2, voice_id: voice, search: 'index' }),
    );
    await same(
      () => sdk.history.getAudio('history_1'),
      () => ours.account.history.audio('history_1'),
    );
    await same(
      () => sdk.history.download({ historyItemIds: ['history_1', 'history_2'], outputFormat: 'default' }),
      () => ours.account.history.download({ history_item_ids: ['history_1', 'history_2'], output_format: 'default' }),
    );
    await same(
      () => sdk.tokens.singleUse.create('tts_websocket'),
      () => ours.tokens.create('tts_websocket'),
    );
  });

  it('pronunciation dictionaries', async () => {
    const rules = [
      { type: 'alias' as const, string_to_replace: 'RAG', alias: 'rag' },
      { type: 'phoneme' as const, string_to_replace: 'Nguyen', phoneme: 'W IH1 N', alphabet: 'cmu-arpabet' },
    ];
    const theirRules = [
      { type: 'alias' as const, stringToReplace: 'RAG', alias: 'rag' },
      { type: 'phoneme' as const, stringToReplace: 'Nguyen', phoneme: 'W IH1 N', alphabet: 'cmu-arpabet' },
    ];
    const id = 'dictionary_1';
    await same(
      () => sdk.pronunciationDictionaries.createFromRules({ name: 'terms', rules: theirRules }),
      () => ours.dictionaries.addFromRules({ name: 'terms', rules }),
    );
    await same(
      () => sdk.pronunciationDictionaries.rules.add(id, { rules: theirRules.slice(0, 1) }),
      () => ours.dictionaries.addRules(id, rules.slice(0, 1)),
    );
    await same(
      () => sdk.pronunciationDictionaries.rules.set(id, { rules: theirRules }),
      () => ours.dictionaries.setRules(id, rules),
    );
    await same(
      () => sdk.pronunciationDictionaries.rules.remove(id, { ruleStrings: ['RAG'] }),
      () => ours.dictionaries.removeRules(id, ['RAG']),
    );
    await same(
      () => sdk.pronunciationDictionaries.get(id),
      () => ours.dictionaries.get(id),
    );
  });

  it('sounds, music, alignment, isolation, voice changing and design', async () => {
    await same(
      () => sdk.textToSoundEffects.convert({ text: 'rain', durationSeconds: 2, promptInfluence: 0.3, loop: true }),
      () => ours.soundEffects.create({ text: 'rain', duration_seconds: 2, prompt_influence: 0.3, loop: true }),
    );
    const music = { prompt: 'calm piano', musicLengthMs: 10_000, modelId: 'music_v1' as const };
    await same(
      () => sdk.music.compose(music),
      () => ours.music.create({ prompt: 'calm piano', music_length_ms: 10_000, model_id: 'music_v1' }),
    );
    await same(
      () => sdk.music.stream(music),
      () => ours.music.stream({ prompt: 'calm piano', music_length_ms: 10_000, model_id: 'music_v1' }),
    );
    await same(
      () => sdk.music.compositionPlan.create(music),
      () => ours.music.plan({ prompt: 'calm piano', music_length_ms: 10_000, model_id: 'music_v1' }),
    );
    await same(
      () => sdk.forcedAlignment.create({ file: theirFile, text: 'Hello there.' }),
      () => ours.alignment.create({ file: ourFile, text: 'Hello there.' }),
    );
    await same(
      () => sdk.audioIsolation.convert({ audio: theirFile }),
      () => ours.isolation.create({ audio: ourFile }),
    );
    await same(
      () => sdk.speechToSpeech.convert('v_host', { audio: theirFile, modelId: wire('voice_multilingual_v2'), seed: 1 }),
      () =>
        ours.voiceChanger.create({ voice_id: 'v_host', audio: ourFile, model_id: 'voice_multilingual_v2', seed: 1 }),
    );
    const voiceDescription = 'A calm narrator with a warm and clear voice';
    await same(
      () => sdk.textToVoice.design({ voiceDescription, autoGenerateText: true }),
      () => ours.voiceDesign.design({ voice_description: voiceDescription, auto_generate_text: true }),
    );
    const created = { voiceName: 'Designed', voiceDescription };
    const theirs = await sentBy(harness, keyHeader, () =>
      sdk.textToVoice.create({ ...created, generatedVoiceId: 'preview_1' }),
    );
    const mine = await sentBy(harness, keyHeader, () =>
      ours.voiceDesign.create({
        voice_name: 'Designed',
        voice_description: voiceDescription,
        generated_voice_id: 'preview_2',
      }),
    );
    expect(mine).toEqual(
      theirs.map((request) => ({ ...request, body: { ...(request.body as object), generated_voice_id: 'preview_2' } })),
    );
  });

  it('dubbing and agents', async () => {
    await same(
      () => sdk.dubbing.create({ file: theirFile, targetLang: 'de', sourceLang: 'en', numSpeakers: 1 }),
      () => ours.dubbing.create({ file: ourFile, target_lang: 'de', source_lang: 'en', num_speakers: 1 }),
    );
    await same(
      () => sdk.dubbing.get('dub_1'),
      () => ours.dubbing.get('dub_1'),
    );
    await same(
      () => sdk.conversationalAi.agents.create({ conversationConfig: {}, name: 'Clerk' }),
      () => ours.agents.create({ conversation_config: {}, name: 'Clerk' }),
    );
    await same(
      () => sdk.conversationalAi.agents.update('agent_1', { name: 'Archivist' }),
      () => ours.agents.update('agent_1', { name: 'Archivist' }),
    );
    await same(
      () => sdk.conversationalAi.agents.get('agent_1'),
      () => ours.agents.get('agent_1'),
    );
    await same(
      () => sdk.conversationalAi.conversations.getSignedUrl({ agentId: 'agent_1' }),
      () => ours.agents.signedUrl('agent_1'),
    );
    await same(
      () => sdk.conversationalAi.knowledgeBase.documents.createFromText({ text: 'The limit is 512.', name: 'limits' }),
      () => ours.agents.knowledge.addText({ text: 'The limit is 512.', name: 'limits' }),
    );
  });
});
