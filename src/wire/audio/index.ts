export type * from './account.ts';
export { learnModels } from './account.ts';
export type { Acknowledged } from './acknowledged.ts';
export type * from './agents.ts';
export {
  type Alignment,
  alignmentWords,
  joinAlignments,
  shiftAlignment,
  type TimedWord,
  type VoiceSegment,
} from './alignment.ts';
export {
  type AudioService,
  type AudioServiceOptions,
  audioDialect,
  audioOperations,
  createAudioService,
  type TokenType,
} from './client.ts';
export type { Answer, AudioInfo, AudioSettings, AudioWarning, WithInfo } from './context.ts';
export type { DialogueLiveRequest, DialogueTurn } from './dialogue-live.ts';
export type * from './dialogue-request.ts';
export type * from './dictionaries.ts';
export { locatorOf } from './dictionaries.ts';
export type * from './dubbing.ts';
export type * from './dubbing-projects.ts';
export { looksShort } from './endings.ts';
export { type AudioCodec, type AudioFormat, formatAllowed, outputFormats, parseFormat, secondsOf } from './formats.ts';
export type { LiveRequest, LiveText } from './live.ts';
export type { LiveAlignment, LiveChunk } from './live-message.ts';
export type { LiveMultiRequest, LiveMultiSession } from './live-multi.ts';
export { type AudioModel, audioModels, type ModelJob } from './models.ts';
export { alignSamples, readWav, toWav, type WavData, wavHeader } from './pcm.ts';
export type { WaitOptions } from './poll.ts';
export {
  type CreditEstimate,
  type CreditOptions,
  estimateTextCredits,
  formatPlans,
  type Plan,
  type PlanName,
  plans,
  transcriptSurcharges,
} from './prices.ts';
export type * from './products.ts';
export { type AudioProfile, audioProfiles, type ProfileOption } from './profile.ts';
export type { RealtimeEvent, RealtimeInput, RealtimeRequest } from './realtime.ts';
export type { AudioResult, AudioStream, StoredAudio } from './sound.ts';
export type * from './sounds.ts';
export type { DictionaryLocator, SpeechRequest, TextNormalization, VoiceSettings } from './speech-request.ts';
export type { DialogueApi, SpeechApi, SpokenForms } from './spoken.ts';
export type { TimedAudio, TimedChunk, TimedStream } from './timed.ts';
export type * from './transcript-types.ts';
export type { TranscriptResult, TranscriptsApi } from './transcripts.ts';
export type { Upload } from './upload.ts';
export type * from './voices.ts';
export { signWebhook, type WebhookDelivery, type WebhookEvent } from './webhook.ts';
export { joinWords, monotoneWords, type Sentence, type SentenceOptions, sentencesOf, type WordTimes } from './words.ts';
