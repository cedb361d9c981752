import { callOwn, checkedUsd, contractBroken, type OwnPart, priceOf, unusable } from '../core/own-part.ts';
import type { WebAnswer, WebSearch } from './contract.ts';

/**
 * The caller's web search, whose answers are checked before they are merged. The caller closes it.
 * @throws IbidError INVALID_ARGUMENT for one without id or methods; its calls: CONTRACT_BROKEN and SERVICE_FAILED
 */
export function ownWebSearch(own: WebSearch): WebSearch {
  const invalid = (missing: string): Error => unusable('web search', 'WebSearch', 'webSearchContract', missing);
  if (typeof own?.id !== 'string' || own.id === '') throw invalid('`id` must be a text');
  for (const name of ['estimateUsd', 'search'] as const) {
    if (typeof own[name] !== 'function') throw invalid(`it has no method \`${name}\``);
  }
  const part: OwnPart = { what: 'web search', id: own.id, check: 'webSearchContract' };
  return {
    id: own.id,
    deadlineMs: own.deadlineMs,
    estimateUsd: (query) => {
      const usd = priceOf(part, 'estimateUsd', () => own.estimateUsd(query));
      return checkedUsd(part, 'estimateUsd', usd);
    },
    search: async (query, options) => checked(part, await callOwn(part, () => own.search(query, options), options)),
  };
}

function checked(part: OwnPart, answer: WebAnswer): WebAnswer {
  const { lists, failed, costUsd } = answer ?? {};
  if (!Array.isArray(lists) || !Array.isArray(failed)) throw contractBroken(part, 'it gave no `lists` and `failed`');
  for (const { query, pages } of lists.map((list) => list ?? {})) {
    if (typeof query !== 'string' || !Array.isArray(pages))
      throw contractBroken(part, 'a list must have a `query` and `pages`');
    for (const page of pages) {
      const { url, title, extracts } = page ?? {};
      const isPage = typeof url === 'string' && typeof title === 'string' && Array.isArray(extracts);
      if (!isPage || !extracts.every((extract) => typeof extract === 'string'))
        throw contractBroken(part, 'a page must have `url`, `title`, and texts as `extracts`');
    }
  }
  checkedUsd(part, 'costUsd', costUsd);
  return answer;
}
