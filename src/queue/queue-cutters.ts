import type { CallOptions } from '../core/types.ts';
import type { EmbeddedParts } from '../embed/local/compose.ts';
import type { DistantEmbedding } from '../embed/local/distant.ts';
import type { Cutters, SmallFile } from '../ingest/contract.ts';
import type { CutOutcome } from '../ingest/cut.ts';
import type { CutBatch, EmbedBatch, EmbedResult, FileResult } from './contract.ts';
import { PartFolder } from './parts.ts';
import { QueueJobs, type QueueNotes } from './queue-jobs.ts';

const FILES_PER_BATCH = 16;
/** Files that are under way at a time. */
const CAPACITY = 512;
const GATHER_MS = 5;

interface Waiting {
  readonly file: SmallFile;
  readonly resolve: (outcome: CutOutcome) => void;
  readonly reject: (reason: unknown) => void;
}

/** The files of a run, and the documents cut from them, on their way through a queue. */
export class QueueCutters implements Cutters, DistantEmbedding {
  readonly readsAll: true = true;
  readonly capacity: number = CAPACITY;
  readonly #jobs: QueueJobs;
  readonly #batchOf: (files: readonly SmallFile[]) => CutBatch;
  readonly #folder: string;
  readonly #parts: PartFolder;
  readonly #models = new Map<string, Promise<void>>();
  #gathered: Waiting[] = [];
  #gathering: NodeJS.Timeout | undefined;

  private constructor(jobs: QueueJobs, batch: Omit<CutBatch, 'files'>) {
    this.#jobs = jobs;
    this.#batchOf = (files) => ({ ...batch, files });
    this.#folder = batch.parts;
    this.#parts = new PartFolder(batch.parts);
  }

  /** @throws IbidError INVALID_ARGUMENT, CONNECTION_FAILED */
  static async open(url: string, batch: Omit<CutBatch, 'files'>, notes: QueueNotes): Promise<QueueCutters> {
    return new QueueCutters(await QueueJobs.open(url, notes), batch);
  }

  get distant(): DistantEmbedding {
    return this;
  }

  async cut(file: SmallFile, signal: AbortSignal): Promise<CutOutcome> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<CutOutcome>();
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      this.#gathered.push({ file, resolve, reject });
      if (this.#gathered.length >= FILES_PER_BATCH) this.#send();
      else this.#gathering ??= setTimeout(() => this.#send(), GATHER_MS);
      return await promise;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  #send(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    const batch = this.#gathered;
    this.#gathered = [];
    if (batch.length > 0) void this.#add(batch);
  }

  async #add(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcome = await this.#jobs.run('cut', this.#batchOf(batch.map(({ file }) => file)));
      if ('failed' in outcome) this.#retry(batch, outcome.failed);
      else await this.#settle(batch, outcome.returned as readonly FileResult[]); // what our workers return
    } catch (error) {
      for (const { reject } of batch) reject(error); // closed
    }
  }

  async #settle(batch: readonly Waiting[], results: readonly FileResult[]): Promise<void> {
    await Promise.all(
      batch.map(async (waiting, i) => {
        const result = results[i]!;
        if ('failure' in result) return waiting.resolve(result);
        const cut = await this.#parts.read(result.part);
        if (cut) waiting.resolve({ cut: { ...cut, part: result.part } });
        else void this.#add([waiting]); // the folder of parts was cleared
      }),
    );
  }

  /** A batch that failed is tried file by file: one of them may be to blame. */
  #retry(batch: readonly Waiting[], reason: string): void {
    if (batch.length > 1) for (const waiting of batch) void this.#add([waiting]);
    else batch[0]!.resolve({ failure: { code: 'FILE_DAMAGED', message: `no worker could read the file: ${reason}` } });
  }

  /** Vectors of documents that workers have cut. Undefined after a failure: this process has their texts too. */
  async embed(
    model: { readonly id: string; readonly bytes: Uint8Array },
    documents: readonly string[],
    { signal }: CallOptions,
  ): Promise<EmbeddedParts | undefined> {
    signal?.throwIfAborted();
    const { promise, reject } = Promise.withResolvers<never>();
    const abort = (): void => reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await Promise.race([promise, this.#embedded(model, documents)]);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  async #embedded(
    { id, bytes }: { readonly id: string; readonly bytes: Uint8Array },
    documents: readonly string[],
  ): Promise<EmbeddedParts | undefined> {
    const known = await this.#parts.readVectors(PartFolder.vectorsOf(documents, id));
    if (known) return known; // of a run that was killed
    const published = this.#models.get(id) ?? this.#parts.writeModel(id, bytes);
    this.#models.set(id, published);
    await published;
    const batch: EmbedBatch = { parts: this.#folder, model: id, documents };
    // before the files that wait: a commit needs these vectors, and only then are more files taken
    const outcome = await this.#jobs.run('embed', batch, true);
    const { vectors } = 'returned' in outcome ? (outcome.returned as EmbedResult) : {};
    if (vectors === undefined) this.#models.delete(id); // the model may be what is missing
    return vectors === undefined ? undefined : await this.#parts.readVectors(vectors);
  }

  async close(): Promise<void> {
    clearTimeout(this.#gathering);
    await this.#jobs.close();
  }

  finish(): Promise<void> {
    return this.#parts.clear();
  }
}
