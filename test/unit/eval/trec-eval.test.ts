/**
 * The metrics against what trec_eval itself prints for its own test data.
 *
 * Where the figures come from: github.com/usnistgov/trec_eval of NIST, folder `test/`. Topic 302 of its test run is
 * there in full (`qrels-302.test`, `results-302.test`): below are the ranks of its relevant documents, and what
 * `out.test.aq` (commit 54a70fb) prints. Topic 303 of the shortened run follows from what `out.test.aqc` prints:
 * `relstring` gives the first ten places, the interpolated precisions 0.3846 = 5/13 and 0.3333 = 6/18 give the fifth
 * and sixth relevant rank. Of topic 301 `relstring` gives the first ten places. trec_eval prints four decimals, so a
 * figure agrees when it is within half of the last one.
 *
 * All of these topics are judged relevant or not. For grades the published example is that of the encyclopaedia article
 * "Discounted cumulative gain" (en.wikipedia.org), which goes through the same definition with its sums to three
 * decimals. A second implementation to compare with was looked for on npm (2026-11): there is none of these metrics
 * over qrels and runs; `metrics.test.ts` has one of its own.
 */
import { describe, expect, it } from 'vitest';
import { evaluateRun, type MetricName } from '../../../src/eval/evaluate.ts';

interface Topic {
  readonly id: string;
  /** Relevant documents, found or not. */
  readonly relevant: number;
  readonly retrieved: number;
  readonly ranks: readonly number[];
}

const topic302: Topic = {
  id: '302',
  relevant: 77,
  retrieved: 500,
  ranks: [
    1, 2, 4, 5, 6, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 24, 27, 28, 30, 31, 34, 36, 37, 39, 42, 43, 44, 47,
    48, 49, 50, 51, 53, 56, 58, 72, 79, 82, 84, 116, 154, 289, 301, 331, 353, 394, 458,
  ],
};
const topic303: Topic = { id: '303', relevant: 10, retrieved: 84, ranks: [3, 4, 5, 7, 13, 18] };
/** Only its first ten places are published. */
const topic301: Topic = { id: '301', relevant: 474, retrieved: 10, ranks: [6, 7] };

/**
 * A ranking with relevant documents at those ranks, judged documents that were not found, and some judged not relevant.
 */
function built(topics: readonly Topic[]) {
  const qrels = new Map<string, Map<string, number>>();
  const run = new Map<string, string[]>();
  for (const { id, relevant, retrieved, ranks } of topics) {
    const places = new Set(ranks);
    const ranking = Array.from(
      { length: retrieved },
      (_, i) => `${id}-${places.has(i + 1) ? 'good' : 'other'}-${i + 1}`,
    );
    const grades = new Map(ranking.filter((name) => name.includes('good')).map((name) => [name, 1]));
    for (let i = grades.size; i < relevant; i++) grades.set(`${id}-missed-${i}`, 1);
    for (const name of ranking.slice(0, 30)) if (name.includes('other')) grades.set(name, 0);
    qrels.set(id, grades);
    run.set(id, ranking);
  }
  return { qrels, run };
}

const printed = 0.00005;
function expectPrinted(value: number | undefined, figure: number, what: string): void {
  expect(
    Math.abs((value ?? Number.NaN) - figure),
    `${what}: ${value} against the printed ${figure}`,
  ).toBeLessThanOrEqual(printed + 1e-9);
}

describe('what trec_eval prints for its own test data', () => {
  it('the ranks are those of the published run: 50 found, and P_5 to P_500 as printed', () => {
    expect(topic302.ranks).toHaveLength(50);
    const within = (k: number): number => topic302.ranks.filter((rank) => rank <= k).length / k;
    for (const [k, figure] of [
      [5, 0.8],
      [10, 0.7],
      [15, 0.8],
      [20, 0.8],
      [30, 0.7333],
      [100, 0.42],
      [200, 0.22],
      [500, 0.1],
    ] as const)
      expectPrinted(within(k), figure, `P_${k}`);
  });

  it.each<[MetricName, number]>([
    ['MAP', 0.4175],
    ['MRR@500', 1],
    ['nDCG@5', 0.8304],
    ['nDCG@10', 0.753],
    ['nDCG@15', 0.8085],
    ['nDCG@20', 0.8082],
    ['nDCG@30', 0.7604],
    ['nDCG@100', 0.6046],
    ['nDCG@200', 0.6209],
    ['nDCG@500', 0.6617],
    ['nDCG@1000', 0.6617],
    ['recall@5', 0.0519],
    ['recall@10', 0.0909],
    ['recall@20', 0.2078],
    ['recall@100', 0.5455],
    ['recall@1000', 0.6494],
    ['precision@10', 0.7],
    ['precision@30', 0.7333],
    ['precision@1000', 0.05],
  ])('topic 302, all 500 places: %s is %d', (metric, figure) => {
    const { qrels, run } = built([topic302]);
    expectPrinted(evaluateRun(qrels, run, [metric]).metrics[metric], figure, metric);
  });

  it.each<[MetricName, number]>([
    ['MAP', 0.2723],
    ['MRR@10', 0.3333],
    ['nDCG@5', 0.4469],
    ['nDCG@10', 0.3633],
    ['nDCG@15', 0.4211],
    ['nDCG@20', 0.473],
    ['nDCG@1000', 0.473],
    ['recall@5', 0.3],
    ['recall@10', 0.4],
    ['recall@15', 0.5],
    ['recall@100', 0.6],
    ['precision@20', 0.3],
    ['precision@1000', 0.006],
  ])('topic 303 of the shortened run: %s is %d', (metric, figure) => {
    const { qrels, run } = built([topic303]);
    expectPrinted(evaluateRun(qrels, run, [metric]).metrics[metric], figure, metric);
  });

  it('map_cut_k is MAP of the run cut at k, which is why a run must be as deep as the figure says', () => {
    for (const [k, figure] of [
      [5, 0.1433],
      [10, 0.2005],
      [15, 0.2389],
      [20, 0.2723],
    ] as const) {
      const { qrels, run } = built([{ ...topic303, retrieved: k, ranks: topic303.ranks.filter((rank) => rank <= k) }]);
      expectPrinted(evaluateRun(qrels, run, ['MAP']).metrics.MAP, figure, `map_cut_${k}`);
    }
  });

  it.each<[MetricName, number]>([
    ['nDCG@5', 0.149],
    ['nDCG@10', 0.1717],
    ['MRR@10', 0.1667],
    ['recall@5', 0.1],
    ['recall@10', 0.1347],
    ['precision@5', 0.2],
    ['precision@10', 0.2],
  ])('with -c a judged topic missing from the run counts 0: mean of %s over three topics is %d', (metric, figure) => {
    const { qrels, run } = built([topic301, topic302, topic303]);
    run.delete('302');
    expect(evaluateRun(qrels, run, [metric]).queries).toBe(3);
    expectPrinted(evaluateRun(qrels, run, [metric]).metrics[metric], figure, metric);
  });
});

describe('graded judgements', () => {
  it('the published example: DCG 6.861 of an ideal 8.740, nDCG@6 0.785', () => {
    const found = [3, 2, 3, 0, 1, 2];
    const missed = [3, 2];
    const grades = new Map([...found, ...missed].map((grade, i) => [`D${i + 1}`, grade]));
    const run = new Map([['q', found.map((_, i) => `D${i + 1}`)]]);
    const value = evaluateRun(new Map([['q', grades]]), run, ['nDCG@6']).metrics['nDCG@6']!;
    expect(Math.abs(value - 6.861 / 8.74)).toBeLessThan(0.0002);
    expect(Math.abs(value - 0.785)).toBeLessThanOrEqual(0.0005);
    // the other definition in use, with gains of 2^grade − 1, gives another figure
    const exponential = (list: readonly number[]): number =>
      list.reduce((sum, grade, i) => sum + (2 ** grade - 1) / Math.log2(i + 2), 0);
    const other = exponential(found) / exponential([3, 3, 3, 2, 2, 2]);
    expect(Math.abs(value - other)).toBeGreaterThan(0.005);
  });
});
