import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/eval/statistics.ts';
import type { LexicalDocument } from '../../../src/lexical/contract.ts';
import { LexicalReader } from '../../../src/lexical/reader.ts';
import { buildSegment } from '../../../src/lexical/segment.ts';
import { countOf, piecesOf, SkippedPostings } from '../../../src/lexical/skipped-postings.ts';
import { bestRows, scoresAt } from '../../../src/retrieve/best-rows.ts';
import {
  frequenciesAt,
  queryTerm,
  scoreRows,
  scoreWindows,
  windowFrequenciesAt,
} from '../../../src/retrieve/lexical-scores.ts';

const words = [...'abcdefghijkl'];

function randomDocuments(random: () => number, count: number): LexicalDocument[] {
  const some = (most: number): string[] =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, () => words[Math.floor(random() ** 3 * words.length)]!);
  return Array.from({ length: count }, () => {
    const title = random() < 0.3 ? some(3) : [];
    // one in fifty is longer than a piece of postings
    const rows = random() < 0.02 ? 9000 : 1 + Math.floor(random() * 10);
    // one text in fifty has a word more often than one byte counts
    const text = (): string[] => (random() < 0.02 ? some(1).flatMap((word) => Array<string>(200).fill(word)) : some(9));
    return Array.from({ length: rows }, () => ({ title, headings: random() < 0.2 ? some(2) : [], text: text() }));
  });
}

describe.each([1, 2, 3])('terms that are not decoded as a whole, corpus %i', (seed) => {
  const random = seededRandom(seed);
  const parts = Array.from({ length: seed }, () => randomDocuments(random, 120));
  const dead = new Set(seed === 1 ? [] : Array.from({ length: 400 }, () => Math.floor(random() * 2000)));
  const open = (commonFrom: number): LexicalReader => {
    let base = 0;
    const segments = parts.map((documents) => {
      const { header, blocks } = buildSegment(documents);
      const source = {
        base,
        header,
        readBlocks: async (indices: readonly number[]) => indices.map((i) => blocks[i]!.bytes),
      };
      base += documents.flat().length;
      return source;
    });
    return LexicalReader.open(segments, (ordinal) => !dead.has(ordinal), { commonFrom });
  };
  const [decoded, stored] = [open(Number.POSITIVE_INFINITY), open(1)];

  it('hold what decoded ones hold, at any rows and in pieces of whole documents', async () => {
    const terms = [...words, 'unknown'];
    const [expected, got] = [await decoded.terms(terms), await stored.terms(terms)];
    for (const [t, postings] of got.entries()) {
      const { ordinals, text, title, headings } = expected[t]!;
      expect(countOf(postings)).toBe(ordinals.length);
      if (ordinals.length > 0) expect(postings).toBeInstanceOf(SkippedPostings);
      expect({ ...{ ordinals, text, title, headings } }).toEqual({
        ...{ ordinals: postings.ordinals, text: postings.text, title: postings.title, headings: postings.headings },
      });
      const pieced: number[] = [];
      let last = -1;
      for (const piece of piecesOf(postings, stored.documentEnd)) {
        const first = stored.documentFirst[piece.ordinals[0] ?? 0]!;
        expect(first).toBeGreaterThan(last); // no document is in two pieces
        last = piece.ordinals.at(-1) ?? last;
        for (const [i, row] of piece.ordinals.entries())
          pieced.push(row, piece.text[i]!, piece.title[i]!, piece.headings[i]!);
      }
      expect(pieced).toEqual([...ordinals].flatMap((row, i) => [row, text[i]!, title[i]!, headings[i]!]));
      if (!(postings instanceof SkippedPostings)) continue;
      for (let ask = 0; ask < 300; ask++) {
        const from = Math.floor(random() * stored.rows); // in any order
        const end = from + 1 + Math.floor(random() * 8);
        postings.between(from, end);
        const { rows, length } = postings.found;
        expect([...rows.subarray(0, length)]).toEqual([...ordinals].filter((row) => row >= from && row < end));
      }
    }
  });

  it('give every score to the last bit', async () => {
    for (let q = 0; q < 12; q++) {
      const query = [...new Set(Array.from({ length: 4 }, () => words[Math.floor(random() * words.length)]!))];
      const of = async (reader: LexicalReader) => {
        const terms = (await reader.terms(query)).map((postings) => queryTerm(reader, postings, 1));
        const [body, window] = [new Float32Array(reader.rows), new Float32Array(reader.rows)];
        scoreRows(reader, terms, body);
        scoreWindows(reader, terms, window);
        const some = Array.from({ length: 200 }, (_, i) => i * 7).filter((row) => row < reader.rows);
        const found: number[] = [];
        for (const { postings } of terms) {
          frequenciesAt(postings, some, (...values) => found.push(...values));
          windowFrequenciesAt(reader, postings, some, (...values) => found.push(...values));
        }
        return {
          ...{ body, window, found, weights: terms.map(({ idf, windowIdf }) => [idf, windowIdf]) },
          at: [scoresAt(reader, terms, 'body', some), scoresAt(reader, terms, 'window', some)],
          best: [bestRows(reader, terms, 'body', 30), bestRows(reader, terms, 'window', 30)],
        };
      };
      expect(await of(stored)).toEqual(await of(decoded));
    }
  });
});
