import { definedOnly } from '../../core/records.ts';
import { parseBaseUrl } from './address.ts';
import { admitted } from './admitted.ts';
import type { Answer, CallKind, Service } from './attempt.ts';
import { type ByteSource, decoded, joined, readAll, readStart } from './body.ts';
import { checkRetries, checkTimeouts, closed, performCall } from './call.ts';
import type {
  Call,
  OpenOptions,
  Operation,
  Reply,
  ServerEvent,
  ServiceDialect,
  Socket,
  StreamReply,
  Timeouts,
  Transport,
} from './contract.ts';
import { errorFromBody, RefusedAfterAll, WireError } from './errors.ts';
import { eventSplitter, type Splitter } from './events.ts';
import type { HttpResponse } from './exchange.ts';
import { ApiKey } from './keys.ts';
import { KeyLimiter, shareLimiter } from './limiter.ts';
import { byteSplitter, lineSplitter } from './lines.ts';
import { openDispatcher } from './proxy.ts';
import { retryAfterMs } from './retry.ts';
import { type Runtime, systemRuntime } from './runtime.ts';
import { openSocket } from './socket.ts';
import { PieceStream } from './stream.ts';

const defaultTimeouts: Timeouts = { connectMs: 10_000, headersMs: 600_000, idleMs: 90_000, totalMs: 0 };

const MAX_BODY_BYTES = 134_217_728;
/** One event or line: a batch result of the longest answer stays far below. */
const MAX_PIECE = 67_108_864;

/**
 * The transport of one service. Close it when it is no longer needed: it keeps connections alive.
 * @param runtime only for tests; a transport with one has a limiter of its own
 * @throws WireError KEY_MISSING, UNSAFE_ADDRESS, INVALID_ARGUMENT
 */
export function createTransport(dialect: ServiceDialect, options: OpenOptions, runtime?: Runtime): Transport {
  const base = parseBaseUrl(options.baseUrl, options.privateAddress);
  const { apiKey = '', headers } = options;
  const isKeyless = dialect.keyless === true && options.apiKey === undefined;
  const key = isKeyless ? ApiKey.none(headers) : new ApiKey(apiKey, 'apiKey', headers);
  const timeouts = checkTimeouts({ ...defaultTimeouts, ...definedOnly(options.timeouts ?? {}) });
  checkRetries(options.maxRetries);
  const { limiter, done } =
    runtime === undefined
      ? shareLimiter(dialect.service, base.origin, key.fingerprint)
      : { limiter: new KeyLimiter(runtime), done: () => {} };
  const dispatcher = openDispatcher(base, options.proxy);
  const closing = new AbortController();
  const service: Service = {
    dialect,
    options,
    base,
    key,
    timeouts,
    dispatcher,
    limiter,
    runtime: runtime ?? systemRuntime,
    closing: closing.signal,
  };
  return new HttpTransport(service, () => closing.abort(), done);
}

class HttpTransport implements Transport {
  readonly #service: Service;
  readonly #endCalls: () => void;
  readonly #done: () => void;
  readonly #admit = (text: string): string => admitted(text, this.#service.key);
  #closed: Promise<void> | undefined;

  constructor(service: Service, endCalls: () => void, done: () => void) {
    this.#service = service;
    this.#endCalls = endCalls;
    this.#done = done;
  }

  get service(): ServiceDialect['service'] {
    return this.#service.dialect.service;
  }

  json(operation: Operation, call: Call): Promise<Reply<unknown>> {
    const limit = this.#service.options.maxBodyBytes ?? MAX_BODY_BYTES;
    return this.#perform(operation, call, {
      accept: 'application/json',
      compressed: true,
      read: async (answer) => {
        const { response, info } = answer;
        const bytes = await readAll(decoded(response.body, response.headers['content-encoding']), limit);
        const body = this.#parse(bytes, response);
        const actual = settledOf(call, body);
        if (actual !== undefined) answer.settle(actual);
        answer.finish();
        return { ...info, body };
      },
    });
  }

  events(operation: Operation, call: Call): Promise<StreamReply<ServerEvent>> {
    return this.#stream(operation, call, 'text/event-stream', false, () => eventSplitter(MAX_PIECE, this.#admit));
  }

  lines(operation: Operation, call: Call): Promise<StreamReply<string>> {
    return this.#stream(operation, call, '*/*', true, () => lineSplitter(MAX_PIECE, this.#admit));
  }

  bytes(operation: Operation, call: Call): Promise<StreamReply<Uint8Array>> {
    return this.#stream(operation, call, '*/*', false, byteSplitter);
  }

  socket(operation: Operation, call: Call): Promise<Socket> {
    return this.#perform(operation, call, openSocket);
  }

  close(): Promise<void> {
    if (!this.#closed) {
      this.#endCalls();
      this.#closed = this.#service.dispatcher.destroy().then(() => this.#done());
    }
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #perform<T, R extends HttpResponse = HttpResponse>(
    operation: Operation,
    call: Call,
    kind: CallKind<R, T>,
  ): Promise<T> {
    if (this.#closed) return Promise.reject(closed(operation));
    return performCall<T, R>(this.#service, operation, call, kind);
  }

  #stream<T>(
    operation: Operation,
    call: Call,
    accept: string,
    compressed: boolean,
    split: () => Splitter<T>,
  ): Promise<StreamReply<T>> {
    return this.#perform(operation, call, {
      accept,
      compressed,
      read: async (answer) => {
        const { response, info } = answer;
        const type = response.headers['content-type'] ?? '';
        if (/^text\/html\b/i.test(type)) await this.#page(response);
        let source = decoded(response.body, response.headers['content-encoding']);
        if (accept === 'text/event-stream' && /\bjson\b/i.test(type)) source = await this.#noObject(source, answer);
        return new PieceStream<T>({
          info,
          source,
          splitter: split(),
          failure: answer.failure,
          onSettle: answer.settle,
          onReading: answer.reading,
          onEnd: answer.finish,
        });
      },
    });
  }

  /** A 200 with a web page: some proxy answered for the service. */
  async #page(response: HttpResponse): Promise<never> {
    const start = await readStart(decoded(response.body, response.headers['content-encoding']), 2_000);
    throw new WireError('RESPONSE_INVALID', 'a web page instead of an answer', {
      status: response.status,
      body: this.#service.key.excerpt(Buffer.from(start).toString('utf8'), 2_000),
      hint: 'A proxy or a sign-in page may stand before the service; check baseUrl.',
    });
  }

  /** A 200 with an object where events were asked for: the service's way to refuse after all. */
  async #noObject(source: ByteSource, { info }: Answer<HttpResponse>): Promise<ByteSource> {
    const first = await source.take();
    const { key, dialect, runtime } = this.#service;
    const start = joined(first);
    if (!/^\s*[{[]/.test(Buffer.from(start).toString('utf8'))) return begunWith(first, source);
    const text = key.mask(key.scrub(Buffer.from(await readStart(begunWith(first, source), 262_144)).toString('utf8')));
    const facts = { requestId: info.requestId, body: text.slice(0, 2_000) };
    const body = jsonOr(text);
    if (typeof body === 'object' && body !== null && ('error' in body || 'detail' in body)) {
      const asked = retryAfterMs(info.headers, runtime.now(), info.status);
      throw new RefusedAfterAll(errorFromBody(body, { ...facts, retryAfterMs: asked }, dialect.readError));
    }
    throw new WireError('RESPONSE_INVALID', 'an object instead of a stream of events', {
      status: info.status,
      ...facts,
    });
  }

  #parse(bytes: Uint8Array, response: HttpResponse): unknown {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
    if (text.trim() === '') return undefined;
    const admittedText = this.#admit(text);
    try {
      return JSON.parse(admittedText);
    } catch {
      throw new WireError(
        'RESPONSE_INVALID',
        `the answer is not JSON (${response.headers['content-type'] ?? 'no content type'})`,
        {
          status: response.status,
          body: this.#service.key.excerpt(text, 2_000),
        },
      );
    }
  }
}

/** A source from which something has been taken already. */
function begunWith(first: readonly Uint8Array[], source: ByteSource): ByteSource {
  let begun = first.length === 0;
  return {
    take: () => {
      if (begun) return source.take();
      begun = true;
      return Promise.resolve(first);
    },
    cancel: () => source.cancel(),
    signal: source.signal,
  };
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A reader that fails must not turn a paid answer into an error. */
function settledOf(call: Call, body: unknown): ReturnType<NonNullable<Call['settle']>> {
  try {
    return call.settle?.(body);
  } catch {
    return undefined;
  }
}
