import type { Job } from 'bullmq';
import { type CutBatch, failureReason, LOSS, type Suspect } from './contract.ts';

/** How many workers a batch may cost that each read nothing else. One more was lost before: it made the suspicion. */
const MOST_ALONE = 2;

/** Shared work goes side by side, exclusive work by itself; each waits for what was asked before. */
export class SharedLock {
  readonly #sharing = new Set<Promise<unknown>>();
  #exclusive: Promise<unknown> = Promise.resolve();

  shared<T>(work: () => Promise<T>): Promise<T> {
    const running = this.#exclusive.then(work);
    const ended: Promise<unknown> = running.catch(() => undefined).finally(() => this.#sharing.delete(ended));
    this.#sharing.add(ended);
    return running;
  }

  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const running = Promise.all([...this.#sharing, this.#exclusive]).then(work);
    this.#exclusive = running.catch(() => undefined);
    return running;
  }
}

/** A job that may have several files. */
type Batch = Suspect & Partial<Pick<CutBatch, 'files'>>;

const isMany = ({ files = [] }: Batch): boolean => files.length > 1;

/** Why a batch is not worked on, in words for people. */
export function lossOf(batch: Batch | undefined): Error {
  return new Error(
    batch && isMany(batch) ? 'a worker was lost with it; its files are read one by one' : failureReason(LOSS),
  );
}

/** Whether a worker was lost that had this batch, or the one that its file comes from. Others may be to blame. */
export function isSuspect({ data, stalledCounter }: Job<Suspect>): boolean {
  return data.lostAlone !== undefined || stalledCounter > 0;
}

/**
 * Works on a suspect while the worker does nothing else, so that its end is the suspect's doing. Several files are left
 * to their run, which sends each alone.
 * @param Unrecoverable of BullMQ: a batch that fails so is not tried again
 */
export async function workAlone<T>(
  job: Job<Batch>,
  work: () => Promise<T>,
  lock: SharedLock,
  Unrecoverable: new (message: string) => Error,
): Promise<T> {
  const { data } = job;
  const { lostAlone = 0 } = data;
  if (isMany(data) || lostAlone >= MOST_ALONE) throw new Unrecoverable(LOSS);
  return await lock.exclusive(async () => {
    await job.updateData({ ...data, lostAlone: lostAlone + 1 }); // before: afterwards there may be nobody
    try {
      return await work();
    } finally {
      await job.updateData({ ...data, lostAlone });
    }
  });
}
