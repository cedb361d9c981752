import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { isProgram } from '../structure/code.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: its counters and constants count nothing that is asked for. */
const loss = -5;

const control =
  /^[\s})]*(?:else\b|for\b|foreach\b|while\b|do\b|if\b|elif\b|switch\b|try\b|catch\b|except\b)[^\n]*[({:]/;

/** Whether a number is asked for, and a statement of a program begins as a loop or a condition: `for (let i = 1; …`. */
export function isControlFlow({ type }: Question, candidate: Candidate): boolean {
  if (type !== 'number' || !isProgram(candidate.passage.hit.chunk.format)) return false;
  return control.test(textOf(candidate));
}

/** What such a statement loses. */
export function controlFlowLoss(question: Question, candidate: Candidate): number {
  return isControlFlow(question, candidate) ? loss : 0;
}
