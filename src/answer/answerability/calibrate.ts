import { mapConcurrent } from '../../core/async.ts';
import { logitOf, probabilityOf } from '../../core/logistic.ts';
import type { CallOptions, Hit } from '../../core/types.ts';
import { quantile } from '../../eval/summary.ts';
import type { CollectionStatistics } from '../../retrieve/collection-statistics.ts';
import { languageOf } from '../../text/languages/detect.ts';
import type { SupportCalibration } from '../contract.ts';
import { judgeSentences } from './answerability.ts';
import { calibrationVersion } from './model.ts';
import { outOfDomainQuestions } from './out-of-domain.ts';

/** The hits of a question, and how rare its words are. */
export interface Asked {
  /** As many hits as an answer will look at later, from the same search. */
  readonly hits: readonly Hit[];
  readonly statistics: CollectionStatistics;
}

interface CalibrateOptions extends CallOptions {
  /**
   * Called with the questions of one language before they are asked, so that a caller can prepare many searches
   * together.
   */
  readonly prefetch?: ((questions: readonly string[]) => Promise<void>) | undefined;
}

/** Questions asked at a time: the database reads for one while another is judged. */
const AT_ONCE = 3;
/** The least share of the sample for a language to count as a language of the index. */
const languageShare = 0.05;
/** Of each language's out-of-domain questions: an answer must have more support than this quantile. */
const quantileOfUnanswered = 0.9;
/** All in logits of support. */
const margin = 0.45;
const answerFloor = 0.2;
const answerCeiling = 1.2;
const refuseFloor = -1.6;
const refuseShare = 0.05;
/**
 * In fewer chunks no word is rare, and every question has less support: both floors fall by so much with each halving
 * (`bench/quality/README.md`).
 */
const fewChunks = 150;
const fewestMeasured = 6;
const fallPerHalving = 0.9 * Math.LN2;

/**
 * Finds the thresholds of one index without labels. The index is asked everyday questions that hardly any collection
 * answers; their support shows how support looks there without an answer. `answerFrom` lies above nine in ten of them,
 * `refuseBelow` near their middle. The same index gives the same calibration.
 * @param sample texts of some chunks (200 are enough), which show the languages of the index
 * @returns undefined where an index of many chunks finds nothing for any of the questions
 */
export async function calibrateSupport(
  sample: Iterable<string> | AsyncIterable<string>,
  ask: (question: string, options: CallOptions) => Promise<Asked>,
  { prefetch, ...options }: CalibrateOptions = {},
): Promise<SupportCalibration | undefined> {
  const byLanguage = outOfDomainQuestions(await languagesOf(sample));
  const logits: number[] = [];
  let high = Number.NEGATIVE_INFINITY;
  let rows = 0;
  for (const questions of byLanguage) {
    options.signal?.throwIfAborted();
    await prefetch?.(questions);
    const supportOf = async (question: string): Promise<number> => {
      const { hits, statistics } = await ask(question, options);
      rows = statistics.rows;
      return judgeSentences(question, hits, statistics).support;
    };
    const own: number[] = [];
    for await (const support of mapConcurrent(questions, supportOf, { concurrency: AT_ONCE, ...options })) {
      if (support > 0) own.push(logitOf(support));
    }
    if (own.length === 0) continue; // the index finds nothing at all for them: they say nothing about its scale
    high = Math.max(high, quantile(own, quantileOfUnanswered, 'above'));
    logits.push(...own);
  }
  const fall = fallPerHalving * Math.max(0, Math.log2(fewChunks / Math.max(fewestMeasured, rows)));
  let [answer, refuse] = [answerFloor - fall, refuseFloor - fall];
  if (logits.length > 0) {
    const middle = quantile(logits, 0.5, 'above');
    answer = Math.max(answer, Math.min(answerCeiling, high + margin));
    refuse = Math.min(high, Math.max(refuse, middle + refuseShare * (high - middle)));
  } else if (rows === 0 || fall === 0) return undefined;
  return {
    version: calibrationVersion,
    questions: logits.length,
    refuseBelow: round(Math.min(probabilityOf(refuse), probabilityOf(answer))),
    answerFrom: round(probabilityOf(answer)),
  };
}

async function languagesOf(sample: Iterable<string> | AsyncIterable<string>): Promise<ReadonlySet<string>> {
  const counts = new Map<string, number>();
  let all = 0;
  for await (const text of sample) {
    const language = languageOf(text.slice(0, 2000));
    counts.set(language, (counts.get(language) ?? 0) + 1);
    all++;
  }
  return new Set([...counts].flatMap(([language, count]) => (count >= languageShare * all ? [language] : [])));
}

/** Stored as JSON: four digits are plenty, and the same on every machine. */
function round(x: number): number {
  return Math.round(x * 1e4) / 1e4;
}
