/** The client of the common dialect, and what its calls are made of. */
export type { CommonChat } from './chat.ts';
export { ChatStream, type OpenedStream } from './chat-stream.ts';
export { type CommonOperations, commonOperationNames, commonOperations } from './operations.ts';
export { type CommonService, type CommonServiceOptions, createCommonService } from './service.ts';
export type {
  ChatCompletion,
  ChatDelta,
  ChatMessage,
  ChatPart,
  ChatRequest,
  ChatResponseFormat,
  ChatTool,
  ChatToolCall,
  ChatUsage,
  CommonCallOptions,
  CommonEmbeddingsReply,
  CommonEmbeddingsRequest,
  CommonModel,
  CommonRerankReply,
  CommonRerankRequest,
  SpeechRequest,
  Transcription,
  TranscriptionRequest,
  TranscriptionSegment,
  TranscriptionWord,
} from './types.ts';
