import { fullWords } from '../../../text/analysis/words.ts';
import { kindOfDocument } from '../../../text/languages/about-documents.ts';
import { authorField, writtenAsked } from '../../../text/languages/document-fields.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { stemOf } from '../question/file-name.ts';
import { once } from '../question/once.ts';
import { heldShare, type Question, relatedWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** Of the weight of the words that say which document. */
const leastHeld = 0.6;

/** The words that say whose author is asked for, without those that only say that it is a document. */
const asked = once(({ text }: Question) => {
  const words = fullWords(writtenAsked(text) ?? '').filter(({ word }) => !kindOfDocument.test(word));
  return new Set(words.map(({ term }) => term));
});

/**
 * Whether a line names the author of another document than the question does: `Author: Ann Moor` of the travel policy,
 * asked for the author of the hiring policy. What was found of a document, its title and the name of its file say which it is.
 */
export function isByOtherAuthor(question: Question, candidate: Candidate, ranked: readonly Scored[]): boolean {
  const words = asked(question);
  if (words.size === 0 || !authorField.test(textOf(candidate))) return false;
  const { uri } = candidate.passage.hit.chunk;
  const named = new Set(fullWords(stemOf(uri)).map(({ term }) => term));
  const own = [candidate, ...ranked.map((one) => one.candidate)].filter(({ passage }) => passage.hit.chunk.uri === uri);
  const share = heldShare(
    question,
    (j) => {
      const isNamed = named.has(question.terms[j]!.term);
      const isHeld = own.some(({ passage, titleMatch }) => Math.max(passage.match[j]!, titleMatch[j]!) >= relatedWord);
      return isNamed || isHeld ? 1 : 0;
    },
    ({ term }) => words.has(term),
  );
  return share !== undefined && share < leastHeld;
}
