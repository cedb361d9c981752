import type { ReplyInfo, StreamReply, WireCallOptions } from '../http/contract.ts';
import type { Cost } from '../http/cost.ts';
import type { UserLocation } from './answer-types.ts';
import type { SearchFilters } from './check-filters.ts';
import type { Citation, Source } from './markers.ts';
import type { Open } from './parse.ts';
import type { WaitOptions } from './poll.ts';
import type { ContextSize, CostEstimate, ResearchEstimate } from './prices.ts';

export type InputPart =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly image_url: string };

export type InputItem =
  | {
      readonly type: 'message';
      readonly role: 'user' | 'assistant' | 'system' | 'developer';
      readonly content: string | readonly InputPart[];
    }
  | {
      readonly type: 'function_call';
      readonly call_id: string;
      readonly name: string;
      /** JSON. */
      readonly arguments: string;
      readonly thought_signature?: string | undefined;
    }
  | {
      readonly type: 'function_call_output';
      readonly call_id: string;
      readonly output: string;
      readonly name?: string | undefined;
      readonly thought_signature?: string | undefined;
    };

export interface WebSearchTool {
  readonly type: 'web_search';
  /** The filters; `filters` is the public spelling of the same. Sent in the profile's spelling. */
  readonly config?: SearchFilters | undefined;
  readonly filters?: SearchFilters | undefined;
  readonly max_results?: number | undefined;
  readonly max_tokens?: number | undefined;
  readonly max_tokens_per_page?: number | undefined;
  readonly search_context_size?: ContextSize | undefined;
  readonly search_type?: 'web' | 'fast' | undefined;
  readonly user_location?: UserLocation | undefined;
}

export interface FetchUrlTool {
  readonly type: 'fetch_url';
  /** 1 to 10. */
  readonly max_urls?: number | undefined;
  /** At most 120,000. */
  readonly total_budget_tokens?: number | undefined;
}

export interface FunctionTool {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments. */
  readonly parameters?: object | undefined;
  readonly strict?: boolean | undefined;
}

export interface McpTool {
  readonly type: 'mcp';
  readonly server_label: string;
  readonly server_url: string;
  readonly allowed_tools?: readonly string[] | undefined;
  readonly authorization?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface PlainTool {
  readonly type: 'people_search' | 'finance_search' | 'sandbox';
}

export type ResearchTool = WebSearchTool | FetchUrlTool | FunctionTool | McpTool | PlainTool;

/** A research request in the reference's spelling; `stream` follows from the method that is called. */
export interface ResearchRequest {
  /** One of `model`, `models` and `preset` is needed. */
  readonly model?: string | undefined;
  /** Up to 5, tried in order; goes before `model`. */
  readonly models?: readonly string[] | undefined;
  readonly preset?: string | undefined;
  readonly input: string | readonly InputItem[];
  /** Replaces the preset's prompt; '' clears it. */
  readonly instructions?: string | undefined;
  readonly tools?: readonly ResearchTool[] | undefined;
  readonly tool_choice?:
    | 'none'
    | 'auto'
    | 'required'
    | { readonly name: string }
    | { readonly type: string }
    | undefined;
  /** The output bound; `max_output_tokens` is the public spelling of the same. Sent in the profile's spelling. */
  readonly max_tokens?: number | undefined;
  readonly max_output_tokens?: number | undefined;
  /** 1 to 100. */
  readonly max_steps?: number | undefined;
  /** 0 switches all tools off. */
  readonly max_tool_calls?: number | undefined;
  readonly response_format?:
    | {
        readonly type: 'json_schema';
        readonly json_schema: {
          readonly name: string;
          readonly schema: object;
          readonly description?: string | undefined;
          readonly strict?: boolean | undefined;
        };
      }
    | undefined;
  readonly reasoning?: { readonly effort: 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' } | undefined;
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  readonly parallel_tool_calls?: boolean | undefined;
  readonly language_preference?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly truncation?: string | undefined;
  readonly previous_response_id?: string | undefined;
  readonly store?: boolean | undefined;
  /** Answers at once with a queued run; `wait` for it. */
  readonly background?: boolean | undefined;
}

/** One item of a run's output. The set is open; the interfaces below name the fields of the known types. */
export interface OutputItem extends Open {
  readonly type: string;
}

export interface FunctionCall extends OutputItem {
  readonly type: 'function_call';
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
  readonly thought_signature?: string;
}

export type ResearchStatus =
  | 'completed'
  | 'failed'
  | 'incomplete'
  | 'in_progress'
  | 'queued'
  | 'cancelled'
  | 'requires_action'
  | (string & {});

export interface ResearchUsage extends Open {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly total_tokens?: number;
  readonly output_tokens_details?: Open | null;
  readonly tool_calls_details?: Readonly<Record<string, Open & { invocation?: number; cost_usd?: number }>> | null;
  readonly cost?: (Open & { readonly total_cost?: number }) | null;
}

/** The body of a run as it came. */
export interface ResearchResponse extends Open {
  readonly id: string;
  readonly object?: string;
  readonly status: ResearchStatus;
  readonly model?: string;
  readonly output: readonly OutputItem[];
  readonly error?: (Open & { readonly message?: string }) | null;
  readonly incomplete_details?: (Open & { readonly reason?: string }) | null;
  readonly usage?: ResearchUsage | null;
}

/** A run, read: streamed or not, the same. */
export interface ResearchRun {
  readonly id: string;
  readonly status: ResearchStatus;
  /** All text parts of all messages, joined. */
  readonly outputText: string;
  readonly sources: readonly Source[];
  readonly citations: readonly Citation[];
  /** Calls of functions, in order; those of the service's own tools are left out. */
  readonly functionCalls: readonly FunctionCall[];
  readonly usage: ResearchUsage | undefined;
  readonly cost: Cost;
  /** The model that was used; while a run is queued, the preset. */
  readonly model: string | undefined;
  readonly response: ResearchResponse;
  readonly info: ReplyInfo;
}

export interface ResearchOptions extends WireCallOptions {
  /**
   * A run that ended as failed, incomplete, cancelled or waiting for a function: an error with the run as `partial`, or
   * the run.
   * @default 'throw'
   */
  readonly onFailure?: 'throw' | 'return' | undefined;
  /** An abort also cancels a background run or a stream at the service, so that it stops billing. @default true */
  readonly cancelOnAbort?: boolean | undefined;
  /** Fields newer than this client, sent as they are. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

interface Numbered {
  /** Increases; has gaps. `undefined` when the service sent none. */
  readonly sequenceNumber: number | undefined;
}

/** What a running research tells. Fields inside are the wire's; `other` holds every event this client does not know. */
export type ResearchEvent = Numbered &
  (
    | { readonly type: 'created' | 'in_progress'; readonly response: ResearchResponse }
    | { readonly type: 'text'; readonly text: string; readonly outputIndex: number | undefined }
    | { readonly type: 'text_done'; readonly text: string; readonly outputIndex: number | undefined }
    | { readonly type: 'item_added' | 'item_done'; readonly item: OutputItem; readonly outputIndex: number | undefined }
    | { readonly type: 'reasoning_started' | 'reasoning_stopped'; readonly thought: string | undefined }
    | { readonly type: 'search_queries'; readonly queries: readonly string[]; readonly thought: string | undefined }
    | { readonly type: 'search_results'; readonly results: readonly Open[]; readonly thought: string | undefined }
    | { readonly type: 'fetch_url_queries'; readonly urls: readonly string[]; readonly thought: string | undefined }
    | { readonly type: 'fetch_url_results'; readonly contents: readonly Open[]; readonly thought: string | undefined }
    | { readonly type: 'skill_loaded'; readonly name: string }
    | { readonly type: 'other'; readonly name: string; readonly event: Open }
    /** The last event, whatever the run's status. */
    | { readonly type: 'done'; readonly run: ResearchRun }
  );

/** A run as it works. Iterate it once. */
export interface ResearchStream extends AsyncIterable<ResearchEvent> {
  readonly info: ReplyInfo;
  /** Known after the first event. */
  readonly id: string | undefined;
  /** Where `resume` goes on. */
  readonly lastSequenceNumber: number | undefined;
  readonly partialText: string;
  /** Reads to the end. */
  final(): Promise<ResearchRun>;
  /** Ends the connection; the run itself goes on until `research.cancel`. */
  cancel(): Promise<void>;
}

/** A file a run has made. */
export interface ResearchFile extends Open {
  readonly id: string;
  readonly filename?: string;
  readonly bytes?: number;
  readonly created_at?: number;
}

export interface ResumeOptions extends ResearchOptions {
  /** The last `sequenceNumber` seen; without it the events come from the beginning. */
  readonly startingAfter?: number | undefined;
  /** What to do when the service no longer holds the events: wait for the result, or throw. @default 'wait' */
  readonly onExpired?: 'wait' | 'throw' | undefined;
}

export interface ResearchWaitOptions extends WaitOptions, Pick<ResearchOptions, 'onFailure' | 'cancelOnAbort'> {}

/** Agentic research: models with built-in tools, presets and functions of the caller's. */
export interface Research {
  /** One run. With `background: true` it comes back queued. @throws WireError RUN_FAILED with the run as `partial` */
  create(request: ResearchRequest, options?: ResearchOptions): Promise<ResearchRun>;
  /** One run as it works. A broken stream of a background run is taken up again. */
  stream(request: ResearchRequest, options?: ResearchOptions): Promise<ResearchStream>;
  /** A run as it stands, whatever its status. */
  get(id: string, options?: WireCallOptions): Promise<ResearchRun>;
  /**
   * Asks for the end of a run; `wait` shows when it has ended.
   * @throws WireError REQUEST_REJECTED for a finished or unknown run
   */
  cancel(id: string, options?: WireCallOptions): Promise<Open>;
  /** Polls until a run is over. @throws WireError RUN_FAILED, TIMEOUT */
  wait(id: string, options?: ResearchWaitOptions): Promise<ResearchRun>;
  /** The events of a background run, from where a reader left off. */
  resume(id: string, options?: ResumeOptions): Promise<ResearchStream>;
  files(id: string, options?: WireCallOptions): Promise<readonly ResearchFile[]>;
  fileContent(id: string, fileId: string, options?: WireCallOptions): Promise<StreamReply<Uint8Array>>;
  /** Tool fees of a run; model tokens too where their price is given, since the service lists none. */
  estimateCost(
    request: ResearchRequest,
    expected?: Pick<ResearchEstimate, 'tokenPrices' | 'outputTokens'>,
  ): CostEstimate;
}

/** A model of the research operation. */
export interface ModelEntry extends Open {
  readonly id: string;
  readonly owned_by?: string;
}
