import type { Hit } from '../core/types.ts';

/** Of the best hit's score. */
const leastShare = 0.4;
/** A search whose best hit is no likelier than this is not sure of its order. */
const sureFrom = 0.3;
const fewest = 6;
/** Shorter titles stand in many texts. */
const fewestOfName = 3;

/**
 * Hits that may hold an answer, in their order: those behind the first six that have less than 0.4 of the best score go,
 * unless one of the others names their document, which a question in two steps asks for. How the numbers were chosen:
 * `bench/quality/README.md`.
 * @param hits best first, of one search
 */
export function nearestHits<T extends Hit>(hits: readonly T[]): readonly T[] {
  const best = hits[0]?.score ?? 0;
  if (best < sureFrom) return hits;
  const isNear = ({ score }: T, i: number): boolean => i < fewest || score >= leastShare * best;
  const near = hits.filter(isNear);
  if (near.length === hits.length) return hits;
  return hits.filter((hit, i) => isNear(hit, i) || near.some((other) => names(other, hit)));
}

/** Whether a text has the title of another document, which is a name. */
function names({ chunk: { uri, text } }: Hit, { chunk }: Hit): boolean {
  const name = chunk.title.replace(/\s*\([^)]*\)\s*$/, '');
  return uri !== chunk.uri && name.length >= fewestOfName && /[\p{Lu}\p{Lo}]/u.test(name) && text.includes(name);
}
