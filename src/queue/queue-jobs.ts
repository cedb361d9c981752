import { setTimeout as delay } from 'node:timers/promises';
import type { Job, QueueEvents } from 'bullmq';
import { IbidError, messageOf } from '../core/errors.ts';
import { type Connected, connectQueue, type RedisNotes } from './connect.ts';
import { ATTEMPTS, isLoss, queueName } from './contract.ts';

/** How often the queue is asked for batches whose end nobody has told: Redis may have been gone. */
const LOOK_MS = 2000;
/** Batches that are asked for at a time: those that were sent first, and those that others wait for. */
const LOOKED_AT = 64;
const CLOSE_MS = 2000;
/** How Redis begins an answer that will change: no memory, no disk, still loading, no master now. */
const PASSING = /^(OOM|MISCONF|LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|NOREPLICAS|BUSY|TRYAGAIN)\b/;
/** Looks in a row without a worker before that is told: after an absence of Redis workers come back one by one. */
const LONELY_LOOKS = 3;

/** The notes of an ingest with a queue while it runs. */
export interface QueueNotes extends RedisNotes {
  /**
   * Work waits, and no worker has listened for some seconds. Told again only after one has.
   * @param otherWorkers of another version of ibid, which take nothing of this run
   */
  onNoWorker?(otherWorkers: number): void;
  /** No worker could read a file, which this run then reads itself. @param reason of the last try */
  onReadHere?(reason: string): void;
  /** Redis takes no work now, and says why: its memory or its disk is full. The run waits; `onBack` tells the end. */
  onRefused?(reason: string): void;
}

/** The outcome of a batch: the reply of the worker, or the reason why each try failed. */
type JobOutcome = { readonly returned: unknown } | { readonly failed: string };

interface UnderWay {
  readonly kind: string;
  readonly data: object;
  readonly first: boolean;
  readonly resolve: (outcome: JobOutcome) => void;
  readonly reject: (reason: unknown) => void;
}

/** The batches of a run on their way through a queue, told apart by ids that no other run has. */
export class QueueJobs {
  readonly #connected: Connected;
  readonly #events: QueueEvents;
  readonly #notes: QueueNotes;
  readonly #underWay = new Map<string, UnderWay>();
  readonly #watch: NodeJS.Timeout;
  #looking = false;
  #lonelyLooks = 0;
  #isRefused = false;
  #closing: Promise<void> | undefined;

  private constructor(connected: Connected, notes: QueueNotes) {
    this.#connected = connected;
    this.#notes = notes;
    this.#events = new connected.bullmq.QueueEvents(queueName, connected.options);
    this.#events.on('error', () => undefined); // it goes on trying
    this.#events.on('completed', ({ jobId, returnvalue }) => this.#end(jobId, { returned: returnvalue }));
    this.#events.on('failed', ({ jobId, failedReason }) => this.#end(jobId, { failed: failedReason }));
    this.#watch = setInterval(() => void this.#look(), LOOK_MS);
  }

  /** @throws IbidError INVALID_ARGUMENT, CONNECTION_FAILED */
  static async open(url: string, notes: QueueNotes): Promise<QueueJobs> {
    return new QueueJobs(await connectQueue(url, notes), notes);
  }

  /** @param first before the batches that wait @throws IbidError CONNECTION_FAILED; when the queue is closed */
  async run(kind: 'cut' | 'embed' | 'segment', data: object, first: boolean = false): Promise<JobOutcome> {
    const id = crypto.randomUUID();
    const { promise, resolve, reject } = Promise.withResolvers<JobOutcome>();
    const job: UnderWay = { kind, data, first, resolve, reject };
    this.#underWay.set(id, job);
    this.#put(id, job).catch((error: unknown) => {
      if (this.#waits(error)) return; // the next look puts it
      this.#underWay.delete(id);
      reject(this.#closing ? error : refused(error));
    });
    return await promise;
  }

  async #put(jobId: string, { kind, data, first }: UnderWay): Promise<void> {
    await this.#connected.queue.add(kind, data, {
      jobId,
      attempts: ATTEMPTS,
      backoff: { type: 'exponential', delay: 200 },
      removeOnComplete: { age: 3600 },
      ...(first ? {} : { priority: 1 }), // those without a priority come first, each kind in order
    });
    if (!this.#isRefused) return;
    this.#isRefused = false;
    this.#notes.onBack?.();
  }

  /** Whether Redis refuses for now: that is told once, and waited for. */
  #waits(error: unknown): boolean {
    const reason = messageOf(error);
    if (this.#closing || !PASSING.test(reason)) return false;
    if (!this.#isRefused) this.#notes.onRefused?.(reason.replace(/\.? script: .*$/s, ''));
    this.#isRefused = true;
    return true;
  }

  #end(id: string, outcome: JobOutcome): void {
    const job = this.#underWay.get(id);
    if (!job) return; // of another run, or settled
    this.#underWay.delete(id);
    job.resolve(outcome);
    // Of a batch that failed, the run makes itself what it held; but not a file with which workers were lost.
    const isDead = 'failed' in outcome && isLoss(outcome.failed) && filesOf(job.data) === 1;
    if (!isDead) void this.#connected.queue.remove(id).catch(() => undefined);
  }

  async #look(): Promise<void> {
    if (this.#looking || this.#underWay.size === 0) return;
    this.#looking = true;
    const { queue, listening } = this.#connected;
    try {
      const isFirst = ([, { first }]: readonly [string, UnderWay]): number => (first ? 0 : 1);
      const oldest = [...this.#underWay].sort((a, b) => isFirst(a) - isFirst(b)).slice(0, LOOKED_AT);
      for (const [id, batch] of oldest) {
        const job = await queue.getJob(id);
        if (!this.#underWay.has(id)) continue;
        if (!job) await this.#put(id, batch);
        // as it was read at once: asked again, it may have ended since, and what was read has no result
        else if (job.finishedOn !== undefined) this.#end(id, outcomeOf(job));
      }
      this.#lonelyLooks = (await listening.own()) === 0 ? this.#lonelyLooks + 1 : 0;
      if (this.#lonelyLooks === LONELY_LOOKS) this.#notes.onNoWorker?.(await listening.others());
    } catch (error) {
      this.#waits(error); // the next look tries again
    } finally {
      this.#looking = false;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearInterval(this.#watch);
    const { queue } = this.#connected;
    const left = [...this.#underWay];
    this.#underWay.clear();
    for (const [, { reject }] of left) reject(new Error('the queue was closed'));
    const tidy = async (): Promise<void> => {
      await Promise.allSettled(left.map(([id]) => queue.remove(id))); // one that a worker has, stays
      await Promise.allSettled([this.#events.close(), queue.close()]);
    };
    await this.#connected.giveUp(); // Redis may be gone: then neither this nor what follows would ever return
    await withinCloseTime(tidy());
    await withinCloseTime(Promise.allSettled([this.#events.disconnect(), queue.disconnect()]));
  }
}

/** The timer keeps the program alive, or it would end with the promise open. */
async function withinCloseTime(work: Promise<unknown>): Promise<void> {
  const end = new AbortController();
  await Promise.race([work, delay(CLOSE_MS, undefined, { signal: end.signal }).catch(() => {})]);
  end.abort();
}

/** A Redis that is gone, and one that has no room now, are waited for; any other answer stays. */
function refused(cause: unknown): IbidError {
  const why = messageOf(cause);
  return new IbidError('CONNECTION_FAILED', `Redis takes no more work: ${why}`, {
    cause,
    hint: 'What workers have made is kept: run again when Redis takes work.',
  });
}

function filesOf(data: object): number {
  return 'files' in data && Array.isArray(data.files) ? data.files.length : 0;
}

/** Of a job that has ended. Our workers always return something; a reason may be that of an earlier try. */
function outcomeOf({ returnvalue, failedReason }: Job): JobOutcome {
  return returnvalue === null || returnvalue === undefined ? { failed: failedReason } : { returned: returnvalue };
}
