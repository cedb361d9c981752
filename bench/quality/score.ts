/** From rankings to figures with intervals, and from two variants to a comparison. */
import { evaluateRun, type MetricName, type Qrels, type Run } from '../../src/eval.ts';
import { bootstrapInterval, comparePaired } from '../../src/internal.ts';
import type { Mean, QualityComparison, QualityVariant, VariantFamily } from '../support/run-file.ts';

/** MAP is of the first `runDepth` places. */
const metrics: readonly MetricName[] = ['nDCG@10', 'recall@10', 'recall@20', 'recall@100', 'MRR@10', 'MAP'];
/** How deep every ranking goes. */
export const runDepth = 100;
/** What two variants are tested on; the other metrics say the same, more noisily. */
const comparedMetrics: readonly string[] = ['nDCG@10', 'recall@10', 'recall@100', 'evidence@1000t'];

export function scoreVariant(
  name: string,
  family: VariantFamily,
  qrels: Qrels,
  run: Run,
  msPerQuery?: number,
  /** Values of further metrics, by query id; a query without one counts 0. */
  more: Readonly<Record<string, ReadonlyMap<string, number>>> = {},
): QualityVariant {
  const scored = evaluateRun(qrels, run, metrics);
  const perQuery: Record<string, readonly number[]> = { ...scored.perQuery };
  for (const [metric, values] of Object.entries(more))
    perQuery[metric] = scored.queryIds.map((id) => values.get(id) ?? 0);
  return {
    name,
    family,
    metrics: Object.fromEntries(Object.entries(perQuery).map(([metric, values]) => [metric, meanOf(values)])),
    perQuery,
    ...(msPerQuery !== undefined && { msPerQuery }),
  };
}

export function meanOf(values: readonly number[], seed = 1): Mean {
  const { mean, low, high } = bootstrapInterval(values, { seed });
  return { mean, low, high };
}

/** Positive: `other` is better. */
export function compareVariants(base: QualityVariant, other: QualityVariant, seed = 1): QualityComparison[] {
  return comparedMetrics.flatMap((metric) => {
    const a = base.perQuery[metric];
    const b = other.perQuery[metric];
    if (a === undefined || b === undefined) return [];
    const { low, high } = bootstrapInterval(
      b.map((value, i) => value - a[i]!),
      { seed },
    );
    const { difference, pValue } = comparePaired(a, b, { seed });
    return [{ metric, base: base.name, other: other.name, difference, low, high, pValue }];
  });
}
