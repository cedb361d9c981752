import { type ErrorCode, errorCodes, IbidError } from '../core/errors.ts';

/** An error as it is answered. */
export interface Problem {
  readonly status: number;
  readonly code: ErrorCode | 'UNEXPECTED' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'UNAUTHORIZED' | 'FORBIDDEN';
  readonly message: string;
  readonly hint?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown by what knows how it must be answered. */
export class Refusal extends Error {
  readonly problem: Problem;

  constructor(status: number, code: Problem['code'], message: string, more: Pick<Problem, 'hint' | 'headers'> = {}) {
    super(message);
    this.problem = { status, code, message, ...more };
  }
}

/** Codes whose message is about the request, with their status. Messages of all others may name a path or a service. */
const aboutRequest: Partial<Record<ErrorCode, number>> = {
  INVALID_ARGUMENT: 400,
  INVALID_FILTER: 400,
  CITATION_NOT_FOUND: 404,
  PERMISSION_DENIED: 403,
  BUDGET_EXCEEDED: 402,
  KEY_MISSING: 501,
  CONFLICT: 409,
  REQUEST_TOO_LARGE: 413,
  TIMEOUT: 504,
};

const otherStatus: Partial<Record<ErrorCode, number>> = {
  INDEX_NOT_FOUND: 503,
  INDEX_LOCKED: 503,
  INDEX_DAMAGED: 503,
  INDEX_MISMATCH: 503,
  INDEX_SCHEMA: 503,
  STORE_FAILED: 503,
  FILE_UNREADABLE: 503,
  FILE_DAMAGED: 503,
  RATE_LIMITED: 503,
  OVERLOADED: 503,
  NOT_READY: 503,
  THREAD_ENDED: 503,
  ABORTED: 503,
};

/** The hint about an index, without names of this machine. */
const hintOfIndex: Partial<Record<ErrorCode, string>> = {
  INDEX_NOT_FOUND: 'Who runs the server brings the index back, or makes it with `ibid ingest`.',
  INDEX_LOCKED: 'Try again later.',
  INDEX_DAMAGED: 'Who runs the server asks `ibid doctor` what to do.',
  INDEX_MISMATCH: 'Who runs the server makes the index anew with `ibid ingest --rebuild`; its documents can be read.',
  INDEX_SCHEMA:
    'Who runs the server makes the index anew with `ibid ingest --rebuild`, or takes another version of ibid.',
};

/** The index of an error, where there are several. */
const blamed = new WeakMap<object, string>();

/** What this work gives; an error of the index itself will be told with its name. @param name absent: there is one index */
export async function ofIndex<T>(name: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (name !== undefined && error instanceof IbidError) blamed.set(error, name);
    throw error;
  }
}

/** Options of our own that a client cannot use: hints of the library may name them. */
const hintIsForCallers = (hint: string): boolean => !/openIndex|createMessagesService/.test(hint);

/**
 * What a client is told of an error: never a stack, and never a message that may hold a path of this machine or the
 * words of a service.
 */
export function problemOf(error: unknown): Problem {
  if (error instanceof Refusal) return error.problem;
  if (!(error instanceof IbidError)) return { status: 500, code: 'UNEXPECTED', message: 'an unexpected error' };
  const { code, message, hint } = error;
  const status = aboutRequest[code];
  if (status === undefined) {
    const next = hintOfIndex[code];
    const of = blamed.get(error);
    const what = of === undefined ? errorCodes[code] : `The index "${of}": ${errorCodes[code]}`;
    return { status: otherStatus[code] ?? 502, code, message: what, ...(next && { hint: next }) };
  }
  return { status, code, message, ...(hint !== undefined && hintIsForCallers(hint) && { hint }) };
}

/** The body of an error, in the shape of our own API. */
export function problemBody({ code, message, hint }: Problem): { readonly error: Omit<Problem, 'status' | 'headers'> } {
  return { error: { code, message, ...(hint !== undefined && { hint }) } };
}

/** A failure that did not stop a request, in the words of a problem. Of another machine it never says the name. */
export function warningToJson(error: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = problemOf(error);
  return { code, message: code === 'TIMEOUT' || code === 'CONFLICT' ? errorCodes[code] : message };
}

/** For whoever runs the server: what our own errors say, with their causes, and where any other came from. */
export function detailOf(error: unknown): string {
  if (error instanceof IbidError)
    return [error.message, error.hint?.replace(/\.$/, ''), causeOf(error.cause)].filter(Boolean).join('. ');
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const causeOf = (cause: unknown): string | undefined =>
  cause === undefined ? undefined : `Cause: ${cause instanceof Error ? cause.message : String(cause)}`;
