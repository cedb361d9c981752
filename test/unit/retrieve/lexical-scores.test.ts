import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/eval/statistics.ts';
import type { LexicalDocument } from '../../../src/lexical/contract.ts';
import { mergeSegments } from '../../../src/lexical/merge.ts';
import { LexicalReader } from '../../../src/lexical/reader.ts';
import { buildSegment } from '../../../src/lexical/segment.ts';
import { queryTerm, scoreRows, scoreWindows } from '../../../src/retrieve/lexical-scores.ts';
import { topIndices } from '../../../src/retrieve/top.ts';

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
