import { analyseWords } from '../../../text/analysis/words.ts';
import { documentsAsked } from '../../../text/languages/documents-asked.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { positionsOf, type Question, sameWord } from '../question/question.ts';

/** Positions of the terms of what documents are asked for by, and whether all of them are asked for. */
const askedOf = once((question: Question) => {
  const asked = documentsAsked(question.text);
  if (asked === undefined) return undefined;
  const subject = positionsOf(question, analyseWords(asked.subject));
  return subject.length === 0 ? undefined : { subject, isForAll: asked.isForAll };
});

/**
 * Of each document that has all that a question looks for (`Which documents mention the deposit?`) the sentence that has
 * most of it, with its title and headings; documents with it in their title first, then as they were found. The first one
 * alone where one document is asked for.
 */
export function documentsHolding(question: Question, ranked: readonly Scored[], most: number): readonly Candidate[] {
  const asked = askedOf(question);
  if (asked === undefined) return [];
  const { subject, isForAll } = asked;
  const best = new Map<string, { readonly candidate: Candidate; readonly own: number; readonly isTitled: boolean }>();
  for (const { candidate } of ranked) {
    const { match, titleMatch, passage } = candidate;
    if (!subject.every((j) => Math.max(match[j]!, titleMatch[j]!) >= sameWord)) continue;
    const own = subject.filter((j) => match[j]! >= sameWord).length;
    const { uri } = passage.hit.chunk;
    const known = best.get(uri);
    if (own === 0 && !isForAll) continue;
    if (known !== undefined && known.own >= own) continue;
    best.set(uri, { candidate, own, isTitled: subject.every((j) => passage.titleMatch[j]! >= sameWord) });
  }
  const found = [...best.values()].sort(
    (a, b) =>
      Number(b.isTitled) - Number(a.isTitled) || a.candidate.passage.rank - b.candidate.passage.rank || b.own - a.own,
  );
  return found.slice(0, isForAll ? most : 1).map(({ candidate }) => candidate);
}
