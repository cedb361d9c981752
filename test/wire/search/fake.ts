import type {
  Call,
  Operation,
  Reply,
  ReplyInfo,
  ServerEvent,
  StreamReply,
  Transport,
} from '../../../src/wire/http/contract.ts';
import { type SearchService, searchServiceOver } from '../../../src/wire/search/index.ts';

/** What was asked of the transport. */
export interface Sent {
  readonly operation: Operation;
  readonly call: Call;
  /** The JSON body as it would be written. */
  readonly body: Record<string, unknown>;
}

/** One answer: a JSON body, a list of events (strings are their data), or an error to throw. */
export type Answering = unknown | Error | { readonly events: readonly (string | ServerEvent | Error)[] };

const info: ReplyInfo = { status: 200, headers: {}, requestId: 'request-1', attempts: 1, elapsedMs: 5 };

async function* each(events: readonly (string | ServerEvent | Error)[], call: Call): AsyncGenerator<ServerEvent> {
  for (const event of events) {
    call.options?.signal?.throwIfAborted();
    if (event instanceof Error) throw event;
    yield typeof event === 'string' ? { event: '', data: event } : event;
  }
}

/** A transport that answers from a list, in order, and records what it was asked. */
export function fakeTransport(...answers: Answering[]): Transport & { readonly sent: Sent[]; cancelled: number } {
  const sent: Sent[] = [];
  const next = (operation: Operation, call: Call): unknown => {
    const body = call.json === undefined ? {} : JSON.parse(JSON.stringify(call.json));
    sent.push({ operation, call, body });
    if (answers.length === 0) throw new Error(`nothing prepared for ${operation.name}`);
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer(call) : answer;
  };
  const transport = {
    service: 'search' as const,
    sent,
    cancelled: 0,
    async json(operation: Operation, call: Call): Promise<Reply<unknown>> {
      call.options?.signal?.throwIfAborted();
      return { ...info, body: next(operation, call) };
    },
    async events(operation: Operation, call: Call): Promise<StreamReply<ServerEvent>> {
      const { events } = next(operation, call) as { events: readonly (string | ServerEvent | Error)[] };
      return {
        ...info,
        [Symbol.asyncIterator]: () => each(events, call),
        async *batches() {
          for await (const event of each(events, call)) yield [event];
        },
        settle() {},
        async cancel() {
          transport.cancelled += 1;
        },
      };
    },
    lines: () => Promise.reject(new Error('not used')),
    bytes: async (operation: Operation, call: Call) => next(operation, call) as StreamReply<Uint8Array>,
    socket: () => Promise.reject(new Error('not used')),
    async close() {},
    async [Symbol.asyncDispose]() {},
  };
  return transport;
}

/** A service over prepared answers. */
export function prepared(
  options: Parameters<typeof searchServiceOver>[1],
  ...answers: Answering[]
): { readonly service: SearchService; readonly sent: Sent[] } {
  const transport = fakeTransport(...answers);
  return { service: searchServiceOver(transport, options), sent: transport.sent };
}
