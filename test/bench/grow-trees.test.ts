import { describe, expect, it } from 'vitest';
import { growTrees } from '../../bench/quality/grow-trees.ts';
import { packTrees, scoreOf, unpackTrees } from '../../src/answer/sentences/trees/trees.ts';

/** True where exactly one of two columns is above a half: no linear model can learn it. The third column is noise. */
function rows(count: number): { values: Float32Array; columns: number; truth: boolean[] } {
  const values = new Float32Array(count * 3);
  const truth: boolean[] = [];
  for (let i = 0; i < count; i++) {
    const [a, b, noise] = [(i * 7919) % 101, (i * 104729) % 103, (i * 31) % 17];
    values.set([a! / 101, b! / 103, noise!], i * 3);
    truth.push(a! / 101 > 0.5 !== b! / 103 > 0.5);
  }
  return { values, columns: 3, truth };
}

function grow(seed: number) {
  const { values, columns, truth } = rows(2000);
  return growTrees(
    { values, columns },
    (scores, gradient, hessian) => {
      scores.forEach((score, i) => {
        const p = 1 / (1 + Math.exp(-score));
        gradient[i] = p - (truth[i] ? 1 : 0);
        hessian[i] = Math.max(p * (1 - p), 1e-3);
      });
    },
    { trees: 40, seed, rate: 0.3, leaves: 8, least: 5, columnShare: 0.9 },
  );
}

describe('growTrees', () => {
  it('learns what no single column tells', () => {
    const trees = grow(1);
    const { values, truth } = rows(3000);
    let right = 0;
    for (let i = 2000; i < 3000; i++) if (scoreOf(trees, values.subarray(3 * i, 3 * i + 3)) > 0 === truth[i]) right++;
    expect(right).toBeGreaterThan(950);
  });

  it('gives the same trees for a seed, and others for another', () => {
    const text = packTrees(grow(1));
    expect(packTrees(grow(1))).toBe(text);
    expect(packTrees(grow(2))).not.toBe(text);
  });

  it('comes back from its text with the same scores', () => {
    const trees = grow(3);
    const again = unpackTrees(packTrees(trees));
    const { values } = rows(200);
    for (let i = 0; i < 200; i++) {
      const row = values.subarray(3 * i, 3 * i + 3);
      expect(scoreOf(again, row)).toBe(scoreOf(trees, row));
    }
  });
});
