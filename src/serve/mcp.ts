import type { McpStdioOptions } from './mcp/stdio.ts';

export type { McpStdioOptions };

/**
 * Speaks the Model Context Protocol over two streams, until the client ends its own. The protocol's library is loaded
 * with the first call.
 */
export async function mcpOverStdio(options: McpStdioOptions): Promise<void> {
  await (await import('./mcp/stdio.ts')).serveMcpStdio(options);
}
