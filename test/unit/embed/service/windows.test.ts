import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hash32 } from '../../../../src/core/hash.ts';
import { packRequests } from '../../../../src/embed/service/pack.ts';
import { windowsOf } from '../../../../src/embed/service/windows.ts';

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe('windows of a long document', () => {
  const documents = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 120 });

  it('keep every chunk exactly once, in order, within the limit, and never alone', () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 120, max: 400 }), (tokens, limit) => {
        const hashes = tokens.map((count, i) => hash32(`${i} ${count}`));
        const windows = windowsOf(tokens, hashes, limit);
        const kept = windows.flatMap(({ first, to }) => tokens.slice(first, to).map((_, i) => first + i));
        expect(kept).toEqual(tokens.map((_, i) => i));
        for (const { from, to } of windows) {
          expect(sum(tokens.slice(from, to))).toBeLessThanOrEqual(limit);
          if (tokens.length > 1) expect(to - from).toBeGreaterThan(1);
        }
      }),
    );
  });

  it('are one window when the document fits exactly, and two when it is one token over', () => {
    expect(windowsOf([50, 50], [0, 0], 100)).toEqual([{ from: 0, first: 0, to: 2 }]);
    expect(windowsOf([50, 51], [0, 0], 100)).toHaveLength(2);
    expect(windowsOf([], [], 100)).toEqual([]);
  });

  it('give a chunk that is over the limit by itself a window to itself', () => {
    expect(windowsOf([10, 500, 10], [0, 0, 0], 100).map(({ from, first, to }) => [from, first, to])).toEqual([
      [0, 0, 1],
      [1, 1, 2],
      [2, 2, 3],
    ]);
  });

  it('fall on the same chunks again after an edit, so that few windows change', () => {
    const random = (seed: number) => (i: number) => hash32(`${seed}:${i}`);
    const changes: number[] = [];
    for (let seed = 0; seed < 40; seed++) {
      const of = random(seed);
      const texts = Array.from({ length: 600 }, (_, i) => `chunk ${of(i)}`);
      const edited = [...texts.slice(0, 100), 'a new paragraph', ...texts.slice(100)];
      const pieces = (list: readonly string[]): Set<string> =>
        new Set(
          windowsOf(
            list.map(() => 100),
            list.map((text) => hash32(text)),
            5000,
          ).map(({ from, first, to }) => `${first - from}|${list.slice(from, to).join()}`),
        );
      const before = pieces(texts);
      changes.push([...pieces(edited)].filter((piece) => !before.has(piece)).length);
    }
    changes.sort((a, b) => a - b);
    expect(changes[0]).toBeGreaterThan(0); // the edit itself must be seen
    // of about 16: the window of the edit and a few until the borders agree again
    expect(changes[20]).toBeLessThanOrEqual(4);
  });
});

describe('packing requests', () => {
  const limits = { documents: 4, chunks: 50, tokens: 100, tokensPerDocument: 100 };
  const sized = fc.record({ chunks: fc.integer({ min: 1, max: 20 }), tokens: fc.integer({ min: 1, max: 100 }) });

  it('sends everything once, within every limit', () => {
    fc.assert(
      fc.property(fc.array(sized, { maxLength: 40 }), (items) => {
        const requests = packRequests(items, limits);
        expect(requests.flat().sort((a, b) => a - b)).toEqual(items.map((_, i) => i));
        for (const request of requests) {
          expect(request.length).toBeLessThanOrEqual(limits.documents);
          expect(sum(request.map((i) => items[i]!.chunks))).toBeLessThanOrEqual(limits.chunks);
          expect(sum(request.map((i) => items[i]!.tokens))).toBeLessThanOrEqual(limits.tokens);
        }
      }),
    );
  });

  it('needs at most 11/9 of the fewest possible requests and 6/9 (Dósa 2007), by exhaustive search', () => {
    const wide = { documents: 100, chunks: 1000, tokens: 20, tokensPerDocument: 20 };
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 }), (tokens) => {
        const packed = packRequests(
          tokens.map((count) => ({ chunks: 1, tokens: count })),
          wide,
        ).length;
        expect(packed).toBeLessThanOrEqual(Math.floor((11 / 9) * fewestBins(tokens, 20) + 6 / 9));
      }),
      { numRuns: 60 },
    );
  });
});

/** Tries every assignment; for a handful of items only. */
function fewestBins(items: readonly number[], size: number, bins: number[] = [], at: number = 0): number {
  if (at === items.length) return bins.length;
  let best = items.length;
  for (let b = 0; b < bins.length; b++) {
    if (bins[b]! + items[at]! > size) continue;
    bins[b]! += items[at]!;
    best = Math.min(best, fewestBins(items, size, bins, at + 1));
    bins[b]! -= items[at]!;
  }
  bins.push(items[at]!);
  best = Math.min(best, fewestBins(items, size, bins, at + 1));
  bins.pop();
  return best;
}
