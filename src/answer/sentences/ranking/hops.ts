import { fullWords } from '../../../text/analysis/words.ts';
import { type AnalysedPassage, type Candidate, termsOf } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import type { Chosen } from './next.ts';

/** On the scale of the trees: before all sentences that are not led to. */
const hop = 10;
/** The first sentence of a document says what it is about: among its sentences, about twice as likely. */
const opening = 1;
/** Sentences of a linked document that are looked at, though they were not likely enough by themselves. */
export const sentencesOfLinked = 3;

/**
 * How much a sentence gains since its document is one that the question or a chosen sentence names: a question about
 * two things needs a sentence of each, and one about a thing of a thing needs the document that the first sentence names.
 */
export function leadsTo(question: Question, chosen: readonly Chosen[], candidate: Candidate): number {
  if (!linkOf(question, chosen, candidate.passage)) return 0;
  return opens(candidate) ? hop + opening : hop;
}

/** Whether a sentence is the first one of its document. */
export function opens({ passage, index }: Candidate): boolean {
  return index === 0 && passage.hit.chunk.position === 0;
}

/** Whether a passage is of another document than the chosen sentences, and that document's title is named. */
export function linkOf(question: Question, chosen: readonly Chosen[], passage: AnalysedPassage): boolean {
  const { uri } = passage.hit.chunk;
  if (chosen.some((one) => one.candidate.passage.hit.chunk.uri === uri)) return false;
  const title = nameOf(passage);
  if (title === undefined) return false;
  const isIn = (terms: ReadonlySet<string>): boolean => title.every((term) => terms.has(term));
  // A title inside the title of a chosen document names nothing else.
  if (chosen.some((one) => isIn(titleTerms(one.candidate.passage)))) return false;
  return isIn(question.known) || chosen.some((one) => isIn(termsOf(one.candidate)));
}

const memo = new WeakMap<AnalysedPassage, { readonly terms: ReadonlySet<string>; readonly isName: boolean }>();

function wordsOfTitle(passage: AnalysedPassage): { readonly terms: ReadonlySet<string>; readonly isName: boolean } {
  const known = memo.get(passage);
  if (known) return known;
  const title = passage.hit.chunk.title.replace(/\s*\([^)]*\)\s*$/, '');
  const words = fullWords(title);
  const out = {
    terms: new Set(words.map(({ term }) => term)),
    isName: words.some(({ capital, unspaced }) => capital || unspaced),
  };
  memo.set(passage, out);
  return out;
}

function titleTerms(passage: AnalysedPassage): ReadonlySet<string> {
  return wordsOfTitle(passage).terms;
}

/** The terms of a document's title, where it is a name. */
export function nameOf(passage: AnalysedPassage): readonly string[] | undefined {
  const { terms, isName } = wordsOfTitle(passage);
  return isName ? [...terms] : undefined;
}
