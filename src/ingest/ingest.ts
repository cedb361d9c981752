import { mapConcurrent } from '../core/async.ts';
import { IbidError } from '../core/errors.ts';
import { yieldToEventLoop } from '../core/event-loop.ts';
import type { CallOptions, Chunk, Document } from '../core/types.ts';
import type { EmbedDocument } from '../embed/contract.ts';
import type { DocumentRecord, Manifest, ManifestEntry, SegmentQueue } from '../store/contract.ts';
import { boundChunks, boundDocument } from '../text/document-limits.ts';
import {
  Batch,
  type BatchLimits,
  CHUNKS_PER_COMMIT,
  type PreparedDocument,
  partsOf,
  toEmbedDocument,
  toRecord,
} from './batch.ts';
import type {
  IngestEvent,
  IngestFailure,
  IngestLeftOut,
  IngestSource,
  IngestSummary,
  LoadedItem,
  SourceItem,
} from './contract.ts';
import { inReadingOrder } from './reading-order.ts';
import { isFailureOnly, isSkipped, type Plan, reconcile, skippedHash } from './reconcile.ts';
import type { Vectors } from './vectors.ts';

/** The operations of an index that ingest needs. Each change is atomic: a reader sees all of it or nothing. */
export interface IngestTarget {
  /** The manifest, which follows the changes made by the methods below. */
  manifest(): Promise<Manifest>;
  replaceDocuments(records: readonly DocumentRecord[]): Promise<void>;
  /** Builds the inverted index of documents in advance; absent where there is no inverted index. */
  readonly segments?: SegmentQueue | undefined;
  removeDocuments(uris: readonly string[]): Promise<void>;
  /** New uris, and so perhaps new titles, for the same content. Vectors are kept. */
  renameDocuments(renames: readonly RenamedDocument[]): Promise<void>;
  /** Writes only manifest lines: failures, and new times of unchanged content. */
  recordEntries(entries: readonly ManifestEntry[]): Promise<void>;
  /**
   * Trains a new model and embeds all documents again, in a shadow generation, when the documents have changed too much
   * for the old model.
   * @returns true when it did
   */
  refreshVectors(options: CallOptions & { readonly onTraining: (chunks: number) => void }): Promise<boolean>;
  /** Compacts, merges and prunes where this helps. */
  finish(options?: CallOptions): Promise<void>;
}

export interface RenamedDocument {
  readonly from: string;
  readonly to: string;
  readonly mtimeMs: number;
}

export interface IngestOptions extends CallOptions {
  /** Hash every file instead of trusting size and time. @default false */
  readonly verify?: boolean | undefined;
  /** Allow the removal of more than half of the documents in scope. @default false */
  readonly force?: boolean | undefined;
  /** Number of files read at the same time. @default 4 */
  readonly concurrency?: number | undefined;
  /**
   * When to commit gathered documents: at the first bound that is reached. @default 4,096 chunks, 12 Mi characters,
   * 30 s; four times that, and 5 minutes, where embedding is billed, written in parts of 4,096 chunks
   */
  readonly commit?: Partial<BatchLimits> | undefined;
}

export interface IngestServices {
  readonly target: IngestTarget;
  readonly vectors: Vectors;
  chunk(document: Document): readonly Chunk[];
}

/**
 * Two batches are in memory at a time, one being read and one being written, in several copies. The age limits the work
 * that a crash can lose.
 */
const COMMIT: BatchLimits = { chunks: CHUNKS_PER_COMMIT, characters: 12 * 2 ** 20, ageMs: 30_000 };
/** Manifest lines per commit when only their times changed. */
const ENTRIES_PER_COMMIT = 2000;

/**
 * Makes the index agree with a source. Yields events while it works; the last one is `done` with the summary. Files
 * that fail are recorded and tried again in the next run, skipped ones when they change. A run that is stopped at any point leaves a consistent index,
 * and the next run completes the work.
 * @throws IbidError DELETE_GUARD before anything is changed; INVALID_ARGUMENT
 */
export async function* ingest(
  source: IngestSource,
  services: IngestServices,
  options: IngestOptions = {},
): AsyncGenerator<IngestEvent, void, undefined> {
  const startedAt = performance.now();
  const { target } = services;
  const { signal } = options;
  const run = new IngestRun(services, options);
  const planned = yield* runPlan(run, source, target, options);
  const changed = planned.read + planned.removed + planned.renamed > 0;
  const trainings: number[] = [];
  const retrained = await target.refreshVectors({ signal, onTraining: (chunks) => trainings.push(chunks) });
  for (const chunks of trainings) yield { type: 'training', chunks, reason: 'drift' };
  if (changed || retrained) {
    yield { type: 'finishing' };
    await target.finish({ signal });
  }
  yield { type: 'done', summary: await summarise(run, planned, services, startedAt) };
}

/** Counts of a plan, kept when the plan and its items are no longer needed. */
interface Planned {
  readonly read: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Those of `removed` that were only failures, never documents. */
  readonly removedFailures: number;
  readonly renamed: number;
  readonly leftOut: readonly IngestLeftOut[];
}

async function* runPlan(
  run: IngestRun,
  source: IngestSource,
  target: IngestTarget,
  options: IngestOptions,
): AsyncGenerator<IngestEvent, Planned> {
  const { signal } = options;
  const loading = target.manifest(); // the database reads while the folder is walked
  loading.catch(() => {}); // thrown where it is awaited
  const items: SourceItem[] = [];
  for await (const item of source.items({ signal })) items.push(item);
  const leftOut = source.leftOut?.() ?? [];
  yield { type: 'scanned', files: items.length, leftOut };
  const manifest = await loading;
  const readsPictures = source.readsPictures?.bind(source);
  const transcribes = source.transcribes?.bind(source);
  const ready = { readsPictures, transcribes };
  const plan = await reconcile(items, manifest, (uri) => source.covers(uri), { ...options, ...ready });
  items.length = 0; // frees the unchanged items before the others are read
  const work: Work = inReadingOrder([...plan.added, ...plan.updated], ({ uri }) => uri);
  const planned: Planned = {
    read: work.length,
    unchanged: plan.unchanged,
    removed: plan.removed.length,
    removedFailures: plan.removed.filter(isFailureOnly).length,
    renamed: plan.renamed.length,
    leftOut,
  };
  for (const { uri, failure } of plan.skipped) run.skipped.push({ uri, ...failure! }); // skipped files have one
  const readBytes = work.reduce((sum, item) => sum + (item?.sizeBytes ?? 0), 0);
  const { read, unchanged, renamed } = planned;
  const removed = planned.removed - planned.removedFailures;
  yield { type: 'planned', read, readBytes, unchanged, removed, renamed };
  yield* applyPlan(plan, target, signal);
  plan.added.length = 0;
  plan.updated.length = 0;
  yield* run.read(work, manifest);
  return planned;
}

/** Items in reading order. Each is removed when it is taken, because the manifest has it after the read. */
type Work = (SourceItem | undefined)[];

interface Job {
  readonly item: SourceItem;
  readonly action: 'added' | 'updated';
}

function* jobsOf(work: Work, manifest: Manifest): Generator<Job> {
  for (let i = 0; i < work.length; i++) {
    const item = work[i]!;
    work[i] = undefined;
    // a file that always failed counts as new when it succeeds
    const isKnown = (manifest.get(item.uri)?.chunks ?? 0) > 0;
    yield { item, action: isKnown ? 'updated' : 'added' };
  }
}

async function* applyPlan(plan: Plan, target: IngestTarget, signal?: AbortSignal): AsyncGenerator<IngestEvent> {
  signal?.throwIfAborted();
  const manifest = await target.manifest();
  if (plan.renamed.length > 0) {
    await target.renameDocuments(plan.renamed.map(({ from, item }) => ({ from, to: item.uri, mtimeMs: item.mtimeMs })));
    for (const { from, item } of plan.renamed) yield { type: 'renamed', from, to: item.uri };
  }
  if (plan.removed.length > 0) {
    await target.removeDocuments(plan.removed.map(({ uri }) => uri));
    for (const { uri } of plan.removed) yield { type: 'removed', uri };
  }
  for (let at = 0; at < plan.touched.length; at += ENTRIES_PER_COMMIT) {
    const some = plan.touched.slice(at, at + ENTRIES_PER_COMMIT);
    await target.recordEntries(some.map(({ uri, mtimeMs }) => ({ ...manifest.get(uri)!, mtimeMs })));
  }
}

/** Reads and stores the documents of a run: load → chunk → (train) → embed → store. Keeps the counts. */
class IngestRun {
  readonly failed: IngestFailure[] = [];
  readonly skipped: IngestFailure[] = [];
  added = 0;
  updated = 0;
  tokens = 0;
  readonly #services: IngestServices;
  readonly #options: IngestOptions;
  readonly #limits: BatchLimits;
  readonly #failures: ManifestEntry[] = [];
  #pending: Promise<IngestEvent[]> | undefined;

  constructor(services: IngestServices, options: IngestOptions) {
    this.#limits = { ...COMMIT, ...services.vectors.commit, ...options.commit };
    this.#services = services;
    this.#options = options;
  }

  /** Reads and cuts one batch while the previous batch is embedded and stored. */
  async *read(work: Work, manifest: Manifest): AsyncGenerator<IngestEvent> {
    const { signal, concurrency = 4 } = this.#options;
    const { vectors, target } = this.#services;
    const batch = new Batch(this.#limits);
    const jobs = jobsOf(work, manifest);
    const loaded = mapConcurrent(jobs, (job, abort) => loadItem(job, abort), { concurrency, signal });
    try {
      for await (const outcome of loaded) {
        const { item } = outcome.job;
        const prepared = outcome.failure ?? this.#prepare(outcome.job, outcome.loaded);
        if ('code' in prepared) {
          yield* this.#fail(item, prepared, manifest.get(item.uri));
          continue;
        }
        yield { type: 'read', uri: prepared.uri, sizeBytes: prepared.source.sizeBytes, chunks: prepared.chunks.length };
        batch.add(prepared);
        target.segments?.enqueue([{ title: prepared.document.title, chunks: prepared.chunks }]);
        for (const warning of prepared.document.warnings) yield { type: 'warning', uri: prepared.uri, ...warning };
        if (vectors.untrained ? batch.chunks >= vectors.sampleChunks : batch.isFull) yield* this.#hand(batch.take());
        await yieldToEventLoop(); // chunking is synchronous
      }
      yield* this.#hand(batch.take());
      yield* this.#settle();
      if (this.#failures.length > 0) await this.#services.target.recordEntries(this.#failures);
    } finally {
      await Promise.allSettled([this.#pending]); // when the caller stops the iteration, the running commit still ends
    }
  }

  /** Waits for the previous batch, trains when there is no embedder yet, and starts to commit this one. */
  async *#hand(documents: readonly PreparedDocument[]): AsyncGenerator<IngestEvent> {
    yield* this.#settle();
    if (documents.length === 0) return;
    const { vectors } = this.#services;
    const inputs = documents.map(({ document, chunks }) => toEmbedDocument(document.title, chunks));
    if (vectors.untrained) {
      yield { type: 'training', chunks: inputs.reduce((sum, { chunks }) => sum + chunks.length, 0), reason: 'first' };
      await vectors.train(inputs, { signal: this.#options.signal });
    }
    this.#pending = this.#commit(documents, inputs);
    this.#pending.catch(() => {}); // thrown where it is awaited
  }

  async *#settle(): AsyncGenerator<IngestEvent> {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending) yield* await pending;
  }

  #prepare(
    { item, action }: Job,
    { contentHash, document: read, chunks: given }: LoadedItem,
  ): PreparedDocument | FileFailure {
    try {
      const bounded = boundDocument(read);
      const { document, chunks } = boundChunks(bounded, given ?? this.#services.chunk(bounded));
      const tokens = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0);
      const { uri, sizeBytes, mtimeMs } = item;
      const labels = { ...document, blocks: [], locators: [] }; // the chunks have them, and a million blocks weigh more
      return { uri, action, document: labels, chunks, source: { sizeBytes, mtimeMs, contentHash }, tokens };
    } catch (error) {
      return failureOf(error);
    }
  }

  async #commit(documents: readonly PreparedDocument[], inputs: readonly EmbedDocument[]): Promise<IngestEvent[]> {
    const { signal } = this.#options;
    const { vectors, target } = this.#services;
    const embedder = await vectors.embedder();
    const events: IngestEvent[] = [];
    for (let from = 0; from < documents.length; ) {
      let to = from;
      const step = new Batch(this.#limits);
      while (to < documents.length && !step.isFull) step.add(documents[to++]!);
      target.segments?.start(step.documents.map(({ document, chunks }) => ({ title: document.title, chunks })));
      const embedded = await embedder.embedDocuments(inputs.slice(from, to), { signal });
      signal?.throwIfAborted();
      for (const part of partsOf(step.documents)) {
        const records = part.documents.map((document, i) => toRecord(document, embedded[part.from + i] ?? []));
        await target.replaceDocuments(records);
        const chunks = records.reduce((sum, record) => sum + record.chunks.length, 0);
        for (const document of part.documents) events.push(this.#count(document));
        events.push({ type: 'committed', documents: records.length, chunks });
      }
      from = to;
    }
    return events;
  }

  #count({ uri, action, chunks, tokens, source }: PreparedDocument): IngestEvent {
    if (action === 'added') this.added++;
    else this.updated++;
    this.tokens += tokens;
    return { type: 'document', uri, action, chunks: chunks.length, tokens, sizeBytes: source.sizeBytes };
  }

  async *#fail(item: SourceItem, failure: FileFailure, known: ManifestEntry | undefined): AsyncGenerator<IngestEvent> {
    const { uri, sizeBytes, mtimeMs } = item;
    // A document from an earlier read stays searchable; its entry marks it as stale.
    const chunks = known?.chunks ?? 0;
    const entry = { uri, sizeBytes, mtimeMs, contentHash: chunks > 0 ? known!.contentHash : '', chunks, failure };
    const skipped = isSkipped(entry);
    (skipped ? this.skipped : this.failed).push({ uri, ...failure });
    this.#failures.push(skipped ? { ...entry, contentHash: skippedHash } : entry);
    yield { type: skipped ? 'skipped' : 'failed', uri, ...failure };
  }
}

interface FileFailure {
  readonly code: string;
  readonly message: string;
}

type Outcome =
  | { readonly job: Job; readonly loaded: LoadedItem; readonly failure?: undefined }
  | { readonly job: Job; readonly failure: FileFailure };

async function loadItem(job: Job, signal: AbortSignal): Promise<Outcome> {
  try {
    return { job, loaded: await job.item.load({ signal }) };
  } catch (error) {
    signal.throwIfAborted();
    return { job, failure: failureOf(error) };
  }
}

function failureOf(error: unknown): FileFailure {
  if (error instanceof IbidError) return { code: error.code, message: error.message };
  return { code: 'FILE_DAMAGED', message: error instanceof Error ? error.message : String(error) };
}

async function summarise(
  run: IngestRun,
  planned: Planned,
  { target, vectors }: IngestServices,
  startedAt: number,
): Promise<IngestSummary> {
  const embedding = vectors.usage?.();
  return {
    ...(await target.manifest()).totals(),
    added: run.added,
    updated: run.updated,
    removed: planned.removed - planned.removedFailures,
    renamed: planned.renamed,
    unchanged: planned.unchanged,
    failed: run.failed,
    skipped: run.skipped.sort((a, b) => (a.uri < b.uri ? -1 : 1)),
    leftOut: planned.leftOut,
    tokens: run.tokens,
    costUsd: embedding?.costUsd ?? 0,
    ...(embedding ? { embedding } : {}),
    elapsedMs: Math.round(performance.now() - startedAt),
  };
}
