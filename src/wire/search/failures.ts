import type { ErrorCode } from '../../core/errors.ts';
import { factsOf, type Where } from '../http/answer.ts';
import { errorFromBody, WireError, type WireErrorFacts } from '../http/errors.ts';

/** An error event inside a stream that began with 200, or the `error` of a run. */
export function reported(where: Where, body: unknown): WireError {
  const { status: _, ...facts } = factsOf(where); // 200 says nothing about the error
  return errorFromBody(body, facts);
}

/** A failure that came after something of use had arrived; `partial` is that something. */
export class PartialResultError<T = unknown> extends WireError {
  readonly partial: T;

  constructor(code: ErrorCode, message: string, partial: T, facts: WireErrorFacts = {}) {
    super(code, message, facts);
    this.partial = partial;
  }
}

/** The same failure with what had arrived; an abort's reason and foreign errors stay what they are. */
export function withPartial(error: unknown, partial: unknown): unknown {
  if (!(error instanceof WireError) || error instanceof PartialResultError) return error;
  const { code, message, service, operation, status, requestId, attempts, unanswered, retryable, address } = error;
  const { type, param, body, retryAfterMs, hint } = error;
  const facts = { service, operation, status, requestId, attempts, unanswered, retryable, address, hint };
  return new PartialResultError(code, message, partial, { ...facts, type, param, body, retryAfterMs, cause: error });
}

/** STREAM_BROKEN: the stream ended too early; `partial` is what had arrived. */
export function broken(where: Where, problem: string, partial: unknown, hint?: string): PartialResultError {
  const message = `${where.operation.name}: ${problem}`;
  return new PartialResultError('STREAM_BROKEN', message, partial, { ...factsOf(where), hint });
}
