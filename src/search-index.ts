import { dirname, relative, resolve } from 'node:path';
import { type Asked, calibrate } from './answer/calibrate.ts';
import type { Answer, Calibration } from './answer/contract.ts';
import { answerExtractive } from './answer/extractive.ts';
import { calibrationVersion } from './answer/model.ts';
import { collectionStatistics } from './answer/statistics.ts';
import { IbidError } from './core/errors.ts';
import type { CallOptions } from './core/types.ts';
import type { Embedder } from './embed/contract.ts';
import { openLocalEmbedder } from './embed/local-embedder.ts';
import { type ExportedChunk, type ExportOptions, exportChunks, sampleTexts } from './export.ts';
import { checkIndex, summariseIndex } from './health.ts';
import { IndexTarget, MODEL_BLOB, UNTRAINED } from './index-target.ts';
import type { IngestEvent, IngestSource } from './ingest/contract.ts';
import { CountingTarget, nullVectors } from './ingest/dry-run.ts';
import { folderSource, within } from './ingest/folder-source.ts';
import { type IngestOptions, ingest } from './ingest/ingest.ts';
import { loadPipeline } from './ingest/pipeline.ts';
import { checkGuard } from './ingest/reconcile.ts';
import { findPassage, type Passage } from './passage.ts';
import type { Reader, ReaderOptions } from './read/contract.ts';
import { createReader } from './read/reader.ts';
import { type SearchHit, type SearchOptions, search } from './retrieve/search.ts';
import type { Finding, IndexStatus } from './status.ts';
import type { ManifestEntry, Snapshot } from './store/contract.ts';
import { connectDatabase, type Database, openStore, openWriter, type Store } from './store/index.ts';
import { type ChunkOptions, chunkDocument } from './text/chunk.ts';
import { resolveChunkOptions } from './text/chunk-options.ts';
import { textVersion } from './text/version.ts';

export interface OpenIndexOptions extends CallOptions {
  /** Whether `ingest` may make an index where there is none. @default false */
  readonly create?: boolean | undefined;
  /**
   * Folder the uris of files are relative to. @default what the index was made with, else the folder that holds a `.ibid`,
   * else the working directory
   */
  readonly base?: string | undefined;
  readonly chunking?: ChunkOptions | undefined;
  readonly reader?: ReaderOptions | undefined;
  /** How long `ingest` waits for another writer before INDEX_LOCKED. @default 0 */
  readonly waitMs?: number | undefined;
  /** Passed to LanceDB for object stores: credentials, region, endpoint. */
  readonly storageOptions?: Readonly<Record<string, string>> | undefined;
  /** For `db://` addresses. */
  readonly apiKey?: string | undefined;
}

export interface SearchIndexIngestOptions extends IngestOptions {
  /** Also hidden files and folders. @default false */
  readonly hidden?: boolean | undefined;
  readonly maxFileBytes?: number | undefined;
  /** A module whose default export is a pipeline; it turns the paths into documents. */
  readonly pipeline?: string | undefined;
  /** Read, cut and count, but write nothing. @default false */
  readonly dryRun?: boolean | undefined;
  /** Build everything anew behind the old index and switch at the end: the way to other chunk options or text versions. @default false */
  readonly rebuild?: boolean | undefined;
}

export type SearchIndexSearchOptions = SearchOptions;

export interface AskOptions extends CallOptions {
  readonly where?: string | undefined;
  /** Sentences cited at most. @default 3 */
  readonly sentences?: number | undefined;
  /** Passages looked at. @default 10 */
  readonly passages?: number | undefined;
}

interface Session {
  readonly snapshot: Snapshot;
  readonly embedder: Embedder | undefined;
  readonly calibration: (Calibration & { readonly chunks: number }) | undefined;
}

const CALIBRATION = 'calibration';
const BASE = 'base';
/** Passages an answer is looked for in. */
const PASSAGES = 10;
/** Chunks whose language is looked at for calibration. */
const CALIBRATION_TEXTS = 200;
/** An index is calibrated anew when it has grown or shrunk by more than this share. */
const RECALIBRATE = 0.2;

/**
 * Opens an index: a local folder, `memory://`, or any address LanceDB knows. Nothing is read until it is needed, so that an
 * index that does not exist yet opens too when `create` is set.
 * @throws IbidError INVALID_ARGUMENT, INDEX_NOT_FOUND, INDEX_SCHEMA, INDEX_MISMATCH
 */
export async function openIndex(address: string, options: OpenIndexOptions = {}): Promise<SearchIndex> {
  return await SearchIndex.open(address, options);
}

/** A search index over documents: ingest, search, ask. */
export class SearchIndex {
  readonly address: string;
  /** Absolute folder the uris of files are relative to. */
  readonly base: string;
  readonly #database: Database;
  readonly #options: OpenIndexOptions;
  #store: Store | undefined;
  #reader: Reader | undefined;
  #session: Session | undefined;
  #embedder: Embedder | undefined;

  private constructor(
    address: string,
    base: string,
    database: Database,
    store: Store | undefined,
    options: OpenIndexOptions,
  ) {
    this.address = address;
    this.base = base;
    this.#database = database;
    this.#store = store;
    this.#options = options;
  }

  static async open(address: string, options: OpenIndexOptions): Promise<SearchIndex> {
    resolveChunkOptions(options.chunking); // a wrong option is said now, not after the first hundred files
    const { create = false, storageOptions, apiKey } = options;
    const database = await connectDatabase(address, { create, storageOptions, apiKey });
    let store: Store | undefined;
    try {
      store = await openStore(database);
    } catch (error) {
      if (!create || !(error instanceof IbidError) || error.code !== 'INDEX_NOT_FOUND') throw error;
    }
    const remembered = await store?.getMeta(BASE);
    const folder = database.address.kind === 'local' ? database.address.directory : undefined;
    const known = typeof remembered === 'string' ? resolve(folder ?? '.', remembered) : undefined;
    const base = known ?? resolve(options.base ?? (folder?.endsWith('.ibid') ? dirname(folder) : '.'));
    return new SearchIndex(address, base, database, store, options);
  }

  /**
   * Brings the index in line with files and folders, or with any other source. The last event is `done` with the receipt.
   * @throws IbidError INDEX_LOCKED, INDEX_MISMATCH, DELETE_GUARD
   */
  async *ingest(
    from: readonly string[] | IngestSource,
    options: SearchIndexIngestOptions = {},
  ): AsyncGenerator<IngestEvent, void, undefined> {
    const source = await this.#sourceOf(from, options);
    const chunk = (document: Parameters<typeof chunkDocument>[0]) => chunkDocument(document, this.#options.chunking);
    if (options.dryRun) {
      const known = options.rebuild ? undefined : await this.#store?.manifest();
      yield* ingest(source, { target: new CountingTarget(known ?? new Map()), vectors: nullVectors, chunk }, options);
      return;
    }
    const target = await this.#openTarget(options.rebuild ?? false);
    try {
      yield* ingest(source, { target, vectors: target.vectors, chunk }, options);
    } finally {
      await target.close();
      this.#session = undefined;
    }
  }

  async #sourceOf(from: readonly string[] | IngestSource, options: SearchIndexIngestOptions): Promise<IngestSource> {
    if ('items' in from) return from;
    if (from.length === 0) throw new IbidError('INVALID_ARGUMENT', 'no path to ingest was given');
    const { address } = this.#database;
    const exclude = address.kind === 'local' ? address.directory : undefined;
    const { hidden, maxFileBytes, signal } = options;
    const common = { paths: from, base: this.base, reader: this.#openReader(), exclude };
    if (options.pipeline === undefined) return folderSource({ ...common, hidden, maxFileBytes });
    return await (await loadPipeline(options.pipeline)).source({ ...common, signal });
  }

  async #openTarget(rebuild: boolean): Promise<IndexTarget> {
    const shape = { chunker: JSON.stringify(resolveChunkOptions(this.#options.chunking)), textVersion };
    const { waitMs, signal } = this.#options;
    const writer = await openWriter(this.#database, { waitMs, signal, ...(rebuild ? {} : { fingerprint: shape }) });
    try {
      const { address } = this.#database;
      const notes =
        address.kind === 'local' ? { [BASE]: relative(address.directory, this.base) } : { [BASE]: this.base };
      return await IndexTarget.open(writer, shape, notes, (target, call) => this.#calibrate(target, call), rebuild);
    } catch (error) {
      await writer.close();
      throw error;
    }
  }

  /** Finds the index's own thresholds for refusing, unless those it has were found on about as many chunks. */
  async #calibrate(target: IndexTarget, options: CallOptions): Promise<void> {
    const { snapshot, embedder } = await this.#open();
    const { liveRows } = snapshot;
    const calibrated = this.#session?.calibration;
    const known = calibrated?.version === calibrationVersion ? calibrated.chunks : 0;
    if (liveRows === 0 || Math.abs(liveRows - known) <= RECALIBRATE * known) return;
    const sample = await sampleTexts(snapshot, CALIBRATION_TEXTS);
    const ask = async (question: string, call: CallOptions): Promise<Asked> => ({
      hits: await search(snapshot, embedder, question, { limit: PASSAGES, ...call }),
      statistics: await collectionStatistics(snapshot.lexical, question, call),
    });
    const calibration = await calibrate(sample, ask, options);
    if (calibration) await target.putNote(CALIBRATION, { ...calibration, chunks: liveRows });
  }

  /** @throws IbidError INVALID_ARGUMENT, INVALID_FILTER */
  async search(query: string, options: SearchIndexSearchOptions = {}): Promise<readonly SearchHit[]> {
    const { snapshot, embedder } = await this.#open();
    return await search(snapshot, embedder, query, options);
  }

  /** Answers with cited sentences, or says that the index does not know. @throws IbidError INVALID_ARGUMENT, INVALID_FILTER */
  async ask(question: string, options: AskOptions = {}): Promise<Answer> {
    const { where, sentences, passages = PASSAGES, signal } = options;
    const { snapshot, embedder, calibration } = await this.#open();
    const hits = await search(snapshot, embedder, question, { where, limit: passages, signal });
    const statistics = await collectionStatistics(snapshot.lexical, question, { signal });
    return answerExtractive(question, hits, statistics, { sentences, calibration });
  }

  /** A cited passage in its context, compared with the file as it is now. @throws IbidError CITATION_NOT_FOUND */
  async show(citation: string, options: CallOptions = {}): Promise<Passage> {
    const { snapshot } = await this.#open();
    return await findPassage(snapshot, citation, { base: this.base, reader: this.#openReader() }, options);
  }

  async *export(options: ExportOptions = {}): AsyncGenerator<ExportedChunk, void, undefined> {
    const { snapshot } = await this.#open();
    yield* exportChunks(snapshot, options);
  }

  async status(_options: CallOptions = {}): Promise<IndexStatus> {
    const store = await this.#openStore();
    return await summariseIndex(this.address, store);
  }

  /** Looks for anything in the index that contradicts itself. */
  async check(options: CallOptions = {}): Promise<readonly Finding[]> {
    const { snapshot, embedder } = await this.#open();
    return await checkIndex(await this.#openStore(), snapshot, embedder, options);
  }

  /**
   * Forgets documents by uri, or all below a folder's uri. The files stay, and come back with the next ingest of their folder.
   * @throws IbidError DELETE_GUARD when that is more than half of the index and `force` is not set
   */
  async remove(
    uris: readonly string[],
    options: CallOptions & { readonly force?: boolean | undefined } = {},
  ): Promise<{ readonly removed: readonly string[] }> {
    await this.#openStore();
    const target = await this.#openTarget(false);
    try {
      const manifest = await target.manifest();
      const covers = (uri: string): boolean => uris.some((scope) => within(uri, scope.replace(/\/$/, '')));
      const gone: ManifestEntry[] = [...manifest.values()].filter(({ uri }) => covers(uri));
      if (!options.force) checkGuard(gone, manifest.values());
      options.signal?.throwIfAborted();
      await target.removeDocuments(gone.map(({ uri }) => uri));
      if (gone.length > 0) await target.finish();
      return { removed: gone.map(({ uri }) => uri) };
    } finally {
      await target.close();
      this.#session = undefined;
    }
  }

  /** The newest snapshot with the embedder its vectors were made with. */
  async #open(): Promise<Session> {
    const store = await this.#openStore();
    for (;;) {
      const snapshot = await store.snapshot();
      if (this.#session?.snapshot === snapshot) return this.#session;
      const fingerprint = await store.fingerprint();
      const embedder = await this.#embedderOf(store, fingerprint.embedder);
      const calibration = (await store.getMeta(CALIBRATION)) as Session['calibration']; // written below, or absent
      // A writer may have switched to other vectors in between: snapshot, model and calibration must be of one generation.
      if ((await store.fingerprint()).embedder !== fingerprint.embedder || (await store.snapshot()) !== snapshot)
        continue;
      this.#session = { snapshot, embedder, calibration };
      return this.#session;
    }
  }

  async #embedderOf(store: Store, id: string): Promise<Embedder | undefined> {
    if (id === UNTRAINED) return undefined;
    if (this.#embedder?.id === id) return this.#embedder;
    const model = await store.getBlob(MODEL_BLOB);
    if (!model) return undefined; // `doctor` says so; words alone still find
    await this.#embedder?.close();
    this.#embedder = openLocalEmbedder(model);
    return this.#embedder;
  }

  async #openStore(): Promise<Store> {
    this.#store ??= await openStore(this.#database);
    return this.#store;
  }

  #openReader(): Reader {
    this.#reader ??= createReader(this.#options.reader);
    return this.#reader;
  }

  async close(): Promise<void> {
    await this.#reader?.close();
    await this.#embedder?.close();
    await this.#store?.close();
    this.#session = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
