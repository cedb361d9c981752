import type { Answer, AnswerEvent } from '../answer/contract.ts';
import type { StandaloneQuery } from '../answer/query-rewriting.ts';
import { atLeastOne, type KnownOptions, optionsOf, textOf, wordsOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import type { Passage } from '../core/passage.ts';
import { type Task, task } from '../core/task.ts';
import type { CallOptions } from '../core/types.ts';
import type { IngestEvent, IngestSource, IngestSummary } from '../ingest/contract.ts';
import { type GivenDocument, givenDocuments } from '../ingest/given-documents.ts';
import type { BatchEvent, BatchQuestion, BatchSummary } from '../modes/batch/contract.ts';
import { type AskBatchOptions, type AskOptions, looksAtIndex, type ResumeOptions } from '../modes/options.ts';
import type { QuestionContext } from '../modes/question-search.ts';
import type { CancelledRun } from '../modes/runs/cancel.ts';
import type { RunJournal } from '../modes/runs/journal.ts';
import type { Overview, OverviewEvent, OverviewOptions } from '../overview/contract.ts';
import type { SearchResults } from '../passages/find.ts';
import type { Snapshot } from '../store/contract.ts';
import { scratchFolder } from '../store/index.ts';
import { type Where, whereSql } from '../store/where.ts';
import { citedPassage } from './cited-passage.ts';
import {
  type DocumentPage,
  type DocumentPageOptions,
  type DocumentText,
  firstChunk,
  type IndexedDocument,
  listDocuments,
  pageOfDocuments,
  readDocument,
} from './documents.ts';
import { endings } from './endings.ts';
import { type ExportedChunk, type ExportOptions, exportChunks } from './export.ts';
import * as known from './known-options.ts';
import { openPlace } from './opening.ts';
import type {
  EmbedOptions,
  IndexAddress,
  OpenIndexesOptions,
  OpenIndexOptions,
  SearchIndexIngestOptions,
  SearchIndexSearchOptions,
  WriteOptions,
} from './options.ts';
import { checkWritable, type OpenParts, openParts } from './parts.ts';
import { questionContext } from './question-context.ts';
import type { ReembedEvent, ReembedOptions, ReembedSummary } from './reembed.ts';
import type { RepairEvent, RepairSummary } from './repair.ts';
import { documentsOnly, ScopedViews, type Views } from './scope.ts';
import { searchViews } from './search-call.ts';
import { ServedShard } from './served-shard.ts';
import { type SourceFile, sourceFileOf } from './source-file.ts';
import { type RecordedSpeaker, speakersOf } from './speakers.ts';
import type { Finding, IndexStatus } from './status.ts';

const answerOf = (event: AnswerEvent): Answer | undefined => (event.type === 'done' ? event.answer : undefined);
const summaryOf = <Summary>(event: { readonly type: string; readonly summary?: Summary }): Summary | undefined =>
  event.summary;

/** A search index over documents: ingest, search, ask. What a search does not need is loaded by the first call that does. */
export class SearchIndex {
  /** Of several that are read as one: all, with commas. */
  readonly address: string;
  /** Absolute folder that the uris of files are relative to. */
  readonly base: string;
  /** Used through `#parts` and `#views`, which refuse after `close`. */
  readonly #open: { readonly parts: OpenParts; readonly views: Views };
  /** Set for an index that `within` made: it reads a part of another one. */
  readonly #whole: SearchIndex | undefined;
  readonly #shard = new ServedShard();
  readonly #rewritten = new Map<string, StandaloneQuery>();

  private constructor(address: string, parts: OpenParts, views: Views, whole?: SearchIndex) {
    this.address = address;
    this.base = parts.base;
    this.#open = { parts, views };
    this.#whole = whole;
    endings.set(this, parts.session.ending);
  }

  get #parts(): OpenParts {
    const { parts } = this.#open;
    parts.session.checkOpen();
    return parts;
  }

  get #views(): Views {
    this.#open.parts.session.checkOpen();
    return this.#open.views;
  }

  static async open(address: IndexAddress, options: OpenIndexOptions & OpenIndexesOptions): Promise<SearchIndex> {
    const place = await openPlace(address, options);
    const parts = openParts(place, options);
    return new SearchIndex(place.address, parts, parts.session);
  }

  /** Answers `openIndexes` of another program, which asks through `/api/shard`. */
  async answerShard(question: object, options: CallOptions = {}): Promise<unknown> {
    return await this.#shard.answer(this.#parts.session, this.#whole && this.#views, question, optionsOf(options));
  }

  /**
   * This index as if it held the documents of one filter alone, to read: with their words, vectors and statistics, and
   * refusals by the built-in thresholds. Closing it closes nothing.
   * @param where over columns of documents: `uri`, `title`, `format`, `metadata.…`
   * @throws IbidError INVALID_FILTER, at the latest with its first use
   */
  within(where: Where): SearchIndex {
    const sql = whereSql(where);
    if (sql === undefined) throw new IbidError('INVALID_FILTER', 'a scope needs a condition');
    return new SearchIndex(this.address, this.#parts, new ScopedViews(this.#views, sql), this);
  }

  /** The parts, to write. @throws IbidError PERMISSION_DENIED for a part of an index, or for several read as one */
  #writable(): OpenParts {
    checkWritable(this.#open.parts, this.#whole !== undefined);
    return this.#parts;
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
    return this.#ingest(() => from, options, known.ingestOptions);
  }

  #ingest(
    from: () => string | readonly string[] | IngestSource,
    options: SearchIndexIngestOptions,
    names: KnownOptions,
  ): Task<IngestEvent, IngestSummary> {
    const events = async (): Promise<AsyncGenerator<IngestEvent>> =>
      (await import('./writing.ts')).ingestFrom(this.#writable(), from(), optionsOf(options, names));
    return task(events, summaryOf);
  }

  /**
   * Adds documents that are not files, and replaces those of the same uri that differ. `ingest` leaves them alone.
   * @throws IbidError INVALID_ARGUMENT with the document's uri, INDEX_LOCKED, INDEX_MISMATCH, BUDGET_EXCEEDED
   */
  add(
    documents: Iterable<GivenDocument> | AsyncIterable<GivenDocument>,
    options: WriteOptions = {},
  ): Task<IngestEvent, IngestSummary> {
    const source = (): IngestSource => {
      const { database, reader } = this.#parts;
      return givenDocuments(documents, reader(), () => scratchFolder(database.address));
    };
    return this.#ingest(source, options, known.addOptions);
  }

  /**
   * Gives the index vectors of another embedder. Builds them beside the old ones, compares both on the same queries,
   * and then switches in one step or discards the new ones; readers use the old vectors until then. `await` gives the
   * summary; iteration gives the events.
   * @throws IbidError INDEX_LOCKED, INVALID_ARGUMENT, KEY_MISSING, BUDGET_EXCEEDED, and the errors of the service; the
   * index is then unchanged
   */
  reembed(options: ReembedOptions): Task<ReembedEvent, ReembedSummary> {
    const events = async (): Promise<AsyncGenerator<ReembedEvent>> =>
      (await import('./reembed-events.ts')).reembedEvents(this.#writable(), optionsOf(options, known.reembedOptions));
    return task(events, summaryOf);
  }

  /**
   * Loads what a search needs, so that the next one is fast.
   * @throws IbidError what a search would throw now: INDEX_NOT_FOUND, INDEX_DAMAGED, INDEX_MISMATCH
   */
  async ready(options: CallOptions = {}): Promise<void> {
    await this.#views.withView(
      ({ snapshot }) => pageOfDocuments(snapshot, undefined, { limit: 0 }),
      optionsOf(options),
    );
  }

  /**
   * Passages that fit a query, best first, with a report of what the search could not do.
   * @throws IbidError INVALID_ARGUMENT, INVALID_FILTER, BUDGET_EXCEEDED; KEY_MISSING for `web` or `rerank` without a
   * service or a part of the caller's own
   */
  async search(query: string, options: SearchIndexSearchOptions = {}): Promise<SearchResults> {
    wordsOf(query, 'the query');
    return await searchViews(this.#parts, this.#views, query, optionsOf(options, known.searchOptions));
  }

  /**
   * Answers a question with citations, or refuses when the index does not support an answer. `await` gives the answer;
   * iteration gives the events, whose joined texts are the answer's text.
   * @throws IbidError INVALID_ARGUMENT, INVALID_FILTER, KEY_MISSING, BUDGET_EXCEEDED, and the errors of a service
   * before the first word
   */
  ask(question: string, options: AskOptions = {}): Task<AnswerEvent, Answer> {
    const context = (): Promise<QuestionContext> => this.#context(options, looksAtIndex(options));
    const events = async (): Promise<AsyncGenerator<AnswerEvent>> =>
      (await import('./asking.ts')).askEvents(this.#views, this.#parts.providers.canWrite, context, question, options);
    return task(events, answerOf);
  }

  /**
   * Goes on with a question of mode `research`, or of a deep model of mode `answer`, that another process has asked with
   * this journal. What is finished is not asked again, and nothing is billed twice; of a run that is done, the answer
   * comes again for nothing.
   * @throws IbidError INVALID_ARGUMENT for a journal without a run, NOT_READY while another process waits for it, and
   * as `ask`
   */
  resume(journal: RunJournal, options: ResumeOptions = {}): Task<AnswerEvent, Answer> {
    const events = async (): Promise<AsyncGenerator<AnswerEvent>> =>
      (await import('./asking.ts')).resumeEvents(this, journal, options);
    return task(events, answerOf);
  }

  /**
   * Ends a question of mode `research` that works at the service, as its journal says. What it has cost stays paid.
   * @throws IbidError INVALID_ARGUMENT without research, NOT_READY while another process waits, and as `ask`
   */
  async cancel(journal: RunJournal, options: CallOptions = {}): Promise<CancelledRun> {
    const { cancelRun } = await import('../modes/runs/cancel.ts'); // only now: it brings what speaks HTTP
    return await cancelRun(() => this.#parts.providers.search('ending research'), journal, optionsOf(options));
  }

  /**
   * Answers many questions in the mode `grounded`, at half the price, in any order. A second run with the same journal
   * continues the first one, and nothing is billed twice.
   * @throws IbidError as `ask`; BUDGET_EXCEEDED before anything is sent
   */
  askBatch(questions: readonly BatchQuestion[], options: AskBatchOptions = {}): Task<BatchEvent, BatchSummary> {
    const events = async (): Promise<AsyncGenerator<BatchEvent>> => {
      const context = await this.#context(optionsOf(options, known.askBatchOptions));
      return (await import('../modes/ask.ts')).answerBatch(context, questions, options);
    };
    return task(events, summaryOf);
  }

  /**
   * A conversation of two voices about what the documents say. Every sentence but connecting phrases of ours has a
   * proven citation. `await` gives the overview; iteration gives the events.
   * @throws IbidError INVALID_ARGUMENT, with the lines of a given script that are not proven; KEY_MISSING,
   * BUDGET_EXCEEDED, and the errors of a service before the first word
   */
  overview(options: OverviewOptions = {}): Task<OverviewEvent, Overview> {
    const events = async (): Promise<AsyncGenerator<OverviewEvent>> =>
      (await import('./asking.ts')).overviewOf(this.#views, this.#parts, optionsOf(options, known.overviewOptions));
    return task(events, (event) => (event.type === 'done' ? event.overview : undefined));
  }

  async #context({ budget, signal }: AskOptions | AskBatchOptions, withView = true): Promise<QuestionContext> {
    const view = withView ? await this.#views.view({ signal }) : undefined;
    return questionContext(this.#parts, view, this.#rewritten, budget);
  }

  /**
   * A cited passage in its context, compared with the current file; for a web page, with the stored text.
   * @throws IbidError CITATION_NOT_FOUND; INVALID_ARGUMENT for what is no citation
   */
  async show(citation: string, options: CallOptions = {}): Promise<Passage> {
    const from = { views: this.#views, isPart: this.#whole !== undefined };
    return await citedPassage(this.#parts, from, citation, optionsOf(options));
  }

  #ofDocuments<T>(read: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    return this.#views.withView(({ snapshot }) => read(snapshot), documentsOnly);
  }

  /** The speakers of a recording. @throws IbidError CITATION_NOT_FOUND, INVALID_ARGUMENT */
  async speakers(uri: string): Promise<readonly RecordedSpeaker[]> {
    return await this.#ofDocuments((snapshot) => speakersOf(snapshot, textOf(uri, 'the uri')));
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
    const events = async (): Promise<AsyncGenerator<IngestEvent>> =>
      (await import('./name-speakers.ts')).nameSpeakerEvents(this.#writable(), uri, names, optionsOf(options));
    return task(events, summaryOf);
  }

  /** Every document with chunks, without its text. @throws IbidError INVALID_FILTER */
  async *documents(
    options: CallOptions & { readonly where?: Where | undefined } = {},
  ): AsyncGenerator<IndexedDocument, void, undefined> {
    const where = whereSql(optionsOf(options, known.documentsOptions).where);
    yield* this.#views.fromView(({ snapshot }) => listDocuments(snapshot, where, options), documentsOnly);
  }

  /** Some of the documents, in the order of the index, and how many there are. @throws IbidError INVALID_FILTER */
  async documentPage(options: DocumentPageOptions = {}): Promise<DocumentPage> {
    const where = whereSql(optionsOf(options, known.documentPageOptions).where);
    return await this.#ofDocuments((snapshot) => pageOfDocuments(snapshot, where, options));
  }

  /**
   * The file that a document was read from, where it is as it was then: a regular file of the same size and time.
   * @throws IbidError CITATION_NOT_FOUND without such a document or without a file, CONFLICT for a file that has changed
   */
  async sourceFile(uri: string): Promise<SourceFile> {
    const document = await this.#ofDocuments((snapshot) => firstChunk(snapshot, textOf(uri, 'the uri')));
    return await sourceFileOf(this.#parts, uri, document);
  }

  /**
   * Vectors of texts, as the index has them of queries; int8 components, compared by cosine.
   * @throws IbidError INVALID_ARGUMENT without vectors, BUDGET_EXCEEDED; PERMISSION_DENIED for a part of an index: the
   * embedder knows words of all documents
   */
  async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<readonly Int8Array[]> {
    const { embedTexts } = await import('./embed-texts.ts');
    return await embedTexts(await this.#writable().session.view(), texts, optionsOf(options, known.embedOptions));
  }

  /**
   * One document with its text; undefined when the index has no document with this uri.
   * @throws IbidError CITATION_NOT_FOUND where several indexes are read as one, and have it with different texts
   */
  async document(uri: string): Promise<DocumentText | undefined> {
    return await this.#ofDocuments((snapshot) => readDocument(snapshot, textOf(uri, 'the uri')));
  }

  /** Every chunk, in the order of documents and positions. @throws IbidError of a shard that `onMissing` does not take */
  async *export(options: ExportOptions = {}): AsyncGenerator<ExportedChunk, void, undefined> {
    yield* this.#views.fromView(
      ({ snapshot }) => exportChunks(snapshot, optionsOf(options, known.exportOptions)),
      documentsOnly,
    );
  }

  async status(options: CallOptions = {}): Promise<IndexStatus> {
    optionsOf(options).signal?.throwIfAborted();
    const { summariseAll, summarisePart } = await import('./summarise.ts');
    if (this.#whole || this.#parts.joined)
      return await this.#ofDocuments((snapshot) => summarisePart(this.address, snapshot, options));
    return await summariseAll(this.address, this.#parts, this.#parts.web.snapshots, options);
  }

  /** Checks the index for contradictions in its data, its files against their checksums, and documents for changed files. */
  async check(options: CallOptions = {}): Promise<readonly Finding[]> {
    const parts = this.#writable();
    const { checkAll } = await import('./health.ts');
    return await checkAll(parts, parts.web.snapshots, optionsOf(options));
  }

  /**
   * Makes an index with damaged files whole again, from the files of its documents. Readers keep the old state until
   * the end. Does nothing where nothing is damaged. Awaited, gives the receipt; iterated, the events.
   * @throws IbidError INDEX_LOCKED, INDEX_DAMAGED when not even the notes of the index can be read, KEY_MISSING or
   * INDEX_MISMATCH when its embedder is not there, BUDGET_EXCEEDED
   */
  repair(options: WriteOptions = {}): Task<RepairEvent, RepairSummary> {
    const events = async (): Promise<AsyncGenerator<RepairEvent>> =>
      (await import('./repair.ts')).repairEvents(this.#writable(), optionsOf(options, known.repairOptions));
    return task(events, summaryOf);
  }

  /**
   * Removes documents from the index by uri, or all below a folder's uri; `.` is the base, with its files alone. The
   * files stay, and the next ingest of their folder adds them again.
   * @throws IbidError DELETE_GUARD when more than half of the index would be removed by folder uris and `force` is not
   * set; INDEX_NOT_FOUND when a shard is gone
   */
  async remove(
    uris: string | readonly string[],
    options: CallOptions & { readonly force?: boolean | undefined } = {},
  ): Promise<{ readonly removed: readonly string[] }> {
    const parts = this.#writable();
    const { removeDocuments } = await import('./removing.ts');
    return await removeDocuments(parts, atLeastOne(uris, 'uri to remove'), optionsOf(options, known.removeOptions));
  }

  /** Deletes web pages that were read before a date; their citations can no longer be checked. @returns how many */
  async removeWebPages(before: Date, options: CallOptions = {}): Promise<number> {
    const parts = this.#writable();
    const { removeWebPages } = await import('./removing.ts');
    return await removeWebPages(parts, before, optionsOf(options));
  }

  /** Later calls fail with INVALID_ARGUMENT, and so does an ingest that is under way. Closing twice does no harm. */
  async close(): Promise<void> {
    if (!this.#whole) await this.#open.parts.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
