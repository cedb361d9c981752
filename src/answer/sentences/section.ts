import { analyseWords } from '../../text/analysis/words.ts';
import type { Candidate } from './features.ts';
import { matchTerms, type Question } from './question.ts';

/** On the scale of the trees: what a section says first seldom repeats the words of its heading. */
const gain = 2;
const fewestWords = 5;
/** Below a heading that asks the question itself, as in a list of frequent questions. */
const gainBelowQuestion = 5;
const asks = /[?？؟]\s*$/;
/** Blanks, and the marks of Markdown for bold letters. */
const boldEnd = /(?:\*\*|__)?\s*$/;
/** `Yes, it does.` */
const fewestAlone = 3;

/** A comment begins, as code has it on what follows or above it. */
const commentBegins = /(?:^|\n)[ \t]*(?:\/\*\*?|"{3}|'{3})[\s*]*$/;

/**
 * How much a sentence gains since its section begins with it and the section is what the question asks about: `What does
 * debounceTime do?`, answered by the first sentence below the heading `debounceTime`, or of the comment on the function
 * of that name; else 0. A heading that is a question is answered by it whatever is asked for.
 */
export function sectionGain(question: Question, candidate: Candidate): number {
  const { passage, unit, tokens, headings } = candidate;
  const heading = headings.at(-1);
  if (heading === undefined || unit.kind !== 'sentence') return 0;
  const isAsked = asks.test(heading);
  if (!isAsked && (tokens.length < fewestWords || !['definition', 'other'].includes(question.type))) return 0;
  if (!isAbout(question, candidate)) return 0;
  const { text, format } = passage.hit.chunk;
  const before = text.slice(0, unit.start);
  const opens = /^[\s*/"']*/.exec(text.slice(unit.start, unit.end))![0];
  const begins =
    before.replace(boldEnd, '').endsWith(heading) || (format === 'code' && commentBegins.test(before + opens));
  if (!begins || !namesNothingElse(question, heading)) return 0;
  return isAsked ? gainBelowQuestion : gain;
}

/** Whether a sentence says too little to stand alone, as `No.` below the heading that asks. */
export function goesOn({ headings, tokens, unit }: Candidate): boolean {
  return unit.kind === 'sentence' && tokens.length <= fewestAlone && asks.test(headings.at(-1) ?? '');
}

/** The heading has every word of the question; the address may have some, as in `What does debounceTime do in RxJS?` */
function isAbout(question: Question, { passage, headingMatch }: Candidate): boolean {
  const { terms, tokens } = question;
  if (terms.length === 0) return false;
  if (headingMatch.every((match) => match >= 0.75)) return true;
  const inAddress = matchTerms(question, analyseWords(passage.hit.chunk.uri));
  const places = new Map<number, 'heading' | 'address' | undefined>();
  for (const { start, term } of tokens) {
    const j = terms.findIndex((one) => one.term === term);
    if (j < 0 || places.has(start)) continue; // the parts of an identifier stand at its place
    places.set(start, headingMatch[j]! >= 0.75 ? 'heading' : inAddress[j] === 1 ? 'address' : undefined);
  }
  const words = [...places.values()];
  return words.includes('heading') && !words.includes(undefined);
}

/** All words of a heading that say something are the question's, but for one. */
function namesNothingElse(question: Question, heading: string): boolean {
  return analyseWords(heading).filter(({ empty, term }) => !empty && !question.known.has(term)).length <= 1;
}
