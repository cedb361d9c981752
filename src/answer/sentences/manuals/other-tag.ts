import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { textOf } from '../structure/unit-text.ts';

/** On the scale of the trees. */
const loss = -4;
/** Of a comment in a program: `@throws`, `:raises`, `\return`. */
const tag = /^[\s*/#-]*[@:\\](returns?|throws?|raises?|exception|params?|property|deprecated|since|see)\b/iu;
const asked: readonly (readonly [asks: RegExp, tags: RegExp])[] = [
  [/^what (?:does|do|did|will|can|would) [^?]*\breturns?\b/iu, /^returns?$/iu],
  [
    /^(?:when|what|which [\p{L} ]+) (?:does|do|did|will|can|would) [^?]*\b(?:throws?|raises?)\b/iu,
    /^(?:throws?|raises?|exception)$/iu,
  ],
];

/** Whether a sentence is the tag of another part of a function than the one that is asked for: `@throws` for what it returns. */
export function isOtherTag({ text }: Question, candidate: Candidate): boolean {
  const own = tag.exec(textOf(candidate))?.[1];
  return own !== undefined && asked.some(([asks, tags]) => asks.test(text) && !tags.test(own));
}

/** What such a tag loses. */
export function otherTagLoss(question: Question, candidate: Candidate): number {
  return isOtherTag(question, candidate) ? loss : 0;
}
