import { ThreadPool } from '../../core/thread-pool.ts';
import type { CallOptions } from '../../core/types.ts';
import type { Embedder } from '../../embed/contract.ts';
import type { UnitedSnapshot } from '../../store/shards/united-snapshot.ts';
import type { SharedSnapshot } from '../../store/shared-snapshot.ts';
import { StoreSnapshot } from '../../store/snapshot.ts';
import type { CollectionTotals } from '../lexical-scores.ts';
import { type SearchOptions, type SearchResult, searchWithPredictors } from '../search.ts';
import type {
  CandidatesReply,
  CandidatesRequest,
  DictionaryReply,
  DictionaryRequest,
  ShardAsker,
  TermsReply,
  TermsRequest,
} from './contract.ts';
import { type AskedShard, searchShards } from './united-search.ts';

/** The shards of one thread. */
export interface ShardContext {
  readonly shards: readonly { readonly name: string; readonly shared: SharedSnapshot }[];
  /** Shards in all threads: they share the bounds of caches. */
  readonly of: number;
}

/** One question to one shard of a thread. */
export type ShardQuestion =
  | { readonly shard: string; readonly kind: 'totals' }
  | { readonly shard: string; readonly kind: 'terms'; readonly request: TermsRequest }
  | { readonly shard: string; readonly kind: 'dictionary'; readonly request: DictionaryRequest }
  | { readonly shard: string; readonly kind: 'candidates'; readonly request: CandidatesRequest };

type Pool = ThreadPool<ShardContext, ShardQuestion, unknown>;

const entry: URL = new URL(
  import.meta.url.endsWith('.ts') ? './shard-thread.ts' : './shard-thread.js',
  import.meta.url,
);

const youngMb = 16;

/** How long a shard may take for one search. */
export const shardTimeoutMs = 10_000;

/**
 * Threads that search shards, each its own, with vectors, rows and postings in memory that they share with this thread.
 * This thread embeds the query, merges what the shards found, and ranks it. Until the threads are ready, it searches
 * alone, with the same hits.
 */
export class ShardThreads {
  readonly #pools: readonly Pool[];
  /** By the snapshot: what each thread is given; undefined where it cannot be shared. */
  readonly #contexts = new WeakMap<UnitedSnapshot, readonly ShardContext[] | undefined>();
  readonly #timeoutMs: number;
  #preparing: Promise<void> | undefined;

  /** @param threads at least 1, beside the caller's */
  constructor(threads: number, timeoutMs: number = shardTimeoutMs) {
    this.#timeoutMs = timeoutMs;
    this.#pools = Array.from(
      { length: threads },
      () => new ThreadPool(entry, { threads: 1, maxYoungGenerationSizeMb: youngMb }),
    );
  }

  /** As `searchShards`. */
  async search(
    snapshot: UnitedSnapshot,
    embedder: Embedder | undefined,
    query: string,
    options: SearchOptions = {},
  ): Promise<SearchResult> {
    const contexts = this.#contextsOf(snapshot);
    if (!contexts) return await searchWithPredictors(snapshot, embedder, query, options);
    const shards = snapshot.parts.map(({ name, base }, i): AskedShard => {
      const thread = i % this.#pools.length;
      return { base, asker: new ThreadShard(name, this.#pools[thread]!, contexts[thread]!) };
    });
    return await searchShards(snapshot, shards, embedder, query, { ...options, timeoutMs: this.#timeoutMs });
  }

  /** Resolves when the threads can search a snapshot, or cannot. */
  async ready(snapshot: UnitedSnapshot): Promise<boolean> {
    await this.#preparing; // of another one
    this.#contextsOf(snapshot);
    await Promise.all([this.#preparing, ...this.#pools.map((pool) => pool.start())]);
    return this.#contextsOf(snapshot) !== undefined;
  }

  #contextsOf(snapshot: UnitedSnapshot): readonly ShardContext[] | undefined {
    if (this.#pools.some(({ isBroken }) => isBroken)) return undefined;
    for (const pool of this.#pools) void pool.start();
    if (!this.#contexts.has(snapshot)) this.#preparing ??= this.#prepare(snapshot);
    return this.#pools.every(({ isReady }) => isReady) ? this.#contexts.get(snapshot) : undefined;
  }

  async #prepare(snapshot: UnitedSnapshot): Promise<void> {
    try {
      const shards: { name: string; shared: SharedSnapshot }[] = [];
      for (const { name, snapshot: part } of snapshot.parts) {
        const shared = part instanceof StoreSnapshot ? await part.share() : undefined;
        if (shared) shards.push({ name, shared });
      }
      const isWhole = shards.length === snapshot.parts.length;
      const { length } = this.#pools;
      const contexts = this.#pools.map((_, thread): ShardContext => {
        return { shards: shards.filter((_, i) => i % length === thread), of: shards.length };
      });
      this.#contexts.set(snapshot, isWhole ? contexts : undefined);
    } catch {
      // the search in the caller's thread meets the same error, and throws it
    } finally {
      this.#preparing = undefined;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.close()));
  }
}

/** By shard: they stay while the snapshot does. */
const totals = new WeakMap<ShardContext, Map<string, CollectionTotals>>();

/** A shard in a thread. */
class ThreadShard implements ShardAsker {
  readonly name: string;
  readonly #pool: Pool;
  readonly #context: ShardContext;

  constructor(name: string, pool: Pool, context: ShardContext) {
    this.name = name;
    this.#pool = pool;
    this.#context = context;
  }

  async totals(options: CallOptions): Promise<CollectionTotals> {
    const known = totals.get(this.#context) ?? new Map<string, CollectionTotals>();
    totals.set(this.#context, known);
    const question = { shard: this.name, kind: 'totals' } as const;
    const found = known.get(this.name) ?? (await this.#ask<CollectionTotals>(question, options));
    known.set(this.name, found);
    return found;
  }

  terms(request: TermsRequest, options: CallOptions): Promise<TermsReply> {
    return this.#ask({ shard: this.name, kind: 'terms', request }, options);
  }

  dictionary(request: DictionaryRequest, options: CallOptions): Promise<DictionaryReply> {
    return this.#ask({ shard: this.name, kind: 'dictionary', request }, options);
  }

  candidates(request: CandidatesRequest, options: CallOptions): Promise<CandidatesReply> {
    return this.#ask({ shard: this.name, kind: 'candidates', request }, options);
  }

  async #ask<T>(question: ShardQuestion, options: CallOptions): Promise<T> {
    return (await this.#pool.request(this.#context, question, options)) as T; // `shard-thread.ts` answers each kind so
  }
}
