import { ElevenLabs, ElevenLabsClient, ElevenLabsError } from '@elevenlabs/elevenlabs-js';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { audioService } from './audio/audio-service.ts';
import { wavFile } from './audio/formats.ts';
import { type Harness, serve } from './harness.ts';

const apiKey = 'test-audio-key';
/** The header the SDK sends; ours is neutral, the service takes either by configuration. */
const keyHeader = 'xi-api-key';
const service = audioService({ dialect: 'public', keyHeader });
const { script } = service;
let harness: Harness;
let sdk: ElevenLabsClient;

beforeAll(async () => {
  harness = await serve([service]);
  sdk = new ElevenLabsClient({ apiKey, baseUrl: harness.url, maxRetries: 0 });
});
afterAll(() => harness.close());
beforeEach(() => {
  for (const key of Object.keys(script)) delete script[key as keyof typeof script];
});

const said = 'The index holds 12 recordings.';
const voice = 'v_narrator';

async function read(stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  // Node's web streams are async iterables; the type without DOM does not say so.
  for await (const piece of stream as AsyncIterable<Uint8Array>) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Not silent, and of a length known by its header. */
function recording(seconds = 6, channels = 1): Blob {
  const samples = Int16Array.from({ length: 16_000 * seconds * channels }, (_, at) => (at % 200) * 100 + 1);
  return new Blob([Buffer.from(wavFile(samples, 16_000, channels))], { type: 'audio/wav' });
}

const file = (blob: Blob, filename: string) => ({ data: blob, filename, contentType: 'audio/wav' });

describe("the audio service's own SDK works against the stand-in", () => {
  it('speaks: complete, streamed, with times, streamed with times', async () => {
    const { data, rawResponse } = await sdk.textToSpeech
      .convert(voice, { text: said, modelId: 'voice_multilingual_v2', outputFormat: 'pcm_16000' })
      .withRawResponse();
    const audio = await read(data);
    // 60 ms per character, 2 bytes per sample.
    expect(audio.length).toBe(Math.round(said.length * 0.06 * 16_000) * 2);
    expect(rawResponse.headers.get('character-cost')).toBe(String(said.length));
    expect(service.generations.has(String(rawResponse.headers.get('request-id')))).toBe(true);

    const streamed = await read(await sdk.textToSpeech.stream(voice, { text: said, outputFormat: 'pcm_16000' }));
    expect(streamed.equals(audio)).toBe(true);

    const timed = await sdk.textToSpeech.convertWithTimestamps(voice, { text: said });
    expect(timed.alignment?.characters.join('')).toBe(said);
    expect(timed.normalizedAlignment?.characters.join('')).toContain('one two');
    // MPEG-1 layer III at 128 kbit/s and 44.1 kHz.
    expect(Buffer.from(timed.audioBase64, 'base64').subarray(0, 3)).toEqual(Buffer.from([0xff, 0xfb, 0x90]));

    const lines = [];
    for await (const line of await sdk.textToSpeech.streamWithTimestamps(voice, { text: said.repeat(4) }))
      lines.push(line);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.flatMap(({ alignment }) => alignment?.characters ?? []).join('')).toBe(said.repeat(4));
  });

  it('stitches with ids it has given, and refuses others and v3', async () => {
    const { data, rawResponse } = await sdk.textToSpeech.stream(voice, { text: said }).withRawResponse();
    await read(data);
    const id = String(rawResponse.headers.get('request-id'));
    await read(await sdk.textToSpeech.convert(voice, { text: said, previousRequestIds: [id] }));
    const bad = (request: ElevenLabs.BodyTextToSpeechFull) => sdk.textToSpeech.convert(voice, request);
    await expect(bad({ text: said, previousRequestIds: ['request_unknown'] })).rejects.toMatchObject({
      statusCode: 400,
    });
    await expect(bad({ text: said, modelId: 'voice_v3', previousRequestIds: [id] })).rejects.toMatchObject({
      statusCode: 400,
      body: { detail: { code: 'unsupported_model', param: 'previous_request_ids' } },
    });
  });

  it('speaks dialogue, with a segment per line', async () => {
    const inputs = [
      { text: '[excited] Three reports agree.', voiceId: 'v_host' },
      { text: 'On what, exactly?', voiceId: 'v_guest' },
    ];
    const characters = inputs[0]!.text.length + inputs[1]!.text.length;
    const audio = await read(await sdk.textToDialogue.convert({ inputs, outputFormat: 'pcm_8000' }));
    expect(audio.length).toBe(Math.round(characters * 0.06 * 8000) * 2);
    expect((await read(await sdk.textToDialogue.stream({ inputs, outputFormat: 'pcm_8000' }))).equals(audio)).toBe(
      true,
    );
    const timed = await sdk.textToDialogue.convertWithTimestamps({ inputs });
    expect(timed.voiceSegments.map(({ voiceId, dialogueInputIndex }) => [voiceId, dialogueInputIndex])).toEqual([
      ['v_host', 0],
      ['v_guest', 1],
    ]);
    const segments = [];
    for await (const line of await sdk.textToDialogue.streamWithTimestamps({ inputs }))
      segments.push(...line.voiceSegments);
    expect(segments.map(({ dialogueInputIndex }) => dialogueInputIndex)).toEqual([0, 1]);
  });

  it('transcribes: words, speakers, channels, later', async () => {
    const plain = await sdk.speechToText.convert({
      modelId: 'scribe_v2',
      file: file(recording(), 'talk.wav'),
      diarize: true,
      keyterms: ['index', 'recordings'],
      additionalFormats: [{ format: 'srt' }],
    });
    if (!('words' in plain)) throw new Error('expected a plain transcript');
    expect(plain.words.map(({ text }) => text).join('')).toBe(plain.text);
    expect(plain.words.find(({ type }) => type === 'audio_event')?.text).toBe('(laughter)');
    expect(new Set(plain.words.map(({ speakerId }) => speakerId))).toEqual(new Set(['speaker_0', 'speaker_1']));
    const terms = harness.requests.at(-1)?.parts.filter(({ name }) => name === 'keyterms');
    expect(terms?.map(({ text }) => text)).toEqual(['index', 'recordings']);

    const channels = await sdk.speechToText.convert({
      modelId: 'scribe_v2',
      file: file(recording(6, 2), 'call.wav'),
      useMultiChannel: true,
    });
    if (!('transcripts' in channels)) throw new Error('expected a transcript per channel');
    expect(channels.transcripts?.map(({ channelIndex }) => channelIndex)).toEqual([0, 1]);

    const later = await sdk.speechToText.convert({
      modelId: 'scribe_v2',
      file: file(recording(), 'talk.wav'),
      webhook: true,
      webhookMetadata: { doc: 'd9' },
    });
    const id = 'transcriptionId' in later ? String(later.transcriptionId) : '';
    const stored = await sdk.speechToText.transcripts.get(id);
    expect('text' in stored && stored.text).toBe(plain.text);
    await sdk.speechToText.transcripts.delete(id);
    await expect(sdk.speechToText.transcripts.get(id)).rejects.toMatchObject({ statusCode: 404 });
  });

  it('lists, adds, edits and deletes voices', async () => {
    expect((await sdk.voices.getAll()).voices.map(({ voiceId }) => voiceId)).toContain(voice);
    const { voiceId } = await sdk.voices.ivc.create({
      name: 'Mine',
      description: 'A test',
      files: [file(recording(1), 'a.wav'), file(recording(1), 'b.wav')],
      labels: { accent: 'neutral' },
    });
    expect((await sdk.voices.get(voiceId)).samples).toHaveLength(2);
    await sdk.voices.update(voiceId, { name: 'Renamed' });
    await sdk.voices.settings.update(voiceId, { stability: 0.25 });
    expect((await sdk.voices.settings.get(voiceId)).stability).toBe(0.25);
    expect((await sdk.voices.settings.getDefault()).stability).toBe(0.5);
    const page = await sdk.voices.search({ pageSize: 2, search: 'e', includeTotalCount: true });
    expect(page.voices).toHaveLength(2);
    expect(page.hasMore).toBe(true);
    await sdk.voices.delete(voiceId);
    await expect(sdk.voices.get(voiceId)).rejects.toMatchObject({ statusCode: 404 });
    const shared = await sdk.voices.getShared({ language: 'de' });
    const found = shared.voices[0]!;
    const added = await sdk.voices.share(found.publicOwnerId, found.voiceId, { newName: 'Borrowed' });
    expect(added.voiceId).toBe(found.voiceId);
  });

  it('tells models, account, usage and history', async () => {
    const models = await sdk.models.list();
    expect(models.find(({ modelId }) => modelId === 'voice_v3')?.maximumTextLengthPerRequest).toBe(5000);
    const before = await sdk.user.subscription.get();
    await read(await sdk.textToSpeech.convert(voice, { text: 'A new line.', modelId: 'voice_flash_v2_5' }));
    const after = await sdk.user.subscription.get();
    // Half a credit per character, rounded up.
    expect(after.characterCount - before.characterCount).toBe(6);
    expect((await sdk.user.get()).subscription.tier).toBe('pro');
    const end = Date.now() + 3_600_000;
    const usage = await sdk.usage.get({ startUnix: end - 86_400_000, endUnix: end });
    expect(usage.usage.All?.reduce((sum, credits) => sum + credits, 0)).toBeGreaterThan(6);
    const history = await sdk.history.list({ pageSize: 1 });
    const item = history.history[0]!;
    expect(item.text).toBe('A new line.');
    expect(history.hasMore).toBe(true);
    expect((await sdk.history.get(item.historyItemId)).requestId).toBe(item.requestId);
    expect((await read(await sdk.history.getAudio(item.historyItemId))).length).toBeGreaterThan(1000);
    expect((await read(await sdk.history.download({ historyItemIds: [item.historyItemId] }))).length).toBeGreaterThan(
      1000,
    );
    await sdk.history.delete(item.historyItemId);
    await expect(sdk.history.get(item.historyItemId)).rejects.toMatchObject({ statusCode: 404 });
    expect((await sdk.tokens.singleUse.create('realtime_scribe')).token).toMatch(/^token_/);
  });

  it('keeps pronunciation dictionaries, and speaks by them', async () => {
    const made = await sdk.pronunciationDictionaries.createFromRules({
      name: 'terms',
      rules: [{ type: 'alias', stringToReplace: 'RAG', alias: 'rag' }],
    });
    const changed = await sdk.pronunciationDictionaries.rules.add(made.id, {
      rules: [{ type: 'alias', stringToReplace: 'nDCG', alias: 'discounted gain' }],
    });
    expect(changed.versionId).not.toBe(made.versionId);
    const timed = await sdk.textToSpeech.convertWithTimestamps(voice, {
      text: 'RAG, nDCG.',
      pronunciationDictionaryLocators: [{ pronunciationDictionaryId: made.id }],
    });
    expect(timed.normalizedAlignment?.characters.join('')).toBe('rag, discounted gain.');
    expect(timed.alignment?.characters.join('')).toBe('RAG, nDCG.');
    const lexicon = await read(await sdk.pronunciationDictionaries.download(made.id, changed.versionId));
    expect(lexicon.toString()).toContain('<grapheme>nDCG</grapheme>');
    await sdk.pronunciationDictionaries.rules.remove(made.id, { ruleStrings: ['RAG'] });
    await sdk.pronunciationDictionaries.update(made.id, { name: 'other', archived: true });
    expect((await sdk.pronunciationDictionaries.get(made.id)).name).toBe('other');
    const copied = await sdk.pronunciationDictionaries.createFromFile({
      name: 'from file',
      file: { data: new Blob([lexicon]), filename: 'terms.pls' },
    });
    expect(copied.versionRulesNum).toBe(2);
    expect((await sdk.pronunciationDictionaries.list()).pronunciationDictionaries).toHaveLength(2);
  });

  it('makes sounds, music, voices, alignments and isolated speech', async () => {
    const sound = await read(
      await sdk.textToSoundEffects.convert({ text: 'rain', durationSeconds: 2, outputFormat: 'pcm_8000' }),
    );
    expect(sound.length).toBe(2 * 8000 * 2);
    const plan = await sdk.music.compositionPlan.create({ prompt: 'calm piano', musicLengthMs: 20_000 });
    const song = { compositionPlan: plan, outputFormat: 'pcm_8000' as const };
    expect((await read(await sdk.music.compose(song))).length).toBe(20 * 8000 * 2);
    expect((await read(await sdk.music.stream(song))).length).toBe(20 * 8000 * 2);
    // The SDK's wrapper parses the parts, prints that it did, and does not say so in its type.
    const quiet = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const request = { prompt: 'calm piano', musicLengthMs: 10_000, outputFormat: 'pcm_8000' as const };
    const detailed = (await sdk.music.composeDetailed(request)) as unknown as { audio: Uint8Array; json: unknown };
    quiet.mockRestore();
    expect(detailed.json).toHaveProperty('compositionPlan.sections');
    expect(detailed.audio.length).toBe(10 * 8000 * 2);

    const words = await sdk.forcedAlignment.create({ file: file(recording(2), 'a.wav'), text: 'Hello there.' });
    expect(words.words.map(({ text }) => text)).toEqual(['Hello', 'there.']);
    expect(words.characters.at(-1)?.end).toBe(2);
    const audio = file(recording(1), 'a.wav');
    expect((await read(await sdk.audioIsolation.convert({ audio }))).length).toBeGreaterThan(1000);
    const changed = await sdk.speechToSpeech.convert(voice, { audio, modelId: 'voice_multilingual_v2' });
    expect((await read(changed)).length).toBeGreaterThan(1000);

    const description = 'A calm narrator with a warm and clear voice';
    const { previews } = await sdk.textToVoice.design({ voiceDescription: description, autoGenerateText: true });
    const { voiceId } = await sdk.textToVoice.create({
      voiceName: 'Designed',
      voiceDescription: description,
      generatedVoiceId: String(previews[0]?.generatedVoiceId),
    });
    expect((await sdk.voices.get(voiceId)).category).toBe('generated');
  });

  it('dubs, and is not ready at once', async () => {
    const dub = await sdk.dubbing.create({ file: file(recording(2), 'talk.wav'), targetLang: 'de' });
    await expect(sdk.dubbing.audio.get(dub.dubbingId, 'de')).rejects.toMatchObject({ statusCode: 425 });
    expect((await sdk.dubbing.get(dub.dubbingId)).status).toBe('dubbing');
    expect((await sdk.dubbing.get(dub.dubbingId)).status).toBe('dubbed');
    expect((await read(await sdk.dubbing.audio.get(dub.dubbingId, 'de'))).length).toBeGreaterThan(1000);
    await sdk.dubbing.delete(dub.dubbingId);
    await expect(sdk.dubbing.get(dub.dubbingId)).rejects.toMatchObject({ statusCode: 404 });
  });

  it('manages agents and their knowledge', async () => {
    const { agentId } = await sdk.conversationalAi.agents.create({ conversationConfig: {}, name: 'Clerk' });
    await sdk.conversationalAi.agents.update(agentId, { name: 'Archivist' });
    expect((await sdk.conversationalAi.agents.get(agentId)).name).toBe('Archivist');
    const documents = sdk.conversationalAi.knowledgeBase.documents;
    expect((await documents.createFromText({ text: 'The limit is 512.', name: 'limits' })).name).toBe('limits');
    expect((await documents.createFromUrl({ url: 'https://example.org/spec' })).id).toMatch(/^document_/);
    expect((await documents.createFromFile({ file: file(recording(1), 'notes.wav') })).name).toBe('notes.wav');
    const { conversations } = await sdk.conversationalAi.conversations.list({ agentId });
    expect((await sdk.conversationalAi.conversations.get(String(conversations[0]?.conversationId))).status).toBe(
      'done',
    );
    const { signedUrl } = await sdk.conversationalAi.conversations.getSignedUrl({ agentId });
    expect(signedUrl).toContain(`agent_id=${agentId}`);
    await sdk.conversationalAi.agents.delete(agentId);
    await expect(sdk.conversationalAi.agents.get(agentId)).rejects.toMatchObject({ statusCode: 404 });
  });

  it('refuses in four shapes: current, legacy, schema before the key, unknown path', async () => {
    const stranger = new ElevenLabsClient({ apiKey: 'wrong', baseUrl: harness.url, maxRetries: 0 });
    await expect(stranger.voices.getAll()).rejects.toMatchObject({
      statusCode: 401,
      body: { detail: { type: 'authentication_error', code: 'invalid_api_key' } },
    });
    const unstable = stranger.textToSpeech.convert(voice, { text: said, voiceSettings: { stability: 2 } });
    await expect(unstable).rejects.toBeInstanceOf(ElevenLabs.UnprocessableEntityError);
    script.legacyErrors = true;
    await expect(sdk.textToSpeech.convert('v_nobody', { text: said })).rejects.toMatchObject({
      statusCode: 400,
      body: { detail: { status: 'voice_does_not_exist' } },
    });
    await expect(sdk.samples.delete('v', 's')).rejects.toMatchObject({
      statusCode: 404,
      body: { detail: 'Not Found' },
    });
    await expect(sdk.samples.delete('v', 's')).rejects.toBeInstanceOf(ElevenLabsError);
  });
});
