import type { Calibration } from '../answer/contract.ts';
import { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';
import type { Embedder } from '../embed/contract.ts';
import { openLocalEmbedder } from '../embed/local/embedder.ts';
import type { PaidEmbedder } from '../embed/service/embedder.ts';
import { countUnneeded, prunePaidVectors } from '../embed/service/prune-cache.ts';
import { type PaidTotals, totalsOf } from '../embed/service/receipts.ts';
import { modelOf, openServiceEmbedder, type ServiceEmbedderOptions } from '../services/embedder.ts';
import type { Snapshot } from '../store/contract.ts';
import { type Database, openStore, type Store } from '../store/index.ts';
import { StoredVectors } from '../store/vector-cache.ts';
import type { MessagesService } from '../wire/messages/index.ts';
import type { SearchService } from '../wire/search/index.ts';
import { type IndexTarget, MODEL_BLOB, UNTRAINED } from './index-target.ts';
import { paidModelOf } from './service-vectors.ts';
import type { KeptVectors } from './status.ts';

/** Clients of the services, opened and closed by the caller. Without them everything works from the documents alone. */
export interface IndexServices {
  readonly search?: SearchService | undefined;
  readonly messages?: MessagesService | undefined;
}

/** One consistent view of an index, with the embedder its vectors were made with. */
export interface Session {
  readonly snapshot: Snapshot;
  /** Absent while nothing is indexed, and where the vectors are a service's and there is no client of it: then words alone decide. */
  readonly embedder: Embedder | undefined;
  readonly calibration: (Calibration & { readonly chunks: number }) | undefined;
}

export const CALIBRATION = 'calibration';

/** Opens what is there, once, and again when it has changed. */
export class Sessions {
  readonly #database: Database;
  readonly #services: IndexServices;
  #store: Store | undefined;
  #session: Session | undefined;
  #opening: Promise<Session> | undefined;
  #embedder: Embedder | undefined;
  #told: string | undefined;
  /** Told of what did not work and was got around. */
  onWarning: ((warning: IbidError) => void) | undefined;

  constructor(database: Database, services: IndexServices, store: Store | undefined) {
    this.#database = database;
    this.#services = services;
    this.#store = store;
  }

  get hasStore(): boolean {
    return this.#store !== undefined;
  }

  async store(): Promise<Store> {
    this.#store ??= await openStore(this.#database);
    return this.#store;
  }

  /** Forgets what was open: a writer has changed it. */
  renew(): void {
    this.#session = undefined;
  }

  /** The newest snapshot with the embedder its vectors were made with. */
  open(): Promise<Session> {
    // Calls at one time share one opening: each on its own would close the embedder the other has just opened.
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<Session> {
    const store = await this.store();
    for (;;) {
      const snapshot = await store.snapshot();
      if (this.#session?.snapshot === snapshot) return this.#session;
      const fingerprint = await store.fingerprint();
      const embedder = await this.#embedderOf(store, fingerprint.embedder);
      const calibration = (await store.getMeta(CALIBRATION)) as Session['calibration']; // written by SearchIndex, or absent
      // A writer may have switched to other vectors in between: snapshot, model and calibration must be of one generation.
      if ((await store.fingerprint()).embedder !== fingerprint.embedder || (await store.snapshot()) !== snapshot)
        continue;
      this.#session = { snapshot, embedder, calibration };
      return this.#session;
    }
  }

  /** An embedder of the search service, its vectors kept beside the index. @throws IbidError KEY_MISSING */
  paidEmbedder(options: ServiceEmbedderOptions): PaidEmbedder {
    const { search } = this.#services;
    if (!search) {
      throw new IbidError(
        'KEY_MISSING',
        `"${options.model}" is a model of the search service, and there is no key for it`,
        {
          hint: 'Set IBID_SEARCH_API_KEY and IBID_SEARCH_BASE_URL, or pass `services: { search }` to openIndex.',
        },
      );
    }
    return openServiceEmbedder(search, { cache: new StoredVectors(this.#database), ...options });
  }

  /** What all runs together have paid for vectors; undefined where nothing was. */
  async paidTotals(): Promise<PaidTotals | undefined> {
    const receipts = await new StoredVectors(this.#database).receipts();
    return receipts.length === 0 ? undefined : totalsOf(receipts);
  }

  /** Vectors that were paid for and are kept; undefined where there are none. */
  async keptVectors(): Promise<KeptVectors | undefined> {
    const cache = new StoredVectors(this.#database);
    const entries = (await cache.keys()).length;
    if (entries === 0) return undefined;
    return { entries, unneeded: await countUnneeded(cache), bytes: await cache.bytes() };
  }

  /**
   * Drops kept vectors that nothing needs any more: `prunePaidVectors`. Does nothing without a client of the service, whose models say how
   * documents are cut.
   * @param requestTokens as the embedder is bound to
   */
  async prunePaid(
    target: Pick<IndexTarget, 'documents' | 'manifest'>,
    requestTokens: number | undefined,
    { signal }: CallOptions,
  ): Promise<void> {
    const { search } = this.#services;
    const cache = new StoredVectors(this.#database);
    const ids = new Set((await cache.receipts()).map(({ model }) => model));
    const models = [...ids].flatMap((id) => paidModelOf(id) ?? []);
    if (!search || models.length === 0) return;
    const [first, ...others] = models;
    const needed = async (): Promise<Set<string>> => {
      const keys = new Set<string>();
      const embedder = this.paidEmbedder({ ...first!, requestTokens });
      const rest = others.map(({ model, dimensions }) => modelOf(search, model, dimensions));
      for await (const documents of target.documents({ signal }))
        for (const key of embedder.keysOf(documents, rest)) keys.add(key);
      return keys;
    };
    let documents = 0;
    for (const { chunks } of (await target.manifest()).values()) if (chunks > 0) documents++; // one line at a time is an object
    await prunePaidVectors(cache, documents * models.length, needed, Date.now());
  }

  async #embedderOf(store: Store, id: string): Promise<Embedder | undefined> {
    if (id === UNTRAINED) return undefined;
    if (this.#embedder?.id === id) return this.#embedder;
    const paid = paidModelOf(id);
    if (paid && !this.#services.search) {
      if (this.#told !== id) {
        this.#told = id;
        this.onWarning?.(
          new IbidError(
            'KEY_MISSING',
            `the vectors are of "${id}", and there is no key for its service: only words are searched`,
            {
              hint: 'Set IBID_SEARCH_API_KEY and IBID_SEARCH_BASE_URL.',
            },
          ),
        );
      }
      return undefined;
    }
    const model = paid ? undefined : await store.getBlob(MODEL_BLOB);
    if (!paid && !model) return undefined; // `doctor` says so
    await this.#embedder?.close();
    this.#embedder = paid ? new PatientEmbedder(this.paidEmbedder(paid), this) : openLocalEmbedder(model!);
    return this.#embedder;
  }

  async close(): Promise<void> {
    await this.#embedder?.close();
    await this.#store?.close();
    this.#session = undefined;
  }
}

export function isPaid(embedder: Embedder | undefined): boolean {
  return embedder instanceof PatientEmbedder;
}

/** Failures of a service that are no reason not to search by words. */
const passing: ReadonlySet<string> = new Set([
  'CONNECTION_FAILED',
  'TIMEOUT',
  'RATE_LIMITED',
  'OVERLOADED',
  'SERVICE_FAILED',
  'RESPONSE_INVALID',
  'BILLING',
]);

/** Where the service cannot embed a query just now, words alone decide, and the user is told. */
class PatientEmbedder implements Embedder {
  readonly id: string;
  readonly dimensions: number;
  readonly limits: Embedder['limits'];
  readonly #paid: PaidEmbedder;
  readonly #sessions: Sessions;

  constructor(paid: PaidEmbedder, sessions: Sessions) {
    this.id = paid.id;
    this.dimensions = paid.dimensions;
    this.limits = paid.limits;
    this.#paid = paid;
    this.#sessions = sessions;
  }

  embedDocuments(...call: Parameters<Embedder['embedDocuments']>): ReturnType<Embedder['embedDocuments']> {
    return this.#paid.embedDocuments(...call);
  }

  /** The zero vector, which says nothing, where the service fails in passing. */
  async embedQuery(query: string, options: CallOptions = {}): Promise<Int8Array> {
    try {
      return await this.#paid.embedQuery(query, options);
    } catch (error) {
      if (!(error instanceof IbidError) || !passing.has(error.code)) throw error;
      this.#sessions.onWarning?.(error);
      return new Int8Array(this.dimensions);
    }
  }

  close(): Promise<void> {
    return this.#paid.close();
  }
}
