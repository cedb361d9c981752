import type { Span } from '../../../core/types.ts';
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
import { valuesOf } from '../structure/values.ts';

/** On the scale of the trees. */
const gain = 6;

interface Told {
  readonly text: string;
  /** Of it, in the sentence. */
  readonly start: number;
}

/** `(4 May 1861 in Haven – 2 June 1938)` or `(* 4. Mai 1861 in Haven; † 2. Juni 1938)` behind a name. */
function lifeIn(text: string): readonly [birth: Told, death: Told] | undefined {
  for (const { 0: all, index } of text.matchAll(/\([^()]+\)/g)) {
    for (let at = all.length - 2; at > 1; at--) {
      if (!between.test(all[at]!)) continue;
      const [birth, death] = [all.slice(1, at), all.slice(at + 1, -1)];
      if (longNumber.test(birth) && longNumber.test(death))
        return [
          { text: birth, start: index + 1 },
          { text: death, start: index + at + 1 },
        ];
    }
  }
  return undefined;
}
const between = /[–—†-]/;
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
  const told = toldOf(asked, text);
  if (told === undefined || (asked.isPlace && !namesPlace.test(told.text))) return 0;
  return isNamed(asked, candidate, text.indexOf('(')) ? gain : 0;
}

/** What a sentence says of the birth or the death that is asked for. */
function toldOf({ isBirth }: Asked, text: string): Told | undefined {
  const found = lifeIn(text);
  if (found) return found[isBirth ? 0 : 1];
  const only = isBirth ? birthIn.exec(text) : null;
  return only ? { text: only[0], start: only.index } : undefined;
}

/** The date of the birth or the death that is asked for, and not of both, in offsets of the chunk's text. */
export function lifeMark(question: Question, candidate: Candidate): Span | undefined {
  const asked = askedOf(question);
  const told = asked === undefined || asked.isPlace ? undefined : toldOf(asked, textOf(candidate));
  if (told === undefined || !isNamed(asked!, candidate, told.start)) return undefined;
  const date = valuesOf(told.text).find(
    ({ kind, start, end }) => kind === 'date' && longNumber.test(told.text.slice(start, end)),
  );
  const found = date ?? spanOf(year.exec(told.text));
  const from = candidate.unit.start + told.start;
  return found && { start: from + found.start, end: from + found.end };
}

const spanOf = (match: RegExpExecArray | null): Span | undefined =>
  match ? { start: match.index, end: match.index + match[0].length } : undefined;

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

const year = /(?<!\p{N})(?:1\p{N}|20)\p{N}\p{N}(?!\p{N})/u;

/** Whether it is asked when something was, and the only date of a sentence is that of a birth. */
export function isOnlyBirth({ type, text }: Question, candidate: Candidate): boolean {
  if (type !== 'date' || asksBirth.test(text) || candidate.unit.kind === 'row') return false;
  const own = textOf(candidate);
  const rest = own.replace(bornThen, '');
  return rest !== own && !year.test(rest);
}
