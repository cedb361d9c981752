import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { objectOf, optionsOf } from '../../core/arguments.ts';
import { Doorkeeper } from '../access.ts';
import type { ServeOptions } from '../contract.ts';
import { NamedIndexes } from '../indexes.ts';
import { mcpStdioOptions } from '../known-options.ts';
import { DailyBudgets } from '../spent.ts';
import { mcpServer } from './server.ts';

export interface McpStdioOptions extends Pick<ServeOptions, 'indexes'> {
  /** The streams of the client, with messages as lines of JSON. */
  readonly input: Readable;
  readonly output: Writable;
  /** Ends the connection. */
  readonly signal?: AbortSignal | undefined;
}

/** Time limit for answers after the client's last message, in ms. */
const LAST_ANSWERS_MS = 10_000;

/** Speaks the Model Context Protocol over two streams, until the client has ended its own and has its answers. */
export async function serveMcpStdio(options: McpStdioOptions): Promise<void> {
  const { indexes, input, output, signal } = objectOf(
    optionsOf(options, mcpStdioOptions),
    'the options',
    'indexes',
    'input',
    'output',
  );
  const access = new Doorkeeper(undefined, true, 0, new DailyBudgets(undefined)).access(undefined);
  const named = new NamedIndexes(indexes);
  const lines = new PassThrough(); // its end, and not that of the input, drops what is at work
  const transport = new StdioServerTransport(lines, output);
  const connection = serveStdio(() => mcpServer({ access, indexes: named, signal }), { transport });
  const unanswered = new Unanswered(transport);
  const closing = new AbortController();
  const closed = new Promise<void>((resolve) => {
    const before = transport.onclose; // what ends the work of the connection
    transport.onclose = () => {
      before?.();
      closing.abort();
      resolve();
    };
  });
  const end = (): void => void connection.close();
  const wind = async (): Promise<void> => {
    lines.write('\n'); // the last message may lack it
    const isRead = (): boolean => lines.readableLength === 0 && lines.writableLength === 0;
    while (!isRead() && !closing.signal.aborted) await nextTurn();
    await Promise.race([unanswered.none(), sleep(LAST_ANSWERS_MS, undefined, { signal: closing.signal })]).catch(
      () => {},
    );
    end();
  };
  const listeners = output.getMaxListeners();
  output.setMaxListeners(0); // each message that waits for a slow client has one
  input.pipe(lines, { end: false });
  input.once('end', wind).once('close', wind);
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  else if (input.readableEnded || input.destroyed) await wind();
  await closed;
  signal?.removeEventListener('abort', end);
  output.setMaxListeners(listeners);
  input.unpipe(lines).off('end', wind).off('close', wind);
}

/** Requests of a connection that wait for their answers. */
class Unanswered {
  readonly #ids = new Set<RequestId>();
  #told: (() => void) | undefined;

  constructor(transport: StdioServerTransport) {
    const take = transport.onmessage;
    transport.onmessage = (message) => {
      this.#asked(message);
      take?.(message);
    };
    const send = transport.send.bind(transport);
    transport.send = async (message) => {
      await send(message);
      if (!('method' in message) && message.id !== undefined) this.#settle(message.id);
    };
  }

  /** Until all have been answered. */
  async none(): Promise<void> {
    if (this.#ids.size > 0) await new Promise<void>((resolve) => (this.#told = resolve));
  }

  #asked(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    const { method, params } = message;
    // a subscription is open until it is cancelled
    if ('id' in message && method !== 'subscriptions/listen') this.#ids.add(message.id);
    // the protocol says so; an id of another type is in no set of ours
    const cancelled = params?.requestId as RequestId | undefined;
    if (method === 'notifications/cancelled' && cancelled !== undefined) this.#settle(cancelled);
  }

  #settle(id: RequestId): void {
    this.#ids.delete(id);
    if (this.#ids.size === 0) this.#told?.();
  }
}
