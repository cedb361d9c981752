import { callOwn, checkedUsd, contractBroken, type OwnPart, priceOf, shown, unusable } from '../core/own-part.ts';
import type { Reranker } from './rerank.ts';

/**
 * The caller's reranker, whose scores are checked before they order hits. The caller closes it.
 * @throws IbidError INVALID_ARGUMENT for one without id or methods; its calls: CONTRACT_BROKEN and SERVICE_FAILED
 */
export function ownReranker(own: Reranker): Reranker {
  const invalid = (missing: string): Error => unusable('reranker', 'Reranker', 'rerankerContract', missing);
  if (typeof own?.id !== 'string' || own.id === '') throw invalid('`id` must be a text');
  for (const name of ['estimateUsd', 'score'] as const) {
    if (typeof own[name] !== 'function') throw invalid(`it has no method \`${name}\``);
  }
  const part: OwnPart = { what: 'reranker', id: own.id, check: 'rerankerContract' };
  return {
    id: own.id,
    estimateUsd: (query, passages) => priceOf(part, 'estimateUsd', () => own.estimateUsd(query, passages)),
    score: async (query, passages, options) => {
      const given = await callOwn(part, () => own.score(query, passages, options), options);
      const scores = Array.from((given?.scores ?? []) as ArrayLike<unknown>);
      if (scores.length !== passages.length)
        throw contractBroken(part, `${passages.length} passages gave ${scores.length} scores`);
      const isScore = (score: unknown): score is number => typeof score === 'number' && score >= 0 && score <= 1;
      if (!scores.every(isScore))
        throw contractBroken(
          part,
          `a score must be a number from 0 to 1, not ${shown(scores.find((s) => !isScore(s)))}`,
        );
      return { scores, costUsd: checkedUsd(part, 'costUsd', given.costUsd) };
    },
  };
}
