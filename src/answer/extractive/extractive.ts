import { IbidError } from '../../core/errors.ts';
import type { Hit } from '../../core/types.ts';
import type { CollectionStatistics } from '../../retrieve/collection-statistics.ts';
import { confidenceOf, rankSentences } from '../answerability/answerability.ts';
import type { Answer, AnswerOptions } from '../contract.ts';
import { pick } from '../sentences/select.ts';
import { compose } from './compose.ts';

/** A further sentence is shown when it is within this of the best, on the selection model's scale. */
const within = 6;
export const refusal: string = 'The indexed documents do not seem to answer this.';

/**
 * Answers with sentences of the hits, each cited, or says that the index does not know.
 * @param hits best first; their chunks' texts are what is quoted
 * @param statistics must know the terms of `contentTerms(question)`
 * @throws IbidError INVALID_ARGUMENT for a bad option
 */
export function answerExtractive(
  question: string,
  hits: readonly Hit[],
  statistics: CollectionStatistics,
  { sentences = 3, ...thresholds }: AnswerOptions = {},
): Answer {
  if (!Number.isInteger(sentences) || sentences < 1) {
    throw new IbidError('INVALID_ARGUMENT', `sentences must be a whole number from 1, not ${sentences}`);
  }
  const { ranked, support } = rankSentences(question, hits, statistics);
  const confidence = confidenceOf(support, thresholds);
  if (confidence !== 'none') {
    const { text, citations } = compose(pick(ranked, { limit: sentences, within }));
    if (citations.length > 0) return { question, answer: text, abstained: false, confidence, support, citations, hits };
  }
  return { question, answer: refusal, abstained: true, confidence: 'none', support, citations: [], hits };
}
