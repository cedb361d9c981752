import type { Hit, StoredChunk } from '../core/types.ts';

/** With the text: two of several indexes may have a document of one uri. */
const placeOf = ({ chunk }: Hit): string => `${chunk.uri}#${chunk.position} ${chunk.text}`;

/** Hits that come along with those that were found: none that is there already, and none that is better. */
export function alongside(found: readonly Hit[], more: readonly Hit[]): readonly Hit[] {
  const there = new Set(found.map(placeOf));
  const least = found.at(-1)?.score ?? 1;
  return more.filter((hit) => !there.has(placeOf(hit))).map((hit) => ({ ...hit, score: Math.min(hit.score, least) }));
}

/** Passages that no search has found, as hits. */
export function hitsOf(chunks: readonly StoredChunk[]): readonly Hit[] {
  return chunks.map((chunk) => ({ chunk, score: 1, origin: 'local', trace: [] }));
}
