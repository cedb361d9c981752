import { describe, expect, it } from 'vitest';
import { Meter } from '../../../../src/core/meter.ts';
import type { EmbedReceipt } from '../../../../src/embed/service/contract.ts';
import { expectTime, totalsOf } from '../../../../src/embed/service/receipts.ts';
import { chunksOf, many, setUp } from './fake-service.ts';

describe('an estimate that goes on over several calls', () => {
  it('foretells the same text once', async () => {
    const { embedder } = setUp();
    const foretold = new Set<string>();
    const first = await embedder.estimate(many, foretold);
    expect(first.chunks).toBe(chunksOf(many));
    expect(await embedder.estimate(many, foretold)).toMatchObject({ chunks: 0, requests: 0 });
  });
});

describe('the expected time', () => {
  const receipt = (run: string, sentAt: number, elapsedMs: number, tokens: number): EmbedReceipt => ({
    ...{ run, model: 'm@4', chunks: 1, tokens, ownTokens: tokens, costUsd: 0, sentAt, elapsedMs },
  });

  it('is assumed in rounds of requests until a run has measured it', () => {
    expect(expectTime({ requests: 9, tokens: 900 }, [], 4)).toEqual({
      ms: 3 * 4000,
      basis: 'assumed',
      tokensPerMinute: 900 / (12 / 60),
      concurrency: 4,
    });
    expect(expectTime({ requests: 0, tokens: 0 }, [], 4).ms).toBe(0);
  });

  it('is measured from the newest run that is long enough', () => {
    const receipts = [
      ...[0, 1, 2].map((i) => receipt('old', 1000 * i, 500, 10)),
      ...[0, 1, 2].map((i) => receipt('new', 1e6 + 10_000 * i, 10_000, 1000)), // 3,000 tokens in half a minute
      receipt('short', 2e6, 1, 5),
    ];
    expect(expectTime({ requests: 50, tokens: 12_000 }, receipts, 4)).toEqual({
      ms: 120_000,
      basis: 'measured',
      tokensPerMinute: 6000,
      concurrency: 4,
    });
  });

  it('sums up what all runs have paid', () => {
    const some = [1, 2, 3].map((i) => ({ ...receipt('r', i, 1, i), costUsd: 0.1 }));
    expect(totalsOf(some)).toEqual({ requests: 3, chunks: 3, tokens: 6, costUsd: 0.3 });
  });
});

describe('a meter', () => {
  it('adds a million small prices up exactly and refuses the one that goes over', () => {
    const meter = new Meter(0.1);
    for (let i = 0; i < 100_000; i++) meter.reserve(0.000001).settle(0.000001);
    expect(meter.spentUsd).toBe(0.1);
    expect(() => meter.reserve(0.000001)).toThrow(expect.objectContaining({ code: 'BUDGET_EXCEEDED' }));
    expect(() => meter.reserve(0)).not.toThrow();
  });

  it('gives back what was cancelled, and counts what is set aside', () => {
    const meter = new Meter(1);
    const first = meter.reserve(0.6);
    expect(() => meter.reserve(0.6)).toThrow();
    first.cancel();
    first.settle(0.6);
    expect(meter.spentUsd).toBe(0);
    expect(() => meter.reserve(0.6)).not.toThrow();
  });

  it.each([Number.NaN, -1, Infinity])('refuses a budget of %s', (budget) => {
    expect(() => new Meter(budget)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});
