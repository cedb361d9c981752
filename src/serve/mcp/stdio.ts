import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { Doorkeeper } from '../access.ts';
import type { ServeOptions } from '../contract.ts';
import { NamedIndexes } from '../indexes.ts';
import { DailyBudgets } from '../spent.ts';
import { mcpServer } from './server.ts';

export interface McpStdioOptions extends Pick<ServeOptions, 'indexes'> {
  /** Where the client writes and reads: messages as lines of JSON. */
  readonly input: Readable;
  readonly output: Writable;
  /** Ends the connection. */
  readonly signal?: AbortSignal | undefined;
}

/** Speaks the Model Context Protocol over two streams, until the client ends its own. */
export async function serveMcpStdio({ indexes, input, output, signal }: McpStdioOptions): Promise<void> {
  const access = new Doorkeeper(undefined, true, 0, new DailyBudgets(undefined)).access(undefined);
  const named = new NamedIndexes(indexes);
  const transport = new StdioServerTransport(input, output);
  const connection = serveStdio(() => mcpServer({ access, indexes: named, signal }), { transport });
  const closed = new Promise<void>((resolve) => {
    const before = transport.onclose; // what ends the work of the connection
    transport.onclose = () => {
      before?.();
      resolve();
    };
  });
  const end = (): void => void connection.close();
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  await closed;
  signal?.removeEventListener('abort', end);
}
