import type { Dialect, WireService } from '../contract.ts';
import { chatRoutes } from './chat.ts';
import { asyncChatRoutes } from './chat-async.ts';
import { defaultModels, type SearchContext, type SearchModels, statusFailure } from './context.ts';
import { hashedEmbedder, type ServedEmbedder } from './embedder.ts';
import { embeddingRoutes } from './embeddings.ts';
import { defaultPages, type Page } from './pages.ts';
import { researchRoutes } from './research.ts';
import { sandboxRoutes } from './sandbox.ts';
import type { SearchScript } from './script.ts';
import { webRoutes } from './web-route.ts';

export interface SearchServiceOptions {
  /** @default reference */
  readonly dialect?: Dialect | undefined;
  readonly models?: SearchModels | undefined;
  /** @default ['test-search-key'] */
  readonly apiKeys?: readonly string[] | undefined;
  /** The model behind both embedding operations. @default a hashed stand-in, contextual and deterministic */
  readonly embedder?: ServedEmbedder | undefined;
  /** The web. @default thirteen pages, three of them hostile */
  readonly pages?: readonly Page[] | undefined;
  readonly script?: SearchScript | undefined;
  /** Unix seconds. @default 2026-10-01T12:00:00Z, so that recency filters always find the same pages */
  readonly now?: (() => number) | undefined;
  /** Requests per minute as told in the rate-limit headers. @default 50 */
  readonly rateLimit?: number | undefined;
}

export interface SearchService extends WireService {
  /** Misbehaviour in force; set its fields at any time. */
  readonly script: SearchScript;
}

/**
 * Answer, agentic research, search, embeddings and sandbox, strict in what they take and scripted in what they give.
 */
export function searchService(options: SearchServiceOptions = {}): SearchService {
  const counters = new Map<string, number>();
  const script = options.script ?? {};
  const now = options.now ?? (() => Date.UTC(2026, 9, 1, 12) / 1000);
  const context: SearchContext = {
    dialect: options.dialect ?? 'reference',
    models: options.models ?? defaultModels,
    apiKeys: new Set(options.apiKeys ?? ['test-search-key']),
    embedder: options.embedder ?? hashedEmbedder,
    pages: options.pages ?? defaultPages,
    script,
    now,
    nextId(kind) {
      const count = (counters.get(kind) ?? 0) + 1;
      counters.set(kind, count);
      return `${kind}_${count}`;
    },
  };
  let used = 0;
  const limit = options.rateLimit ?? 50;
  return {
    name: 'search',
    script,
    routes: [
      ...chatRoutes(context),
      ...asyncChatRoutes(context),
      ...researchRoutes(context),
      ...webRoutes(context),
      ...embeddingRoutes(context),
      ...sandboxRoutes(context),
    ],
    // The messages service takes bearers too: a key of this service decides.
    claims(headers) {
      const key = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
      if (key === undefined || headers['x-api-key'] !== undefined) return 0;
      return context.apiKeys.has(key) ? 2 : 1;
    },
    fail: (status, message) => statusFailure(status, message),
    headers() {
      used += 1;
      return {
        'x-request-id': context.nextId('request'),
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(Math.max(0, limit - (used % (limit + 1)))),
        'x-ratelimit-used': String(used % (limit + 1)),
        'x-ratelimit-reset': String(now() + 60),
      };
    },
  };
}
