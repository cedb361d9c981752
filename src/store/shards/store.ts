import { IbidError, indexClosed } from '../../core/errors.ts';
import type { Address } from '../address.ts';
import { type Database, notFound } from '../database.ts';
import type { ManifestOptions, SnapshotOptions, Store, StoredManifest } from '../index-contract.ts';
import { ManifestMap } from '../manifest-map.ts';
import type { StoreSnapshot } from '../snapshot.ts';
import type { Fingerprint } from '../state.ts';
import { type ReadStoreOptions, TableStore } from '../store.ts';
import { defaultExactBytes } from '../vector-search.ts';
import { failureOfShard } from './failure.ts';
import { countOf, nameOf, readLayout, type ShardLayout, setsOnDisk, shardFolders } from './layout.ts';
import { ShardedManifest } from './manifest.ts';
import { strangerAt, strangersAmong } from './strangers.ts';
import { UnitedSnapshot } from './united-snapshot.ts';

interface ShardedStoreOptions extends ReadStoreOptions {
  /** Connects to the folder of one shard. */
  readonly connect: (folder: string) => Promise<Database>;
}

/** One shard of an open set: its store, or why it cannot be opened. */
interface OpenShard {
  readonly name: string;
  readonly folder: string;
  store: TableStore | undefined;
}

interface OpenSet {
  readonly layout: ShardLayout;
  readonly shards: readonly OpenShard[];
}

/** Reads an index of shards. A shard that cannot be read, or is of another index, is left out of snapshots. */
export class ShardedStore implements Store {
  readonly address: Address;
  readonly #directory: string;
  readonly #options: ShardedStoreOptions;
  #set: OpenSet | undefined;
  #united: UnitedSnapshot<StoreSnapshot> | undefined;
  /** What `revision` was made of last. */
  #state = '';
  #revision = 0;
  #closed = false;

  private constructor(address: Address & { readonly kind: 'local' }, options: ShardedStoreOptions) {
    this.address = address;
    this.#directory = address.directory;
    this.#options = options;
  }

  /** @throws IbidError INDEX_NOT_FOUND, INDEX_SCHEMA, INDEX_MISMATCH, INDEX_DAMAGED when no shard can be opened */
  static async open(
    address: Address & { readonly kind: 'local' },
    options: ShardedStoreOptions,
  ): Promise<ShardedStore> {
    const store = new ShardedStore(address, options);
    await store.fingerprint();
    return store;
  }

  get revision(): number {
    return this.#revision;
  }

  async #layout(): Promise<ShardLayout> {
    const layout = readLayout(this.#directory);
    if (!layout) throw notFound(this.address);
    if (!this.#options.next) return layout;
    const next = (await setsOnDisk(this.#directory)).find((set) => set > layout.set);
    if (next === undefined) throw notFound(this.address);
    return { count: await countOf(this.#directory, next), set: next };
  }

  async #opened(): Promise<OpenSet> {
    const layout = await this.#layout();
    if (this.#set?.layout.set === layout.set) return this.#set;
    await this.#closeSet();
    this.#checkOpen();
    const shards = shardFolders(this.#directory, layout).map((folder, i) => ({
      name: nameOf(i),
      folder,
      store: undefined,
    }));
    this.#set = { layout, shards };
    return this.#set;
  }

  async #storeOf(shard: OpenShard, { shards }: OpenSet): Promise<TableStore> {
    this.#checkOpen();
    const { connect, next: _, exactBytes = defaultExactBytes, ...options } = this.#options;
    // all shards are compared for one query
    const own = { ...options, exactBytes: exactBytes / shards.length, comparing: false };
    shard.store ??= await TableStore.open(await connect(shard.folder), own);
    return shard.store;
  }

  /** What each shard of a set gives; of those that fail, the error. @throws IbidError when all fail */
  async #each<T>(
    set: OpenSet,
    use: (store: TableStore) => Promise<T>,
  ): Promise<readonly (readonly [OpenShard, T | IbidError])[]> {
    const fingerprints: Fingerprint[] = [];
    const given = await Promise.all(
      set.shards.map(async (shard, i): Promise<T | IbidError> => {
        try {
          const store = await this.#storeOf(shard, set);
          const one = await use(store);
          fingerprints[i] = store.loadedFingerprint ?? (await store.fingerprint());
          return one;
        } catch (error) {
          // the options are wrong, not the shard
          if (!(error instanceof IbidError) || error.code === 'INVALID_ARGUMENT') throw error;
          return failureOfShard(error, shard.folder);
        }
      }),
    );
    if (given.every((one) => one instanceof IbidError)) throw given[0]!;
    const strangers = strangersAmong(set.shards.map((_, i) => fingerprints[i]));
    return set.shards.map((shard, i) => [shard, strangers[i] ? strangerAt(shard.folder) : given[i]!]);
  }

  /** What the first shard gives that can be read: all have the same. */
  async #any<T>(use: (store: TableStore) => Promise<T>): Promise<T> {
    const given = await this.#each(await this.#opened(), async (store) => store);
    let failure: unknown;
    for (const [{ folder }, store] of given) {
      if (store instanceof IbidError) continue;
      try {
        return await use(store);
      } catch (error) {
        if (!(error instanceof IbidError)) throw error;
        failure ??= failureOfShard(error, folder);
      }
    }
    throw failure;
  }

  fingerprint(): Promise<Fingerprint> {
    return this.#any((store) => store.fingerprint());
  }

  async snapshot(options?: SnapshotOptions): Promise<UnitedSnapshot<StoreSnapshot>> {
    const set = await this.#opened();
    const given = await this.#each(set, (store) => store.snapshot(options));
    const parts = given.flatMap(([{ name }, snapshot]) => (snapshot instanceof IbidError ? [] : [{ name, snapshot }]));
    // one that is gone, or has come back, may have the revision that it had before
    const states = given.map(([{ store }, one]) => (one instanceof IbidError ? one.code : store!.revision));
    const state = `${set.layout.set} ${states}`;
    if (state !== this.#state) this.#revision++;
    this.#state = state;
    const missing = given.flatMap(([{ name }, error]) => (error instanceof IbidError ? [{ name, error }] : []));
    const known = this.#united;
    const isSame =
      known?.parts.length === parts.length &&
      parts.every(({ snapshot }, i) => known.parts[i]!.snapshot === snapshot) &&
      missing.every(({ error }, i) => known.shards.missing[i]!.error.code === error.code);
    this.#united = isSame ? known : new UnitedSnapshot(parts, missing);
    return this.#united;
  }

  renew(): void {
    for (const { store } of this.#set?.shards ?? []) store?.renew();
  }

  async manifest({ onMissing, ...options }: ManifestOptions = {}): Promise<StoredManifest> {
    const given = await this.#each(await this.#opened(), (store) => store.manifest(options));
    const shards = given.map(([{ name }, one]) => {
      if (!(one instanceof IbidError)) return one;
      if (!onMissing) throw one;
      onMissing({ name, error: one });
      return new ManifestMap();
    });
    return new ShardedManifest(shards);
  }

  getMeta(key: string): Promise<unknown> {
    return this.#any((store) => store.getMeta(key));
  }

  getBlob(name: string): Promise<Uint8Array | undefined> {
    return this.#any((store) => store.getBlob(name));
  }

  async #closeSet(): Promise<void> {
    const set = this.#set;
    this.#set = undefined;
    for (const { store } of set?.shards ?? []) await store?.close();
  }

  #checkOpen(): void {
    if (this.#closed) throw indexClosed();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#closeSet();
    this.#united = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
