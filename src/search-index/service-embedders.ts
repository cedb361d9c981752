import type { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';
import type { Embedder } from '../embed/contract.ts';
import { type Int8Recall, notedRecall } from '../embed/int8-recall.ts';
import { keepingEmbedder } from '../embed/own.ts';
import type { Keeping, KeptSpace } from '../embed/service/contract.ts';
import type { ServiceEmbedder } from '../embed/service/embedder.ts';
import { countUnneeded, pruneVectorCache } from '../embed/service/prune-cache.ts';
import { type BilledTotals, totalsOf } from '../embed/service/receipts.ts';
import { modelOf, openServiceEmbedder, type ServiceEmbedderOptions } from '../services/embedder.ts';
import type { Providers } from '../services/providers.ts';
import type { Database } from '../store/index.ts';
import { StoredVectors } from '../store/vector-cache.ts';
import { embedderMissing, serviceModelOf } from './given-vectors.ts';
import type { IngestSession } from './ingest-session.ts';
import type { KeptVectors } from './status.ts';

/** The embedders of services for one index, and the vectors that are kept beside the index once they are made. */
export class ServiceEmbedders {
  readonly #database: Database;
  readonly #providers: Providers;

  constructor(database: Database, providers: Providers) {
    this.#database = database;
    this.#providers = providers;
  }

  get areThere(): boolean {
    return this.#providers.hasSearch;
  }

  /** The error of what needs the embedder of an id, which is not there. */
  missing(id: string): IbidError {
    const problem = this.#providers.searchProblem;
    return problem && serviceModelOf(id) ? problem : embedderMissing(id);
  }

  /** @throws IbidError KEY_MISSING, INVALID_ARGUMENT */
  open(options: ServiceEmbedderOptions): ServiceEmbedder {
    const search = this.#providers.search(`embedding with "${options.model}"`);
    return openServiceEmbedder(search, { cache: new StoredVectors(this.#database), ...options });
  }

  /** The caller's embedder, which keeps its vectors beside the index where it can. @throws what its service throws */
  keep(
    own: Embedder,
    made: string | undefined,
    keeping: Omit<Keeping, 'cache'>,
    { signal }: CallOptions,
  ): ReturnType<typeof keepingEmbedder> {
    return keepingEmbedder(own, made, { ...keeping, cache: new StoredVectors(this.#database) }, { signal });
  }

  /** What rounding to eight bits costs the vectors of this model; undefined where it was not measured. */
  int8Recall(id: string): Promise<Int8Recall | undefined> {
    return notedRecall(new StoredVectors(this.#database), id);
  }

  /** Billed totals of all runs for vectors; undefined when nothing was billed. */
  async totals(): Promise<BilledTotals | undefined> {
    const receipts = await new StoredVectors(this.#database).receipts();
    return receipts.length === 0 ? undefined : totalsOf(receipts);
  }

  /** Counts of the stored vectors; undefined when there are none. */
  async kept(): Promise<KeptVectors | undefined> {
    const cache = new StoredVectors(this.#database);
    const entries = (await cache.keys()).length;
    if (entries === 0) return undefined;
    let unneeded = 0;
    for (const space of await cache.spaces()) unneeded += await countUnneeded(cache.inSpace(space));
    return { entries, unneeded, bytes: await cache.bytes() };
  }

  /** Deletes kept vectors of the caller's embedder that no document needs, as `prune` does. */
  async pruneOwn(
    session: Pick<IngestSession, 'documents' | 'manifest'>,
    kept: KeptSpace,
    { signal }: CallOptions,
  ): Promise<void> {
    const cache = new StoredVectors(this.#database).inSpace(await kept.space());
    const needed = async (): Promise<Set<string>> => {
      const keys = new Set<string>();
      for await (const documents of session.documents({ signal }))
        for (const key of kept.keysOf(documents)) keys.add(key);
      return keys;
    };
    // one vector is kept for each chunk, not for each document
    await pruneVectorCache(cache, (await session.manifest()).totals().chunks, needed, Date.now());
  }

  /**
   * Deletes stored vectors that no document needs, with `pruneVectorCache`. Does nothing without a client of the
   * service, because its models define how documents are cut.
   * @param requestTokens the embedder's limit
   */
  async prune(
    session: Pick<IngestSession, 'documents' | 'manifest'>,
    requestTokens: number | undefined,
    { signal }: CallOptions,
  ): Promise<void> {
    const cache = new StoredVectors(this.#database);
    const ids = new Set((await cache.receipts()).map(({ model }) => model));
    const models = [...ids].flatMap((id) => serviceModelOf(id) ?? []);
    if (!this.areThere || models.length === 0) return;
    const search = this.#providers.search('embedding');
    const [first, ...others] = models;
    const needed = async (): Promise<Set<string>> => {
      const keys = new Set<string>();
      const embedder = this.open({ ...first!, requestTokens });
      const rest = others.map(({ model, dimensions }) => modelOf(search, model, dimensions));
      for await (const documents of session.documents({ signal }))
        for (const key of embedder.keysOf(documents, rest)) keys.add(key);
      return keys;
    };
    let documents = 0;
    // iterates: each line becomes an object only for its turn
    for (const { chunks } of (await session.manifest()).values()) if (chunks > 0) documents++;
    await pruneVectorCache(cache.inSpace(undefined), documents * models.length, needed, Date.now());
  }
}
