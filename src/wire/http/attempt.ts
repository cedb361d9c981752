import type { Dispatcher } from 'undici';
import { followRedirect } from './address.ts';
import { broken, type Failed, pick, refused } from './classify.ts';
import type {
  AttemptEvent,
  Call,
  OpenOptions,
  Operation,
  ReplyInfo,
  ServiceDialect,
  Settled,
  Timeouts,
} from './contract.ts';
import { WireError, type WireErrorFacts } from './errors.ts';
import { exchange, type HttpResponse } from './exchange.ts';
import type { ApiKey } from './keys.ts';
import type { GroupLimiter, KeyLimiter } from './limiter.ts';
import type { PreparedRequest } from './request.ts';
import { backOffMs } from './retry.ts';
import type { Runtime } from './runtime.ts';
import type { HearSilence } from './silence.ts';
import type { CallTrace } from './telemetry.ts';

/** What a transport is made of. */
export interface Service {
  readonly dialect: ServiceDialect;
  readonly options: OpenOptions;
  readonly base: URL;
  readonly key: ApiKey;
  readonly timeouts: Timeouts;
  readonly dispatcher: Dispatcher;
  readonly limiter: KeyLimiter;
  readonly runtime: Runtime;
  /** Ends the calls under way when the client is closed. */
  readonly closing: AbortSignal;
}

/** An answer with a good status, to be read by the kind of call it was. */
export interface Answer<R extends HttpResponse> {
  readonly response: R;
  readonly info: ReplyInfo;
  /** Corrects the limiter's estimate and tells the trace. */
  readonly settle: (actual: Settled) => void;
  /** Tells the limiter whether someone reads; answers that are read at once need not. */
  readonly reading: (on: boolean) => void;
  /** Makes a typed error of whatever reading threw; the caller's abort comes back as it is. */
  readonly failure: (error: unknown) => unknown;
  /**
   * To be called once reading is over, with the error if there was one: frees the place in the limiter and ends the
   * trace.
   */
  readonly finish: (error?: unknown) => void;
}

/** What holds for the sending of a request. */
export interface SendCall {
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal;
  readonly onSilence: HearSilence | undefined;
}

export interface CallKind<R extends HttpResponse, T> {
  readonly accept: string;
  /** False: compression would hold small pieces back. */
  readonly compressed: boolean;
  readonly send?: (service: Service, request: PreparedRequest, call: SendCall) => Promise<R>;
  readonly read: (answer: Answer<R>) => Promise<T>;
}

/** What a call is, whatever its kind. */
export interface CallFacts {
  readonly service: Service;
  readonly operation: Operation;
  readonly call: Call;
  readonly request: PreparedRequest;
  readonly group: GroupLimiter;
  /** Attempts begun. */
  attempts: number;
  /** Attempts that may have been carried out though no answer came. */
  unanswered: number;
  /** An attempt has begun and not ended. */
  isUnderWay: boolean;
}

/** One call on its way, over all its attempts. */
export interface CallState<R extends HttpResponse, T> extends CallFacts {
  readonly kind: CallKind<R, T>;
  readonly timeouts: Timeouts;
  readonly trace: CallTrace;
  readonly signal: AbortSignal;
  readonly startedAt: number;
  /** Ends the trace and the deadline, with the error if there was one. */
  readonly over: (error?: unknown) => void;
}

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly failed: Failed;
      /** Before another attempt. */
      readonly waitMs: number;
      readonly tell: (rest: Partial<AttemptEvent>) => void;
    };

const MAX_REDIRECTS = 5;

export const factsOfCall = ({ service, operation, request, attempts, unanswered }: CallFacts): WireErrorFacts => ({
  service: service.dialect.service,
  operation: operation.name,
  address: request.address,
  attempts,
  unanswered,
});

/** Of a call that is ended from outside: nobody knows what becomes of an attempt under way. */
export const factsOfEnded = (state: CallFacts): WireErrorFacts => ({
  ...factsOfCall(state),
  unanswered: state.unanswered + (state.isUnderWay ? 1 : 0),
});

/**
 * One attempt: a place in the limiter, the request, the answer's head, and the reading that belongs to the call.
 * A failure is told with `tell` once it is decided whether another attempt follows.
 */
export async function attempt<R extends HttpResponse, T>(state: CallState<R, T>): Promise<Outcome<T>> {
  const { service, request, kind, group, trace, signal, call } = state;
  const { dialect, key, runtime } = service;
  const lease = await group.acquire(call.estimate ?? {}, signal, state.attempts);
  state.attempts++;
  state.isUnderWay = true;
  const begun = runtime.now();
  let head: Partial<AttemptEvent> = {};
  const tell = (rest: Partial<AttemptEvent>): void =>
    report(service.options.onAttempt, {
      operation: state.operation.name,
      service: dialect.service,
      method: state.operation.method,
      address: request.address,
      attempt: state.attempts,
      elapsedMs: runtime.now() - begun,
      ...head,
      ...rest,
    });
  let failed: Failed;
  try {
    // A kind with a `send` of its own answers with its own type; without one it is the plain response.
    const response = (await (kind.send ?? sendFollowing)(service, request, {
      timeouts: state.timeouts,
      signal,
      onSilence: hearSilence(state),
    })) as R;
    const hints = dialect.readLimits?.(response.headers, runtime.now());
    if (hints !== undefined) group.learn(hints);
    const info = infoOf(response, dialect, key, state.attempts, runtime.now() - state.startedAt);
    head = { status: info.status, ...(info.requestId === undefined ? {} : { requestId: info.requestId }) };
    trace.answered(info);
    if (response.status < 300) {
      const value = await kind.read({
        response,
        info,
        settle: (actual) => {
          lease.settle(actual);
          trace.settled(actual);
        },
        reading: lease.reading,
        failure: (error) => broken(error, key, signal, { ...factsOfCall(state), ...pick(info) }).error,
        finish: (error) => {
          state.isUnderWay = false;
          lease.release();
          state.over(error);
        },
      });
      tell({});
      return { ok: true, value };
    }
    failed = await refused(response, info, { dialect, key, nowMs: runtime.now() }, factsOfCall(state));
  } catch (error) {
    failed = broken(error, key, signal, { ...factsOfCall(state), ...head });
  }
  // What was refused or never arrived used nothing; what was cut or left may have.
  if (typeof failed.cause === 'number' || failed.cause === 'unsent') lease.settle({ inputTokens: 0, outputTokens: 0 });
  state.isUnderWay = false;
  if (failed.cause === 'unanswered') {
    state.unanswered++;
    call.options?.onUnanswered?.();
  }
  const waitMs = failed.waitMs ?? backOffMs(state.attempts, failed.cause ?? 0, runtime.random());
  if (failed.cause === 429 && failed.crowded) group.shrink();
  if (isOfRate(failed)) {
    group.halve(begun);
    group.pause(waitMs); // before its place is free for another
  }
  lease.release();
  return { ok: false, failed, waitMs, tell };
}

/** Whether all calls of the group have to wait, as the service said of this one. */
export function isOfRate({ cause, passing, crowded }: Failed): boolean {
  return cause === 429 && passing && crowded !== true;
}

/** The caller's ear, which must not break the call. */
function hearSilence({ call, operation, service }: CallFacts): HearSilence | undefined {
  const onSilence = call.options?.onSilence;
  if (onSilence === undefined) return undefined;
  return (silence) => {
    try {
      onSilence({ service: service.dialect.service, operation: operation.name, ...silence });
    } catch {
      // as with a meter that breaks
    }
  };
}

async function sendFollowing(service: Service, request: PreparedRequest, call: SendCall): Promise<HttpResponse> {
  let { url } = request;
  for (let hops = 0; ; hops++) {
    const response = await exchange({ ...request, url }, { ...service, ...call });
    if (![301, 302, 303, 307, 308].includes(response.status)) return response;
    response.body.cancel();
    if (hops === MAX_REDIRECTS) throw new WireError('RESPONSE_INVALID', `more than ${MAX_REDIRECTS} redirects`);
    url = followRedirect(url, response.headers.location, request.method);
  }
}

function infoOf(
  response: HttpResponse,
  dialect: ServiceDialect,
  key: ApiKey,
  attempts: number,
  elapsedMs: number,
): ReplyInfo {
  const names = dialect.requestIdHeaders ?? ['x-request-id', 'request-id', 'x-trace-id'];
  const id = names.map((name) => response.headers[name]).find((value) => value !== undefined && value !== '');
  return {
    status: response.status,
    headers: response.headers,
    requestId: id === undefined ? undefined : key.scrub(id),
    attempts,
    elapsedMs,
  };
}

function report(hook: OpenOptions['onAttempt'], event: AttemptEvent): void {
  try {
    hook?.(event);
  } catch {
    // A meter that breaks must not break the call.
  }
}
