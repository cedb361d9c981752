import type { AnalysedWord } from '../../../text/analysis/words.ts';
import { asksOf } from '../../../text/languages/names-given.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { type Question, relatedWord, sameWord } from '../question/question.ts';

/** On the scale of the trees. */
const loss = -5;

interface Asked {
  /** Positions of the terms of whose it is, and of what is asked for. */
  readonly who: readonly number[];
  readonly what: readonly number[];
}

const askedOf = once(({ text, tokens, terms }: Question): Asked | undefined => {
  const groups = asksOf.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const from = text.lastIndexOf(groups.what!);
  const placesOf = (isOf: (token: AnalysedWord) => boolean): number[] =>
    tokens
      .filter((token) => !token.empty && isOf(token))
      .map((token) => terms.findIndex(({ term }) => term === token.term));
  const who = placesOf(({ start, capital }) => start < from && capital).filter((j) => j >= 0);
  const what = placesOf(({ start }) => start >= from).filter((j) => j >= 0);
  return who.length > 0 && what.length > 0 ? { who, what } : undefined;
});

/**
 * What sentences lose that have the name alone, where another sentence of that name's document has what is asked for:
 * of `What is Ann Moor's extension?`, the signature `Ann Moor`, beside `call me: extension 118`.
 */
export function possessedLosses(
  question: Question,
  candidates: readonly Candidate[],
): (candidate: Candidate) => number {
  const asked = askedOf(question);
  if (asked === undefined) return () => 0;
  const holds = ({ match, headingMatch }: Candidate, least: number): boolean =>
    asked.what.every((j) => Math.max(match[j]!, headingMatch[j]!) >= least);
  const named = new Set(
    candidates
      .filter(({ passage }) => asked.who.every((j) => passage.match[j]! >= sameWord))
      .map(({ passage }) => passage.hit.chunk.uri),
  );
  if (!candidates.some((one) => named.has(one.passage.hit.chunk.uri) && holds(one, sameWord))) return () => 0;
  return (candidate) => (holds(candidate, relatedWord) ? 0 : loss);
}
