import { describe, expect, it } from 'vitest';
import { createTransport } from '../../../src/wire/http/transport.ts';
import { dialect, errorOf, KEY, operation, reply, scripted } from './support.ts';

describe('a client that is closed', () => {
  it('ends what is under way, waits to be repeated, or is read, at once and without another attempt', async () => {
    const events = { 'content-type': 'text/event-stream' };
    await using server = await scripted(
      (response) => response.writeHead(200, events).write('data: 1\n\n'),
      reply(503, '', { 'retry-after': '50' }),
      () => {},
    );
    const transport = createTransport(dialect, { apiKey: KEY, baseUrl: server.baseUrl });
    const stream = await transport.events(operation('always', 'GET'), {});
    const pieces = stream[Symbol.asyncIterator]();
    expect(await pieces.next()).toMatchObject({ value: { data: '1' } });
    const waiting = errorOf(transport.json(operation('always'), {}));
    while (server.seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    const asking = errorOf(transport.json(operation('always'), {}));
    while (server.seen.length < 3) await new Promise((resolve) => setTimeout(resolve, 1));
    await transport.close();
    const closed = { code: 'INVALID_ARGUMENT', message: 'test.do: this client is closed', retryable: false };
    expect(await waiting).toMatchObject({ ...closed, attempts: 1 });
    expect(await asking).toMatchObject({ ...closed, attempts: 1 });
    await expect(pieces.next()).rejects.toMatchObject(closed);
    expect(await errorOf(transport.json(operation('always'), {}))).toMatchObject(closed);
    expect(server.seen).toHaveLength(3);
  });
});
