import type { Dispatcher } from 'undici';
import { followRedirect } from './address.ts';
import { acceptedEncodings, BodyTooLarge, decoded, readStart, UnknownEncoding } from './body.ts';
import type {
  AttemptEvent,
  Call,
  Operation,
  ReplyInfo,
  ServiceDialect,
  Settled,
  Timeouts,
  TransportOptions,
} from './contract.ts';
import { errorFromBody, RefusedAfterAll, WireError, type WireErrorFacts } from './errors.ts';
import { PieceTooLarge } from './events.ts';
import { exchange, type HttpResponse, Unanswered } from './exchange.ts';
import type { ApiKey } from './keys.ts';
import type { KeyLimiter } from './limiter.ts';
import { type PreparedRequest, prepareRequest } from './request.ts';
import {
  backOffMs,
  type Cause,
  defaultRetries,
  mayRepeat,
  retryAfterMs,
  shouldRetry,
  statusFor,
  WAIT_CEILING_MS,
} from './retry.ts';
import { Deadline, type Runtime, sleep } from './runtime.ts';
import { traceCall } from './telemetry.ts';

/** What a transport is made of. */
export interface Service {
  readonly dialect: ServiceDialect;
  readonly options: TransportOptions;
  readonly base: URL;
  readonly key: ApiKey;
  readonly timeouts: Timeouts;
  readonly dispatcher: Dispatcher;
  readonly limiter: KeyLimiter;
  readonly runtime: Runtime;
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
  /** To be called once reading is over, with the error if there was one: frees the place in the limiter and ends the trace. */
  readonly finish: (error?: unknown) => void;
}

export interface CallKind<R extends HttpResponse, T> {
  readonly accept: string;
  /** False: compression would hold small pieces back. */
  readonly compressed: boolean;
  readonly send?: (service: Service, request: PreparedRequest, timeouts: Timeouts, signal: AbortSignal) => Promise<R>;
  readonly read: (answer: Answer<R>) => Promise<T>;
}

/** How much of an error's body is read, and how much of it an error keeps. */
const ERROR_BODY_BYTES = 262_144;
const EXCERPT = 2_000;
const MAX_REDIRECTS = 5;

/** One call: waiting in the limiter, attempts, back-off, redirects, errors, hook and trace. */
export async function performCall<T, R extends HttpResponse = HttpResponse>(
  service: Service,
  operation: Operation,
  call: Call,
  kind: CallKind<R, T>,
): Promise<T> {
  const { dialect, key, runtime, options } = service;
  const own = call.options ?? {};
  const timeouts = checkTimeouts({ ...service.timeouts, ...definedOnly(own.timeouts ?? {}) });
  const maxRetries = checkRetries(own.maxRetries ?? options.maxRetries);
  const request = prepareRequest(operation, call, {
    base: service.base,
    key,
    dialect,
    options,
    accept: kind.accept,
    acceptEncoding: kind.compressed ? acceptedEncodings : 'identity',
  });
  const group = service.limiter.group(operation.group, options.limits, dialect.limits);
  const startedAt = runtime.now();
  const facts = (): WireErrorFacts => ({
    service: dialect.service,
    operation: operation.name,
    address: request.address,
    attempts,
  });
  let attempts = 0;
  const trace = traceCall(dialect, operation, call, service.base);
  const deadline = new Deadline(
    runtime,
    own.signal,
    timeouts.totalMs,
    () => new WireError('TIMEOUT', `${operation.name}: not done within ${timeouts.totalMs} ms`, facts()),
  );
  const { signal } = deadline;
  const over = (error?: unknown): void => {
    deadline.dispose();
    trace.end(error);
  };
  const send = kind.send ?? sendFollowing;

  try {
    for (;;) {
      if (group.pausedMs > WAIT_CEILING_MS) throw paused(operation, group.pausedMs, facts());
      const lease = await group.acquire(call.estimate ?? {}, signal);
      attempts++;
      const attemptAt = runtime.now();
      const tell = (rest: Partial<AttemptEvent>): void =>
        report(options.onAttempt, {
          operation: operation.name,
          service: dialect.service,
          method: operation.method,
          address: request.address,
          attempt: attempts,
          elapsedMs: runtime.now() - attemptAt,
          ...rest,
        });
      let failed: Failed;
      let head: Partial<AttemptEvent> = {};
      try {
        // A kind with a `send` of its own answers with its own type; without one it is the plain response.
        const response = (await send(service, request, timeouts, signal)) as R;
        const hints = dialect.readLimits?.(response.headers, runtime.now());
        if (hints !== undefined) group.learn(hints);
        const info = infoOf(response, dialect, key, attempts, runtime.now() - startedAt);
        head = { status: info.status, ...(info.requestId === undefined ? {} : { requestId: info.requestId }) };
        trace.answered(info);
        if (response.status < 300) {
          const result = await kind.read({
            response,
            info,
            settle: (actual) => {
              lease.settle(actual);
              trace.settled(actual);
            },
            reading: lease.reading,
            failure: (error) => broken(error, operation, key, signal, { ...facts(), ...pick(info) }).error,
            finish: (error) => {
              lease.release();
              over(error);
            },
          });
          tell(head);
          return result;
        }
        failed = await refused(response, info, service, facts());
      } catch (error) {
        failed = broken(error, operation, key, signal, { ...facts(), ...head });
      }
      // What was refused or never arrived used nothing; what was cut or left may have.
      if (typeof failed.cause === 'number' || failed.cause === 'unsent')
        lease.settle({ inputTokens: 0, outputTokens: 0 });
      if (failed.cause === 'unanswered') own.onUnanswered?.();
      if (failed.cause === 429 && failed.crowded) group.shrink();
      lease.release();
      const { error } = failed;
      const waitMs = failed.waitMs ?? backOffMs(attempts, failed.cause ?? 0, runtime.random());
      if (failed.cause === 429 && failed.passing && !failed.crowded) group.pause(waitMs);
      const code = error instanceof WireError ? error.code : 'ABORTED';
      const again =
        failed.cause !== undefined &&
        attempts <= (maxRetries ?? defaultRetries(failed.cause)) &&
        waitMs <= WAIT_CEILING_MS &&
        (request.repeatable || failed.cause === 'unsent') &&
        mayRepeat({
          rule: operation.repeat,
          cause: failed.cause,
          repeatUnanswered: own.repeatUnanswered === true,
          shouldRetry: failed.shouldRetry,
          passing: failed.passing,
        });
      tell({ ...head, errorCode: code, ...(again ? { retryInMs: waitMs } : {}) });
      if (!again) throw error;
      trace.retry(attempts, code, waitMs);
      await sleep(runtime, waitMs, signal);
    }
  } catch (error) {
    over(error);
    throw error;
  }
}

interface Failed {
  readonly error: unknown;
  /** Undefined: not a matter of repeating. */
  readonly cause: Cause | undefined;
  readonly waitMs?: number | undefined;
  readonly shouldRetry?: boolean | undefined;
  readonly passing: boolean;
  /** Too many calls under way, rather than too many per minute. */
  readonly crowded?: boolean;
}

async function sendFollowing(
  service: Service,
  request: PreparedRequest,
  timeouts: Timeouts,
  signal: AbortSignal,
): Promise<HttpResponse> {
  let { url } = request;
  for (let hops = 0; ; hops++) {
    const response = await exchange({ ...request, url }, { ...service, timeouts, signal });
    if (![301, 302, 303, 307, 308].includes(response.status)) return response;
    response.body.cancel();
    if (hops === MAX_REDIRECTS) throw new WireError('RESPONSE_INVALID', `more than ${MAX_REDIRECTS} redirects`);
    url = followRedirect(url, response.headers.location, request.method);
  }
}

/** An answer with a status that is no success. */
async function refused(
  response: HttpResponse,
  info: ReplyInfo,
  service: Service,
  facts: WireErrorFacts,
): Promise<Failed> {
  const { dialect, key, runtime } = service;
  const { status, headers } = response;
  let text = '';
  try {
    const bytes = await readStart(decoded(response.body, headers['content-encoding']), ERROR_BODY_BYTES);
    text = key.scrub(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    response.body.cancel();
    if (!(error instanceof UnknownEncoding)) throw error;
  }
  const asked = retryAfterMs(headers, runtime.now(), status);
  const tooLong =
    asked !== undefined && asked > WAIT_CEILING_MS ? ` (the service asks to wait ${Math.ceil(asked / 1000)} s)` : '';
  const body = parsed(text);
  const made = errorFromBody(
    body,
    { ...facts, ...pick(info), retryAfterMs: asked, body: text === '' ? undefined : text.slice(0, EXCERPT) },
    dialect.readError,
  );
  const invalid = status < 400;
  const final = shouldRetry(headers) === false || invalid;
  const error = new WireError(invalid ? 'RESPONSE_INVALID' : made.code, made.message + tooLong, {
    ...made,
    retryable: made.retryable && !final,
    hint: tooLong === '' ? made.hint : `Call again in ${Math.ceil(asked! / 1000)} s.`,
  });
  // A used-up budget and a retired operation stay so, whatever the status says.
  const passing = !invalid && error.code !== 'BILLING' && error.code !== 'OPERATION_RETIRED';
  const crowded = /concurrent/.test(`${error.type ?? ''} ${text.slice(0, EXCERPT)}`);
  return { error, cause: status, waitMs: asked, shouldRetry: shouldRetry(headers), passing, crowded };
}

/** An attempt that threw: no answer, an answer that broke off, or one that is not what it should be. */
function broken(
  thrown: unknown,
  operation: Operation,
  key: ApiKey,
  signal: AbortSignal,
  facts: WireErrorFacts,
): Failed {
  if (signal.aborted) return { error: signal.reason, cause: undefined, passing: false };
  if (thrown instanceof RefusedAfterAll) {
    const { error } = broken(thrown.error, operation, key, signal, facts);
    return { error, cause: statusFor[thrown.error.code], waitMs: thrown.error.retryAfterMs, passing: true };
  }
  if (thrown instanceof WireError) {
    const error =
      thrown.address !== undefined
        ? thrown
        : new WireError(thrown.code, key.scrub(`${operation.name}: ${thrown.message}`), {
            ...thrown,
            ...facts,
            hint: thrown.hint,
            retryable: thrown.retryable,
          });
    return { error, cause: undefined, passing: false };
  }
  const say = (text: string): string => key.scrub(`${operation.name}: ${text}`);
  const cause = safeCause(thrown, key);
  if (thrown instanceof Unanswered) {
    const answered = facts.status !== undefined;
    const code = thrown.late !== undefined ? 'TIMEOUT' : answered ? 'STREAM_BROKEN' : 'CONNECTION_FAILED';
    const text = answered && thrown.late === undefined ? `the answer broke off: ${thrown.message}` : thrown.message;
    return {
      error: new WireError(code, say(text), { ...facts, cause }),
      cause: thrown.sent ? 'unanswered' : 'unsent',
      passing: true,
    };
  }
  const zlibCode = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (zlibCode === 'Z_BUF_ERROR') {
    return {
      error: new WireError('STREAM_BROKEN', say('the compressed answer broke off'), { ...facts, cause }),
      cause: 'unanswered',
      passing: true,
    };
  }
  const unreadable =
    thrown instanceof BodyTooLarge ||
    thrown instanceof PieceTooLarge ||
    thrown instanceof UnknownEncoding ||
    thrown instanceof SyntaxError;
  if (unreadable || /^(Z_|ERR__?(ZSTD|BROTLI|ERROR)|ZSTD_|ERR_ZLIB|ERR_BROTLI)/.test(zlibCode)) {
    return {
      error: new WireError('RESPONSE_INVALID', say(String((thrown as Error).message)), { ...facts, cause }),
      cause: undefined,
      passing: false,
    };
  }
  return { error: thrown, cause: undefined, passing: false }; // a fault of the caller's own source
}

const paused = (operation: Operation, ms: number, facts: WireErrorFacts): WireError =>
  new WireError('RATE_LIMITED', `${operation.name}: the service asked to wait, ${Math.ceil(ms / 1000)} s are left`, {
    ...facts,
    retryAfterMs: ms,
    hint: `Call again in ${Math.ceil(ms / 1000)} s.`,
  });

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

const pick = (info: ReplyInfo): WireErrorFacts => ({ status: info.status, requestId: info.requestId });

/** The original error without what it may carry along (sockets, bytes received, our own headers). */
function safeCause(thrown: unknown, key: ApiKey): Error | undefined {
  const original = thrown instanceof Unanswered && thrown.cause !== undefined ? thrown.cause : thrown;
  if (!(original instanceof Error)) return undefined;
  const safe = new Error(key.scrub(original.message));
  safe.name = original.name;
  if ('code' in original && typeof original.code === 'string') Object.assign(safe, { code: original.code });
  return safe;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function report(hook: TransportOptions['onAttempt'], event: AttemptEvent): void {
  try {
    hook?.(event);
  } catch {
    // A meter that breaks must not break the call.
  }
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

export const definedOnly = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>; // the filter takes the undefined ones out
  };
