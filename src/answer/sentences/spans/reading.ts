import type { Candidate } from '../question/candidate.ts';
import { type Question, sameWord } from '../question/question.ts';
import { isClaim } from '../rules/findings.ts';
import { type Atom, atomsOf } from './atoms.ts';
import type { Reading } from './sentence-model.ts';
import { sentenceModelInput } from './sentence-model-input.ts';
import { shippedSentenceModel } from './sentence-model-weights.ts';

/** Logits behind the likeliest sentence within which the network has a say: it overtakes no larger lead. */
const nearTo = 1.5;
/** Sentences that are read to choose one of them. */
export const mostRead = 5;
/** How much the logit of the network counts beside that of the trees. Chosen on sets left out of training. */
export const readingWeight = 0.9;

interface ReadSentence extends Reading {
  readonly atoms: readonly Atom[];
}

const readings = new WeakMap<Candidate, ReadSentence>();

/** What the network says of a sentence for its question. Whoever asks again gets the same. */
export function readingOf(question: Question, candidate: Candidate): ReadSentence {
  const known = readings.get(candidate);
  if (known) return known;
  const atoms = atomsOf(question, candidate);
  const reading = { atoms, ...shippedSentenceModel().read(sentenceModelInput(question, candidate, atoms)) };
  readings.set(candidate, reading);
  return reading;
}

/**
 * What the likeliest sentences gain or lose once the network has read them. Nothing where one of them leads clearly, or
 * where the network lacks what it would have to know.
 * @param scored the likeliest first
 */
export function readingGains(
  question: Question,
  scored: readonly { readonly candidate: Candidate; readonly score: number }[],
): Map<Candidate, number> {
  const from = (scored[0]?.score ?? 0) - nearTo;
  const near = scored.slice(0, mostRead).filter(({ score }) => score >= from);
  if (near.length < 2 || near.some(({ candidate }) => !isReadable(question, candidate))) return new Map();
  return new Map(near.map(({ candidate }) => [candidate, readingWeight * readingOf(question, candidate).whole]));
}

/**
 * Whether the network can judge a sentence: it has learned from questions on running text, knows no tables, and sees no
 * heading that says what a sentence is about.
 */
export function isReadable(question: Question, { unit, headings, headingMatch }: Candidate): boolean {
  if (unit.kind === 'row' || (headings.length > 0 && headingMatch.some((match) => match >= sameWord))) return false;
  return question.language !== 'en' || !isClaim(question);
}
