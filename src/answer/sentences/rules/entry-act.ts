import { analyseWords } from '../../../text/analysis/words.ts';
import { verbOfImperative } from '../../../text/languages/ways-told.ts';
import type { Candidate } from '../question/candidate.ts';
import { holdsTerm, type Question } from '../question/question.ts';
import { optionTermsAt } from '../structure/option-terms.ts';
import { memberOver } from '../structure/reference-entries.ts';
import { tellsOther } from './way.ts';

/** `\lift [ load ]`, `crane --lift` */
export const usageLine: RegExp = /^\s*(?:\\\p{L}+|[a-z][\w.-]* (?:--?\w|<|\[))/u;

/** Whether a sentence is the first that a reference says of an option, a function or a command. */
export function isEntry({ passage, unit, headings }: Candidate): boolean {
  const { text } = passage.hit.chunk;
  if (isBelowCall(text, unit.start, headings.at(-1) ?? '')) return true;
  if (optionTermsAt(text, unit) !== undefined || memberOver(text, unit) !== undefined) return true;
  const before = text.slice(0, unit.start);
  return /\n\s*$/.test(before) && usageLine.test(before.trimEnd().split('\n').at(-1)!);
}

/** `## res.json([body])`, and nothing between it and the sentence. */
function isBelowCall(text: string, start: number, heading: string): boolean {
  return callOf.test(heading) && text.slice(0, start).trimEnd().endsWith(heading);
}
const callOf = /^[\p{L}_$][\w$]*(?:(?:\.|::|#)[\w$]+)*\([^()]*\)$/u;

const terms = /^[^\n]{0,140}?(?::\s|\n)\s*(?=\p{Lu})/u;
const condition = /^(?:if|when|while)\b/iu;

/** Whether an entry says that just that is done: `Drops a load.`, `Quickly drop it.`, asked how it is dropped. */
export function saysAct(question: Question, act: number, own: string): boolean {
  if (tellsOther(question, own)) return false;
  const said = own.replace(terms, '');
  const begins = analyseWords(said).slice(0, 2);
  const isAct = !condition.test(said) && begins.some((token) => holdsTerm(question, token, act));
  return isAct || verbOfImperative(said, true) !== undefined;
}
