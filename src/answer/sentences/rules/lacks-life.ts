import {
  asksHowDied,
  asksOfLife,
  asksOwnBirth,
  lifeEventWord,
  saysBirth,
  saysHowDied,
} from '../../../text/languages/lives.ts';
import { calendarName, isNumberWord } from '../../../text/languages/question-words.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { headerTextOf, namesOver, textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const loss = -3;

/**
 * Whether a sentence says nothing of the birth that is asked for, or not how somebody died: `Ann Moor died in 1938.`,
 * asked how she died.
 */
export function lacksLife({ text }: Question, candidate: Candidate): boolean {
  const own = textOf(candidate);
  if (asksHowDied.test(text)) return !saysHowDied.test(own);
  if (!asksOwnBirth.test(text)) return false;
  return ![own, headerTextOf(candidate), ...namesOver(candidate)].some((said) => saysBirth.test(said));
}

/** Whether a sentence only says that somebody was born or died: `Ann Moor died on 2 May.`, asked what she did for the club. */
export function onlyTellsLife({ text }: Question, { passage, unit, tokens }: Candidate): boolean {
  if (unit.kind === 'row' || asksOfLife.test(text)) return false;
  const { text: whole } = passage.hit.chunk;
  const isName = (start: number, capital: boolean): boolean => capital || whole[start - 1] === '('; // or an alias
  const said = tokens.filter(
    ({ empty, numeric, capital, start, word }) =>
      lifeEventWord.test(word) ||
      !(empty || numeric || isName(start, capital) || calendarName(word) || isNumberWord(word)),
  );
  return said.length > 0 && said.every(({ word }) => lifeEventWord.test(word));
}

/** What a sentence loses by that. */
export function lifeUnsaidLoss(question: Question, candidate: Candidate): number {
  return lacksLife(question, candidate) || onlyTellsLife(question, candidate) ? loss : 0;
}
