import { probabilityOf } from '../../../core/logistic.ts';
import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { findingGain } from '../rules/findings.ts';
import { isReadable, readingOf } from '../spans/reading.ts';
import { textOf } from '../structure/unit-text.ts';
import { answersAlike } from './agreeing.ts';
import type { Judged } from './rank.ts';

/**
 * Of two questions whose hits support an answer alike, the one with the likelier sentence is answered right more often:
 * a logit of the trees counts as one of support, and so does one of the network. The sentences that may answer as well
 * speak against it: the sum of their probabilities, up to `mostRivals`, this many times. Chosen on ten training sets
 * beside 0.6 of the trees alone: of 4,750 questions with an answer 2,469 → 2,540 were answered plainly and right,
 * 516 → 448 plainly and wrong; of 919 without one 445 → 456 were answered plainly.
 */
const ofRivals = 2;
const mostRivals = 0.6;
/** The logit of what the network cannot judge: of rows, items of lists, and a question that stands before its answer. */
export const usual = 2;
const sureFrom = 1.6;
/** An item hangs on the lead of its list, a question on what follows it. */
const hangs = /^\s*(?:[-*+•–]|\p{N}{1,3}[.)])\s|\?\W*$/u;
/** Languages of running text that the network has learned from. */
const learned: ReadonlySet<string> = new Set(['ar', 'en', 'es', 'fa', 'he', 'no', 'pt', 'sv', 'th', 'tr', 'zh']);
/** What it gives less to a right sentence of another language: French, 1.99, beside English, 2.85. */
const lessOfOthers = 0.8;

/**
 * How much the sentences of an answer say for a plain one, in logits of support.
 * @param answer its first sentence, and those that complete it, which the network does not see together
 * @param judged the sentences looked at
 */
export function sureOf(question: Question, answer: readonly Judged[], judged: readonly Judged[]): number {
  const { score, candidate } = answer[0]!;
  const trees = score + findingGain(question, candidate);
  const network = answer.length === 1 ? networkOf(question, candidate) : usual;
  const others = judged.filter(
    (one) => one.candidate !== candidate && !answersAlike(question, candidate, one.candidate),
  );
  const rivals = Math.min(
    mostRivals,
    others.reduce((sum, one) => sum + probabilityOf(one.score), 0),
  );
  return trees + network - ofRivals * rivals - sureFrom;
}

/** The logit of the network that a sentence answers, as if it had learned from its language; `usual` where it cannot judge. */
export function networkOf(question: Question, candidate: Candidate): number {
  if (!isReadable(question, candidate) || hangs.test(textOf(candidate))) return usual;
  const { whole } = readingOf(question, candidate);
  return learned.has(question.language) ? whole : whole + lessOfOthers;
}
