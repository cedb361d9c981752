import { dirname, relative, resolve } from 'node:path';
import { parseCitation } from '../answer/citation.ts';
import type { Answer, AnswerEvent } from '../answer/contract.ts';
import type { StandAlone } from '../answer/conversation.ts';
import { collectAnswer } from '../answer/grounded/grounded.ts';
import { IbidError } from '../core/errors.ts';
import { Meter } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';
import type { PaidEmbedder } from '../embed/service/embedder.ts';
import type { IngestEvent, IngestSource } from '../ingest/contract.ts';
import { CountingTarget, nullVectors } from '../ingest/dry-run.ts';
import { folderSource, within } from '../ingest/folder-source.ts';
import { ingest } from '../ingest/ingest.ts';
import { loadPipeline } from '../ingest/pipeline.ts';
import { checkGuard } from '../ingest/reconcile.ts';
import { type Answerable, type AskBatchOptions, type AskOptions, answerEvents, batchEvents } from '../modes/ask.ts';
import type { BatchEvent, BatchQuestion } from '../modes/batch/contract.ts';
import type { Reader } from '../read/contract.ts';
import { createReader } from '../read/reader.ts';
import { type SearchHit, search } from '../retrieve/search.ts';
import { resolveTuning, type Tuning } from '../retrieve/tuning.ts';
import type { ManifestEntry } from '../store/contract.ts';
import { connectDatabase, type Database, openStore, openWriter, type Store } from '../store/index.ts';
import { type ChunkOptions, chunkDocument } from '../text/chunk/chunk.ts';
import { resolveChunkOptions } from '../text/chunk/options.ts';
import { textVersion } from '../text/version.ts';
import { WebAccess } from '../web/access.ts';
import { calibrateRefusal } from './calibrate-refusal.ts';
import { type ExportedChunk, type ExportOptions, exportChunks } from './export.ts';
import { checkIndex, checkKept, summariseIndex } from './health.ts';
import { IndexTarget } from './index-target.ts';
import type { OpenIndexOptions, SearchIndexIngestOptions, SearchIndexSearchOptions } from './options.ts';
import { type ReembedEvent, type ReembedOptions, reembedIndex } from './reembed.ts';
import { findReranked } from './reranking.ts';
import { EstimatingVectors, PaidVectors, paidModelOf, tellingPaid, usageOf } from './service-vectors.ts';
import { CALIBRATION, Sessions } from './sessions.ts';
import { type IndexSettings, readSettings } from './settings.ts';
import { findPassage, type Passage, readChunks } from './show.ts';
import type { Finding, IndexStatus } from './status.ts';

export type {
  EmbedderChoice,
  EmbedderPace,
  OnWarning,
  OpenIndexOptions,
  SearchIndexIngestOptions,
  SearchIndexSearchOptions,
} from './options.ts';

const BASE = 'base';
/** Hits of a search that names no limit. */
const LIMIT = 10;

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
  readonly #sessions: Sessions;
  readonly #settings: IndexSettings;
  readonly #tuning: Tuning;
  readonly #web: WebAccess;
  readonly #rewritten = new Map<string, StandAlone>();
  #reader: Reader | undefined;

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
    this.#sessions = new Sessions(database, options.services ?? {}, store);
    this.#sessions.onWarning = options.onWarning;
    this.#options = options;
    const { services, chunking } = options;
    this.#web = new WebAccess(database, this.#sessions, { services, chunking, reader: () => this.#openReader() });
    this.#settings = (database.address.kind === 'local' && readSettings(database.address.directory)) || {};
    this.#tuning = options.tuning ?? this.#settings.search ?? {};
  }

  static async open(address: string, options: OpenIndexOptions): Promise<SearchIndex> {
    resolveChunkOptions(options.chunking); // a wrong option is said now, not after the first hundred files
    resolveTuning(options.tuning ?? {});
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
    const chunking = await this.#chunking(options);
    const chunk = (document: Parameters<typeof chunkDocument>[0]) => chunkDocument(document, chunking);
    const meter = new Meter(options.budgetUsd);
    if (options.dryRun) {
      const store = this.#sessions.hasStore ? await this.#sessions.store() : undefined;
      const known = options.rebuild ? undefined : await store?.manifest();
      const paid = this.#paidEmbedder((await store?.fingerprint())?.embedder, options, meter);
      const vectors = paid ? new EstimatingVectors(paid) : nullVectors;
      yield* ingest(source, { target: new CountingTarget(known ?? new Map()), vectors, chunk }, options);
      return;
    }
    const target = await this.#openTarget(options, meter);
    try {
      const { vectors } = target;
      yield* tellingPaid(ingest(source, { target, vectors, chunk }, options), () => usageOf(vectors));
    } finally {
      await target.close();
      this.#sessions.renew();
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

  /**
   * The service's embedder a run writes with: the one asked for, else the one the index was made with. Undefined for the local one, and
   * where there is no client of the service and none was asked for.
   * @throws IbidError INDEX_MISMATCH, KEY_MISSING
   */
  #paidEmbedder(
    made: string | undefined,
    { rebuild = false, onPaid: onAnswered }: Pick<SearchIndexIngestOptions, 'rebuild' | 'onPaid'>,
    meter: Meter,
  ): PaidEmbedder | undefined {
    const own = made === undefined ? undefined : paidModelOf(made);
    const { embedder: chosen, services } = this.#options;
    if (chosen === 'local') {
      if (!own || rebuild) return undefined;
      throw new IbidError('INDEX_MISMATCH', `the index was made with "${made}", not with the local embedder`, {
        hint: 'Leave --embedder out, or change it with `ibid reembed --to local`.',
      });
    }
    if (chosen === undefined)
      return own && services?.search ? this.#sessions.paidEmbedder({ ...own, meter, onAnswered }) : undefined;
    const wanted = typeof chosen === 'string' ? { model: chosen } : chosen;
    const same = own?.model === wanted.model ? own : {};
    return this.#sessions.paidEmbedder({ ...same, ...wanted, meter, onAnswered });
  }

  /** How a run cuts: tuned chunk options wait for a rebuild, since chunks of two kinds do not mix. */
  async #chunking({ rebuild }: Pick<SearchIndexIngestOptions, 'rebuild'>): Promise<ChunkOptions | undefined> {
    const { chunking: tuned } = this.#settings;
    if (this.#options.chunking !== undefined || tuned === undefined) return this.#options.chunking;
    if (rebuild || !this.#sessions.hasStore) return tuned;
    const { chunker } = await (await this.#sessions.store()).fingerprint();
    return typeof chunker === 'string' ? (JSON.parse(chunker) as ChunkOptions) : tuned; // written by us, resolved
  }

  /**
   * Gives the index vectors of another embedder: builds them beside the old ones, compares the two on the same queries, then switches in
   * one step or drops the new ones. Readers keep the old vectors until the switch. The last event is `done` with the receipt.
   * @throws IbidError INDEX_LOCKED, INVALID_ARGUMENT, KEY_MISSING, BUDGET_EXCEEDED, and what the service throws; the index is then as it was
   */
  async *reembed(options: ReembedOptions): AsyncGenerator<ReembedEvent, void, undefined> {
    await this.#sessions.store();
    const target = await this.#openTarget({}, undefined);
    try {
      yield* reembedIndex(this.#database, this.#sessions, target, options);
    } finally {
      await target.close();
      this.#sessions.renew();
    }
  }

  /** @param meter absent: nothing is embedded, whatever embedder was chosen for ingest */
  async #openTarget(options: SearchIndexIngestOptions, meter: Meter | undefined): Promise<IndexTarget> {
    const { rebuild = false } = options;
    const chunking = await this.#chunking(options);
    const shape = { chunker: JSON.stringify(resolveChunkOptions(chunking)), textVersion };
    const { waitMs, signal } = this.#options;
    const writer = await openWriter(this.#database, { waitMs, signal, ...(rebuild ? {} : { fingerprint: shape }) });
    try {
      const { address } = this.#database;
      const notes =
        address.kind === 'local' ? { [BASE]: relative(address.directory, this.base) } : { [BASE]: this.base };
      const paid = meter && this.#paidEmbedder(writer.fingerprint?.embedder, options, meter);
      return await IndexTarget.open(writer, {
        ...(paid ? { paid: PaidVectors.of(paid) } : {}),
        fingerprint: shape,
        notes,
        afterwards: async (target, call) => {
          await this.#calibrate(target, call);
          const { embedder } = this.#options;
          const { requestTokens } = typeof embedder === 'object' ? embedder : {};
          await this.#sessions.prunePaid(target, requestTokens, call);
        },
        rebuild,
      });
    } catch (error) {
      await writer.close();
      throw error;
    }
  }

  async #calibrate(target: IndexTarget, options: CallOptions): Promise<void> {
    const calibration = await calibrateRefusal(this.#database, { ...options, tuning: this.#tuning });
    if (calibration) await target.putNote(CALIBRATION, calibration);
  }

  /** @throws IbidError INVALID_ARGUMENT, INVALID_FILTER; KEY_MISSING for `web` without a client of the search service */
  async search(query: string, options: SearchIndexSearchOptions = {}): Promise<readonly SearchHit[]> {
    const { web, rerank, ...rest } = options;
    if (rerank) {
      const find = (limit: number) => this.search(query, { ...rest, web, limit });
      const { services = {}, onWarning } = this.#options;
      return await findReranked(query, rest.limit ?? LIMIT, find, rerank, services, { ...rest, onWarning });
    }
    const how = { ...this.#tuning, ...rest };
    if (web) return await this.#web.converse(web).search(query, how);
    const { snapshot, embedder } = await this.#sessions.open();
    return await search(snapshot, embedder, query, how);
  }

  /** Answers with citations, or says that the index does not know. @throws IbidError as `askStream` */
  async ask(question: string, options: AskOptions = {}): Promise<Answer> {
    return await collectAnswer(this.askStream(question, options));
  }

  /**
   * The same, event by event: the texts joined are the answer's, the last event is `done`.
   * @throws IbidError INVALID_ARGUMENT, INVALID_FILTER, KEY_MISSING, BUDGET_EXCEEDED, and what a service throws before the first word
   */
  askStream(question: string, options: AskOptions = {}): AsyncGenerator<AnswerEvent, void, undefined> {
    return answerEvents(this.#answerable(options), this.#options.services ?? {}, question, options);
  }

  /**
   * Answers many questions as `grounded` would, at half the price, in any order. A second run with the same journal goes on where the
   * first one stopped and pays for nothing twice. @throws IbidError as `askStream`; BUDGET_EXCEEDED before anything is sent
   */
  askBatch(questions: readonly BatchQuestion[], options: AskBatchOptions = {}): AsyncGenerator<BatchEvent> {
    return batchEvents(this.#answerable(options), this.#options.services ?? {}, questions, options);
  }

  #answerable({ web: asked, meter, rerank }: Pick<AskOptions, 'web' | 'meter' | 'rerank'>): Answerable {
    const web = asked ? this.#web.converse(asked) : undefined;
    const tuning = this.#tuning;
    return {
      session: () => this.#sessions.open(),
      rewritten: this.#rewritten,
      find: (query, { web: wanted, ...how }) => {
        const find = (limit: number): Promise<readonly SearchHit[]> =>
          web && wanted
            ? web.search(query, { ...tuning, ...how, limit, meter })
            : this.search(query, { ...how, limit });
        const { services = {}, onWarning } = this.#options;
        return rerank
          ? findReranked(query, how.limit, find, rerank, services, { ...how, meter, onWarning })
          : find(how.limit);
      },
      read: async (uri, from, to) =>
        web?.read(uri, from, to) ?? readChunks((await this.#sessions.open()).snapshot, uri, from, to),
      ...(web && { searchWeb: (query, how) => web.search(query, { ...tuning, ...how, meter, webOnly: true }) }),
    };
  }

  /** A cited passage in its context, compared with the file as it is now; a page of the web as it was kept. @throws IbidError CITATION_NOT_FOUND */
  async show(citation: string, options: CallOptions = {}): Promise<Passage> {
    const reference = parseCitation(citation);
    if (reference.snapshot !== undefined) return await this.#web.show(reference, reference.snapshot);
    const { snapshot } = await this.#sessions.open();
    return await findPassage(snapshot, citation, { base: this.base, reader: this.#openReader() }, options);
  }

  async *export(options: ExportOptions = {}): AsyncGenerator<ExportedChunk, void, undefined> {
    const { snapshot } = await this.#sessions.open();
    yield* exportChunks(snapshot, options);
  }

  async status(options: CallOptions = {}): Promise<IndexStatus> {
    options.signal?.throwIfAborted();
    const status = await summariseIndex(this.address, await this.#sessions.store(), options);
    const paid = await this.#sessions.paidTotals();
    const keptVectors = await this.#sessions.keptVectors();
    const webPages = await this.#web.snapshots.kept();
    return { ...status, ...(paid && { paid }), ...(keptVectors && { keptVectors }), ...(webPages && { webPages }) };
  }

  /** Looks for anything in the index that contradicts itself. */
  async check(options: CallOptions = {}): Promise<readonly Finding[]> {
    const { snapshot, embedder } = await this.#sessions.open();
    const findings = await checkIndex(await this.#sessions.store(), snapshot, embedder, options);
    return [...findings, ...(await checkKept(this.#sessions, this.#web.snapshots, options))];
  }

  /**
   * Forgets documents by uri, or all below a folder's uri. The files stay, and come back with the next ingest of their folder.
   * @throws IbidError DELETE_GUARD when that is more than half of the index and `force` is not set
   */
  async remove(
    uris: readonly string[],
    options: CallOptions & { readonly force?: boolean | undefined } = {},
  ): Promise<{ readonly removed: readonly string[] }> {
    await this.#sessions.store();
    const target = await this.#openTarget({}, new Meter());
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
      this.#sessions.renew();
    }
  }

  /**
   * Forgets pages of the web that were read before a moment; citations of them can no longer be checked. Nothing else drops them.
   * @returns how many
   */
  async removeWebPages(before: Date, options: CallOptions = {}): Promise<number> {
    if (Number.isNaN(before.getTime())) throw new IbidError('INVALID_ARGUMENT', 'the moment is no date');
    await this.#sessions.store();
    return await this.#web.snapshots.removeBefore(before, options);
  }

  #openReader(): Reader {
    this.#reader ??= createReader(this.#options.reader);
    return this.#reader;
  }

  async close(): Promise<void> {
    await this.#reader?.close();
    await this.#sessions.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
