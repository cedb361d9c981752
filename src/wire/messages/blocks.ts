/**
 * Content blocks as they travel, in both directions. Field names are the wire's.
 * The unions name what is known; a kind this client has not heard of survives at run time, so every `switch` needs a
 * default.
 */

/** Marks the end of a reusable prefix. Writing costs 1.25 (5m) or 2 (1h) times the input price, reading 0.1. */
export interface CacheControl {
  readonly type: 'ephemeral';
  /** @default '5m' */
  readonly ttl?: '5m' | '1h' | undefined;
}

export interface CitationsSwitch {
  readonly enabled: boolean;
}

/** The four a model can look at. */
export type ImageMediaType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

export type ImageSource =
  | { readonly type: 'base64'; readonly media_type: ImageMediaType; readonly data: string }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'file'; readonly file_id: string };

export type DocumentSource =
  | { readonly type: 'base64'; readonly media_type: 'application/pdf'; readonly data: string }
  | { readonly type: 'text'; readonly media_type: 'text/plain'; readonly data: string }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'file'; readonly file_id: string }
  /** The caller's own cutting: each text block is one citable unit. Images may stand among them and are not citable. */
  | { readonly type: 'content'; readonly content: string | readonly (TextBlockParam | ImageBlockParam)[] };

export interface TextBlockParam {
  readonly type: 'text';
  readonly text: string;
  /** Assistant turns only: what the service sent may be sent back. */
  readonly citations?: readonly Citation[] | null | undefined;
  readonly cache_control?: CacheControl | null | undefined;
}

export interface ImageBlockParam {
  readonly type: 'image';
  readonly source: ImageSource;
  readonly cache_control?: CacheControl | null | undefined;
}

export interface DocumentBlockParam {
  readonly type: 'document';
  readonly source: DocumentSource;
  /** Shown to the model, never cited; at most 500 characters. */
  readonly title?: string | null | undefined;
  /** Shown to the model, never cited: the place for metadata. */
  readonly context?: string | null | undefined;
  readonly citations?: CitationsSwitch | null | undefined;
  readonly cache_control?: CacheControl | null | undefined;
}

/** A passage found by the caller. One text block is one citable unit; `source` comes back in citations as it is. */
export interface SearchResultBlockParam {
  readonly type: 'search_result';
  readonly source: string;
  readonly title: string;
  readonly content: readonly TextBlockParam[];
  readonly citations?: CitationsSwitch | null | undefined;
  readonly cache_control?: CacheControl | null | undefined;
}

export interface ToolUseBlockParam {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly caller?: unknown;
  readonly cache_control?: CacheControl | null | undefined;
}

export type ToolResultContent = TextBlockParam | ImageBlockParam | DocumentBlockParam | SearchResultBlockParam;

export interface ToolResultBlockParam {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly ToolResultContent[] | undefined;
  readonly is_error?: boolean | undefined;
  readonly cache_control?: CacheControl | null | undefined;
}

export interface ContainerUploadBlockParam {
  readonly type: 'container_upload';
  readonly file_id: string;
  readonly cache_control?: CacheControl | null | undefined;
}

/** A block of an answer, sent back exactly as it came. */
export type ContentBlockParam =
  | TextBlockParam
  | ImageBlockParam
  | DocumentBlockParam
  | SearchResultBlockParam
  | ToolUseBlockParam
  | ToolResultBlockParam
  | ThinkingBlock
  | RedactedThinkingBlock
  | ServerToolUseBlock
  | ServerToolResultBlock
  | CompactionBlock
  | ContainerUploadBlockParam;

/** Citations are null, absent or empty on the text between claims. */
export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
  readonly citations?: readonly Citation[] | null;
}

/** `thinking` is '' when its display was switched off; the signature is checked when the block comes back. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature: string;
}

export interface RedactedThinkingBlock {
  readonly type: 'redacted_thinking';
  readonly data: string;
}

/** The model asks the caller to run a tool. `input` is parsed JSON that nobody has checked against the schema. */
export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Who called: the model itself (`direct`) or a code block in its container. */
  readonly caller?: { readonly type: string; readonly [key: string]: unknown };
}

/** A tool the service runs itself. Its result follows as a block of its own, in this answer or in the next. */
export interface ServerToolUseBlock {
  readonly type: 'server_tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/**
 * `web_search_tool_result`, `web_fetch_tool_result`, `code_execution_tool_result` …; `content` is the result or an
 * error object.
 */
export interface ServerToolResultBlock {
  readonly type: `${string}_tool_result`;
  readonly tool_use_id: string;
  readonly content: unknown;
}

export interface WebSearchResult {
  readonly type: 'web_search_result';
  readonly url: string;
  readonly title: string;
  /** Must be sent back untouched. */
  readonly encrypted_content: string;
  readonly page_age?: string | null;
}

export interface ServerToolError {
  readonly type: string;
  readonly error_code: string;
}

/** The service's summary of everything before it. */
export interface CompactionBlock {
  readonly type: 'compaction';
  readonly content: string | null;
  readonly encrypted_content?: string | null;
}

export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ServerToolUseBlock
  | ServerToolResultBlock
  | CompactionBlock;

interface DocumentCitation {
  readonly cited_text: string;
  /** Counts the document blocks of the request over all its messages, from 0. */
  readonly document_index: number;
  readonly document_title: string | null;
  /** Only in answers; left out when the citation is sent back. */
  readonly file_id?: string | null;
}

/**
 * Plain-text document. Characters from 0, half-open; the unit is not documented, so check the slice against
 * `cited_text`.
 */
export interface CharLocation extends DocumentCitation {
  readonly type: 'char_location';
  readonly start_char_index: number;
  readonly end_char_index: number;
}

/** PDF. Pages from 1, half-open: page 5 is 5..6. */
export interface PageLocation extends DocumentCitation {
  readonly type: 'page_location';
  readonly start_page_number: number;
  readonly end_page_number: number;
}

/** `content` document. Blocks from 0, half-open. */
export interface ContentBlockLocation extends DocumentCitation {
  readonly type: 'content_block_location';
  readonly start_block_index: number;
  readonly end_block_index: number;
}

export interface SearchResultLocation {
  readonly type: 'search_result_location';
  readonly cited_text: string;
  /**
   * Counts the search_result blocks of the request over all messages and tool results, from 0. Shifts when earlier
   * turns grow: prefer `source`.
   */
  readonly search_result_index: number;
  readonly source: string;
  readonly title: string | null;
  readonly start_block_index: number;
  readonly end_block_index: number;
}

export interface WebSearchResultLocation {
  readonly type: 'web_search_result_location';
  /** At most 150 characters. */
  readonly cited_text: string;
  readonly url: string;
  readonly title: string | null;
  /** Must be sent back untouched. */
  readonly encrypted_index: string;
}

export type Citation =
  | CharLocation
  | PageLocation
  | ContentBlockLocation
  | SearchResultLocation
  | WebSearchResultLocation;
