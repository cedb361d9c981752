import { wholeOf, wordOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { yieldToEventLoop } from '../core/event-loop.ts';
import type { SearchMode } from '../core/report.ts';
import type { CallOptions, Contribution, Hit, StoredChunk } from '../core/types.ts';
import type { Embedder } from '../embed/contract.ts';
import type { MissingShard, RowSet, Snapshot } from '../store/contract.ts';
import { type AnalysedQuery, analyseQuery } from '../text/analysis/query.ts';
import { calibrateScore } from './calibrate-score.ts';
import { type Candidates, generateCandidates } from './candidates.ts';
import { type AnalysedChunk, ChunkCache } from './chunk-cache.ts';
import { correctedQuery } from './corrected-query.ts';
import { claimsOf, DuplicateFilter } from './duplicates.ts';
import { withoutExcluded } from './excluded.ts';
import { cheapFeatures, type Features, fuse } from './fuse.ts';
import { GramFrequencies } from './gram-frequencies.ts';
import { openingOf } from './opening.ts';
import { predictorsOf, type QueryPredictors } from './query-predictors.ts';
import { textFeatures } from './text-features.ts';
import { topIndices } from './top.ts';
import { defaultWeights, type FeatureName, resolveTuning, type Tuning, type Weights } from './tuning.ts';

export interface SearchOptions extends CallOptions, Tuning {
  /** @default 'hybrid', which is 'lexical' without an embedder */
  readonly mode?: SearchMode | undefined;
  /**
   * How many hits come back at most, at least 1. There are no more than the candidates of all lists: raise `candidates`
   * for more. @default 10
   */
  readonly limit?: number | undefined;
  /** SQL over `uri`, `title`, `format`, `position`, `metadata.…`; only rows that pass are looked at. */
  readonly where?: string | undefined;
  /** Fills each hit's trace; its contributions sum to the score before calibration. @default false */
  readonly explain?: boolean | undefined;
  /** How many chunks of the same document come along on each side of a hit. @default 0 */
  readonly neighbours?: number | undefined;
  /** How many first chunks of the document that the query names come behind the hits, beyond `limit`. @default 0 */
  readonly opening?: number | undefined;
  /**
   * How many copies of hits come behind the hits, beyond `limit`, that stand in other documents and have other figures or
   * names, or one no more or less: versions of a text that may contradict it. @default 0
   */
  readonly variants?: number | undefined;
  /** Leaves out hits whose text all but repeats a better one's. @default true */
  readonly distinct?: boolean | undefined;
}

/** A hit, with what stands before and after it where that was asked for. */
export interface SearchHit extends Hit {
  /** The chunks before and after the hit in its document, in order; only when `neighbours` asked for them. */
  readonly before?: readonly StoredChunk[];
  readonly after?: readonly StoredChunk[];
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** Number of hits at the end of the list that came along, as variants or as an opening. */
  readonly along: number;
  readonly predictors: QueryPredictors;
  /** The query with other words in place of those that the index does not hold; absent where it holds each. */
  readonly corrected?: string | undefined;
  /** Shards that did not answer; absent where all did. */
  readonly missing?: readonly MissingShard[] | undefined;
}

/** @throws IbidError INVALID_ARGUMENT, INVALID_FILTER */
export async function search(
  snapshot: Snapshot,
  embedder: Embedder | undefined,
  query: string,
  options: SearchOptions = {},
): Promise<readonly SearchHit[]> {
  return (await searchWithPredictors(snapshot, embedder, query, options)).hits;
}

/** Searches a snapshot in place of the calling thread. */
export interface Searcher {
  search(
    snapshot: Snapshot,
    embedder: Embedder | undefined,
    query: string,
    options?: SearchOptions,
  ): Promise<SearchResult>;
}

/** A search among rows that were chosen before. */
interface RowSearchOptions extends SearchOptions {
  /** Only these rows, instead of those of `where`. */
  readonly within?: RowSet | undefined;
}

/** As `search`, with the predictors of how well the index knows the subject of the query. */
export async function searchWithPredictors(
  snapshot: Snapshot,
  embedder: Embedder | undefined,
  query: string,
  options: RowSearchOptions = {},
): Promise<SearchResult> {
  const resolved = resolveSearchOptions(options, embedder);
  const { mode, where, signal, candidates: counts } = resolved;
  const analysed = analyseQuery(query);
  const within = await withoutExcluded(
    snapshot,
    analysed.excluded,
    options.within ?? (where === undefined ? undefined : await snapshot.filter(where)),
    options,
  );
  const candidates = await generateCandidates(snapshot, embedder, analysed, { mode, within, counts, signal });
  return await rankCandidates(snapshot, query, analysed, candidates, { ...resolved, within });
}

/** The ranking of candidates, whose texts are read from the snapshot, and the hits that are shown. */
export async function rankCandidates(
  snapshot: Snapshot,
  query: string,
  analysed: AnalysedQuery,
  candidates: Candidates,
  resolved: ResolvedSearch & Pick<RowSearchOptions, 'within'>,
): Promise<SearchResult> {
  const {
    mode,
    limit,
    explain,
    neighbours,
    opening,
    variants,
    distinct,
    signal,
    within,
    candidates: counts,
  } = resolved;
  const cache = ChunkCache.of(snapshot);
  const weights = mode === 'dense' ? onlyCosine : resolved.weights;
  const cheap = mode === 'dense' ? denseFeature(candidates) : cheapFeatures(candidates);
  let fused = fuse(candidates, cheap, weights, analysed.asks);
  let ranking = rank(fused.scores);
  if (mode !== 'dense' && ranking.length > 0) {
    const picked = ranking.slice(0, counts.read);
    const [chunks, frequencies] = await Promise.all([
      cache.get(picked.map((i) => candidates.ordinals[i]!)),
      GramFrequencies.of(snapshot),
    ]);
    await yieldToEventLoop();
    signal?.throwIfAborted();
    const read = textFeatures(candidates, analysed, frequencies, picked, chunks);
    fused = fuse(candidates, { ...cheap, ...read }, weights, analysed.asks);
    const { scores } = fused;
    // who was read stays ahead of who was not: the others lack features
    ranking = [
      ...picked.sort((a, b) => scores[b]! - scores[a]! || a - b),
      ...(limit < counts.read ? ranking.slice(counts.read) : unread(candidates, ranking.slice(counts.read))),
    ];
  }
  const { scores, features } = fused;
  const predictors = predictorsOf(candidates, ranking[0]);
  const { chosen, copies } = await choose(cache, candidates, ranking, limit, distinct);
  signal?.throwIfAborted();
  const scale = mode === 'dense' ? 1 : calibrateScore(predictors) / (scores[ranking[0] ?? 0] || 1);
  const shown = shownScores(chosen, scores, scale);
  const hits = chosen.map(
    ({ index, chunk }, i): SearchHit => ({
      chunk: chunk.chunk,
      score: shown[i]!,
      origin: 'local',
      trace: explain ? traceOf(features, weights, ranking, index) : [],
    }),
  );
  for (const { chunk } of variantsOf(chosen, copies, variants))
    hits.push({ chunk, score: hits.at(-1)!.score, origin: 'local', trace: [] });
  if (opening > 0) {
    const found = chosen.map(({ index, chunk }) => ({ ordinal: candidates.ordinals[index]!, chunk }));
    const first = await openingOf(snapshot, cache, found, analysed.tokens, { count: opening, within });
    for (const chunk of first) hits.push({ chunk, score: hits.at(-1)!.score, origin: 'local', trace: [] });
  }
  const { corrections } = candidates;
  const texts = chosen.flatMap(({ chunk: { chunk } }) => [chunk.title, ...chunk.headings, chunk.text]);
  const corrected = corrections.length === 0 ? undefined : correctedQuery(query, corrections, texts);
  const along = hits.length - chosen.length;
  if (neighbours === 0) return { hits, along, predictors, corrected };
  const near = await Promise.all(
    chosen.map(({ index }) => around(snapshot, cache, candidates.ordinals[index]!, neighbours)),
  );
  return { hits: hits.map((hit, i) => ({ ...hit, ...near[i]! })), along, predictors, corrected };
}

/** The options of a search, checked and filled. */
export interface ResolvedSearch extends ReturnType<typeof resolveTuning> {
  readonly mode: SearchMode;
  readonly limit: number;
  readonly neighbours: number;
  readonly opening: number;
  readonly variants: number;
  readonly where: string | undefined;
  readonly explain: boolean;
  readonly distinct: boolean;
  readonly signal: AbortSignal | undefined;
}

/** @throws IbidError INVALID_ARGUMENT */
export function resolveSearchOptions(options: SearchOptions, embedder: Embedder | undefined): ResolvedSearch {
  const {
    limit = 10,
    neighbours = 0,
    opening = 0,
    variants = 0,
    where,
    explain = false,
    distinct = true,
    signal,
  } = options;
  const mode = options.mode ?? (embedder === undefined ? 'lexical' : 'hybrid');
  wordOf(mode, 'mode', ['hybrid', 'lexical', 'dense']);
  wholeOf(limit, 'limit', 1);
  for (const [name, count] of Object.entries({ neighbours, opening, variants })) wholeOf(count, name, 0);
  if (mode === 'dense' && embedder === undefined) {
    throw new IbidError('INVALID_ARGUMENT', 'dense search needs an embedder', { hint: 'Use mode "lexical".' });
  }
  return { mode, limit, neighbours, opening, variants, where, explain, distinct, signal, ...resolveTuning(options) };
}

const onlyCosine: Weights = {
  // all names are there
  ...(Object.fromEntries(Object.keys(defaultWeights).map((name) => [name, 0])) as Record<FeatureName, number>),
  cosine: 1,
};

/** Alone, the cosine is the score, and stays what it is. */
function denseFeature({ cosine }: Candidates): Features {
  return cosine === undefined ? {} : { cosine };
}

function rank(scores: Float64Array): number[] {
  return topIndices(scores, scores.length, scores.length, Number.NEGATIVE_INFINITY);
}

/** In [0, 1], never rising: of those not read, a score may be above one that was. */
function shownScores(chosen: readonly { readonly index: number }[], scores: Float64Array, scale: number): number[] {
  let lowest = 1;
  return chosen.map(({ index }) => {
    lowest = Math.min(lowest, Math.max(0, scores[index]! * scale));
    return lowest;
  });
}

/** Reciprocal ranks count from here (Cormack, Clarke & Büttcher 2009, doi:10.1145/1571941.1572114). */
const RANK_OFFSET = 60;

/**
 * What is left behind the best is there to be complete: what words or vectors rank high comes first, whichever of them.
 * Their scores would let the words alone decide.
 */
function unread({ body, cosine }: Candidates, ranking: readonly number[]): readonly number[] {
  if (cosine === undefined || ranking.length === 0) return ranking;
  const merged = new Float64Array(body.length);
  for (const list of [body, cosine])
    topIndices(list, list.length, list.length, 0).forEach((i, place) => {
      merged[i]! += 1 / (RANK_OFFSET + place);
    });
  return ranking.toSorted((a, b) => merged[b]! - merged[a]! || a - b);
}

interface Chosen {
  readonly index: number;
  readonly chunk: AnalysedChunk;
}

/** The first `limit` of the ranking, copies left out where asked. */
async function choose(
  cache: ChunkCache,
  { ordinals }: Candidates,
  ranking: readonly number[],
  limit: number,
  distinct: boolean,
): Promise<{ readonly chosen: readonly Chosen[]; readonly copies: readonly AnalysedChunk[] }> {
  const chosen: Chosen[] = [];
  const copies: AnalysedChunk[] = [];
  const filter = new DuplicateFilter();
  for (let from = 0; from < ranking.length && chosen.length < limit; ) {
    const next = ranking.slice(from, from + limit - chosen.length);
    from += next.length;
    const chunks = await cache.get(next.map((i) => ordinals[i]!));
    next.forEach((index, i) => {
      if (!distinct || !filter.isCopy(chunks[i]!.text, chunks[i]!.chunk.text))
        chosen.push({ index, chunk: chunks[i]! });
      else copies.push(chunks[i]!);
    });
  }
  return { chosen, copies };
}

/** The first copies in documents that are not shown, each of which may contradict those before. */
function variantsOf(
  chosen: readonly Chosen[],
  copies: readonly AnalysedChunk[],
  most: number,
): readonly AnalysedChunk[] {
  if (most === 0) return [];
  const claims = ({ chunk }: AnalysedChunk): string => claimsOf(chunk.text);
  const uris = new Set(chosen.map(({ chunk }) => chunk.chunk.uri));
  const known = new Set(chosen.map(({ chunk }) => claims(chunk)));
  const variants: AnalysedChunk[] = [];
  for (const copy of copies) {
    if (variants.length === most) break;
    if (uris.has(copy.chunk.uri) || known.has(claims(copy))) continue;
    uris.add(copy.chunk.uri);
    known.add(claims(copy));
    variants.push(copy);
  }
  return variants;
}

function traceOf(features: Features, weights: Weights, ranking: readonly number[], index: number): Contribution[] {
  return (Object.entries(features) as [FeatureName, Float64Array][]).map(([list, values]) => {
    const value = values[index]!;
    const better = ranking.reduce((count, other) => count + (values[other]! > value ? 1 : 0), 0);
    return { list, rank: better + 1, value, weight: weights[list] };
  });
}

async function around(
  snapshot: Snapshot,
  cache: ChunkCache,
  ordinal: number,
  count: number,
): Promise<{ before: StoredChunk[]; after: StoredChunk[] }> {
  const [first, end] = snapshot.documentRange(ordinal);
  const rows = (from: number, to: number): number[] =>
    Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  const before = await cache.get(rows(Math.max(first, ordinal - count), ordinal));
  const after = await cache.get(rows(ordinal + 1, Math.min(end, ordinal + 1 + count)));
  return { before: before.map(({ chunk }) => chunk), after: after.map(({ chunk }) => chunk) };
}
