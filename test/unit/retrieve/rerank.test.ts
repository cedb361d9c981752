import { describe, expect, it } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';
import { Meter } from '../../../src/core/meter.ts';
import { type Reranker, type RerankPassage, rerankHits, searchReranked } from '../../../src/retrieve/rerank.ts';
import { chunkOf, hitOf } from '../answer/hits.ts';

const hits = ['zero', 'one', 'two', 'three', 'four'].map((text, i) =>
  hitOf(chunkOf(text, { position: i, title: 'T', headings: ['H'] }), 0.9 - i / 10),
);

/** Gives the scores it is made with, for 0.01 USD. */
class Fixed implements Reranker {
  readonly id = 'fixed';
  readonly asked: (readonly RerankPassage[])[] = [];
  readonly #scores: readonly number[] | Error;

  constructor(scores: readonly number[] | Error) {
    this.#scores = scores;
  }

  estimateUsd(): number {
    return 0.02;
  }

  async score(_query: string, passages: readonly RerankPassage[]) {
    this.asked.push(passages);
    if (this.#scores instanceof Error) throw this.#scores;
    return { scores: this.#scores, costUsd: 0.01 };
  }
}

const textsOf = (list: readonly (typeof hits)[number][]): string[] => list.map(({ chunk }) => chunk.text);

describe('reranking', () => {
  it('orders by the scores, equal ones as they were, and leaves what it did not score behind', async () => {
    const reranker = new Fixed([0.2, 0.8, 0.8, 0.1]);
    const meter = new Meter(1);
    const made = await rerankHits('q', hits, reranker, { candidates: 4, meter, trust: 1 });
    expect(textsOf(made.hits)).toEqual(['one', 'two', 'zero', 'three', 'four']);
    const scores = made.hits.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(made.costUsd).toBe(0.01);
    expect(meter.spentUsd).toBe(0.01);
    expect(reranker.asked[0]![0]).toEqual({ title: 'T › H', text: 'zero' });
  });

  it('weighs them with the scores of the search, on its scale', async () => {
    const made = await rerankHits('q', hits, new Fixed([0, 1, 0.5, 0, 0]));
    // own scores 0.9, 0.8, 0.7, 0.6, 0.5, of which half counts; 1 of the reranker is as much as the best
    expect(made.hits.map(({ chunk, score }) => [chunk.text, Number(score.toFixed(6))])).toEqual([
      ['one', 0.85], // 0.4 + 0.45
      ['two', 0.575], // 0.35 + 0.225
      ['zero', 0.45],
      ['three', 0.3],
      ['four', 0.25],
    ]);
    const first = await rerankHits('q', hits, new Fixed([0, 1, 0.5, 0, 0]), { trust: 0 });
    expect(textsOf(first.hits)).toEqual(textsOf(hits));
  });

  it('keeps a trace that sums to the score, for hits that had one', async () => {
    const traced = hits.map((hit) => ({ ...hit, trace: [{ list: 'lexical', rank: 1, value: hit.score, weight: 1 }] }));
    const made = await rerankHits('q', traced, new Fixed([0.1, 0.5]), { candidates: 2 });
    for (const [i, { score, trace }] of made.hits.entries()) {
      expect(trace).toEqual([{ list: 'rerank', rank: i + 1, value: score, weight: 1 }]);
    }
  });

  it('looks further than is wanted, so that something can come up', async () => {
    const limits: number[] = [];
    const find = async (limit: number) => {
      limits.push(limit);
      return hits.slice(0, limit);
    };
    const reranker = new Fixed([0, 0, 0, 0, 1]);
    const made = await searchReranked('q', 2, find, reranker, { candidates: 5, trust: 1 });
    expect(textsOf(made.hits)).toEqual(['four', 'zero']);
    await searchReranked('q', 9, find, reranker, { candidates: 5 });
    expect(limits).toEqual([5, 9]);
  });

  it('does not ask about fewer than two', async () => {
    const reranker = new Fixed([]);
    expect(await rerankHits('q', hits.slice(0, 1), reranker)).toEqual({ hits: hits.slice(0, 1), costUsd: 0 });
    expect(await rerankHits('q', [], reranker)).toEqual({ hits: [], costUsd: 0 });
    expect(reranker.asked).toEqual([]);
  });

  it('gives the hits back as they were when it fails, says why, and counts what it may have cost', async () => {
    const error = new IbidError('RESPONSE_INVALID', 'no scores');
    const meter = new Meter(1);
    expect(await rerankHits('q', hits, new Fixed(error), { meter })).toEqual({ hits, costUsd: 0, error });
    expect(meter.spentUsd).toBe(0.02);
  });

  it('costs nothing when it is refused', async () => {
    const error = new IbidError('KEY_REJECTED', 'no such key');
    const meter = new Meter(1);
    expect(await rerankHits('q', hits, new Fixed(error), { meter })).toEqual({ hits, costUsd: 0, error });
    expect([meter.spentUsd, meter.leftUsd]).toEqual([0, 1]);
  });

  it('gives the hits back as they were when the budget does not pay for it', async () => {
    const reranker = new Fixed([]);
    const made = await rerankHits('q', hits, reranker, { meter: new Meter(0.01) });
    expect(made.hits).toEqual(hits);
    expect(made.error).toMatchObject({ code: 'BUDGET_EXCEEDED' });
    expect(reranker.asked).toEqual([]);
  });

  it.each([0, 1.5, -1, Number.NaN])('refuses %d candidates', async (candidates) => {
    await expect(rerankHits('q', hits, new Fixed([]), { candidates })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it.each([-0.1, 1.1, Number.NaN])('refuses a trust of %d', async (trust) => {
    await expect(rerankHits('q', hits, new Fixed([]), { trust })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it("passes the caller's abort and defects through", async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    const failing = new Fixed(new IbidError('STREAM_BROKEN', 'x'));
    await expect(rerankHits('q', hits, failing, { signal })).rejects.toThrow('enough');
    await expect(rerankHits('q', hits, new Fixed(new TypeError('defect')))).rejects.toThrow('defect');
  });
});
