import { Meter } from '../core/meter.ts';
import { rerankStage } from '../modes/question-search.ts';
import { type FindOptions, findPassages, type SearchResults } from '../passages/find.ts';
import { openWeb } from '../services/open-web.ts';
import { whereSql } from '../store/where.ts';
import type { SearchIndexSearchOptions } from './options.ts';
import type { OpenParts } from './parts.ts';
import type { Views } from './scope.ts';

/** @throws IbidError as `SearchIndex.search` */
export async function searchViews(
  parts: OpenParts,
  views: Views,
  query: string,
  options: SearchIndexSearchOptions,
): Promise<SearchResults> {
  const call = await searchCall(parts, options);
  // What costs money is not asked for a second time.
  if (call.web || call.rerank) return await findPassages(await views.view(call), query, call);
  return await views.withView((view) => findPassages(view, query, call), call);
}

/** Options of a search as its rooms take them. @throws IbidError INVALID_FILTER, KEY_MISSING */
async function searchCall(
  { tuning, providers, web: webParts }: OpenParts,
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
