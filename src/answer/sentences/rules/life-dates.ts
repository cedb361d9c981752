import { asksLife, birthIn, lifeWord, namesPlace } from '../../../text/languages/lives.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 6;

/** `(4 May 1861 in Haven – 2 June 1938)` behind a name, from birth to death. */
const life = /\(([^()]*\p{N}{3,4}[^()]*?)\s*[–—-]\s*([^()]*\p{N}{3,4}[^()]*)\)/u;

interface Asked {
  readonly isBirth: boolean;
  readonly isPlace: boolean;
  readonly names: Question['tokens'];
}

const askedOf = once(({ text, tokens }): Asked | undefined => {
  const groups = asksLife.exec(text)?.groups;
  const said = tokens.filter(({ empty, start }) => !empty && start > 0);
  const names = said.filter(({ capital }) => capital);
  const isAlone = names.length > 0 && said.every(({ capital, word }) => capital || lifeWord.test(word));
  const isPlace = groups?.place !== undefined || groups?.ort !== undefined;
  return groups && isAlone ? { isBirth: groups.birth !== undefined, isPlace, names } : undefined;
});

/**
 * How much a sentence gains since it has the life of who is asked for in brackets behind the name, as encyclopedias write
 * it, where it is asked when or where somebody was born or died.
 */
export function lifeGain(question: Question, candidate: Candidate): number {
  const asked = askedOf(question);
  if (asked === undefined) return 0;
  const text = textOf(candidate);
  const found = life.exec(text);
  const said = found ? found[asked.isBirth ? 1 : 2] : asked.isBirth ? birthIn.exec(text)?.[0] : undefined;
  if (said === undefined) return 0;
  if (asked.isPlace && !namesPlace.test(said)) return 0;
  const before = candidate.unit.start + text.indexOf('(');
  const isNamed = asked.names.every(({ term }) =>
    candidate.tokens.some((one) => one.term === term && one.end <= before),
  );
  return isNamed ? gain : 0;
}

/** Whether a sentence answers with the life of just who is asked for. */
export function settlesLife(question: Question, candidate: Candidate): boolean {
  return lifeGain(question, candidate) > 0;
}
