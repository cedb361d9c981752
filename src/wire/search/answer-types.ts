import type { ReplyInfo, WireCallOptions } from '../http/contract.ts';
import type { Cost } from '../http/cost.ts';
import type { SearchFilters } from './check-filters.ts';
import type { Citation, Source } from './markers.ts';
import type { Open } from './parse.ts';
import type { WaitOptions } from './poll.ts';
import type { ContextSize, CostEstimate } from './prices.ts';
import type { TokenCounter } from './token-estimate.ts';

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } | string }
  | {
      readonly type: 'file_url';
      readonly file_url: { readonly url: string } | string;
      readonly file_name?: string | null | undefined;
    }
  | { readonly type: 'pdf_url'; readonly pdf_url: { readonly url: string } | string }
  | { readonly type: 'video_url'; readonly video_url: { readonly url: string } | string };

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | readonly ContentPart[];
}

export interface UserLocation {
  /** ISO 3166-1 alpha-2; required with coordinates. */
  readonly country?: string | undefined;
  readonly region?: string | undefined;
  readonly city?: string | undefined;
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
}

export type AnswerFormat =
  | { readonly type: 'text' }
  | {
      readonly type: 'json_schema';
      readonly json_schema: {
        readonly schema: object;
        readonly name?: string | undefined;
        readonly description?: string | undefined;
        readonly strict?: boolean | undefined;
      };
    };

/** A chat completions request in the reference's spelling. `stream` follows from the method that is called. */
export interface AnswerRequest extends SearchFilters {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** Streams only: `concise` sends search steps as they happen and the text once. @default 'full' */
  readonly stream_mode?: 'full' | 'concise' | undefined;
  readonly max_tokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  readonly stop?: string | readonly string[] | undefined;
  readonly response_format?: AnswerFormat | undefined;
  /** @default 'low' */
  readonly search_context_size?: ContextSize | undefined;
  /** `pro` searches several times on its own and needs a stream. */
  readonly search_type?: 'fast' | 'pro' | 'auto' | undefined;
  /** The first two fields may stand here or at the top; they are sent where the profile's dialect wants them. */
  readonly web_search_options?:
    | {
        readonly search_context_size?: ContextSize | undefined;
        readonly search_type?: 'fast' | 'pro' | 'auto' | undefined;
        readonly user_location?: UserLocation | undefined;
        readonly image_results_enhanced_relevance?: boolean | undefined;
      }
    | undefined;
  readonly search_language_filter?: readonly string[] | undefined;
  readonly search_mode?: 'web' | 'academic' | 'sec' | undefined;
  readonly disable_search?: boolean | undefined;
  readonly enable_search_classifier?: boolean | undefined;
  readonly return_images?: boolean | undefined;
  readonly image_domain_filter?: readonly string[] | undefined;
  readonly image_format_filter?: readonly ('gif' | 'jpg' | 'png' | 'webp')[] | undefined;
  readonly return_related_questions?: boolean | undefined;
  /** Deep research only. */
  readonly reasoning_effort?: 'minimal' | 'low' | 'medium' | 'high' | undefined;
  readonly language_preference?: string | undefined;
}

export interface SearchResult extends Open {
  readonly title?: string | null;
  readonly url?: string;
  readonly snippet?: string | null;
  readonly date?: string | null;
  readonly last_updated?: string | null;
  readonly source?: string;
}

export interface AnswerImage extends Open {
  readonly image_url?: string;
  readonly origin_url?: string;
  readonly title?: string | null;
  /** Pixels. */
  readonly width?: number;
  readonly height?: number;
}

export interface AnswerUsage extends Open {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly total_tokens?: number;
  readonly search_context_size?: string | null;
  readonly citation_tokens?: number | null;
  readonly num_search_queries?: number | null;
  readonly reasoning_tokens?: number | null;
  readonly cost?: (Open & { readonly total_cost?: number }) | null;
}

export interface ReasoningStep extends Open {
  readonly thought?: string;
  readonly type?: string;
}

export interface AnswerMessage extends Open {
  readonly role?: string;
  readonly content?: unknown;
  readonly reasoning_steps?: readonly ReasoningStep[] | null;
}

export interface AnswerChoice extends Open {
  readonly index?: number;
  readonly finish_reason?: string | null;
  readonly message: AnswerMessage;
}

/** The body of a chat completion as it came. */
export interface ChatResponse extends Open {
  readonly id?: string;
  readonly model?: string;
  readonly created?: number;
  readonly object?: string;
  readonly choices: readonly AnswerChoice[];
  readonly citations?: readonly string[] | null;
  readonly search_results?: readonly SearchResult[] | null;
  readonly images?: readonly AnswerImage[] | null;
  readonly related_questions?: readonly string[] | null;
  readonly usage?: AnswerUsage | null;
}

/** An answer, read: streamed or not, the same. */
export interface Answer {
  /** Without the reasoning in front of it. */
  readonly text: string;
  /** What stood in the leading `<think>` block; `undefined` when there was none. */
  readonly reasoning: string | undefined;
  /** Steps of a pro search. */
  readonly reasoningSteps: readonly ReasoningStep[];
  readonly finishReason: string | undefined;
  /** `[n]` in the text is number n. Neither shortened nor sorted. */
  readonly sources: readonly Source[];
  /** Where the text cites, in text order. */
  readonly citations: readonly Citation[];
  readonly images: readonly AnswerImage[];
  readonly relatedQuestions: readonly string[];
  readonly usage: AnswerUsage | undefined;
  readonly cost: Cost;
  /** The model that answered. */
  readonly model: string;
  /** `research` when the answer operation was retired and research answered instead. */
  readonly via: 'answers' | 'research';
  /** What was changed on the way: merged messages, fields that research has no place for. */
  readonly notes: readonly string[];
  /** The body as it came: a `ChatResponse`, or the research response when `via` says so. */
  readonly response: Open;
  readonly info: ReplyInfo;
}

/** What answers when the answer operation is retired. */
export interface ResearchFallback {
  readonly preset?: string | undefined;
  readonly model?: string | undefined;
  readonly models?: readonly string[] | undefined;
}

export interface AnswerOptions extends WireCallOptions {
  /**
   * Neighbouring messages of one role, which the service refuses: joined (and noted), or refused here.
   * @default 'merge'
   */
  readonly neighbours?: 'merge' | 'reject' | undefined;
  /**
   * What to do when the service no longer offers answers; `research` takes a preset that suits the model.
   * @default 'throw'
   */
  readonly onRetired?: 'throw' | 'research' | ResearchFallback | undefined;
  /**
   * Counts tokens for the model's context window, which longer messages are refused for.
   * @default a generous estimate
   */
  readonly countTokens?: TokenCounter | undefined;
  /** Fields newer than this client, sent as they are. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

export type AnswerEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /** The text so far has turned out to be reasoning (its opening tag was missing); the answer starts now. */
  | { readonly type: 'reclassified'; readonly reasoning: string }
  | { readonly type: 'step'; readonly step: ReasoningStep }
  /** Known so far; sent when it changes. */
  | { readonly type: 'sources'; readonly sources: readonly Source[] }
  /** Anything else, as it came. */
  | { readonly type: 'other'; readonly object: string; readonly chunk: Open }
  | { readonly type: 'done'; readonly answer: Answer };

/**
 * An answer as it is written. Iterate it once; leaving the loop ends the connection. A stream holds its place in the
 * limit of answers at work until it is read to its end, left or cancelled: read it before you open many more.
 */
export interface AnswerStream extends AsyncIterable<AnswerEvent> {
  /** The text so far; after an error, what had arrived. */
  readonly partialText: string;
  readonly info: ReplyInfo;
  /** Reads to the end. */
  final(): Promise<Answer>;
  cancel(): Promise<void>;
}

/** A queued answer in the service's words; kept 7 days. */
export interface AsyncAnswerBody extends Open {
  readonly id: string;
  readonly model?: string;
  /** Further values may appear. */
  readonly status: 'CREATED' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | (string & {});
  /** Unix seconds. */
  readonly created_at?: number;
  readonly started_at?: number | null;
  readonly completed_at?: number | null;
  readonly failed_at?: number | null;
  readonly error_message?: string | null;
}

export interface AsyncAnswer {
  readonly id: string;
  readonly status: AsyncAnswerBody['status'];
  /** Once the status is COMPLETED. */
  readonly answer: Answer | undefined;
  readonly response: AsyncAnswerBody;
  readonly info: ReplyInfo;
}

export interface AsyncAnswerPage {
  readonly requests: readonly AsyncAnswerBody[];
  readonly nextToken: string | undefined;
  readonly response: Open;
}

export interface AsyncCreateOptions extends Omit<AnswerOptions, 'onRetired'> {
  /** Two requests with one key are one answer. @default a new one per call, kept over its retries */
  readonly idempotencyKey?: string | undefined;
}

export interface AsyncAnswers {
  create(request: AnswerRequest, options?: AsyncCreateOptions): Promise<AsyncAnswer>;
  get(id: string, options?: WireCallOptions): Promise<AsyncAnswer>;
  /** @throws WireError RUN_FAILED with `partial` when the answer failed; TIMEOUT after `timeoutMs` */
  wait(id: string, options?: WaitOptions): Promise<Answer>;
  list(
    query?: { readonly limit?: number | undefined; readonly next_token?: string | undefined },
    options?: WireCallOptions,
  ): Promise<AsyncAnswerPage>;
}

/** Search-grounded answers with citations. */
export interface Answers {
  /** The whole answer at once. @throws IbidError INVALID_ARGUMENT before sending; WireError OPERATION_RETIRED, … */
  create(request: AnswerRequest, options?: AnswerOptions): Promise<Answer>;
  /**
   * The answer as it is written.
   * @throws WireError STREAM_BROKEN with `partial` when the stream ends before the answer does
   */
  stream(request: AnswerRequest, options?: AnswerOptions): Promise<AnswerStream>;
  /** What a request will cost, from the price list and a generous token count. */
  estimateCost(request: AnswerRequest, expected?: { readonly outputTokens?: number | undefined }): CostEstimate;
  /** Answers that are queued and fetched later. */
  readonly async: AsyncAnswers;
}
