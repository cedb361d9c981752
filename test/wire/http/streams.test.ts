import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { ServerEvent, StreamReply, Transport } from '../../../src/wire/http/contract.ts';
import { createTransport } from '../../../src/wire/http/transport.ts';
import {
  collect,
  dialect,
  errorOf,
  heldClock,
  KEY,
  noLimits,
  open,
  operation,
  raw,
  reply,
  rushing,
  scripted,
} from './support.ts';

const get = operation('always', 'GET');
const sse = { 'content-type': 'text/event-stream' };
const real = (server: { baseUrl: string }, idleMs: number): Transport =>
  createTransport(dialect, { apiKey: KEY, baseUrl: server.baseUrl, timeouts: { ...noLimits, idleMs } });

describe('an event stream', () => {
  it('arrives whole through bytes cut anywhere, `data:` and characters included', async () => {
    const text = 'event: a\r\ndata: {"t":"häß 漢字 🙂"}\r\n\r\n: ping\r\n\r\ndata: 2\r\n\r\n';
    await using server = await scripted(async (response) => {
      response.writeHead(200, sse);
      for (const byte of Buffer.from(text)) {
        response.write(Uint8Array.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    await using transport = open(server);
    expect(await collect(await transport.events(get, {}))).toEqual([
      { event: 'a', data: '{"t":"häß 漢字 🙂"}' },
      { event: '', data: '2' },
    ]);
  });

  it('comes in batches too, without loss between the two ways', async () => {
    const all = Array.from({ length: 1_000 }, (_, i) => ({ event: '', data: String(i) }));
    await using server = await scripted(reply(200, all.map(({ data }) => `data: ${data}\n\n`).join(''), sse));
    await using transport = open(server);
    const stream = await transport.events(get, {});
    const first = await stream[Symbol.asyncIterator]().next();
    const rest = (await collect(stream.batches())).flat();
    expect([first.value, ...rest]).toEqual(all);
  });

  it('keeps the order for readers that do not wait', async () => {
    await using server = await scripted(reply(200, 'data: 1\n\ndata: 2\n\ndata: 3\n\n', sse));
    await using transport = open(server);
    const iterator = (await transport.events(get, {}))[Symbol.asyncIterator]();
    const results = await Promise.all([
      iterator.next(),
      iterator.next(),
      iterator.next(),
      iterator.next(),
      iterator.next(),
    ]);
    expect(results.map(({ value }) => value?.data)).toEqual(['1', '2', '3', undefined, undefined]);
    expect(results.map(({ done }) => done)).toEqual([false, false, false, true, true]);
  });

  it.each(['destroy', 'resetAndDestroy'] as const)('cut off (%s) gives what came, then STREAM_BROKEN', async (how) => {
    await using server = await raw((socket) => {
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n',
        () => setTimeout(() => socket[how](), 10),
      );
    });
    await using transport = open(server);
    const stream = await transport.events(operation('always'), {});
    const seen: string[] = [];
    const error = await errorOf(
      (async () => {
        for await (const { data } of stream) seen.push(data);
      })(),
    );
    expect(seen).toEqual(['1']);
    expect(error).toMatchObject({ code: 'STREAM_BROKEN', status: 200, attempts: 1, retryable: true });
    expect(server.heads).toHaveLength(1); // never sent again once it has begun
  });

  it('that stalls ends in TIMEOUT', async () => {
    await using server = await raw((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n'),
    );
    await using transport = real(server, 40);
    expect(await errorOf(collect(await transport.events(get, {})))).toMatchObject({
      code: 'TIMEOUT',
      message: 'test.do: nothing more arrived within 40 ms',
    });
  });

  it('lives on comments alone', async () => {
    await using server = await scripted((response) => {
      response.writeHead(200, sse);
      let pings = 0;
      const timer = setInterval(() => {
        response.write(': ping\n\n');
        if (++pings < 20) return;
        clearInterval(timer);
        response.end('data: 1\n\n');
      }, 10);
    });
    await using transport = real(server, 150); // 20 pings take longer
    expect(await collect(await transport.events(get, {}))).toHaveLength(1);
  });

  it('does not time out while nobody reads', async () => {
    await using server = await scripted((response) => {
      response.writeHead(200, sse).write('data: 1\n\n');
      setTimeout(() => response.end('data: 2\n\n'), 60);
    });
    await using transport = real(server, 45);
    const stream = await transport.events(get, {});
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await collect(stream)).toHaveLength(2);
  });

  it.each(['break', 'cancel', 'abort'])('left early by %s ends the connection', async (how) => {
    let closed = (): void => {};
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    await using server = await scripted((response) => {
      response.writeHead(200, sse).write('data: 1\n\n');
      response.on('close', closed);
    });
    await using transport = open(server);
    const abort = new AbortController();
    const stream = await transport.events(get, { options: { signal: abort.signal } });
    const reason = new Error('mine');
    const error = await errorOf(
      (async () => {
        for await (const _ of stream) {
          if (how === 'break') break;
          if (how === 'cancel') await stream.cancel();
          if (how === 'abort') abort.abort(reason);
        }
        throw new Error('left');
      })(),
    );
    expect((error as Error).message).toBe(how === 'abort' ? 'mine' : 'left');
    await gone;
    await stream.cancel();
  });

  it('answered with a web page is refused with the page', async () => {
    await using server = await scripted(
      reply(200, '<html><title>Sign in</title></html>', { 'content-type': 'text/html; charset=utf-8' }),
    );
    await using transport = open(server);
    expect(await errorOf(transport.events(get, {}))).toMatchObject({
      code: 'RESPONSE_INVALID',
      status: 200,
      body: '<html><title>Sign in</title></html>',
      address: `${server.baseUrl}/v1/do`,
    });
  });

  it('answered with an object is refused by what the object says', async () => {
    const type = { 'content-type': 'application/json' };
    await using server = await scripted(
      reply(200, `{"type":"error","error":{"type":"overloaded_error","message":"busy ${KEY}"}}`, type),
      reply(200, '{"id":"m"}', type),
      reply(200, '{"error":', type),
      reply(200, 'data: {"a":1}\n\ndata: 2\n\n', type), // the type is wrong, the events are there
      reply(200, '', type),
    );
    await using transport = open(server, { maxRetries: 0 });
    const error = await errorOf(transport.events(get, {}));
    expect(error).toMatchObject({
      code: 'OVERLOADED',
      type: 'overloaded_error',
      message: 'test.do: overloaded_error: busy [key]',
    });
    expect(await errorOf(transport.events(get, {}))).toMatchObject({ code: 'RESPONSE_INVALID', body: '{"id":"m"}' });
    expect(await errorOf(transport.events(get, {}))).toMatchObject({ code: 'RESPONSE_INVALID' });
    expect(await collect(await transport.events(get, {}))).toHaveLength(2);
    expect(await collect(await transport.events(get, {}))).toHaveLength(0);
    expect(server.seen).toHaveLength(5);
  });

  it.each([
    ['overloaded_error', 'refused', 2],
    ['rate_limit_error', 'unsent', 2],
    ['overloaded_error', 'unsent', 1], // 529 is not among what may be sent again where work bills as it goes
    ['invalid_request_error', 'always', 1],
    ['insufficient_quota', 'always', 1],
    ['overloaded_error', 'never', 1],
  ] as const)(
    'refused with %s in an object of status 200 is asked for again where "%s" allows it',
    async (type, rule, requests) => {
      const object = { 'content-type': 'application/json', 'retry-after': '7' };
      await using server = await scripted(
        reply(200, JSON.stringify({ type: 'error', error: { type, message: 'x' } }), object),
        reply(200, 'data: 1\n\n', sse),
      );
      const runtime = rushing();
      const told: (number | undefined)[] = [];
      await using transport = open(server, { onAttempt: ({ retryInMs }) => told.push(retryInMs) }, { runtime });
      const asked = transport.events(operation(rule), {});
      if (requests === 2) expect(await collect(await asked)).toHaveLength(1);
      else expect(await errorOf(asked)).toMatchObject({ attempts: 1, type });
      expect(server.seen).toHaveLength(requests);
      expect(told).toEqual(requests === 2 ? [7_000, undefined] : [undefined]);
    },
  );

  it('that fails before it begins is an error like any other', async () => {
    await using server = await scripted(
      reply(529, '{"type":"error","error":{"type":"overloaded_error","message":"x"}}'),
      reply(200, 'data: 1\n\n', sse),
    );
    await using transport = open(server);
    const stream = await transport.events(operation('refused'), {});
    expect(stream.attempts).toBe(2);
    expect(await collect(stream)).toHaveLength(1);
  });
});

describe('more streams than may run at once', () => {
  it('opened before the first is read, do not wait for ever', async () => {
    await using server = await scripted(reply(200, 'data: 1\n\n', sse));
    const clock = heldClock();
    await using transport = open(server, { limits: { tests: { concurrency: 2 } } }, { runtime: clock });
    const first = [await transport.events(get, {}), await transport.events(get, {})];
    let third: StreamReply<ServerEvent> | undefined;
    const asked = transport.events(get, {}).then((stream) => {
      third = stream;
    });
    await clock.pass(4_999);
    expect([third, server.seen.length]).toEqual([undefined, 2]);
    await clock.pass(1);
    await asked;
    expect(server.seen).toHaveLength(3);
    for (const stream of [...first, third!]) expect(await collect(stream)).toHaveLength(1);
  });
});

describe('a slow reader', () => {
  it('slows the service down instead of filling the memory', async () => {
    const piece = Buffer.alloc(65_536, 'x');
    let sent = 0;
    await using server = await scripted(async (response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      for (let i = 0; i < 800 && !response.destroyed; i++) {
        sent += piece.length;
        if (!response.write(piece)) await once(response, 'drain').catch(() => {});
      }
      response.end();
    });
    await using transport = open(server);
    const stream = await transport.bytes(get, {});
    await new Promise((resolve) => setTimeout(resolve, 300));
    // 52 MB are offered; a quarter of a megabyte is held, the rest are the buffers of the two kernels and of the
    // server.
    expect(sent).toBeLessThan(26_000_000);
    let received = 0;
    for await (const chunk of stream) received += chunk.byteLength;
    expect(received).toBe(800 * piece.length);
  });
});
