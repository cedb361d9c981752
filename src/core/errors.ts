/** Every error code of the library, with its sentence in the table of error codes. */
export const errorCodes = {
  INVALID_ARGUMENT: 'An argument or option is missing, of the wrong type or out of range.',
  INVALID_FILTER: 'A `where` filter is not valid SQL or names an unknown column.',
  INDEX_NOT_FOUND: 'There is no index at this address.',
  INDEX_MISMATCH: 'The index was built with another embedder, chunker or text version.',
  INDEX_SCHEMA: 'The index was written by another schema version of ibid.',
  INDEX_DAMAGED: 'A file of the index is damaged or missing, or its parts disagree.',
  INDEX_LOCKED: 'Another process is writing to this index.',
  STORE_FAILED: 'The database reported an error.',
  DELETE_GUARD: 'The run would remove more than half of what it scans.',
  FILE_UNREADABLE: 'A file or folder cannot be opened.',
  FILE_TOO_LARGE: 'A file, or what it unpacks to, is over the size limit.',
  FILE_TIMEOUT: 'Reading a file took longer than the time limit.',
  FILE_MEMORY: 'Reading a file needed more memory than the limit.',
  FILE_UNSUPPORTED: 'No reader knows this kind of file, or it is binary.',
  FILE_ENCRYPTED: 'A file needs a password.',
  FILE_DAMAGED: 'A file is cut short or its structure is broken.',
  FILE_EMPTY: 'A file holds no text.',
  FILE_SCANNED: 'A scan or a picture waits for OCR.',
  FILE_UNTRANSCRIBED: 'A recording waits for a transcript.',
  FILE_OWN: 'ibid made the file itself, of documents.',
  PROGRAM_MISSING: 'A program that this needs is not installed on this machine.',
  PROGRAM_FAILED: 'A program of this machine ended with an error.',
  CITATION_NOT_FOUND: 'The citation names no document or span of this index.',
  DATASET_INVALID: 'A dataset folder is not in the expected layout.',
  DATASET_UNREACHABLE: 'A data set cannot be downloaded.',
  DATASET_CHECKSUM: 'A downloaded file is not the one that was published.',
  KEY_MISSING: 'A service needs a key, and no key was given.',
  KEY_REJECTED: 'The service does not accept the key.',
  PERMISSION_DENIED: 'The key, or the plan of the account, does not allow this.',
  BILLING: 'Credit or quota is used up, or a payment is required.',
  UNSAFE_ADDRESS: 'An address is not https, is in a private network, or would send a key to another host.',
  REQUEST_REJECTED: 'The service refused the request as wrong.',
  REQUEST_TOO_LARGE: 'The request is over the size the service takes.',
  REMOTE_NOT_FOUND: 'The service does not know this model, voice, file, batch or path.',
  CONFLICT: 'The service is in a state that does not allow this.',
  NOT_READY: 'The result is not made yet.',
  RATE_LIMITED: 'The service limits requests, tokens or concurrency, and the attempts are used up.',
  OVERLOADED: 'The service is overloaded.',
  SERVICE_FAILED: 'The service reported an error of its own.',
  CONNECTION_FAILED: 'The service cannot be reached, or the connection broke before an answer.',
  TIMEOUT: 'The service took longer than the time limit.',
  STREAM_BROKEN: 'A stream ended before its end.',
  RESPONSE_INVALID: 'The answer of the service does not match its reference.',
  OPERATION_RETIRED: 'The service no longer offers this operation.',
  RUN_FAILED: 'A run ended as failed, cancelled or incomplete although the service answered.',
  CONTRACT_BROKEN:
    'An embedder, a model, a reranker, a web search, a transcriber or a speaker of the caller does not keep its contract.',
  STEPS_EXCEEDED: 'A loop of tool calls reached its limit.',
  BUDGET_EXCEEDED: 'The next step would cost more than the budget leaves.',
  THREAD_ENDED: 'A thread ended before its answer.',
  ABORTED: 'The run was interrupted.',
} as const;

/** What went wrong, for programs: a key of `errorCodes`. */
export type ErrorCode = keyof typeof errorCodes;

export interface IbidErrorOptions extends ErrorOptions {
  /** What to do next, in one sentence. */
  readonly hint?: string | undefined;
}

/** Values of `name` in this family of errors. */
const family: ReadonlySet<string> = new Set(['IbidError', 'WireError']);

/** The only error family: match on `code`; `cause` is the original error; `hint` says what to do next. */
export class IbidError extends Error {
  override readonly name: string = 'IbidError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  /**
   * True also for an error from another copy of this module. A pipeline may import the sources while the command runs
   * from `dist`; its errors must keep their code and hint.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    const looksAlike = value instanceof Error && family.has(value.name) && 'code' in value && 'hint' in value;
    // biome-ignore lint/complexity/noThisInStatic: a subclass inherits this method and must use its own class
    if (this === IbidError && looksAlike) return true;
    // biome-ignore lint/complexity/noThisInStatic: as above
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }

  constructor(code: ErrorCode, message: string, options: IbidErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}

/** What is asked of an index after its `close()`. */
export function indexClosed(): IbidError {
  return new IbidError('INVALID_ARGUMENT', 'the index is closed', { hint: 'Open it again.' });
}

/**
 * Failures of a service, a key or a budget. Question and index are correct, so another mode or service may succeed. A
 * wrong argument or filter fails everywhere.
 */
const serviceFailures: ReadonlySet<ErrorCode> = new Set([
  'KEY_MISSING',
  'KEY_REJECTED',
  'PERMISSION_DENIED',
  'BILLING',
  'BUDGET_EXCEEDED',
  'OPERATION_RETIRED',
  'RATE_LIMITED',
  'OVERLOADED',
  'SERVICE_FAILED',
  'CONNECTION_FAILED',
  'TIMEOUT',
  'STREAM_BROKEN',
  'RESPONSE_INVALID',
  'REMOTE_NOT_FOUND',
  'RUN_FAILED',
]);

/** True when another mode or service may succeed. */
export function isServiceFailure(error: unknown): error is IbidError {
  return error instanceof IbidError && serviceFailures.has(error.code);
}

/** Failures after which a service has surely done, and billed, nothing. */
const refusals: ReadonlySet<ErrorCode> = new Set([
  'INVALID_ARGUMENT',
  'KEY_MISSING',
  'UNSAFE_ADDRESS',
  'REQUEST_REJECTED',
  'REQUEST_TOO_LARGE',
  'KEY_REJECTED',
  'PERMISSION_DENIED',
  'BILLING',
  'RATE_LIMITED',
  'OVERLOADED',
  'OPERATION_RETIRED',
  'REMOTE_NOT_FOUND',
]);

/** True when the service has surely not done what it was asked. */
export function isRefusal(error: unknown): boolean {
  return error instanceof IbidError && refusals.has(error.code);
}

/** Failures of an answer that came: what was wrong with it does not make it free. */
const failedAnswers: ReadonlySet<ErrorCode> = new Set(['STREAM_BROKEN', 'RESPONSE_INVALID', 'RUN_FAILED']);

/** True when the service may have done, and billed, what it was asked, although nothing of use came back. */
export function mayBeBilled(error: unknown): boolean {
  if (!(error instanceof IbidError)) return false;
  return failedAnswers.has(error.code) || unansweredOf(error) > 0;
}

/** Of what may be billed: how many times. */
export function lostAttempts(error: unknown): number {
  return Math.max(1, unansweredOf(error));
}

/** Requests that were sent and never answered: a `WireError` tells. */
function unansweredOf(error: unknown): number {
  return error instanceof IbidError && 'unanswered' in error ? Number(error.unanswered) : 0;
}

/** What a service may say of one request besides, and what a wrong address brings. */
const ofOneRequest: ReadonlySet<ErrorCode> = new Set([
  'REQUEST_REJECTED',
  'REQUEST_TOO_LARGE',
  'CONFLICT',
  'NOT_READY',
  'UNSAFE_ADDRESS',
]);

/** True when a search by words does without what the service did not give. A request may be refused for its text. */
export function wordsCanAnswer(error: unknown): error is IbidError {
  return isServiceFailure(error) || (error instanceof IbidError && ofOneRequest.has(error.code));
}

/** What an error says, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
