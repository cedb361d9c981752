import { analyseWords } from '../../../text/analysis/words.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { leadingPronoun } from '../../../text/languages/pronouns.ts';
import { isDateWord } from '../../../text/languages/question-words.ts';
import type { AnalysedPassage, Candidate } from '../question/candidate.ts';
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

/**
 * Whether it is asked who, and a sentence names nobody and leaves a word of the question open: `The price rises on 1
 * June.`, asked who was excused on 1 June. Who has all words may be told by an office: `The architect leads the work.`
 */
export function lacksPerson(question: Question, candidate: Candidate): boolean {
  if (question.type !== 'person' || candidate.unit.kind === 'row' || namesAny(question, candidate)) return false;
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
