/**
 * The cost of int8 and of the sign plane: the same vectors in full precision, in int8, and found through signs with a
 * given number of candidates.
 */
import { type Composer, cosinesOf, Int8Rows, SignCode, SignRows, surroundings } from '../../src/internal.ts';
import type { Collection } from './collections.ts';
import { runDepth } from './score.ts';

/** How many rows the bits name before the exact cosine decides. */
const signCandidates = [100, 200, 400] as const;

export interface VectorVariant {
  readonly name: string;
  /** Rows, best first. */
  rank(query: string): readonly number[];
}

export function vectorVariants(
  { documents, ids }: Collection,
  composer: Composer,
  dimensions: number,
): VectorVariant[] {
  const floats = new Float32Array(ids.length * dimensions);
  const lengths = new Float64Array(ids.length);
  let rows = 0;
  for (const { title, chunks } of documents) {
    const document = { title, chunks: chunks.map(({ text, headings = [] }) => ({ text, headings })) };
    // in pieces, as the embedder cuts a long document, each with the chunks around it
    for (let from = 0; from < chunks.length; from += 256) {
      const to = Math.min(chunks.length, from + 256);
      const { start, end } = surroundings(document, from, to);
      const part = { title, chunks: document.chunks.slice(start, end) };
      const first = rows;
      composer.eachVector([{ document: part, from: from - start, to: to - start }], (vector, i) => {
        floats.set(vector, (first + i) * dimensions);
        lengths[first + i] = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
      });
      rows += to - from;
    }
  }
  const int8 = Int8Array.from({ length: floats.length }, () => 0);
  for (let row = 0; row < rows; row++) {
    const own = floats.subarray(row * dimensions, (row + 1) * dimensions);
    const most = own.reduce((largest, x) => Math.max(largest, Math.abs(x)), 0) || 1;
    for (let d = 0; d < dimensions; d++) int8[row * dimensions + d] = Math.round((own[d]! * 127) / most);
  }
  const exact = new Int8Rows(dimensions);
  exact.append(int8);
  const code = new SignCode(dimensions);
  const signs = new SignRows(code.bits);
  signs.extend(rows);
  signs.write(0, code.encode(int8));

  const byFloats = (query: string): readonly number[] => {
    const vector = composer.queryVector(query);
    if (vector.every((x) => x === 0)) return [];
    const scores = new Float64Array(rows);
    for (let row = 0; row < rows; row++) {
      let dot = 0;
      for (let d = 0; d < dimensions; d++) dot += vector[d]! * floats[row * dimensions + d]!;
      scores[row] = dot / (lengths[row] || 1);
    }
    return best(scores, Array.from(scores.keys()));
  };
  const byInt8 = (query: string): readonly number[] => {
    const vector = composer.query(query);
    if (vector.every((x) => x === 0)) return [];
    return [...exact.search(vector, runDepth).ordinals];
  };
  const bySigns =
    (candidates: number) =>
    (query: string): readonly number[] => {
      const vector = composer.query(query);
      if (vector.every((x) => x === 0)) return [];
      const named = signs.search(code.encode(vector), candidates).ordinals;
      const own = new Int8Array(named.length * dimensions);
      for (const [i, row] of named.entries()) own.set(exact.row(row), i * dimensions);
      return best(cosinesOf(vector, own), [...named]);
    };
  return [
    { name: 'dense, float vectors', rank: byFloats },
    { name: 'dense, int8 vectors', rank: byInt8 },
    ...signCandidates.map((candidates) => ({ name: `dense, ${candidates} by signs`, rank: bySigns(candidates) })),
  ];
}

/** The first places by score; `rows` are what the scores are of. */
function best(scores: ArrayLike<number>, rows: readonly number[]): number[] {
  return Array.from(rows, (row, i) => ({ row, score: scores[i]! }))
    .sort((a, b) => b.score - a.score || a.row - b.row)
    .slice(0, runDepth)
    .map(({ row }) => row);
}
