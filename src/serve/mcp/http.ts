import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { Refusal } from '../problem.ts';
import type { Call, Reply } from '../route.ts';
import { mcpServer } from './server.ts';

/** Messages of a batch: they work at the same time, in the place of one request. */
const MOST_AT_A_TIME = 8;

/** Headers that the protocol compares with the message. */
const compared = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/**
 * Answers one request of the streamable HTTP transport: of the protocol of 2026, which has no handshake, and of those
 * before. Nothing is kept between two requests, so that a server can be stopped and started under its clients; all
 * that the tools say fits into one answer.
 */
export async function answerMcp({ input, headers, access, indexes, signal }: Call): Promise<Reply> {
  const message = withoutCancelling(input) ?? null; // without a body: answered as what is no message
  if (Array.isArray(message) && message.length > MOST_AT_A_TIME)
    throw new Refusal(400, 'INVALID_ARGUMENT', `a batch may have ${MOST_AT_A_TIME} messages`);
  const accept = headers.accept ?? '';
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: [
      ['accept', accept === '' || accept === '*/*' ? 'application/json, text/event-stream' : accept],
      ['content-type', 'application/json'],
      ...compared.flatMap((name): [string, string][] => {
        const value = headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    ],
  });
  const server = mcpServer({ access, indexes, signal });
  try {
    const isBefore2026 = await isLegacyRequest(request, message);
    const answer = isBefore2026 ? answerBefore2026 : answerOf2026;
    const response = await answer(server, request, message);
    const type = response.headers.get('content-type') ?? 'text/plain'; // a notification is answered with nothing
    return { text: await response.text(), type, status: response.status };
  } finally {
    await server.close();
  }
}

/** A request that is cancelled gets no answer, for which the transport of a batch with both would wait for ever. */
function withoutCancelling(input: unknown): unknown {
  if (!Array.isArray(input)) return input;
  const isCancelling = (one: unknown): boolean =>
    typeof one === 'object' && one !== null && 'method' in one && one.method === 'notifications/cancelled';
  const asked = input.filter((one) => !isCancelling(one));
  return asked.length > 0 ? asked : input;
}

type Server = ReturnType<typeof mcpServer>;

/** As JSON: the library's own way for these clients is a stream, which a plain program would have to read. */
async function answerBefore2026(server: Server, request: Request, message: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return await transport.handleRequest(request, { parsedBody: message });
}

/** The server announces no change, and a subscription to nothing would hold its place until the time is over. */
async function answerOf2026(server: Server, request: Request, message: unknown): Promise<Response> {
  const handler = createMcpHandler(() => server, { legacy: 'reject', maxSubscriptions: 0 });
  return await handler.fetch(request, { parsedBody: message });
}
