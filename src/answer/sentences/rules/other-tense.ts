import type { AnalysedWord } from '../../../text/analysis/words.ts';
import { asksFuture, asksWhoDid, modal, saysFuture } from '../../../text/languages/futures.ts';
import { irregularVerb } from '../../../text/languages/irregular-verbs.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const loss = -3;

/** The words of a question about what is to come that may be its verb. */
const verbsToCome = once(({ text, language, terms }: Question): ReadonlySet<string> => {
  if (language !== 'en' || !asksFuture.test(text)) return new Set();
  return new Set(terms.flatMap(({ word, verb }) => (verb === undefined ? [word] : [word, verb])));
});

/** What a sentence loses that tells what was, where it is asked what will be: `She took it over in 1994.` */
export function otherTenseLoss(question: Question, candidate: Candidate): number {
  return isOfThePast(question, candidate) ? loss : 0;
}

/** Whether what it is asked that will be is told of the past, and nothing is said of what is to come. */
export function isOfThePast(question: Question, candidate: Candidate): boolean {
  const verbs = verbsToCome(question);
  if (verbs.size === 0 || candidate.unit.kind === 'row' || saysFuture.test(textOf(candidate))) return false;
  return candidate.tokens.some(({ word }) => !verbs.has(word) && basesOf(word).some((base) => verbs.has(base)));
}

/** The bases of verbs that ask what somebody did: `repair` of `Who repaired the roof?` */
const verbsDone = once(({ text, language, tokens }: Question): ReadonlySet<string> => {
  const asked = language === 'en' ? asksWhoDid.exec(text) : null;
  if (asked === null) return new Set();
  const { start } = tokens.find((token) => token.start >= asked[0].length) ?? {};
  return new Set(tokens.flatMap((token) => (token.start === start ? basesOf(token.word) : [])));
});

/** What a form of the past may be of: `repair` of `repaired`, `carry` of `carried`, `drop` of `dropped`. */
function basesOf(word: string): string[] {
  const base = irregularVerb(word);
  if (base !== undefined) return /(?:s|ing)$/.test(word) || word === base ? [] : [base];
  const stem = /^(.{2,})ed$/.exec(word)?.[1];
  return stem === undefined ? [] : [stem, `${stem}e`, stem.replace(/i$/, 'y'), stem.replace(/(.)\1$/, '$1')];
}

/** Whether a sentence says who does something as a rule, or must, where it is asked who did it. */
export function onlyTellsRule(question: Question, { unit, tokens }: Candidate): boolean {
  const bases = verbsDone(question);
  // with a whole name it may tell a story
  if (bases.size === 0 || unit.kind === 'row' || namesWhole(tokens) || tokens.some(({ word }) => isPast(word)))
    return false;
  return tokens.some(
    ({ word }, i) =>
      (bases.has(word) && modal.test(tokens[i - 1]?.word ?? '')) ||
      (word.endsWith('s') && (bases.has(word.slice(0, -1)) || bases.has(word.slice(0, -2)))),
  );
}

const isPast = (word: string): boolean =>
  /^(?:was|were|had|did|has|have)$|.{2}ed$/.test(word) ||
  (!/(?:s|ing)$/.test(word) && (irregularVerb(word) ?? word) !== word);

const namesWhole = (tokens: readonly AnalysedWord[]): boolean =>
  tokens.some((token, i) => [tokens[i - 1], token].every((one) => one?.capital === true && !one.empty));
