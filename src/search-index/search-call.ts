import { Meter } from '../core/meter.ts';
import { rerankStage } from '../modes/question-search.ts';
import type { FindOptions } from '../passages/find.ts';
import { openWeb, type WebParts } from '../services/open-web.ts';
import type { Providers } from '../services/providers.ts';
import { whereSql } from '../store/where.ts';
import type { SearchIndexSearchOptions } from './options.ts';
import type { IndexParts } from './parts.ts';

/** Options of a search as its rooms take them. @throws IbidError INVALID_FILTER, KEY_MISSING */
export async function searchCall(
  { tuning }: Pick<IndexParts, 'tuning'>,
  providers: Providers,
  webParts: WebParts,
  {
    web,
    rerank,
    where,
    budget,
    weights = tuning.weights,
    candidates = tuning.candidates,
    ...rest
  }: SearchIndexSearchOptions,
): Promise<FindOptions> {
  return {
    ...rest,
    weights,
    candidates,
    where: whereSql(where),
    meter: Meter.of(budget),
    web: web ? await openWeb(webParts, providers, web) : undefined,
    rerank: rerank ? await rerankStage(providers, rerank) : undefined,
  };
}
