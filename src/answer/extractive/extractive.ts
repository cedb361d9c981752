import { IbidError } from '../../core/errors.ts';
import type { Hit } from '../../core/types.ts';
import { answerFromBuiltIn, calibrationVersion, refuseBelowBuiltIn } from '../answerability/model.ts';
import { judge } from '../answerability/support-for.ts';
import type { Answer, AnswerOptions, Band, CollectionStatistics } from '../contract.ts';
import { compose } from './compose.ts';
import { pick } from './select.ts';

/** A further sentence is shown when it is within this of the best, on the selection model's scale. */
const within = 6;
export const refusal: string = 'The indexed documents do not seem to answer this.';

/**
 * Answers with sentences of the hits, each cited, or says that the index does not know.
 * @param hits best first; their chunks' texts are what is quoted
 * @param statistics must know the terms of `questionTerms(question)`
 * @throws IbidError INVALID_ARGUMENT for a bad option
 */
export function answerExtractive(
  question: string,
  hits: readonly Hit[],
  statistics: CollectionStatistics,
  options: AnswerOptions = {},
): Answer {
  const { sentences, refuseBelow, answerFrom } = resolveAnswerOptions(options);
  const { ranked, support } = judge(question, hits, statistics);
  const band: Band = support < refuseBelow ? 'refused' : support < answerFrom ? 'closest' : 'answered';
  if (band !== 'refused') {
    const { text, citations } = compose(pick(ranked, { limit: sentences, within }));
    if (citations.length > 0) return { question, answer: text, abstained: false, band, support, citations, hits };
  }
  return { question, answer: refusal, abstained: true, band: 'refused', support, citations: [], hits };
}

export function resolveAnswerOptions(options: AnswerOptions): {
  sentences: number;
  refuseBelow: number;
  answerFrom: number;
} {
  const { sentences = 3 } = options;
  const calibration = options.calibration?.version === calibrationVersion ? options.calibration : undefined;
  const refuseBelow = options.refuseBelow ?? calibration?.refuseBelow ?? refuseBelowBuiltIn;
  // A threshold given alone may cross the other: what is refused is not answered.
  const answerFrom = Math.max(refuseBelow, options.answerFrom ?? calibration?.answerFrom ?? answerFromBuiltIn);
  if (!Number.isInteger(sentences) || sentences < 1) {
    throw new IbidError('INVALID_ARGUMENT', `sentences must be a whole number from 1, not ${sentences}`);
  }
  for (const [name, value] of Object.entries({ refuseBelow, answerFrom })) {
    if (!(value >= 0 && value <= 1)) throw new IbidError('INVALID_ARGUMENT', `${name} must be in [0, 1], not ${value}`);
  }
  return { sentences, refuseBelow, answerFrom };
}
