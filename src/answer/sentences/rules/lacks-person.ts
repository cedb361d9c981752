import { analyseWords } from '../../../text/analysis/words.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { leadingPronoun } from '../../../text/languages/pronouns.ts';
import { isDateWord } from '../../../text/languages/question-words.ts';
import { rolesAsked } from '../../../text/languages/roles-asked.ts';
import type { AnalysedPassage, Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { remembered } from '../structure/remembered.ts';
import { textOf } from '../structure/unit-text.ts';

/** Whether neither a sentence nor what stands over it has a word of the question that is no name. */
function isOpen({ text, terms, tokens }: Question, { match, titleMatch }: Candidate): boolean {
  return terms.some(
    ({ word, term }, j) =>
      match[j] === 0 &&
      titleMatch[j] === 0 &&
      !isCommonWord(word) &&
      tokens.every((token) => token.term !== term || !/\p{Lu}/u.test(text.slice(token.start, token.end))),
  );
}

const cased = /[\p{Lu}\p{Ll}]/u;

/** Positions of the terms for what the one is or does who is asked for, in a script without capitals. */
const rolesOf = once(({ text, tokens, terms }: Question): readonly number[] => {
  const roles = cased.test(text) ? [] : rolesAsked(text);
  return roles.flatMap((role) =>
    terms.flatMap(({ term }, j) =>
      tokens.some((one) => one.term === term && one.start >= role.start && one.end <= role.end) ? [j] : [],
    ),
  );
});

/** Whether a sentence in a script without capitals, which shows no names, has what somebody is asked for by. */
function saysRole(question: Question, candidate: Candidate): boolean {
  const roles = rolesOf(question);
  return roles.length > 0 && !cased.test(textOf(candidate)) && roles.every((j) => candidate.match[j]! > 0);
}

/**
 * Whether it is asked who, and a sentence names nobody and leaves a word of the question open: `The price rises on 1
 * June.`, asked who was excused on 1 June. Who has all words may be told by an office: `The architect leads the work.`
 */
export function lacksPerson(question: Question, candidate: Candidate): boolean {
  if (question.type !== 'person' || candidate.unit.kind === 'row' || namesAny(question, candidate)) return false;
  if (saysRole(question, candidate)) return false;
  return isOpen(question, candidate) && !leadingPronoun.test(textOf(candidate));
}

/** `EUR` and `UTC` are no names. */
const unit = /^\p{Lu}{2,3}$/u;

/** Terms of the words that a passage writes small. */
const smallTerms = remembered(
  ({ hit }: AnalysedPassage) => new Set(analyseWords(hit.chunk.text).flatMap((one) => (one.capital ? [] : one.term))),
);

/** The first word of a sentence has a capital anyway: `Sleep` is no name where its passage has `sleep` too. */
function namesAny({ known }: Question, { tokens, passage }: Candidate): boolean {
  const { text } = passage.hit.chunk;
  return tokens.some(
    ({ capital, empty, word, term, start, end }, i) =>
      capital &&
      !empty &&
      !known.has(word) &&
      !isDateWord(word) &&
      !unit.test(text.slice(start, end)) &&
      !(i === 0 && smallTerms(passage).has(term)),
  );
}

/** Whether a sentence has no word of the question, and its passage lacks one. */
export function hasNoWord({ terms }: Question, { match, passage }: Candidate): boolean {
  return (
    match.every((held) => held === 0) && terms.some(({ word }, j) => passage.match[j] === 0 && !isCommonWord(word))
  );
}
