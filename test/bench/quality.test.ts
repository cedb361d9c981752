import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { evidenceWithin, unitsIn } from '../../bench/quality/chunk-variants.ts';
import { indexCollection, loadCollection } from '../../bench/quality/collections.ts';
import { syntheticCollection } from '../../bench/quality/control-suite.ts';
import { reciprocalRankFusion, weightedSum } from '../../bench/quality/fusion.ts';
import { fitSet, fitWeights } from '../../bench/quality/left-out.ts';
import { qualityChanges, sentenceOf } from '../../bench/quality/regressions.ts';
import { compareVariants, scoreVariant } from '../../bench/quality/score.ts';
import { measureCollection } from '../../bench/quality/variants.ts';
import { beginRun, type RunOf, readRunFile, writeRunFile } from '../../bench/support/run-file.ts';
import { type Stop, Stopped } from '../../bench/support/stop.ts';

const folder = mkdtempSync(join(tmpdir(), 'ibid-test-bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('fusion by hand', () => {
  const a = { rows: [1, 2, 3], scores: [10, 6, 2] };
  const b = { rows: [3, 4], scores: [0.9, 0.8] };

  it('reciprocal ranks: 1/61, 1/62, 1/63 + 1/61, 1/62', () => {
    // 3: 1/63 + 1/61 > 1: 1/61 > 2 = 4: 1/62, the tie by row
    expect(reciprocalRankFusion([a, b])).toEqual([3, 1, 2, 4]);
  });

  it('weighted sum over scores spread to [0, 1] in each list', () => {
    // list a: 1 → 1, 2 → 0.5, 3 → 0; list b: 3 → 1, 4 → 0
    expect(weightedSum([a, b], [0.5, 0.5])).toEqual([1, 3, 2, 4]);
    expect(weightedSum([a, b], [0.2, 0.8])).toEqual([3, 1, 2, 4]);
  });

  it('a list of equal scores says nothing but who is in it', () => {
    expect(weightedSum([{ rows: [5, 6], scores: [1, 1] }, b], [1, 1])).toEqual([3, 4, 5, 6]);
    expect(reciprocalRankFusion([])).toEqual([]);
  });
});

describe('chunks of another size, told in the given units', () => {
  const units = [
    { id: 'a', start: 0, end: 100 },
    { id: 'b', start: 100, end: 300 },
    { id: 'c', start: 300, end: 320 },
  ];

  it('a unit is named when half of it, or half of the chunk, is shared; the most shared first', () => {
    expect(unitsIn(units, { start: 40, end: 320 })).toEqual(['b', 'a', 'c']);
    expect(unitsIn(units, { start: 60, end: 160 })).toEqual(['b']); // 40 of a's 100, 60 of the chunk's 100
    expect(unitsIn(units, { start: 310, end: 320 })).toEqual(['c']);
    expect(unitsIn(units, { start: 320, end: 400 })).toEqual([]);
  });

  it('evidence within the budget: what does not fit ends it, other documents do not count', () => {
    const relevant = [{ document: 'd', start: 0, end: 100 }];
    const shown = [
      { document: 'd', start: 50, end: 90, tokens: 400 },
      { document: 'e', start: 0, end: 100, tokens: 300 },
      { document: 'd', start: 0, end: 50, tokens: 400 },
    ];
    expect(evidenceWithin(shown, relevant, 1000)).toBe(40 / 100);
    expect(evidenceWithin(shown, relevant, 1100)).toBe(90 / 100);
    expect(evidenceWithin([], relevant)).toBe(0);
    expect(evidenceWithin(shown, [])).toBe(0);
  });
});

describe('scores and comparisons', () => {
  const ids = Array.from({ length: 40 }, (_, i) => `q${i}`);
  const qrels = new Map(ids.map((id) => [id, new Map([[`${id}-good`, 1]])]));
  const at = (rank: number) =>
    new Map(ids.map((id) => [id, [...Array.from({ length: rank - 1 }, (_, i) => `${id}-${i}`), `${id}-good`]]));

  it('a query without a value of a further metric counts 0', () => {
    const { metrics } = scoreVariant('x', 'main', qrels, at(1), 3, { extra: new Map([['q0', 1]]) });
    expect(metrics['nDCG@10']!.mean).toBe(1);
    expect(metrics.extra!.mean).toBe(1 / 40);
  });

  it('the difference is other minus base, and its interval holds it', () => {
    const [ndcg] = compareVariants(scoreVariant('a', 'main', qrels, at(1)), scoreVariant('b', 'main', qrels, at(3)));
    expect(ndcg).toMatchObject({ metric: 'nDCG@10', base: 'a', other: 'b' });
    expect(ndcg!.difference).toBeCloseTo(1 / 2 - 1, 12); // 1 / log2(4) against 1 / log2(2)
    expect(ndcg!.low).toBeLessThanOrEqual(ndcg!.difference);
    expect(ndcg!.high).toBeGreaterThanOrEqual(ndcg!.difference);
    expect(ndcg!.pValue).toBeLessThan(0.001);
  });
});

describe('two runs', () => {
  const ids = Array.from({ length: 60 }, (_, i) => `q${i}`);
  const qrels = new Map(ids.map((id) => [id, new Map([[`${id}-good`, 1]])]));
  /** @param worse for how many queries the good document stands second */
  function runWith(worse: number, change: { sha?: string } = {}): RunOf<'quality'> {
    const run = new Map(ids.map((id, i) => [id, i < worse ? ['other', `${id}-good`] : [`${id}-good`]]));
    const collection = {
      name: 'set',
      documents: 60,
      chunks: 60,
      queryIds: ids,
      variants: [scoreVariant('hybrid', 'main', qrels, run)],
      comparisons: [],
      skipped: [],
    };
    return beginRun({ kind: 'quality', command: 'test' }).finish({
      data: [{ name: 'set', sha256: { corpus: change.sha ?? 'aa' }, documents: 60, queries: 60 }],
      results: { metrics: ['nDCG@10'], collections: [collection], skipped: [] },
    });
  }

  it('a loss on many queries is a regression, the other way round a gain, a swap of two is noise', () => {
    const { worse, better } = qualityChanges(runWith(0), runWith(12));
    expect(worse.map(sentenceOf)).toContainEqual(
      expect.stringMatching(/^set, hybrid: nDCG@10 1\.000 → 0\.926 \(p 0\.000/), // 1 - 12/60 · (1 - 1/log2(3))
    );
    expect(better).toEqual([]);
    expect(qualityChanges(runWith(12), runWith(0)).better).toHaveLength(worse.length);
    expect(qualityChanges(runWith(0), runWith(2))).toMatchObject({ worse: [], better: [] });
    expect(qualityChanges(runWith(3), runWith(3))).toMatchObject({ worse: [], better: [], skipped: [] });
  });

  it('other data are not compared, and said so', () => {
    expect(qualityChanges(runWith(0), runWith(30, { sha: 'bb' }))).toEqual({
      worse: [],
      better: [],
      skipped: ['set: other data than then (corpus)'],
      figures: 0,
    });
  });

  it('a run file comes back as it was written; what is none is refused with the reason', () => {
    const run = runWith(5);
    const path = writeRunFile(run, join(folder, 'deep/run.json'));
    expect(readRunFile(path)).toMatchObject({ kind: 'quality', seed: 1, data: run.data, format: 1 });
    const again = readRunFile(path) as RunOf<'quality'>;
    expect(qualityChanges(run, again)).toMatchObject({ worse: [], better: [], skipped: [] });
    const broken = (change: object): string => {
      const to = join(folder, 'broken.json');
      writeFileSync(to, JSON.stringify({ ...run, ...change }));
      return to;
    };
    expect(() => readRunFile(broken({ format: 2 }))).toThrow(/format 2/);
    expect(() => readRunFile(broken({ kind: 'taste' }))).toThrow(/no kind "taste"/);
    expect(() => readRunFile(broken({ results: {} }))).toThrow(/results.collections/);
    expect(() => readRunFile(broken({ seed: 'one' }))).toThrow(/"seed"/);
    writeFileSync(join(folder, 'text.json'), 'no JSON');
    expect(() => readRunFile(join(folder, 'text.json'))).toThrow(/cannot be read as JSON/);
  });

  it('a number that is none is not written', () => {
    const run = runWith(0);
    const broken = { ...run, elapsedMs: Number.NaN };
    expect(() => writeRunFile(broken, join(folder, 'nan.json'))).toThrow(/"elapsedMs" is NaN/);
  });
});

describe('a whole measurement', () => {
  it('every family gives variants over the same queries, or a reason', async () => {
    const collection = syntheticCollection(40);
    const { variants, comparisons, skipped, queryIds } = await measureCollection(collection, {
      families: ['baseline', 'main', 'control', 'context', 'fusion', 'vectors', 'chunks'],
    });
    for (const { perQuery } of variants) {
      for (const values of Object.values(perQuery)) expect(values).toHaveLength(queryIds.length);
    }
    expect(new Set(variants.map(({ name }) => name)).size).toBe(variants.length);
    const families = new Set(variants.map(({ family }) => family));
    for (const family of ['baseline', 'main', 'control', 'context', 'fusion', 'vectors'] as const)
      expect(families.has(family), family).toBe(true);
    expect(skipped).toContainEqual({ what: 'chunks', reason: 'documents are not given whole' });
    expect(skipped).toContainEqual({ what: 'hybrid, no headings', reason: 'the collection has no headings' });
    // exact search by floats and by int8 differ at most in near-ties: the same documents, nearly the same figures
    const mean = (name: string): number => variants.find((one) => one.name === name)!.metrics['nDCG@10']!.mean;
    expect(Math.abs(mean('dense, float vectors') - mean('dense, int8 vectors'))).toBeLessThan(0.05);
    expect(mean('dense, int8 vectors')).toBeCloseTo(mean('dense'), 6);
    // as many candidates as there are rows: the bits cannot lose anything
    expect(mean('dense, 100 by signs')).toBe(mean('dense, int8 vectors'));
    expect(comparisons.filter(({ other }) => other === 'BM25').map(({ metric }) => metric)).toEqual([
      'nDCG@10',
      'recall@10',
      'recall@100',
    ]);
  }, 180_000);

  it('a collection without whole documents gets them from its chunks, each unit at its place', async () => {
    const set = join(folder, 'beir');
    mkdirSync(join(set, 'qrels'), { recursive: true });
    const texts = ['The mill was built in 1831.', 'It burnt down in 1902.', 'A bridge crosses the river.'];
    const line = (record: object): string => `${JSON.stringify(record)}\n`;
    writeFileSync(join(set, 'corpus.jsonl'), texts.map((text, i) => line({ _id: `c${i}`, title: 'T', text })).join(''));
    writeFileSync(join(set, 'queries.jsonl'), line({ _id: 'q', text: 'when was the mill built' }));
    writeFileSync(join(set, 'qrels/test.tsv'), 'query-id\tcorpus-id\tscore\nq\tc0\t1\n');
    const { units, whole, ids } = await loadCollection(set);
    expect(units).toHaveLength(3);
    for (const [row, { id, document, span }] of units.entries()) {
      expect(id).toBe(ids[row]);
      expect(whole.get(document)!.text.slice(span!.start, span!.end)).toBe(texts[Number(id.slice(1))]);
    }
  });

  it('the end of the time leaves whole variants, and names what is missing', async () => {
    let checks = 0;
    const stop: Stop = {
      interrupted: false,
      leftMs: 0,
      reason: undefined,
      check: async () => {
        if (++checks > 60) throw new Stopped('over'); // 40 queries of the first variant, some of the next
      },
    };
    const { variants, skipped, queryIds } = await measureCollection(syntheticCollection(40), {
      families: ['main', 'baseline', 'fusion'],
      stop,
    });
    expect(queryIds).toHaveLength(40);
    expect(variants.map(({ name }) => name)).toEqual(['BM25']);
    expect(skipped).toEqual([
      { what: 'main', reason: 'over' },
      { what: 'fusion', reason: 'over' },
    ]);
  });
});

describe('weights fitted on other collections', () => {
  it('give weight to what tells the relevant ones, and none to what does not', async () => {
    const collection = syntheticCollection(40);
    const never = async (): Promise<void> => {};
    const set = await fitSet(collection, await indexCollection(collection), never);
    expect(set).toHaveLength(40);
    // the same candidates, of which only the one with the greatest `characters` is relevant
    const made = set.map((query): (typeof set)[number] => {
      const values = query.features.characters!;
      const best = values.reduce((top, value, i) => (value > values[top]! ? i : top), 0);
      return { ...query, gains: values.map((_, i) => (i === best ? 1 : 0)) };
    });
    const weights = await fitWeights([made], never);
    const plain = await fitWeights([set], never);
    expect(weights.characters).toBeGreaterThan(plain.characters);
    expect(weights.characters).toBeGreaterThan(weights.body);
    expect(weights.quoted).toBe(20);
  });
});
