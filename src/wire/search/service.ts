import { objectOf } from '../../core/arguments.ts';
import { refuse } from '../http/check.ts';
import type { ServiceDialect, Transport, TransportOptions, WireCallOptions } from '../http/contract.ts';
import { readRequestLimits } from '../http/limit-headers.ts';
import { createTransport } from '../http/transport.ts';
import type { AnswerOptions, Answers } from './answer-types.ts';
import { answers } from './answers.ts';
import type { SearchContext } from './context.ts';
import type { Embeddings } from './embedding-types.ts';
import { embeddings } from './embeddings.ts';
import { searchEndpoints, searchOperations } from './operations.ts';
import { type CostEstimate, type OwnSearchPrices, withOwnPrices } from './prices.ts';
import { resolveProfile, type SearchProfile, type SearchProfileOption } from './profile.ts';
import { research } from './research.ts';
import type { ModelEntry, Research } from './research-types.ts';
import type { Sandbox } from './sandbox-types.ts';
import { estimateSearchCost, search } from './search.ts';
import type { SearchAnswer, SearchOptions, SearchRequest } from './search-types.ts';

/**
 * Groups for `limits`: `answers`, `answers.async`, `answers.reads`, `research`, `research.reads`, `search`,
 * `embeddings`, `sandbox`.
 */
export interface SearchServiceOptions extends TransportOptions {
  /** Which compatible service it is. @default 'reference' */
  readonly profile?: SearchProfileOption | undefined;
  /** @default those of the profile */
  readonly prices?: OwnSearchPrices | undefined;
  /**
   * What `answers` does once the service has retired that operation; a call's own option goes before it.
   * @default 'throw'
   */
  readonly onRetired?: AnswerOptions['onRetired'];
  /** Operations whose interface is unpublished. */
  readonly experimental?: { readonly sandbox?: boolean | undefined } | undefined;
}

/** The client of answers, agentic research, search, embeddings and sandbox. Close it when it is no longer needed. */
export interface SearchService extends AsyncDisposable {
  readonly profile: SearchProfile;
  readonly answers: Answers;
  readonly research: Research;
  readonly embeddings: Embeddings;
  /** Experimental, see `Sandbox`. */
  readonly sandbox: Sandbox;
  /** Ranked pages of the web, without a written answer. */
  search(request: SearchRequest, options?: SearchOptions): Promise<SearchAnswer>;
  estimateSearchCost(request: SearchRequest, options?: Pick<SearchOptions, 'several'>): CostEstimate;
  /** Models of the research operation. */
  models(options?: WireCallOptions): Promise<readonly ModelEntry[]>;
  close(): Promise<void>;
}

/**
 * How the search service differs from the others on the wire. Its rate-limit headers are known from research; low tiers
 * refuse two answers at once, so only two are sent at a time until `limits` says otherwise. Searches: 50 at once,
 * and 50 per second.
 */
export function searchDialect({ keyHeader }: SearchProfile): ServiceDialect {
  return {
    service: 'search',
    auth: (key) => ({ [keyHeader.name]: `${keyHeader.prefix}${key}` }),
    readLimits: readRequestLimits,
    limits: {
      answers: { concurrency: 2 },
      'answers.async': { concurrency: 2 },
      search: { concurrency: 10, requestsPerMinute: 3_000, burst: 50 },
    },
  };
}

/** @throws WireError KEY_MISSING, UNSAFE_ADDRESS; IbidError INVALID_ARGUMENT */
export function createSearchService(options: SearchServiceOptions): SearchService {
  objectOf(options, 'the options');
  const { profile: chosen, prices, onRetired, experimental, ...transportOptions } = options;
  const listed = resolveProfile(chosen);
  const profile = prices ? { ...listed, prices: withOwnPrices(listed, prices) } : listed;
  const transport = createTransport(searchDialect(profile), transportOptions);
  return searchServiceOver(transport, { profile, onRetired, experimental });
}

/** The same client over a transport that is open already; `close` closes it. */
export function searchServiceOver(
  transport: Transport,
  options: Pick<SearchServiceOptions, 'profile' | 'onRetired' | 'experimental'> = {},
): SearchService {
  const profile = resolveProfile(options.profile);
  const context: SearchContext = { transport, profile, operations: searchOperations(profile.paths) };
  const table = searchEndpoints(profile.paths);
  const plain = table.client(() => context);
  const experimental = table.client(() => {
    const hint = 'Its interface is unpublished and may change or vanish.';
    return options.experimental?.sandbox === true ? context : refuse('experimental.sandbox', 'must be true', hint);
  });
  const agent = research(context, plain.research);
  return {
    profile,
    answers: answers(context, agent, plain.answers.async, { onRetired: options.onRetired }),
    research: agent,
    embeddings: embeddings(context),
    sandbox: experimental.sandbox,
    search: search(context),
    estimateSearchCost: (request, several) => estimateSearchCost(context, request, several),
    models: plain.models,
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}
