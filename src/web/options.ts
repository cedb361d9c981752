import { IbidError } from '../core/errors.ts';
import { type Recency, recencies } from './contract.ts';
import { DEFAULT_PER_SITE } from './merged-search.ts';

/** How the web takes part in a search. */
export interface WebOptions {
  /**
   * Wordings to ask for, 1 to 5, each a request of its own and paid as such. Keywords find more than sentences.
   * @default the query, its rarest half and its rarest third (of at least four words, on an index of at least 500
   * chunks), in one request
   */
  readonly queries?: readonly string[] | undefined;
  /** Pages for each wording, 1 to 20; the price is the same. @default 20 */
  readonly limit?: number | undefined;
  /**
   * Only these sites, or with `-` in front all but these: `example.com` with all below it, `example.com/docs`, `.gov`.
   */
  readonly domains?: readonly string[] | undefined;
  readonly recency?: Recency | undefined;
  /** ISO 639-1. */
  readonly languages?: readonly string[] | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  /** Hits of one site at most. @default 3 */
  readonly perSite?: number | undefined;
  /**
   * How long the index's own hits may wait for the web, all of it: search, pages, vectors. @default 4,000; 30,000 where
   * a model searches
   */
  readonly deadlineMs?: number | undefined;
  /** Reads the pages themselves instead of the search's extracts. Private addresses are refused. @default false */
  readonly fetch?: boolean | undefined;
}

export type ResolvedWebOptions = Omit<WebOptions, 'limit' | 'perSite' | 'deadlineMs'> &
  Required<{ readonly [K in 'limit' | 'perSite' | 'deadlineMs']: number }>;

export const DEFAULT_DEADLINE_MS = 4000;

/** @param deadlineMs of the web search itself @throws IbidError INVALID_ARGUMENT naming the field */
export function resolveWebOptions(
  options: WebOptions | true,
  deadlineMs: number = DEFAULT_DEADLINE_MS,
): ResolvedWebOptions {
  const given = options === true ? {} : options;
  const { queries, domains, recency } = given;
  const texts = (name: string, list: readonly string[] | undefined, most: number): void => {
    if (list === undefined) return;
    const isList = Array.isArray(list) && list.length >= 1 && list.length <= most;
    if (!isList || list.some((text) => typeof text !== 'string' || text.trim() === '')) {
      throw invalid(`web.${name} must be a list of 1 to ${most} texts that say something`);
    }
  };
  texts('queries', queries, 5);
  texts('domains', domains, 20);
  texts('languages', given.languages, 10);
  if (domains?.some((domain) => domain.startsWith('-') !== domains[0]!.startsWith('-'))) {
    throw invalid('web.domains must all be allowed or all be refused', 'Write "-" before all of them or before none.');
  }
  if (recency !== undefined && !recencies.includes(recency)) {
    throw invalid(`web.recency must be one of ${recencies.join(', ')}, not "${String(recency)}"`);
  }
  if (given.country !== undefined && !/^[A-Z]{2}$/.test(given.country)) {
    throw invalid(`web.country must be two capitals such as "US", not "${given.country}"`);
  }
  return {
    ...given,
    limit: whole('limit', given.limit ?? 20, 1, 20),
    perSite: whole('perSite', given.perSite ?? DEFAULT_PER_SITE, 1, 1000),
    deadlineMs: whole('deadlineMs', given.deadlineMs ?? deadlineMs, 1, 600_000),
  };
}

function whole(name: string, value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw invalid(`web.${name} must be a whole number from ${least} to ${most}, not ${value}`);
}

function invalid(message: string, hint?: string): IbidError {
  return new IbidError('INVALID_ARGUMENT', message, { hint });
}
