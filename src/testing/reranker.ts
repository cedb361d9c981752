import { strict as assert } from 'node:assert';
import type { Reranker, RerankPassage } from '../retrieve/rerank.ts';
import { type ContractCheck, checks, costsAtMost, endsWhenAborted, type Make } from './check.ts';

const query = 'When does the ferry leave the harbour?';
const passages: readonly RerankPassage[] = [
  { title: 'Garden', text: 'Prune the roses in March, before the first leaves open.' },
  { title: 'Ferries', text: 'The ferry leaves the harbour every morning at seven.' },
  { title: '', text: 'Tea is served in the hall.' },
];

/**
 * What a search asks of a `Reranker`, as checks for any test runner:
 * `for (const { name, run } of rerankerContract(() => mine)) it(name, run);`
 */
export function rerankerContract(make: Make<Reranker>): ContractCheck[] {
  return checks(make, {
    'has an id': async ({ id }) => {
      assert.equal(typeof id, 'string');
      assert.notEqual(id, '');
    },
    'gives each passage a score in [0, 1], in the order of the passages, the best to the one that answers': async (
      reranker,
    ) => {
      const { scores } = await reranker.score(query, passages);
      assert.equal(scores.length, passages.length);
      for (const score of scores) assert.ok(score >= 0 && score <= 1, `a score is ${score}`);
      assert.equal(scores.indexOf(Math.max(...scores)), 1);
      const turned = await reranker.score(query, passages.toReversed());
      assert.equal(turned.scores.indexOf(Math.max(...turned.scores)), 1);
    },
    'costs no more than it says before': async (reranker) => {
      const estimate = reranker.estimateUsd(query, passages);
      costsAtMost((await reranker.score(query, passages)).costUsd, estimate);
    },
    'ends when the caller leaves': async (reranker) => {
      await endsWhenAborted((options) => reranker.score('another query', passages, options));
    },
  });
}
