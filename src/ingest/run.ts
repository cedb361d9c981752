import { wholeOf } from '../core/arguments.ts';
import { mapConcurrent } from '../core/async.ts';
import { yieldToEventLoop } from '../core/event-loop.ts';
import type { EmbedDocument, Embedder } from '../embed/contract.ts';
import type { AnalysableDocument, Manifest, ManifestEntry } from '../store/contract.ts';
import {
  Batch,
  type BatchLimits,
  CHUNKS_PER_COMMIT,
  limitsOf,
  type PreparedDocument,
  partsOf,
  toEmbedDocument,
  toRecord,
} from './batch.ts';
import type { IngestEvent, IngestFailure, IngestSource, LoadedItem, SourceItem } from './contract.ts';
import { type CutDocument, type CutFile, cutDocument, type FileFailure, failureOf } from './cut.ts';
import { EmbeddingAhead } from './embedding-ahead.ts';
import type { IngestOptions, IngestServices } from './ingest.ts';
import type { Items } from './items.ts';
import { GIVEN_MTIME, isSkipped, skippedHash } from './reconcile.ts';
import { Turns } from './turns.ts';

/**
 * Two batches are in memory at a time, one being read and one being written, in several copies. The age limits the work
 * that a crash can lose.
 */
const COMMIT: BatchLimits = { chunks: CHUNKS_PER_COMMIT, characters: 12 * 2 ** 20, ageMs: 30_000 };

/** Of fewer bytes this thread reads and cuts a share, and does not wait for threads to start. */
const SHARED_BYTES = 64 * 2 ** 20;

/** The failure of a file that is no document. */
const OWN = 'FILE_OWN';
/** The failure of a file that holds no text. */
const EMPTY = 'FILE_EMPTY';

/** Documents in memory that other processes have cut and no batch has yet. */
const LOADED_AHEAD = 64;

/** The items to read. Each is released when it is taken, because the manifest has it after the read. */
export interface Work {
  readonly items: Items;
  readonly order: Uint32Array;
  readonly readBytes: number;
}

interface Job {
  readonly item: SourceItem;
  readonly action: 'added' | 'updated';
}

function* jobsOf({ items, order }: Work, manifest: Manifest): Generator<Job> {
  for (const number of order) {
    const item = items.at(number);
    items.release?.(number);
    // a file that always failed counts as new when it succeeds
    const isKnown = (manifest.get(item.uri)?.chunks ?? 0) > 0;
    yield { item, action: isKnown ? 'updated' : 'added' };
  }
}

/** Reads and stores the documents of a run: load → chunk → (train) → embed → store. Keeps the counts. */
export class IngestRun {
  readonly failed: IngestFailure[] = [];
  readonly skipped: IngestFailure[] = [];
  /** Files whose text has left the index, since they hold none now. */
  readonly emptied: string[] = [];
  added = 0;
  updated = 0;
  removed = 0;
  tokens = 0;
  readonly #services: IngestServices;
  readonly #options: IngestOptions;
  readonly #limits: BatchLimits;
  readonly #failures: ManifestEntry[] = [];
  /** Documents whose file is none any more, or holds no text. */
  readonly #left: string[] = [];
  #pending: Promise<IngestEvent[]> | undefined;
  /** Set from the beginning of the first training on. */
  #training: Promise<void> | undefined;
  /** Set where embedding does not wait for the batch to be full. */
  readonly #ahead: EmbeddingAhead | undefined;
  readonly #concurrency: number;
  /** Of items that this thread loads. A turn ends when the document is taken, since a document may be large. */
  readonly #turns: Turns;

  constructor(services: IngestServices, options: IngestOptions) {
    this.#limits = limitsOf({ ...COMMIT, ...services.vectors.commit }, options.commit ?? {});
    this.#services = services;
    this.#options = options;
    this.#concurrency = wholeOf(options.concurrency ?? 4, 'concurrency', 1);
    this.#turns = new Turns(this.#concurrency);
    const { vectors } = services;
    if (!vectors.isAhead) return;
    this.#ahead = new EmbeddingAhead(
      async () => {
        await this.#training;
        return await vectors.embedder();
      },
      { signal: options.signal },
      vectors.isDistant,
    );
  }

  /** Reads and cuts one batch while the previous batch is embedded and stored. */
  async *read(work: Work, manifest: Manifest, source: IngestSource): AsyncGenerator<IngestEvent> {
    const { vectors, target } = this.#services;
    const batch = new Batch(this.#limits);
    let taken = 0;
    if (vectors.untrained && work.order.length > 0) vectors.expectSample?.();
    try {
      for await (const outcome of this.#outcomes(work, manifest, source)) {
        if (outcome.isLoaded) this.#turns.giveBack();
        this.#turns.wants(++taken);
        const found = 'failure' in outcome ? outcome.failure : this.#prepare(outcome);
        const prepared = 'code' in found ? yield* this.#fail(outcome.job, found, manifest) : found;
        if (!prepared) continue;
        yield { type: 'read', uri: prepared.uri, sizeBytes: prepared.source.sizeBytes, chunks: prepared.chunks.length };
        batch.add(prepared);
        for (const warning of prepared.document.warnings) yield { type: 'warning', uri: prepared.uri, ...warning };
        const isSample = vectors.untrained && this.#training === undefined;
        const input = this.#embedInput(prepared);
        if (isSample) await vectors.addSample(input, { signal: this.#options.signal });
        else {
          target.segments?.enqueue([analysable(prepared)]);
          this.#ahead?.add(input);
        }
        if (isSample ? batch.chunks >= vectors.sampleChunks : batch.isFull) yield* this.#hand(batch.take());
        await yieldToEventLoop(); // chunking is synchronous
      }
      yield* this.#hand(batch.take());
      yield* this.#settle();
      if (this.#left.length > 0) await this.#services.target.removeDocuments(this.#left);
      if (this.#failures.length > 0) await this.#services.target.recordEntries(this.#failures);
    } finally {
      // when the caller stops the iteration, what runs still ends
      await Promise.allSettled([this.#pending, this.#ahead?.idle(), this.#services.cutters?.close()]);
    }
  }

  /** Files are read and cut by threads or other processes, where there are some for them; the others here. */
  #outcomes(work: Work, manifest: Manifest, source: IngestSource): AsyncGenerator<Outcome, void, undefined> {
    const { signal } = this.#options;
    const { cutters } = this.#services;
    const { readBytes: bytes } = work;
    const readsAll = cutters?.readsAll === true;
    const fileOf = (readsAll ? source.fileOf : source.smallFileOf)?.bind(source);
    const threads = bytes >= (cutters?.worthBytes ?? 0) && fileOf ? cutters : undefined;
    const shares = !readsAll && bytes < SHARED_BYTES;
    if (shares) threads?.start?.();
    let items = 0;
    const here = async (job: Job, number: number, abort: AbortSignal): Promise<Outcome> => {
      await this.#turns.take(number, abort);
      return await loadItem(job, abort);
    };
    const outcomeOf = async (job: Job, abort: AbortSignal): Promise<Outcome | Later> => {
      const number = items++;
      const free = shares && threads?.isBusy ? undefined : threads;
      const file = free && fileOf?.(job.item);
      const outcome = file && (await free.cut(file, abort));
      if (outcome && 'load' in outcome) {
        const load = async (signal: AbortSignal): Promise<Outcome> => {
          const loaded = await outcome.load(signal);
          return loaded ? { job, isLoaded: false, ...loaded } : await here(job, number, signal);
        };
        return { load };
      }
      if (outcome) return { job, isLoaded: false, ...outcome };
      // one that waited for a turn here would stand before those that others made, and a turn ends when these are taken
      return readsAll ? { load: (signal) => here(job, number, signal) } : await here(job, number, abort);
    };
    const atATime = Math.max(this.#concurrency, (threads?.capacity ?? 0) + (shares ? this.#concurrency : 0));
    const found = mapConcurrent(jobsOf(work, manifest), outcomeOf, { concurrency: atATime, signal });
    const load = async (one: Outcome | Later, abort: AbortSignal): Promise<Outcome> =>
      'load' in one ? await one.load(abort) : one;
    // others may be far ahead; what they made comes into memory shortly before it is wanted
    return mapConcurrent(found, load, { concurrency: readsAll ? LOADED_AHEAD : 1, signal });
  }

  /** Waits for the previous batch, begins the training when there is no embedder yet, and starts to commit this one. */
  async *#hand(documents: readonly PreparedDocument[]): AsyncGenerator<IngestEvent> {
    const { vectors, target } = this.#services;
    const isFirst = vectors.untrained && this.#training === undefined; // which may go on
    const steps = stepsOf(documents, this.#limits);
    const startSegments = (): void => {
      for (const { from, to } of steps) target.segments?.start(documents.slice(from, to).map(analysable));
    };
    if (!isFirst) startSegments(); // before this process waits for the batch before
    yield* this.#settle();
    if (documents.length === 0) return;
    const inputs = documents.map((document) => this.#embedInput(document));
    if (isFirst) {
      yield { type: 'training', chunks: inputs.reduce((sum, { chunks }) => sum + chunks.length, 0), reason: 'first' };
      this.#training = vectors.train({ signal: this.#options.signal });
      this.#training.catch(() => {}); // thrown where it is awaited
      // now, and not beside the reading: the training needs one processor of two
      for (const document of documents) target.segments?.enqueue([analysable(document)]);
      startSegments();
      if (!this.#ahead) await this.#training;
    }
    const ahead = isFirst ? undefined : this.#ahead?.take();
    this.#pending = this.#commit(documents, steps, inputs, ahead);
    this.#pending.catch(() => {}); // thrown where it is awaited
  }

  async *#settle(): AsyncGenerator<IngestEvent> {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending) yield* await pending;
  }

  #prepare(outcome: Outcomes['loaded' | 'cut']): PreparedDocument | FileFailure {
    const { item, action } = outcome.job;
    try {
      const { contentHash } = 'cut' in outcome ? outcome.cut : outcome.loaded;
      const { document, chunks, tokens } = 'cut' in outcome ? outcome.cut : this.#cut(outcome.loaded);
      const part = 'cut' in outcome ? outcome.cut.part : undefined;
      const { uri, sizeBytes, mtimeMs } = item;
      return { uri, action, document, chunks, source: { sizeBytes, mtimeMs, contentHash }, tokens, part };
    } catch (error) {
      return failureOf(error);
    }
  }

  async #earlier(job: Job): Promise<PreparedDocument | undefined> {
    const loaded = await this.#services.earlier?.(job.item.uri, { signal: this.#options.signal });
    const prepared = loaded && this.#prepare({ job, isLoaded: false, loaded });
    return prepared && 'code' in prepared ? undefined : prepared;
  }

  #embedInput({ document, chunks, part }: PreparedDocument): EmbedDocument {
    return toEmbedDocument(document.title, chunks, this.#services.vectors.isDistant ? part : undefined);
  }

  #cut({ document, chunks }: LoadedItem): CutDocument {
    return cutDocument(document, this.#services.chunk, chunks);
  }

  /** @param ahead the vectors of all documents, on their way */
  async #commit(
    documents: readonly PreparedDocument[],
    steps: readonly Step[],
    inputs: readonly EmbedDocument[],
    ahead: ReturnType<EmbeddingAhead['take']> | undefined,
  ): Promise<IngestEvent[]> {
    const { signal } = this.#options;
    const { vectors, target } = this.#services;
    await this.#training;
    const embedder = await vectors.embedder();
    const events: IngestEvent[] = [];
    const made = vectors.takeSample?.() ?? [];
    const embed = async ({ from, to }: Step): ReturnType<Embedder['embedDocuments']> => {
      if (ahead) return (await ahead).slice(from, to);
      const missing = inputs.slice(from, to).filter((_, i) => made[from + i] === undefined);
      const rest = missing.length > 0 ? await embedder.embedDocuments(missing, { signal }) : [];
      let next = 0;
      return inputs.slice(from, to).map((_, i) => made[from + i] ?? rest[next++]!);
    };
    let embedding = embed(steps[0]!);
    for (const [i, step] of steps.entries()) {
      const these = documents.slice(step.from, step.to);
      const embedded = await embedding;
      await vectors.adopted?.();
      signal?.throwIfAborted();
      const next = steps[i + 1];
      // the local embedder's threads work while the database writes; a billed embedder waits for what is stored
      const early = next && vectors.isAhead ? embed(next) : undefined;
      early?.catch(() => {}); // thrown where it is awaited
      for (const part of partsOf(these)) {
        const records = part.documents.map((document, i) => toRecord(document, embedded[part.from + i] ?? []));
        await target.replaceDocuments(records);
        const chunks = records.reduce((sum, record) => sum + record.chunks.length, 0);
        for (const document of part.documents) events.push(this.#count(document));
        events.push({ type: 'committed', documents: records.length, chunks });
      }
      if (next) embedding = early ?? embed(next);
    }
    return events;
  }

  #count({ uri, action, chunks, tokens, source }: PreparedDocument): IngestEvent {
    if (action === 'added') this.added++;
    else this.updated++;
    this.tokens += tokens;
    return { type: 'document', uri, action, chunks: chunks.length, tokens, sizeBytes: source.sizeBytes };
  }

  /** @returns what an earlier read has stored, where that is to be stored again */
  async *#fail(
    job: Job,
    failure: FileFailure,
    manifest: Manifest,
  ): AsyncGenerator<IngestEvent, PreparedDocument | undefined> {
    const { uri, sizeBytes, mtimeMs } = job.item;
    const earlier = await this.#earlier(job);
    const known: Earlier | undefined = earlier ? stateOf(earlier) : manifest.get(uri);
    const stays = known !== undefined && (await this.#stays(job.item, failure, known));
    // A document from an earlier read stays searchable; its entry marks it as stale.
    const chunks = stays ? known.chunks : 0;
    const entry = { uri, sizeBytes, mtimeMs, contentHash: chunks > 0 ? known!.contentHash : '', chunks, failure };
    const skipped = isSkipped(entry);
    (skipped ? this.skipped : this.failed).push({ uri, ...failure });
    this.#failures.push(skipped ? { ...entry, contentHash: skippedHash } : entry);
    yield { type: skipped ? 'skipped' : 'failed', uri, ...failure };
    if (stays) return earlier;
    if ((known?.chunks ?? 0) > 0 && failure.code === EMPTY) this.emptied.push(uri);
    if ((manifest.get(uri)?.chunks ?? 0) === 0) return undefined;
    this.removed++;
    this.#left.push(uri);
    yield { type: 'removed', uri };
    return undefined;
  }

  /** Whether the text of an earlier read stays: of a file that was emptied it goes, as that of one that was deleted. */
  async #stays(item: SourceItem, { code }: FileFailure, { contentHash }: Earlier): Promise<boolean> {
    if (code !== EMPTY || item.mtimeMs === GIVEN_MTIME) return code !== OWN;
    const { signal } = this.#options;
    const hash = await item.hash({ signal }).catch(() => contentHash); // one that cannot be read keeps its text
    signal?.throwIfAborted();
    return hash === contentHash; // the same bytes are read in another way now
  }
}

/** The entry of a document in the index, from an earlier read. */
type Earlier = Pick<ManifestEntry, 'chunks' | 'contentHash'>;

function stateOf({ chunks, source }: PreparedDocument): Earlier {
  return { chunks: chunks.length, contentHash: source.contentHash };
}

function analysable({ document, chunks, part }: PreparedDocument): AnalysableDocument {
  return { title: document.title, chunks, part };
}

/** The documents of one commit, half-open. */
interface Step {
  readonly from: number;
  readonly to: number;
}

function stepsOf(documents: readonly PreparedDocument[], limits: BatchLimits): Step[] {
  const steps: Step[] = [];
  for (let from = 0; from < documents.length; ) {
    let to = from;
    const step = new Batch(limits);
    while (to < documents.length && !step.isFull) step.add(documents[to++]!);
    steps.push({ from, to });
    from = to;
  }
  return steps;
}

interface Outcomes {
  readonly loaded: { readonly job: Job; readonly isLoaded: boolean; readonly loaded: LoadedItem };
  readonly cut: { readonly job: Job; readonly isLoaded: false; readonly cut: CutFile };
  readonly failed: { readonly job: Job; readonly isLoaded: boolean; readonly failure: FileFailure };
}
type Outcome = Outcomes[keyof Outcomes];

/** What is not in memory before it is wanted. */
interface Later {
  load(signal: AbortSignal): Promise<Outcome>;
}

async function loadItem(job: Job, signal: AbortSignal): Promise<Outcome> {
  try {
    return { job, isLoaded: true, loaded: await job.item.load({ signal }) };
  } catch (error) {
    signal.throwIfAborted();
    return { job, isLoaded: true, failure: failureOf(error) };
  }
}
