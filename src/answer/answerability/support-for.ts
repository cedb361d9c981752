import type { Hit } from '../../core/types.ts';
import type { CollectionStatistics } from '../contract.ts';
import { candidatesOf } from '../extractive/features.ts';
import { rank, type Scored } from '../extractive/select.ts';
import { analyseQuestion } from '../question.ts';
import { supportOf } from './model.ts';
import { supportFeatures } from './support.ts';

/** The sentences of the hits, best first, and how far they support an answer. */
export function judge(
  question: string,
  hits: readonly Hit[],
  statistics: CollectionStatistics,
): { readonly ranked: readonly Scored[]; readonly support: number } {
  const analysed = analyseQuestion(question, statistics);
  const ranked = rank(candidatesOf(analysed, hits));
  return { ranked, support: supportOf(supportFeatures(analysed, ranked)) };
}

/** In [0, 1]; 0 when there is nothing to judge. */
export function supportFor(question: string, hits: readonly Hit[], statistics: CollectionStatistics): number {
  return judge(question, hits, statistics).support;
}
