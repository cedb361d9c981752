import { LONGEST_TIMER_MS } from '../core/async.ts';
import { IbidError, lostAttempts, mayBeBilled } from '../core/errors.ts';
import { Meter } from '../core/meter.ts';
import type { WebReport } from '../core/report.ts';
import type { CallOptions } from '../core/types.ts';
import type { Embedder } from '../embed/contract.ts';
import { type SearchHit, type SearchOptions, search } from '../retrieve/search.ts';
import type { Snapshot } from '../store/contract.ts';
import type { FoundPage, WebQuery, WebSearch } from './contract.ts';
import type { WebDocument, WebPages } from './documents.ts';
import { mergedSearch } from './merged-search.ts';
import type { ResolvedWebOptions } from './options.ts';
import type { OverlayDocument } from './overlay.ts';
import { mergePages } from './pages.ts';
import { queryVariants } from './query-variants.ts';
import type { WebSnapshots } from './snapshots.ts';

/** The index that is searched with the web. */
export interface SearchedIndex {
  readonly snapshot: Snapshot;
  /** Of the snapshot's vectors; without an embedder words decide. */
  readonly embedder: Embedder | undefined;
}

/** The parts that a search of the web needs. */
export interface WebSources {
  readonly web: WebSearch;
  readonly snapshots: WebSnapshots;
  /** Pages seen so far: of one search, or of one conversation. */
  readonly pages: WebPages;
  /** The whole page instead of extracts; undefined where it cannot be had. */
  readonly fetchPage?: ((page: FoundPage, options: CallOptions) => Promise<FoundPage | undefined>) | undefined;
  /** Milliseconds since 1970. */
  now(): number;
}

export interface WebSearchCall extends SearchOptions {
  readonly meter?: Meter | undefined;
  /** Leaves out the index's own hits. @default false */
  readonly webOnly?: boolean | undefined;
}

/**
 * Asks index and web at the same time and ranks both in one list. The web has until its deadline; when it is late or
 * fails, the index's own hits come back, which were ready meanwhile, and the report says so.
 * @throws IbidError INVALID_ARGUMENT, INVALID_FILTER; what the web does wrong only where there are no hits of the index
 * to give
 */
export async function searchWithWeb(
  index: SearchedIndex,
  sources: WebSources,
  query: string,
  web: ResolvedWebOptions,
  { meter = new Meter(), webOnly = false, ...options }: WebSearchCall,
): Promise<{ readonly hits: readonly SearchHit[]; readonly report: WebReport }> {
  const started = performance.now();
  const { snapshot, embedder } = index;
  const asked = new WebRun(index, sources, query, web, { meter, mode: options.mode, signal: options.signal });
  try {
    const [found, own] = await Promise.all([asked.finished, webOnly ? [] : search(snapshot, embedder, query, options)]);
    options.signal?.throwIfAborted();
    const report = { ...found.report, elapsedMs: performance.now() - started };
    if (found.documents.length === 0) {
      if (webOnly && report.status !== 'ok') throw report.error; // there is nothing else to give
      return { hits: own, report: { ...report, hits: 0 } };
    }
    const { hits } = await mergedSearch(snapshot, found.embedder, query, found.documents, {
      ...options,
      mode: found.embedder ? options.mode : 'lexical',
      perSite: web.perSite,
      webOnly,
    });
    const kept = await keep(sources.snapshots, found.documents, hits);
    const fromWeb = hits.filter(({ origin }) => origin === 'web').length;
    return { hits, report: { ...report, hits: fromWeb, ...(kept ? { error: report.error ?? kept } : {}) } };
  } finally {
    asked.stop();
  }
}

interface Found {
  readonly documents: readonly OverlayDocument[];
  /** Embeds query and passages; absent where the passages could not be embedded: then words alone decide. */
  readonly embedder: Embedder | undefined;
  readonly report: Omit<WebReport, 'elapsedMs' | 'hits'>;
}

/** One look at the web. `finished` never rejects and never outlasts the deadline, whatever the service does. */
class WebRun {
  readonly finished: Promise<Found>;
  readonly #abort = new AbortController();
  readonly #index: SearchedIndex;
  readonly #sources: WebSources;
  readonly #query: string;
  readonly #options: ResolvedWebOptions;
  readonly #meter: Meter;
  readonly #wantsVectors: boolean;
  #costUsd = 0;

  constructor(
    index: SearchedIndex,
    sources: WebSources,
    query: string,
    options: ResolvedWebOptions,
    call: CallOptions & { readonly meter: Meter; readonly mode: SearchOptions['mode'] },
  ) {
    this.#index = index;
    this.#sources = sources;
    this.#options = options;
    this.#meter = call.meter;
    this.#wantsVectors = call.mode !== 'lexical' && index.embedder !== undefined && index.snapshot.dimensions > 0;
    this.#query = query;
    this.finished = this.#race(call.signal);
  }

  /** Harmless after the end. */
  stop(): void {
    this.#abort.abort(new IbidError('ABORTED', 'the search is over'));
  }

  async #race(signal: AbortSignal | undefined): Promise<Found> {
    const { deadlineMs } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    let onAbort: (() => void) | undefined;
    const stopped = new Promise<never>((_, reject) => {
      const late = new IbidError('TIMEOUT', `the web took longer than ${deadlineMs} ms`, {
        hint: 'Give it a longer deadlineMs, or ask again.',
      });
      const end = (reason: unknown): void => {
        reject(reason);
        this.#abort.abort(reason);
      };
      timer = setTimeout(() => end(late), Math.min(deadlineMs, LONGEST_TIMER_MS));
      onAbort = () => end(signal?.reason);
      if (signal?.aborted) onAbort();
      signal?.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([this.#ask(), stopped]);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      const isLate = error instanceof IbidError && error.code === 'TIMEOUT' && this.#abort.signal.aborted;
      const report = { status: isLate ? 'late' : 'failed', pages: 0, costUsd: this.#costUsd, error } as const;
      return { documents: [], embedder: undefined, report };
    } finally {
      clearTimeout(timer);
      if (onAbort) signal?.removeEventListener('abort', onAbort);
    }
  }

  async #ask(): Promise<Found> {
    const { pages: seen, now } = this.#sources;
    const { lists, failed } = await this.#pay(await this.#variants());
    const pages = await this.#whole(mergePages(lists, { ...this.#options, nowMs: now() }));
    const documents = seen.add(pages, new Date(now()).toISOString());
    const { vectors, error } = await this.#embed(documents);
    const problem = failed[0]?.error ?? error;
    return {
      documents: documents.map((document, i) => ({ document, vectors: vectors?.[i] })),
      embedder: vectors && this.#index.embedder,
      report: { status: 'ok', pages: pages.length, costUsd: this.#costUsd, ...(problem ? { error: problem } : {}) },
    };
  }

  /** Variants of the caller go in a request each, which the caller pays for; variants of ours go in one. */
  async #variants(): Promise<WebQuery> {
    const { queries } = this.#options;
    if (queries) return { ...this.#options, queries };
    const { lexical } = this.#index.snapshot;
    const ours = await queryVariants(this.#query, lexical, { signal: this.#abort.signal });
    return { ...this.#options, queries: ours, together: true };
  }

  /** A request without an answer may have been billed, so its price counts. */
  async #pay(query: WebQuery): ReturnType<WebSearch['search']> {
    const { web } = this.#sources;
    const estimate = web.estimateUsd(query);
    const reservation = this.#meter.reserve(estimate);
    try {
      const answer = await web.search(query, { signal: this.#abort.signal });
      reservation.settle(answer.costUsd);
      this.#costUsd += answer.costUsd;
      return answer;
    } catch (error) {
      if (this.#abort.signal.aborted || mayBeBilled(error)) reservation.settle(estimate * lostAttempts(error));
      else reservation.cancel();
      throw error;
    }
  }

  async #whole(pages: FoundPage[]): Promise<FoundPage[]> {
    const { fetchPage } = this.#sources;
    if (!this.#options.fetch || !fetchPage) return pages;
    const { signal } = this.#abort;
    // a page that cannot be had, for whatever reason, is what the search showed of it
    return await Promise.all(
      pages.map(async (page) => (await fetchPage(page, { signal }).catch(() => undefined)) ?? page),
    );
  }

  async #embed(
    documents: readonly WebDocument[],
  ): Promise<{ readonly vectors?: readonly (readonly Int8Array[])[]; readonly error?: Error }> {
    const { embedder: own } = this.#index;
    if (!this.#wantsVectors || !own) return {};
    const meter = this.#meter.child();
    const embedder = own.withMeter?.(meter) ?? own;
    try {
      const texts = documents.map(({ snapshot, chunks }) => ({ title: snapshot.title, chunks }));
      return { vectors: await embedder.embedDocuments(texts, { signal: this.#abort.signal }) };
    } catch (error) {
      if (this.#abort.signal.aborted || !(error instanceof IbidError)) throw error;
      return { error };
    } finally {
      this.#costUsd += meter.spentUsd;
    }
  }
}

/** Keeps the pages that were given out, so that what is cited from them can be checked later. */
async function keep(
  snapshots: WebSnapshots,
  documents: readonly OverlayDocument[],
  hits: readonly SearchHit[],
): Promise<Error | undefined> {
  const ids = new Set(hits.flatMap(({ web }) => web?.snapshot ?? []));
  try {
    await snapshots.put(documents.flatMap(({ document }) => (ids.has(document.id) ? [document.snapshot] : [])));
    return undefined;
  } catch (error) {
    // an index that cannot be written can still be asked
    return error instanceof Error ? error : new Error(String(error));
  }
}
