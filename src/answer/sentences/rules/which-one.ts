import { asksWhichOne, ordinal } from '../../../text/languages/ordinals.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 4;

/** How a sentence says which of the things that are asked for: `third floor`, `room 12`, `gate C`. */
const saidBy = once(({ text }: Question): RegExp | undefined => {
  const thing = asksWhichOne.exec(text)?.groups?.thing;
  if (thing === undefined) return undefined;
  const figure = '(?:\\p{Nd}+\\p{L}?|\\p{Lu})';
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${ordinal} ${thing}|${thing} ${figure})(?![\\p{L}\\p{N}])`, 'u');
});

/**
 * How much a sentence gains since it says which one it is, by its number or letter, where that is asked and the rest of
 * the question stands in the passage: `on the third floor`, asked which floor it is on.
 */
export function whichOneGain(question: Question, candidate: Candidate): number {
  const said = saidBy(question);
  if (said === undefined || candidate.unit.kind === 'row' || !said.test(textOf(candidate))) return 0;
  const { passage, titleMatch } = candidate;
  const isHeld = question.terms.every((_, j) => Math.max(passage.match[j]!, titleMatch[j]!) >= sameWord);
  return isHeld ? gain : 0;
}
