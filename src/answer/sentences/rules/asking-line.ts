import { asksForQuestion } from '../../../text/languages/indirect-questions.ts';
import { asksAtEnd, questionMark } from '../../../text/languages/question-marks.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: it has the words of the question. */
const loss = -4;

/** One sentence, with no part before it that tells something. */
const aloneAsks = new RegExp(`^(?:\\s*[\\p{N}.]+\\s+)?[^.:;!?？؟]+${questionMark}\\s*$`, 'u');

/** A sentence of the heading that asks: `I have a crane.` of `I have a crane. May I move it?` */
function isOfAskingHeading({ headings, unit, passage }: Candidate): boolean {
  const heading = headings.at(-1) ?? '';
  if (unit.kind === 'row' || !asksAtEnd.test(heading)) return false;
  const own = textOf({ unit, passage })
    .replace(/^#{1,6}\s+/u, '')
    .trim();
  return own !== '' && heading.includes(own);
}

/** Whether a sentence does nothing but ask, or is of a heading that does; not where a question is what is asked for. */
export function onlyAsks({ text }: Question, candidate: Candidate): boolean {
  if (candidate.unit.kind === 'row' || asksForQuestion.test(text)) return false;
  return aloneAsks.test(textOf(candidate)) || isOfAskingHeading(candidate);
}

/** How much a sentence loses since it is of a heading that asks. */
export function askingHeadingLoss({ text }: Question, candidate: Candidate): number {
  return !asksForQuestion.test(text) && isOfAskingHeading(candidate) ? loss : 0;
}
