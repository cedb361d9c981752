import { contentTerms } from '../../../text/analysis/words.ts';
import { asksTwice } from '../../../text/languages/question-words.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import type { Chosen } from './next.ts';

/** The share of a question's weight from which words of one part count. */
const tells = 0.12;
/** A word that a sentence has in about this form. */
const held = 0.5;

const hasTwoParts = once(({ text }) => asksTwice.test(text));

/** The second part of a question, to which the sentences chosen say little and this one much. */
export function asksOn(question: Question, answer: readonly Chosen[], { candidate }: Chosen): boolean {
  if (answer.length > 1 || !hasTwoParts(question)) return false;
  let adds = 0;
  question.terms.forEach(({ weight }, j) => {
    adds += weight * Math.max(0, candidate.match[j]! - answer[0]!.candidate.match[j]!);
  });
  return adds >= tells * question.weight;
}

/** Whether the question has two parts, and no sentence of the answer has a word that only one of them has. */
export function leavesPart(question: Question, answer: readonly Chosen[]): boolean {
  const found = asksTwice.exec(question.text);
  if (!found) return false;
  const border = found.index + 1;
  const parts = [question.text.slice(0, border), question.text.slice(border)].map(contentTerms);
  const isHeld = (j: number): boolean =>
    answer.some(({ candidate: { match, titleMatch } }) => Math.max(match[j]!, titleMatch[j]!) >= held);
  return parts.some((own, i) => {
    const other = parts[1 - i]!;
    const places = [...question.terms.keys()].filter((j) => {
      const { term } = question.terms[j]!;
      return own.includes(term) && !other.includes(term);
    });
    const weight = places.reduce((sum, j) => sum + question.terms[j]!.weight, 0);
    return weight >= tells * question.weight && !places.some(isHeld);
  });
}
