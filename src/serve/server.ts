import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as TcpServer } from 'node:net';
import { SpanStatusCode } from '@opentelemetry/api';
import { functionsOf, objectsOf, optionsOf, wholeOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { watchOptions } from '../search-index/known-options.ts';
import { Doorkeeper } from './access.ts';
import { jsonBody } from './body.ts';
import { Connections, taken } from './connections.ts';
import type { LogEntry, RunningServer, ServeOptions } from './contract.ts';
import { Gate } from './gate.ts';
import { Guard, isOfThisMachine } from './guard.ts';
import { NamedIndexes } from './indexes.ts';
import { serveLimits, serveOptions } from './known-options.ts';
import { Metrics } from './metrics.ts';
import { ownPage, Page } from './page.ts';
import { detailOf, problemBody, problemOf, Refusal } from './problem.ts';
import { Readiness } from './readiness.ts';
import { writeReply } from './reply.ts';
import type { Call, Reply, Route } from './route.ts';
import { allRoutes } from './routes/index.ts';
import { checkValue, valueOfQuery } from './schema.ts';
import { followStages, inSpan, requestSpan } from './spans.ts';
import { DailyBudgets } from './spent.ts';
import { Watching, watchedFolders } from './watching.ts';

const defaults = {
  bodyBytes: 2 ** 20,
  questionChars: 4000,
  concurrency: 8,
  queue: 64,
  requestMs: 120_000,
  receiveMs: 15_000,
  connections: 256,
};

/** What stands in every answer: no guessing of types, no frame around it, no address given away. */
const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'SAMEORIGIN',
  'cache-control': 'no-store',
} as const;

/**
 * Puts indexes on the network: the page, our API, the dialects of others, and MCP.
 * @throws IbidError INVALID_ARGUMENT, UNSAFE_ADDRESS for an address beyond loopback without a token; what the system says
 * of an address that cannot be listened on
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const server = new IndexServer(options);
  await server.listen();
  return server;
}

/** What the system says of an address that this machine does not have. */
const noHost: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL']);

class IndexServer implements RunningServer {
  readonly #options: ServeOptions;
  readonly #limits: typeof defaults;
  readonly #indexes: NamedIndexes;
  readonly #doorkeeper: Doorkeeper;
  readonly #guard: Guard;
  readonly #gate: Gate;
  readonly #page: Page;
  readonly #connections = new Connections();
  readonly #metrics = new Metrics();
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #server: Server;
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  readonly #watching: Watching;
  /** The folders of each index. */
  readonly #watched: ReadonlyMap<string, readonly string[]>;
  #state: 'starting' | 'ready' | 'stopping' = 'starting';
  #stopped: Promise<void> | undefined;
  #unfollow: (() => void) | undefined;

  constructor(options: ServeOptions) {
    const {
      indexes,
      host = '127.0.0.1',
      hosts = [],
      origins = [],
      tokens,
      openWithoutTokens = false,
      dailyBudgetUsd = 0,
      spentFile,
      limits = {},
      page,
    } = optionsOf(options, serveOptions);
    objectsOf(options, ['limits', 'watchOptions']);
    optionsOf(limits, serveLimits);
    optionsOf(options.watchOptions ?? {}, watchOptions);
    functionsOf(options, ['log']);
    this.#options = options;
    const given = Object.entries(limits).filter(([, value]) => value !== undefined);
    this.#limits = { ...defaults, ...Object.fromEntries(given) };
    for (const [name, value] of Object.entries(this.#limits))
      wholeOf(value, `limits.${name}`, name === 'queue' ? 0 : 1);
    this.#indexes = new NamedIndexes(indexes);
    if (host === '') throw new IbidError('INVALID_ARGUMENT', 'the address to listen on is empty');
    this.#doorkeeper = new Doorkeeper(tokens, openWithoutTokens, dailyBudgetUsd, new DailyBudgets(spentFile));
    if (!isOfThisMachine(host) && !options.insecure && !this.#doorkeeper.asksForToken)
      throw new IbidError('UNSAFE_ADDRESS', `"${host}" can be reached by others, and there is no token`, {
        hint: 'Make a token, listen on 127.0.0.1, or pass `insecure: true`.',
      });
    this.#guard = new Guard(host, hosts, origins);
    this.#gate = new Gate(this.#limits.concurrency, this.#limits.queue);
    this.#page = new Page(page ?? ownPage);
    this.#watched = watchedFolders(options.watch, this.#indexes.names);
    this.#watching = new Watching((error) => this.#log({ event: 'failed', error: detailOf(error) }));
    const routes = allRoutes({
      watching: this.#watching,
      isReady: () => this.#state === 'ready',
      readiness: new Readiness(this.#indexes),
      gauges: () => ({
        ibid_requests_working: this.#gate.working,
        ibid_requests_waiting: this.#gate.waiting,
        process_resident_memory_bytes: process.memoryUsage.rss(),
        process_uptime_seconds: process.uptime(),
      }),
      metrics: this.#metrics,
      questionChars: this.#limits.questionChars,
    });
    this.#routes = new Map(routes.map((route) => [route.path, route]));
    this.#server = createServer(
      {
        requestTimeout: this.#limits.receiveMs,
        headersTimeout: this.#limits.receiveMs,
        connectionsCheckingInterval: Math.min(1000, this.#limits.receiveMs),
        keepAliveTimeout: 5000,
        maxHeaderSize: 65_536, // an address may hold the longest question, whose letters may take nine bytes each
      },
      (request, response) => this.#accept(request, response),
    );
    this.#server.maxConnections = this.#limits.connections;
    // Without traffic: a client that takes nothing of its answer. Work that is silent for so long has ended before.
    this.#server.timeout = this.#limits.requestMs + this.#limits.receiveMs;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // it listens on a port, not on a pipe
  }

  get url(): string {
    const { host = '127.0.0.1' } = this.#options;
    const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
    return `http://${name.includes(':') ? `[${name}]` : name}:${this.port}`;
  }

  async listen(): Promise<void> {
    const { host = '127.0.0.1', port = 4321 } = this.#options;
    wholeOf(port, 'port', 0, 65_535);
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (cause: NodeJS.ErrnoException) => {
        const why = cause.code === 'EADDRINUSE' ? 'another program listens there' : (cause.code ?? 'unknown error');
        reject(
          new IbidError('INVALID_ARGUMENT', `cannot listen on ${host}, port ${port}: ${why}`, {
            cause,
            hint: cause.code && noHost.has(cause.code) ? 'Choose another `host`.' : 'Choose another `port`.',
          }),
        );
      });
      this.#server.listen(port, host, resolve);
    });
    this.#unfollow = followStages();
    this.#log({ event: 'listening', url: this.url });
    // The first question must not wait for files to be opened and compared.
    const views = this.#indexes.chosen(undefined).map(([, index]) => index.documentPage({ limit: 0 }));
    await Promise.allSettled(views);
    if (this.#state === 'starting') this.#state = 'ready';
    const { watchOptions = {} } = this.#options;
    for (const [name, paths] of this.#watched) this.#watching.start(name, this.#indexes.get(name), paths, watchOptions);
  }

  stop(graceMs = 10_000): Promise<void> {
    this.#stopped ??= this.#stop(graceMs);
    return this.#stopped;
  }

  async #stop(graceMs: number): Promise<void> {
    this.#state = 'stopping';
    this.#log({ event: 'stopping' });
    // The port alone: `close` of an HTTP server takes a connection for idle, and ends it, whose answer is not sent yet.
    const closed = new Promise<void>((resolve) => void TcpServer.prototype.close.call(this.#server, () => resolve()));
    const cut = setTimeout(() => this.#stopping.abort(new IbidError('ABORTED', 'the server stops')), graceMs);
    await Promise.allSettled([...this.#underWay, this.#watching.stop()]);
    clearTimeout(cut);
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
    this.#unfollow?.();
    this.#log({ event: 'stopped' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #log(entry: Omit<LogEntry, 'time'>): void {
    this.#options.log?.({ time: new Date().toISOString(), ...entry });
  }

  #accept(request: IncomingMessage, response: ServerResponse): void {
    const leave = this.#connections.enter(request);
    if (!leave) return;
    const work = this.#answer(request, response).catch((error: unknown) => {
      this.#log({ event: 'failed', error: detailOf(error) });
      response.destroy();
    });
    this.#underWay.add(work);
    void work.finally(() => {
      this.#underWay.delete(work);
      leave();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const requestId = randomUUID();
    const gone = new AbortController();
    const onClose = (): void => {
      if (!response.writableFinished) gone.abort(new IbidError('ABORTED', 'the client has gone'));
    };
    const { socket } = request; // closes also before it is the turn of this answer
    socket.once('close', onClose);
    response.on('error', onClose);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new IbidError('TIMEOUT', 'this took too long')), this.#limits.requestMs);
    const sending = AbortSignal.any([gone.signal, this.#stopping.signal]);
    const signal = AbortSignal.any([sending, late.signal]);
    const method = request.method ?? 'GET';
    for (const [name, value] of Object.entries({ ...always, 'x-request-id': requestId }))
      response.setHeader(name, value);
    const path = pathOf(request);
    const route = this.#routeOf(path);
    const named = route?.path ?? 'page';
    const span = requestSpan(`${method} ${named}`, { 'http.request.method': method, 'http.route': named });
    let token: string | undefined;
    let code: string | undefined;
    try {
      const headers = this.#guard.check(request, route?.scope === undefined);
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (method === 'OPTIONS') {
        response.writeHead(204, 'access-control-allow-origin' in headers ? Guard.preflight : {}).end();
        return;
      }
      if (this.#state === 'stopping')
        throw new Refusal(503, 'ABORTED', 'the server stops', { headers: { connection: 'close' } });
      if (!route) return await writeReply(this.#pageReply(method, path), request, response, signal);
      const access =
        route.scope === undefined
          ? this.#doorkeeper.anybody()
          : this.#doorkeeper.access(request.headers.authorization ?? keyHeader(request));
      token = access.token?.id;
      if (route.scope !== undefined && !access.has(route.scope))
        throw new Refusal(403, 'PERMISSION_DENIED', `the token does not have the scope "${route.scope}"`);
      await inSpan(span, () => this.#call(route, access, request, response, signal, () => clearTimeout(timer)));
    } catch (error) {
      if (gone.signal.aborted) {
        code = 'ABORTED';
        return;
      }
      const problem = problemOf(late.signal.aborted && !response.headersSent ? late.signal.reason : error);
      code = problem.code;
      if (problem.status >= 500 && code !== 'ABORTED' && !(error instanceof Refusal))
        this.#log({
          event: 'failed',
          requestId,
          route: named,
          code,
          error: detailOf(error),
        });
      await this.#refuse(problem, route, request, response, signal);
    } finally {
      clearTimeout(timer);
      const ms = performance.now() - startedAt;
      await taken(response, sending);
      socket.off('close', onClose);
      const status = gone.signal.aborted ? 499 : response.statusCode;
      this.#metrics.add(named, status, ms / 1000);
      span.setAttribute('http.response.status_code', status);
      if (code !== undefined) span.setAttribute('error.type', code);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR, ...(code !== undefined && { message: code }) });
      span.end();
      this.#log({
        event: 'request',
        requestId,
        method,
        route: named,
        status,
        ms: Math.round(ms * 10) / 10,
        ...(token !== undefined && { token }),
        ...(code !== undefined && { code }),
      });
    }
  }

  async #call(
    route: Route,
    access: Call['access'],
    request: IncomingMessage,
    response: ServerResponse,
    signal: AbortSignal,
    noLongerLate: () => void,
  ): Promise<void> {
    const method = request.method ?? 'GET';
    const effective = method === 'HEAD' ? 'GET' : method;
    if (!route.methods.some((one) => one === effective))
      throw new Refusal(405, 'METHOD_NOT_ALLOWED', `this path takes ${route.methods.join(' and ')}`, {
        headers: { allow: route.methods.join(', ') },
      });
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
    const input =
      effective === 'POST'
        ? ((await jsonBody(request, this.#limits.bodyBytes, signal)) ?? {})
        : valueOfQuery(route.request ?? { type: 'object' }, query);
    if (route.request) checkValue(route.request, input);
    this.#checkLength(input, route);
    const leave = route.queued === false ? undefined : await this.#gate.enter(signal);
    try {
      const rest = route.path.endsWith('*') ? pathOf(request).slice(route.path.length - 1) : '';
      const call: Call = { input, headers: request.headers, method, rest, access, indexes: this.#indexes, signal };
      const reply = await route.handle(call);
      if ('file' in reply) {
        leave?.(); // how long a file takes is up to its client
        noLongerLate();
      }
      await writeReply(reply, request, response, signal);
    } finally {
      leave?.();
    }
  }

  #checkLength(input: unknown, route: Route): void {
    const { questionChars } = this.#limits;
    const fields = (input ?? {}) as Record<string, unknown>; // any JSON value may be looked into
    for (const [name, value] of Object.entries({
      query: fields.query,
      question: route.question?.(input) ?? fields.question,
    }))
      for (const text of [value].flat())
        if (typeof text === 'string' && text.length > questionChars)
          throw new IbidError(
            'INVALID_ARGUMENT',
            `${name} has ${text.length} characters, allowed are ${questionChars}`,
          );
  }

  #routeOf(path: string): Route | undefined {
    return this.#routes.get(path) ?? this.#routes.get(path.replace(/[^/]+$/, '*'));
  }

  #pageReply(method: string, path: string): Reply {
    const reply = method === 'GET' || method === 'HEAD' ? this.#page.reply(path) : undefined;
    if (reply) return reply;
    if (path === '/')
      return { text: 'ibid serves an index here: /openapi.json says how to ask.\n', type: 'text/plain; charset=utf-8' };
    throw new Refusal(404, 'NOT_FOUND', 'there is nothing here');
  }

  async #refuse(
    problem: ReturnType<typeof problemOf>,
    route: Route | undefined,
    request: IncomingMessage,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { status, headers = {} } = problem;
    const reply: Reply = { json: route?.problem?.(problem) ?? problemBody(problem), status, headers };
    // What of the body has not come is not waited for.
    const rest = request.complete ? {} : { connection: 'close' };
    for (const [name, value] of Object.entries(rest)) response.setHeader(name, value);
    await writeReply(reply, request, response, signal);
  }
}

/** Never throws: what is no address has no path of ours. */
function pathOf(request: IncomingMessage): string {
  try {
    return decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
  } catch {
    return '';
  }
}

/** Where clients of another dialect put a key. */
function keyHeader(request: IncomingMessage): string | undefined {
  const key = request.headers['x-api-key'];
  return typeof key === 'string' ? `Bearer ${key}` : undefined;
}
