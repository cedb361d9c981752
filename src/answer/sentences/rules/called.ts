import { asksCalled, asksNamesake, calledBy, tellsNamesake } from '../../../text/languages/names-given.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { positionsOf, type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 4;
const mostWords = 3;

interface Asked {
  readonly words: ReadonlySet<string>;
  /** How a sentence names the thing. */
  readonly named: RegExp;
}

const askedOf = once(({ text }: Question): Asked | undefined => {
  const groups = asksCalled.exec(text)?.groups;
  const thing = groups && Object.values(groups).find((one) => one !== undefined);
  const words = thing?.split(/\s+/u) ?? [];
  if (words.length === 0 || words.length > mostWords || !/^[\p{L}\p{N} -]+$/u.test(thing!)) return undefined;
  const named = new RegExp(`(?<![\\p{L}\\p{N}])${words.at(-1)!}${calledBy}`, 'u');
  return { words: new Set(words.map((word) => word.toLowerCase())), named };
});

/** How much a sentence gains since it gives the name that is asked for: `use the drops (Latanor)`, asked how they are called. */
export function calledGain(question: Question, candidate: Candidate): number {
  const asked = askedOf(question);
  if (asked === undefined || candidate.unit.kind === 'row' || !asked.named.test(textOf(candidate))) return 0;
  const { match, titleMatch } = candidate;
  const isHeld = question.terms.every(
    ({ word }, j) => !asked.words.has(word) || Math.max(match[j]!, titleMatch[j]!) >= sameWord,
  );
  return isHeld ? gain : 0;
}

const namesakeOf = once(({ text, tokens, terms }: Question): readonly number[] => {
  const groups = asksNamesake.exec(text)?.groups;
  const thing = groups && Object.values(groups).find((one) => one !== undefined);
  if (thing === undefined) return [];
  const start = text.indexOf(thing);
  const own = tokens.filter((token) => !token.empty && token.start >= start && token.end <= start + thing.length);
  return positionsOf({ terms }, own);
});

/** How much a sentence gains since it tells after whom just the thing is called that is asked about. */
export function namesakeGain(question: Question, candidate: Candidate): number {
  const thing = namesakeOf(question);
  if (thing.length === 0 || candidate.unit.kind === 'row' || !tellsNamesake.test(textOf(candidate))) return 0;
  return thing.every((j) => candidate.match[j]! >= sameWord) ? gain : 0;
}
