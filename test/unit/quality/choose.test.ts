import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/eval/statistics.ts';
import { openIndex } from '../../../src/index.ts';
import { chooseSetting } from '../../../src/quality/choose.ts';
import type { Score } from '../../../src/quality/score.ts';
import { chunkSizes, searchSettings, together } from '../../../src/quality/settings-grid.ts';

const measured = (name: string, values: readonly number[]) => ({
  name,
  scores: values.map((ndcg): Score => ({ recall: 0, ndcg, recallByTokens: 0 })),
});
const halves = (count: number) => ({
  tune: Array.from({ length: count / 2 }, (_, i) => i),
  heldOut: Array.from({ length: count / 2 }, (_, i) => count / 2 + i),
});
const random = (seed: number, count: number): number[] => {
  const next = seededRandom(seed);
  return Array.from({ length: count }, () => next());
};

describe('chooseSetting', () => {
  const base = random(1, 100);
  const split = halves(100);

  it('takes what is better on both halves', () => {
    const lifted = base.map((value, i) => value + (i % 3 === 0 ? 0.2 : 0));
    const choice = chooseSetting(measured('defaults', base), [measured('lifted', lifted)], split, 'ndcg');
    expect(choice).toMatchObject({ best: 'lifted', accepted: true });
    expect(choice.heldOut!.difference).toBeCloseTo((0.2 * 17) / 50, 9); // 51, 54, … 99: seventeen of the fifty
  });

  it('does not take what only shone on the half it was chosen by', () => {
    const lucky = base.map((value, i) => (i < 50 ? value + 0.3 : value));
    const choice = chooseSetting(measured('defaults', base), [measured('lucky', lucky)], split, 'ndcg');
    expect(choice).toMatchObject({ best: 'lucky', accepted: false });
    expect(choice.reason).toContain('no gain on the held-out half');
  });

  it('keeps the defaults among settings that are all noise, nearly always', () => {
    let accepted = 0;
    for (let trial = 0; trial < 60; trial++) {
      const values = random(1000 + trial, 100);
      const noise = Array.from({ length: 14 }, (_, s) => {
        const jitter = random(9000 + 97 * trial + s, 100);
        return measured(
          `noise ${s}`,
          values.map((value, i) => value + (jitter[i]! - 0.5) * 0.4),
        );
      });
      if (chooseSetting(measured('defaults', values), noise, split, 'ndcg').accepted) accepted++;
    }
    expect(accepted).toBeLessThanOrEqual(4); // one-sided level 0.0125: 0.75 expected of 60
  });

  it('does not buy one kind of question with another', () => {
    const kinds = base.map((_, i) => (i % 5 === 0 ? 'heading' : 'keywords'));
    const traded = base.map((value, i) => value + (i % 5 === 0 ? -0.2 : 0.2));
    const choice = chooseSetting(measured('defaults', base), [measured('traded', traded)], split, 'ndcg', kinds);
    expect(choice.accepted).toBe(false);
    expect(choice.reason).toContain('loses on the heading questions');
    expect(chooseSetting(measured('defaults', base), [measured('traded', traded)], split, 'ndcg').accepted).toBe(true);
  });

  it('says so when nothing was better', () => {
    expect(chooseSetting(measured('defaults', base), [measured('same', base)], split, 'ndcg')).toMatchObject({
      best: undefined,
      accepted: false,
    });
  });
});

describe('the settings tried', () => {
  it('are ones the search takes, alone and together, and switch nothing off for made questions', async () => {
    await using index = await openIndex('memory://', { create: true });
    const grid = searchSettings(true);
    expect(new Set(grid.map(({ name }) => name)).size).toBe(grid.length);
    for (const { tuning } of grid) {
      await using other = await openIndex('memory://', { create: true, tuning });
      expect(other).not.toBe(index);
    }
    const pair = [grid.find(({ name }) => name === 'no vectors')!, grid.find(({ name }) => name === 'candidates × 2')!];
    expect(together(pair)).toEqual({
      weights: { cosine: 0, feedback: 0 },
      candidates: { body: 200, window: 100, dense: 200, read: 100 },
    });
    const made = searchSettings(false);
    expect(made.flatMap(({ tuning }) => Object.values(tuning.weights ?? {})).filter((weight) => weight === 0)).toEqual(
      [],
    );
    expect(chunkSizes).not.toContain(320);
  });
});
