import type { Span } from '../../core/types.ts';
import type { Candidate } from './features.ts';
import type { Question } from './question.ts';
import { spanTrees } from './span-weights.ts';
import { spanCandidates } from './spans.ts';
import { scoreOf } from './trees.ts';

/** Questions that a whole sentence answers. */
const wholeSentence: ReadonlySet<Question['type']> = new Set(['steps', 'choice']);
/** The logit from which words are marked. */
const markedFrom = -2.2;

/**
 * The words of a sentence that are what was asked for, in offsets of the chunk's text.
 * @returns undefined where the question wants more than a few words, or none stand out
 */
export function highlightOf(question: Question, candidate: Candidate): Span | undefined {
  if (wholeSentence.has(question.type) || candidate.unit.kind === 'row') return undefined;
  let best: Span | undefined;
  let most = markedFrom;
  for (const { span, row } of spanCandidates(question, candidate)) {
    const score = scoreOf(spanTrees, row);
    if (score <= most) continue;
    most = score;
    best = span;
  }
  return best;
}
