export type * from './account.ts';
export { learnModels } from './account.ts';
export type * from './agents.ts';
export type { Alignment, TimedWord, VoiceSegment } from './alignment.ts';
export { alignmentWords, joinAlignments, shiftAlignment } from './alignment.ts';
export type { AudioService, AudioServiceOptions, TokenType } from './client.ts';
export { audioDialect, createAudioService } from './client.ts';
export type {
  AudioContext,
  AudioInfo,
  AudioResult,
  AudioSettings,
  AudioStream,
  AudioWarning,
  WithInfo,
} from './context.ts';
export type { DialogueApi } from './dialogue.ts';
export type { DialogueLiveRequest, DialogueTurn } from './dialogue-live.ts';
export type * from './dialogue-request.ts';
export type * from './dictionaries.ts';
export { locatorOf } from './dictionaries.ts';
export type * from './dubbing.ts';
export type * from './dubbing-projects.ts';
export { looksShort } from './endings.ts';
export type { AudioCodec, AudioFormat } from './formats.ts';
export { formatAllowed, outputFormats, parseFormat, secondsOf } from './formats.ts';
export type { LiveRequest, LiveText } from './live.ts';
export type { LiveAlignment, LiveChunk } from './live-message.ts';
export type { LiveMultiRequest, LiveMultiSession } from './live-multi.ts';
export type { AudioModel, ModelJob } from './models.ts';
export { audioModels } from './models.ts';
export type { AudioOperationName } from './operations.ts';
export { audioOperations } from './operations.ts';
export type { WavData } from './pcm.ts';
export { alignSamples, readWav, toWav, wavHeader } from './pcm.ts';
export type { WaitOptions } from './poll.ts';
export type { CreditEstimate, CreditOptions, Plan, PlanName } from './prices.ts';
export { estimateTextCredits, formatPlans, plans, transcriptSurcharges } from './prices.ts';
export type * from './products.ts';
export type { AudioProfile, ProfileOption } from './profile.ts';
export { audioProfiles } from './profile.ts';
export type { RealtimeEvent, RealtimeInput, RealtimeRequest } from './realtime.ts';
export type * from './sounds.ts';
export type { SpeechApi } from './speech.ts';
export type { DictionaryLocator, SpeechRequest, TextNormalization, VoiceSettings } from './speech-request.ts';
export type { TimedAudio, TimedChunk, TimedStream } from './timed.ts';
export type * from './transcript-types.ts';
export type { TranscriptResult, TranscriptsApi } from './transcripts.ts';
export type { Upload } from './upload.ts';
export type * from './voices.ts';
export type { WebhookDelivery, WebhookEvent } from './webhook.ts';
export { signWebhook } from './webhook.ts';
export type { Sentence, SentenceOptions, WordTimes } from './words.ts';
export { joinWords, monotoneWords, sentencesOf } from './words.ts';
