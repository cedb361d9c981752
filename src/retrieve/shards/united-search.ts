import { IbidError } from '../../core/errors.ts';
import { yieldToEventLoop } from '../../core/event-loop.ts';
import type { CallOptions } from '../../core/types.ts';
import type { Embedder } from '../../embed/contract.ts';
import type { TermCounts } from '../../lexical/term-counts.ts';
import type { MissingShard, RowSet, Snapshot } from '../../store/contract.ts';
import { type AnalysedQuery, analyseQuery } from '../../text/analysis/query.ts';
import { withoutExcluded } from '../excluded.ts';
import { type CollectionTotals, rarityOf } from '../lexical-scores.ts';
import { type FoundTerm, searchedTerms, type Vocabulary } from '../query-terms.ts';
import {
  type ResolvedSearch,
  rankCandidates,
  resolveSearchOptions,
  type SearchOptions,
  type SearchResult,
} from '../search.ts';
import type { NamedWords } from '../united-postings.ts';
import type { CandidatesRequest, FoundCounts, ShardAsker } from './contract.ts';
import { mergeCandidates } from './merge.ts';

/** A shard with the place of its first row in the united snapshot. */
export interface AskedShard {
  readonly base: number;
  readonly asker: ShardAsker;
}

interface ShardSearchOptions extends SearchOptions {
  /** How long a shard may take for one search, in milliseconds; then the hits come without it. */
  readonly timeoutMs: number;
}

/**
 * `searchWithPredictors`, where each shard finds its own best rows by the statistics of all. A shard that fails or is
 * late is left out, and named in the result.
 * @param snapshot reads the texts of candidates
 * @throws IbidError INVALID_ARGUMENT, INVALID_FILTER; the error of the first shard when all fail
 */
export async function searchShards(
  snapshot: Snapshot,
  shards: readonly AskedShard[],
  embedder: Embedder | undefined,
  query: string,
  { timeoutMs, ...options }: ShardSearchOptions,
): Promise<SearchResult> {
  const resolved = resolveSearchOptions(options, embedder);
  const { mode, where, signal, candidates: counts } = resolved;
  const analysed = analyseQuery(query);
  const round = new ShardRound(shards, timeoutMs, signal);
  const isDense = mode !== 'lexical' && embedder !== undefined && snapshot.dimensions > 0;
  const embed = async (): Promise<Int8Array | undefined> => {
    const vector = isDense ? await embedder.embedQuery(analysed.text, { signal }) : undefined;
    return vector?.some((component) => component !== 0) ? vector : undefined;
  };
  const look = async () => {
    const collection = sumOfTotals(await round.ask((asker, call) => asker.totals(call)));
    const found = mode === 'dense' ? none : await lookUp(round, collection, analysed, signal);
    return { collection, ...found };
  };
  const [{ collection, terms, corrections }, vector] = await Promise.all([look(), embed()]);
  const request: CandidatesRequest = {
    ...{ collection, counts, vector, where },
    terms: terms.map(({ term, words, count, idf, windowIdf, containing }) => {
      return { name: term, words, count, idf, windowIdf, alone: containing === 0 };
    }),
    phrases: analysed.phrases,
    excluded: analysed.excluded,
  };
  const replies = await round.ask((asker, call) => asker.candidates(request, call));
  await yieldToEventLoop();
  signal?.throwIfAborted();
  const candidates = mergeCandidates(
    replies.map(([{ base }, reply]) => ({ base, reply })),
    { request, corrections, found: terms },
  );
  const shown = await openingOptions(snapshot, analysed.excluded, resolved);
  const result = await rankCandidates(snapshot, query, analysed, candidates, { ...resolved, ...shown });
  return round.missing.length === 0 ? result : { ...result, missing: round.missing };
}

/** The rows that may be shown as an opening; no opening where a shard on another machine would have to say which. */
async function openingOptions(
  snapshot: Snapshot,
  excluded: AnalysedQuery['excluded'],
  { opening, where, signal }: ResolvedSearch,
): Promise<{ readonly within?: RowSet | undefined; readonly opening: number }> {
  if (opening === 0 || (where === undefined && excluded.length === 0)) return { opening };
  try {
    const within = where === undefined ? undefined : await snapshot.filter(where);
    return { within: await withoutExcluded(snapshot, excluded, within, { signal }), opening };
  } catch (error) {
    if (error instanceof IbidError) return { opening: 0 };
    throw error;
  }
}

const none = { terms: [], corrections: [] };

/** The shards of one search that have answered so far. */
class ShardRound {
  #shards: readonly AskedShard[];
  readonly missing: MissingShard[] = [];
  readonly #signal: AbortSignal | undefined;
  readonly #timeoutMs: number;
  /** How long each shard was waited for: none pays for another that is late, nor for the vector of the query. */
  readonly #usedMs = new Map<AskedShard, number>();

  constructor(shards: readonly AskedShard[], timeoutMs: number, signal: AbortSignal | undefined) {
    this.#shards = shards;
    this.#timeoutMs = timeoutMs;
    this.#signal = signal;
  }

  /** What each shard replies. @throws IbidError when none does, or when the fault is the caller's */
  async ask<T>(
    use: (asker: ShardAsker, options: CallOptions) => Promise<T>,
  ): Promise<readonly (readonly [AskedShard, T])[]> {
    const given = await Promise.all(
      this.#shards.map(async (shard): Promise<readonly [AskedShard, T] | MissingShard> => {
        const { asker } = shard;
        const startedAt = performance.now();
        const usedMs = this.#usedMs.get(shard) ?? 0;
        const late = AbortSignal.timeout(Math.ceil(Math.max(1, this.#timeoutMs - usedMs)));
        const signal = this.#signal ? AbortSignal.any([this.#signal, late]) : late;
        try {
          return [shard, await orAbort(use(asker, { signal }), signal)];
        } catch (cause) {
          this.#signal?.throwIfAborted();
          const error = late.aborted ? isLate(this.#timeoutMs) : cause;
          if (!(error instanceof IbidError) || isOfCaller(error)) throw error;
          return { name: asker.name, error };
        } finally {
          this.#usedMs.set(shard, usedMs + performance.now() - startedAt);
        }
      }),
    );
    const replies = given.flatMap((one) => ('error' in one ? [] : [one]));
    const failed = given.flatMap((one) => ('error' in one ? [one] : []));
    if (replies.length === 0 && failed[0]) throw failed[0].error;
    this.missing.push(...failed);
    this.#shards = replies.map(([shard]) => shard);
    return replies;
  }
}

/** Settles at the latest with the signal, whether the work heeds it or not. */
async function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function isLate(ms: number): IbidError {
  return new IbidError('TIMEOUT', `it gave no answer within ${ms} ms`);
}

/** Every shard would say the same. */
function isOfCaller({ code }: IbidError): boolean {
  return code === 'INVALID_FILTER' || code === 'INVALID_ARGUMENT';
}

function sumOfTotals(all: readonly (readonly [AskedShard, CollectionTotals])[]): CollectionTotals {
  const sum = (name: keyof CollectionTotals): number => all.reduce((total, [, one]) => total + one[name], 0);
  return {
    liveRows: sum('liveRows'),
    text: sum('text'),
    title: sum('title'),
    headings: sum('headings'),
    body: sum('body'),
    window: sum('window'),
    wholes: sum('wholes'),
  };
}

/** A term with its counts over all shards. */
interface SharedTerm extends FoundTerm, TermCounts, Pick<NamedWords, 'words'> {
  readonly windowIdf: number;
}

function lookUp(
  round: ShardRound,
  { liveRows }: CollectionTotals,
  query: AnalysedQuery,
  signal: AbortSignal | undefined,
): ReturnType<typeof searchedTerms<SharedTerm>> {
  const find = async (terms: readonly NamedWords[]): Promise<readonly SharedTerm[]> => {
    if (terms.length === 0) return [];
    const request = { terms };
    const replies = await round.ask((asker, call) => asker.terms(request, call));
    return terms.map(({ name, words }, t) => {
      const sum = (of: keyof FoundCounts): number => replies.reduce((total, [, counts]) => total + counts[t]![of], 0);
      const counts = { containing: sum('containing'), anywhere: sum('anywhere'), windows: sum('windows') };
      return { term: name, words, rows: sum('rows'), ...counts, ...rarityOf(liveRows, counts) };
    });
  };
  const vocabulary: Vocabulary<SharedTerm> = {
    isRestricted: false,
    find: (terms) => find(terms.map((term) => ({ name: term, words: [term] }))),
    findAny: find,
    async termsFrom(start, mostBlocks) {
      const all = new Map<string, number>();
      const request = { start, mostBlocks };
      for (const [, found] of await round.ask((asker, call) => asker.dictionary(request, call))) {
        if (!found) return undefined;
        for (const [term, count] of found) all.set(term, (all.get(term) ?? 0) + count);
      }
      return all;
    },
  };
  return searchedTerms(vocabulary, query, signal);
}
