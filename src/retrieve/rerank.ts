import { numberOf, wholeOf } from '../core/arguments.ts';
import { describePath } from '../core/describe-place.ts';
import { IbidError, isRefusal } from '../core/errors.ts';
import { affordable, Meter } from '../core/meter.ts';
import type { CallOptions, Hit } from '../core/types.ts';

/** A passage to be scored. */
export interface RerankPassage {
  readonly title: string;
  readonly text: string;
}

/** What a reranker says of the passages of one query. */
export interface RerankScores {
  /** One in [0, 1] for each passage, in their order: how well it answers the query. */
  readonly scores: readonly number[];
  /** 0 when they were known already. */
  readonly costUsd: number;
}

/** Scores a list of passages against a query, all in one call. */
export interface Reranker {
  readonly id: string;
  /** Most that a call could cost, 0 when its answer is known already; undefined without a price. */
  estimateUsd(query: string, passages: readonly RerankPassage[]): number | undefined;
  /** @throws IbidError what its service throws */
  score(query: string, passages: readonly RerankPassage[], options?: CallOptions): Promise<RerankScores>;
}

export interface RerankOptions extends CallOptions {
  /** Hits that are scored, from the first; those behind them stay where they are. @default 20 */
  readonly candidates?: number | undefined;
  /** Share of the reranker's score in the new one, in [0, 1]; the rest is the search's own. @default 0.5 */
  readonly trust?: number | undefined;
  readonly meter?: Meter | undefined;
}

interface Reranked<H extends Hit> {
  readonly hits: readonly H[];
  readonly costUsd: number;
  /** Why the hits are in the order they came in. */
  readonly error?: Error;
}

const CANDIDATES = 20;
/** Found by `bench/quality/rerank.ts`. */
const TRUST = 0.5;

/**
 * Orders hits by their own scores and the scores of a reranker together; equal ones keep their order. When the reranker
 * fails or the budget is too small, the hits come back as they were, with the error: a search without its best order is
 * still a search.
 * @throws IbidError INVALID_ARGUMENT, and the reason of the caller's abort
 */
export async function rerankHits<H extends Hit>(
  query: string,
  hits: readonly H[],
  reranker: Reranker,
  options: RerankOptions = {},
): Promise<Reranked<H>> {
  const { candidates = CANDIDATES, trust = TRUST, meter = new Meter(), signal, onSilence } = options;
  wholeOf(candidates, 'candidates', 1);
  numberOf(trust, 'trust', 0, 1);
  const scored = hits.slice(0, candidates);
  if (scored.length < 2) return { hits, costUsd: 0 };
  const passages = scored.map(({ chunk }) => ({
    title: describePath(chunk),
    text: chunk.text,
  }));
  const failed = (error: unknown): Reranked<H> => {
    signal?.throwIfAborted();
    if (!(error instanceof IbidError)) throw error;
    return { hits, costUsd: 0, error };
  };
  let estimate: number | undefined;
  try {
    estimate = reranker.estimateUsd(query, passages);
  } catch (error) {
    return failed(error);
  }
  const price = affordable(estimate, reranker.id, meter); // that a budget needs a price is the caller's mistake
  let spent: number | undefined;
  try {
    const reservation = meter.reserve(price);
    try {
      const { scores, costUsd } = await reranker.score(query, passages, { signal, onSilence });
      spent = costUsd;
      return { hits: inOrder(scored, blend(scored, scores, trust), hits.slice(candidates)), costUsd };
    } catch (error) {
      if (isRefusal(error)) reservation.cancel();
      throw error;
    } finally {
      // a call that failed may have been paid for, when what came back was not to be understood: never count too little
      reservation.settle(spent ?? price); // no effect when it is cancelled
    }
  } catch (error) {
    return failed(error);
  }
}

/**
 * A search whose first hits are reranked: it asks for as many hits as are scored, and gives back as many as are wanted.
 * @throws IbidError as `rerankHits` and `find`
 */
export async function searchReranked<H extends Hit>(
  query: string,
  limit: number,
  find: (limit: number) => Promise<readonly H[]>,
  reranker: Reranker,
  options: RerankOptions = {},
): Promise<Reranked<H>> {
  const hits = await find(Math.max(limit, options.candidates ?? CANDIDATES));
  const reranked = await rerankHits(query, hits, reranker, options);
  return { ...reranked, hits: reranked.hits.slice(0, limit) };
}

/**
 * Weighs the scores of the search with those of the reranker, on the scale of the search: scores stay near 0 where the
 * index knows nothing.
 */
function blend(hits: readonly Hit[], scores: readonly number[], trust: number): number[] {
  const best = hits[0]!.score;
  return scores.map((score, i) => trust * best * score + (1 - trust) * hits[i]!.score);
}

/** Scores of the hits behind are scaled to stay below. */
function inOrder<H extends Hit>(scored: readonly H[], scores: readonly number[], rest: readonly H[]): H[] {
  const order = scored.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const first = order.map((i, at): H => {
    const hit = scored[i]!;
    const value = scores[i]!;
    const trace = hit.trace.length === 0 ? [] : [{ list: 'rerank', rank: at + 1, value, weight: 1 }];
    return { ...hit, score: value, trace };
  });
  const lowest = Math.min(...scores);
  const best = rest[0]?.score ?? 0;
  const behind = rest.map((hit, i): H => {
    const score = best > 0 ? (lowest * Math.max(0, hit.score)) / best : 0;
    return {
      ...hit,
      score,
      trace: hit.trace.length === 0 ? [] : [{ list: 'rerank', rank: scored.length + i + 1, value: score, weight: 1 }],
    };
  });
  return [...first, ...behind];
}
