import {
  type AudioService,
  type AudioServiceOptions,
  type AudioWarning,
  createAudioService,
} from '../../../src/wire/audio/index.ts';
import type {
  Call,
  Operation,
  Reply,
  ReplyInfo,
  Socket,
  StreamReply,
  Transport,
} from '../../../src/wire/http/contract.ts';

/** What a call was, and what it is answered with. */
export interface Sent {
  readonly kind: 'json' | 'events' | 'lines' | 'bytes' | 'socket';
  readonly operation: Operation;
  readonly call: Call;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly chunks?: readonly Uint8Array[];
  readonly lines?: readonly string[];
  readonly events?: readonly { readonly event: string; readonly data: string }[];
  readonly socket?: (socket: FakeSocket) => void | Promise<void>;
  readonly error?: Error;
}

/** Answers by a function and remembers what was asked; no network. */
class FakeTransport implements Transport {
  readonly service = 'audio' as const;
  readonly sent: Sent[] = [];
  readonly #answer: (sent: Sent, index: number) => Answer | Promise<Answer>;

  constructor(answer: (sent: Sent, index: number) => Answer | Promise<Answer>) {
    this.#answer = answer;
  }

  async #send(kind: Sent['kind'], operation: Operation, call: Call): Promise<Answer & { readonly info: ReplyInfo }> {
    const sent = { kind, operation, call };
    this.sent.push(sent);
    const answer = await this.#answer(sent, this.sent.length - 1);
    if (answer.error !== undefined) throw answer.error;
    const headers = answer.headers ?? {};
    const info = { status: answer.status ?? 200, headers, requestId: headers['request-id'], attempts: 1, elapsedMs: 1 };
    return { ...answer, info };
  }

  async json(operation: Operation, call: Call): Promise<Reply<unknown>> {
    const { info, body } = await this.#send('json', operation, call);
    return { ...info, body };
  }

  async bytes(operation: Operation, call: Call): Promise<StreamReply<Uint8Array>> {
    const { info, chunks = [] } = await this.#send('bytes', operation, call);
    return stream(info, chunks);
  }

  async lines(operation: Operation, call: Call): Promise<StreamReply<string>> {
    const { info, lines = [] } = await this.#send('lines', operation, call);
    return stream(info, lines);
  }

  async events(
    operation: Operation,
    call: Call,
  ): Promise<StreamReply<{ readonly event: string; readonly data: string }>> {
    const { info, events = [] } = await this.#send('events', operation, call);
    return stream(info, events);
  }

  async socket(operation: Operation, call: Call): Promise<Socket> {
    const answer = await this.#send('socket', operation, call);
    const socket = new FakeSocket();
    void Promise.resolve(answer.socket?.(socket));
    return socket;
  }

  async close(): Promise<void> {}
  async [Symbol.asyncDispose](): Promise<void> {}
}

function stream<T>(info: ReplyInfo, pieces: readonly T[]): StreamReply<T> {
  return {
    ...info,
    settle: () => {},
    cancel: async () => {},
    async *batches() {
      for (const piece of pieces) yield [piece];
    },
    async *[Symbol.asyncIterator]() {
      yield* pieces;
    },
  };
}

/** Both ends of a WebSocket in memory: the client's as `Socket`, the service's as `got`, `say` and `hangUp`. */
export class FakeSocket implements Socket {
  closed: { readonly code: number; readonly reason: string } | undefined;
  readonly received: Record<string, unknown>[] = [];
  onMessage: (message: Record<string, unknown>, socket: FakeSocket) => void = () => {};
  #queue: string[] = [];
  #wake: () => void = () => {};
  #over = false;

  async send(message: string): Promise<void> {
    const parsed = JSON.parse(message) as Record<string, unknown>; // sent by our own client
    this.received.push(parsed);
    this.onMessage(parsed, this);
  }

  say(message: unknown): void {
    this.#queue.push(typeof message === 'string' ? message : JSON.stringify(message));
    this.#wake();
  }

  hangUp(code = 1000, reason = ''): void {
    this.closed = { code, reason };
    this.#over = true;
    this.#wake();
  }

  async close(code = 1000, reason = ''): Promise<void> {
    this.closed ??= { code, reason };
    this.#over = true;
    this.#wake();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for (;;) {
      const next = this.#queue.shift();
      if (next !== undefined) yield next;
      else if (this.#over) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

/** A service over a fake transport: what was sent, and what it warned of. */
export function open(
  answer: (sent: Sent, index: number) => Answer | Promise<Answer>,
  options: Partial<AudioServiceOptions> = {},
): { readonly service: AudioService; readonly sent: readonly Sent[]; readonly warnings: readonly AudioWarning[] } {
  const transport = new FakeTransport(answer);
  const warnings: AudioWarning[] = [];
  const onWarning = (warning: AudioWarning): number => warnings.push(warning);
  const service = createAudioService({ apiKey: 'k', baseUrl: 'https://audio.test', transport, onWarning, ...options });
  return { service, sent: transport.sent, warnings };
}
