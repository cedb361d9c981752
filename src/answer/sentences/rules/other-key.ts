import { analyseWords } from '../../../text/analysis/words.ts';
import type { AnalysedPassage, Candidate } from '../question/candidate.ts';
import { once } from '../question/once.ts';
import type { Question } from '../question/question.ts';
import { isProgram } from '../structure/code.ts';
import { namesOver, textOf } from '../structure/unit-text.ts';

/** On the scale of the trees: a key of the same name stands below each. */
const loss = -4;
/** `lint:` over its settings, `[worker]`; the name is the group. */
const keyOfPart = /^[ \t]*(?:- +)?(?:\[+([\p{L}\p{N}_.-]+)\]+|["']?([\p{L}\p{N}_.-]+)["']?:)[ \t]*$/gmu;

/** The keys of settings over other settings that a question names, for each passage: the terms of each. */
const keysNamed = once((question) => {
  const known = new WeakMap<AnalysedPassage, readonly (readonly string[])[]>();
  return (passage: AnalysedPassage): readonly (readonly string[])[] => {
    let found = known.get(passage);
    if (found === undefined) {
      found = Array.from(passage.hit.chunk.text.matchAll(keyOfPart), ([, section, key]) => termsOf(section ?? key!));
      found = found.filter((terms) => terms.length > 0 && terms.every((term) => question.known.has(term)));
      known.set(passage, found);
    }
    return found;
  };
});

const termsOf = (text: string): string[] =>
  analyseWords(text)
    .filter(({ empty }) => !empty)
    .map(({ term }) => term);

/** Whether settings stand below another key than the one that the question names: the timeout of `test` for that of `lint`. */
export function isOfOtherKey(question: Question, candidate: Candidate): boolean {
  const { passage } = candidate;
  if (!isProgram(passage.hit.chunk.format)) return false;
  const keys = keysNamed(question)(passage);
  if (keys.length === 0) return false;
  const own = new Set(termsOf([textOf(candidate), ...namesOver(candidate)].join('\n')));
  return keys.some((terms) => !terms.some((term) => own.has(term)));
}

export function otherKeyLoss(question: Question, candidate: Candidate): number {
  return isOfOtherKey(question, candidate) ? loss : 0;
}
