import { ownerAsked } from '../../../text/languages/owners-asked.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';

/** Positions of the terms for what something is asked of, which the documents know. */
const ownersOf = once(({ text, tokens, terms }: Question): readonly number[] => {
  const owner = ownerAsked(text);
  if (owner === undefined) return [];
  const of = new Set(
    tokens.flatMap(({ start, end, term }) => (start >= owner.start && end <= owner.end ? [term] : [])),
  );
  const found = terms.flatMap(({ term }, j) => (of.has(term) ? [j] : []));
  return found.every((j) => terms[j]!.documentFrequency > 0) ? found : [];
});

/**
 * Whether a row in Japanese or Chinese is asked for the value of something that neither it nor what stands over it has,
 * and the documents tell of elsewhere: the weight of the device, asked for that of its pot.
 */
export function isOfOtherOwner(question: Question, { unit, match, titleMatch }: Candidate): boolean {
  const owners = ownersOf(question);
  return unit.kind === 'row' && owners.length > 0 && owners.every((j) => match[j] === 0 && titleMatch[j] === 0);
}
