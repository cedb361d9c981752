import { contentsHeading, indexHeading } from '../../../text/languages/heading-words.ts';
import { asksWhere } from '../../../text/languages/question-words.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { namesOver, textOf } from '../structure/unit-text.ts';

const ends = /[.!?。！？]["'”’»)\]]*\s*$/u;
/** `Telephone: 4410` on a page that is called `Index`; in an index numbers stand at the end, behind a comma. */
const saysNumber = /:[^\n]*\p{N}/u;

/** `EXECUTIVE COMPENSATION | 30`, `Appendix A | A-1` */
const entry = /^[|\s]*\p{L}[^|\n]*\|\s*(?:\p{Lu}-\p{N}{1,4}|(?<page>\p{N}{1,4}))[|\s]*$/u;
const fewestEntries = 4;

/** Whether a row is one of a table of contents: below a heading that says so stand titles with numbers of pages that rise. */
function isOfContents({ unit, headings, passage }: Candidate, text: string): boolean {
  const { text: whole, headings: over } = passage.hit.chunk;
  if (unit.kind !== 'row' || !entry.test(text)) return false;
  if (![...headings, ...over, ...(unit.header ? [] : whole.split('\n', 3))].some((one) => contentsHeading.test(one)))
    return false;
  const entries = whole.split('\n').filter((line) => entry.test(line));
  const pages = entries.flatMap((line) => entry.exec(line)!.groups!.page ?? []);
  const rising = pages.filter((page, i) => i > 0 && Number(page) >= Number(pages[i - 1])).length;
  return entries.length >= fewestEntries && rising >= 0.75 * (pages.length - 1);
}

/**
 * Whether a line is an entry of the index of a book, which says where a word stands (`frozen messages: The queue menu`),
 * or of a table of contents, and nothing of what it means.
 */
export function isIndexEntry(question: Question, candidate: Candidate): boolean {
  const text = textOf(candidate);
  if (isOfContents(candidate, text)) return !asksWhere.test(question.text);
  if (!namesOver(candidate).some((name) => indexHeading.test(name.trim()))) return false;
  return !ends.test(text) && !saysNumber.test(text) && !asksWhere.test(question.text);
}
