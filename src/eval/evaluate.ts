import { listOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { averagePrecision, type Grades, ndcg, precision, recall, reciprocalRank } from './metrics.ts';
import { mean } from './summary.ts';

/** Query id → document id → grade. */
export type Qrels = ReadonlyMap<string, Grades>;
/** Query id → document ids, best first, no duplicates. */
export type Run = ReadonlyMap<string, readonly string[]>;

/** `nDCG@k`, `recall@k`, `precision@k`, `MRR@k` with a positive integer `k`, or `MAP`. */
export type MetricName = `${'nDCG' | 'recall' | 'precision' | 'MRR'}@${number}` | 'MAP';

/** What `ibid eval` prints. */
export const defaultMetrics: readonly MetricName[] = [
  'nDCG@10',
  'recall@10',
  'recall@20',
  'recall@100',
  'MRR@10',
  'MAP',
];

/** Scores of one run of queries. */
export interface Evaluation {
  /** How many queries were scored: those with at least one positive judgement. */
  readonly queries: number;
  /** Mean of each metric over the scored queries, in [0, 1]. */
  readonly metrics: Readonly<Record<string, number>>;
  /** Metric → one value per scored query, ordered as `queryIds`: for intervals and paired tests. */
  readonly perQuery: Readonly<Record<string, readonly number[]>>;
  readonly queryIds: readonly string[];
}

/**
 * Scores a run. Queries without a positive judgement are left out; a judged query missing from the run counts 0;
 * queries of the run that nobody judged are ignored.
 * @param run as deep as the deepest cut-off; MAP looks at all of it
 * @throws IbidError INVALID_ARGUMENT when a ranking holds a document twice, a metric is unknown, or nothing can be
 * scored
 */
export function evaluateRun(qrels: Qrels, run: Run, metrics: readonly MetricName[] = defaultMetrics): Evaluation {
  for (const map of [qrels, run])
    if (!(map instanceof Map))
      throw new IbidError('INVALID_ARGUMENT', 'judgements and a run must be maps', { hint: 'By the id of a query.' });
  const measures = listOf(metrics, 'metrics').map((name) => [name, parseMetric(name)] as const);
  const queryIds = judgedQueryIds(qrels);
  if (queryIds.length === 0) throw nothingToScore();
  const means: Record<string, number> = {};
  const perQuery: Record<string, readonly number[]> = {};
  for (const [name, measure] of measures) {
    const values = queryIds.map((id) => {
      try {
        return measure(run.get(id) ?? [], qrels.get(id)!)!; // judgedQueryIds: judged, with something relevant
      } catch (cause) {
        if (!(cause instanceof IbidError)) throw cause;
        throw new IbidError(cause.code, `query "${id}": ${cause.message}`, { cause });
      }
    });
    perQuery[name] = values;
    means[name] = mean(values);
  }
  return { queries: queryIds.length, metrics: means, perQuery, queryIds };
}

/**
 * The run without documents whose id is the query's own. Collections whose queries stand in the corpus themselves
 * (ArguAna, Quora) are scored this way in BEIR; fetch one hit more than the deepest cut-off.
 * @param queryIds only these queries; absent: all. Where both are merely numbered from 1, equal ids mean nothing.
 */
export function withoutIdenticalIds(run: Run, queryIds?: ReadonlySet<string>): Run {
  return new Map(
    [...run].map(([queryId, ranking]) => [
      queryId,
      queryIds?.has(queryId) === false ? ranking : ranking.filter((id) => id !== queryId),
    ]),
  );
}

export function nothingToScore(): IbidError {
  return new IbidError('INVALID_ARGUMENT', 'no query has a positive judgement, so there is nothing to score');
}

/** Ids of the queries that have a positive judgement, in qrels order. */
export function judgedQueryIds(qrels: Qrels): string[] {
  return [...qrels].filter(([, grades]) => [...grades.values()].some((grade) => grade > 0)).map(([id]) => id);
}

type Measure = (ranking: readonly string[], grades: Grades) => number | undefined;

const cutoffMeasures = { nDCG: ndcg, recall, precision, MRR: reciprocalRank } as const;

function parseMetric(name: string): Measure {
  if (name === 'MAP') return averagePrecision;
  const match = /^(nDCG|recall|precision|MRR)@([1-9]\d*)$/.exec(name);
  if (!match) {
    throw new IbidError('INVALID_ARGUMENT', `"${name}" is not a metric`, {
      hint: 'Use nDCG@k, recall@k, precision@k or MRR@k with a positive k, or MAP.',
    });
  }
  // the expression lets only these four through
  const measure = cutoffMeasures[match[1] as keyof typeof cutoffMeasures];
  return (ranking, grades) => measure(ranking, grades, Number(match[2]));
}
