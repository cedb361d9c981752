import type { AnalysedWord } from '../../../text/analysis/words.ts';
import { placeInOrder } from '../../../text/languages/orders.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';

interface Ordered {
  readonly place: number;
  /** Term of the word behind it. */
  readonly thing: string;
}

/** The things of which an order is said: `keeper` of `the first keeper`. */
function orderedIn(tokens: readonly AnalysedWord[]): Ordered[] {
  return tokens.flatMap(({ word }, i) => {
    const place = placeInOrder(word);
    const next = tokens[i + 1];
    return place === undefined || next === undefined || next.empty ? [] : [{ place, thing: next.term }];
  });
}

const asked = once(({ tokens }: Question): readonly Ordered[] => orderedIn(tokens));

/** Whether the first one is asked for, and a sentence speaks of the last one and not of the first. */
export function isOfOtherOrder(question: Question, { tokens }: Candidate): boolean {
  const wanted = asked(question);
  if (wanted.length === 0) return false;
  const said = orderedIn(tokens);
  return wanted.some(({ place, thing }) => {
    const own = said.filter((one) => one.thing === thing);
    return own.length > 0 && own.every((one) => one.place !== place);
  });
}
