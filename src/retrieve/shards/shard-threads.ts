import { IbidError } from '../../core/errors.ts';
import { ownProgram } from '../../core/package-files.ts';
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

/** What a thread is asked about some of its shards. */
export type ShardQuestion = { readonly shards: readonly string[] } & (
  | { readonly kind: 'totals' }
  | { readonly kind: 'terms'; readonly request: TermsRequest }
  | { readonly kind: 'dictionary'; readonly request: DictionaryRequest }
  | { readonly kind: 'candidates'; readonly request: CandidatesRequest }
);

/** What one shard replies, or why it does not. */
export type ShardOutcome =
  | { readonly value: unknown }
  | { readonly error: Pick<IbidError, 'code' | 'message' | 'hint'> };

type Pool = ThreadPool<ShardContext, ShardQuestion, readonly ShardOutcome[]>;

const entry: URL = ownProgram('retrieve/shards/shard-thread');

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
  #preparing: Promise<void> | undefined;

  /** @param threads at least 1, beside the caller's */
  constructor(threads: number) {
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
    const lines = this.#pools.map((pool, thread) => new ThreadLine(pool, contexts[thread]!));
    const shards = snapshot.parts.map(({ name, base }, i): AskedShard => {
      return { base, asker: new ThreadShard(name, lines[i % lines.length]!) };
    });
    return await searchShards(snapshot, shards, embedder, query, { ...options, timeoutMs: shardTimeoutMs });
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

/** The line to a thread: what is asked about several of its shards at a time goes in one message. */
class ThreadLine {
  readonly #pool: Pool;
  readonly context: ShardContext;
  readonly #waiting = new Map<
    object,
    { readonly shards: string[]; readonly reply: Promise<readonly ShardOutcome[]> }
  >();

  constructor(pool: Pool, context: ShardContext) {
    this.#pool = pool;
    this.context = context;
  }

  /** @param request the same object for all shards that are asked at a time */
  async ask<T>(shard: string, kind: ShardQuestion['kind'], request: object, options: CallOptions): Promise<T> {
    let one = this.#waiting.get(request);
    if (!one) {
      const shards: string[] = [];
      const reply = Promise.resolve().then(() => {
        this.#waiting.delete(request);
        const question = { shards, kind, request } as ShardQuestion; // the methods of `ThreadShard` pair them
        return this.#pool.request(this.context, question, options);
      });
      one = { shards, reply };
      this.#waiting.set(request, one);
    }
    const place = one.shards.push(shard) - 1;
    const outcome = (await one.reply)[place]!;
    if ('value' in outcome) return outcome.value as T; // `shard-thread.ts` answers each kind so
    const { code, message, hint } = outcome.error;
    throw new IbidError(code, message, { hint });
  }
}

const nothing = {};

/** A shard in a thread. */
class ThreadShard implements ShardAsker {
  readonly name: string;
  readonly #line: ThreadLine;

  constructor(name: string, line: ThreadLine) {
    this.name = name;
    this.#line = line;
  }

  async totals(options: CallOptions): Promise<CollectionTotals> {
    const { context } = this.#line;
    const known = totals.get(context) ?? new Map<string, CollectionTotals>();
    totals.set(context, known);
    const found =
      known.get(this.name) ?? (await this.#line.ask<CollectionTotals>(this.name, 'totals', nothing, options));
    known.set(this.name, found);
    return found;
  }

  terms(request: TermsRequest, options: CallOptions): Promise<TermsReply> {
    return this.#line.ask(this.name, 'terms', request, options);
  }

  dictionary(request: DictionaryRequest, options: CallOptions): Promise<DictionaryReply> {
    return this.#line.ask(this.name, 'dictionary', request, options);
  }

  candidates(request: CandidatesRequest, options: CallOptions): Promise<CandidatesReply> {
    return this.#line.ask(this.name, 'candidates', request, options);
  }
}
