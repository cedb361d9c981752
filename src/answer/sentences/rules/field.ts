import { type AnalysedWord, fullWords } from '../../../text/analysis/words.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { labelFor } from '../../../text/languages/question-words.ts';
import { nameOfTitle } from '../../../text/title-line.ts';
import type { Candidate } from '../question/candidate.ts';
import { holdsAnyTerm, matchTerms, positionOf, type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: a field has none of the words of a question but its name. */
const gain = 6;
const records: ReadonlySet<string> = new Set(['json', 'jsonl']);
/** `engines.node: >=18` */
const field = /^([\p{L}@][^\s:]*): (\S.*)$/gmu;
/** `@quay/` of `@quay/lift` */
const scope = /^@[\w.-]+\//;
/** `>=18.0.0`, `^1.2 || 2`, `1.x` */
const version = /^[\s^~<>=v|x*.\d-]*\d[\s^~<>=v|x*.\d-]*$/u;
const asksForVersion = /\bversions?\b/iu;
/** What asks for a field and does not say for which: who uses a licence is licensed. */
const asking =
  /^(?:versions?|releases?|support(?:s|ed)?|requir(?:es?|ed)|us(?:es?|ed|ing)|publish(?:ed|es)?|depends?|under)$/u;
const mostNames = 2;

/**
 * How much a sentence gains since it is a field of a record whose name the question asks for, in a document about the
 * rest of it: `Which licence does quay-lift have?`, answered by `license: MIT`; else 0. A version that is asked for must
 * be one; a person is asked for by any label of persons.
 */
export function fieldGain(question: Question, candidate: Candidate): number {
  const { passage, unit, titleMatch } = candidate;
  if (unit.kind === 'row' || !records.has(passage.hit.chunk.format)) return 0;
  const title = nameOfTitle(passage.hit.chunk.title).replace(scope, '');
  const name = fullWords(title);
  if (!name.every(({ term }) => question.known.has(term))) return 0; // `hoist.slow` for `hoist`
  const places = placesOf(question);
  const open = places.filter((place) => !place.every((j) => titleMatch[j]! >= sameWord));
  if (open.length > mostNames || open.length === places.length) return 0; // of another document
  for (const [, name, value] of textOf(candidate).matchAll(field))
    if (isAsked(question, open, name!, value!)) return gain;
  return 0;
}

/** The words of a question that say what is asked for, as they are written (`Node.js`): positions of their terms. */
function placesOf({ text, tokens, terms }: Question): readonly (readonly number[])[] {
  const found: number[][] = [];
  let last = 0;
  for (const token of tokens) {
    const { start, end, word, empty } = token;
    const j = positionOf({ terms }, token);
    if (empty || j < 0 || asking.test(word) || isCommonWord(word)) continue;
    if (found.length > 0 && !/\s/.test(text.slice(last, start))) found.at(-1)!.push(j);
    else found.push([j]);
    last = end;
  }
  return found;
}

/** Whether a field is called as what the title leaves open, and by nothing else, and has a value of its kind. */
function isAsked(question: Question, open: readonly (readonly number[])[], name: string, value: string): boolean {
  if (asksForVersion.test(question.text) && !version.test(value)) return false;
  const words = wordsOf(name);
  if (question.type === 'person') return open.length <= 1 && words.some((one) => labelFor('person')!.test(one.word));
  if (open.length === 0) return false;
  if (words.length === 0 || !words.every((one) => holdsAnyTerm(question, one))) return false;
  const held = matchTerms(question, words);
  return open.every((place) => place.some((j) => held[j]! >= sameWord));
}

/** The words of the last part of a name: `node` of `engines.node`, `rust` and `version` of `rust-version`. */
function wordsOf(name: string): AnalysedWord[] {
  const last = name.slice(name.lastIndexOf('.') + 1).replace(/(?<=\p{Ll})(?=\p{Lu})|[_-]/gu, ' ');
  return fullWords(last);
}
