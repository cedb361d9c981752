import type { AnalysedWord } from '../../../text/analysis/words.ts';
import { isCommonWord } from '../../../text/languages/common-words.ts';
import { asksHowLongKept, saysKept } from '../../../text/languages/retention.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { positionsOf, type Question, sameWord } from '../question/question.ts';
import { isDegree } from '../question/wanted.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: `must be retained for seven years` has no word of `how long do we keep`. */
const gain = 4;

/** `kept`, `gespeichert`, `conservés`: what is kept stands before it. */
const participle = /(?:t|ed|ée?s?|ad[oa]s?|at[oaie])$/u;

/** Positions of the terms of what is kept: straight behind the word for keeping, or before it. */
const keptTerms: (question: Question) => readonly number[] = once(({ text, tokens, terms }) => {
  if (!asksHowLongKept.test(text)) return [];
  const at = tokens.findIndex(({ word }) => saysKept.test(word));
  if (at < 0) return [];
  const isSaid = ({ empty, word }: AnalysedWord): boolean => !empty && !isDegree(word) && !isCommonWord(word);
  const run = (own: readonly AnalysedWord[]): number[] => {
    const from = own.findIndex(isSaid);
    const to = own.findIndex((token, i) => i > from && !isSaid(token));
    const said = from < 0 ? [] : own.slice(from, to < 0 ? undefined : to);
    return positionsOf({ terms }, said);
  };
  const behind = participle.test(tokens[at]!.word) ? [] : run(tokens.slice(at + 1));
  return behind.length > 0 ? behind : run(tokens.slice(0, at).reverse());
});

/** How much a sentence gains since it says for how long what the question names is kept. */
export function keptGain(question: Question, { unit, match, holds, ...placed }: Candidate): number {
  const kept = keptTerms(question);
  if (kept.length === 0 || unit.kind === 'row' || !holds.unit) return 0;
  if (!kept.every((j) => match[j]! >= sameWord)) return 0;
  return saysKept.test(textOf({ unit, ...placed })) ? gain : 0;
}
