import type { Candidate } from '../question/candidate.ts';
import type { Question } from '../question/question.ts';
import { headerTextOf, namesOver, textOf } from '../structure/unit-text.ts';

/** Asks how much there may be, not how much there was. */
const asksLimit =
  /\bwhat (?:is|are|was|were) (?:the |its |our |their )?(?:maximum|minimum|max|min|highest allowed|upper limit|lower limit)\b/iu;
/** Anything that sets a limit, wherever in a sentence or over it. */
const limits =
  /\b(?:max|min|maxim\p{L}*|minim\p{L}*|limit\p{L}*|capacity|capped?|at (?:most|least)|up to|(?:no|not) (?:more|less|fewer|longer|shorter|later) than|between|ranges?|from \p{N}+|exceed\p{L}*|must|may|can|cannot|only|most|least|\p{L}+est|allow\p{L}*|permit\p{L}*|under|over|below|above|within)\b|[≤≥<>]/iu;

/** Whether a maximum or a minimum is asked for, and nothing in a sentence or over it sets a limit. */
export function lacksLimit(question: Question, candidate: Candidate): boolean {
  if (!asksLimit.test(question.text)) return false;
  return ![textOf(candidate), headerTextOf(candidate), ...namesOver(candidate)].some((text) => limits.test(text));
}
