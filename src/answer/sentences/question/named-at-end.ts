import type { AnalysedWord } from '../../../text/analysis/words.ts';
import { callsIt } from '../../../text/languages/names-told.ts';
import { holdsTerm, type Question } from './question.ts';

/** As many words as a sentence needs to say what it names at its end. */
const fewestBefore = 5;

/** Whether a sentence ends with the term, as the name of what it tells: `A rope that holds a ship is called a hawser.` */
export function endsWithName(
  question: Question,
  terms: readonly number[],
  words: readonly AnalysedWord[],
  sentence: string,
  offset: number,
): boolean {
  const from = words.length - terms.length;
  if (from < fewestBefore) return false;
  const isTerm = terms.every((j, i) => holdsTerm(question, words[from + i], j));
  return isTerm && callsIt.test(sentence.slice(0, words[from]!.start - offset));
}
