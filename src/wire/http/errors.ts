import { type ErrorCode, IbidError } from '../../core/errors.ts';
import { definedOnly } from '../../core/records.ts';
import type { ErrorFacts, ServiceName } from './contract.ts';
import { quotaToken, readErrorBody } from './error-body.ts';

export interface WireErrorFacts {
  readonly service?: ServiceName | undefined;
  /** The operation's name, `messages.create`. */
  readonly operation?: string | undefined;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** Requests sent, from 0 (refused before sending). */
  readonly attempts?: number | undefined;
  /** Of these requests: those that may have been carried out, and billed, though no answer came. */
  readonly unanswered?: number | undefined;
  /** A later identical call may succeed. Follows from the code unless said. */
  readonly retryable?: boolean | undefined;
  /** Origin and path template: no query, no headers, no key. */
  readonly address?: string | undefined;
  /** The service's own machine name of the error. */
  readonly type?: string | undefined;
  /** The field the service complains about. */
  readonly param?: string | undefined;
  /** The beginning of the body as it came, at most 2,000 characters, key scrubbed. */
  readonly body?: string | undefined;
  /** How long the service asks to wait. */
  readonly retryAfterMs?: number | undefined;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** Any failure of a call to a service. `code` says what it is, `retryable` whether waiting may help. */
export class WireError extends IbidError {
  override readonly name: string = 'WireError';
  readonly service: ServiceName | undefined;
  readonly operation: string | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly attempts: number;
  /** Requests that may have been carried out, and billed, though no answer came. */
  readonly unanswered: number;
  readonly retryable: boolean;
  readonly address: string | undefined;
  readonly type: string | undefined;
  readonly param: string | undefined;
  readonly body: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, facts: WireErrorFacts = {}) {
    super(code, message, { hint: facts.hint ?? hints[code], cause: facts.cause });
    this.service = facts.service;
    this.operation = facts.operation;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.attempts = facts.attempts ?? 0;
    this.unanswered = facts.unanswered ?? 0;
    this.retryable = facts.retryable ?? passing.has(code);
    this.address = facts.address;
    this.type = facts.type;
    this.param = facts.param;
    this.body = facts.body;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** A good status with an error for a body, found while reading: to be treated as the refusal it is. */
export class RefusedAfterAll extends Error {
  readonly error: WireError;

  constructor(error: WireError) {
    super(error.message);
    this.error = error;
  }
}

/** Codes of failures that go away by themselves. */
const passing: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'RATE_LIMITED',
  'OVERLOADED',
  'SERVICE_FAILED',
  'CONNECTION_FAILED',
  'TIMEOUT',
  'STREAM_BROKEN',
  'NOT_READY',
]);

const hints: { readonly [code in ErrorCode]?: string } = {
  KEY_REJECTED: 'Check that the key is complete, belongs to this service and is still active.',
  PERMISSION_DENIED: 'Use a key that holds this permission, or a plan that includes it.',
  BILLING: 'Add credit or raise the spending limit at the service, then call again.',
  REMOTE_NOT_FOUND: 'Check the name, and that the key sees it.',
  REQUEST_TOO_LARGE: 'Send less at once.',
  RATE_LIMITED: 'Wait, lower the concurrency, or raise the limit at the service.',
  OVERLOADED: 'Try again later.',
  SERVICE_FAILED: 'Try again; name the request id when you report it to the service.',
  CONNECTION_FAILED: 'Check the network, the base address and the proxy settings.',
  TIMEOUT: 'Raise the timeout of this call, or stream the answer.',
  STREAM_BROKEN: 'What has arrived is not the whole answer; call again.',
  NOT_READY: 'Ask again later.',
  OPERATION_RETIRED: 'Use the operation that replaced it.',
};

const byStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'REQUEST_REJECTED',
  401: 'KEY_REJECTED',
  402: 'BILLING',
  403: 'PERMISSION_DENIED',
  404: 'REMOTE_NOT_FOUND',
  405: 'REMOTE_NOT_FOUND',
  408: 'TIMEOUT',
  409: 'CONFLICT',
  410: 'REMOTE_NOT_FOUND',
  413: 'REQUEST_TOO_LARGE',
  422: 'REQUEST_REJECTED',
  424: 'SERVICE_FAILED',
  425: 'NOT_READY',
  429: 'RATE_LIMITED',
  503: 'OVERLOADED',
  529: 'OVERLOADED',
};

/**
 * Machine names → code; used where the status does not decide: 4xx that share one, and error events inside a stream.
 */
const byName: readonly (readonly [name: RegExp, code: ErrorCode])[] = [
  [
    /^(system_busy|overloaded(_error)?|service_unavailable|maintenance|queue_overflow|resource_exhausted)$/,
    'OVERLOADED',
  ],
  [/rate_limit|^too_many_|concurrent_limit|^rate_limited$|throttled/, 'RATE_LIMITED'],
  [
    /permission|^authorization_error$|^forbidden$|access_denied|^subscription_required$|^feature_not_available$/,
    'PERMISSION_DENIED',
  ],
  [/^output_format_not_allowed$|^detected_unusual_activity$|^unaccepted_terms/, 'PERMISSION_DENIED'],
  [
    /^(auth_error|authentication_error|invalid_api_key|missing_api_key|needs_authorization|unauthorized)$/,
    'KEY_REJECTED',
  ],
  [/not_found|does_not_exist/, 'REMOTE_NOT_FOUND'],
  [/^(request_too_large|payload_too_large|chunk_size_exceeded)$/, 'REQUEST_TOO_LARGE'],
  [/^conflict/, 'CONFLICT'],
  [/^timeout_error$|^gateway_timeout$|timeout_exceeded$/, 'TIMEOUT'],
  [/^invalid|^validation_error$|_too_long$|^unsupported_|^input_error$|^malformed/, 'REQUEST_REJECTED'],
  [/^insufficient_audio_activity$/, 'REQUEST_REJECTED'],
];

/**
 * The code of an error answer. Money goes before authentication (a used-up quota may come as 401), names before the
 * status where a status is shared by several.
 * @param status absent for an error event inside a stream
 */
function classifyError(status: number | undefined, facts: ErrorFacts): ErrorCode {
  if (facts.code !== undefined) return facts.code;
  const names = [...(facts.codes ?? []), facts.type ?? '']
    .map((name) => name.toLowerCase())
    .filter((name) => name !== '');
  if (names.includes('chat_completions_not_available')) return 'OPERATION_RETIRED';
  if (names.some(quotaToken)) return 'BILLING';
  const own = status === undefined ? undefined : byStatus[status];
  const undecided =
    status === undefined || [400, 401, 403, 429].includes(status) || (own === undefined && status < 500);
  if (undecided) {
    for (const name of names) for (const [pattern, code] of byName) if (pattern.test(name)) return code;
  }
  if (own !== undefined) return own;
  return status !== undefined && status < 500 ? 'REQUEST_REJECTED' : 'SERVICE_FAILED';
}

/**
 * The error of an error body: an answer with a status ≥ 400, or an error event inside a stream that began with 200.
 * @param body parsed JSON, or text when it is none
 * @param facts what the caller knows; `status` absent inside a stream
 */
export function errorFromBody(
  body: unknown,
  facts: WireErrorFacts,
  readError?: (body: unknown, status: number | undefined) => ErrorFacts | undefined,
): WireError {
  const general = readErrorBody(body);
  const read: ErrorFacts = { ...general, ...definedOnly(readError?.(body, facts.status) ?? {}) };
  // A spending limit is final, unless the service itself says when to come back.
  const spent = read.codes?.includes('enforced_spend_limit_reached') === true && facts.retryAfterMs === undefined;
  const code = spent ? 'BILLING' : classifyError(facts.status, read);
  // a tool server of the caller, which the service could not reach
  const isConnector = facts.status === 424 || read.type === 'external_connector_error';
  const where = facts.operation === undefined ? '' : `${facts.operation}: `;
  const status = facts.status === undefined ? '' : `HTTP ${facts.status}`;
  const name = read.type ?? read.codes?.[0];
  const head = [status, name].filter((part) => part !== undefined && part !== '').join(' ');
  const text = read.message === undefined || read.message === '' ? '' : read.message;
  const message = `${where}${[head, text].filter((part) => part !== '').join(': ') || 'the service reported an error'}`;
  return new WireError(code, message, {
    ...facts,
    type: name,
    param: read.param ?? facts.param,
    requestId: facts.requestId ?? read.requestId,
    ...(facts.retryable === undefined && (spent || isConnector) ? { retryable: false } : {}),
    ...(isConnector ? { hint: 'Check the address and the key of the tool server that the request names.' } : {}),
  });
}

/** Whether the service refused a request because it holds too many tokens or texts: only then may halves of it pass. */
export function isTooLong(error: unknown): boolean {
  if (!(error instanceof WireError)) return false;
  if (error.code === 'REQUEST_TOO_LARGE') return true;
  if (error.code !== 'REQUEST_REJECTED') return false;
  return /too (long|large|many)|length|tokens?\b.*(limit|exceed|max)|(limit|exceed|max)\w*\b.*tokens?\b/i.test(
    error.message,
  );
}
