import { asksCraft, crafts } from '../../../text/languages/crafts.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** What it is asked who did in a work. */
const craftAsked = once(({ text, language, type }: Question): RegExp | undefined => {
  if (language !== 'en' || type !== 'person') return undefined;
  const groups = asksCraft.exec(text)?.groups;
  const said = groups?.noun ?? groups?.verb;
  return said === undefined ? undefined : crafts.find((craft) => craft.test(said));
});

/**
 * Whether a sentence only tells who did something else in a work: `The play was directed by Ann Moor.`, asked who
 * translated it.
 */
export function isOfOtherCraft(question: Question, candidate: Candidate): boolean {
  const asked = craftAsked(question);
  if (asked === undefined || candidate.unit.kind === 'row') return false;
  const text = textOf(candidate);
  return !asked.test(text) && crafts.some((craft) => craft !== asked && craft.test(text));
}
