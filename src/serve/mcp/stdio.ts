import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { Doorkeeper } from '../access.ts';
import type { ServeOptions } from '../contract.ts';
import { NamedIndexes } from '../indexes.ts';
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
  const doorkeeper = new Doorkeeper(undefined, 0);
  const server = mcpServer({ access: doorkeeper.access(undefined), indexes: new NamedIndexes(indexes), signal });
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  const transport = new StdioServerTransport(input, output);
  await server.connect(transport);
  const end = (): void => void server.close();
  input.once('end', end).once('close', end);
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  await closed;
}
