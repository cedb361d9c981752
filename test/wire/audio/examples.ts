import { longDialogue, longSpeech, memorySegments } from '../../../src/services/audio/index.ts';
import { type AudioService, signWebhook } from '../../../src/wire/audio/index.ts';

/** Ids that an example takes from an earlier one, and a recording to send. */
export interface Given {
  readonly recording: Uint8Array;
  readonly transcriptionId: string;
  readonly historyItemId: string;
  readonly dictionaryId: string;
  readonly versionId: string;
  readonly voiceId: string;
  readonly previewId: string;
  readonly dubbingId: string;
  readonly projectId: string;
  readonly languageId: string;
  readonly agentId: string;
  readonly conversationId: string;
}

/**
 * One short example per operation: the README prints the body without its `return`, or what stands between the marks,
 * and the tests run it.
 */
export const examples: Readonly<Record<string, (audio: AudioService, given: Given) => Promise<unknown>>> = {
  'speech.create': async (audio) => {
    const speech = await audio.speech.create({
      voice_id: 'v_narrator',
      text: 'The index holds 12 recordings.',
      model_id: 'voice_multilingual_v2',
    });
    console.assert(speech.mediaType === 'audio/mpeg' && speech.credits !== undefined);
    return speech;
  },
  'speech.stream': async (audio) => {
    let bytes = 0;
    const stream = await audio.speech.stream({ voice_id: 'v_narrator', text: 'Sound as it is made.' });
    for await (const chunk of stream) bytes += chunk.length;
    return bytes;
  },
  'speech.withTimestamps': async (audio) => {
    const { alignment } = await audio.speech.withTimestamps({
      voice_id: 'v_narrator',
      text: 'Every character has a time.',
    });
    return alignment;
  },
  'speech.streamWithTimestamps': async (audio) => {
    const characters: string[] = [];
    const stream = await audio.speech.streamWithTimestamps({ voice_id: 'v_narrator', text: 'On one clock.' });
    for await (const chunk of stream) characters.push(...(chunk.alignment?.characters ?? []));
    return characters.join('');
  },
  'speech.live': async (audio) => {
    async function* answer(): AsyncGenerator<string> {
      yield* ['The lim', 'it is 5,000 ', 'characters.'];
    }
    let bytes = 0;
    const request = { voice_id: 'v_narrator', model_id: 'voice_flash_v2_5', output_format: 'pcm_16000' };
    for await (const { audio: sound } of audio.speech.live(answer(), request)) bytes += sound.length;
    return bytes;
  },
  'speech.liveMulti': async (audio) => {
    await using session = await audio.speech.liveMulti({ voice_id: 'v_narrator' });
    await session.send('answer', 'One moment. ');
    await session.send('aside', 'Looking it up. ');
    await session.end();
    const heard = new Set<string | undefined>();
    for await (const { contextId } of session) heard.add(contextId);
    return [...heard];
  },
  'dialogue.create': async (audio) => {
    const { audio: sound } = await audio.dialogue.create({
      inputs: [
        { voice_id: 'v_host', text: '[excited] Three reports agree.' },
        { voice_id: 'v_guest', text: 'On what, exactly?' },
      ],
    });
    return sound;
  },
  'dialogue.stream': async (audio) => {
    let bytes = 0;
    const stream = await audio.dialogue.stream({ inputs: [{ voice_id: 'v_host', text: 'Welcome back.' }] });
    for await (const chunk of stream) bytes += chunk.length;
    return bytes;
  },
  'dialogue.withTimestamps': async (audio) => {
    const { voice_segments } = await audio.dialogue.withTimestamps({
      inputs: [
        { voice_id: 'v_host', text: 'Who speaks when?' },
        { voice_id: 'v_guest', text: 'The segments tell.' },
      ],
    });
    return voice_segments;
  },
  'dialogue.streamWithTimestamps': async (audio) => {
    let bytes = 0;
    const stream = await audio.dialogue.streamWithTimestamps({
      inputs: [{ voice_id: 'v_host', text: 'And times too.' }],
    });
    for await (const chunk of stream) bytes += chunk.audio.length;
    return bytes;
  },
  'dialogue.live': async (audio) => {
    const turns = [
      { voice_id: 'v_host', text: 'Is it ready?' },
      { voice_id: 'v_guest', text: 'Nearly.', flush: true },
    ];
    let bytes = 0;
    for await (const { audio: sound } of audio.dialogue.live(turns, { voices: ['v_host', 'v_guest'] }))
      bytes += sound.length;
    return bytes;
  },
  'transcripts.create': async (audio, { recording }) => {
    const result = await audio.transcripts.create({
      file: { content: recording, filename: 'meeting.wav' },
      diarize: true,
      keyterms: ['index', 'request limit'],
    });
    const text = result.kind === 'transcript' ? result.transcript.text : result.kind;
    return text;
  },
  'transcripts.get': async (audio, { transcriptionId }) => {
    const result = await audio.transcripts.get(transcriptionId);
    const words = result.kind === 'transcript' ? result.transcript.words : [];
    return words;
  },
  'transcripts.delete': async (audio, { transcriptionId }) => {
    const { status } = await audio.transcripts.delete(transcriptionId);
    return status;
  },
  'transcripts.realtime': async (audio, { recording }) => {
    const final: string[] = [];
    for await (const event of audio.transcripts.realtime([recording], { audio_format: 'pcm_16000' })) {
      if (event.type === 'committed_transcript') final.push(event.text);
    }
    return final;
  },
  'voices.list': async (audio) => {
    const { voices } = await audio.voices.list();
    return voices;
  },
  'voices.search': async (audio) => {
    const names: string[] = [];
    for await (const voice of audio.voices.all({ page_size: 2 })) names.push(voice.name ?? voice.voice_id);
    return names;
  },
  'voices.get': async (audio) => {
    const { name } = await audio.voices.get('v_narrator');
    return name;
  },
  'voices.add': async (audio, { recording }) => {
    const { voice_id } = await audio.voices.add({
      name: 'Ada',
      description: 'A calm voice',
      files: [{ content: recording, filename: 'ada.wav' }],
    });
    return voice_id;
  },
  'voices.edit': async (audio, { voiceId }) => {
    const { status } = await audio.voices.edit(voiceId, { name: 'Ada, slower', labels: { pace: 'slow' } });
    return status;
  },
  'voices.delete': async (audio, { voiceId }) => {
    const { status } = await audio.voices.delete(voiceId);
    return status;
  },
  'voices.settings': async (audio) => {
    const { stability } = await audio.voices.settings('v_narrator');
    return stability;
  },
  'voices.editSettings': async (audio, { voiceId }) => {
    const { status } = await audio.voices.editSettings(voiceId, { stability: 0.4, similarity_boost: 0.8 });
    return status;
  },
  'voices.defaultSettings': async (audio) => {
    const { similarity_boost } = await audio.voices.defaultSettings();
    return similarity_boost;
  },
  'voices.shared': async (audio) => {
    const { voices } = await audio.voices.shared({ language: 'en', page_size: 3 });
    return voices;
  },
  'voices.addShared': async (audio) => {
    const { voice_id } = await audio.voices.addShared('owner_1', 'shared_1', { new_name: 'Bruno' });
    return voice_id;
  },
  models: async (audio) => {
    const models = await audio.models();
    const limits = models.map(({ model_id, maximum_text_length_per_request }) => [
      model_id,
      maximum_text_length_per_request,
    ]);
    return limits;
  },
  'account.subscription': async (audio) => {
    const { tier, character_count, character_limit } = await audio.account.subscription();
    const creditsLeft = character_limit - character_count;
    return [tier, creditsLeft];
  },
  'account.user': async (audio) => {
    const profile = await audio.account.user(); // without the key
    return profile;
  },
  'account.usage': async (audio) => {
    const day = 24 * 60 * 60 * 1_000;
    const { time, usage } = await audio.account.usage({ start_unix: Date.now() - 7 * day, end_unix: Date.now() });
    return [time, usage];
  },
  'account.history.list': async (audio) => {
    const { history } = await audio.account.history.list({ page_size: 10 });
    return history;
  },
  'account.history.get': async (audio, { historyItemId }) => {
    const { text } = await audio.account.history.get(historyItemId);
    return text;
  },
  'account.history.audio': async (audio, { historyItemId }) => {
    const { audio: sound } = await audio.account.history.audio(historyItemId);
    return sound;
  },
  'account.history.download': async (audio, { historyItemId }) => {
    const { audio: file, mediaType } = await audio.account.history.download({ history_item_ids: [historyItemId] });
    return [file, mediaType];
  },
  'account.history.delete': async (audio, { historyItemId }) => {
    const { status } = await audio.account.history.delete(historyItemId);
    return status;
  },
  'dictionaries.addFromRules': async (audio) => {
    const dictionary = await audio.dictionaries.addFromRules({
      name: 'terms',
      rules: [{ type: 'alias', string_to_replace: 'RAG', alias: 'rag' }],
    });
    return dictionary;
  },
  'dictionaries.addFromFile': async (audio) => {
    const lexicon =
      '<?xml version="1.0" encoding="UTF-8"?><lexicon version="1.0"><lexeme><grapheme>RAG</grapheme><alias>rag</alias></lexeme></lexicon>';
    // example: dictionaries.addFromFile
    const content = new TextEncoder().encode(lexicon);
    const dictionary = await audio.dictionaries.addFromFile({
      name: 'terms',
      file: { content, filename: 'terms.pls' },
    });
    // end
    return dictionary;
  },
  'dictionaries.addRules': async (audio, { dictionaryId }) => {
    const { version_id } = await audio.dictionaries.addRules(dictionaryId, [
      { type: 'phoneme', string_to_replace: 'Nguyen', phoneme: 'W IH1 N', alphabet: 'cmu-arpabet' },
    ]);
    return version_id;
  },
  'dictionaries.setRules': async (audio, { dictionaryId }) => {
    const { version_id } = await audio.dictionaries.setRules(dictionaryId, [
      { type: 'alias', string_to_replace: 'kWh', alias: 'kilowatt hours' },
    ]);
    return version_id;
  },
  'dictionaries.removeRules': async (audio, { dictionaryId }) => {
    const { version_id } = await audio.dictionaries.removeRules(dictionaryId, ['RAG']);
    return version_id;
  },
  'dictionaries.get': async (audio, { dictionaryId }) => {
    const { name } = await audio.dictionaries.get(dictionaryId);
    return name;
  },
  'dictionaries.list': async (audio) => {
    const { pronunciation_dictionaries } = await audio.dictionaries.list({ page_size: 10 });
    return pronunciation_dictionaries;
  },
  'dictionaries.update': async (audio, { dictionaryId }) => {
    const { name } = await audio.dictionaries.update(dictionaryId, { name: 'old terms', archived: true });
    return name;
  },
  'dictionaries.download': async (audio, { dictionaryId, versionId }) => {
    const lexicon = new TextDecoder().decode(await audio.dictionaries.download(dictionaryId, versionId));
    return lexicon;
  },
  'soundEffects.create': async (audio) => {
    const { audio: sound, credits } = await audio.soundEffects.create({
      text: 'A page is turned',
      duration_seconds: 1.5,
    });
    return [sound, credits];
  },
  'music.create': async (audio) => {
    const { audio: song, songId } = await audio.music.create({ prompt: 'Calm piano', music_length_ms: 10_000 });
    return [song, songId];
  },
  'music.stream': async (audio) => {
    let bytes = 0;
    for await (const chunk of await audio.music.stream({ prompt: 'Calm piano', music_length_ms: 10_000 }))
      bytes += chunk.length;
    return bytes;
  },
  'music.detailed': async (audio) => {
    const { audio: song, details } = await audio.music.detailed({ prompt: 'Calm piano', music_length_ms: 10_000 });
    return [song, details];
  },
  'music.streamDetailed': async (audio) => {
    let events = 0;
    for await (const _ of audio.music.streamDetailed({ prompt: 'Calm piano', music_length_ms: 10_000 })) events++;
    return events;
  },
  'music.plan': async (audio) => {
    const { info, ...plan } = await audio.music.plan({ prompt: 'Calm piano', music_length_ms: 10_000 });
    const song = await audio.music.create({ composition_plan: plan });
    return [info.status, song.audio];
  },
  'dubbing.create': async (audio, { recording }) => {
    const { dubbing_id } = await audio.dubbing.create({
      file: { content: recording, filename: 'talk.wav' },
      target_lang: 'de',
    });
    return dubbing_id;
  },
  'dubbing.get': async (audio, { dubbingId }) => {
    const { status } = await audio.dubbing.wait(dubbingId, { pollMs: 5 });
    return status;
  },
  'dubbing.audio': async (audio, { dubbingId }) => {
    let bytes = 0;
    for await (const chunk of await audio.dubbing.audio(dubbingId, 'de')) bytes += chunk.length;
    return bytes;
  },
  'dubbing.transcript': async (audio, { dubbingId }) => {
    const captions = await audio.dubbing.transcript(dubbingId, 'de', 'webvtt');
    return captions;
  },
  'dubbing.delete': async (audio, { dubbingId }) => {
    const { status } = await audio.dubbing.delete(dubbingId);
    return status;
  },
  'dubbing.projects.create': async (audio, { recording }) => {
    const { project_id } = await audio.dubbing.projects.create({ file: { content: recording, filename: 'talk.wav' } });
    return project_id;
  },
  'dubbing.projects.get': async (audio, { projectId }) => {
    const { status } = await audio.dubbing.projects.wait(projectId, { pollMs: 5 });
    return status;
  },
  'dubbing.projects.addLanguage': async (audio, { projectId }) => {
    const { language_id } = await audio.dubbing.projects.addLanguage(projectId, { target_language: 'de' });
    return language_id;
  },
  'dubbing.projects.getLanguage': async (audio, { projectId, languageId }) => {
    const { status } = await audio.dubbing.projects.waitLanguage(projectId, languageId, { pollMs: 5 });
    return status;
  },
  'dubbing.projects.delete': async (audio, { projectId }) => {
    const { status } = await audio.dubbing.projects.delete(projectId);
    return status;
  },
  'voiceDesign.design': async (audio) => {
    const { previews } = await audio.voiceDesign.design({
      voice_description: 'A warm, unhurried reader of long reports',
      auto_generate_text: true,
    });
    return previews;
  },
  'voiceDesign.create': async (audio, { previewId }) => {
    const { voice_id } = await audio.voiceDesign.create({
      voice_name: 'Reader',
      voice_description: 'A warm, unhurried reader of long reports',
      generated_voice_id: previewId,
    });
    return voice_id;
  },
  'voiceChanger.create': async (audio, { recording }) => {
    const { audio: sound } = await audio.voiceChanger.create({ voice_id: 'v_host', audio: recording });
    return sound;
  },
  'voiceChanger.stream': async (audio, { recording }) => {
    let bytes = 0;
    for await (const chunk of await audio.voiceChanger.stream({ voice_id: 'v_host', audio: recording }))
      bytes += chunk.length;
    return bytes;
  },
  'isolation.create': async (audio, { recording }) => {
    const { audio: speech } = await audio.isolation.create({ audio: recording });
    return speech;
  },
  'isolation.stream': async (audio, { recording }) => {
    let bytes = 0;
    for await (const chunk of await audio.isolation.stream({ audio: recording })) bytes += chunk.length;
    return bytes;
  },
  'alignment.create': async (audio, { recording }) => {
    const { words } = await audio.alignment.create({ file: recording, text: 'Hello there.' });
    return words;
  },
  'podcasts.create': async (audio) => {
    const { project } = await audio.podcasts.create({
      model_id: 'voice_multilingual_v2',
      mode: { type: 'conversation', conversation: { host_voice_id: 'v_host', guest_voice_id: 'v_guest' } },
      source: { type: 'text', text: 'The report in full.' },
      duration_scale: 'short',
    });
    return project;
  },
  'agents.create': async (audio) => {
    const { agent_id } = await audio.agents.create({
      name: 'Archive desk',
      conversation_config: { agent: { first_message: 'What are you looking for?', language: 'en' } },
    });
    return agent_id;
  },
  'agents.list': async (audio) => {
    const { agents } = await audio.agents.list({ page_size: 10 });
    return agents;
  },
  'agents.get': async (audio, { agentId }) => {
    const { conversation_config } = await audio.agents.get(agentId);
    return conversation_config;
  },
  'agents.update': async (audio, { agentId }) => {
    const { name } = await audio.agents.update(agentId, { name: 'Night desk' });
    return name;
  },
  'agents.signedUrl': async (audio, { agentId }) => {
    const { signed_url } = await audio.agents.signedUrl(agentId);
    return signed_url;
  },
  'agents.knowledge.addFile': async (audio) => {
    const content = new TextEncoder().encode('# Opening hours');
    const { id } = await audio.agents.knowledge.addFile({ file: { content, filename: 'hours.md' } });
    return id;
  },
  'agents.knowledge.addText': async (audio) => {
    const { id } = await audio.agents.knowledge.addText({ text: 'Open from nine to five.', name: 'hours' });
    return id;
  },
  'agents.knowledge.addUrl': async (audio) => {
    const { id } = await audio.agents.knowledge.addUrl({ url: 'https://example.org/hours' });
    return id;
  },
  'agents.conversations.list': async (audio, { agentId }) => {
    const { conversations } = await audio.agents.conversations.list({ agent_id: agentId });
    return conversations;
  },
  'agents.conversations.get': async (audio, { conversationId }) => {
    const { transcript } = await audio.agents.conversations.get(conversationId);
    return transcript;
  },
  'agents.delete': async (audio, { agentId }) => {
    const { status } = await audio.agents.delete(agentId);
    return status;
  },
  'tokens.create': async (audio) => {
    const { token } = await audio.tokens.create('realtime_scribe');
    return token;
  },
  longSpeech: async (audio) => {
    const report = 'The report says what was found, and where. '.repeat(20);
    // example: longSpeech
    const book = await longSpeech(
      audio,
      { voice_id: 'v_narrator', text: report, model_id: 'voice_multilingual_v2' },
      { maxCharacters: 400, silenceMs: 300, store: memorySegments() },
    );
    console.assert(book.segments.length > 1 && book.mediaType === 'audio/wav');
    // end
    return book.audio;
  },
  longDialogue: async (audio) => {
    const script = Array.from({ length: 6 }, (_, i) => ({
      voice_id: i % 2 === 0 ? 'v_host' : 'v_guest',
      text: `Line ${i + 1} of a talk of any length.`,
    }));
    const talk = await longDialogue(
      audio,
      { inputs: script },
      { maxCharacters: 150, silenceMs: 400, timestamps: true },
    );
    console.assert(talk.voice_segments.length === script.length);
    return talk.audio;
  },
  'transcripts.verifyWebhook': async (audio) => {
    const body = '{"type":"speech_to_text_transcription","data":{"transcription":{"text":"Hello.","words":[]}}}';
    const headers = { 'x-audio-signature': signWebhook(body, 'webhook-secret', Math.floor(Date.now() / 1_000)) };
    // example: transcripts.verifyWebhook
    const event = audio.transcripts.verifyWebhook({ body, headers, secret: 'webhook-secret' });
    const text = event.result?.kind === 'transcript' ? event.result.transcript.text : undefined;
    // end
    return text;
  },
};
