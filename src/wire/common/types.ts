import type { FileContent, ReplyInfo, WireCallOptions } from '../http/contract.ts';

/** Added to every call of the client. */
export interface CommonCallOptions extends WireCallOptions {
  /** Fields of a server's own, added to the body of the request: `{ options: { num_ctx: 8192 } }`. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

export interface CommonEmbeddingsRequest {
  readonly model: string;
  readonly input: string | readonly string[];
  /** For models that make shorter vectors on demand. */
  readonly dimensions?: number | undefined;
  /** How the vectors travel; they arrive as numbers either way. @default 'base64', a quarter of the size of 'float' */
  readonly encoding_format?: 'base64' | 'float' | undefined;
}

export interface CommonEmbeddingsReply {
  /** One for each text, in their order, all of one length; each component is finite. */
  readonly vectors: readonly Float32Array[];
  readonly model: string | undefined;
  /** As the server counts; undefined when it does not say. */
  readonly tokens: number | undefined;
  readonly info: ReplyInfo;
}

export interface ChatToolCall {
  readonly id: string;
  readonly type: 'function';
  /** `arguments` is JSON as the model wrote it, which may be broken. */
  readonly function: { readonly name: string; readonly arguments: string };
}

export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string; readonly detail?: string } };

export type ChatMessage =
  | { readonly role: 'system' | 'developer'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly ChatPart[] }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls?: readonly ChatToolCall[] | undefined;
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

export interface ChatTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string | undefined;
    /** JSON schema. */
    readonly parameters?: Readonly<Record<string, unknown>> | undefined;
    readonly strict?: boolean | undefined;
  };
}

export type ChatResponseFormat =
  | { readonly type: 'text' | 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly json_schema: {
        readonly name: string;
        readonly schema: Readonly<Record<string, unknown>>;
        readonly strict?: boolean | undefined;
      };
    };

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** Longest answer. Some servers know only one of the two names. */
  readonly max_tokens?: number | undefined;
  readonly max_completion_tokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  readonly seed?: number | undefined;
  readonly stop?: string | readonly string[] | undefined;
  readonly tools?: readonly ChatTool[] | undefined;
  readonly tool_choice?:
    | 'none'
    | 'auto'
    | 'required'
    | { readonly type: 'function'; readonly function: { readonly name: string } }
    | undefined;
  readonly parallel_tool_calls?: boolean | undefined;
  readonly response_format?: ChatResponseFormat | undefined;
  readonly reasoning_effort?: string | undefined;
  /** Streamed only: `{ include_usage: true }` asks for the usage at the end. */
  readonly stream_options?: { readonly include_usage?: boolean | undefined } | undefined;
}

/** Absent counts are not told by the server. */
export interface ChatUsage {
  readonly prompt_tokens?: number | undefined;
  readonly completion_tokens?: number | undefined;
  readonly total_tokens?: number | undefined;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number | undefined } | null | undefined;
}

/** The first choice of an answer. */
export interface ChatCompletion {
  readonly id: string | undefined;
  readonly model: string | undefined;
  /** '' when the model only thought or called tools. */
  readonly text: string;
  /** What the server says that the model thought, apart from its text. */
  readonly thinking: string;
  readonly toolCalls: readonly ChatToolCall[];
  /** What a model says in place of an answer that it will not give. */
  readonly refusal: string | undefined;
  /** `stop`, `length`, `tool_calls`, `content_filter`, or a word of the server's own. */
  readonly finishReason: string;
  readonly usage: ChatUsage | undefined;
}

/** What one event of a stream adds. */
export interface ChatDelta {
  readonly text: string;
  readonly thinking: string;
}

export interface CommonRerankRequest {
  readonly model?: string | undefined;
  readonly query: string;
  readonly documents: readonly string[];
}

export interface CommonRerankReply {
  /**
   * One for each document, in their order; higher is better. Most servers give shares in [0, 1], some the model's raw
   * numbers.
   */
  readonly scores: readonly number[];
  readonly tokens: number | undefined;
  readonly info: ReplyInfo;
}

/** A model that a server lists; other fields are the server's own. */
export interface CommonModel {
  readonly id: string;
  readonly [field: string]: unknown;
}

export interface TranscriptionRequest {
  readonly model: string;
  readonly file: FileContent;
  /** Servers tell the format by its ending. */
  readonly filename: string;
  /** Media type. @default 'application/octet-stream' */
  readonly type?: string | undefined;
  /** ISO 639-1. @default found out by the model */
  readonly language?: string | undefined;
  /** Words that the model should expect. */
  readonly prompt?: string | undefined;
  readonly temperature?: number | undefined;
  /** Which times are wanted; [] for the text alone. @default ['segment', 'word'] */
  readonly times?: readonly ('segment' | 'word')[] | undefined;
}

/** Times in seconds from the beginning. */
export interface TranscriptionWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

export interface TranscriptionSegment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Transcription {
  readonly text: string;
  readonly language: string | undefined;
  /** Seconds. */
  readonly duration: number | undefined;
  /** Empty when the server gives none. */
  readonly words: readonly TranscriptionWord[];
  readonly segments: readonly TranscriptionSegment[];
}

export interface SpeechRequest {
  readonly model: string;
  readonly input: string;
  readonly voice: string;
  readonly response_format?: 'mp3' | 'opus' | 'aac' | 'flac' | 'wav' | 'pcm' | undefined;
  /** 1 is as spoken. */
  readonly speed?: number | undefined;
  readonly instructions?: string | undefined;
}
