import { type AnalysedWord, analyseWords } from '../../../text/analysis/words.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { demonstrative, personPronoun, subjectPronoun } from '../../../text/languages/pronouns.ts';
import { isDateWord } from '../../../text/languages/question-words.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { namesIn } from './names-held.ts';

/** What a sentence speaks of is named no further before it. */
const mostBefore = 400;
/** `his` and `its` stand for somebody who was named before, too. */
const possessive =
  /^(?:his|her|hers|its|their|theirs|him|them|that|those|sein\p{L}*|ihr\p{L}*|son|sa|ses|leurs?|su|sus|suoi?|sua|sue|loro)$/u;

const named = once((question: Question): readonly (readonly AnalysedWord[])[] =>
  namesIn(question).filter(
    (name) => !name.some(({ word }) => isDateWord(word)) && !name.every(({ word }) => isCommonWord(word)),
  ),
);

/**
 * Whether a sentence speaks of something else than a name that its passage has elsewhere: neither the sentence, nor what
 * stands before it or over it, has a word of the name, and no pronoun stands for it.
 */
export function isNamedElsewhere(question: Question, { passage, unit, tokens, match, titleMatch }: Candidate): boolean {
  const names = named(question);
  if (names.length === 0 || match.every((held) => held === 0)) return false; // a letter's first line has no word of it
  const { terms } = question;
  return names.some((name) => {
    const own = name.map(({ term }) => terms.findIndex((one) => one.term === term)).filter((j) => j >= 0);
    if (own.length === 0 || own.some((j) => match[j]! > 0 || titleMatch[j]! > 0)) return false;
    if (!own.some((j) => passage.match[j]! > 0) || tokens.some(({ word }) => isPronoun(word))) return false;
    const before = passage.hit.chunk.text.slice(Math.max(0, unit.start - mostBefore), unit.start);
    const near = new Set(analyseWords(before).map(({ term }) => term));
    return !own.some((j) => near.has(terms[j]!.term));
  });
}

const isPronoun = (word: string): boolean =>
  [personPronoun, subjectPronoun, demonstrative, possessive].some((pronoun) => pronoun.test(word));
