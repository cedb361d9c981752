import { indexHeading } from '../../../text/languages/heading-words.ts';
import { asksWhere } from '../../../text/languages/question-words.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { namesOver, textOf } from '../structure/unit-text.ts';

const ends = /[.!?。！？]["'”’»)\]]*\s*$/u;
/** `Telephone: 4410` on a page that is called `Index`; in an index numbers stand at the end, behind a comma. */
const saysNumber = /:[^\n]*\p{N}/u;

/**
 * Whether a line is an entry of the index of a book, which says where a word stands (`frozen messages: The queue menu`)
 * and nothing of what it means.
 */
export function isIndexEntry(question: Question, candidate: Candidate): boolean {
  if (!namesOver(candidate).some((name) => indexHeading.test(name.trim()))) return false;
  const text = textOf(candidate);
  return !ends.test(text) && !saysNumber.test(text) && !asksWhere.test(question.text);
}
