/**
 * A loopback server on port 0 that serves stand-ins of the wire services side by side, records what is sent, and
 * misbehaves by script. What is common to them lives here; each service is a `WireService` (see `contract.ts`).
 *
 * How to add a service:
 * 1. Write a factory `myService(options): MyService` whose result extends `WireService`: `name`, `routes` (method, path
 * with
 *    `{names}`, handler), `claims` (from the headers), `fail` (its error body), optionally `sockets` and `headers`.
 *    Controls for tests (queues of answers, states) are further members of that object.
 * 2. A handler gets an `Exchange` and returns a `Reply`: `json`, `bytes`, `chunks`, `events`. To refuse, throw
 *    `new Refusal(reply)`. Check auth headers first, then content type, then the body with `strictly(schema, body)`
 * from
 *    `strict.ts`. Put what is billed into `exchange.ledger`.
 * 3. `await using server = await serve([myService()])` in its tests; then name it in `service.ts`, so that
 *    `startService()` starts it beside the others.
 *
 * Faults are the harness's work; a handler never needs to know of them.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { type Exchange, type RecordedRequest, Refusal, type Reply, type WireService } from './contract.ts';
import { emit } from './emit.ts';
import { type Fault, find, type RetryAfter, type Rule, Script } from './faults.ts';
import { Ledger } from './ledger.ts';
import { parseMultipart } from './multipart.ts';
import { matchRoute, matchSocket, pickService } from './route.ts';
import { serveSocket } from './socket.ts';

export interface Harness extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Everything that arrived, in order, WebSocket upgrades included. */
  readonly requests: RecordedRequest[];
  readonly ledger: Ledger;
  /** Requests being answered now, and the most there were at once since `clear`. */
  readonly inFlight: number;
  readonly peakInFlight: number;
  /** TCP connections accepted since the start: tells whether a client keeps them alive. */
  readonly connections: number;
  /** What a stand-in threw that was no refusal; `close` throws them, so a test cannot pass over them. */
  readonly defects: unknown[];
  /** Adds rules of misbehaviour; see `Rule`. */
  script(...rules: Rule[]): void;
  /** Rules with an end that have not been used up. */
  readonly unusedRules: number;
  /** Forgets requests, ledger and rules; keeps what the services hold. */
  clear(): void;
  close(): Promise<void>;
}

export async function serve(services: readonly WireService[]): Promise<Harness> {
  const state = new HarnessState(services);
  await state.listen();
  return state;
}

class HarnessState implements Harness {
  readonly requests: RecordedRequest[] = [];
  readonly ledger: Ledger = new Ledger();
  readonly defects: unknown[] = [];
  inFlight = 0;
  peakInFlight = 0;
  connections = 0;
  port = 0;
  readonly #services: readonly WireService[];
  readonly #script = new Script();
  readonly #closing = new AbortController();
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer({ keepAliveTimeout: 30_000 });
  readonly #upgrades = new WebSocketServer({ noServer: true, maxPayload: 64 << 20 });
  #count = 0;
  #closed: Promise<void> | undefined;

  constructor(services: readonly WireService[]) {
    this.#services = services;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get unusedRules(): number {
    return this.#script.unused;
  }

  async listen(): Promise<void> {
    this.#server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('request', (request, response) => void this.#serve(request, response));
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    await new Promise<void>((done, failed) => {
      this.#server.once('error', failed);
      this.#server.listen(0, '127.0.0.1', done);
    });
    this.port = (this.#server.address() as AddressInfo).port;
  }

  script(...rules: Rule[]): void {
    this.#script.push(...rules);
  }

  clear(): void {
    this.requests.length = 0;
    this.ledger.clear();
    this.#script.clear();
    this.peakInFlight = this.inFlight;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    for (const client of this.#upgrades.clients) client.terminate();
    const closed = new Promise<void>((done) => this.#server.close(() => done()));
    this.#server.closeAllConnections();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    if (this.defects.length > 0)
      throw new AggregateError(this.defects, `a stand-in service failed: ${String(this.defects[0])}`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    this.inFlight += 1;
    this.peakInFlight = Math.max(this.peakInFlight, this.inFlight);
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, this.#closing.signal]);
    let ended = false;
    response.on('close', () => {
      if (!ended) gone.abort();
    });
    try {
      const record = newRecord(this.#count++, incoming);
      this.requests.push(record);
      const service = pickService(this.#services, record);
      const found = service === undefined ? undefined : matchRoute(service, record);
      record.service = service?.name;
      record.operation = found?.operation;
      const tooLarge = !(await readBody(incoming, record, found?.route?.maxBytes ?? 32 << 20));
      const faults = this.#script.next(record);
      record.faults = faults.map((fault) => fault.kind);
      const exchange: Exchange = {
        request: record,
        params: found?.params ?? {},
        ledger: this.ledger,
        signal,
        url: this.url,
      };
      const reply = await this.#answer(service, found, exchange, faults, tooLarge);
      if (find(faults, 'reset') !== undefined) {
        ended = true;
        (response.socket as Socket | null)?.resetAndDestroy();
        return;
      }
      record.status = reply.status ?? 200;
      const headers = { ...service?.headers?.(exchange, reply), ...reply.headers };
      if (tooLarge) headers.connection = 'close';
      const complete = await emit(response, { ...reply, headers }, faults, signal);
      record.aborted = !complete;
      ended = true;
    } catch (error) {
      if (!signal.aborted) this.defects.push(error);
      response.destroy();
    } finally {
      this.inFlight -= 1;
    }
  }

  async #answer(
    service: WireService | undefined,
    found: ReturnType<typeof matchRoute> | undefined,
    exchange: Exchange,
    faults: readonly Fault[],
    tooLarge: boolean,
  ): Promise<Reply> {
    const { request } = exchange;
    if (service === undefined) return { status: 404, json: { error: 'no service here' } };
    const replaced = replacement(service, faults, request);
    if (replaced !== undefined && !replaced.billed) return replaced.reply;
    let reply: Reply;
    if (tooLarge) reply = service.fail(413, 'the request is too large', request);
    else if (found?.route === undefined) {
      const wrongMethod = found !== undefined;
      reply = service.fail(wrongMethod ? 405 : 404, wrongMethod ? 'Method Not Allowed' : 'Not Found', request);
    } else {
      try {
        reply = await found.route.handle(exchange);
      } catch (error) {
        if (error instanceof Refusal) reply = error.reply;
        else {
          if (!exchange.signal.aborted) this.defects.push(error);
          reply = service.fail(500, String(error), request);
        }
      }
    }
    return replaced?.reply ?? reply;
  }

  #upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const record = newRecord(this.#count++, incoming);
    this.requests.push(record);
    const found = matchSocket(this.#services, record);
    record.service = found?.service.name;
    record.operation = found?.operation;
    const faults = this.#script.next(record);
    record.faults = faults.map((fault) => fault.kind);
    if (find(faults, 'reset') !== undefined) {
      (socket as Socket).resetAndDestroy();
      return;
    }
    const exchange: Exchange = {
      request: record,
      params: found?.params ?? {},
      ledger: this.ledger,
      signal: this.#closing.signal,
      url: this.url,
    };
    const refusal = this.#upgradeRefusal(found, exchange, faults);
    if (refusal !== undefined || found === undefined) {
      record.status = refusal?.status ?? 404;
      const body = refusal?.json === undefined ? String(refusal?.bytes ?? '') : JSON.stringify(refusal.json);
      const head = `HTTP/1.1 ${record.status} Refused\r\nconnection: close\r\ncontent-type: application/json\r\n`;
      socket.end(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      return;
    }
    record.status = 101;
    this.#upgrades.handleUpgrade(incoming, socket, head, (ws) => {
      try {
        const served = serveSocket(ws, record, faults, this.#closing.signal, (error) => this.defects.push(error));
        found.route.open(exchange, served);
      } catch (error) {
        this.defects.push(error);
        ws.terminate();
      }
    });
  }

  #upgradeRefusal(
    found: ReturnType<typeof matchSocket>,
    exchange: Exchange,
    faults: readonly Fault[],
  ): Reply | undefined {
    const service = found?.service ?? this.#services[0];
    if (service === undefined) return { status: 404 };
    const replaced = replacement(service, faults, exchange.request);
    if (replaced !== undefined) return replaced.reply;
    if (found === undefined) return service.fail(404, 'Not Found', exchange.request);
    try {
      found.route.check?.(exchange);
      return undefined;
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      this.defects.push(error);
      return service.fail(500, String(error), exchange.request);
    }
  }
}

function newRecord(n: number, incoming: IncomingMessage): RecordedRequest {
  const url = new URL(incoming.url ?? '/', 'http://loopback');
  const headers: Record<string, string> = {};
  for (const [name, values] of Object.entries(incoming.headersDistinct)) headers[name] = (values ?? []).join(', ');
  return {
    n,
    atMs: performance.now(),
    method: incoming.method ?? 'GET',
    path: (incoming.url ?? '/').split('?')[0] ?? '/',
    query: url.searchParams,
    headers,
    raw: Buffer.alloc(0),
    text: '',
    body: undefined,
    parts: [],
    service: undefined,
    operation: undefined,
    status: 0,
    faults: [],
    aborted: false,
    frames: [],
  };
}

/**
 * Reads the body into the record. @returns false when it is longer than `maxBytes` (the rest is read and thrown away)
 */
async function readBody(incoming: IncomingMessage, record: RecordedRequest, maxBytes: number): Promise<boolean> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  }
  if (size > maxBytes) return false;
  const raw = Buffer.concat(chunks);
  // The record is readonly for its readers; its body is filled in once it has arrived.
  const open = record as { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] };
  open.raw = raw;
  open.text = raw.toString('utf8');
  const type = record.headers['content-type'] ?? '';
  try {
    const parts = parseMultipart(type, raw);
    if (parts !== undefined) open.parts = parts;
    else if (raw.length > 0) open.body = JSON.parse(open.text);
  } catch {
    // Neither: the service refuses it by its own rules, from `raw`.
  }
  return true;
}

/** The answer that takes the place of the service's own. */
function replacement(
  service: WireService,
  faults: readonly Fault[],
  request: RecordedRequest,
): { reply: Reply; billed: boolean } | undefined {
  const status = find(faults, 'status');
  if (status !== undefined) {
    const own = service.fail(status.status, status.message ?? `scripted ${status.status}`, request);
    const reply =
      status.body === undefined
        ? own
        : typeof status.body === 'string'
          ? { bytes: status.body }
          : { json: status.body };
    const headers = { ...own.headers, ...retryHeaders(status.retryAfter), ...status.headers };
    return { reply: { ...reply, status: status.status, headers }, billed: status.billed === true };
  }
  const html = find(faults, 'html');
  if (html !== undefined) {
    const page = `<!DOCTYPE html>\n<html><head><title>${html.status}</title></head><body><center><h1>${html.status} from the proxy</h1></center></body></html>\n`;
    return {
      reply: { status: html.status, bytes: page, headers: { 'content-type': 'text/html' } },
      billed: html.billed === true,
    };
  }
  const empty = find(faults, 'empty');
  if (empty !== undefined) return { reply: { status: empty.status }, billed: empty.billed === true };
  const redirect = find(faults, 'redirect');
  if (redirect !== undefined) {
    return { reply: { status: redirect.status ?? 307, headers: { location: redirect.to } }, billed: false };
  }
  const reset = find(faults, 'reset');
  return reset === undefined ? undefined : { reply: {}, billed: reset.billed !== false };
}

function retryHeaders(hint: RetryAfter | undefined): Record<string, string> {
  if (hint === undefined) return {};
  if ('seconds' in hint) return { 'retry-after': String(hint.seconds) };
  if ('ms' in hint) return { 'retry-after-ms': String(hint.ms) };
  if ('raw' in hint) return { 'retry-after': hint.raw };
  return { 'retry-after': new Date(Date.now() + hint.dateInMs).toUTCString() };
}
