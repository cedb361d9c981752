import { setTimeout as delay } from 'node:timers/promises';
import type { QueueEvents } from 'bullmq';
import type { Cutters, SmallFile } from '../ingest/contract.ts';
import type { CutOutcome } from '../ingest/cut.ts';
import { type Connected, connectQueue } from './connect.ts';
import { ATTEMPTS, type CutBatch, type FileResult, queueName } from './contract.ts';
import { PartFolder } from './parts.ts';

const FILES_PER_BATCH = 16;
/** Files that are under way at a time. */
const CAPACITY = 512;
const GATHER_MS = 5;
/** How often the queue is asked for batches whose end nobody has told: Redis may have been gone. */
const LOOK_MS = 2000;
const CLOSE_MS = 2000;

export interface QueueNotes {
  /** Work waits, and no worker listens. */
  onNoWorker?(): void;
}

interface Waiting {
  readonly file: SmallFile;
  readonly resolve: (outcome: CutOutcome) => void;
  readonly reject: (reason: unknown) => void;
}

/** The files of a run on their way through a queue. Batches are told apart by ids that no other run has. */
export class QueueCutters implements Cutters {
  readonly readsAll: true = true;
  readonly capacity: number = CAPACITY;
  readonly #connected: Connected;
  readonly #events: QueueEvents;
  readonly #batchOf: (files: readonly SmallFile[]) => CutBatch;
  readonly #parts: PartFolder;
  readonly #notes: QueueNotes;
  readonly #underWay = new Map<string, readonly Waiting[]>();
  readonly #watch: NodeJS.Timeout;
  #gathered: Waiting[] = [];
  #gathering: NodeJS.Timeout | undefined;
  #looking = false;

  private constructor(connected: Connected, batch: Omit<CutBatch, 'files'>, notes: QueueNotes) {
    this.#connected = connected;
    this.#batchOf = (files) => ({ ...batch, files });
    this.#parts = new PartFolder(batch.parts);
    this.#notes = notes;
    this.#events = new connected.bullmq.QueueEvents(queueName, connected.options);
    this.#events.on('error', () => undefined); // it goes on trying
    this.#events.on('completed', ({ jobId, returnvalue }) => {
      void this.#settle(jobId, returnvalue as unknown as readonly FileResult[]); // what our workers return
    });
    this.#events.on('failed', ({ jobId, failedReason }) => this.#retry(jobId, failedReason));
    this.#watch = setInterval(() => void this.#look(), LOOK_MS);
  }

  /** @throws IbidError INVALID_ARGUMENT, CONNECTION_FAILED */
  static async open(url: string, batch: Omit<CutBatch, 'files'>, notes: QueueNotes): Promise<QueueCutters> {
    return new QueueCutters(await connectQueue(url), batch, notes);
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
    const id = crypto.randomUUID();
    this.#underWay.set(id, batch);
    try {
      await this.#put(id, batch);
    } catch (error) {
      this.#underWay.delete(id);
      for (const { reject } of batch) reject(error); // closed
    }
  }

  async #put(jobId: string, batch: readonly Waiting[]): Promise<void> {
    const { queue } = this.#connected;
    await queue.add('cut', this.#batchOf(batch.map(({ file }) => file)), {
      jobId,
      attempts: ATTEMPTS,
      backoff: { type: 'exponential', delay: 200 },
      removeOnComplete: { age: 3600 },
    });
  }

  async #settle(id: string, results: readonly FileResult[]): Promise<void> {
    const batch = this.#underWay.get(id);
    if (!batch) return; // of another run, or settled
    this.#underWay.delete(id);
    await Promise.all(
      batch.map(async (waiting, i) => {
        const result = results[i]!;
        if ('failure' in result) return waiting.resolve(result);
        const cut = await this.#parts.read(result.part);
        if (cut) waiting.resolve({ cut });
        else void this.#add([waiting]); // the folder of parts was cleared
      }),
    );
    await this.#connected.queue.remove(id).catch(() => undefined);
  }

  /** A batch that failed is tried file by file: one of them may be to blame. */
  #retry(id: string, reason: string): void {
    const batch = this.#underWay.get(id);
    if (!batch) return;
    this.#underWay.delete(id);
    if (batch.length > 1) for (const waiting of batch) void this.#add([waiting]);
    else batch[0]!.resolve({ failure: { code: 'FILE_DAMAGED', message: `no worker could read the file: ${reason}` } });
  }

  async #look(): Promise<void> {
    if (this.#looking || this.#underWay.size === 0) return;
    this.#looking = true;
    const { queue } = this.#connected;
    try {
      for (const [id, batch] of [...this.#underWay]) {
        const job = await queue.getJob(id);
        if (!this.#underWay.has(id)) continue;
        if (!job) await this.#put(id, batch);
        else if (await job.isCompleted()) await this.#settle(id, job.returnvalue as readonly FileResult[]);
        else if (await job.isFailed()) this.#retry(id, job.failedReason);
      }
      if ((await queue.getWorkersCount()) === 0) this.#notes.onNoWorker?.();
    } catch {
      // the next look
    } finally {
      this.#looking = false;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    clearTimeout(this.#gathering);
    const { queue } = this.#connected;
    const left = [...this.#underWay.keys()];
    this.#underWay.clear();
    const tidy = async (): Promise<void> => {
      await Promise.allSettled(left.map((id) => queue.remove(id))); // one that a worker has, stays
      await Promise.allSettled([this.#events.close(), queue.close()]);
    };
    await Promise.race([tidy(), delay(CLOSE_MS, undefined, { ref: false })]); // Redis may be gone
    await Promise.allSettled([this.#events.disconnect(), queue.disconnect()]);
  }

  finish(): Promise<void> {
    return this.#parts.clear();
  }
}
