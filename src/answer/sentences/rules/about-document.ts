import { type AnalysedWord, fullWords } from '../../../text/analysis/words.ts';
import {
  aboutAsked,
  kindOfDocument,
  saysAbout,
  saysWhatItIs,
  summaryHeading,
} from '../../../text/languages/about-documents.ts';
import { documentField } from '../../../text/languages/document-fields.ts';
import type { Candidate, Scored } from '../question/candidate.ts';
import { stemOf } from '../question/file-name.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';
import { isUnfit } from './unfit.ts';

/** Where a document says what it is, in passages from its beginning on. */
const opening = 2;
const fewestWords = 4;

const askedOf = once(({ text }: Question) => aboutAsked(text));

/** Words of what a document is called, without those that say no more than that it is one. */
function wordsIn(subject: string): readonly AnalysedWord[] {
  const words = fullWords(stemOf(`/${subject}`));
  const own = words.filter(({ word }) => !kindOfDocument.test(word));
  return own.length > 0 ? own : words;
}

/** These words as they are written, in small letters. */
export function wordsAsWritten(subject: string): readonly string[] {
  return wordsIn(subject).map(({ word }) => word);
}

const fileName = /^(?:the )?(?:file )?([^\s/]+\.\p{L}[\p{L}\p{N}]{0,4})$/iu;

/** Whether a question calls a document by its file, or by words all of which its title or the name of its file has. */
export function isCalled({ title, uri }: { readonly title: string; readonly uri: string }, subject: string): boolean {
  const file = fileName.exec(subject)?.[1];
  if (file !== undefined) return uri.slice(uri.lastIndexOf('/') + 1).toLowerCase() === file.toLowerCase();
  const words = wordsIn(subject);
  const own = new Set(fullWords(`${title}\n${stemOf(uri)}`).map(({ term }) => term));
  return words.length > 0 && words.every(({ term }) => own.has(term));
}

/**
 * The sentences that say what the one document is about that a question calls by its title or file: of a summary in it,
 * else the one that says what the document is, else its first one. Asked for the main points, also the first sentence of
 * each further section, or paragraph where there is none. None where several documents are called so, or its beginning is not there.
 */
export function aboutDocument(question: Question, ranked: readonly Scored[], most: number): readonly Candidate[] {
  const asked = askedOf(question);
  if (asked === undefined) return [];
  const own = ranked.map(({ candidate }) => candidate).filter((one) => isCalled(one.passage.hit.chunk, asked.subject));
  const uris = new Set(own.map(({ passage }) => passage.hit.chunk.uri));
  const told = inOrder(own).filter((one) => isTold(question, one));
  const [first] = told;
  if (uris.size !== 1 || first === undefined || first.passage.hit.chunk.position > 0) return [];
  const summary = told.filter(({ headings }) => headings.some((heading) => summaryHeading.test(heading)));
  if (summary.length > 0) return summary.slice(0, asked.asksPoints ? most : 1);
  const beginning = told.filter(({ passage }) => passage.hit.chunk.position < opening);
  const lead =
    beginning.find((one) => saysWhatItIs.test(textOf(one))) ??
    beginning.find((one) => saysAbout.test(textOf(one))) ??
    first;
  if (!asked.asksPoints) return [lead];
  const sections = new Map(told.map((one) => [one.headings.join('\n'), one] as const).reverse());
  sections.delete(lead.headings.join('\n'));
  const others = sections.size > 0 ? inOrder([...sections.values()]) : told.filter(beginsParagraph);
  return [lead, ...others.filter((one) => one !== lead)].slice(0, most);
}

function beginsParagraph({ passage, unit }: Candidate): boolean {
  return /\n[ \t]*\n[ \t]*$/.test(passage.hit.chunk.text.slice(0, unit.start));
}

/** A sentence of some length that tells something of the subject. */
function isTold(question: Question, candidate: Candidate): boolean {
  const { unit, tokens } = candidate;
  if (unit.kind === 'row' || tokens.length < fewestWords) return false;
  const text = textOf(candidate);
  return /[.!。]["'”’»)]*$/u.test(text) && !documentField.test(text) && !isUnfit(question, candidate);
}

const inOrder = (candidates: readonly Candidate[]): Candidate[] =>
  candidates.toSorted((a, b) => placeOf(a) - placeOf(b));

const placeOf = ({ passage, unit }: Candidate): number => passage.hit.chunk.span.start + unit.start;
