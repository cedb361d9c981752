import type { Call, Operation, Reply, ServerEvent, StreamReply, Transport } from '../../../src/wire/http/contract.ts';

/** What was sent. */
export interface Sent {
  readonly kind: 'json' | 'events' | 'lines' | 'bytes';
  readonly operation: Operation;
  readonly call: Call;
}

const info = { status: 200, headers: {}, requestId: 'req_1', attempts: 1, elapsedMs: 1 };

/**
 * A way to nowhere: gives the scripted answers in order (an Error is thrown, a function asked) and keeps what was sent.
 */
export class FakeTransport implements Transport {
  readonly service = 'messages';
  readonly sent: Sent[] = [];
  readonly settled: unknown[] = [];
  cancelled = 0;
  readonly #answers: unknown[];

  constructor(...answers: unknown[]) {
    this.#answers = answers;
  }

  get bodies(): Record<string, unknown>[] {
    return this.sent.map(({ call }) => call.json as Record<string, unknown>);
  }

  async #answer(kind: Sent['kind'], operation: Operation, call: Call): Promise<unknown> {
    call.options?.signal?.throwIfAborted();
    // A copy: what is sent must not change when the caller goes on with its objects.
    const json = call.json === undefined ? {} : { json: JSON.parse(JSON.stringify(call.json)) as unknown };
    const sent: Sent = { kind, operation, call: { ...call, ...json } };
    this.sent.push(sent);
    if (this.#answers.length === 0) throw new Error(`no answer left for ${operation.name}`);
    const answer = this.#answers.shift();
    const value: unknown = typeof answer === 'function' ? await answer(sent) : answer;
    if (value instanceof Error) throw value;
    return value;
  }

  async json(operation: Operation, call: Call): Promise<Reply<unknown>> {
    const body = await this.#answer('json', operation, call);
    const actual = call.settle?.(body);
    if (actual !== undefined) this.settled.push(actual);
    return { ...info, body };
  }

  async #stream<T>(kind: Sent['kind'], operation: Operation, call: Call): Promise<StreamReply<T>> {
    const batches = (await this.#answer(kind, operation, call)) as readonly (readonly T[] | Error)[];
    let left = false;
    async function* pieces(): AsyncGenerator<readonly T[]> {
      for (const batch of batches) {
        await Promise.resolve();
        if (left) return;
        if (batch instanceof Error) throw batch;
        yield batch;
      }
    }
    return {
      ...info,
      settle: (actual) => void this.settled.push(actual),
      cancel: async () => {
        left = true;
        this.cancelled += 1;
      },
      batches: pieces,
      async *[Symbol.asyncIterator]() {
        for await (const batch of pieces()) yield* batch;
      },
    };
  }

  events(operation: Operation, call: Call): Promise<StreamReply<ServerEvent>> {
    return this.#stream('events', operation, call);
  }

  lines(operation: Operation, call: Call): Promise<StreamReply<string>> {
    return this.#stream('lines', operation, call);
  }

  bytes(operation: Operation, call: Call): Promise<StreamReply<Uint8Array>> {
    return this.#stream('bytes', operation, call);
  }

  socket(): Promise<never> {
    throw new Error('no sockets here');
  }

  async close(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}
