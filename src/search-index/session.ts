import { unlessAborted } from '../core/async.ts';
import { IbidError, indexClosed, isRefusal, isServiceFailure } from '../core/errors.ts';
import type { Embedder } from '../embed/contract.ts';
import { openLocalEmbedder } from '../embed/local/embedder.ts';
import { identifiedEmbedder, ownEmbedderOf } from '../embed/own.ts';
import type { IndexView } from '../passages/view.ts';
import type { Searcher } from '../retrieve/search.ts';
import { SearchThreads } from '../retrieve/search-threads.ts';
import { type Database, openStore, type Replica, type Store } from '../store/index.ts';
import { canShareMemory } from '../vector/webassembly.ts';
import { embedderMissing, serviceModelOf, UNTRAINED } from './given-vectors.ts';
import { MODEL_BLOB } from './ingest-session.ts';
import type { ServiceEmbedders } from './service-embedders.ts';

export const CALIBRATION = 'calibration';

/** Longer without a question: the next one waits for the newest state. */
const PAUSE_MS = 500;

/** The embedders for queries, besides the local one. */
interface QueryEmbedders {
  readonly service?: ServiceEmbedders | undefined;
  /** The caller's own embedder. */
  readonly own?: Embedder | undefined;
}

/** Options of a view. */
export interface ViewOptions {
  /**
   * Documents alone are read and nothing is searched: an index whose words another version has analysed has such a view
   * too. @default false
   */
  readonly documentsOnly?: boolean | undefined;
  /** Ends the wait of one caller for a view; others go on waiting for the same one. */
  readonly signal?: AbortSignal | undefined;
}

/** The place of an index, for reading. */
interface ReadPlace {
  readonly database: Database;
  /** Read in place of `database`. */
  readonly replica?: Replica | undefined;
  /** Searches several indexes as one. */
  readonly joined?: Searcher | undefined;
}

/** How a store is opened whose snapshots so many threads search, beside the caller's. */
export function readOptions(threads: number): { readonly threads: number } {
  return { threads: threads > 1 ? threads + 1 : 1 };
}

/** Reads an index: opens its parts once, and again after a change. */
export class Session {
  readonly #database: Database;
  readonly #replica: Replica | undefined;
  #embedders: QueryEmbedders;
  #store: Store | undefined;
  #view: IndexView | undefined;
  /** The state of the store that `#view` shows: `Store.revision`. -1: none. */
  #revision = -1;
  /** When `#view` was the newest. */
  #newestAt = -Infinity;
  /** The failure of the replica that `#view` tells. */
  #told: IbidError | undefined;
  /** The last view that shows documents alone. */
  #documents: IndexView | undefined;
  #opening: Promise<IndexView> | undefined;
  /** The view that is used while `#opening` is under way. */
  #before: IndexView | undefined;
  #embedder: Embedder | undefined;
  #closing: Promise<void> | undefined;
  readonly #ending = new AbortController();

  readonly #threads: number;
  readonly #searchThreads: SearchThreads | undefined;
  /** Searches where no threads do. */
  readonly #searcher: Searcher | undefined;

  /** @param threads that search; 1 = the caller's */
  constructor(
    { database, replica, joined }: ReadPlace,
    embedders: QueryEmbedders,
    store: Store | undefined,
    threads: number = 1,
  ) {
    this.#threads = threads;
    this.#searcher = joined;
    this.#searchThreads = threads > 1 && canShareMemory ? new SearchThreads(threads) : undefined;
    this.#database = replica?.database ?? database;
    this.#replica = replica;
    this.#embedders = embedders;
    this.#store = store;
  }

  /** Aborts with `close`. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** Aborts with `close`, and with the caller's own signal. */
  until(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([this.ending, signal]) : this.ending;
  }

  /** @throws IbidError INVALID_ARGUMENT after `close` */
  checkOpen(): void {
    this.#ending.signal.throwIfAborted();
  }

  async store(): Promise<Store> {
    this.checkOpen();
    await this.#replica?.ready();
    this.checkOpen();
    this.#store ??= await openStore(this.#database, readOptions(this.#threads));
    if (this.ending.aborted) await this.#store.close(); // it was opened meanwhile
    this.checkOpen();
    return this.#store;
  }

  /** Undefined where there is no index yet, or one that is too damaged to be opened. */
  async existing(): Promise<Store | undefined> {
    try {
      return await this.store();
    } catch (error) {
      if (error instanceof IbidError && ['INDEX_NOT_FOUND', 'INDEX_DAMAGED'].includes(error.code)) return undefined;
      throw error;
    }
  }

  /** Opens the store anew at the next use: its tables were replaced. */
  async reopen(): Promise<void> {
    await this.#store?.close();
    this.#store = undefined;
    this.renew();
    this.#view = undefined;
    this.#documents = undefined;
  }

  /** Forgets the view, because a writer has changed the index. */
  renew(): void {
    this.#replica?.renew();
    this.#store?.renew();
    this.#newestAt = -Infinity;
    if (this.#searchThreads) this.#revision = -1;
    else this.#view = undefined;
  }

  /** From now on the caller's own embedder is this one. */
  adopt(own: Embedder | undefined): void {
    this.#embedders = { ...this.#embedders, own };
  }

  /** Resolves when every view shows what this process has written. Until then, threads go on with the view before. */
  async written(): Promise<void> {
    const isServing = this.#before !== undefined || this.#isAsked;
    const opening = this.#opening; // may have begun before the last commit
    this.renew();
    if (!isServing) return;
    this.#newestAt = performance.now();
    await opening?.catch(() => undefined);
    await this.#newest().catch(() => undefined); // the next view meets the same error
  }

  /**
   * The newest snapshot, with the embedder of its vectors and its calibration. Where threads search without a pause,
   * they go on with the view before until the next one is loaded: a stream of questions is never held up.
   * @throws IbidError INDEX_MISMATCH for an index of another analysis, unless documents alone are read
   */
  async view({ documentsOnly = false, signal }: ViewOptions = {}): Promise<IndexView> {
    return await unlessAborted(() => (documentsOnly ? this.#newestDocuments() : this.#viewToSearch()), signal);
  }

  async #viewToSearch(): Promise<IndexView> {
    this.checkOpen();
    const newest = this.#newest();
    if (!this.#before) return await newest;
    newest.catch(() => undefined); // `#newestAt` grows old, and a later call waits and fails
    return this.#before;
  }

  /** Whether threads search without a pause. */
  get #isAsked(): boolean {
    return this.#searchThreads !== undefined && performance.now() - this.#newestAt < PAUSE_MS;
  }

  #newest(): Promise<IndexView> {
    if (!this.#opening) {
      this.#before = this.#isAsked ? this.#view : undefined;
      // Parallel calls share one opening. Separate ones would close each other's embedder.
      this.#opening = this.#open().finally(() => {
        this.#opening = undefined;
        this.#before = undefined;
      });
    }
    return this.#opening;
  }

  async #newestDocuments(): Promise<IndexView> {
    try {
      return await this.#viewToSearch();
    } catch (error) {
      if (!(error instanceof IbidError) || error.code !== 'INDEX_MISMATCH') throw error;
      const snapshot = await (await this.store()).snapshot({ ofAnyAnalysis: true });
      if (this.#documents?.snapshot !== snapshot)
        this.#documents = { snapshot, embedder: undefined, calibration: undefined };
      return this.#documents;
    }
  }

  /** Calls `use` with the newest view; with a newer one when a writer has switched and dropped its tables meanwhile. */
  async withView<T>(use: (view: IndexView) => Promise<T>, options: ViewOptions = {}): Promise<T> {
    for (;;) {
      const view = await this.view(options);
      try {
        return await use(view);
      } catch (error) {
        if (!(await this.#isOutdated(view, error, options))) throw error;
      }
    }
  }

  /**
   * Iterates over the newest view; begins again with a newer one as long as nothing was yielded.
   * @throws IbidError STORE_FAILED when a writer dropped the tables in the middle
   */
  async *fromView<T>(
    iterate: (view: IndexView) => AsyncIterable<T>,
    options: ViewOptions = {},
  ): AsyncGenerator<T, void, undefined> {
    for (let count = 0; ; ) {
      const view = await this.view(options);
      try {
        for await (const item of iterate(view)) {
          count++;
          yield item;
        }
        return;
      } catch (cause) {
        if (!(await this.#isOutdated(view, cause, options))) throw cause;
        if (count === 0) continue;
        throw new IbidError('STORE_FAILED', 'the index was rebuilt while it was read', {
          cause,
          hint: 'Read from the beginning again.',
        });
      }
    }
  }

  /**
   * Whether a writer switched to another generation, and so dropped what this view reads, or another machine no longer
   * keeps it.
   */
  async #isOutdated(view: IndexView, error: unknown, { documentsOnly = false }: ViewOptions): Promise<boolean> {
    if (!(error instanceof IbidError)) return false;
    this.checkOpen(); // what fails after the close fails because of it
    if (error.code === 'CONFLICT') this.renew();
    else if (error.code !== 'STORE_FAILED') return false;
    const newest = documentsOnly ? this.#newestDocuments() : this.#newest();
    return (await newest).snapshot !== view.snapshot;
  }

  async #open(): Promise<IndexView> {
    const store = await this.store();
    for (;;) {
      const snapshot = await store.snapshot();
      const { revision } = store;
      const stale = this.#replica?.failure;
      if (this.#view && this.#revision === revision && this.#told === stale) return this.#confirmed(this.#view);
      const { embedder: id } = await store.fingerprint();
      const opened = await this.#embedderOf(store, id);
      const [embedder, warning] = opened instanceof IbidError ? [undefined, opened] : [opened, stale];
      // written at the end of an ingest, or absent
      const calibration = (await store.getMeta(CALIBRATION)) as IndexView['calibration'];
      // A writer may activate another generation meanwhile: snapshot, model and calibration must be of one generation.
      if ((await store.fingerprint()).embedder !== id || (await store.snapshot()) !== snapshot) continue;
      if (this.#view) await this.#searchThreads?.ready(snapshot);
      this.#view = {
        snapshot,
        embedder,
        calibration,
        searcher: this.#searchThreads ?? this.#searcher,
        ...(warning && { warning }),
      };
      // an embedder of the caller that could not say what it is, or another machine, is asked again by the next search
      const mayCome = ownEmbedderOf(id) !== undefined || (this.#searcher && !isRefusal(opened));
      const isAway = isServiceFailure(opened) && mayCome;
      this.#revision = isAway ? -1 : revision;
      this.#told = stale;
      return this.#confirmed(this.#view);
    }
  }

  #confirmed(view: IndexView): IndexView {
    this.#newestAt = performance.now();
    return view;
  }

  /** Undefined when there are no vectors, the reason when their embedder is not available: then words are searched. */
  async #embedderOf(store: Store, id: string): Promise<Embedder | IbidError | undefined> {
    if (id === UNTRAINED) return undefined;
    if (this.#embedder?.id === id) return this.#embedder;
    const { service, own } = this.#embedders;
    if (ownEmbedderOf(id) !== undefined) {
      const found = own && (await identifiedEmbedder(own, id, { signal: this.#ending.signal }).catch(failureOf));
      this.checkOpen();
      if (found instanceof IbidError) return found;
      return found?.id === id ? found : embedderMissing(id);
    }
    const model = serviceModelOf(id);
    if (model && !service?.areThere) return service?.missing(id) ?? embedderMissing(id);
    let blob: Uint8Array | undefined;
    try {
      blob = model ? undefined : await store.getBlob(MODEL_BLOB);
    } catch (error) {
      if (this.#searcher && error instanceof IbidError) return error; // another machine does not give it
      throw error;
    }
    if (!model && !blob) return undefined; // `check` reports this
    this.checkOpen(); // nobody would close what is opened from here on
    let opened: Embedder;
    try {
      opened = model ? service!.open(model) : openLocalEmbedder(blob!);
    } catch (error) {
      if (model && error instanceof IbidError) return error; // the service has no such model any more
      throw error;
    }
    const before = this.#embedder;
    this.#embedder = opened;
    await before?.close?.();
    return opened;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#ending.abort(indexClosed());
    this.#view = undefined;
    this.#documents = undefined;
    await this.#searchThreads?.close();
    await this.#embedder?.close?.();
    await this.#store?.close();
    await this.#replica?.close();
  }
}

/** The failure of an embedder that was asked what it is. */
function failureOf(error: unknown): IbidError {
  if (error instanceof IbidError) return error;
  throw error;
}
