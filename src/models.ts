// The door `ibid/models`: models of one's own server, a gateway or a machine on the desk, as parts of an index.
export type { LanguageModel } from './answer/language-model.ts';
export type { CallOptions } from './core/types.ts';
export type { Embedder } from './embed/contract.ts';
export type { EmbedContext } from './embed/service/contract.ts';
export type { Reranker } from './retrieve/rerank.ts';
export type { CommonWriterOptions, TokenPrice } from './services/common/chat.ts';
export type { CommonEmbedderOptions } from './services/common/embedder.ts';
export { type ModelServer, type ModelServerOptions, modelServer } from './services/common/model-server.ts';
export type { CommonRerankerOptions } from './services/common/reranker.ts';
export type { ServedModel } from './services/common/served-models.ts';
export type { CommonSpeakerOptions } from './services/common/speaker.ts';
export type { CommonTranscriberOptions } from './services/common/transcriber.ts';
export type {
  SoundFormat,
  SoundPart,
  SpeakCall,
  Speaker,
  SpeakerLimits,
  SpokenSpan,
  SpokenTurn,
} from './speak/contract.ts';
export type {
  Sound,
  SpokenWord,
  TranscribeCall,
  Transcriber,
  TranscriberLimits,
  TranscriberReply,
  Transcript,
} from './transcribe/contract.ts';
export type { CommonService } from './wire/common/index.ts';
export type { ProxyOptions } from './wire/http/contract.ts';
