import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { type Dialect, type Exchange, type RecordedRequest, Refusal, type Reply, type Route } from '../contract.ts';
import { type Check, Misfit } from '../shape.ts';
import type { ServedEmbedder } from './embedder.ts';
import type { Page } from './pages.ts';
import type { SearchScript } from './script.ts';

/** Model identifiers as the service under test knows them. */
export interface SearchModels {
  readonly answer: {
    readonly base: string;
    readonly pro: string;
    readonly reasoningPro: string;
    readonly deepResearch: string;
  };
  readonly embedding: { readonly small: string; readonly large: string };
  readonly contextual: { readonly small: string; readonly large: string };
  /** Models of the agentic operation, the first is what presets run on. */
  readonly research: readonly string[];
  /** Research models that answer "not available", so that a fallback chain goes on. */
  readonly unavailable: readonly string[];
}

export const defaultModels: SearchModels = {
  answer: {
    base: 'answer-base',
    pro: 'answer-pro',
    reasoningPro: 'answer-reasoning-pro',
    deepResearch: 'answer-deep-research',
  },
  embedding: { small: 'embed-v1-0.6b', large: 'embed-v1-4b' },
  contextual: { small: 'embed-context-v1-0.6b', large: 'embed-context-v1-4b' },
  research: ['provider-a/model-x', 'provider-a/model-y', 'provider-b/model-z'],
  unavailable: ['provider-b/model-down'],
};

/** What every operation of the service works with. */
export interface SearchContext {
  readonly dialect: Dialect;
  readonly models: SearchModels;
  readonly apiKeys: ReadonlySet<string>;
  readonly embedder: ServedEmbedder;
  readonly pages: readonly Page[];
  /** Changed by tests while the service runs. */
  readonly script: SearchScript;
  /** Unix seconds. */
  now(): number;
  /** Counted up, so that ids are the same in every run. */
  nextId(kind: string): string;
}

export const countText = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });

/** An error in the main envelope. */
function failure(status: number, type: string, message: string, param?: string): Reply {
  return { status, json: { error: { message, type, code: status, ...(param === undefined ? {} : { param }) } } };
}

export function refuse(status: number, type: string, message: string, param?: string): never {
  throw new Refusal(failure(status, type, message, param));
}

const typeOfStatus: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'invalid_api_key',
  403: 'forbidden',
  404: 'not_found',
  405: 'invalid_request',
  408: 'timeout',
  409: 'conflict',
  413: 'payload_too_large',
  424: 'external_connector_error',
  429: 'request_rate_limit_exceeded',
  500: 'internal_error',
  502: 'bad_gateway',
  503: 'internal_error',
  504: 'gateway_timeout',
};

export function statusFailure(status: number, message: string): Reply {
  if (status === 422) return { status, json: { detail: [{ loc: ['body'], msg: message, type: 'value_error' }] } };
  return failure(status, typeOfStatus[status] ?? (status >= 500 ? 'internal_error' : 'invalid_request'), message);
}

/**
 * Checks a body's shape. Answer, search and embedding operations refuse in the envelope (400) or, by script, with the
 * schema's list of details (422); the agentic operation knows only the envelope.
 */
export function checkBody(
  context: SearchContext,
  body: unknown,
  check: Check,
  strictEnvelope = false,
): Record<string, unknown> {
  try {
    check(body, []);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    if (context.script.detailErrors === true && !strictEnvelope) {
      throw new Refusal({
        status: 422,
        json: { detail: [{ loc: ['body', ...error.path], msg: error.message, type: error.kind }] },
      });
    }
    refuse(400, 'invalid_request', `${error.field === '' ? 'body' : error.field}: ${error.message}`, error.field);
  }
  // Every shape checked here is a record.
  return body as Record<string, unknown>;
}

/** A rule that a shape cannot say, refused like a shape. */
export function demand(
  context: SearchContext,
  holds: boolean,
  path: readonly (string | number)[],
  message: string,
): asserts holds {
  if (holds) return;
  checkBody(context, undefined, () => {
    throw new Misfit(path, 'value_error', message);
  });
}

function checkKey(context: SearchContext, request: RecordedRequest): void {
  const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (key === undefined || !context.apiKeys.has(key)) refuse(401, 'invalid_api_key', 'Invalid API key provided');
}

/** A route that wants a key, and a JSON body where the method has one. */
export function keyed(
  context: SearchContext,
  method: Route['method'],
  path: string,
  handle: (exchange: Exchange) => Reply | Promise<Reply>,
): Route {
  return {
    method,
    path,
    handle(exchange) {
      checkKey(context, exchange.request);
      const { headers, raw, body } = exchange.request;
      if (raw.length > 0) {
        if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
          refuse(400, 'invalid_request', 'Content-Type must be application/json');
        }
        if (body === undefined) refuse(400, 'invalid_request', 'body is not JSON');
      }
      return handle(exchange);
    },
  };
}

/** USD, rounded so that sums print plainly. */
export function usd(tokens: number, perMillion: number): number {
  return Number(((tokens * perMillion) / 1e6).toFixed(12));
}
