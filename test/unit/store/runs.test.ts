import { describe, expect, it } from 'vitest';
import {
  countRows,
  joinRuns,
  parseRuns,
  type RowRun,
  runsOf,
  SeqMap,
  seqsOf,
  uncovered,
} from '../../../src/store/runs.ts';
import { mostMergedRows, segmentsToMerge } from '../../../src/store/segments.ts';
import { randomSource } from '../vector/random.ts';

describe('runs of row numbers', () => {
  it('say the same as the list they were made from, and back', () => {
    for (let seed = 0; seed < 50; seed++) {
      const random = randomSource(seed);
      const seqs = Array.from({ length: 200 }, (_, seq) => seq).filter(() => random.next() < 0.7);
      const runs = runsOf(seqs);
      expect([...seqsOf(runs)]).toEqual(seqs);
      expect(countRows(runs)).toBe(seqs.length);
      const map = new SeqMap(runs);
      expect(map.rows).toBe(seqs.length);
      for (let seq = -1; seq <= 201; seq++) expect(map.ordinalOf(seq)).toBe(seqs.indexOf(seq));
      for (const [ordinal, seq] of seqs.entries()) expect(map.seqOf(ordinal)).toBe(seq);
      const covered = new SeqMap(runsOf(seqs.filter(() => random.next() < 0.6)));
      const groups = uncovered(Float64Array.from(seqs), covered);
      expect(groups.flatMap((group) => [...group])).toEqual(seqs.filter((seq) => covered.ordinalOf(seq) < 0));
      // with the covered runs between them, groups can be laid out in row order
      const all = [...covered.runs.map((run) => [run]), ...groups.map((group) => runsOf(group))];
      all.sort((a, b) => a[0]![0] - b[0]![0]);
      expect(new SeqMap(all.flat()).rows).toBe(seqs.length);
    }
  });

  it('agree on a prefix exactly when the rows before it are the same', () => {
    for (let seed = 0; seed < 200; seed++) {
      const random = randomSource(seed);
      const list = (): number[] => Array.from({ length: 12 }, (_, seq) => seq).filter(() => random.next() < 0.8);
      const [a, b] = [list(), list()];
      for (let rows = 0; rows <= 12; rows++) {
        const same = rows <= a.length && rows <= b.length && a.slice(0, rows).every((seq, i) => seq === b[i]);
        expect(new SeqMap(runsOf(a)).agreesWith(new SeqMap(runsOf(b)), rows), `${a} / ${b} / ${rows}`).toBe(same);
      }
    }
  });

  it('that overlap or are no runs are damage', () => {
    expect(
      () =>
        new SeqMap([
          [0, 5],
          [4, 2],
        ]),
    ).toThrow(/two segments cover row 4/);
    expect(() => parseRuns('[[3,0]]')).toThrow(/impossible/);
    expect(() => parseRuns('[[3,2],[4,1]]')).toThrow(/impossible/);
    expect(
      joinRuns([
        [0, 2],
        [2, 3],
        [7, 1],
      ] satisfies RowRun[]),
    ).toEqual([
      [0, 5],
      [7, 1],
    ]);
  });
});

describe('which segments are merged', () => {
  const none = (sizes: number[]): number[] => sizes.map(() => 0);
  it.each<[sizes: number[], range: [number, number] | undefined]>([
    [[], undefined],
    [[5], undefined],
    [[4096, 4096, 4096], undefined], // so few beside each other cost a query nothing
    [
      [4096, 4096, 4096, 1696],
      [0, 4],
    ], // the last batch of a run is small
    [[100_000, 10, 10, 10], undefined],
    [
      [100_000, 10, 10, 10, 10],
      [1, 5],
    ],
    [[100_000, 4096, 10], undefined],
    [
      [100_000, 40, 30, 20, 1],
      [1, 5],
    ],
    [
      [100_000, 180, 40, 30, 20],
      [1, 5],
    ],
    [[100_000, 181, 40, 30, 20], undefined], // more than twice the 90 behind it
  ])('%j → %j', (sizes, range) => {
    expect(segmentsToMerge(sizes, none(sizes))).toEqual(range);
  });

  it('as many at once as one segment may hold, and no full one again', () => {
    const sizes = new Array<number>(9).fill(10);
    expect(segmentsToMerge(sizes, none(sizes), 40)).toEqual([0, 4]);
    expect(segmentsToMerge([40, ...sizes.slice(4)], none(sizes), 40)).toEqual([1, 5]);
    expect(segmentsToMerge([40, 40, 10], [0, 0, 0], 40)).toBeUndefined();
    expect(segmentsToMerge([21, 20, 20, 1, 1], [0, 0, 0, 0, 0], 40)).toEqual([1, 3]); // 21 is more than half: full
  });

  it('one with many dead rows is rewritten alone', () => {
    expect(segmentsToMerge([100_000, 4096], [31_000, 0])).toEqual([0, 1]);
    expect(segmentsToMerge([100_000, 4096], [29_000, 0])).toBeUndefined();
    expect(segmentsToMerge([50], [50])).toBeUndefined(); // too small to care
  });

  it('repeated until nothing is left to do, segments at least halve in size but for the last three', () => {
    const random = randomSource(8);
    let sizes: number[] = [];
    for (let step = 0; step < 300; step++) {
      sizes.push(random.integer(1, 5000));
      for (let range = segmentsToMerge(sizes, none(sizes)); range; range = segmentsToMerge(sizes, none(sizes))) {
        const merged = sizes.slice(...range).reduce((a, b) => a + b, 0);
        expect(merged).toBeLessThanOrEqual(mostMergedRows);
        sizes = [...sizes.slice(0, range[0]), merged, ...sizes.slice(range[1])];
      }
      const full = sizes.findLastIndex((size) => size > mostMergedRows / 2) + 1;
      expect(sizes.slice(0, full).every((size) => size > mostMergedRows / 2)).toBe(true);
      for (let i = full + 1; i < sizes.length - 2; i++) expect(sizes[i - 1]!).toBeGreaterThan(2 * sizes[i]!);
      expect(sizes.length - full).toBeLessThan(20); // halves of 65,536
    }
  });
});
