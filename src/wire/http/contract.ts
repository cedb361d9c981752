import type { ErrorCode } from '../../core/errors.ts';
import type { CallOptions } from '../../core/types.ts';

/**
 * The three services, and any server of the common dialect; each has its own key, base address, limiter and price
 * table.
 */
export type ServiceName = 'search' | 'messages' | 'audio' | 'common';

/**
 * When an operation may be sent again by itself. Decided per operation and written beside it, so that the table can be
 * read.
 *
 * - `always`: repeating it costs nothing and changes nothing (reads, deletes, token counts): connection errors,
 *   timeouts, 408, 409, 429, 5xx.
 * - `refused`: it bills or creates something, but the service says so when it did not happen: 429, 5xx, and connection
 *   errors before the request was sent; after a cut or a timeout only when the caller allows it (`repeatUnanswered`).
 * - `unsent`: a run that bills while it works (agentic runs, deep research): only 429, 503 and requests that surely
 *   never arrived.
 * - `never`: no second attempt.
 */
export type RepeatRule = 'always' | 'refused' | 'unsent' | 'never';

/** One operation of a service: the static half of every call. */
export interface Operation {
  /** As in errors, hooks and traces: `messages.create`, `audio.speech`. */
  readonly name: string;
  readonly service: ServiceName;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path template below the base address; `{voice_id}` is filled from `Call.path` and percent-encoded. */
  readonly path: string;
  readonly repeat: RepeatRule;
  /**
   * Calls of one group share a concurrency and rate limit within a key: `answers`, `embeddings`, `messages`, `speech` …
   */
  readonly group: string;
  /**
   * `gen_ai.operation.name` of the GenAI semantic conventions where there is one: `chat`, `embeddings`, `execute_tool`.
   */
  readonly genAi?: string;
}

/** What callers of every client method may set. */
export interface WireCallOptions extends CallOptions {
  readonly timeouts?: Partial<Timeouts> | undefined;
  /**
   * Attempts after the first, whatever went wrong; 0 sends once. Waits above 60 s that a service asks for are not
   * waited for: RATE_LIMITED with `retryAfterMs`, at once. @default 4 for refusals of load (429, 503, 529), 2 otherwise
   */
  readonly maxRetries?: number | undefined;
  /**
   * Allows a `refused` operation to be repeated though the first request may have been carried out (and billed).
   * @default false
   */
  readonly repeatUnanswered?: boolean | undefined;
  /**
   * Called for each attempt that may have been carried out, and billed, though its answer never came; before it is
   * repeated.
   */
  readonly onUnanswered?: (() => void) | undefined;
  /** Added to the request; a header this client sets itself (key, version, content type) cannot be replaced. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Milliseconds; `0` switches one off. */
export interface Timeouts {
  /** TCP and TLS. @default 10,000 */
  readonly connectMs: number;
  /** From the request's end to the response's headers. @default 600,000 (long answers come late) */
  readonly headersMs: number;
  /**
   * Between two pieces of a body or two events of a stream; keep-alive comments and pings count as life. @default
   * 90,000
   */
  readonly idleMs: number;
  /** The whole call, retries and waiting in the limiter included. @default 0 */
  readonly totalMs: number;
}

export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

/**
 * A part of a multipart body. A `content` that can be read once makes the call unrepeatable; a function makes it
 * repeatable.
 */
export type FormPart =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly file: FileContent; readonly filename: string; readonly type: string };

export type FileContent = Uint8Array | Blob | AsyncIterable<Uint8Array> | (() => AsyncIterable<Uint8Array>);

/** The per-call half of a request. Undefined entries of `query`, `json` and `headers` are left out. */
export interface Call {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly json?: unknown;
  readonly form?: readonly FormPart[];
  /** What the limiter sets aside before sending; corrected from the service's own figures afterwards. */
  readonly estimate?: { readonly inputTokens?: number; readonly outputTokens?: number };
  /** Attributes for the trace: request model, limits. Never text, never a key. */
  readonly attributes?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /**
   * `json` only: what the parsed body says was really used; corrects `estimate` and completes the trace. What it throws
   * is ignored.
   */
  readonly settle?: ((body: unknown) => Settled | undefined) | undefined;
  readonly options?: WireCallOptions | undefined;
}

/**
 * What a finished call really used: corrects the limiter's estimate and fills `gen_ai.response.*` and `gen_ai.usage.*`
 * of the trace.
 */
export interface Settled {
  /** As the service counts against the limit: without cache reads. */
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly model?: string | undefined;
  readonly id?: string | undefined;
  readonly finishReasons?: readonly string[] | undefined;
}

/** What is known about an answer beside its body. */
export interface ReplyInfo {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;
  /** Requests sent, at least 1. */
  readonly attempts: number;
  /** Milliseconds from the first attempt to this answer's headers, limiter and back-off included. */
  readonly elapsedMs: number;
}

export interface Reply<T> extends ReplyInfo {
  readonly body: T;
}

/** One server-sent event; `event` is '' when the stream names none. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * A body that arrives piece by piece, with backpressure: the socket is read as the iteration asks. Leaving the loop
 * early, an abort, or an idle timeout ends the connection. A cut inside the body ends in `WireError` STREAM_BROKEN.
 */
export interface StreamReply<T> extends ReplyInfo, AsyncIterable<T> {
  /**
   * The same pieces in arrays, never empty, as they arrived together: one promise per read of the socket instead of one
   * per piece, for loops that must be fast. The array is yours. Use this or the plain iteration, not both at once.
   */
  batches(): AsyncIterable<readonly T[]>;
  /** Says what was used, any time before the end; the last word counts. */
  settle(actual: Settled): void;
  /** Ends the connection without reading on; harmless afterwards. */
  cancel(): Promise<void>;
}

/**
 * A WebSocket as an async iterable of text messages; `send` waits while the peer is slow. The iteration ends when the
 * peer closes with 1000, 1001 or 1005, or after `close`; another close code or a lost connection is `WireError`
 * STREAM_BROKEN. The idle timeout holds while the iteration waits. More than 64 MiB unread ends it with
 * RESPONSE_INVALID.
 */
export interface Socket extends AsyncIterable<string>, AsyncDisposable {
  /** Set once the peer has closed. */
  readonly closed: { readonly code: number; readonly reason: string } | undefined;
  send(message: string): Promise<void>;
  close(code?: number, reason?: string): Promise<void>;
}

/** Told of every attempt, for logs and meters; what it throws is ignored. Holds no key, no query string, no text. */
export interface AttemptEvent {
  readonly operation: string;
  readonly service: ServiceName;
  readonly method: string;
  /** Origin and path template. */
  readonly address: string;
  /** From 1. */
  readonly attempt: number;
  readonly status?: number;
  readonly requestId?: string;
  readonly elapsedMs: number;
  /** Set when the attempt failed. */
  readonly errorCode?: string;
  /** Set when another attempt follows after this wait. */
  readonly retryInMs?: number;
}

/**
 * The one way to a service: keys, limits, retries, timeouts, proxies, traces and errors are decided here and nowhere
 * else.
 */
export interface Transport extends AsyncDisposable {
  readonly service: ServiceName;
  /**
   * A JSON body, followed through redirects within the origin (GET only); an empty one (204) gives `undefined`. A body
   * that is not JSON is `WireError` RESPONSE_INVALID.
   */
  json(operation: Operation, call: Call): Promise<Reply<unknown>>;
  /**
   * Server-sent events, any chunking, LF, CRLF or CR. Resolves when the answer's head is there, after retries; from
   * then on nothing is repeated. Read to the end where possible: leaving earlier costs the connection.
   */
  events(operation: Operation, call: Call): Promise<StreamReply<ServerEvent>>;
  /** Lines of a JSONL body without their line ends; blank lines are left out. */
  lines(operation: Operation, call: Call): Promise<StreamReply<string>>;
  bytes(operation: Operation, call: Call): Promise<StreamReply<Uint8Array>>;
  socket(operation: Operation, call: Call): Promise<Socket>;
  /** Ends what is under way too: INVALID_ARGUMENT. Closing twice does no harm. */
  close(): Promise<void>;
}

/** What a client is opened with; the same for all three services. */
export interface TransportOptions extends OpenOptions {
  /** `serviceFromEnvironment` reads key, address and proxies of an environment. */
  readonly apiKey: string;
}

/** The same for a server that may need no key. */
export interface OpenOptions {
  /** Sent as a bearer token. @default no key */
  readonly apiKey?: string | undefined;
  /** `https:`; `http:` only for loopback, and with `privateAddress`. */
  readonly baseUrl: string;
  /**
   * Allows `http:` to the host of `baseUrl` if it is in a private network: what its name resolves to is checked with
   * every connection. No proxy is used then. @default false
   */
  readonly privateAddress?: boolean | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** See `WireCallOptions.maxRetries`, which goes before it. */
  readonly maxRetries?: number | undefined;
  readonly onAttempt?: ((event: AttemptEvent) => void) | undefined;
  /**
   * By group. The limiter is shared by all clients of one key and address in this process; the last one opened has the
   * last word.
   */
  readonly limits?: LimitOptions | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Proxies to go through; loopback addresses never do. `proxyFromEnvironment(env)` reads the usual variables. */
  readonly proxy?: ProxyOptions | undefined;
  /** Largest JSON body after decompression. @default 134,217,728 */
  readonly maxBodyBytes?: number | undefined;
}

/** Proxies for requests that leave this machine. */
export interface ProxyOptions {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  /** Hosts that are reached directly, separated by commas; `*` for all. */
  readonly noProxy?: string | undefined;
}

/**
 * Ceilings of one group; undefined = learned from the service's headers, else unlimited. `concurrency` has a default
 * per group.
 */
export interface GroupLimits {
  readonly concurrency?: number | undefined;
  readonly requestsPerMinute?: number | undefined;
  /** Requests that may begin at once before they are spread over the minute. @default a minute's worth */
  readonly burst?: number | undefined;
  readonly inputTokensPerMinute?: number | undefined;
  readonly outputTokensPerMinute?: number | undefined;
}

export type LimitOptions = Readonly<Record<string, GroupLimits>>;

/** One bucket as the service reports it. */
export interface BucketHint {
  /** Per minute. */
  readonly limit?: number | undefined;
  readonly remaining?: number | undefined;
}

/** What an answer's headers say about the limits of its group. */
export interface LimitHints {
  readonly requests?: BucketHint | undefined;
  readonly inputTokens?: BucketHint | undefined;
  readonly outputTokens?: BucketHint | undefined;
  /** Requests at once. */
  readonly concurrency?: number | undefined;
  /** Nothing more may be sent for this long. */
  readonly pauseMs?: number | undefined;
}

/** What a service says in an error body (or in an error event inside a stream), whatever its shape. */
export interface ErrorFacts {
  readonly message?: string | undefined;
  /** `error.type`, the machine's name for it. */
  readonly type?: string | undefined;
  /** `code`, legacy `status`, `details.error_code`: further machine names, most telling first. */
  readonly codes?: readonly string[] | undefined;
  /** The field the service complains about. */
  readonly param?: string | undefined;
  readonly requestId?: string | undefined;
  /** Only from `ServiceDialect.readError`: the service knows better than the general table. */
  readonly code?: ErrorCode | undefined;
}

/** How one service differs from the others on the wire. Header names are lower-case. */
export interface ServiceDialect {
  readonly service: ServiceName;
  /** A server may need no key: `apiKey` may be missing, and `auth` is not asked then. @default false */
  readonly keyless?: boolean | undefined;
  /** `gen_ai.provider.name` in traces. @default the service's name */
  readonly provider?: string | undefined;
  /** The headers that carry the key: `(key) => ({ authorization: \`Bearer ${key}\` })`. */
  readonly auth: (key: string) => Readonly<Record<string, string>>;
  /** Sent with every request: the version header. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Where an answer's request id may stand; the first present counts. @default ['x-request-id', 'request-id',
   * 'x-trace-id']
   */
  readonly requestIdHeaders?: readonly string[] | undefined;
  /** See `limit-headers.ts` for ready ones. */
  readonly readLimits?:
    | ((headers: Readonly<Record<string, string>>, nowMs: number) => LimitHints | undefined)
    | undefined;
  /** Reads an error body the general reader does not understand, or corrects what it makes of one. */
  readonly readError?: ((body: unknown, status: number | undefined) => ErrorFacts | undefined) | undefined;
  /** Ceilings per group before anything is learned; `TransportOptions.limits` go before these. */
  readonly limits?: LimitOptions | undefined;
}
