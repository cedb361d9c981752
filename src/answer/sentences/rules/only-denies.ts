import { asksWhich, deniesAnything, negation, notWord, saysExcept } from '../../../text/languages/negation.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { isSame, type Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** Until when something is not so, or why, may be what is asked. */
const asksThing: ReadonlySet<Question['type']> = new Set(['person', 'place', 'other', 'list']);
/** Words of a question that may stand behind `not`, at most so far. */
const mostBetween = 1;

const asksWhatIsSo = once(
  ({ text, type }: Question) =>
    asksThing.has(type) && asksWhich.test(text) && !negation.test(text) && !deniesAnything.test(text),
);

/** Whether it is asked who does something, and a sentence only says that it is not done: `Members may not sell boats.` */
export function onlyDenies(question: Question, candidate: Candidate): boolean {
  const { tokens, unit } = candidate;
  if (unit.kind === 'row' || !asksWhatIsSo(question)) return false;
  const own = textOf(candidate);
  if (!negation.test(own) || saysExcept.test(own)) return false;
  // who may choose not to do it may do it
  const denied = tokens.flatMap(({ word }, i) =>
    notWord.test(word) && tokens[i + 1]?.word !== 'to'
      ? (tokens.slice(i + 1, i + 2 + mostBetween).find(({ empty }) => !empty) ?? [])
      : [],
  );
  return denied.some(
    (word) =>
      question.tokens.some((asked) => !asked.empty && !asked.capital && isSame(question, asked, word)) &&
      tokens.every((token) => token === word || !isSame(question, word, token)),
  );
}
