import { describe, expect, it } from 'vitest';
import type { DocumentEntry } from '../../../src/store/contract.ts';
import { ManifestMap } from '../../../src/store/manifest-map.ts';
import { SAMPLED_ROWS, type SampleNote, sampleIn, sampleRows } from '../../../src/store/row-sample.ts';
import { SeqMap } from '../../../src/store/runs.ts';

function entry(uri: string, contentHash: string, chunks: number, first: number): DocumentEntry {
  return { uri, contentHash, chunks, first, sizeBytes: 1, mtimeMs: 1 };
}

/** Documents of one to nine chunks. */
function entries(count: number): DocumentEntry[] {
  let first = 0;
  return Array.from({ length: count }, (_, i) => {
    const chunks = 1 + ((i * 7) % 9);
    first += chunks;
    return entry(`docs/${i}.md`, `sum of ${i}`, chunks, first - chunks);
  });
}

const sampled = (all: readonly DocumentEntry[]): SampleNote => sampleRows(new ManifestMap(all).lines());
const keys = (note: SampleNote): readonly number[] => note.map(([key]) => key);

describe('the rows that stand for an index', () => {
  it('are those with the lowest keys of all', () => {
    const all = entries(800);
    // a document alone has fewer rows than a sample: all its keys are given
    const each = all.flatMap((one) => sampled([one])).sort(([a], [b]) => a - b);
    expect(each.length).toBeGreaterThan(10 * SAMPLED_ROWS);
    expect(sampled(all)).toEqual(each.slice(0, SAMPLED_ROWS));
  });

  it('are the same contents in any order and under other names', () => {
    const all = entries(300);
    const other = all.toReversed().map((one, i) => ({ ...one, uri: `moved/${i}`, first: 10_000 + (one.first ?? 0) }));
    expect(keys(sampled(other))).toEqual(keys(sampled(all)));
  });

  it('are spread over documents and places', () => {
    const note = sampled(entries(2000));
    expect(note).toHaveLength(SAMPLED_ROWS);
    const seqs = note.map(([, seq]) => seq);
    expect(new Set(seqs).size).toBe(SAMPLED_ROWS);
    const rows = 2000 * 5; // nearly: nine sizes, 5 on average
    for (const tenth of Array.from({ length: 10 }, (_, i) => i)) {
      const share = seqs.filter((seq) => Math.floor((10 * seq) / rows) === tenth).length;
      expect(share).toBeGreaterThan(8); // 25 expected; 8 is three and a half deviations away
      expect(share).toBeLessThan(43);
    }
  });

  it('are spread over documents without a hash of their content', () => {
    const note = sampled(entries(2000).map((one) => ({ ...one, contentHash: '' })));
    const halves = [0, 1].map((half) => note.filter(([, seq]) => Math.floor(seq / 5000) === half).length);
    for (const count of halves) expect(count).toBeGreaterThan(90); // 125 expected; 90 is four and a half deviations away
  });

  it('are all rows of a small index, and none of what has no chunks', () => {
    const all = [entry('a', 'x', 3, 5), { ...entry('b', 'y', 0, 0), first: undefined }, entry('c', 'z', 1, 0)];
    expect(sampled(all).map(([, seq]) => seq)).toEqual(expect.arrayContaining([0, 5, 6, 7]));
    expect(sampled(all)).toHaveLength(4);
    expect(sampled([])).toEqual([]);
  });

  it('are found again in a snapshot without those that were removed', () => {
    const map = new SeqMap([
      [2, 3],
      [10, 2],
    ]);
    const note: SampleNote = [
      [1, 11],
      [2, 3],
      [3, 7], // of no segment
      [4, 2],
    ];
    expect(sampleIn(note, map, Uint8Array.of(1, 0, 1, 1, 1))).toEqual([
      { key: 1, ordinal: 4 },
      { key: 4, ordinal: 0 },
    ]);
    expect(sampleIn(undefined, map, Uint8Array.of())).toBeUndefined();
  });
});
