import { describe, expect, it } from 'vitest';
import {
  collectionOf,
  comparedTimes,
  controls,
  measuredSynthetic,
  syntheticCollection,
  timed,
} from '../../bench/quality/control-suite.ts';
import { controlFaults, leakSigns } from '../../bench/quality/controls.ts';
import { scoreVariant } from '../../bench/quality/score.ts';

describe('controls that must fail', () => {
  it.each(controls)(
    '$name: noticed',
    async ({ notice }) => {
      expect(await notice()).toEqual(expect.any(String));
    },
    180_000,
  );
});

describe('what is honest passes', () => {
  it('an honest collection has no leaks and its variants no faults', async () => {
    const collection = syntheticCollection();
    const texts = new Map(
      collection.documents
        .flatMap(({ chunks }) => chunks.map(({ text }) => text))
        .map((text, i) => [collection.ids[i]!, text]),
    );
    const measured = await measuredSynthetic();
    expect(leakSigns(collection.queries, collection.qrels, texts)).toEqual([]);
    expect(controlFaults(measured)).toEqual([]);
    // and the queries can be answered, or the controls would prove nothing
    expect(measured.variants.find(({ name }) => name === 'hybrid')!.metrics['nDCG@10']!.mean).toBeGreaterThan(0.5);
  }, 180_000);

  it('the same work in both kinds of rounds is not told apart', async () => {
    let sum = 0;
    const { honest, slowed } = await timed(
      Array.from({ length: 12 }),
      async () => {
        for (let i = 0; i < 50_000; i++) sum += Math.sqrt(i);
      },
      { slow: false },
    );
    expect(sum).toBeGreaterThan(0);
    expect(comparedTimes(honest, slowed).verdict).toBe('noise');
  });

  it('a few queries that quote their document, as claims do, are no leak', () => {
    const queries = Array.from({ length: 30 }, (_, i) => ({
      id: `query-${i}`,
      text: `which of the five words number ${i}`,
    }));
    const qrels = new Map(queries.map(({ id }, i) => [id, new Map([[`d${i}`, 1]])]));
    const texts = new Map(queries.map(({ text }, i) => [`d${i}`, i < 3 ? `… ${text} …` : 'something else']));
    expect(leakSigns(queries, qrels, texts)).toEqual([]);
    texts.set('d3', `… ${queries[3]!.text} …`);
    expect(leakSigns(queries, qrels, texts)).toEqual([expect.stringContaining('4 of 30')]);
  });

  it('a perfect score on a handful of queries raises no suspicion', () => {
    const qrels = new Map([['q', new Map([['d', 1]])]]);
    const variant = scoreVariant('hybrid', 'main', qrels, new Map([['q', ['d']]]));
    expect(controlFaults(collectionOf(['q'], [variant]))).toEqual([]);
  });
});
