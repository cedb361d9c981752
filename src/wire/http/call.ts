import { definedOnly } from '../../core/records.ts';
import {
  attempt,
  type CallFacts,
  type CallKind,
  type CallState,
  factsOfCall,
  factsOfEnded,
  isOfRate,
  type Service,
} from './attempt.ts';
import { acceptedEncodings } from './body.ts';
import type { Failed } from './classify.ts';
import type { Call, Operation, Timeouts } from './contract.ts';
import { WireError, type WireErrorFacts } from './errors.ts';
import type { HttpResponse } from './exchange.ts';
import { prepareRequest } from './request.ts';
import { defaultRetries, mayRepeat, WAIT_CEILING_MS } from './retry.ts';
import { Deadline, sleep } from './runtime.ts';
import { traceCall } from './telemetry.ts';

/** One call: waiting in the limiter, attempts, back-off, redirects, errors, hook and trace. */
export async function performCall<T, R extends HttpResponse = HttpResponse>(
  service: Service,
  operation: Operation,
  call: Call,
  kind: CallKind<R, T>,
): Promise<T> {
  const { dialect, key, runtime, options, base } = service;
  const own = call.options ?? {};
  const timeouts = checkTimeouts({ ...service.timeouts, ...definedOnly(own.timeouts ?? {}) });
  const maxRetries = checkRetries(own.maxRetries ?? options.maxRetries);
  const acceptEncoding = kind.compressed ? acceptedEncodings : 'identity';
  const request = prepareRequest(operation, call, { base, key, dialect, options, accept: kind.accept, acceptEncoding });
  const trace = traceCall(dialect, operation, call, base);
  const endings = [
    { signal: own.signal, reason: () => own.signal?.reason },
    { signal: service.closing, reason: () => closed(operation, factsOfEnded(state)) },
  ];
  const deadline = new Deadline(runtime, endings, timeouts.totalMs, () => {
    const problem = `${operation.name}: not done within ${timeouts.totalMs} ms`;
    return new WireError('TIMEOUT', problem, factsOfEnded(state));
  });
  const state: CallState<R, T> = {
    ...{ service, operation, call, kind, request, timeouts, trace },
    group: service.limiter.group(operation.group, options.limits, dialect.limits),
    signal: deadline.signal,
    startedAt: runtime.now(),
    attempts: 0,
    unanswered: 0,
    isUnderWay: false,
    over: (error) => {
      deadline.dispose();
      trace.end(error);
    },
  };
  try {
    return await repeat(state, maxRetries);
  } catch (error) {
    state.over(error);
    throw error;
  }
}

/** Of a call that was made, or under way, when its client was closed. */
export const closed = ({ name }: Operation, facts: WireErrorFacts = {}): WireError =>
  new WireError('INVALID_ARGUMENT', `${name}: this client is closed`, facts);

/** Attempts until one succeeds or no other is allowed. */
async function repeat<R extends HttpResponse, T>(state: CallState<R, T>, maxRetries: number | undefined): Promise<T> {
  const { group, trace, service } = state;
  for (;;) {
    if (group.pausedMs > WAIT_CEILING_MS) throw paused(state);
    const outcome = await attempt(state);
    if (outcome.ok) return outcome.value;
    const { failed, waitMs, tell } = outcome;
    const code = failed.error instanceof WireError ? failed.error.code : 'ABORTED';
    const again = mayFollow(state, failed, waitMs, maxRetries);
    tell({ errorCode: code, ...(again ? { retryInMs: waitMs } : {}) });
    if (!again) throw failed.error;
    trace.retry(state.attempts, code, waitMs);
    if (!isOfRate(failed)) await sleep(service.runtime, waitMs, state.signal); // it waits in the group
  }
}

/** Whether another attempt follows on this failure. */
function mayFollow(
  { attempts, request, operation, call }: CallFacts,
  { cause, shouldRetry, passing }: Failed,
  waitMs: number,
  maxRetries: number | undefined,
): boolean {
  if (cause === undefined || waitMs > WAIT_CEILING_MS || attempts > (maxRetries ?? defaultRetries(cause))) return false;
  if (!request.repeatable && cause !== 'unsent') return false;
  const repeatUnanswered = call.options?.repeatUnanswered === true;
  return mayRepeat({ rule: operation.repeat, cause, repeatUnanswered, shouldRetry, passing });
}

function paused(state: CallFacts): WireError {
  const ms = state.group.pausedMs;
  const seconds = Math.ceil(ms / 1000);
  return new WireError('RATE_LIMITED', `${state.operation.name}: the service asked to wait, ${seconds} s are left`, {
    ...factsOfCall(state),
    retryAfterMs: ms,
    hint: `Call again in ${seconds} s.`,
  });
}

export function checkTimeouts(timeouts: Timeouts): Timeouts {
  for (const [name, value] of Object.entries(timeouts)) {
    if (!Number.isFinite(value) || value < 0) {
      throw new WireError('INVALID_ARGUMENT', `timeouts.${name} must be a number of milliseconds from 0, not ${value}`);
    }
  }
  return timeouts;
}

export function checkRetries(value: number | undefined): number | undefined {
  if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0)) {
    throw new WireError('INVALID_ARGUMENT', `maxRetries must be a whole number from 0, not ${value}`);
  }
  return value;
}
