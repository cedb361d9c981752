import type { Candidates } from './candidates.ts';
import { K1 } from './lexical-scores.ts';

/**
 * Query performance predictors: how well the index knows the subject of a query, whichever hit is best. All but `terms`
 * lie in [0, 1].
 */
export interface QueryPredictors {
  /** Distinct terms of the query. */
  readonly terms: number;
  /** Share of the query's weight that terms make up which no live row holds. */
  readonly unknown: number;
  /** Best BM25 score as a share of its bound. */
  readonly strength: number;
  /** Best share of the query's weight whose terms one chunk holds in title, headings or text. */
  readonly coverage: number;
  /** The same for the first hit. */
  readonly firstCoverage: number;
}

/** @param first index of the best candidate; undefined without any */
export function predictorsOf(candidates: Candidates, first: number | undefined): QueryPredictors {
  const { terms, queryWeight, coverage } = candidates;
  const unknown = terms.reduce((sum, { rows, count, idf }) => sum + (rows === 0 ? count * idf : 0), 0);
  return {
    terms: terms.length,
    unknown: queryWeight === 0 ? 0 : unknown / queryWeight,
    strength: queryWeight === 0 ? 0 : greatest(candidates.body) / (queryWeight * (K1 + 1)),
    coverage: Math.min(1, greatest(coverage)),
    firstCoverage: first === undefined ? 0 : Math.min(1, coverage[first]!),
  };
}

function greatest(values: Float64Array): number {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most;
}
