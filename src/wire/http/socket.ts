import type { Duplex } from 'node:stream';
import { type Dispatcher, WebSocket } from 'undici';
import { admitted } from './admitted.ts';
import type { Answer, CallKind, SendCall, Service } from './attempt.ts';
import { Body } from './body.ts';
import type { Socket, Timeouts } from './contract.ts';
import { WireError } from './errors.ts';
import { type HttpResponse, Unanswered } from './exchange.ts';
import type { PreparedRequest } from './request.ts';
import type { Runtime } from './runtime.ts';
import { type HearSilence, watchSilence } from './silence.ts';

/** Unread messages and unsent bytes a socket may hold. */
const MAX_UNREAD_BYTES = 67_108_864;
const MAX_UNSENT_BYTES = 1_048_576;
const normal: ReadonlySet<number> = new Set([1000, 1001, 1005]);

interface SocketResponse extends HttpResponse {
  /** Set when the service agreed to speak WebSocket. */
  readonly socket: WebSocket | undefined;
  /** Ends the connection under the socket: a peer that should be left need not agree. */
  readonly drop: () => void;
  /** A message's text as it may go on. @throws PieceTooLarge */
  readonly admit: (text: string) => string;
  readonly timeouts: Timeouts;
  readonly runtime: Runtime;
  readonly signal: AbortSignal;
  readonly onSilence: HearSilence | undefined;
}

/** How `performCall` opens a socket: a refused upgrade is an answer like any other, with status and body. */
export const openSocket: CallKind<SocketResponse, Socket> = {
  accept: '*/*',
  compressed: false,
  send: connect,
  read: async (answer) => {
    const { socket } = answer.response;
    if (socket === undefined) {
      answer.response.body.cancel();
      throw new WireError('RESPONSE_INVALID', 'the service answers, but does not open a socket', {
        status: answer.response.status,
      });
    }
    return new OpenSocket(socket, answer);
  },
};

function connect(
  service: Service,
  request: PreparedRequest,
  { timeouts, signal, onSilence }: SendCall,
): Promise<SocketResponse> {
  const { runtime } = service;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    let sent = false;
    let over = false;
    let failure: unknown;
    let connection: Duplex | undefined;
    const drop = (): void => void connection?.destroy();
    const rest = {
      timeouts,
      runtime,
      signal,
      onSilence,
      drop,
      admit: (text: string): string => admitted(text, service.key),
    };
    const url = new URL(request.url);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const finish = (settle: () => void): void => {
      if (over) return;
      over = true;
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const watching = watched(service.dispatcher, signal, {
      sent: () => {
        sent = true;
      },
      connected: (under) => {
        connection = under;
      },
      answered: (answer) => {
        if (redirects.has(answer.status)) return fail(redirected(url, answer.headers.location));
        finish(() => resolve({ ...answer, socket: undefined, ...rest }));
      },
      failed: (error) => {
        failure = error;
      },
    });
    const socket = new WebSocket(url, { dispatcher: watching, headers: upgradeHeaders(request.headers) });
    socket.binaryType = 'arraybuffer';
    const fail = (error: unknown): void =>
      finish(() => {
        reject(error);
        socket.close();
        drop();
      });
    const onAbort = (): void => fail(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const cancelTimer =
      timeouts.connectMs > 0
        ? runtime.after(timeouts.connectMs, () =>
            fail(new Unanswered(`no socket within ${timeouts.connectMs} ms`, sent, { late: 'connect' })),
          )
        : () => {};
    socket.addEventListener('open', () =>
      finish(() => {
        const body = untimed(nothing, signal);
        body.end();
        resolve({ status: 101, headers: {}, body, socket, ...rest });
      }),
    );
    socket.addEventListener('error', (event) => {
      const error = failure ?? event.error;
      const text = error instanceof Error ? error.message : 'the socket could not be opened';
      fail(new Unanswered(text || 'the socket could not be opened', sent, { cause: error }));
    });
  });
}

/** What happens under a socket before it is open: undici's WebSocket says only that it failed. */
interface Underneath {
  sent(): void;
  connected(connection: Duplex): void;
  /** The service answers in place of opening the socket. */
  answered(answer: HttpResponse): void;
  failed(error: unknown): void;
}

function watched(dispatcher: Dispatcher, signal: AbortSignal, seen: Underneath): Dispatcher {
  return dispatcher.compose((dispatch) => (options, handler) => {
    let body: Body | undefined;
    return dispatch(options, {
      onRequestStart: (controller, context) => {
        seen.sent();
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (controller, status, headers, socket) => {
        seen.connected(socket);
        handler.onRequestUpgrade?.(controller, status, headers, socket);
      },
      onResponseStart: (controller, status, headers) => {
        if (status < 200) return;
        body = untimed(controller, signal);
        const plain = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
        seen.answered({ status, headers: Object.fromEntries(plain), body });
      },
      onResponseData: (_controller, chunk) => body?.push(chunk),
      onResponseEnd: () => body?.end(),
      onResponseError: (controller, error) => {
        seen.failed(error);
        body?.fail(error);
        handler.onResponseError?.(controller, error);
      },
    } satisfies Dispatcher.DispatchHandler);
  });
}

/** A body that is waited for as long as it takes. */
const untimed = (control: ConstructorParameters<typeof Body>[0]['control'], signal: AbortSignal): Body =>
  new Body({ control, signal, idle: () => () => {}, late: () => undefined });

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const redirected = (from: URL, location: string | undefined): WireError =>
  new WireError(
    'UNSAFE_ADDRESS',
    `the service redirects the socket${location !== undefined && URL.canParse(location, from.href) ? ` to ${new URL(location, from).origin}` : ''}`,
    { hint: 'Set baseUrl to the address it redirects to.' },
  );

const nothing = { pause: (): void => {}, resume: (): void => {}, abort: (): void => {} };

/** Without those that belong to the upgrade itself or mean nothing to it. */
const upgradeHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !['accept', 'accept-encoding', 'content-type'].includes(name)),
  );

class OpenSocket implements Socket {
  readonly #socket: WebSocket;
  readonly #answer: Answer<SocketResponse>;
  #unread: string[] = [];
  #unreadBytes = 0;
  #closed: { readonly code: number; readonly reason: string } | undefined;
  #error: { readonly value: unknown } | undefined;
  #leaving = false;
  #wake: (() => void)[] = [];
  #left: (() => void)[] = [];
  #sentAt = 0;
  readonly #onAbort: () => void;

  constructor(socket: WebSocket, answer: Answer<SocketResponse>) {
    this.#socket = socket;
    this.#answer = answer;
    const { signal } = answer.response;
    this.#onAbort = () => this.#fail(signal.reason);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    socket.addEventListener('message', ({ data }) => this.#receive(data));
    socket.addEventListener('close', ({ code, reason }) => {
      this.#closed = { code, reason };
      if (!this.#leaving && !normal.has(code)) {
        const said = reason === '' ? '' : `: ${reason}`;
        this.#error ??= {
          value: answer.failure(new WireError('STREAM_BROKEN', `the service closed the socket with ${code}${said}`)),
        };
      }
      this.#over();
    });
  }

  get closed(): { readonly code: number; readonly reason: string } | undefined {
    return this.#closed;
  }

  async send(message: string): Promise<void> {
    if (this.#error) throw this.#error.value;
    if (this.#closed || this.#leaving || this.#socket.readyState !== WebSocket.OPEN) {
      throw this.#answer.failure(new WireError('STREAM_BROKEN', 'the socket is closed'));
    }
    this.#socket.send(message);
    // undici has no event for it; the buffer is looked at again until it has run down.
    while (this.#socket.bufferedAmount > MAX_UNSENT_BYTES && !this.#closed) {
      await new Promise<void>((resolve) => void this.#answer.response.runtime.after(5, resolve));
    }
    const failed = this.#error as { readonly value: unknown } | undefined; // may have been set while waiting
    if (failed) throw failed.value;
    this.#sentAt = this.#answer.response.runtime.now();
  }

  async close(code: number = 1000, reason: string = ''): Promise<void> {
    this.#leaving = true;
    if (this.#closed || this.#error) return;
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.close(code, reason);
    await new Promise<void>((resolve) => {
      const cancel = this.#answer.response.runtime.after(3_000, resolve); // a peer that never answers the close
      this.#left.push(() => {
        cancel();
        resolve();
      });
    });
    if (!this.#closed) this.#answer.response.drop();
    this.#over();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  [Symbol.asyncIterator](): AsyncIterator<string, undefined> {
    return {
      next: async () => {
        for (;;) {
          const message = this.#unread.shift();
          if (message !== undefined) {
            this.#unreadBytes -= message.length;
            return { done: false, value: message };
          }
          if (this.#error) throw this.#error.value;
          if (this.#closed || this.#leaving) return { done: true, value: undefined };
          await this.#more();
        }
      },
      return: async () => {
        await this.close();
        return { done: true, value: undefined };
      },
    };
  }

  #receive(data: unknown): void {
    if (this.#error) return;
    const said = typeof data === 'string' ? data : Buffer.from(data as ArrayBuffer).toString('utf8'); // binaryType says so
    let text: string;
    try {
      text = this.#answer.response.admit(said);
    } catch (error) {
      this.#fail(this.#answer.failure(error));
      return;
    }
    this.#unread.push(text);
    this.#unreadBytes += text.length;
    if (this.#unreadBytes > MAX_UNREAD_BYTES) {
      this.#fail(
        this.#answer.failure(
          new WireError('RESPONSE_INVALID', `more than ${MAX_UNREAD_BYTES} characters came in unread`),
        ),
      );
    }
    this.#stir();
  }

  #more(): Promise<void> {
    const { timeouts, runtime, onSilence } = this.#answer.response;
    return new Promise((resolve) => {
      const endSilence = watchSilence(runtime, onSilence, timeouts.idleMs);
      const late = (): void => {
        // nothing is owed to a peer that is kept alive until there is more for it
        const left = this.#sentAt + timeouts.idleMs - runtime.now();
        if (left > 0) {
          cancel = runtime.after(left, late);
          return;
        }
        const silent = new Unanswered(`nothing more arrived within ${timeouts.idleMs} ms`, true, { late: 'idle' });
        this.#fail(this.#answer.failure(silent));
      };
      let cancel = timeouts.idleMs > 0 ? runtime.after(timeouts.idleMs, late) : () => {};
      this.#wake.push(() => {
        cancel();
        endSilence();
        resolve();
      });
    });
  }

  #fail(value: unknown): void {
    if (this.#error || this.#closed) return;
    this.#error = { value };
    this.#unread = [];
    this.#unreadBytes = 0;
    this.#socket.close();
    this.#answer.response.drop();
    this.#over();
  }

  #over(): void {
    this.#answer.response.signal.removeEventListener('abort', this.#onAbort);
    this.#answer.finish(this.#error?.value);
    for (const leave of this.#left.splice(0)) leave();
    this.#stir();
  }

  #stir(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
