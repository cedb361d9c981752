import { analyseWords } from '../../../text/analysis/words.ts';
import { asksWayIn } from '../../../text/languages/ways-asked.ts';
import type { AnalysedPassage, Candidate, Scored } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { heldShare, matchTerms, type Question } from '../question/question.ts';
import { type ItemList, itemLists } from '../structure/item-lists.ts';
import { remembered } from '../structure/remembered.ts';

/** Of the question: what heading, lead and title of a list hold; and where nothing is left open. */
const leastHeld = 0.6;
const whole = 0.8;
const fewestItems = 2;

/**
 * Whether a question in another language than English asks how somebody does something. Verbs that tell to do it are
 * known of English alone, but numbered steps look alike in all languages.
 */
export const wantsSteps: (question: Question) => boolean = once(({ language, text }) => asksWayIn(language, text));

const numberedIn = remembered(({ hit }: AnalysedPassage): readonly ItemList[] =>
  itemLists(hit.chunk.text).filter(({ isNumbered, items }) => isNumbered && items.length >= fewestItems),
);

/** The numbered list that a sentence is a part of. */
export function numberedAt({ passage, unit }: Candidate): ItemList | undefined {
  return numberedIn(passage).find(({ start, end }) => start <= unit.start && unit.end <= end);
}

/** The last line before a list. */
const leadOf = (text: string, { start }: ItemList): string => text.slice(0, start).trimEnd().split('\n').at(-1)!;

/** The first sentence of the numbered steps whose heading, lead and title have most of the question. */
export function stepsTold(
  question: Question,
  ranked: readonly Scored[],
): { readonly begins: Candidate; readonly score: number; readonly isWhole: boolean } | undefined {
  if (!wantsSteps(question)) return undefined;
  const seen = new Set<ItemList>();
  const found = ranked
    .map(({ candidate }) => candidate)
    .toSorted((a, b) => a.index - b.index)
    .flatMap((begins) => {
      const list = numberedAt(begins);
      if (list === undefined || seen.has(list)) return [];
      seen.add(list);
      const over = matchTerms(question, analyseWords(leadOf(begins.passage.hit.chunk.text, list)));
      const heldBy = (j: number): number => Math.max(over[j]!, begins.headingMatch[j]!, begins.titleMatch[j]!);
      const score = heldShare(question, heldBy, () => true) ?? 0;
      return score >= leastHeld ? [{ begins, score, isWhole: score >= whole }] : [];
    });
  return found.toSorted((a, b) => b.score - a.score)[0];
}
