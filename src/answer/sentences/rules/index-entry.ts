import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { namesOver, textOf } from '../structure/unit-text.ts';

/** What the index of a book is called, not one of data or of prices: `Index`, `Chapter 64 - Option Index`. */
const kinds =
  '(?:alphabetical|author|command|concept|file|function|general|key(?:stroke|word)?|macro|module|name|option|package|parameter|program|subject|symbol|term|topic|type|variable|word)s?';
const ofIndex = new RegExp(
  [
    `^(?:[^\\n]{0,40}?[-–—:.\\d]\\s+)?(?:(?:\\p{L}+ )?(?:${kinds} and )?${kinds} )?index$`,
    `^(?:[^\\n]{0,40}?[-–—:.\\d]\\s+)?index of (?:\\p{L}+ ){0,3}${kinds}$`,
    '^(?:stichwort|sach)(?:verzeichnis|register)$|^index (?:alphabétique|général|des \\p{L}+)$',
    '^índice (?:alfabético|remissivo|analítico)$|^indice analitico$|^(?:алфавитный|предметный) указатель$|^索引$',
  ].join('|'),
  'iu',
);
const ends = /[.!?。！？]["'”’»)\]]*\s*$/u;
/** `Telephone: 4410` on a page that is called `Index`; in an index numbers stand at the end, behind a comma. */
const saysNumber = /:[^\n]*\p{N}/u;
/** Asks where something is told, which an index tells. */
const asksWhere = /^\s*(?:where|(?:in )?which (?:chapter|section|page|part)s?|wo|où|dónde|dove|onde|где)(?!\p{L})/iu;

/**
 * Whether a line is an entry of the index of a book, which says where a word stands (`frozen messages: The queue menu`)
 * and nothing of what it means.
 */
export function isIndexEntry(question: Question, candidate: Candidate): boolean {
  if (!namesOver(candidate).some((name) => ofIndex.test(name.trim()))) return false;
  const text = textOf(candidate);
  return !ends.test(text) && !saysNumber.test(text) && !asksWhere.test(question.text);
}
