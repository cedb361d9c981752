import type { StoredChunk } from '../core/types.ts';
import type { RowSet, Snapshot } from '../store/contract.ts';
import type { AnalysedChunk, ChunkCache } from './chunk-cache.ts';
import { hashTerm } from './hash.ts';

/** A hit, with its ordinal. */
interface FoundChunk {
  readonly ordinal: number;
  readonly chunk: AnalysedChunk;
}

/**
 * The first chunks of the document that a query names, without those found: what a document says first is about its
 * subject as a whole, and seldom repeats the words of a question about it. A query names a document by two neighbouring
 * words of its title, by half of them, or by all that its page is called; the document must have two hits, and of
 * several the one with most is taken.
 * @param found best first
 * @param terms of the query
 * @param within only these rows, where given
 */
export async function openingOf(
  snapshot: Snapshot,
  cache: ChunkCache,
  found: readonly FoundChunk[],
  terms: readonly string[],
  { count, within }: { readonly count: number; readonly within: RowSet | undefined },
): Promise<readonly StoredChunk[]> {
  const asked = new Set(terms.map(hashTerm));
  const byDocument = new Map<string, FoundChunk[]>();
  for (const one of found) {
    const { uri } = one.chunk.chunk;
    const list = byDocument.get(uri);
    if (list) list.push(one);
    else if (isNamed(one.chunk, asked)) byDocument.set(uri, [one]);
  }
  let named: readonly FoundChunk[] = [];
  for (const list of byDocument.values()) if (list.length > Math.max(1, named.length)) named = list;
  const [one] = named;
  if (one === undefined) return [];
  const [first, end] = snapshot.documentRange(one.ordinal);
  const rows: number[] = [];
  for (let row = first; row < Math.min(end, first + count); row++) {
    if ((within?.has(row) ?? true) && !found.some(({ ordinal }) => ordinal === row)) rows.push(row);
  }
  return (await cache.get(rows)).map(({ chunk }) => chunk);
}

/** Two words that follow each other in the title, half of its words, or those of `Hoist` in `Hoist (Crane API)`. */
function isNamed({ title, name }: AnalysedChunk, asked: ReadonlySet<number>): boolean {
  if (name.length > 0 && name.every((word) => asked.has(word))) return true;
  let met = 0;
  for (const [i, word] of title.entries()) {
    if (!asked.has(word)) continue;
    met++;
    if (i > 0 && asked.has(title[i - 1]!)) return true;
  }
  return met > 0 && 2 * met >= title.length;
}
