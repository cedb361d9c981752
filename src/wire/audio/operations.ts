import type { Operation, RepeatRule } from '../http/contract.ts';

const row = (
  name: string,
  method: Operation['method'],
  path: string,
  repeat: RepeatRule,
  group: string,
): Operation => ({ name: `audio.${name}`, service: 'audio', method, path, repeat, group });

/** Reads and deletes: sending one twice changes nothing. */
const read = (name: string, path: string): Operation => row(name, 'GET', path, 'always', 'account');
const remove = (name: string, path: string): Operation => row(name, 'DELETE', path, 'always', 'account');
/** Changes that bill or create: again only when the service said that nothing happened. */
const write = (name: string, path: string): Operation => row(name, 'POST', path, 'refused', 'account');
const patch = (name: string, path: string): Operation => row(name, 'PATCH', path, 'refused', 'account');
/** Sound is billed; there is no idempotency key. */
const sound = (name: string, path: string, group = 'speech'): Operation => row(name, 'POST', path, 'refused', group);
/** A WebSocket is opened again only when it surely was not opened. */
const socket = (name: string, path: string, group: string): Operation => row(name, 'GET', path, 'unsent', group);

/** The keys of `audioOperations`. */
export type AudioOperationName =
  | 'speech'
  | 'speechStream'
  | 'speechTimed'
  | 'speechTimedStream'
  | 'speechLive'
  | 'speechLiveMulti'
  | 'dialogue'
  | 'dialogueStream'
  | 'dialogueTimed'
  | 'dialogueTimedStream'
  | 'dialogueLive'
  | 'transcript'
  | 'transcriptGet'
  | 'transcriptDelete'
  | 'transcriptRealtime'
  | 'voices'
  | 'voicesSearch'
  | 'voice'
  | 'voiceAdd'
  | 'voiceEdit'
  | 'voiceDelete'
  | 'voiceSettings'
  | 'voiceSettingsEdit'
  | 'voiceSettingsDefault'
  | 'voicesShared'
  | 'voiceAddShared'
  | 'models'
  | 'subscription'
  | 'user'
  | 'usage'
  | 'history'
  | 'historyItem'
  | 'historyAudio'
  | 'historyDelete'
  | 'historyDownload'
  | 'dictionaryRules'
  | 'dictionaryFile'
  | 'dictionaryAdd'
  | 'dictionarySet'
  | 'dictionaryRemove'
  | 'dictionary'
  | 'dictionaries'
  | 'dictionaryUpdate'
  | 'dictionaryDownload'
  | 'soundEffect'
  | 'music'
  | 'musicStream'
  | 'musicDetailed'
  | 'musicDetailedStream'
  | 'musicPlan'
  | 'dubbing'
  | 'dubbingGet'
  | 'dubbingAudio'
  | 'dubbingTranscript'
  | 'dubbingDelete'
  | 'dubbingProject'
  | 'dubbingProjectGet'
  | 'dubbingProjectDelete'
  | 'dubbingLanguage'
  | 'dubbingLanguageGet'
  | 'voiceDesign'
  | 'voiceDesignCreate'
  | 'voiceChanger'
  | 'voiceChangerStream'
  | 'isolation'
  | 'isolationStream'
  | 'alignment'
  | 'podcast'
  | 'agentCreate'
  | 'agentList'
  | 'agentGet'
  | 'agentUpdate'
  | 'agentDelete'
  | 'agentSignedUrl'
  | 'knowledgeFile'
  | 'knowledgeText'
  | 'knowledgeUrl'
  | 'conversations'
  | 'conversation'
  | 'singleUseToken';

/** Every operation of the service. */
export const audioOperations: Readonly<Record<AudioOperationName, Operation>> = {
  speech: sound('speech.create', '/v1/text-to-speech/{voice_id}'),
  speechStream: sound('speech.stream', '/v1/text-to-speech/{voice_id}/stream'),
  speechTimed: sound('speech.withTimestamps', '/v1/text-to-speech/{voice_id}/with-timestamps'),
  speechTimedStream: sound('speech.streamWithTimestamps', '/v1/text-to-speech/{voice_id}/stream/with-timestamps'),
  speechLive: socket('speech.live', '/v1/text-to-speech/{voice_id}/stream-input', 'speech'),
  speechLiveMulti: socket('speech.liveMulti', '/v1/text-to-speech/{voice_id}/multi-stream-input', 'speech'),

  dialogue: sound('dialogue.create', '/v1/text-to-dialogue'),
  dialogueStream: sound('dialogue.stream', '/v1/text-to-dialogue/stream'),
  dialogueTimed: sound('dialogue.withTimestamps', '/v1/text-to-dialogue/with-timestamps'),
  dialogueTimedStream: sound('dialogue.streamWithTimestamps', '/v1/text-to-dialogue/stream/with-timestamps'),
  dialogueLive: socket('dialogue.live', '/v1/text-to-dialogue/stream-input', 'dialogue-socket'),

  transcript: sound('transcripts.create', '/v1/speech-to-text', 'transcripts'),
  transcriptGet: read('transcripts.get', '/v1/speech-to-text/transcripts/{transcription_id}'),
  transcriptDelete: remove('transcripts.delete', '/v1/speech-to-text/transcripts/{transcription_id}'),
  transcriptRealtime: socket('transcripts.realtime', '/v1/speech-to-text/realtime', 'transcripts'),

  voices: read('voices.list', '/v1/voices'),
  voicesSearch: read('voices.search', '/v2/voices'),
  voice: read('voices.get', '/v1/voices/{voice_id}'),
  voiceAdd: write('voices.add', '/v1/voices/add'),
  voiceEdit: write('voices.edit', '/v1/voices/{voice_id}/edit'),
  voiceDelete: remove('voices.delete', '/v1/voices/{voice_id}'),
  voiceSettings: read('voices.settings', '/v1/voices/{voice_id}/settings'),
  voiceSettingsEdit: write('voices.editSettings', '/v1/voices/{voice_id}/settings/edit'),
  voiceSettingsDefault: read('voices.defaultSettings', '/v1/voices/settings/default'),
  voicesShared: read('voices.shared', '/v1/shared-voices'),
  voiceAddShared: write('voices.addShared', '/v1/voices/add/{public_owner_id}/{voice_id}'),

  models: read('models', '/v1/models'),
  subscription: read('account.subscription', '/v1/user/subscription'),
  user: read('account.user', '/v1/user'),
  usage: read('account.usage', '/v1/usage/character-stats'),
  history: read('account.history.list', '/v1/history'),
  historyItem: read('account.history.get', '/v1/history/{history_item_id}'),
  historyAudio: read('account.history.audio', '/v1/history/{history_item_id}/audio'),
  historyDelete: remove('account.history.delete', '/v1/history/{history_item_id}'),
  historyDownload: row('account.history.download', 'POST', '/v1/history/download', 'always', 'account'),

  dictionaryRules: write('dictionaries.addFromRules', '/v1/pronunciation-dictionaries/add-from-rules'),
  dictionaryFile: write('dictionaries.addFromFile', '/v1/pronunciation-dictionaries/add-from-file'),
  dictionaryAdd: write('dictionaries.addRules', '/v1/pronunciation-dictionaries/{dictionary_id}/add-rules'),
  dictionarySet: write('dictionaries.setRules', '/v1/pronunciation-dictionaries/{dictionary_id}/set-rules'),
  dictionaryRemove: write('dictionaries.removeRules', '/v1/pronunciation-dictionaries/{dictionary_id}/remove-rules'),
  dictionary: read('dictionaries.get', '/v1/pronunciation-dictionaries/{dictionary_id}'),
  dictionaries: read('dictionaries.list', '/v1/pronunciation-dictionaries'),
  dictionaryUpdate: patch('dictionaries.update', '/v1/pronunciation-dictionaries/{dictionary_id}'),
  dictionaryDownload: read(
    'dictionaries.download',
    '/v1/pronunciation-dictionaries/{dictionary_id}/{version_id}/download',
  ),

  soundEffect: sound('soundEffects.create', '/v1/sound-generation', 'sounds'),
  music: sound('music.create', '/v1/music', 'music'),
  musicStream: sound('music.stream', '/v1/music/stream', 'music'),
  musicDetailed: sound('music.detailed', '/v1/music/detailed', 'music'),
  musicDetailedStream: sound('music.streamDetailed', '/v1/music/detailed/stream', 'music'),
  musicPlan: sound('music.plan', '/v1/music/plan', 'music'),

  dubbing: sound('dubbing.create', '/v1/dubbing', 'dubbing'),
  dubbingGet: read('dubbing.get', '/v1/dubbing/{dubbing_id}'),
  dubbingAudio: read('dubbing.audio', '/v1/dubbing/{dubbing_id}/audio/{language_code}'),
  dubbingTranscript: read('dubbing.transcript', '/v1/dubbing/{dubbing_id}/transcript/{language_code}'),
  dubbingDelete: remove('dubbing.delete', '/v1/dubbing/{dubbing_id}'),
  dubbingProject: sound('dubbing.projects.create', '/v1/dubbing/project', 'dubbing'),
  dubbingProjectGet: read('dubbing.projects.get', '/v1/dubbing/project/{project_id}'),
  dubbingProjectDelete: remove('dubbing.projects.delete', '/v1/dubbing/project/{project_id}'),
  dubbingLanguage: sound('dubbing.projects.addLanguage', '/v1/dubbing/project/{project_id}/language', 'dubbing'),
  dubbingLanguageGet: read('dubbing.projects.getLanguage', '/v1/dubbing/project/{project_id}/language/{language_id}'),

  voiceDesign: sound('voiceDesign.design', '/v1/text-to-voice/design', 'sounds'),
  voiceDesignCreate: write('voiceDesign.create', '/v1/text-to-voice'),
  voiceChanger: sound('voiceChanger.create', '/v1/speech-to-speech/{voice_id}'),
  voiceChangerStream: sound('voiceChanger.stream', '/v1/speech-to-speech/{voice_id}/stream'),
  isolation: sound('isolation.create', '/v1/audio-isolation', 'sounds'),
  isolationStream: sound('isolation.stream', '/v1/audio-isolation/stream', 'sounds'),
  alignment: sound('alignment.create', '/v1/forced-alignment', 'transcripts'),
  podcast: sound('podcasts.create', '/v1/studio/podcasts', 'podcasts'),

  agentCreate: write('agents.create', '/v1/convai/agents/create'),
  agentList: read('agents.list', '/v1/convai/agents'),
  agentGet: read('agents.get', '/v1/convai/agents/{agent_id}'),
  agentUpdate: patch('agents.update', '/v1/convai/agents/{agent_id}'),
  agentDelete: remove('agents.delete', '/v1/convai/agents/{agent_id}'),
  agentSignedUrl: read('agents.signedUrl', '/v1/convai/conversation/get-signed-url'),
  knowledgeFile: write('agents.knowledge.addFile', '/v1/convai/knowledge-base/file'),
  knowledgeText: write('agents.knowledge.addText', '/v1/convai/knowledge-base/text'),
  knowledgeUrl: write('agents.knowledge.addUrl', '/v1/convai/knowledge-base/url'),
  conversations: read('agents.conversations.list', '/v1/convai/conversations'),
  conversation: read('agents.conversations.get', '/v1/convai/conversations/{conversation_id}'),

  singleUseToken: write('tokens.create', '/v1/single-use-token/{type}'),
};
