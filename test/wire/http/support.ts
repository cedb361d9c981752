import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net';
import type {
  Operation,
  RepeatRule,
  ServiceDialect,
  Transport,
  TransportOptions,
} from '../../../src/wire/http/contract.ts';
import type { Runtime } from '../../../src/wire/http/runtime.ts';
import { createTransport } from '../../../src/wire/http/transport.ts';

export const KEY = 'sk-very/secret+key-0123456789';

export const dialect: ServiceDialect = { service: 'search', auth: (key) => ({ authorization: `Bearer ${key}` }) };

export const operation = (repeat: RepeatRule, method: Operation['method'] = 'POST', path = '/v1/do'): Operation => ({
  name: 'test.do',
  service: 'search',
  method,
  path,
  repeat,
  group: 'tests',
});

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Loopback extends AsyncDisposable {
  readonly baseUrl: string;
  readonly seen: SeenRequest[];
}

type Step = (response: ServerResponse, request: SeenRequest) => void;

/** Answers the first request with the first step, and so on; the last step answers all that follow. */
export async function scripted(...steps: readonly Step[]): Promise<Loopback> {
  const seen: SeenRequest[] = [];
  const server = createHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const entry = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('latin1'),
      };
      seen.push(entry);
      steps[Math.min(seen.length, steps.length) - 1]!(response, entry);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on TCP
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * A server that speaks bytes, for what no HTTP server would send. `talk` gets each whole request head (and what came
 * with it).
 */
export async function raw(
  talk: (socket: Socket, head: string, nth: number) => void,
): Promise<Loopback & { readonly heads: string[] }> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = createTcp((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end === -1) return;
      const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
      if (text.length < end + 4 + length) return;
      const head = text;
      text = '';
      heads.push(head);
      talk(socket, head, heads.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on TCP
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    seen: [],
    heads,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const reply =
  (status: number, body: string = '', headers: Record<string, string> = {}): Step =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };

export const ok: Step = reply(200, '{"ok":true}');

/**
 * No waits at all: timers run at once and move the clock by what they were set to. Time limits must be off
 * (`noLimits`).
 */
export function rushing(random = 0): Runtime & { readonly waits: number[] } {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    random: () => random,
    after: (ms, run) => {
      const timer = setImmediate(() => {
        now += ms;
        waits.push(ms);
        run();
      });
      return () => clearImmediate(timer);
    },
  };
}

/** A clock that stands still until told; timers run in order when it passes them. */
export function heldClock(): Runtime & { pass(ms: number): Promise<void> } {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    random: () => 0,
    after: (ms, run) => {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async pass(ms) {
      const end = now + ms;
      for (;;) {
        timers.sort((a, b) => a.at - b.at);
        const next = timers[0];
        if (next === undefined || next.at > end) break;
        timers.shift();
        now = next.at;
        next.run();
        await settled();
      }
      now = end;
      await settled();
    },
  };
}

/** Lets everything that needs no timer happen. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

export const noLimits = { connectMs: 0, headersMs: 0, idleMs: 0, totalMs: 0 } as const;

export function open(
  server: { readonly baseUrl: string },
  options: Partial<TransportOptions> = {},
  rest: { runtime?: Runtime; dialect?: Partial<ServiceDialect> } = {},
): Transport {
  return createTransport(
    { ...dialect, ...rest.dialect },
    { apiKey: KEY, baseUrl: server.baseUrl, timeouts: noLimits, ...options },
    rest.runtime ?? rushing(),
  );
}

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const item of source) out.push(item);
  return out;
}

/** The error a promise ends with; a success is an error here. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('expected a failure');
}

/** A proxy that refuses every tunnel and keeps what it was asked. */
export async function refusingProxy(): Promise<{ readonly heads: string[]; readonly url: string } & AsyncDisposable> {
  const heads: string[] = [];
  const proxy = createHttp();
  proxy.on('connect', (request, socket) => {
    heads.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo; // listening on TCP
  return {
    heads,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
