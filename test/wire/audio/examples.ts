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

/** One short example per operation; the README prints what stands between the marks, the tests run it. */
export const examples: Readonly<Record<string, (audio: AudioService, given: Given) => Promise<unknown>>> = {
  'speech.create': async (audio) => {
    // example: speech.create
    const speech = await audio.speech.create({
      voice_id: 'v_narrator',
      text: 'The index holds 12 recordings.',
      model_id: 'voice_multilingual_v2',
    });
    console.assert(speech.mediaType === 'audio/mpeg' && speech.credits !== undefined);
    // end
    return speech;
  },
  'speech.stream': async (audio) => {
    // example: speech.stream
    let bytes = 0;
    const stream = await audio.speech.stream({ voice_id: 'v_narrator', text: 'Sound as it is made.' });
    for await (const chunk of stream) bytes += chunk.length;
    // end
    return bytes;
  },
  'speech.withTimestamps': async (audio) => {
    // example: speech.withTimestamps
    const { alignment } = await audio.speech.withTimestamps({
      voice_id: 'v_narrator',
      text: 'Every character has a time.',
    });
    // end
    return alignment;
  },
  'speech.streamWithTimestamps': async (audio) => {
    // example: speech.streamWithTimestamps
    const characters: string[] = [];
    const stream = await audio.speech.streamWithTimestamps({ voice_id: 'v_narrator', text: 'On one clock.' });
    for await (const chunk of stream) characters.push(...(chunk.alignment?.characters ?? []));
    // end
    return characters.join('');
  },
  'speech.live': async (audio) => {
    // example: speech.live
    async function* answer(): AsyncGenerator<string> {
      yield* ['The lim', 'it is 5,000 ', 'characters.'];
    }
    let bytes = 0;
    const request = { voice_id: 'v_narrator', model_id: 'voice_flash_v2_5', output_format: 'pcm_16000' };
    for await (const { audio: sound } of audio.speech.live(answer(), request)) bytes += sound.length;
    // end
    return bytes;
  },
  'speech.liveMulti': async (audio) => {
    // example: speech.liveMulti
    await using session = await audio.speech.liveMulti({ voice_id: 'v_narrator' });
    await session.send('answer', 'One moment. ');
    await session.send('aside', 'Looking it up. ');
    await session.end();
    const heard = new Set<string | undefined>();
    for await (const { contextId } of session) heard.add(contextId);
    // end
    return [...heard];
  },
  'dialogue.create': async (audio) => {
    // example: dialogue.create
    const { audio: sound } = await audio.dialogue.create({
      inputs: [
        { voice_id: 'v_host', text: '[excited] Three reports agree.' },
        { voice_id: 'v_guest', text: 'On what, exactly?' },
      ],
    });
    // end
    return sound;
  },
  'dialogue.stream': async (audio) => {
    // example: dialogue.stream
    let bytes = 0;
    const stream = await audio.dialogue.stream({ inputs: [{ voice_id: 'v_host', text: 'Welcome back.' }] });
    for await (const chunk of stream) bytes += chunk.length;
    // end
    return bytes;
  },
  'dialogue.withTimestamps': async (audio) => {
    // example: dialogue.withTimestamps
    const { voice_segments } = await audio.dialogue.withTimestamps({
      inputs: [
        { voice_id: 'v_host', text: 'Who speaks when?' },
        { voice_id: 'v_guest', text: 'The segments tell.' },
      ],
    });
    // end
    return voice_segments;
  },
  'dialogue.streamWithTimestamps': async (audio) => {
    // example: dialogue.streamWithTimestamps
    let bytes = 0;
    const stream = await audio.dialogue.streamWithTimestamps({
      inputs: [{ voice_id: 'v_host', text: 'And times too.' }],
    });
    for await (const chunk of stream) bytes += chunk.audio.length;
    // end
    return bytes;
  },
  'dialogue.live': async (audio) => {
    // example: dialogue.live
    const turns = [
      { voice_id: 'v_host', text: 'Is it ready?' },
      { voice_id: 'v_guest', text: 'Nearly.', flush: true },
    ];
    let bytes = 0;
    for await (const { audio: sound } of audio.dialogue.live(turns, { voices: ['v_host', 'v_guest'] }))
      bytes += sound.length;
    // end
    return bytes;
  },
  'transcripts.create': async (audio, { recording }) => {
    // example: transcripts.create
    const result = await audio.transcripts.create({
      file: { content: recording, filename: 'meeting.wav' },
      diarize: true,
      keyterms: ['index', 'request limit'],
    });
    const text = result.kind === 'transcript' ? result.transcript.text : result.kind;
    // end
    return text;
  },
  'transcripts.get': async (audio, { transcriptionId }) => {
    // example: transcripts.get
    const { words } = await audio.transcripts.get(transcriptionId);
    // end
    return words;
  },
  'transcripts.delete': async (audio, { transcriptionId }) => {
    // example: transcripts.delete
    const { status } = await audio.transcripts.delete(transcriptionId);
    // end
    return status;
  },
  'transcripts.realtime': async (audio, { recording }) => {
    // example: transcripts.realtime
    const final: string[] = [];
    for await (const event of audio.transcripts.realtime([recording], { audio_format: 'pcm_16000' })) {
      if (event.type === 'committed_transcript') final.push(event.text);
    }
    // end
    return final;
  },
  'voices.list': async (audio) => {
    // example: voices.list
    const { voices } = await audio.voices.list();
    // end
    return voices;
  },
  'voices.search': async (audio) => {
    // example: voices.search
    const names: string[] = [];
    for await (const voice of audio.voices.all({ page_size: 2 })) names.push(voice.name ?? voice.voice_id);
    // end
    return names;
  },
  'voices.get': async (audio) => {
    // example: voices.get
    const { name } = await audio.voices.get('v_narrator');
    // end
    return name;
  },
  'voices.add': async (audio, { recording }) => {
    // example: voices.add
    const { voice_id } = await audio.voices.add({
      name: 'Ada',
      description: 'A calm voice',
      files: [{ content: recording, filename: 'ada.wav' }],
    });
    // end
    return voice_id;
  },
  'voices.edit': async (audio, { voiceId }) => {
    // example: voices.edit
    const { status } = await audio.voices.edit(voiceId, { name: 'Ada, slower', labels: { pace: 'slow' } });
    // end
    return status;
  },
  'voices.delete': async (audio, { voiceId }) => {
    // example: voices.delete
    const { status } = await audio.voices.delete(voiceId);
    // end
    return status;
  },
  'voices.settings': async (audio) => {
    // example: voices.settings
    const { stability } = await audio.voices.settings('v_narrator');
    // end
    return stability;
  },
  'voices.editSettings': async (audio, { voiceId }) => {
    // example: voices.editSettings
    const { status } = await audio.voices.editSettings(voiceId, { stability: 0.4, similarity_boost: 0.8 });
    // end
    return status;
  },
  'voices.defaultSettings': async (audio) => {
    // example: voices.defaultSettings
    const { similarity_boost } = await audio.voices.defaultSettings();
    // end
    return similarity_boost;
  },
  'voices.shared': async (audio) => {
    // example: voices.shared
    const { voices } = await audio.voices.shared({ language: 'en', page_size: 3 });
    // end
    return voices;
  },
  'voices.addShared': async (audio) => {
    // example: voices.addShared
    const { voice_id } = await audio.voices.addShared('owner_1', 'shared_1', { new_name: 'Bruno' });
    // end
    return voice_id;
  },
  models: async (audio) => {
    // example: models
    const models = await audio.models();
    const limits = models.map(({ model_id, maximum_text_length_per_request }) => [
      model_id,
      maximum_text_length_per_request,
    ]);
    // end
    return limits;
  },
  'account.subscription': async (audio) => {
    // example: account.subscription
    const { tier, character_count, character_limit } = await audio.account.subscription();
    const creditsLeft = character_limit - character_count;
    // end
    return [tier, creditsLeft];
  },
  'account.user': async (audio) => {
    // example: account.user
    const profile = await audio.account.user(); // without the key
    // end
    return profile;
  },
  'account.usage': async (audio) => {
    // example: account.usage
    const day = 24 * 60 * 60 * 1_000;
    const { time, usage } = await audio.account.usage({ start_unix: Date.now() - 7 * day, end_unix: Date.now() });
    // end
    return [time, usage];
  },
  'account.history.list': async (audio) => {
    // example: account.history.list
    const { history } = await audio.account.history.list({ page_size: 10 });
    // end
    return history;
  },
  'account.history.get': async (audio, { historyItemId }) => {
    // example: account.history.get
    const { text } = await audio.account.history.get(historyItemId);
    // end
    return text;
  },
  'account.history.audio': async (audio, { historyItemId }) => {
    // example: account.history.audio
    const { audio: sound } = await audio.account.history.audio(historyItemId);
    // end
    return sound;
  },
  'account.history.download': async (audio, { historyItemId }) => {
    // example: account.history.download
    const { audio: file, mediaType } = await audio.account.history.download({ history_item_ids: [historyItemId] });
    // end
    return [file, mediaType];
  },
  'account.history.delete': async (audio, { historyItemId }) => {
    // example: account.history.delete
    const { status } = await audio.account.history.delete(historyItemId);
    // end
    return status;
  },
  'dictionaries.addFromRules': async (audio) => {
    // example: dictionaries.addFromRules
    const dictionary = await audio.dictionaries.addFromRules({
      name: 'terms',
      rules: [{ type: 'alias', string_to_replace: 'RAG', alias: 'rag' }],
    });
    // end
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
    // example: dictionaries.addRules
    const { version_id } = await audio.dictionaries.addRules(dictionaryId, [
      { type: 'phoneme', string_to_replace: 'Nguyen', phoneme: 'W IH1 N', alphabet: 'cmu-arpabet' },
    ]);
    // end
    return version_id;
  },
  'dictionaries.setRules': async (audio, { dictionaryId }) => {
    // example: dictionaries.setRules
    const { version_id } = await audio.dictionaries.setRules(dictionaryId, [
      { type: 'alias', string_to_replace: 'kWh', alias: 'kilowatt hours' },
    ]);
    // end
    return version_id;
  },
  'dictionaries.removeRules': async (audio, { dictionaryId }) => {
    // example: dictionaries.removeRules
    const { version_id } = await audio.dictionaries.removeRules(dictionaryId, ['RAG']);
    // end
    return version_id;
  },
  'dictionaries.get': async (audio, { dictionaryId }) => {
    // example: dictionaries.get
    const { name } = await audio.dictionaries.get(dictionaryId);
    // end
    return name;
  },
  'dictionaries.list': async (audio) => {
    // example: dictionaries.list
    const { pronunciation_dictionaries } = await audio.dictionaries.list({ page_size: 10 });
    // end
    return pronunciation_dictionaries;
  },
  'dictionaries.update': async (audio, { dictionaryId }) => {
    // example: dictionaries.update
    const { name } = await audio.dictionaries.update(dictionaryId, { name: 'old terms', archived: true });
    // end
    return name;
  },
  'dictionaries.download': async (audio, { dictionaryId, versionId }) => {
    // example: dictionaries.download
    const lexicon = new TextDecoder().decode(await audio.dictionaries.download(dictionaryId, versionId));
    // end
    return lexicon;
  },
  'soundEffects.create': async (audio) => {
    // example: soundEffects.create
    const { audio: sound, credits } = await audio.soundEffects.create({
      text: 'A page is turned',
      duration_seconds: 1.5,
    });
    // end
    return [sound, credits];
  },
  'music.create': async (audio) => {
    // example: music.create
    const { audio: song, songId } = await audio.music.create({ prompt: 'Calm piano', music_length_ms: 10_000 });
    // end
    return [song, songId];
  },
  'music.stream': async (audio) => {
    // example: music.stream
    let bytes = 0;
    for await (const chunk of await audio.music.stream({ prompt: 'Calm piano', music_length_ms: 10_000 }))
      bytes += chunk.length;
    // end
    return bytes;
  },
  'music.detailed': async (audio) => {
    // example: music.detailed
    const { audio: song, details } = await audio.music.detailed({ prompt: 'Calm piano', music_length_ms: 10_000 });
    // end
    return [song, details];
  },
  'music.streamDetailed': async (audio) => {
    // example: music.streamDetailed
    let events = 0;
    for await (const _ of audio.music.streamDetailed({ prompt: 'Calm piano', music_length_ms: 10_000 })) events++;
    // end
    return events;
  },
  'music.plan': async (audio) => {
    // example: music.plan
    const { info, ...plan } = await audio.music.plan({ prompt: 'Calm piano', music_length_ms: 10_000 });
    const song = await audio.music.create({ composition_plan: plan });
    // end
    return [info.status, song.audio];
  },
  'dubbing.create': async (audio, { recording }) => {
    // example: dubbing.create
    const { dubbing_id } = await audio.dubbing.create({
      file: { content: recording, filename: 'talk.wav' },
      target_lang: 'de',
    });
    // end
    return dubbing_id;
  },
  'dubbing.get': async (audio, { dubbingId }) => {
    // example: dubbing.get
    const { status } = await audio.dubbing.wait(dubbingId, { pollMs: 5 });
    // end
    return status;
  },
  'dubbing.audio': async (audio, { dubbingId }) => {
    // example: dubbing.audio
    let bytes = 0;
    for await (const chunk of await audio.dubbing.audio(dubbingId, 'de')) bytes += chunk.length;
    // end
    return bytes;
  },
  'dubbing.transcript': async (audio, { dubbingId }) => {
    // example: dubbing.transcript
    const captions = await audio.dubbing.transcript(dubbingId, 'de', 'webvtt');
    // end
    return captions;
  },
  'dubbing.delete': async (audio, { dubbingId }) => {
    // example: dubbing.delete
    const { status } = await audio.dubbing.delete(dubbingId);
    // end
    return status;
  },
  'dubbing.projects.create': async (audio, { recording }) => {
    // example: dubbing.projects.create
    const { project_id } = await audio.dubbing.projects.create({ file: { content: recording, filename: 'talk.wav' } });
    // end
    return project_id;
  },
  'dubbing.projects.get': async (audio, { projectId }) => {
    // example: dubbing.projects.get
    const { status } = await audio.dubbing.projects.wait(projectId, { pollMs: 5 });
    // end
    return status;
  },
  'dubbing.projects.addLanguage': async (audio, { projectId }) => {
    // example: dubbing.projects.addLanguage
    const { language_id } = await audio.dubbing.projects.addLanguage(projectId, { target_language: 'de' });
    // end
    return language_id;
  },
  'dubbing.projects.getLanguage': async (audio, { projectId, languageId }) => {
    // example: dubbing.projects.getLanguage
    const { status } = await audio.dubbing.projects.waitLanguage(projectId, languageId, { pollMs: 5 });
    // end
    return status;
  },
  'dubbing.projects.delete': async (audio, { projectId }) => {
    // example: dubbing.projects.delete
    const { status } = await audio.dubbing.projects.delete(projectId);
    // end
    return status;
  },
  'voiceDesign.design': async (audio) => {
    // example: voiceDesign.design
    const { previews } = await audio.voiceDesign.design({
      voice_description: 'A warm, unhurried reader of long reports',
      auto_generate_text: true,
    });
    // end
    return previews;
  },
  'voiceDesign.create': async (audio, { previewId }) => {
    // example: voiceDesign.create
    const { voice_id } = await audio.voiceDesign.create({
      voice_name: 'Reader',
      voice_description: 'A warm, unhurried reader of long reports',
      generated_voice_id: previewId,
    });
    // end
    return voice_id;
  },
  'voiceChanger.create': async (audio, { recording }) => {
    // example: voiceChanger.create
    const { audio: sound } = await audio.voiceChanger.create({ voice_id: 'v_host', audio: recording });
    // end
    return sound;
  },
  'voiceChanger.stream': async (audio, { recording }) => {
    // example: voiceChanger.stream
    let bytes = 0;
    for await (const chunk of await audio.voiceChanger.stream({ voice_id: 'v_host', audio: recording }))
      bytes += chunk.length;
    // end
    return bytes;
  },
  'isolation.create': async (audio, { recording }) => {
    // example: isolation.create
    const { audio: speech } = await audio.isolation.create({ audio: recording });
    // end
    return speech;
  },
  'isolation.stream': async (audio, { recording }) => {
    // example: isolation.stream
    let bytes = 0;
    for await (const chunk of await audio.isolation.stream({ audio: recording })) bytes += chunk.length;
    // end
    return bytes;
  },
  'alignment.create': async (audio, { recording }) => {
    // example: alignment.create
    const { words } = await audio.alignment.create({ file: recording, text: 'Hello there.' });
    // end
    return words;
  },
  'podcasts.create': async (audio) => {
    // example: podcasts.create
    const { project } = await audio.podcasts.create({
      model_id: 'voice_multilingual_v2',
      mode: { type: 'conversation', conversation: { host_voice_id: 'v_host', guest_voice_id: 'v_guest' } },
      source: { type: 'text', text: 'The report in full.' },
      duration_scale: 'short',
    });
    // end
    return project;
  },
  'agents.create': async (audio) => {
    // example: agents.create
    const { agent_id } = await audio.agents.create({
      name: 'Archive desk',
      conversation_config: { agent: { first_message: 'What are you looking for?', language: 'en' } },
    });
    // end
    return agent_id;
  },
  'agents.list': async (audio) => {
    // example: agents.list
    const { agents } = await audio.agents.list({ page_size: 10 });
    // end
    return agents;
  },
  'agents.get': async (audio, { agentId }) => {
    // example: agents.get
    const { conversation_config } = await audio.agents.get(agentId);
    // end
    return conversation_config;
  },
  'agents.update': async (audio, { agentId }) => {
    // example: agents.update
    const { name } = await audio.agents.update(agentId, { name: 'Night desk' });
    // end
    return name;
  },
  'agents.signedUrl': async (audio, { agentId }) => {
    // example: agents.signedUrl
    const { signed_url } = await audio.agents.signedUrl(agentId);
    // end
    return signed_url;
  },
  'agents.knowledge.addFile': async (audio) => {
    // example: agents.knowledge.addFile
    const content = new TextEncoder().encode('# Opening hours');
    const { id } = await audio.agents.knowledge.addFile({ file: { content, filename: 'hours.md' } });
    // end
    return id;
  },
  'agents.knowledge.addText': async (audio) => {
    // example: agents.knowledge.addText
    const { id } = await audio.agents.knowledge.addText({ text: 'Open from nine to five.', name: 'hours' });
    // end
    return id;
  },
  'agents.knowledge.addUrl': async (audio) => {
    // example: agents.knowledge.addUrl
    const { id } = await audio.agents.knowledge.addUrl({ url: 'https://example.org/hours' });
    // end
    return id;
  },
  'agents.conversations.list': async (audio, { agentId }) => {
    // example: agents.conversations.list
    const { conversations } = await audio.agents.conversations.list({ agent_id: agentId });
    // end
    return conversations;
  },
  'agents.conversations.get': async (audio, { conversationId }) => {
    // example: agents.conversations.get
    const { transcript } = await audio.agents.conversations.get(conversationId);
    // end
    return transcript;
  },
  'agents.delete': async (audio, { agentId }) => {
    // example: agents.delete
    const { status } = await audio.agents.delete(agentId);
    // end
    return status;
  },
  'tokens.create': async (audio) => {
    // example: tokens.create
    const { token } = await audio.tokens.create('realtime_scribe');
    // end
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
    // example: longDialogue
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
    // end
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
