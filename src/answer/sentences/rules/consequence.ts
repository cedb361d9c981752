import { asksConsequence, asksExcess, beginsCase, tellsExcess } from '../../../text/languages/consequences.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { heldShare, holdsTerm, type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const gain = 3;
const lossOfUsual = -3;
const leastHeld = 0.5;
const closes = /[,;:—–]\s|$/u;

/** The terms of the case whose consequence is asked for, by their places among the terms of the question. */
const termsOfCase: (question: Question) => readonly number[] = once(({ text, tokens, terms }) => {
  const asked = asksConsequence.exec(text);
  if (asked === null) return [];
  const within = new Set(tokens.flatMap(({ start, term }) => (start >= asked[0].length ? [term] : [])));
  return [...terms.keys()].filter((j) => within.has(terms[j]!.term));
});

/**
 * How much a sentence gains since it says what follows from the case that a question asks about: the clause behind its
 * `if` has the words of that case, but those that the title names.
 */
export function consequenceGain(question: Question, candidate: Candidate): number {
  const asked = termsOfCase(question);
  if (asked.length === 0 || candidate.unit.kind === 'row' || isOfUsualCase(question, candidate)) return 0;
  const open = asked.filter((j) => Math.max(candidate.titleMatch[j]!, candidate.headingMatch[j]!) < sameWord);
  const text = textOf(candidate);
  const isOfCase = Array.from(text.matchAll(beginsCase)).some(({ 0: word, index }) => {
    const from = index + word.length;
    const to = from + closes.exec(text.slice(from))!.index;
    const clause = candidate.tokens.filter(
      ({ start, end }) => start >= candidate.unit.start + from && end <= candidate.unit.start + to,
    );
    const held = (j: number): boolean => clause.some((token) => holdsTerm(question, token, j));
    const share = heldShare(
      question,
      (j) => (held(j) ? 1 : 0),
      (term) => open.includes(question.terms.indexOf(term)),
    );
    return (share ?? 0) >= leastHeld;
  });
  return isOfCase ? gain : 0;
}

/** Whether a sentence says nothing of too much, where it is asked what follows from that: `if I call too often`. */
export function isOfUsualCase(question: Question, candidate: Candidate): boolean {
  return asksConsequence.test(question.text) && asksExcess.test(question.text) && !tellsExcess.test(textOf(candidate));
}

/** What such a sentence loses. */
export function usualCaseLoss(question: Question, candidate: Candidate): number {
  return isOfUsualCase(question, candidate) ? lossOfUsual : 0;
}
