import { analyseWords } from '../../text/analysis/words.ts';
import type { Candidate } from './features.ts';
import type { Question } from './question.ts';

/** On the scale of the trees: what a section says first seldom repeats the words of its heading. */
const gain = 2;
const fewestWords = 5;

/** A comment begins, as code has it on what follows or above it. */
const commentBegins = /(?:^|\n)[ \t]*(?:\/\*\*?|"{3}|'{3})[\s*]*$/;

/**
 * How much a sentence gains since its section begins with it and the section is what the question asks about: `What does
 * debounceTime do?`, answered by the first sentence below the heading `debounceTime`, or of the comment on the function
 * of that name; else 0.
 */
export function sectionGain(question: Question, candidate: Candidate): number {
  const { passage, unit, tokens, headings, headingMatch } = candidate;
  if (question.type !== 'definition' && question.type !== 'other') return 0;
  const heading = headings.at(-1);
  if (heading === undefined || unit.kind !== 'sentence' || tokens.length < fewestWords) return 0;
  if (question.terms.length === 0 || headingMatch.some((match) => match < 0.75)) return 0;
  const { text, format } = passage.hit.chunk;
  const before = text.slice(0, unit.start);
  const opens = /^[\s*/"']*/.exec(text.slice(unit.start, unit.end))![0];
  const begins = before.trimEnd().endsWith(heading) || (format === 'code' && commentBegins.test(before + opens));
  return begins && namesNothingElse(question, heading) ? gain : 0;
}

/** All words of a heading that say something are the question's, but for one. */
function namesNothingElse(question: Question, heading: string): boolean {
  return analyseWords(heading).filter(({ empty, term }) => !empty && !question.known.has(term)).length <= 1;
}
