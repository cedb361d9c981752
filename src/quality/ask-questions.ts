import { askAll } from '../eval/ask-all.ts';
import { mean } from '../eval/summary.ts';
import type { Tuning } from '../retrieve/tuning.ts';
import type { QualityIndex } from './quality-index.ts';
import type { JudgedQuestion } from './question.ts';
import { DEPTH, type Score, scoreHits } from './score.ts';

/** Asks every question and scores the hits; near-duplicates of hits are left in, since the judgements name places. */
export async function askQuestions(
  index: Pick<QualityIndex, 'search'>,
  questions: readonly JudgedQuestion[],
  tuning: Tuning,
  signal: AbortSignal | undefined,
): Promise<{ readonly scores: readonly Score[]; readonly msPerQuery: number }> {
  const ask = async (question: JudgedQuestion): Promise<Score> => {
    const { hits } = await index.search(question.question, { ...tuning, limit: DEPTH, distinct: false, signal });
    return scoreHits(
      question,
      hits.map(({ chunk }) => chunk),
    );
  };
  const { answers, timesMs } = await askAll(questions, ask, { signal });
  return { scores: answers, msPerQuery: mean(timesMs) };
}
