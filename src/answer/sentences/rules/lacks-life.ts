import {
  asksHowDied,
  asksOfLife,
  asksOwnBirth,
  asksOwnDeath,
  lifeEventWord,
  saysBirth,
  saysDeath,
  saysHowDied,
} from '../../../text/languages/lives.ts';
import { calendarName, isNumberWord } from '../../../text/languages/question-words.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { headerTextOf, namesOver, textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const loss = -3;

const asked = once(({ text }) => ({
  howDied: asksHowDied.test(text),
  ownBirth: asksOwnBirth.test(text),
  ownDeath: asksOwnDeath.test(text),
  life: asksOfLife.test(text),
}));

/**
 * Whether a sentence says nothing of the birth or the death that is asked for, or not how somebody died: `Ann Moor died
 * in 1938.`, asked how she died.
 */
export function lacksLife(question: Question, candidate: Candidate): boolean {
  const { howDied, ownBirth, ownDeath } = asked(question);
  if (!howDied && !ownBirth && !ownDeath) return false;
  const own = textOf(candidate);
  if (howDied) return !saysHowDied.test(own);
  const says = ownBirth ? saysBirth : saysDeath;
  return ![own, headerTextOf(candidate), ...namesOver(candidate)].some((said) => says.test(said));
}

/** Whether a sentence only says that somebody was born or died: `Ann Moor died on 2 May.`, asked what she did for the club. */
export function onlyTellsLife(question: Question, { passage, unit, tokens }: Candidate): boolean {
  if (unit.kind === 'row' || asked(question).life) return false;
  const { text: whole } = passage.hit.chunk;
  const isName = (start: number, capital: boolean): boolean => capital || whole[start - 1] === '('; // or an alias
  let found = false;
  for (const { empty, numeric, capital, start, word } of tokens) {
    if (lifeEventWord.test(word)) found = true;
    else if (!(empty || numeric || isName(start, capital) || calendarName(word) || isNumberWord(word))) return false;
  }
  return found;
}

/** What a sentence loses by that. */
export function lifeUnsaidLoss(question: Question, candidate: Candidate): number {
  return lacksLife(question, candidate) || onlyTellsLife(question, candidate) ? loss : 0;
}
