import { type ErrorCode, IbidError, wordsCanAnswer } from '../core/errors.ts';
import type { Meter } from '../core/meter.ts';
import type { SearchReport, ShardsReport, WebReport } from '../core/report.ts';
import { inStage } from '../core/stages.ts';
import type { Hit, StoredChunk } from '../core/types.ts';
import type { Embedder } from '../embed/contract.ts';
import { nearestHits } from '../retrieve/nearest.ts';
import { type Reranker, type RerankOptions, searchReranked } from '../retrieve/rerank.ts';
import { type SearchHit, type SearchOptions, searchWithPredictors } from '../retrieve/search.ts';
import type { MissingShard, Snapshot } from '../store/contract.ts';
import type { WebConversation } from '../web/conversation.ts';
import { chunksBetween } from './named-document.ts';
import type { IndexView } from './view.ts';

/** What a search found, and how it went. */
export interface SearchResults {
  /** Best first. */
  readonly hits: readonly SearchHit[];
  readonly report: SearchReport;
}

/** A reranker, and how far its scores count. */
export interface RerankStage extends Pick<RerankOptions, 'candidates' | 'trust'> {
  readonly reranker: Reranker;
}

export interface FindOptions extends SearchOptions {
  readonly meter: Meter;
  readonly web?: WebConversation | undefined;
  /** Leaves out the index's own hits. @default false */
  readonly webOnly?: boolean | undefined;
  readonly rerank?: RerankStage | undefined;
  /** Leaves out hits that are far behind the best one. @default false */
  readonly nearest?: boolean | undefined;
}

/** Hits of a search that names no limit. */
const LIMIT = 10;

/**
 * Passages of the index, of the web where it takes part, and in a reranker's order where there is one. Where a service
 * cannot embed the query, words alone decide; where the reranker or the web fails, the hits come without. The report
 * says so.
 * @throws IbidError INVALID_ARGUMENT, INVALID_FILTER, CONTRACT_BROKEN; what the web does wrong only where there is
 * nothing else to give
 */
export async function findPassages(view: IndexView, query: string, options: FindOptions): Promise<SearchResults> {
  const startedAt = performance.now();
  const { web, webOnly, rerank, nearest = false, ...rest } = options;
  const meter = options.meter.child();
  const warnings: IbidError[] = view.warning ? [view.warning] : [];
  const metered = view.embedder?.withMeter?.(meter) ?? view.embedder;
  let isByWords = view.snapshot.dimensions === 0;
  const onFailure = (warning: IbidError): void => {
    isByWords = true;
    warnings.push(warning);
  };
  const embedder = metered && fallbackEmbedder(metered, onFailure);
  const index = { snapshot: view.snapshot, embedder };
  let webReport: WebReport | undefined;
  let corrected: string | undefined;
  let late: readonly MissingShard[] = [];
  let along: readonly SearchHit[] = [];
  const searched = async (limit: number): Promise<readonly SearchHit[]> => {
    if (!web) {
      const search = view.searcher?.search.bind(view.searcher) ?? searchWithPredictors;
      const found = await search(index.snapshot, embedder, query, { ...rest, limit });
      corrected = found.corrected;
      late = found.missing ?? [];
      const end = found.hits.length - found.along;
      along = found.hits.slice(end);
      return found.hits.slice(0, end);
    }
    const found = await web.search(index, query, { ...rest, opening: 0, variants: 0, limit, meter, webOnly });
    webReport = found.report;
    return found.hits;
  };
  const find = (limit: number): Promise<readonly SearchHit[]> => inStage('search', () => searched(limit));
  const { limit = LIMIT, signal, onSilence } = rest;
  let hits: readonly SearchHit[];
  if (rerank) {
    const { reranker, candidates, trust } = rerank;
    const scoring = { candidates, trust, meter, signal, onSilence };
    const reranked = await inStage('rerank', () => searchReranked(query, limit, find, reranker, scoring));
    hits = reranked.hits;
    if (reranked.error instanceof IbidError) warnings.push(reranked.error);
  } else {
    hits = await find(limit);
  }
  if (nearest) hits = nearestHits(hits);
  const last = hits.at(-1)?.score ?? 0;
  hits = [...hits, ...along.map((hit) => ({ ...hit, score: Math.min(hit.score, last) }))];
  const { shards } = view.snapshot;
  const missing = [...(shards?.missing ?? []), ...late];
  warnings.push(...missing.map(withoutShard));
  const { mode = 'hybrid' } = rest;
  const report: SearchReport = {
    mode: !embedder || (mode === 'hybrid' && isByWords) ? 'lexical' : mode,
    warnings,
    ...(corrected !== undefined && { corrected }),
    ...(shards && { shards: shardsReport({ ...shards, missing }) }),
    ...(webReport && { web: webReport }),
    costUsd: meter.spentUsd,
    elapsedMs: performance.now() - startedAt,
  };
  return { hits, report };
}

/** Where a service cannot embed a query, the zero vector, which says nothing, stands in: words alone decide. */
function fallbackEmbedder(embedder: Embedder, onFailure: (warning: IbidError) => void): Embedder {
  return {
    id: embedder.id,
    dimensions: embedder.dimensions,
    embedDocuments: (documents, options) => embedder.embedDocuments(documents, options),
    embedQuery: async (query, options = {}) => {
      try {
        return await inStage('embed query', () => embedder.embedQuery(query, options));
      } catch (error) {
        options.signal?.throwIfAborted();
        if (!wordsCanAnswer(error)) throw error;
        onFailure(withoutVector(error, embedder.id));
        return new Int8Array(embedder.dimensions);
      }
    },
    ...(embedder.withMeter && { withMeter: (meter) => fallbackEmbedder(embedder.withMeter!(meter), onFailure) }),
  };
}

/** Failures that stay until somebody changes something. */
const lasting: ReadonlySet<ErrorCode> = new Set([
  'KEY_REJECTED',
  'PERMISSION_DENIED',
  'BILLING',
  'REMOTE_NOT_FOUND',
  'OPERATION_RETIRED',
  'REQUEST_REJECTED',
  'UNSAFE_ADDRESS',
]);

/** Says that words alone answered, why, and the way out where the reason stays. */
function withoutVector(cause: IbidError, id: string): IbidError {
  const { code, message, hint } = cause;
  const wayOut = lasting.has(code) ? "`reembed({ to: 'local' })` makes vectors that need no service." : undefined;
  return new IbidError(code, `searched by words alone, since "${id}" gave no vector for the query: ${message}`, {
    hint: [hint, wayOut].filter((part) => part !== undefined).join(' ') || undefined,
    cause,
  });
}

export function shardsReport({ count, missing }: NonNullable<Snapshot['shards']>): ShardsReport {
  return { asked: count, missing: missing.map(({ name, error: { code } }) => ({ name, code })) };
}

function withoutShard({ name, error }: MissingShard): IbidError {
  const { code, message, hint } = error;
  return new IbidError(code, `searched without shard ${name}: ${message}`, { hint, cause: error });
}

/**
 * Chunks `[from, to)` of a document, as hits; none for a document that is not there.
 * @param beside a chunk of the document that is meant @throws IbidError CITATION_NOT_FOUND, as `chunksBetween`
 */
export async function readChunks(
  snapshot: Snapshot,
  uri: string,
  places: readonly [from: number, to: number],
  beside?: StoredChunk,
): Promise<readonly Hit[]> {
  const chunks = await chunksBetween(snapshot, uri, places, beside);
  return chunks.map((chunk) => ({ chunk, score: 0, origin: 'local', trace: [] }));
}

/** What several searches of one question report together; undefined of none. */
export function sumOfReports(reports: readonly SearchReport[]): SearchReport | undefined {
  const last = reports.at(-1);
  if (!last) return undefined;
  const web = reports.flatMap((report) => report.web ?? []);
  const shards = reports.flatMap((report) => report.shards ?? []);
  return {
    ...last,
    warnings: firstOfEach(
      reports.flatMap(({ warnings }) => warnings),
      ({ message }) => message,
    ),
    ...(shards.length > 0 && {
      shards: {
        asked: Math.max(...shards.map(({ asked }) => asked)),
        missing: firstOfEach(
          shards.flatMap(({ missing }) => missing),
          ({ name }) => name,
        ),
      },
    }),
    ...(web.length > 0 && { web: { ...web.at(-1)!, costUsd: web.reduce((sum, { costUsd }) => sum + costUsd, 0) } }),
    costUsd: reports.reduce((sum, { costUsd }) => sum + costUsd, 0),
    elapsedMs: reports.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0),
  };
}

function firstOfEach<T>(list: readonly T[], key: (one: T) => string): readonly T[] {
  return list.filter((one, i) => list.findIndex((other) => key(other) === key(one)) === i);
}
