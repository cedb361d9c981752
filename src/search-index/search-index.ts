import { dirname, resolve } from 'node:path';
import { parseCitation } from '../answer/citation.ts';
import type { Answer, AnswerEvent } from '../answer/contract.ts';
import type { StandaloneQuery } from '../answer/query-rewriting.ts';
import { IbidError } from '../core/errors.ts';
import { type Budget, Meter } from '../core/meter.ts';
import type { Passage } from '../core/passage.ts';
import { type Task, task } from '../core/task.ts';
import type { CallOptions } from '../core/types.ts';
import { checkEmbedder } from '../embed/own.ts';
import type { IngestEvent, IngestSource, IngestSummary } from '../ingest/contract.ts';
import { type GivenDocument, givenDocuments } from '../ingest/given-documents.ts';
import { answerBatch, answerQuestion } from '../modes/ask.ts';
import type { BatchEvent, BatchQuestion, BatchSummary } from '../modes/batch/contract.ts';
import { type AskBatchOptions, type AskOptions, isFree, looksAtIndex, type ResumeOptions } from '../modes/options.ts';
import { type QuestionContext, rerankStage } from '../modes/question-search.ts';
import type { RunJournal } from '../modes/runs/journal.ts';
import { askedOf } from '../modes/runs/run-log.ts';
import { findPassages, type SearchResults } from '../passages/find.ts';
import { findPassage, type SourceFiles } from '../passages/show.ts';
import type { Reader } from '../read/contract.ts';
import { createReader } from '../read/reader.ts';
import { resolveTuning } from '../retrieve/tuning.ts';
import { KeptFiles } from '../services/kept-files.ts';
import { openWeb, type WebParts } from '../services/open-web.ts';
import { Providers } from '../services/providers.ts';
import { connectDatabase, type Database, keptNote, openStore, type Store } from '../store/index.ts';
import { type Where, whereSql } from '../store/where.ts';
import { resolveChunkOptions } from '../text/chunk/options.ts';
import { WebSnapshots } from '../web/snapshots.ts';
import { StoredPages } from '../web/stored-pages.ts';
import { atLeastOne, textOf } from './arguments.ts';
import { type DocumentText, type IndexedDocument, listDocuments, readDocument } from './documents.ts';
import { type ExportedChunk, type ExportOptions, exportChunks } from './export.ts';
import { checkFiles, checkIndex, checkKept, summariseIndex } from './health.ts';
import {
  isOwnEmbedder,
  type OpenIndexOptions,
  type SearchIndexIngestOptions,
  type SearchIndexSearchOptions,
  type WriteOptions,
} from './options.ts';
import { BASE, type IndexParts } from './parts.ts';
import { IndexRecordings } from './recordings.ts';
import { type ReembedEvent, type ReembedOptions, type ReembedSummary, reembedIndex } from './reembed.ts';
import { type RepairEvent, type RepairSummary, repairEvents } from './repair.ts';
import { ServiceEmbedders } from './service-embedders.ts';
import { Session } from './session.ts';
import { readSettings } from './settings.ts';
import { checkNames, recordingPaths, type Speaker, speakersOf } from './speakers.ts';
import type { Finding, IndexStatus } from './status.ts';
import { ingestEvents, ingestPaths, openIngestSession, removeDocuments } from './writing.ts';

/**
 * Opens an index: a local folder, `memory://`, or another address that LanceDB supports. Data is read on demand. With
 * `create`, the index need not exist yet.
 * @throws IbidError INVALID_ARGUMENT, INDEX_NOT_FOUND, INDEX_SCHEMA, INDEX_MISMATCH
 */
export async function openIndex(address: string, options: OpenIndexOptions = {}): Promise<SearchIndex> {
  return await SearchIndex.open(address, options);
}

/** A search index over documents: ingest, search, ask. */
export class SearchIndex {
  readonly address: string;
  /** Absolute folder that the uris of files are relative to. */
  readonly base: string;
  readonly #parts: IndexParts;
  readonly #session: Session;
  readonly #providers: Providers;
  readonly #web: WebParts;
  readonly #keptFiles: KeptFiles;
  readonly #rewritten = new Map<string, StandaloneQuery>();
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
    this.#providers = new Providers(options.services, options.models);
    const services = new ServiceEmbedders(database, this.#providers);
    const own = isOwnEmbedder(options.embedder) ? options.embedder : undefined;
    this.#session = new Session(database, { service: services, own }, store);
    const reader = (): Reader => this.#openReader();
    this.#keptFiles = new KeptFiles(database);
    this.#web = { snapshots: new WebSnapshots(new StoredPages(database)), chunking: options.chunking, reader };
    const settings = (database.address.kind === 'local' && readSettings(database.address.directory)) || {};
    const tuning = options.tuning ?? settings.search ?? {};
    const recordings = new IndexRecordings(database, this.#session, this.#providers);
    this.#parts = { database, base, options, settings, tuning, session: this.#session, services, recordings, reader };
  }

  static async open(address: string, options: OpenIndexOptions): Promise<SearchIndex> {
    textOf(address, 'the address of the index');
    resolveChunkOptions(options.chunking); // reports a wrong option now, not after the first hundred files
    resolveTuning(options.tuning ?? {});
    if (isOwnEmbedder(options.embedder)) checkEmbedder(options.embedder);
    const { create = false, storageOptions, apiKey } = options;
    const database = await connectDatabase(address, { create, storageOptions, apiKey });
    let store: Store | undefined;
    try {
      store = await openStore(database);
    } catch (error) {
      const code = error instanceof IbidError ? error.code : undefined;
      // A damaged index opens, to be checked and repaired; each use of it says that it is damaged.
      if (code !== 'INDEX_DAMAGED' && !(create && code === 'INDEX_NOT_FOUND')) throw error;
    }
    const remembered = store ? await store.getMeta(BASE) : await keptNote(database, BASE);
    const folder = database.address.kind === 'local' ? database.address.directory : undefined;
    const known = typeof remembered === 'string' ? resolve(folder ?? '.', remembered) : undefined;
    const base = known ?? resolve(options.base ?? (folder?.endsWith('.ibid') ? dirname(folder) : '.'));
    return new SearchIndex(address, base, database, store, options);
  }

  /**
   * Makes the index agree with files and folders, or with another source. `await` gives the summary; iteration gives
   * the events.
   * @throws IbidError INVALID_ARGUMENT, INDEX_LOCKED, INDEX_MISMATCH, DELETE_GUARD, BUDGET_EXCEEDED
   */
  ingest(
    from: string | readonly string[] | IngestSource,
    options: SearchIndexIngestOptions = {},
  ): Task<IngestEvent, IngestSummary> {
    const parts = this.#parts;
    async function* events(): AsyncGenerator<IngestEvent, void, undefined> {
      const isSource = typeof from === 'object' && from !== null && 'items' in from;
      const run = { ...options, budget: Meter.of(options.budget) };
      if (isSource) return yield* ingestEvents(parts, from, run);
      yield* ingestPaths(parts, atLeastOne(from, 'path to ingest'), run);
    }
    return task(events, (event) => (event.type === 'done' ? event.summary : undefined));
  }

  /**
   * Adds documents that are not files, and replaces documents with the same uri that differ. `ingest` of a folder does
   * not change them.
   * @throws IbidError INVALID_ARGUMENT with the document's uri, INDEX_LOCKED, INDEX_MISMATCH, BUDGET_EXCEEDED
   */
  add(
    documents: Iterable<GivenDocument> | AsyncIterable<GivenDocument>,
    options: WriteOptions = {},
  ): Task<IngestEvent, IngestSummary> {
    return this.ingest(givenDocuments(documents, this.#openReader()), options);
  }

  /**
   * Gives the index vectors of another embedder. Builds them beside the old ones, compares both on the same queries,
   * and then switches in one step or discards the new ones; readers use the old vectors until then. `await` gives the
   * summary; iteration gives the events.
   * @throws IbidError INDEX_LOCKED, INVALID_ARGUMENT, KEY_MISSING, BUDGET_EXCEEDED, and the errors of the service; the
   * index is then unchanged
   */
  reembed(options: ReembedOptions): Task<ReembedEvent, ReembedSummary> {
    const { database, session, services } = this.#parts;
    const parts = this.#parts;
    async function* events(): AsyncGenerator<ReembedEvent, void, undefined> {
      await session.store();
      const writing = await openIngestSession(parts, {});
      try {
        yield* reembedIndex(database, session, services, writing, options);
      } finally {
        await writing.close();
        session.renew();
      }
    }
    return task(events, (event) => (event.type === 'done' ? event.summary : undefined));
  }

  /**
   * @throws IbidError INVALID_ARGUMENT, INVALID_FILTER, BUDGET_EXCEEDED; KEY_MISSING for `web` or `rerank` without a
   * service or a part of the caller's own
   */
  async search(query: string, options: SearchIndexSearchOptions = {}): Promise<SearchResults> {
    textOf(query, 'the query');
    const { web, rerank, where, budget, ...rest } = options;
    const call = {
      ...this.#parts.tuning,
      ...rest,
      where: whereSql(where),
      meter: Meter.of(budget),
      web: web ? await openWeb(this.#web, this.#providers, web) : undefined,
      rerank: rerank ? await rerankStage(this.#providers, rerank) : undefined,
    };
    // What costs money is not asked for a second time.
    if (web || rerank) return await findPassages(await this.#session.view(), query, call);
    return await this.#session.withView((view) => findPassages(view, query, call));
  }

  /**
   * Answers a question with citations, or refuses when the index does not support an answer. `await` gives the answer;
   * iteration gives the events, whose joined texts are the answer's text.
   * @throws IbidError INVALID_ARGUMENT, INVALID_FILTER, KEY_MISSING, BUDGET_EXCEEDED, and the errors of a service
   * before the first word
   */
  ask(question: string, options: AskOptions = {}): Task<AnswerEvent, Answer> {
    const context = (): Promise<QuestionContext> => this.#context(options.budget, looksAtIndex(options));
    const { session } = this.#parts;
    const { canWrite } = this.#providers;
    async function* events(): AsyncGenerator<AnswerEvent, void, undefined> {
      if (textOf(question, 'the question').trim() === '')
        throw new IbidError('INVALID_ARGUMENT', 'the question is empty');
      if (!isFree(options, canWrite)) return yield* answerQuestion(await context(), question, options);
      yield* await session.withView(async (view) =>
        Array.fromAsync(answerQuestion({ ...(await context()), view }, question, options)),
      );
    }
    return task(events, (event) => (event.type === 'done' ? event.answer : undefined));
  }

  /**
   * Goes on with a question of mode `research`, or of a deep model of mode `answer`, that another process has asked with
   * this journal. What is finished is not asked again, and nothing is billed twice; of a run that is done, the answer
   * comes again for nothing.
   * @throws IbidError INVALID_ARGUMENT for a journal without a run, NOT_READY while another process waits for it, and
   * as `ask`
   */
  resume(journal: RunJournal, options: ResumeOptions = {}): Task<AnswerEvent, Answer> {
    const ask = (question: string, asked: AskOptions): Task<AnswerEvent, Answer> => this.ask(question, asked);
    async function* events(): AsyncGenerator<AnswerEvent, void, undefined> {
      const asked = await askedOf(journal);
      const budget = options.budget ?? asked.budgetUsd;
      // the options of a mode, as `ask` has written them down
      yield* ask(asked.question, { ...asked.options, ...options, budget, journal } as AskOptions);
    }
    return task(events, (event) => (event.type === 'done' ? event.answer : undefined));
  }

  /**
   * Answers many questions in the mode `grounded`, at half the price, in any order. A second run with the same journal
   * continues the first one, and nothing is billed twice.
   * @throws IbidError as `ask`; BUDGET_EXCEEDED before anything is sent
   */
  askBatch(questions: readonly BatchQuestion[], options: AskBatchOptions = {}): Task<BatchEvent, BatchSummary> {
    const context = (): Promise<QuestionContext> => this.#context(options.budget);
    async function* events(): AsyncGenerator<BatchEvent, void, undefined> {
      yield* answerBatch(await context(), questions, options);
    }
    return task(events, (event) => (event.type === 'done' ? event.summary : undefined));
  }

  async #context(budget: Budget | undefined, withView: boolean = true): Promise<QuestionContext> {
    return {
      view: withView ? await this.#session.view() : undefined,
      tuning: this.#parts.tuning,
      providers: this.#providers,
      web: this.#web,
      files: this.#files(),
      keptFiles: this.#keptFiles,
      meter: Meter.of(budget),
      rewritten: this.#rewritten,
    };
  }

  /**
   * A cited passage in its context, compared with the current file; for a web page, with the stored text.
   * @throws IbidError CITATION_NOT_FOUND
   */
  async show(citation: string, options: CallOptions = {}): Promise<Passage> {
    const { uri, span, snapshot: page } = parseCitation(textOf(citation, 'the citation'));
    if (page !== undefined) return await this.#web.snapshots.passage(uri, page, span);
    return await this.#session.withView(({ snapshot }) => findPassage(snapshot, citation, this.#files(), options));
  }

  /** Who speaks in a recording. @throws IbidError CITATION_NOT_FOUND, INVALID_ARGUMENT */
  async speakers(uri: string): Promise<readonly Speaker[]> {
    return await this.#session.withView(({ snapshot }) => speakersOf(snapshot, textOf(uri, 'the uri')));
  }

  /**
   * Gives names to the speakers of a recording, or of all recordings below a folder, and reads these again: names are
   * part of the text. They are kept beside the index, also for recordings that come later.
   * @param names by number (of one recording), or by what the transcript calls the speaker; an empty name takes it back
   * @throws IbidError INVALID_ARGUMENT, INDEX_LOCKED, INDEX_MISMATCH
   */
  nameSpeakers(
    uri: string,
    names: Readonly<Record<string, string>>,
    options: Pick<SearchIndexIngestOptions, 'signal' | 'budget'> = {},
  ): Task<IngestEvent, IngestSummary> {
    const parts = this.#parts;
    async function* events(): AsyncGenerator<IngestEvent, void, undefined> {
      const { session, base, recordings } = parts;
      const paths = await session.withView(({ snapshot }) => recordingPaths(snapshot, base, textOf(uri, 'the uri')));
      checkNames(names, uri, paths, base);
      await recordings.putNames(uri, names);
      yield* ingestPaths(parts, paths, { ...options, transcribe: false, budget: Meter.of(options.budget) });
    }
    return task(events, (event) => (event.type === 'done' ? event.summary : undefined));
  }

  /** Every document with chunks, without its text. @throws IbidError INVALID_FILTER */
  async *documents(
    options: CallOptions & { readonly where?: Where | undefined } = {},
  ): AsyncGenerator<IndexedDocument, void, undefined> {
    yield* this.#session.fromView(({ snapshot }) => listDocuments(snapshot, whereSql(options.where), options));
  }

  /** One document with its text; undefined when the index has no document with this uri. */
  async document(uri: string): Promise<DocumentText | undefined> {
    return await this.#session.withView(({ snapshot }) => readDocument(snapshot, textOf(uri, 'the uri')));
  }

  async *export(options: ExportOptions = {}): AsyncGenerator<ExportedChunk, void, undefined> {
    yield* this.#session.fromView(({ snapshot }) => exportChunks(snapshot, options));
  }

  async status(options: CallOptions = {}): Promise<IndexStatus> {
    options.signal?.throwIfAborted();
    const { session, services } = this.#parts;
    const status = await summariseIndex(this.address, await session.store(), options);
    const billed = await services.totals();
    const keptVectors = await services.kept();
    const webPages = await this.#web.snapshots.kept();
    const transcribed = await this.#parts.recordings.totals();
    return {
      ...status,
      ...(transcribed && { transcribed }),
      ...(billed && { paid: billed }),
      ...(keptVectors && { keptVectors }),
      ...(webPages && { webPages }),
    };
  }

  /** Checks the index for contradictions in its data, and its files against their checksums. */
  async check(options: CallOptions = {}): Promise<readonly Finding[]> {
    const { session, services, database } = this.#parts;
    const files = await checkFiles(database, options);
    if (files.some(({ ok }) => !ok)) return files;
    const findings = await session.withView(async ({ snapshot, embedder }) =>
      checkIndex(await session.store(), snapshot, embedder, options),
    );
    return [...files, ...findings, ...(await checkKept(services, this.#web.snapshots, options))];
  }

  /**
   * Makes an index with damaged files whole again, from the files of its documents. Readers keep the old state until
   * the end. Does nothing where nothing is damaged. Awaited, gives the receipt; iterated, the events.
   * @throws IbidError INDEX_LOCKED, INDEX_DAMAGED when not even the notes of the index can be read, KEY_MISSING or
   * INDEX_MISMATCH when its embedder is not there, BUDGET_EXCEEDED
   */
  repair(options: WriteOptions = {}): Task<RepairEvent, RepairSummary> {
    const parts = this.#parts;
    return task(
      () => repairEvents(parts, options),
      (event) => (event.type === 'done' ? event.summary : undefined),
    );
  }

  /**
   * Removes documents from the index by uri, or all below a folder's uri. The files stay, and the next ingest of their
   * folder adds them again.
   * @throws IbidError DELETE_GUARD when more than half of the index would be removed by folder uris and `force` is not
   * set
   */
  async remove(
    uris: string | readonly string[],
    options: CallOptions & { readonly force?: boolean | undefined } = {},
  ): Promise<{ readonly removed: readonly string[] }> {
    return await removeDocuments(this.#parts, atLeastOne(uris, 'uri to remove'), options);
  }

  /**
   * Deletes web pages that were read before a date; their citations can no longer be checked. Nothing else deletes web
   * pages.
   * @returns the number of deleted pages
   */
  async removeWebPages(before: Date, options: CallOptions = {}): Promise<number> {
    if (Number.isNaN(before.getTime())) throw new IbidError('INVALID_ARGUMENT', 'the date is not valid');
    await this.#session.store();
    return await this.#web.snapshots.removeBefore(before, options);
  }

  #files(): SourceFiles {
    return {
      base: this.base,
      reader: this.#openReader(),
      entry: async (name) => (await (await this.#session.store()).manifest()).get(name),
      names: (name) => this.#parts.recordings.namesOf(name),
    };
  }

  #openReader(): Reader {
    this.#reader ??= createReader(this.#parts.options.reader);
    return this.#reader;
  }

  async close(): Promise<void> {
    await this.#reader?.close();
    await this.#session.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
