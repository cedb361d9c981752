import type { Dispatcher } from 'undici';
import { Body } from './body.ts';
import type { Timeouts } from './contract.ts';
import { WireError } from './errors.ts';
import type { Runtime } from './runtime.ts';
import { type HearSilence, watchSilence } from './silence.ts';

/** One request as bytes. */
export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | (() => AsyncIterable<Uint8Array>) | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

export type Stage = 'connect' | 'send' | 'headers' | 'idle';

/** An attempt that got no answer. */
export class Unanswered extends Error {
  /** False: the request surely did not arrive. */
  readonly sent: boolean;
  /** Set when a time limit of ours ended it. */
  readonly late: Stage | undefined;

  constructor(message: string, sent: boolean, options: { late?: Stage; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.sent = sent;
    this.late = options.late;
  }
}

export interface ExchangeOptions {
  readonly dispatcher: Dispatcher;
  readonly runtime: Runtime;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal;
  readonly onSilence?: HearSilence | undefined;
}

/**
 * Sends one request once.
 * @returns the answer's head, with a body still to be read or cancelled
 * @throws Unanswered; the signal's reason when aborted
 */
export function exchange(request: HttpRequest, options: ExchangeOptions): Promise<HttpResponse> {
  const { runtime, timeouts, signal, onSilence } = options;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    let control: Dispatcher.DispatchController | undefined;
    let sent = false;
    let over = false;
    let body: Body | undefined;
    let cancelTimer = (): void => {};

    const watch = (ms: number, stage: Stage): void => {
      cancelTimer();
      if (over) return;
      const endSilence = stage === 'headers' ? watchSilence(runtime, onSilence, ms) : () => {};
      const cancel = ms > 0 ? runtime.after(ms, () => fail(lateError(stage, ms, sent))) : () => {};
      cancelTimer = () => {
        cancelTimer = () => {};
        cancel();
        endSilence();
      };
    };
    const finish = (): boolean => {
      if (over) return false;
      over = true;
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
      return true;
    };
    const fail = (error: unknown): void => {
      if (!finish()) return;
      reject(error);
      control?.abort(new Error('stopped'));
    };
    const onAbort = (): void => fail(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    watch(timeouts.connectMs, 'connect');

    /** The parts of a streamed body, timed while the peer takes them, untimed while their source makes them. */
    async function* timed(open: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      try {
        for await (const piece of open()) {
          if (over) return;
          watch(timeouts.idleMs, 'send');
          yield piece;
          cancelTimer();
        }
      } catch (error) {
        fail(error); // the caller's own source broke; that is no failure of the connection
        throw error;
      }
      watch(timeouts.headersMs, 'headers');
    }
    const content = typeof request.body === 'function' ? Readable(timed(request.body)) : request.body;

    options.dispatcher.dispatch(
      {
        origin: request.url.origin,
        path: request.url.pathname + request.url.search,
        method: request.method as Dispatcher.HttpMethod, // only those of `Operation` come here
        headers: request.headers,
        body: content ?? null,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart(controller) {
          control = controller;
          if (over) return controller.abort(new Error('stopped'));
          sent = true;
          if (typeof request.body === 'function') cancelTimer();
          else watch(timeouts.headersMs, 'headers');
        },
        onResponseStart(controller, status, headers) {
          if (status < 200 || !finish()) return;
          body = new Body({
            control: controller,
            signal,
            idle: (late) => {
              const endSilence = watchSilence(runtime, onSilence, timeouts.idleMs);
              const cancel = timeouts.idleMs > 0 ? runtime.after(timeouts.idleMs, late) : () => {};
              return () => {
                cancel();
                endSilence();
              };
            },
            late: () => lateError('idle', timeouts.idleMs, true),
          });
          resolve({ status, headers: flat(headers), body });
        },
        onResponseData(_controller, chunk) {
          body?.push(chunk);
        },
        onResponseEnd() {
          body?.end();
        },
        onResponseError(_controller, error) {
          // a refusal of ours, as the name was resolved, is no failure of the connection
          const failure = error instanceof WireError ? error : new Unanswered(reasonOf(error), sent, { cause: error });
          if (body) body.fail(failure);
          else fail(failure);
        },
      },
    );
  });
}

/** undici takes any iterable as a body, though its types name only streams. */
const Readable = (iterable: AsyncIterable<Uint8Array>): null => iterable as unknown as null;

const lateError = (stage: Stage, ms: number, sent: boolean): Unanswered => {
  const text = {
    connect: 'no connection',
    send: 'the service did not take the request',
    headers: 'no answer',
    idle: 'nothing more arrived',
  }[stage];
  return new Unanswered(`${text} within ${ms} ms`, sent, { late: stage });
};

/** `ECONNREFUSED`, "other side closed", … of an error that may be an aggregate of one per address. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return 'the connection failed';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return code === '' || error.message.includes(code) || code.startsWith('UND_')
    ? error.message || code
    : `${code}: ${error.message}`;
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) out[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return out;
}
