/**
 * The hostile service: a server before the honest stand-ins of the tests. Each attempt has its own base address,
 * `/<attempt>/`, and its own attack, which gets the bare connection and, where it asks, the honest answer to spoil.
 * The trap is another host: nothing that carries a key may ever arrive there.
 */
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { audioService } from '../../../test/wire/service/audio/audio-service.ts';
import { type Harness, serve } from '../../../test/wire/service/harness.ts';
import { messagesService } from '../../../test/wire/service/messages/messages-service.ts';
import { searchService } from '../../../test/wire/service/search/search-service.ts';
import { type Attack, attackOf } from './attacks.ts';
import { type Attempt, attemptOf, type Plan, randomOf } from './plan.ts';

export interface Honest {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** One connection in the hands of an attack. */
export interface Wire {
  readonly socket: Socket;
  readonly request: IncomingMessage;
  /** Where the request went. */
  readonly self: string;
  readonly trap: string;
  readonly random: () => number;
  /** What the client sent as its key. */
  readonly key: string;
  /** The answer of the honest service. */
  honest(): Promise<Honest>;
  /** The connection to the honest service after the upgrade, for sockets. */
  upstream(): Promise<Socket>;
  /** Waits while the client is slow. @throws Gone */
  write(bytes: string | Uint8Array): Promise<void>;
  /** @throws Gone */
  pause(ms: number): Promise<void>;
}

/** The client has left: the end of every attack. */
class Gone extends Error {}

/** Requests of one attempt that are attacked; the others are answered honestly, so that what polls comes to an end. */
const ATTACKED = 3;
/** No attack outlives its attempt by much. */
const LONGEST_MS = 60_000;

export interface Front extends AsyncDisposable {
  readonly url: string;
  /** Requests of an attempt so far. */
  requests(attempt: number): number;
  /** An attempt begins anew. */
  forget(attempt: number): void;
  /** What arrived at the other host: the attempt, as far as the key tells it. */
  readonly trapped: string[];
}

const keys: Readonly<Record<string, string>> = {
  authorization: 'Bearer test-search-key',
  'x-api-key': 'test-key',
  'x-audio-api-key': 'test-audio-key',
};

export async function openFront(plan: Plan): Promise<Front> {
  const honest = await serve([
    searchService({ rateLimit: 1_000_000 }),
    messagesService({ filesBeta: true }),
    audioService(),
  ]);
  const trapped: string[] = [];
  const trap = createServer((request, response) => {
    trapped.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    response.end('{}');
  });
  trap.on('upgrade', (request, socket) => {
    trapped.push(`UPGRADE ${request.url} ${JSON.stringify(request.headers)}`);
    socket.destroy();
  });
  const trapPort = await listen(trap, '0.0.0.0');
  const counts = new Map<number, number>();
  const sockets = new Set<Socket>();

  const next = (request: IncomingMessage): { attempt: Attempt | undefined; attack: Attack | undefined } => {
    const [, prefix = '', rest = '/'] = /^\/(\d+|honest)(\/.*)?$/.exec(request.url ?? '') ?? [];
    request.url = rest;
    if (prefix === 'honest' || prefix === '') return { attempt: undefined, attack: undefined };
    const attempt = attemptOf(plan, Number(prefix));
    const nth = counts.get(attempt.n) ?? 0;
    counts.set(attempt.n, nth + 1);
    const isAttacked = nth >= attempt.skip && nth < attempt.skip + (attempt.again ? ATTACKED : 1);
    return { attempt, attack: isAttacked ? attackOf(attempt.attack) : undefined };
  };
  const wireOf = (attempt: Attempt, request: IncomingMessage, socket: Socket, body: Buffer): Wire => ({
    socket,
    request,
    self: `${url}/${attempt.n}${request.url}`,
    trap: `http://127.0.0.2:${trapPort}`,
    random: randomOf(plan.seed, attempt.n, 2),
    key: keyIn(request),
    honest: () => forward(honest, request, body),
    upstream: () => upstream(honest, request),
    write: (bytes) => write(socket, bytes),
    pause: (ms) => pause(socket, ms),
  });

  const server = createServer({ keepAliveTimeout: 5_000 });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.setNoDelay(true);
  });
  server.on('request', async (request, response) => {
    const { attempt, attack } = next(request);
    try {
      const body = await bodyOf(request);
      if (attempt === undefined || attack === undefined || attack.socket === true) {
        const { status, headers, body: bytes } = await forward(honest, request, body);
        response.writeHead(status, headers);
        response.end(bytes);
        return;
      }
      await attacked(attack, wireOf(attempt, request, request.socket, body));
    } catch {
      request.socket.destroy(); // the client left in the middle of its own request
    }
  });
  server.on('upgrade', async (request, socket: Socket) => {
    socket.on('error', () => {});
    const { attempt, attack } = next(request);
    if (attempt !== undefined && attack !== undefined) {
      await attacked(attack, wireOf(attempt, request, socket, Buffer.alloc(0)));
      return;
    }
    const up = await upstream(honest, request);
    socket.pipe(up).pipe(socket);
  });
  const url = `http://127.0.0.1:${await listen(server, '127.0.0.1')}`;
  return {
    url,
    trapped,
    requests: (n) => counts.get(n) ?? 0,
    forget: (n) => void counts.delete(n),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      trap.closeAllConnections();
      await Promise.all([server, trap].map((one) => new Promise((done) => one.close(done))));
      await honest.close().catch(() => {}); // requests that were made up, and which its handlers throw at
    },
  };
}

async function attacked(attack: Attack, wire: Wire): Promise<void> {
  const timer = setTimeout(() => wire.socket.destroy(), LONGEST_MS);
  try {
    await attack.run(wire);
    wire.socket.end();
  } catch (error) {
    const isGone = error instanceof Gone || wire.socket.destroyed;
    wire.socket.destroy();
    if (!isGone) throw error;
  } finally {
    clearTimeout(timer);
  }
}

function keyIn({ headers }: IncomingMessage): string {
  const name = Object.keys(keys).find((one) => headers[one] !== undefined);
  return name === undefined ? '' : String(headers[name]).replace(/^Bearer /, '');
}

/** The request's headers with a key that the stand-ins know. */
function honestHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = String(value);
  for (const [name, key] of Object.entries(keys)) if (name in headers) headers[name] = key;
  if (request.url?.startsWith('/v1/organizations')) headers['x-api-key'] = 'test-admin-key';
  return headers;
}

const page = Buffer.from('<!doctype html><title>A page</title><p>The pump is checked every two months.</p>');

function forward({ port }: Harness, request: IncomingMessage, body: Buffer): Promise<Honest> {
  if (request.url?.startsWith('/pages/'))
    return Promise.resolve({ status: 200, headers: { 'content-type': 'text/html' }, body: page });
  const { 'transfer-encoding': _, 'accept-encoding': __, ...headers } = honestHeaders(request);
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method: request.method, path: request.url, agent: false } as const;
    const sent = httpRequest({ ...options, headers: { ...headers, 'content-length': body.length } }, async (reply) => {
      const { connection: ___, 'keep-alive': ____, 'transfer-encoding': _____, ...rest } = reply.headers;
      const bytes = await bodyOf(reply).catch(() => Buffer.alloc(0));
      resolve({
        status: reply.statusCode ?? 500,
        headers: Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)])),
        body: bytes,
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Opens the socket at the honest service and sends the upgrade; its answer is the first that can be read. */
function upstream({ port }: Harness, request: IncomingMessage): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      const headers = Object.entries(honestHeaders(request)).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`GET ${request.url} HTTP/1.1\r\n${headers.join('')}\r\n`);
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

async function bodyOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function write(socket: Socket, bytes: string | Uint8Array): Promise<void> {
  if (socket.destroyed || !socket.writable) throw new Gone();
  if (socket.write(bytes)) return await nextTurn(); // other connections have a turn too
  await new Promise<void>((resolve, reject) => {
    const drained = (): void => {
      socket.off('close', gone);
      resolve();
    };
    const gone = (): void => reject(new Gone());
    socket.once('drain', drained);
    socket.once('close', gone);
  });
}

function pause(socket: Socket, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.destroyed) return reject(new Gone());
    const gone = (): void => {
      clearTimeout(timer);
      reject(new Gone());
    };
    const timer = setTimeout(() => {
      socket.off('close', gone);
      resolve();
    }, ms);
    socket.once('close', gone);
  });
}

async function listen(server: ReturnType<typeof createServer>, host: string): Promise<number> {
  await new Promise<void>((done) => server.listen(0, host, done));
  return (server.address() as AddressInfo).port; // listening on TCP
}
