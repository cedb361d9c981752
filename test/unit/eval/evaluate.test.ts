import { describe, expect, it } from 'vitest';
import {
  defaultMetrics,
  evaluateRun,
  judgedQueryIds,
  type MetricName,
  withoutIdenticalIds,
} from '../../../src/eval/evaluate.ts';
import { seededRandom } from '../../../src/eval/statistics.ts';

const qrels = new Map([
  ['q1', new Map([['a', 1]])],
  [
    'q2',
    new Map([
      ['b', 2],
      ['c', 1],
    ]),
  ],
  ['none', new Map([['a', 0]])],
  ['missing', new Map([['c', 1]])],
]);

describe('evaluateRun', () => {
  const run = new Map([
    ['q1', ['x', 'a']],
    ['q2', ['b']],
    ['none', ['a']],
    ['unjudged', ['a', 'a']],
  ]);

  it('averages over the queries that have something relevant, a missing one counting 0', () => {
    const { queries, queryIds, metrics, perQuery } = evaluateRun(qrels, run, [
      'MRR@10',
      'recall@10',
      'nDCG@10',
      'MAP',
      'precision@1',
    ]);
    expect(queries).toBe(3);
    expect(queryIds).toEqual(['q1', 'q2', 'missing']);
    expect(perQuery['MRR@10']).toEqual([1 / 2, 1, 0]);
    expect(metrics['MRR@10']).toBeCloseTo((1 / 2 + 1 + 0) / 3, 12);
    expect(metrics['recall@10']).toBeCloseTo((1 + 1 / 2 + 0) / 3, 12);
    expect(metrics['nDCG@10']).toBeCloseTo((1 / Math.log2(3) + 2 / (2 + 1 / Math.log2(3)) + 0) / 3, 12);
    expect(metrics.MAP).toBeCloseTo((1 / 2 + 1 / 2 + 0) / 3, 12);
    expect(metrics['precision@1']).toBeCloseTo((0 + 1 + 0) / 3, 12);
  });

  it('reports the metrics of the command line by default', () => {
    expect(Object.keys(evaluateRun(qrels, run).metrics)).toEqual([...defaultMetrics]);
    expect(defaultMetrics).toEqual(['nDCG@10', 'recall@10', 'recall@20', 'recall@100', 'MRR@10', 'MAP']);
  });

  it('names the query whose ranking holds a document twice', () => {
    expect(() => evaluateRun(qrels, new Map([['q2', ['b', 'b']]]))).toThrow(/query "q2".*"b" twice/);
  });

  it('refuses to score when nothing can be scored', () => {
    expect(() => evaluateRun(new Map([['q', new Map([['a', 0]])]]), new Map())).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    );
  });

  it.each(['nDCG@0', 'ndcg@10', 'nDCG', 'recall@1.5', 'MAP@10', 'F1@3'])('does not know the metric %s', (name) => {
    // on purpose not a MetricName
    expect(() => evaluateRun(qrels, run, [name as MetricName])).toThrow(/is not a metric/);
  });

  it('control: a shuffled ranking scores far below the ideal one', () => {
    const random = seededRandom(7);
    const ids = Array.from({ length: 200 }, (_, i) => `d${i}`);
    const judged = new Map(Array.from({ length: 50 }, (_, q) => [`q${q}`, new Map([[`d${q}`, 1]])] as const));
    const ideal = new Map(
      [...judged.keys()].map((q, i) => [q, [`d${i}`, ...ids.filter((id) => id !== `d${i}`)]] as const),
    );
    const shuffled = new Map(
      [...judged.keys()].map(
        (q) =>
          [
            q,
            ids
              .map((id) => [random(), id] as const)
              .sort((a, b) => a[0] - b[0])
              .map(([, id]) => id),
          ] as const,
      ),
    );
    expect(evaluateRun(judged, ideal).metrics['nDCG@10']).toBe(1);
    expect(evaluateRun(judged, shuffled).metrics['nDCG@10']).toBeLessThan(0.15); // expected: 10/200 × mean discount ≈ 0.02
  });

  it('withoutIdenticalIds drops the query itself from its ranking and nothing else', () => {
    expect(
      withoutIdenticalIds(
        new Map([
          ['a', ['a', 'b']],
          ['b', ['a', 'c']],
        ]),
      ),
    ).toEqual(
      new Map([
        ['a', ['b']],
        ['b', ['a', 'c']],
      ]),
    );
  });

  it('judgedQueryIds leaves out queries without a positive judgement', () => {
    expect(judgedQueryIds(qrels)).toEqual(['q1', 'q2', 'missing']);
  });
});
