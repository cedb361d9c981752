import { describe, expect, it } from 'vitest';
import type { Hit } from '../../../src/core/types.ts';
import { nearestHits } from '../../../src/retrieve/nearest.ts';
import { chunkOf, hitOf } from '../answer/hits.ts';

/** Hits of documents `0`, `1` …, each with the score given. */
const hitsOf = (scores: readonly number[], texts: Readonly<Record<number, string>> = {}): Hit[] =>
  scores.map((score, i) => ({
    ...hitOf(chunkOf(texts[i] ?? `Text ${i}.`, { uri: String(i), title: i === 7 ? 'Ann Moor (keeper)' : `note ${i}` })),
    score,
  }));
const kept = (hits: readonly Hit[]): string[] => nearestHits(hits).map(({ chunk }) => chunk.uri);

describe('nearestHits', () => {
  it('keeps six, and behind them those of at least 0.4 of the best score', () => {
    expect(kept(hitsOf([0.9, 0.2, 0.2, 0.2, 0.2, 0.2, 0.19, 0.18]))).toEqual(['0', '1', '2', '3', '4', '5']);
    expect(kept(hitsOf([0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.37, 0.35]))).toEqual(['0', '1', '2', '3', '4', '5', '6']);
  });

  it('keeps all where the best one is not likely itself', () => {
    expect(kept(hitsOf([0.29, 0.1, 0.1, 0.1, 0.1, 0.1, 0.05, 0.01]))).toHaveLength(8);
    expect(kept([])).toEqual([]);
  });

  it('keeps the document that a near one names', () => {
    const scores = [0.9, 0.5, 0.5, 0.5, 0.5, 0.5, 0.1, 0.1];
    expect(kept(hitsOf(scores, { 2: 'The last keeper was Ann Moor.' }))).toEqual(['0', '1', '2', '3', '4', '5', '7']);
    expect(kept(hitsOf(scores, { 6: 'The last keeper was Ann Moor.' }))).toHaveLength(6); // one that goes names nothing
    expect(kept(hitsOf(scores, { 2: 'This is note 6.' }))).toHaveLength(6); // no name
  });
});
