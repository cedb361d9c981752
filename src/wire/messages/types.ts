import type { WireCallOptions } from '../http/contract.ts';
import type { CacheControl, Citation, ContentBlock, ContentBlockParam, TextBlockParam } from './blocks.ts';

/** One turn. A string is one text block. Neighbouring turns of one role are joined before sending. */
export interface MessageParam {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly ContentBlockParam[];
}

/** A JSON Schema. */
export type JsonSchema = { readonly [key: string]: unknown };

/** A tool the caller runs. The reference dialect writes `input_schema` as `parameters`. */
export interface ToolDefinition {
  readonly type?: 'custom' | undefined;
  /** `^[a-zA-Z0-9_-]{1,64}$` */
  readonly name: string;
  readonly description?: string | undefined;
  /** An object schema. */
  readonly input_schema: JsonSchema;
  readonly strict?: boolean | undefined;
  readonly input_examples?: readonly unknown[] | undefined;
  readonly cache_control?: CacheControl | null | undefined;
  readonly eager_input_streaming?: boolean | undefined;
  readonly defer_loading?: boolean | undefined;
  readonly allowed_callers?: readonly string[] | undefined;
}

/** A tool whose schema the service knows: `web_search_20250305`, `bash_20250124` … `native.ts` makes them. */
export interface NativeToolDefinition {
  readonly type: `${string}_20${number}`;
  readonly name: string;
  readonly cache_control?: CacheControl | null | undefined;
  readonly [option: string]: unknown;
}

export type AnyToolDefinition = ToolDefinition | NativeToolDefinition;

export type ToolChoice =
  | 'auto'
  | 'any'
  | 'none'
  | { readonly type: 'auto' | 'any'; readonly disable_parallel_tool_use?: boolean | undefined }
  | { readonly type: 'tool'; readonly name: string; readonly disable_parallel_tool_use?: boolean | undefined }
  | { readonly type: 'none' };

export type ThinkingDisplay = 'summarized' | 'omitted';

export type ThinkingConfig =
  /** `budget_tokens`: at least 1,024 and below `max_tokens`; a target, not a cap. */
  | { readonly type: 'enabled'; readonly budget_tokens: number; readonly display?: ThinkingDisplay | undefined }
  | { readonly type: 'adaptive'; readonly display?: ThinkingDisplay | undefined }
  | { readonly type: 'disabled' };

export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export interface OutputFormat {
  readonly type: 'json_schema';
  /** Every object needs `additionalProperties: false`. `jsonOutput` checks and parses. */
  readonly schema: JsonSchema;
}

/** A step of server-side context management: `compaction()`, `clearToolUses()`, `clearThinking()` make them. */
export interface ContextEdit {
  readonly type: string;
  readonly [option: string]: unknown;
}

/** What counting and creating share. */
export interface CountTokensRequest {
  readonly model: string;
  readonly messages: readonly MessageParam[];
  readonly system?: string | readonly TextBlockParam[] | undefined;
  readonly tools?: readonly AnyToolDefinition[] | undefined;
  readonly tool_choice?: ToolChoice | undefined;
  readonly thinking?: ThinkingConfig | undefined;
  /** Depth of reasoning. The public dialect writes it as `output_config.effort`. */
  readonly effort?: Effort | undefined;
  readonly output_config?: { readonly format?: OutputFormat | undefined } | undefined;
  /** Marks the last cacheable block. Counts as one of the four markers. */
  readonly cache_control?: CacheControl | undefined;
  /**
   * This client's own: sets the citation switch of every document and search result alike (mixed settings are refused).
   */
  readonly citations?: boolean | undefined;
}

export interface MessageRequest extends CountTokensRequest {
  /** Cap on thinking and text together. */
  readonly max_tokens: number;
  /** 0 to 1; not with `top_p`, not with thinking. */
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  readonly top_k?: number | undefined;
  readonly stop_sequences?: readonly string[] | undefined;
  /** An opaque id, no personal data. */
  readonly metadata?: { readonly user_id?: string | undefined } | undefined;
  readonly service_tier?: 'auto' | 'standard_only' | undefined;
  /** `us` costs 1.1 times as much; only models from 4-6 on. */
  readonly inference_geo?: 'us' | 'global' | undefined;
  /** Reuses a code-execution container. */
  readonly container?: string | { readonly id?: string | undefined } | undefined;
  /** The beta header is set by itself. */
  readonly context_management?: { readonly edits: readonly ContextEdit[] } | undefined;
}

/** Call options of operations that carry a conversation. */
export interface MessageCallOptions extends WireCallOptions {
  /** Names of further beta features; those a request needs are added by themselves. */
  readonly betas?: readonly string[] | undefined;
  /** Body fields newer than this client, sent unchecked. A field this client knows is refused here. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

/** Everything but the two counts may be missing or null. Total input is the sum of the three input counts. */
export interface Usage {
  /** Tokens after the last cache marker only. */
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation?: {
    readonly ephemeral_5m_input_tokens?: number | null;
    readonly ephemeral_1h_input_tokens?: number | null;
  } | null;
  readonly server_tool_use?: {
    readonly web_search_requests?: number | null;
    readonly web_fetch_requests?: number | null;
  } | null;
  readonly output_tokens_details?: { readonly thinking_tokens?: number | null } | null;
  readonly service_tier?: string | null;
  readonly inference_geo?: string | null;
  /** With compaction: the top-level counts leave the compaction's own tokens out, their sum is here. */
  readonly iterations?: readonly UsageIteration[] | null;
}

export interface UsageIteration {
  readonly type: string;
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation?: Usage['cache_creation'];
}

/** Known reasons; later ones arrive as their own string. */
export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded'
  | 'compaction'
  | (string & {});

/** An answer as the service sent it: fields it adds survive, so that content can be sent back unchanged. */
export interface Message {
  readonly id: string;
  readonly type: 'message';
  readonly role: 'assistant';
  readonly model: string;
  readonly content: readonly ContentBlock[];
  /** null only while a stream is under way. */
  readonly stop_reason: StopReason | null;
  readonly stop_sequence: string | null;
  readonly stop_details?: {
    readonly type: string;
    readonly category?: string | null;
    readonly explanation?: string | null;
  } | null;
  readonly usage: Usage;
  readonly container?: { readonly id: string; readonly expires_at?: string } | null;
  readonly context_management?: {
    readonly applied_edits?: readonly { readonly type: string; readonly [key: string]: unknown }[];
  } | null;
}

export interface TokenCount {
  readonly input_tokens: number;
}

export type BlockDelta =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly thinking: string }
  | { readonly type: 'signature_delta'; readonly signature: string }
  | { readonly type: 'input_json_delta'; readonly partial_json: string }
  | { readonly type: 'citations_delta'; readonly citation: Citation }
  | { readonly type: 'compaction_delta'; readonly content: string | null };

/** Events as the wire names them; those it adds later come as `unknown`. Errors are thrown, not yielded. */
export type StreamEvent =
  | { readonly type: 'message_start'; readonly message: Message }
  | { readonly type: 'content_block_start'; readonly index: number; readonly content_block: ContentBlock }
  | { readonly type: 'content_block_delta'; readonly index: number; readonly delta: BlockDelta }
  | { readonly type: 'content_block_stop'; readonly index: number }
  | {
      readonly type: 'message_delta';
      readonly delta: {
        readonly stop_reason?: StopReason | null;
        readonly stop_sequence?: string | null;
        readonly stop_details?: Message['stop_details'];
        readonly container?: Message['container'];
      };
      /** Totals so far, not additions. */
      readonly usage?: Partial<Usage>;
    }
  | { readonly type: 'message_stop' }
  | { readonly type: 'ping' }
  | { readonly type: 'signature_delta'; readonly index?: number; readonly signature: string }
  | { readonly type: 'unknown'; readonly name: string; readonly value: unknown };
