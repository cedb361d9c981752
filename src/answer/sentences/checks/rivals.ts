import { type AnalysedWord, analyseWords, contentWords } from '../../../text/analysis/words.ts';
import { hedged } from '../../../text/languages/hedges.ts';
import { negation } from '../../../text/languages/negation.ts';
import { asksYesOrNo, isDateWord, isNumberWord } from '../../../text/languages/question-words.ts';
import type { Candidate } from '../question/candidate.ts';
import { type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';
import { isRounded, type Value, valuesOf } from '../structure/values.ts';

/** Sentences that are looked at, the best by the linear model. */
export const LOOKED_AT = 48;
/** Other answers that are shown beside the first. */
const MOST = 2;
/** Copies of hits that may say otherwise, and are looked at. */
export const variantChunks = 4;
/** Least share of the content words of both sentences that both have: of the values apart. */
const LEAST_SHARED = 0.8;

/**
 * Sentences of other documents that say the same as the answer, with another value in its place: another number or date,
 * another person or place, or no for yes. It is better to miss one than to see one where two sentences speak of
 * different things: what both say beside the value must be nearly the same, no other number, date or name may differ,
 * and the documents must be about the same.
 * @param ranked sentences of the hits, the best first
 */
export function rivalsOf(
  question: Question,
  first: Candidate,
  ranked: readonly { readonly candidate: Candidate }[],
): Candidate[] {
  const kind = kindOf(question);
  if (kind === undefined) return [];
  const own = statementOf(question, first);
  if (kind !== 'no' && hedged.test(own.text)) return [];
  const rivals: { readonly candidate: Candidate; readonly value: string }[] = [];
  const uris = new Set([first.passage.hit.chunk.uri]);
  for (const { candidate } of ranked.slice(0, LOOKED_AT)) {
    if (rivals.length === MOST) break;
    const { uri } = candidate.passage.hit.chunk;
    if (uris.has(uri) || !holdsAsMuch(question, first, candidate)) continue;
    const other = statementOf(question, candidate);
    if (!isAboutTheSame(question, own, other)) continue;
    const value =
      kind === 'no' ? contrary(own, other) : kind === 'name' ? otherName(own, other) : otherValue(own, other);
    if (value === undefined || rivals.some((one) => one.value === value)) continue;
    uris.add(uri);
    rivals.push({ candidate, value });
  }
  return rivals.map(({ candidate }) => candidate);
}

function kindOf({ type, text }: Question): 'value' | 'name' | 'no' | undefined {
  if (type === 'person' || type === 'place') return 'name';
  if (asksYesOrNo.test(text.trim())) return 'no';
  return ['number', 'date', 'definition', 'other'].includes(type) ? 'value' : undefined;
}

/** A sentence, taken apart. */
interface Statement {
  readonly candidate: Candidate;
  readonly text: string;
  readonly tokens: readonly AnalysedWord[];
  readonly values: readonly Value[];
  /** Terms of its content words, values apart. */
  readonly terms: ReadonlySet<string>;
  /** Terms of words with a capital letter that the question does not have, by the run that they stand in. */
  readonly names: readonly (readonly string[])[];
}

function statementOf(question: Question, candidate: Candidate): Statement {
  const { unit } = candidate;
  const text = textOf(candidate);
  // offsets of the sentence
  const tokens = candidate.tokens.map((token) => ({
    ...token,
    start: token.start - unit.start,
    end: token.end - unit.start,
  }));
  const values = valuesOf(text);
  const isValue = ({ start, end }: AnalysedWord): boolean => values.some((one) => start < one.end && end > one.start);
  const words = tokens.filter((token) => !token.empty && !isValue(token) && !negation.test(token.word));
  const terms = new Set(words.map(({ term }) => term));
  const names: string[][] = [];
  let last = -2;
  tokens.forEach((token, i) => {
    const isName =
      token.capital && !token.empty && !isValue(token) && !isDateWord(token.word) && !question.known.has(token.term);
    if (!isName) return;
    if (last === i - 1) names.at(-1)!.push(token.term);
    else names.push([token.term]);
    last = i;
  });
  // the first word of a sentence has a capital letter anyway
  if (names[0]?.length === 1 && tokens[0]?.capital && names[0][0] === tokens[0].term) names.shift();
  return { candidate, text, tokens, values, terms, names };
}

/** Whether another sentence holds every word of the question that the first one holds. */
export function holdsAsMuch({ terms }: Question, first: Candidate, other: Candidate): boolean {
  return terms.every((_, j) => first.match[j]! < sameWord || other.match[j]! >= sameWord);
}

const share = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  let both = 0;
  for (const term of a) if (b.has(term)) both++;
  return both / (a.size + b.size - both || 1);
};

/** The question names what it is about and both sentences have that name; else the titles of the documents agree. */
function isAboutTheSame(question: Question, own: Statement, other: Statement): boolean {
  if (isOfOtherNumber(question, own, other)) return false;
  const named = question.tokens.filter(({ capital, empty, start }) => capital && !empty && start > 0);
  const isNamed = named.length > 0 && named.every(({ term }) => own.terms.has(term) && other.terms.has(term));
  return isNamed || share(titleTerms(own), titleTerms(other)) >= 0.5;
}

/** A number, a year or a model that the question names stands in the passage of the first alone: `LH-300`. */
function isOfOtherNumber({ terms }: Question, own: Statement, other: Statement): boolean {
  const has = ({ candidate: { passage } }: Statement, j: number): boolean =>
    passage.match[j]! >= sameWord || passage.titleMatch[j]! >= sameWord;
  return terms.some(({ numeric }, j) => numeric && has(own, j) && !has(other, j));
}

/** Without what tells versions of a document apart. */
function titleTerms({ candidate: { passage, headings } }: Statement): Set<string> {
  const { title } = passage.hit.chunk;
  const words = contentWords(analyseWords(`${title} ${headings.at(-1) ?? ''}`));
  return new Set(
    words.filter(({ word, numeric }) => !numeric && !isDateWord(word) && !versions.test(word)).map(({ term }) => term),
  );
}

const versions = /^(?:v|version|draft|final|old|new|edition|revision|update[ds]?|copy|neu|alt|entwurf|fassung)$/i;

/** The name that stands in the other sentence for that of the first; undefined where nothing else would be the same. */
function otherName(own: Statement, other: Statement): string | undefined {
  const mine = own.names.filter((run) => !other.names.some((one) => one.some((term) => run.includes(term))));
  const theirs = other.names.filter((run) => !own.names.some((one) => one.some((term) => run.includes(term))));
  if (mine.length !== 1 || theirs.length !== 1 || !haveSameValues(own, other)) return undefined;
  const [a, b] = [own, other].map(({ terms }, i) => {
    const apart = new Set((i === 0 ? mine : theirs).flat());
    return new Set([...terms].filter((term) => !apart.has(term)));
  });
  if (a!.size === 0 || negation.test(own.text) !== negation.test(other.text)) return undefined;
  return share(a!, b!) >= LEAST_SHARED ? theirs[0]!.join(' ') : undefined;
}

const keys = ({ values }: Statement): string =>
  values
    .map(({ key }) => key)
    .sort()
    .join();
const haveSameValues = (a: Statement, b: Statement): boolean => keys(a) === keys(b);
const haveSameNames = (a: Statement, b: Statement): boolean => {
  const [x, y] = [a, b].map(({ names }) => new Set(names.flat()));
  return [...x!].every((term) => b.terms.has(term)) && [...y!].every((term) => a.terms.has(term));
};

/** The value that stands in the other sentence for that of the first. */
function otherValue(own: Statement, other: Statement): string | undefined {
  if (hedged.test(other.text) || negation.test(own.text) !== negation.test(other.text)) return undefined;
  const mine = own.values.filter(({ key }) => other.values.every((one) => one.key !== key));
  const theirs = other.values.filter(({ key }) => own.values.every((one) => one.key !== key));
  const [a, b] = [mine[0], theirs[0]];
  if (mine.length !== 1 || theirs.length !== 1 || !a || !b || a.kind !== b.kind || a.unit !== b.unit) return undefined;
  if (a.kind === 'number' && isRounded(a, b)) return undefined;
  if (hasOtherNumber(own) || hasOtherNumber(other) || !standAlike(own, a, other, b)) return undefined;
  if (share(own.terms, other.terms) < LEAST_SHARED || !haveSameNames(own, other)) return undefined;
  return b.key;
}

/** A number in words that is not understood. */
function hasOtherNumber({ tokens, values }: Statement): boolean {
  return tokens.some(
    ({ word, start, end }) => isNumberWord(word) && !values.some((one) => start < one.end && end > one.start),
  );
}

/** The words before or behind both values are the same: of a number those behind, which may be its unit. */
function standAlike(own: Statement, a: Value, other: Statement, b: Value): boolean {
  const before = ({ tokens }: Statement, { start }: Value) => tokens.findLast(({ end }) => end <= start)?.term;
  const behind = ({ tokens }: Statement, { end }: Value) => tokens.find(({ start }) => start >= end)?.term;
  const sameBehind = behind(own, a) === behind(other, b);
  const sameBefore = before(own, a) === before(other, b);
  return a.kind === 'number' ? sameBehind && (sameBefore || behind(own, a) !== undefined) : sameBehind || sameBefore;
}

/** Both say the same, one of them with a no. */
function contrary(own: Statement, other: Statement): string | undefined {
  const says = negation.test(other.text);
  if (negation.test(own.text) === says || !haveSameValues(own, other) || !haveSameNames(own, other)) return undefined;
  return share(own.terms, other.terms) >= LEAST_SHARED ? String(says) : undefined;
}
