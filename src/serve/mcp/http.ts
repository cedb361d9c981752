import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Call, Reply } from '../route.ts';
import { mcpServer } from './server.ts';

/**
 * Answers one request of the streamable HTTP transport. Nothing is kept between two requests, so that a server can be
 * stopped and started under its clients; all that the tools say fits into one answer.
 */
export async function answerMcp({ input, headers, access, indexes, signal }: Call): Promise<Reply> {
  const server = mcpServer({ access, indexes, signal });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport as Parameters<typeof server.connect>[0]); // its optional fields are typed otherwise
    const accept = headers.accept ?? '';
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        accept: accept === '' || accept === '*/*' ? 'application/json, text/event-stream' : accept,
        'content-type': 'application/json',
        ...(typeof headers['mcp-protocol-version'] === 'string' && {
          'mcp-protocol-version': headers['mcp-protocol-version'],
        }),
      },
      body: '{}',
    });
    const response = await transport.handleRequest(request, { parsedBody: input });
    const type = response.headers.get('content-type') ?? 'application/json';
    return { text: await response.text(), type, status: response.status };
  } finally {
    await server.close();
  }
}
