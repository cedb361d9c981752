import { analyseWords } from '../../text/analysis/words.ts';
import type { Chosen } from './closer.ts';
import type { Candidate } from './features.ts';
import type { Question } from './question.ts';

/** On the scale of the trees: about what tells a likely sentence from an unlikely one. */
const hop = 2;

/**
 * How much a sentence gains since its document is what the question or a chosen sentence names: a question about two
 * things needs a sentence of each, and one about a thing of a thing needs the document that the first sentence names.
 */
export function leadsTo(question: Question, chosen: readonly Chosen[], candidate: Candidate): number {
  const { uri, title } = candidate.passage.hit.chunk;
  if (chosen.some((one) => one.candidate.passage.hit.chunk.uri === uri)) return 0;
  const name = title.replace(/\s*\([^)]*\)\s*$/, '');
  const words = analyseWords(name).filter(({ empty }) => !empty);
  if (words.length === 0 || !words.some(({ capital, unspaced }) => capital || unspaced)) return 0;
  const stands = (terms: ReadonlySet<string>): boolean => words.every(({ term }) => terms.has(term));
  return stands(question.known) || chosen.some((one) => stands(one.candidate.terms)) ? hop : 0;
}
