import { unlessAborted } from '../core/async.ts';
import type { CallOptions } from '../core/types.ts';
import type { EmbeddedParts } from '../embed/local/compose.ts';
import type { DistantEmbedding } from '../embed/local/distant.ts';
import type { Cutters, SmallFile } from '../ingest/contract.ts';
import type { CutElsewhere, CutOutcome, FileFailure } from '../ingest/cut.ts';
import type { SegmentData } from '../lexical/contract.ts';
import type { DistantSegments } from '../store/contract.ts';
import {
  type CutBatch,
  type CutResult,
  type EmbedBatch,
  type EmbedResult,
  type FileResult,
  failureReason,
  isLoss,
  type Part,
  type SegmentBatch,
  type SegmentResult,
} from './contract.ts';
import { PartFolder } from './parts.ts';
import { QueueJobs, type QueueNotes } from './queue-jobs.ts';

/** A batch ends with either. Sixteen large PDFs would keep one worker busy while the others have nothing to do. */
const FILES_PER_BATCH = 16;
const BYTES_PER_BATCH = 128 * 1024;
/** Files that are under way at a time: workers go on cutting while the run trains. Of those cut, it holds the names. */
const CAPACITY = 4096;
/** How often a part that cannot be read is asked for again. */
const MOST_READ = 3;
const GATHER_MS = 5;

interface Waiting {
  readonly file: SmallFile;
  readonly resolve: (outcome: CutOutcome | CutElsewhere | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

/** The files of a run, and the documents cut from them, on their way through a queue. */
export class QueueCutters implements Cutters, DistantEmbedding, DistantSegments {
  readonly readsAll: true = true;
  readonly capacity: number = CAPACITY;
  readonly #jobs: QueueJobs;
  readonly #batchOf: (files: readonly SmallFile[]) => CutBatch;
  readonly #folder: string;
  readonly #parts: PartFolder;
  readonly #notes: QueueNotes;
  readonly #models = new Map<string, Promise<boolean>>();
  #gathered: Waiting[] = [];
  #gatheredBytes = 0;
  #gathering: NodeJS.Timeout | undefined;

  private constructor(jobs: QueueJobs, batch: Omit<CutBatch, 'files'>, notes: QueueNotes) {
    this.#jobs = jobs;
    this.#notes = notes;
    this.#batchOf = (files) => ({ ...batch, files });
    this.#folder = batch.parts;
    this.#parts = new PartFolder(batch.parts);
  }

  /** @throws IbidError INVALID_ARGUMENT, CONNECTION_FAILED */
  static async open(url: string, batch: Omit<CutBatch, 'files'>, notes: QueueNotes): Promise<QueueCutters> {
    return new QueueCutters(await QueueJobs.open(url, notes), batch, notes);
  }

  get distant(): DistantEmbedding {
    return this;
  }

  get segments(): DistantSegments {
    return this;
  }

  async cut(file: SmallFile, signal: AbortSignal): Promise<CutOutcome | CutElsewhere | undefined> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<CutOutcome | CutElsewhere | undefined>();
    this.#gathered.push({ file, resolve, reject });
    this.#gatheredBytes += file.sizeBytes ?? 0;
    if (this.#gathered.length >= FILES_PER_BATCH || this.#gatheredBytes >= BYTES_PER_BATCH) this.#send();
    else this.#gathering ??= setTimeout(() => this.#send(), GATHER_MS);
    return await unlessAborted(() => promise, signal);
  }

  #send(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    const batch = this.#gathered;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    if (batch.length > 0) void this.#add(batch);
  }

  async #add(batch: readonly Waiting[], suspect?: Pick<CutBatch, 'lostAlone'>): Promise<void> {
    try {
      const files = batch.map(({ file }) => file);
      const outcome = await this.#jobs.run('cut', { ...this.#batchOf(files), ...suspect });
      if ('failed' in outcome) this.#retry(batch, outcome.failed);
      else this.#settle(batch, outcome.returned as CutResult); // what our workers return
    } catch (error) {
      for (const { reject } of batch) reject(error); // closed
    }
  }

  #settle(batch: readonly Waiting[], results: CutResult): void {
    for (const [i, waiting] of batch.entries()) {
      const { file, resolve } = waiting;
      const result = results[i];
      if (!result)
        void this.#add([waiting]); // alone, a worker says why
      else if ('failure' in result) resolve(result);
      else resolve({ load: (signal) => this.#load(file, result, signal, MOST_READ) });
    }
  }

  /** A part that is gone or damaged is made again. */
  async #load(file: SmallFile, { part }: Part, signal: AbortSignal, tries: number): Promise<CutOutcome | undefined> {
    signal.throwIfAborted();
    const cut = await this.#parts.read(part);
    if (cut) return { cut: { ...cut, part } };
    if (tries === 0) return this.#unread('what a worker made of it is not there');
    await this.#parts.remove(part);
    const outcome = await this.#again(file, signal);
    return outcome && 'part' in outcome ? await this.#load(file, outcome, signal, tries - 1) : outcome;
  }

  async #again(file: SmallFile, signal: AbortSignal): Promise<FileResult | undefined> {
    const outcome = await unlessAborted(() => this.#jobs.run('cut', this.#batchOf([file]), true), signal);
    return 'failed' in outcome ? this.#unread(outcome.failed) : (outcome.returned as CutResult)[0]!;
  }

  /**
   * A worker that does not see the folders as this run does takes the most batches, since it fails at once: what it did
   * not read, this run reads. Only a file with which workers were lost could end this run too.
   */
  #unread(reason: string): { readonly failure: FileFailure } | undefined {
    if (isLoss(reason))
      return {
        failure: { code: 'FILE_UNREADABLE', message: `no worker could read the file; ${failureReason(reason)}` },
      };
    this.#notes.onReadHere?.(reason);
    return undefined;
  }

  /** A batch that failed is tried file by file: one of them may be to blame. */
  #retry(batch: readonly Waiting[], reason: string): void {
    const suspect = isLoss(reason) ? { lostAlone: 0 } : undefined;
    if (batch.length > 1) for (const waiting of batch) void this.#add([waiting], suspect);
    else batch[0]!.resolve(this.#unread(reason));
  }

  /** Vectors of documents that workers have cut. Undefined after a failure: this process has their texts too. */
  async embed(
    model: { readonly id: string; readonly bytes: Uint8Array },
    documents: readonly string[],
    { signal }: CallOptions,
  ): Promise<EmbeddedParts | undefined> {
    return await unlessAborted(() => this.#embedded(model, documents), signal);
  }

  async #embedded(
    { id, bytes }: { readonly id: string; readonly bytes: Uint8Array },
    documents: readonly string[],
  ): Promise<EmbeddedParts | undefined> {
    const known = await this.#parts.readVectors(PartFolder.vectorsOf(documents, id));
    if (known) return known; // of a run that was killed
    const published =
      this.#models.get(id) ??
      this.#parts.writeModel(id, bytes).then(
        () => true,
        () => false,
      );
    this.#models.set(id, published);
    if (!(await published)) {
      this.#models.delete(id);
      return undefined;
    }
    const batch: EmbedBatch = { parts: this.#folder, model: id, documents };
    // before the files that wait: a commit needs these vectors, and only then are more files taken
    const outcome = await this.#jobs.run('embed', batch, true);
    const { vectors } = 'returned' in outcome ? (outcome.returned as EmbedResult) : {};
    if (vectors === undefined) this.#models.delete(id); // the model may be what is missing
    return vectors === undefined ? undefined : await this.#parts.readVectors(vectors);
  }

  /** The segment of documents that workers have cut. Undefined after a failure: this process has their texts too. */
  async segment(documents: readonly string[]): Promise<SegmentData | undefined> {
    const batch: SegmentBatch = { kind: 'segment', parts: this.#folder, documents };
    try {
      const outcome = await this.#jobs.run('segment', batch, true); // a commit needs it
      const { segment } = 'returned' in outcome ? (outcome.returned as SegmentResult) : {};
      const built = segment === undefined ? undefined : await this.#parts.readSegment(segment);
      if (segment !== undefined && !built) await this.#parts.removeSegment(segment);
      return built;
    } catch {
      return undefined; // closed
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#gathering);
    await this.#jobs.close();
  }

  finish(): Promise<void> {
    return this.#parts.clear();
  }
}
