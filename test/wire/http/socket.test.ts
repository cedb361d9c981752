import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { AttemptEvent, Timeouts } from '../../../src/wire/http/contract.ts';
import { createTransport } from '../../../src/wire/http/transport.ts';
import { collect, dialect, errorOf, KEY, noLimits, open, operation, reply, scripted } from './support.ts';

const speak = operation('refused', 'GET', '/v1/speak/{voice}');
const call = { path: { voice: 'v 1' }, query: { format: 'pcm', auto: true } };

async function server(
  talk: (socket: WebSocket, request: import('node:http').IncomingMessage) => void,
): Promise<AsyncDisposable & { baseUrl: string }> {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http });
  sockets.on('connection', talk);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, // listening on TCP
    async [Symbol.asyncDispose]() {
      for (const client of sockets.clients) client.terminate();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

const real = (baseUrl: string, timeouts: Partial<Timeouts> = {}) =>
  createTransport(dialect, { apiKey: KEY, baseUrl, timeouts: { ...noLimits, ...timeouts }, maxRetries: 0 });

describe('a socket', () => {
  it('carries the key in a header and the messages both ways, in order', async () => {
    let address = '';
    let key: string | undefined;
    await using peer = await server((socket, request) => {
      address = request.url ?? '';
      key = request.headers.authorization;
      socket.on('message', (data) => {
        const text = String(data);
        socket.send(text.toUpperCase());
        if (text === 'end') socket.close(1000, 'bye');
      });
    });
    await using transport = real(peer.baseUrl);
    const socket = await transport.socket(speak, call);
    await socket.send('häß 🙂');
    await socket.send('end');
    expect(await collect(socket)).toEqual(['HÄSS 🙂', 'END']);
    expect(socket.closed).toEqual({ code: 1000, reason: 'bye' });
    expect(address).toBe('/v1/speak/v%201?format=pcm&auto=true');
    expect(key).toBe(`Bearer ${KEY}`);
    expect(await errorOf(socket.send('late'))).toMatchObject({ code: 'STREAM_BROKEN' });
  });

  it('gives messages in binary frames as text', async () => {
    await using peer = await server((socket) => {
      socket.send(Buffer.from('{"ü":1}'));
      socket.close();
    });
    await using transport = real(peer.baseUrl);
    expect(await collect(await transport.socket(speak, call))).toEqual(['{"ü":1}']);
  });

  it('closed by the service with an error code gives what came, then STREAM_BROKEN', async () => {
    await using peer = await server((socket) => {
      socket.send('one');
      socket.close(1008, `quota of ${KEY}`);
    });
    await using transport = real(peer.baseUrl);
    const seen: string[] = [];
    const socket = await transport.socket(speak, call);
    const error = await errorOf(
      (async () => {
        for await (const message of socket) seen.push(message);
      })(),
    );
    expect(seen).toEqual(['one']);
    expect(error).toMatchObject({ code: 'STREAM_BROKEN', operation: 'test.do' });
    expect((error as Error).message).toContain('closed the socket with 1008');
    expect((error as Error).message).not.toContain(KEY);
  });

  it('that is lost is STREAM_BROKEN', async () => {
    await using peer = await server((socket) => setTimeout(() => socket.terminate(), 10));
    await using transport = real(peer.baseUrl);
    expect(await errorOf(collect(await transport.socket(speak, call)))).toMatchObject({ code: 'STREAM_BROKEN' });
  });

  it('that falls silent ends in TIMEOUT', async () => {
    await using peer = await server((socket) => socket.send('one'));
    await using transport = real(peer.baseUrl, { idleMs: 40 });
    expect(await errorOf(collect(await transport.socket(speak, call)))).toMatchObject({ code: 'TIMEOUT' });
  });

  it('is not given up while it is kept alive for a text that is slow to come', async () => {
    await using peer = await server((socket) =>
      socket.on('message', (message) => {
        if (String(message) === 'the text') socket.send('heard', () => socket.close());
      }),
    );
    await using transport = real(peer.baseUrl, { idleMs: 200 });
    const socket = await transport.socket(speak, call);
    const heard = collect(socket);
    for (let i = 0; i < 10; i++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      await socket.send('keep-alive');
    }
    await socket.send('the text');
    expect(await heard).toEqual(['heard']);
  });

  it("ends with the caller's reason", async () => {
    await using peer = await server((socket) => socket.send('one'));
    await using transport = real(peer.baseUrl);
    const abort = new AbortController();
    const reason = new Error('mine');
    const socket = await transport.socket(speak, { ...call, options: { signal: abort.signal } });
    const error = await errorOf(
      (async () => {
        for await (const _ of socket) abort.abort(reason);
      })(),
    );
    expect(error).toBe(reason);
    expect(await errorOf(socket.send('x'))).toBe(reason);
  });

  it('ends with a message that is nested too deep', async () => {
    await using peer = await server((socket) => socket.send('['.repeat(2_000)));
    await using transport = real(peer.baseUrl);
    const socket = await transport.socket(speak, call);
    expect(await errorOf(collect(socket))).toMatchObject({ code: 'RESPONSE_INVALID' });
  });

  it('is left within the time limit of its call, also by a peer that never agrees to the end', async () => {
    let isOpen = true;
    await using peer = await server((socket) => {
      socket.close = () => undefined; // its answer to a close too
      socket.on('close', () => {
        isOpen = false;
      });
      (socket as unknown as { _receiver: { removeAllListeners(name: string): void } })._receiver.removeAllListeners(
        'conclude', // what answers the close of the other side
      );
      socket.send('one');
    });
    await using transport = real(peer.baseUrl, { totalMs: 400 });
    const socket = await transport.socket(speak, call);
    const begun = performance.now();
    for await (const message of socket) {
      expect(message).toBe('one');
      break; // closes, and waits for the other side
    }
    expect(performance.now() - begun).toBeLessThan(2_000);
    await expect.poll(() => isOpen).toBe(false);
  });

  it('is closed when the loop is left, and its place in the limiter given back', async () => {
    let closed = 0;
    await using peer = await server((socket) => {
      socket.send('one');
      socket.on('close', () => closed++);
    });
    await using transport = createTransport(dialect, {
      apiKey: KEY,
      baseUrl: peer.baseUrl,
      limits: { tests: { concurrency: 1 } },
    });
    for (let i = 0; i < 3; i++) for await (const _ of await transport.socket(speak, call)) break;
    // the peer hears of the last one a moment later
    while (closed < 3) await new Promise((resolve) => setTimeout(resolve, 1));
  });

  it('waits with sending while the peer does not take anything', async () => {
    await using peer = await server((socket) => {
      socket.pause();
      setTimeout(() => socket.resume(), 60);
    });
    await using transport = real(peer.baseUrl);
    const socket = await transport.socket(speak, call);
    const large = 'x'.repeat(1_000_000);
    let sent = 0;
    const sending = (async () => {
      for (let i = 0; i < 40; i++) {
        await socket.send(large);
        sent++;
      }
    })();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(sent).toBeLessThan(40);
    await sending;
    await socket.close();
  });

  it('refused by the service is an error with status and body, and repeated by the same table', async () => {
    await using denied = await scripted(
      reply(401, '{"detail":{"status":"invalid_api_key","message":"no"}}', { 'x-trace-id': 't-1' }),
    );
    await using first = open(denied);
    expect(await errorOf(first.socket(speak, call))).toMatchObject({
      code: 'KEY_REJECTED',
      status: 401,
      requestId: 't-1',
      message: 'test.do: HTTP 401 invalid_api_key: no',
    });
    const events: AttemptEvent[] = [];
    await using busy = await scripted(reply(429, '{}', { 'retry-after': '1' }));
    await using second = open(busy, { maxRetries: 2, onAttempt: (event) => events.push(event) });
    expect(await errorOf(second.socket(speak, call))).toMatchObject({ code: 'RATE_LIMITED', attempts: 3 });
    expect(events.map(({ retryInMs }) => retryInMs)).toEqual([1000, 1000, undefined]);
  });

  it('answered with 200, a redirect, or by nobody', async () => {
    await using plain = await scripted(reply(200, '{}'));
    await using first = open(plain);
    expect(await errorOf(first.socket(speak, call))).toMatchObject({ code: 'RESPONSE_INVALID', status: 200 });
    await using thief = await scripted(reply(200, '{}'));
    await using moved = await scripted(reply(302, '', { location: `${thief.baseUrl}/x` }));
    await using second = open(moved);
    expect(await errorOf(second.socket(speak, call))).toMatchObject({ code: 'UNSAFE_ADDRESS' });
    expect(thief.seen).toHaveLength(0);
    await using third = open({ baseUrl: 'http://127.0.0.1:9' }, { maxRetries: 0 });
    expect(await errorOf(third.socket(speak, call))).toMatchObject({ code: 'CONNECTION_FAILED' });
  });
});
