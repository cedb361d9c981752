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
    const timer = new StageTimer(runtime, onSilence, (ms, stage) => fail(lateError(stage, ms, sent)));

    const finish = (): boolean => {
      if (over) return false;
      over = true;
      timer.end();
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
    timer.start(timeouts.connectMs, 'connect');

    const content =
      typeof request.body === 'function' ? Readable(timed(request.body, timer, timeouts, fail)) : request.body;

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
          if (typeof request.body === 'function') timer.stop();
          else timer.start(timeouts.headersMs, 'headers');
        },
        onResponseStart(controller, status, headers) {
          if (status < 200 || !finish()) return;
          body = new Body({
            control: controller,
            signal,
            idle: (late) => idleTimer(options, late),
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

/** The time limit of the stage that an attempt is in. */
class StageTimer {
  readonly #runtime: Runtime;
  readonly #onSilence: HearSilence | undefined;
  readonly #late: (ms: number, stage: Stage) => void;
  #cancel = (): void => {};
  #isOver = false;

  constructor(runtime: Runtime, onSilence: HearSilence | undefined, late: (ms: number, stage: Stage) => void) {
    this.#runtime = runtime;
    this.#onSilence = onSilence;
    this.#late = late;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Takes the place of the stage before. @param ms 0: no limit */
  start(ms: number, stage: Stage): void {
    this.stop();
    if (this.#isOver) return;
    const endSilence = stage === 'headers' ? watchSilence(this.#runtime, this.#onSilence, ms) : () => {};
    const cancel = ms > 0 ? this.#runtime.after(ms, () => this.#late(ms, stage)) : () => {};
    this.#cancel = () => {
      cancel();
      endSilence();
    };
  }

  stop(): void {
    const cancel = this.#cancel;
    this.#cancel = () => {};
    cancel();
  }

  /** No stage is timed any more. */
  end(): void {
    this.#isOver = true;
    this.stop();
  }
}

/** The parts of a streamed body, timed while the peer takes them, untimed while their source makes them. */
async function* timed(
  open: () => AsyncIterable<Uint8Array>,
  timer: StageTimer,
  timeouts: Timeouts,
  fail: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of open()) {
      if (timer.isOver) return;
      timer.start(timeouts.idleMs, 'send');
      yield piece;
      timer.stop();
    }
  } catch (error) {
    fail(error); // the caller's own source broke; that is no failure of the connection
    throw error;
  }
  timer.start(timeouts.headersMs, 'headers');
}

/** @returns ends the wait */
function idleTimer({ runtime, timeouts, onSilence }: ExchangeOptions, late: () => void): () => void {
  const endSilence = watchSilence(runtime, onSilence, timeouts.idleMs);
  const cancel = timeouts.idleMs > 0 ? runtime.after(timeouts.idleMs, late) : () => {};
  return () => {
    cancel();
    endSilence();
  };
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
