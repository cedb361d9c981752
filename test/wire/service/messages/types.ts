/**
 * The wire types a client may send, as `schema*.ts` lets them through; both dialects, told apart by the keys they have.
 */

export interface CacheControl {
  readonly type: 'ephemeral';
  readonly ttl?: '5m' | '1h' | undefined;
}
interface Cached {
  readonly cache_control?: CacheControl | undefined;
}

export type Citation =
  | {
      readonly type: 'char_location';
      readonly cited_text: string;
      readonly document_index: number;
      readonly document_title: string | null;
      readonly start_char_index: number;
      readonly end_char_index: number;
    }
  | {
      readonly type: 'page_location';
      readonly cited_text: string;
      readonly document_index: number;
      readonly document_title: string | null;
      readonly start_page_number: number;
      readonly end_page_number: number;
    }
  | {
      readonly type: 'content_block_location';
      readonly cited_text: string;
      readonly document_index: number;
      readonly document_title: string | null;
      readonly start_block_index: number;
      readonly end_block_index: number;
    }
  | {
      readonly type: 'search_result_location';
      readonly cited_text: string;
      readonly search_result_index: number;
      readonly source: string;
      readonly title: string | null;
      readonly start_block_index: number;
      readonly end_block_index: number;
    }
  | {
      readonly type: 'web_search_result_location';
      readonly cited_text: string;
      readonly url: string;
      readonly title: string | null;
      readonly encrypted_index: string;
    };

export interface TextBlock extends Cached {
  readonly type: 'text';
  readonly text: string;
  readonly citations?: readonly Citation[] | null | undefined;
}
export interface InnerText {
  readonly type: 'text';
  readonly text: string;
}
export interface ImageBlock extends Cached {
  readonly type: 'image';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
    | { readonly type: 'url'; readonly url: string }
    | { readonly type: 'file'; readonly file_id: string };
}
export interface DocumentBlock extends Cached {
  readonly type: 'document';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: 'application/pdf'; readonly data: string }
    | { readonly type: 'text'; readonly media_type: 'text/plain'; readonly data: string }
    | { readonly type: 'url'; readonly url: string }
    | { readonly type: 'file'; readonly file_id: string }
    | { readonly type: 'content'; readonly content: string | readonly (InnerText | ImageBlock)[] };
  readonly title?: string | null | undefined;
  readonly context?: string | null | undefined;
  readonly citations?: { readonly enabled: boolean } | undefined;
}
export interface SearchResultBlock extends Cached {
  readonly type: 'search_result';
  readonly source: string;
  readonly title: string;
  readonly content: readonly InnerText[];
  readonly citations?: { readonly enabled: boolean } | undefined;
}
export interface ToolResultBlock extends Cached {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly (TextBlock | ImageBlock | DocumentBlock | SearchResultBlock)[] | undefined;
  readonly is_error?: boolean | undefined;
}
export interface ContainerUploadBlock extends Cached {
  readonly type: 'container_upload';
  readonly file_id: string;
}
export interface Caller {
  readonly type: string;
  readonly tool_id?: string | undefined;
}
export interface ToolUseBlock extends Cached {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller?: Caller | undefined;
}
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature: string;
}
export interface RedactedThinkingBlock {
  readonly type: 'redacted_thinking';
  readonly data: string;
}
export interface CompactionBlock extends Cached {
  readonly type: 'compaction';
  readonly content: string | null;
  readonly encrypted_content?: string | null | undefined;
}
export interface ServerToolUseBlock extends Cached {
  readonly type: 'server_tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller?: Caller | undefined;
}
export interface ServerResultBlock extends Cached {
  readonly type:
    | 'web_search_tool_result'
    | 'web_fetch_tool_result'
    | 'code_execution_tool_result'
    | 'bash_code_execution_tool_result'
    | 'text_editor_code_execution_tool_result';
  readonly tool_use_id: string;
  /** `unknown` includes its absence. */
  readonly content?: unknown;
  readonly caller?: Caller | undefined;
}

export type UserBlock =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | SearchResultBlock
  | ToolResultBlock
  | ContainerUploadBlock;
export type AssistantBlock =
  | TextBlock
  | ToolUseBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | CompactionBlock
  | ServerToolUseBlock
  | ServerResultBlock;
export type Block = UserBlock | AssistantBlock;

export type SentMessage =
  | { readonly role: 'user'; readonly content: string | readonly UserBlock[] }
  | { readonly role: 'assistant'; readonly content: string | readonly AssistantBlock[] };

export interface SystemBlock extends Cached {
  readonly type: 'text';
  readonly text: string;
}

export interface CustomTool extends Cached {
  readonly name: string;
  readonly type?: 'custom' | undefined;
  readonly description?: string | undefined;
  readonly strict?: boolean | undefined;
  /** Seed. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  /** Public. */
  readonly input_schema?: Readonly<Record<string, unknown>> | undefined;
}
export interface NativeTool extends Cached {
  readonly type: string;
  readonly name: string;
  readonly max_uses?: number | undefined;
  readonly allowed_domains?: readonly string[] | undefined;
  readonly blocked_domains?: readonly string[] | undefined;
}

export interface ToolChoiceObject {
  readonly type: 'auto' | 'any' | 'tool' | 'none';
  readonly name?: string | undefined;
  readonly disable_parallel_tool_use?: boolean | undefined;
}
export interface Thinking {
  readonly type: 'enabled' | 'adaptive' | 'disabled';
  readonly budget_tokens?: number | undefined;
  readonly display?: 'summarized' | 'omitted' | undefined;
}
export interface OutputConfig {
  readonly effort?: string | undefined;
  readonly format?: { readonly type: 'json_schema'; readonly schema: Readonly<Record<string, unknown>> } | undefined;
}
export interface ContextEdit {
  readonly type: 'compact_20260112' | 'clear_thinking_20251015' | 'clear_tool_uses_20250919';
  readonly trigger?: { readonly type: string; readonly value: number } | undefined;
  readonly pause_after_compaction?: boolean | undefined;
  readonly instructions?: string | null | undefined;
  readonly keep?: 'all' | { readonly type: string; readonly value: number } | undefined;
  readonly clear_at_least?: { readonly type: string; readonly value: number } | undefined;
  readonly exclude_tools?: readonly string[] | undefined;
  readonly clear_tool_inputs?: boolean | readonly string[] | undefined;
}

export interface CountBody {
  readonly model: string;
  readonly messages: readonly SentMessage[];
  readonly system?: string | readonly SystemBlock[] | undefined;
  readonly thinking?: Thinking | undefined;
  readonly cache_control?: CacheControl | undefined;
  readonly context_management?: { readonly edits: readonly ContextEdit[] } | undefined;
  readonly tools?: readonly (CustomTool | NativeTool)[] | undefined;
  readonly tool_choice?: string | ToolChoiceObject | undefined;
  readonly effort?: string | undefined;
  readonly output_config?: OutputConfig | undefined;
}

export interface CreateBody extends CountBody {
  readonly max_tokens: number;
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  readonly top_k?: number | undefined;
  readonly stop_sequences?: readonly string[] | undefined;
  readonly stream?: boolean | undefined;
  readonly metadata?: { readonly user_id?: string | null | undefined } | undefined;
  readonly service_tier?: 'auto' | 'standard_only' | undefined;
  readonly inference_geo?: 'us' | 'global' | undefined;
  readonly container?: string | { readonly id?: string | undefined } | undefined;
}

export interface BatchBody {
  readonly requests: readonly { readonly custom_id: string; readonly params: Readonly<Record<string, unknown>> }[];
}
