import { type Exchange, Refusal, type ServedSocket } from '../contract.ts';
import { type Check, isRecord, Misfit } from '../shape.ts';
import { type AudioContext, useToken } from './context.ts';

/**
 * What a socket operation does with a message once its text was parsed; a `Refusal` or `Misfit` ends the socket with an
 * error.
 */
export type OnMessage = (message: Record<string, unknown>, first: boolean) => void;

/** Common to all speaking sockets: the key, the idle limit, errors as a message and close code 1008. */
export class SocketSession {
  readonly #context: AudioContext;
  readonly #exchange: Exchange;
  readonly #socket: ServedSocket;
  readonly #idleMs: number;
  #timer: NodeJS.Timeout | undefined;
  #authenticated = false;
  #first = true;
  ended = false;

  constructor(context: AudioContext, exchange: Exchange, socket: ServedSocket, idleMs: number) {
    this.#context = context;
    this.#exchange = exchange;
    this.#socket = socket;
    this.#idleMs = context.script.speech?.idleMs ?? idleMs;
    const { headers, query } = exchange.request;
    const key = headers[context.keyHeader];
    const token = query.get('single_use_token');
    if (key !== undefined) {
      this.#authenticated = context.apiKeys.has(key);
      if (!this.#authenticated) this.fail('invalid_api_key', 'Invalid API key');
    } else if (token !== null) {
      this.#authenticated = useToken(context, token, 'tts_websocket');
      if (!this.#authenticated) this.fail('invalid_api_key', 'The token is not valid');
    }
    socket.onClose(() => this.end());
    this.#restart();
  }

  /** Runs once the query has been looked at; what it throws ends the socket. */
  attempt(work: () => void): void {
    if (this.ended) return;
    try {
      work();
    } catch (error) {
      if (error instanceof Misfit) this.fail('invalid_input_message', `${error.field}: ${error.message}`);
      else if (error instanceof Refusal) this.fail(...namesOf(error));
      else throw error;
    }
  }

  listen(onMessage: OnMessage): void {
    this.#socket.onMessage((raw) => {
      this.attempt(() => {
        this.#restart();
        const message = parse(raw);
        if (!this.#authenticated) this.#authenticate(message);
        const first = this.#first;
        this.#first = false;
        const { [this.#context.bodyKey]: _, [this.#context.keyHeader]: __, ...rest } = message;
        onMessage(rest, first);
      });
    });
  }

  send(message: Record<string, unknown>): void {
    if (!this.ended) this.#socket.send(JSON.stringify(message));
  }

  fail(error: string, message: string): void {
    this.send({ message, error, code: 1008 });
    this.close(1008, error);
  }

  close(code = 1000, reason = ''): void {
    if (this.ended) return;
    this.end();
    this.#socket.close(code, reason);
  }

  end(): void {
    this.ended = true;
    clearTimeout(this.#timer);
  }

  /** The key may stand in the first message, in either spelling. */
  #authenticate(message: Readonly<Record<string, unknown>>): void {
    const key = message[this.#context.bodyKey] ?? message[this.#context.keyHeader];
    this.#authenticated = typeof key === 'string' && this.#context.apiKeys.has(key);
    if (!this.#authenticated) {
      throw new Refusal({
        status: 401,
        json: { detail: { code: 'invalid_api_key', message: 'No valid API key was sent' } },
      });
    }
  }

  #restart(): void {
    clearTimeout(this.#timer);
    if (this.ended) return;
    this.#timer = setTimeout(() => {
      this.fail('input_timeout_exceeded', 'No text was received in time');
    }, this.#idleMs);
    this.#timer.unref();
    this.#exchange.signal.addEventListener('abort', () => this.end(), { once: true });
  }
}

function parse(raw: string | Buffer): Record<string, unknown> {
  let message: unknown;
  try {
    message = typeof raw === 'string' ? JSON.parse(raw) : undefined;
  } catch {
    message = undefined;
  }
  if (!isRecord(message)) throw new Misfit([], 'json_invalid', 'messages are JSON objects');
  return message;
}

/** Error name and text of a refusal, as a socket spells them. */
function namesOf(refusal: Refusal): [string, string] {
  const { detail } = (refusal.reply.json ?? {}) as { detail?: { code?: string; status?: string; message?: string } };
  return [detail?.code ?? detail?.status ?? 'internal_error', detail?.message ?? refusal.message];
}

/** Query keys beyond these end the socket; values are checked as given. */
export function checkQuery(exchange: Exchange, checks: Readonly<Record<string, Check>>): void {
  for (const [key, value] of exchange.request.query) {
    const check = checks[key];
    if (check === undefined)
      throw new Misfit(['query', key], 'extra_forbidden', 'Extra inputs are not permitted', value);
    check(value, ['query', key]);
  }
}

export const numeric =
  (check: Check): Check =>
  (value, path) =>
    check(value === '' ? undefined : Number(value), path);

export const boolean: Check = (value, path) => {
  if (value !== 'true' && value !== 'false')
    throw new Misfit(path, 'bool_parsing', 'Input should be a valid boolean', value);
};
