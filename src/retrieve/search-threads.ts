import { ownProgram } from '../core/package-files.ts';
import { ThreadPool } from '../core/thread-pool.ts';
import type { Embedder } from '../embed/contract.ts';
import type { Snapshot } from '../store/contract.ts';
import { ScopedSnapshot } from '../store/scoped-snapshot.ts';
import { UnitedSnapshot } from '../store/shards/united-snapshot.ts';
import type { SharedSnapshot } from '../store/shared-snapshot.ts';
import { StoreSnapshot } from '../store/snapshot.ts';
import { analyseQuery } from '../text/analysis/query.ts';
import { resolveSearchOptions, type SearchOptions, type SearchResult, searchWithPredictors } from './search.ts';
import { ShardThreads } from './shards/shard-threads.ts';

export interface SnapshotContext {
  readonly shared: SharedSnapshot;
  /** That share its memory. */
  readonly threads: number;
}

/** A search as a thread takes it. */
export interface ThreadSearch {
  readonly query: string;
  /** Filter of a `ScopedSnapshot`; undefined for the whole index. */
  readonly scope: string | undefined;
  /** Of the query; undefined without an embedder. */
  readonly vector: Int8Array | undefined;
  readonly options: Omit<SearchOptions, 'signal'>;
}

const entry: URL = ownProgram('retrieve/search-thread');

/** Nursery of a thread: most of what a search makes is garbage at its end. */
const youngMb = 8;

/**
 * Threads that answer whole searches. Vectors, rows and postings of a snapshot are in memory that all of them share; the
 * query is embedded by the caller's thread. Until a snapshot is loaded and the first thread has started, the caller's
 * thread searches. Hits and scores are the same in each.
 */
export class SearchThreads {
  readonly #threads: number;
  readonly #pool: ThreadPool<SnapshotContext, ThreadSearch, SearchResult>;
  /** Undefined for a snapshot that cannot be shared. */
  readonly #contexts = new WeakMap<StoreSnapshot, SnapshotContext | undefined>();
  #preparing: Promise<void> | undefined;
  /** For an index of shards. */
  #shards: ShardThreads | undefined;

  /** @param threads at least 1, beside the caller's */
  constructor(threads: number) {
    this.#threads = threads;
    this.#pool = new ThreadPool(entry, { threads, maxYoungGenerationSizeMb: youngMb });
  }

  /** As `searchWithPredictors`. @throws IbidError THREAD_ENDED */
  async search(
    snapshot: Snapshot,
    embedder: Embedder | undefined,
    query: string,
    options: SearchOptions = {},
  ): Promise<SearchResult> {
    if (snapshot instanceof UnitedSnapshot) return await this.#ofShards.search(snapshot, embedder, query, options);
    const { whole, where: scope } = snapshot instanceof ScopedSnapshot ? snapshot : { whole: snapshot };
    const context = this.#contextOf(whole);
    if (!context) return await searchWithPredictors(snapshot, embedder, query, options);
    // before the query is embedded, which may cost money
    const { weights, candidates, signal, ...resolved } = resolveSearchOptions(options, embedder);
    const isDense = resolved.mode !== 'lexical' && embedder !== undefined && snapshot.dimensions > 0;
    const vector = isDense ? await embedder.embedQuery(analyseQuery(query).text, { signal }) : undefined;
    const plain = { ...resolved, weights, candidates };
    return await this.#pool.request(context, { query, scope, vector, options: plain }, { signal });
  }

  /** Resolves when the threads can search a snapshot, or cannot. */
  async ready(snapshot: Snapshot): Promise<boolean> {
    if (snapshot instanceof UnitedSnapshot) return await this.#ofShards.ready(snapshot);
    if (!(snapshot instanceof StoreSnapshot)) return false;
    await this.#preparing; // of another one
    this.#contextOf(snapshot);
    await Promise.all([this.#preparing, this.#pool.start()]);
    return this.#contextOf(snapshot) !== undefined;
  }

  #contextOf(snapshot: Snapshot): SnapshotContext | undefined {
    if (!(snapshot instanceof StoreSnapshot) || this.#pool.isBroken) return undefined;
    void this.#pool.start();
    if (!this.#contexts.has(snapshot)) this.#preparing ??= this.#prepare(snapshot);
    return this.#pool.isReady ? this.#contexts.get(snapshot) : undefined;
  }

  async #prepare(snapshot: StoreSnapshot): Promise<void> {
    try {
      const shared = await snapshot.share();
      this.#contexts.set(snapshot, shared && { shared, threads: this.#threads });
    } catch {
      // the search in the caller's thread meets the same error, and throws it
    } finally {
      this.#preparing = undefined;
    }
  }

  get #ofShards(): ShardThreads {
    this.#shards ??= new ShardThreads(this.#threads);
    return this.#shards;
  }

  async close(): Promise<void> {
    await this.#shards?.close();
    await this.#pool.close();
  }
}
