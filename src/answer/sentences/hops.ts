import { analyseWords } from '../../text/analysis/words.ts';
import type { Chosen } from './closer.ts';
import type { Candidate } from './features.ts';
import type { Question } from './question.ts';

/** On the scale of the trees: about what tells a sentence that answers from one that says nothing of it. */
const hop = 4;

/**
 * How much a sentence gains since its document is one that the question or a chosen sentence names: a question about
 * two things needs a sentence of each, and one about a thing of a thing needs the document that the first sentence names.
 */
export function leadsTo(question: Question, chosen: readonly Chosen[], candidate: Candidate): number {
  const { uri } = candidate.passage.hit.chunk;
  if (chosen.some((one) => one.candidate.passage.hit.chunk.uri === uri)) return 0;
  const isLinked = names(question.known, candidate) || chosen.some((one) => names(one.candidate.terms, candidate));
  return isLinked ? hop : 0;
}

/** Whether the terms hold the whole title of a sentence's document, and the title is a name. */
function names(terms: ReadonlySet<string>, { passage }: Candidate): boolean {
  const title = passage.hit.chunk.title.replace(/\s*\([^)]*\)\s*$/, '');
  const words = analyseWords(title).filter(({ empty }) => !empty);
  const isName = words.some(({ capital, unspaced }) => capital || unspaced);
  return isName && words.every(({ term }) => terms.has(term));
}
