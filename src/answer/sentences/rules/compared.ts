import type { StoredChunk } from '../../../core/types.ts';
import { analyseWords, fullWords } from '../../../text/analysis/words.ts';
import { type Comparison, comparisonIn, tellsApart } from '../../../text/languages/comparisons.ts';
import { unitsSaid } from '../../../text/languages/measures.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';
import { valuesOf } from '../structure/values.ts';
import { rowOf } from './row-contest.ts';
import { sectionGain } from './section.ts';

/** Of the words of two sentences beside their values, those that both have: they speak of the same of two things. */
const leastAlike = 0.5;
/** Sentences of each thing that are compared. */
const mostOfEach = 40;

interface Sides {
  /** Terms of each name that the other has not, and all of both. */
  readonly one: ReadonlySet<string>;
  readonly other: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly unit: string | undefined;
  readonly wanted: 'more' | 'less' | undefined;
}

const termsOf = (name: string): string[] => fullWords(name).map(({ term }) => term);

const sidesOf = once(({ text }: Question): Sides | undefined => {
  const found = comparisonIn(text);
  if (found === undefined) return undefined;
  const [a, b] = [termsOf(found.one), termsOf(found.other)];
  const one = new Set(a.filter((term) => !b.includes(term)));
  const other = new Set(b.filter((term) => !a.includes(term)));
  const names = new Set([...a, ...b]);
  return one.size === 0 || other.size === 0 ? undefined : { ...found, one, other, names };
});

/** Whether it is asked what tells two things apart, and a sentence names neither, nor stands below one of them. */
export function namesNeither(question: Question, candidate: Candidate): boolean {
  const sides = sidesOf(question);
  if (sides === undefined || sides.unit !== undefined || sectionGain(question, candidate) > 0) return false;
  const own = new Set(candidate.tokens.map(({ term }) => term));
  if (holdsAny(sides, own)) return false;
  const over = new Set(analyseWords(candidate.headings.at(-1) ?? '').map(({ term }) => term));
  const side = sideIn(sides, over);
  return side === undefined || side === 'both';
}

const holdsAny = ({ one, other }: Sides, has: ReadonlySet<string>): boolean =>
  [...one, ...other].some((term) => has.has(term));

/**
 * The two sentences, or rows, that say the same of the two things that a question compares, with other values: `It weighs
 * 4 kg` of one page and `It weighs 6 kg` of the other. A thing is named in the sentence, else in what stands over it.
 */
export function comparedPair(
  question: Question,
  ranked: readonly Scored[],
): readonly [Candidate, Candidate] | undefined {
  const explained = labelledPair(question, ranked);
  if (explained !== undefined) return explained;
  const sides = sidesOf(question);
  if (sides === undefined) return undefined;
  // one that speaks of both may say what tells them apart
  const speaksOfBoth = ({ candidate: { unit, tokens } }: Scored): boolean =>
    unit.kind === 'sentence' && sideIn(sides, new Set(tokens.map(({ term }) => term))) === 'both';
  if (sides.unit === undefined && ranked.some(speaksOfBoth)) return undefined;
  const ones: Said[] = [];
  const others: Said[] = [];
  for (const { candidate } of ranked) {
    const side = sideOf(candidate, sides);
    const list = side === 'one' ? ones : others;
    if (side === undefined || side === 'both' || list.length >= mostOfEach) continue;
    const said = saidBy(candidate, sides);
    if (said !== undefined) list.push(said);
  }
  let best: { readonly pair: readonly [Candidate, Candidate]; readonly order: number } | undefined;
  const asked = [...question.terms.keys()].filter((j) => !sides.names.has(question.terms[j]!.term));
  const saysAsked = ({ candidate: { match } }: Said): boolean => asked.some((j) => match[j]! >= sameWord);
  for (const a of ones)
    for (const b of others) {
      // `Compare the noise of …`: pairs that say it come before those that say something else
      const share = alike(a, b);
      const order = share + (saysAsked(a) && saysAsked(b) ? 1 : 0);
      if (share >= leastAlike && order > (best?.order ?? 0)) best = { pair: [a.candidate, b.candidate], order };
    }
  return best?.pair;
}

/** `Grab: For coal.` and `Hook: For boxes.`: what one document says of each behind its name. */
function labelledPair({ text }: Question, ranked: readonly Scored[]): readonly [Candidate, Candidate] | undefined {
  const found = comparisonIn(text);
  if (found === undefined || found.unit !== undefined) return undefined;
  const [a, b] = [found.one, found.other].map((name) => termsOf(name).join(' '));
  if (a === '' || b === '' || a === b || ranked.some(({ candidate }) => tellsBothApart(found, candidate)))
    return undefined;
  const ones: Candidate[] = [];
  const others: Candidate[] = [];
  for (const { candidate } of ranked) {
    const own = labelOf(candidate);
    if (own === undefined) continue;
    const named = termsOf(own).join(' ');
    if (named === a) ones.push(candidate);
    else if (named === b) others.push(candidate);
  }
  for (const one of ones) {
    const other = others.find(({ passage: { hit } }) => hit.chunk.uri === one.passage.hit.chunk.uri);
    if (other !== undefined) return [one, other];
  }
  return undefined;
}

function tellsBothApart({ one, other }: Comparison, candidate: Candidate): boolean {
  if (!tellsApart.test(textOf(candidate))) return false;
  const own = new Set(candidate.tokens.map(({ term }) => term));
  return [one, other].every((name) => termsOf(name).every((term) => own.has(term)));
}

const label = /^[\s>*•+-]*([^\s:][^:\n]{0,60}?)(?:[:：]| [–—-])[ \t]+(?=\S)/u;

/** The label in front of a sentence, the first behind it. */
function labelOf({ passage: { hit }, unit }: Candidate): string | undefined {
  const { text } = hit.chunk;
  if (unit.kind === 'row') return undefined;
  const from = text.lastIndexOf('\n', unit.start) + 1;
  const found = label.exec(text.slice(from, Math.min(unit.end, from + 120)));
  return found !== null && unit.start <= from + found[0].length ? found[1] : undefined;
}

/**
 * The one of two compared sentences that is asked for, by its value: the heavier thing, the cheaper one. Undefined where
 * both are asked for, or their values are equal or in different units.
 */
export function winnerOf(question: Question, [one, other]: readonly [Candidate, Candidate]): Candidate | undefined {
  const sides = sidesOf(question);
  if (sides?.wanted === undefined) return undefined;
  const [a, b] = [amountOf(one, sides), amountOf(other, sides)];
  if (a === undefined || b === undefined || a.unit !== b.unit || a.amount === b.amount) return undefined;
  return a.amount > b.amount === (sides.wanted === 'more') ? one : other;
}

/** The one amount of a sentence in a unit of the kind that is compared, with the unit as it is written. */
function amountOf(
  candidate: Candidate,
  { unit }: Sides,
): { readonly amount: number; readonly unit: string } | undefined {
  const text = textOf(candidate);
  const found = valuesOf(text).flatMap(({ kind, start, end, amount, unit: sign }) => {
    const word = /^\s?[\p{L}°%/²]+/u.exec(text.slice(end))?.[0] ?? '';
    const said = sign === '' ? word.trim() : sign;
    return kind === 'number' && unitsSaid[unit ?? '']?.test(text.slice(start, end) + word)
      ? [{ amount, unit: said }]
      : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

const wordsOf = new WeakMap<StoredChunk, ReadonlySet<string>>();

/** Of a whole passage and its address. */
function wordsIn(chunk: StoredChunk): ReadonlySet<string> {
  const known = wordsOf.get(chunk) ?? new Set(analyseWords(`${chunk.uri}\n${chunk.text}`).map(({ term }) => term));
  wordsOf.set(chunk, known);
  return known;
}

type Side = 'one' | 'other' | 'both';

function sideIn({ one, other }: Sides, has: ReadonlySet<string>): Side | undefined {
  const [isOne, isOther] = [one, other].map((terms) => [...terms].every((term) => has.has(term)));
  if (isOne && isOther) return 'both';
  return isOne ? 'one' : isOther ? 'other' : undefined;
}

/** By the sentence, else by what stands over it, else by its passage. */
function sideOf(candidate: Candidate, sides: Sides): Side | undefined {
  const own = sideIn(sides, new Set(candidate.tokens.map(({ term }) => term)));
  if (own !== undefined) return own;
  const { chunk } = candidate.passage.hit;
  const over = analyseWords([chunk.title, ...chunk.headings, ...candidate.headings].join('\n'));
  return sideIn(sides, new Set(over.map(({ term }) => term))) ?? sideIn(sides, wordsIn(chunk));
}

interface Said {
  readonly candidate: Candidate;
  readonly words: ReadonlySet<string>;
  /** Its numbers. */
  readonly values: readonly string[];
}

/** What a sentence says beside the names of both; undefined where it states no value of the unit that is asked for. */
function saidBy(candidate: Candidate, { one, other, unit }: Sides): Said | undefined {
  const { unit: place, tokens } = candidate;
  const text = textOf(candidate);
  const names = tokens.filter(({ term }) => one.has(term) || other.has(term));
  const isName = (start: number, end: number): boolean =>
    names.some((token) => start < token.end - place.start && end > token.start - place.start);
  // pages have dates of their own, which are no difference of the things
  const values = valuesOf(text).filter(({ kind, start, end }) => kind === 'number' && !isName(start, end));
  if (values.length === 0 || (unit !== undefined && !unitsSaid[unit]!.test(text))) return undefined;
  const isValue = (start: number, end: number): boolean => values.some((one) => start < one.end && end > one.start);
  const words = tokens.flatMap(({ term, empty, start, end }) => {
    const [from, to] = [start - place.start, end - place.start];
    return empty || isName(from, to) || isValue(from, to) ? [] : [term];
  });
  return { candidate, words: new Set(words), values: values.map(({ key }) => key) };
}

function areOfOneTable(a: Candidate, b: Candidate): boolean {
  const table = rowOf(a)?.table;
  return table !== undefined && table === rowOf(b)?.table;
}

/** How much both have in common, where their values differ. */
function alike(a: Said, b: Said): number {
  if (a.candidate.unit.kind !== b.candidate.unit.kind) return 0;
  if (a.candidate.unit.kind === 'row') return areOfOneTable(a.candidate, b.candidate) ? 1 : 0;
  if (a.words.size === 0) return 0;
  if (a.values.length !== b.values.length || a.values.every((key, i) => key === b.values[i])) return 0;
  let both = 0;
  for (const word of a.words) if (b.words.has(word)) both++;
  return both / (a.words.size + b.words.size - both);
}
