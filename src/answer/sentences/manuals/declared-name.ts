import { declaredAt, nameAlone } from '../../../text/analysis/declared.ts';
import { analyseQuery } from '../../../text/analysis/query.ts';
import { asksDefault } from '../../../text/languages/default-values.ts';
import type { AnalysedPassage, Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';

/** On the scale of the trees: what is said of a name first has often no other word of the question. */
const gain = 6;

const asked: (question: Question) => string | undefined = once(({ text, type }) =>
  (type !== 'definition' && type !== 'other') || asksDefault.test(text) ? undefined : nameAlone(analyseQuery(text)),
);

/** Where passages begin to say what the name is; each belongs to one question. */
const places = new WeakMap<AnalysedPassage, number>();
const nowhere = -1;

function placeIn(passage: AnalysedPassage, name: string): number {
  const at = places.get(passage) ?? declaredAt(passage.hit.chunk.text, name) ?? nowhere;
  places.set(passage, at);
  return at;
}

/** How much a sentence gains since it is what a reference says first of the one name that is asked for; else 0. */
export function declaredNameGain(question: Question, { passage, unit }: Candidate): number {
  const name = asked(question);
  if (name === undefined) return 0;
  const at = placeIn(passage, name);
  return unit.start <= at && at < unit.end ? gain : 0;
}
