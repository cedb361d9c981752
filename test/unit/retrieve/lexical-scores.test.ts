import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/eval/statistics.ts';
import type { LexicalDocument } from '../../../src/lexical/contract.ts';
import { mergeSegments } from '../../../src/lexical/merge.ts';
import { LexicalReader } from '../../../src/lexical/reader.ts';
import { buildSegment } from '../../../src/lexical/segment.ts';
import { WINDOW } from '../../../src/lexical/term-counts.ts';
import { bestRows, scoresAt } from '../../../src/retrieve/best-rows.ts';
import { lexicalFeatures } from '../../../src/retrieve/candidates.ts';
import {
  frequenciesAt,
  queryTerm,
  scoreRows,
  scoreWindows,
  seek,
  windowFrequenciesAt,
} from '../../../src/retrieve/lexical-scores.ts';
import { topIndices } from '../../../src/retrieve/top.ts';
import { OrdinalSet } from '../../../src/store/row-set.ts';

const words = [...'abcdefghijkl'];

function randomDocuments(seed: number, count: number): LexicalDocument[] {
  const random = seededRandom(seed);
  const some = (most: number): string[] =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, () => words[Math.floor(random() ** 2 * words.length)]!);
  return Array.from({ length: count }, () => {
    const title = some(3);
    return Array.from({ length: 1 + Math.floor(random() * 10) }, () => ({ title, headings: some(2), text: some(12) }));
  });
}

/** The textbook formula over token lists, with nothing shared with the code under test. */
function bm25(texts: readonly (readonly string[])[], query: readonly string[]): number[] {
  const average = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
  return texts.map((text) =>
    query.reduce((score, term) => {
      const containing = texts.filter((other) => other.includes(term)).length;
      const frequency = text.filter((other) => other === term).length;
      const idf = Math.log(1 + (texts.length - containing + 0.5) / (containing + 0.5));
      return score + (idf * frequency * 2.2) / (frequency + 1.2 * (0.25 + (0.75 * text.length) / average));
    }, 0),
  );
}

const bodies = (documents: readonly LexicalDocument[]): string[][] =>
  documents.flatMap((rows) => rows.map(({ title, text }) => [...title, ...text]));
const windows = (documents: readonly LexicalDocument[]): string[][] =>
  documents.flatMap((rows) =>
    rows.map(({ title }, i) => [...title, ...rows.slice(Math.max(0, i - 3), i + 4).flatMap(({ text }) => text)]),
  );

async function scoresOf(
  reader: LexicalReader,
  query: readonly string[],
): Promise<{ body: Float32Array; window: Float32Array }> {
  const terms = (await reader.terms(query)).map((postings) => queryTerm(reader, postings, 1));
  const body = new Float32Array(reader.rows);
  const window = new Float32Array(reader.rows);
  scoreRows(reader, terms, body);
  scoreWindows(reader, terms, window);
  return { body, window };
}

function open(
  parts: readonly (readonly LexicalDocument[])[],
  isLive: (row: number) => boolean = () => true,
): LexicalReader {
  let base = 0;
  const sources = parts.map((documents) => {
    const data = buildSegment(documents);
    const source = {
      base,
      header: data.header,
      readBlocks: async (of: readonly number[]) => of.map((i) => data.blocks[i]!.bytes),
    };
    base += documents.reduce((sum, rows) => sum + rows.length, 0);
    return source;
  });
  return LexicalReader.open(sources, isLive);
}

function expectClose(found: Float32Array, expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  expected.forEach((value, i) => {
    expect(found[i], `row ${i}`).toBeCloseTo(value, 4);
  });
}

const query = ['a', 'c', 'h', 'l', 'nowhere'];

describe('BM25 from postings', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'equals the formula over token lists, for rows and for windows (seed %i)',
    async (seed) => {
      const documents = randomDocuments(seed, 25);
      // heading-only occurrences are no part of either field, so the oracle's document frequencies leave them out
      const { body, window } = await scoresOf(open([documents]), query);
      expectClose(body, bm25(bodies(documents), query));
      expectClose(window, bm25(windows(documents), query));
    },
  );

  it('is the same from many segments, after deletions, and after merging', async () => {
    const documents = randomDocuments(9, 40);
    const live = documents.filter((_, i) => i % 4 !== 2);
    const liveRows = documents.flatMap((rows, i) => rows.map(() => i % 4 !== 2));
    const parts = [documents.slice(0, 3), documents.slice(3, 4), documents.slice(4, 30), documents.slice(30)];
    const expected = await scoresOf(open([live]), query);
    const spread = await scoresOf(
      open(parts, (row) => liveRows[row]!),
      query,
    );
    expect(spread.body.filter((_, row) => liveRows[row])).toEqual(expected.body);
    expect(spread.window.filter((_, row) => liveRows[row])).toEqual(expected.window);
    expect(spread.body.every((score, row) => liveRows[row] || score === 0)).toBe(true);

    let first = 0;
    const merged = await mergeSegments(
      parts.map((part) => {
        const data = buildSegment(part);
        const from = first;
        first += part.reduce((sum, rows) => sum + rows.length, 0);
        return {
          segment: { header: data.header, readBlocks: async (of) => of.map((i) => data.blocks[i]!.bytes) },
          isLive: (row) => liveRows[from + row]!,
        };
      }),
    );
    const { header, blocks } = merged.data;
    const reader = LexicalReader.open(
      [{ base: 0, header, readBlocks: async (of) => of.map((i) => blocks[i]!.bytes) }],
      () => true,
    );
    expect(await scoresOf(reader, query)).toEqual(expected);
  });
});

describe('bestRows', () => {
  /** A few rare words, some common ones and two that stand everywhere: what the bounds are there for. */
  async function zipfian(seed: number, count: number): Promise<{ reader: LexicalReader; queries: string[][] }> {
    const random = seededRandom(seed);
    const word = (): string => `w${Math.floor(2 ** (random() * 9)) - 1}`;
    const some = (most: number): string[] => Array.from({ length: Math.floor(random() * (most + 1)) }, word);
    const documents = Array.from({ length: count }, () => {
      const title = some(3);
      return Array.from({ length: 1 + Math.floor(random() * 6) }, () => ({
        ...{ title, headings: some(2) },
        text: ['everywhere', ...some(15)],
      }));
    });
    const queries = Array.from({ length: 12 }, (_, i) => [
      ...new Set(i % 3 === 0 ? ['everywhere'] : i % 3 === 1 ? [word(), word()] : ['w0', 'everywhere', ...some(9)]),
    ]);
    const live = documents.flatMap((rows, d) => rows.map(() => d % 7 !== 3)); // documents go as a whole
    return { reader: open([documents.slice(0, 5), documents.slice(5)], (row) => live[row]!), queries };
  }

  it.each([31, 32, 33])(
    'are those that scoring every row names, to the last bit and in the same order (seed %i)',
    async (seed) => {
      const { reader, queries } = await zipfian(seed, 900);
      const within = new OrdinalSet(
        Uint32Array.from({ length: reader.rows }, (_, row) => row).filter((row) => row % 3 === 1),
      );
      for (const query of queries) {
        const terms = (await reader.terms(query)).map((postings, i) => queryTerm(reader, postings, 1 + (i % 2)));
        for (const field of ['body', 'window'] as const) {
          const scores = new Float32Array(reader.rows);
          (field === 'body' ? scoreRows : scoreWindows)(reader, terms, scores);
          const sorted = [...scores.keys()]
            .filter((row) => scores[row]! > 0)
            .sort((a, b) => scores[b]! - scores[a]! || a - b);
          for (const limit of [1, 7, 50]) {
            expect(bestRows(reader, terms, field, limit)).toEqual(sorted.slice(0, limit));
            expect(bestRows(reader, terms, field, limit, within)).toEqual(
              sorted.filter((row) => row % 3 === 1).slice(0, limit),
            );
            for (const place of [0, 3, 40, 400]) {
              const least = scores[sorted[place] ?? -1] ?? 0;
              const wanted = sorted.slice(0, limit).filter((row) => scores[row]! >= least);
              const found = bestRows(reader, terms, field, limit, undefined, least);
              expect(found.filter((row) => scores[row]! >= least)).toEqual(wanted);
            }
          }
          const some = [...scores.keys()].filter((row) => row % 5 === 0);
          const expected = some.map((row) => scores[row]);
          expect([...scoresAt(reader, terms, field, some)]).toEqual(expected);
          expect([...lexicalFeatures(reader, terms, some)[field]]).toEqual(expected);
        }
      }
    },
  );

  it('count a term in a row as the row alone and its window do', async () => {
    const { reader, queries } = await zipfian(34, 300);
    const some = [...Array(reader.rows).keys()].filter((row) => row % 4 === 1);
    for (const postings of await reader.terms(queries.flat())) {
      const alone: number[][] = [];
      frequenciesAt(postings, some, (...counts) => alone.push(counts));
      const both: number[][] = [];
      const windows = new Map<number, number>();
      windowFrequenciesAt(reader, postings, some, (i, text, title, headings, window) => {
        if (text + title + headings > 0) both.push([i, text, title, headings]);
        windows.set(i, window);
      });
      expect(both).toEqual(alone);
      const { ordinals, text, title } = postings;
      for (const [i, row] of some.entries()) {
        const [first, end] = [Math.max(reader.documentFirst[row]!, row - WINDOW), row + WINDOW + 1];
        const near = [...ordinals.keys()].filter(
          (k) => ordinals[k]! >= first && ordinals[k]! < Math.min(end, reader.documentEnd[row]!),
        );
        const expected = near.reduce((sum, k) => sum + text[k]!, near.length > 0 ? title[near[0]!]! : 0);
        expect(windows.get(i) ?? 0).toBe(expected);
      }
    }
  });

  it('are the first ones where thousands of rows are equal', async () => {
    const documents = Array.from({ length: 9000 }, () => [{ title: [], headings: [], text: ['same', 'words'] }]);
    const reader = open([documents]);
    const terms = (await reader.terms(['same', 'words'])).map((postings) => queryTerm(reader, postings, 1));
    expect(bestRows(reader, terms, 'body', 3)).toEqual([0, 1, 2]);
    expect(bestRows(reader, terms, 'window', 3, new OrdinalSet(Uint32Array.of(7, 8, 8999)))).toEqual([7, 8, 8999]);
    expect(bestRows(reader, terms, 'body', 3)).toEqual([0, 1, 2]);
  });

  it('are none without a term that stands anywhere', async () => {
    const reader = open([randomDocuments(4, 3)]);
    const terms = (await reader.terms(['nowhere'])).map((postings) => queryTerm(reader, postings, 1));
    expect(bestRows(reader, terms, 'body', 5)).toEqual([]);
    expect(bestRows(reader, [], 'window', 5)).toEqual([]);
  });
});

describe('seek', () => {
  it('finds the first place that is not below the value', () => {
    const random = seededRandom(5);
    for (let round = 0; round < 200; round++) {
      const sorted = Uint32Array.from({ length: Math.floor(random() * 30) }, () => Math.floor(random() * 40)).sort();
      const from = Math.floor(random() * (sorted.length + 1));
      const value = Math.floor(random() * 42);
      const place = sorted.findIndex((other, i) => i >= from && other >= value);
      expect(seek(sorted, value, from)).toBe(place < 0 ? sorted.length : place);
    }
  });
});

describe('topIndices', () => {
  it('equals sorting, ties by index', () => {
    const random = seededRandom(3);
    for (let round = 0; round < 50; round++) {
      const scores = Float64Array.from({ length: 60 }, () => Math.floor(random() * 8) - 1);
      const limit = Math.floor(random() * 70);
      const sorted = [...scores.keys()].filter((i) => scores[i]! > 0).sort((a, b) => scores[b]! - scores[a]! || a - b);
      expect(topIndices(scores, scores.length, limit, 0)).toEqual(sorted.slice(0, limit));
    }
  });
});
