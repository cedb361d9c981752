import { analyseWords, fullWords } from '../../../text/analysis/words.ts';
import { saysMore } from '../../../text/languages/comparisons.ts';
import { thingsCompared } from '../../../text/languages/things-compared.ts';
import { type Candidate, termsOf } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

const namesOf = (name: string): string[] => fullWords(name).map(({ term }) => term);

const thingsOf = once(({ text }: Question) => thingsCompared(text));

const compared = once((question: Question): readonly (readonly string[])[] | undefined => {
  const found = thingsOf(question);
  if (found === undefined) return undefined;
  const both = [found.one, found.other].map(namesOf);
  return both.some(({ length }) => length === 0) ? undefined : both;
});

/** Whether it is asked which of two things is longer, and no sentence has a figure, or says that one is more so. */
const lacksMeasure = (question: Question, said: readonly Candidate[]): boolean =>
  thingsOf(question)?.wanted !== undefined &&
  said.every((candidate) => !/\p{N}/u.test(textOf(candidate)) && !saysMore.test(textOf(candidate)));

/** Whether two things are compared, and the sentences of an answer, with what stands over them, name one alone or none. */
export function lacksOther(question: Question, said: readonly Candidate[]): boolean {
  const both = compared(question);
  if (both === undefined) return false;
  const has = new Set(
    said.flatMap((candidate) => [
      ...termsOf(candidate),
      ...analyseWords([candidate.passage.hit.chunk.title, ...candidate.headings].join('\n')).map(({ term }) => term),
    ]),
  );
  return lacksMeasure(question, said) || both.some((terms) => !terms.every((term) => has.has(term)));
}
