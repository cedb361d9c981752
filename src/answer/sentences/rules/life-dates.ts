import {
  asksBirth,
  asksLife,
  birthIn,
  birthPlace,
  bornThen,
  lifeWord,
  namesPlace,
} from '../../../text/languages/lives.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 6;

/** `(4 May 1861 in Haven – 2 June 1938)` behind a name, from birth to death. */
function lifeIn(text: string): readonly [birth: string, death: string] | undefined {
  for (const [, inside = ''] of text.matchAll(/\(([^()]+)\)/g)) {
    for (let at = inside.length - 1; at > 0; at--) {
      if (!dash.test(inside[at]!)) continue;
      const [birth, death] = [inside.slice(0, at).trim(), inside.slice(at + 1).trim()];
      if (longNumber.test(birth) && longNumber.test(death)) return [birth, death];
    }
  }
  return undefined;
}
const dash = /[–—-]/;
const longNumber = /\p{N}{3}/u;

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
  const label = asked.isPlace && asked.isBirth ? text.search(birthPlace) : -1;
  if (label >= 0) return isNamed(asked, candidate, label) ? gain : 0;
  const found = lifeIn(text);
  const said = found ? found[asked.isBirth ? 0 : 1] : asked.isBirth ? birthIn.exec(text)?.[0] : undefined;
  if (said === undefined) return 0;
  if (asked.isPlace && !namesPlace.test(said)) return 0;
  return isNamed(asked, candidate, text.indexOf('(')) ? gain : 0;
}

/** How much a sentence loses since it has the day of a birth in brackets, where the place is asked for. */
export function lifeLoss(question: Question, candidate: Candidate): number {
  const asked = askedOf(question);
  if (asked === undefined || !asked.isPlace || !asked.isBirth) return 0;
  const said = birthIn.exec(textOf(candidate))?.[0];
  return said !== undefined && !namesPlace.test(said) ? -gain / 2 : 0;
}

/** @param end of what names it, in the sentence */
function isNamed({ names }: Asked, { unit, tokens }: Candidate, end: number): boolean {
  return names.every(({ term }) => tokens.some((one) => one.term === term && one.end <= unit.start + end));
}

/** Whether a sentence answers with the life of just who is asked for. */
export function settlesLife(question: Question, candidate: Candidate): boolean {
  return lifeGain(question, candidate) > 0;
}

const year = /(?<!\p{N})(?:1\p{N}|20)\p{N}\p{N}(?!\p{N})/u;

/** Whether it is asked when something was, and the only date of a sentence is that of a birth. */
export function isOnlyBirth({ type, text }: Question, candidate: Candidate): boolean {
  if (type !== 'date' || asksBirth.test(text) || candidate.unit.kind === 'row') return false;
  const own = textOf(candidate);
  const rest = own.replace(bornThen, '');
  return rest !== own && !year.test(rest);
}
