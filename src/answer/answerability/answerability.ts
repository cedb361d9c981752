import { numberOf } from '../../core/arguments.ts';
import type { Hit } from '../../core/types.ts';
import type { CollectionStatistics } from '../../retrieve/collection-statistics.ts';
import type { Answerability, Confidence, Thresholds } from '../contract.ts';
import type { Scored } from '../sentences/question/candidate.ts';
import { withCapitals } from '../sentences/question/capitals.ts';
import { analyseQuestion, type Question } from '../sentences/question/question.ts';
import { candidatesOf } from '../sentences/ranking/features.ts';
import { type Judged, judge, rank } from '../sentences/ranking/rank.ts';
import { answerFromBuiltIn, calibrationVersion, refuseBelowBuiltIn, supportOf } from './model.ts';
import { supportFeatures } from './support.ts';

interface JudgedSentences {
  readonly analysed: Question;
  /** Every sentence of the hits, by the linear model. */
  readonly ranked: readonly Scored[];
  /** The sentences of the hits that are worth a look, the likeliest answer first. */
  readonly judged: readonly Judged[];
  /** What they give an answer: in [0, 1], 0 without a sentence. */
  readonly support: number;
}

/** The sentences of the hits as a question judges them, and the support that they give an answer. */
export function judgeSentences(
  question: string,
  hits: readonly Hit[],
  statistics: CollectionStatistics,
): JudgedSentences {
  const analysed = analyseQuestion(withCapitals(question, hits), statistics);
  const ranked = rank(candidatesOf(analysed, hits));
  const judged = judge(analysed, ranked);
  return { analysed, ranked, judged, support: supportOf(supportFeatures(analysed, ranked, judged)) };
}

/** @throws IbidError INVALID_ARGUMENT for a threshold outside [0, 1] */
export function assessAnswerability(
  question: string,
  hits: readonly Hit[],
  statistics: CollectionStatistics,
  thresholds: Thresholds = {},
): Answerability {
  const { support } = judgeSentences(question, hits, statistics);
  return { support, confidence: confidenceOf(support, thresholds) };
}

/**
 * @param sureness of the sentence that is said, in logits: added to the support's where it decides on a plain answer
 * @throws IbidError INVALID_ARGUMENT for a threshold outside [0, 1]
 */
export function confidenceOf(support: number, thresholds: Thresholds, sureness = 0): Confidence {
  const calibration = thresholds.calibration?.version === calibrationVersion ? thresholds.calibration : undefined;
  const refuseBelow = thresholds.refuseBelow ?? calibration?.refuseBelow ?? refuseBelowBuiltIn;
  // A threshold given alone may cross the other: what is refused is not answered.
  const answerFrom = Math.max(refuseBelow, thresholds.answerFrom ?? calibration?.answerFrom ?? answerFromBuiltIn);
  for (const [name, value] of Object.entries({ refuseBelow, answerFrom })) numberOf(value, name, 0, 1);
  if (support < refuseBelow) return 'none';
  return oddsOf(support) * Math.exp(sureness) < oddsOf(answerFrom) ? 'low' : 'high';
}

function oddsOf(probability: number): number {
  return probability / (1 - probability);
}
