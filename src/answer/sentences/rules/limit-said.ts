import { isCommonWord } from '../../../text/languages/common-words.ts';
import {
  countAllowed,
  lowerAsked,
  lowerSaid,
  measureWord,
  upperAsked,
  upperSaid,
} from '../../../text/languages/limits.ts';
import type { Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import { positionOf, type Question, sameWord } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: `up to 8 GB` has no word of `largest`. */
const gain = 4;

interface Asked {
  readonly said: RegExp;
  /** Positions of the terms of what is limited: `memory card` in `the largest memory card for it`. */
  readonly limited: readonly number[];
}

const asked = once(({ text, tokens, terms }): Asked | undefined => {
  const upper = upperAsked.exec(text) ?? countAllowed.exec(text);
  const found = upper ?? lowerAsked.exec(text);
  if (found === null) return undefined;
  const from = found.index + found[0].length;
  const limited: number[] = [];
  for (const token of tokens) {
    const { start, word, empty } = token;
    if (start < from) continue;
    const isOf = empty && /^(?:of|an?|the)$/u.test(word) && limited.length === 0; // `length of a name`
    if (empty && !isOf) break;
    const j = positionOf({ terms }, token);
    if (!empty && j >= 0 && !measureWord.test(word)) limited.push(j);
  }
  return limited.length === 0 ? undefined : { said: upper ? upperSaid : lowerSaid, limited };
});

/**
 * How much a sentence gains since it sets the limit that a question asks for by a word like `largest`: `Cards of up to 8
 * GB fit.` It has the last word of what is limited, and its passage or title has the other names of the question.
 */
export function limitGain(question: Question, candidate: Candidate): number {
  const wanted = asked(question);
  if (wanted === undefined || candidate.unit.kind === 'row') return 0;
  const { match, titleMatch, passage } = candidate;
  if (match[wanted.limited.at(-1)!]! < sameWord || !wanted.said.test(textOf(candidate))) return 0;
  const others = wanted.limited.slice(0, -1).filter((j) => passage.match[j]! < sameWord && titleMatch[j]! < sameWord);
  return others.length * 2 <= wanted.limited.length ? gain : 0;
}

const asksMost = /(?:est|most|m(?:ax|in)(?:imum)?)$/u;

/** Whether a sentence sets the limit of just what is asked for, and its passage or title has all other words. */
export function settlesLimit(question: Question, candidate: Candidate): boolean {
  if (limitGain(question, candidate) === 0) return false;
  const { match, titleMatch, passage } = candidate;
  const limited = asked(question)!.limited;
  return question.terms.every(({ word }, j) => {
    if (limited.includes(j)) return match[j]! >= sameWord;
    if (measureWord.test(word) || asksMost.test(word) || isCommonWord(word)) return true;
    return Math.max(titleMatch[j]!, passage.match[j]!) >= sameWord;
  });
}
