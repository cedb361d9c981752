import type { SearchReport } from '../../core/report.ts';
import { hitToJson, webToJson } from '../../search-index/json.ts';
import type { SearchIndex } from '../../search-index/search-index.ts';
import { type Access, mustPay } from '../access.ts';
import { type ServedHit, type ServedShards, searchAnswer, servedShards } from '../answer-shapes.ts';
import { ofIndex, problemOf, warningToJson } from '../problem.ts';
import { type SearchRequest, searchRequest } from '../request-shapes.ts';
import { type Call, type Route, route } from '../route.ts';

export const searchRoute: Route = route<SearchRequest>({
  path: '/api/search',
  methods: ['GET', 'POST'],
  summary: 'Finds passages.',
  scope: 'read',
  request: searchRequest,
  answer: searchAnswer,
  handle: async (call) => ({ json: await searchIndexes(call.input, call) }),
});

/** `/api/search`. */
interface SearchJson {
  readonly query: string;
  readonly corrected?: string;
  readonly hits: readonly ServedHit[];
  readonly report: ReportJson;
}

/** Searches one index, or several at a time; their hits are merged by score, which each index calibrates in [0, 1]. */
export async function searchIndexes(
  { query, index: names, ...options }: SearchRequest,
  { access, indexes, signal }: Pick<Call, 'access' | 'indexes' | 'signal'>,
): Promise<SearchJson> {
  if (options.rerank || options.web) mustPay(access);
  const chosen = indexes.chosen(names);
  const named = indexes.areSeveral;
  const found = await Promise.all(
    chosen.map(async ([name, index]) => ({
      name,
      ...(await ofIndex(named ? name : undefined, () => searchOne(access.view(index), query, options, access, signal))),
    })),
  );
  const hits = found
    .flatMap(({ name, hits: own }) => own.map((hit) => ({ name, hit })))
    .sort((a, b) => b.hit.score - a.hit.score)
    .slice(0, options.limit ?? 10)
    .map(({ name, hit }, i): ServedHit => ({ ...hitToJson(hit, i + 1), ...(named && { index: name }) }));
  const reports = found.map(({ report }) => report);
  const corrected = found.length === 1 ? reports[0]!.corrected : undefined;
  return { query, ...(corrected !== undefined && { corrected }), hits, report: reportToJson(reports) };
}

function searchOne(
  index: SearchIndex,
  query: string,
  options: Omit<SearchRequest, 'query' | 'index'>,
  { budget }: Access,
  signal: AbortSignal,
): ReturnType<SearchIndex['search']> {
  return index.search(query, { ...options, budget, signal });
}

interface ReportJson {
  readonly mode: string;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly shards?: ServedShards;
  readonly costUsd: number;
  readonly elapsedMs: number;
  readonly web?: ReturnType<typeof webToJson>;
}

/** Warnings name what failed as a problem does: without words of a service. */
function reportToJson(reports: readonly SearchReport[]): ReportJson {
  const web = reports.find((report) => report.web)?.web;
  return {
    mode: reports[0]!.mode,
    warnings: reports.flatMap(({ warnings }) => warnings.map(warningToJson)),
    ...servedShards(reports.map(({ shards }) => shards)),
    costUsd: reports.reduce((sum, { costUsd }) => sum + costUsd, 0),
    elapsedMs: Math.max(...reports.map(({ elapsedMs }) => elapsedMs)),
    ...(web && { web: webToJson({ ...web, error: web.error && new Error(problemOf(web.error).message) }) }),
  };
}
