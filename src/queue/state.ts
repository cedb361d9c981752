import { connectQueue } from './connect.ts';
import { type CutBatch, type EmbedBatch, failureReason, queueName, type SegmentBatch } from './contract.ts';

/** The content of a queue. */
export interface QueueState {
  readonly queue: string;
  /** Workers that listen now, on all machines. */
  readonly workers: number;
  /** Workers of another version of ibid: they take nothing of this queue. */
  readonly otherWorkers: number;
  /** Batches of up to sixteen files, of some hundred chunks to embed, or of the documents of a commit to analyse. */
  readonly waiting: number;
  /** Batches that workers have taken and not given back. */
  readonly working: number;
  /** Files with which workers were lost at each try, and batches that failed and whose run was killed since. */
  readonly dead: number;
  /** The newest of them, a hundred at most. */
  readonly letters: readonly { readonly uris: readonly string[]; readonly reason: string; readonly at: string }[];
}

/** @throws IbidError INVALID_ARGUMENT, CONNECTION_FAILED */
export async function queueState(url: string): Promise<QueueState> {
  const { queue, listening } = await connectQueue(url);
  try {
    const counts = await queue.getJobCounts('waiting', 'prioritized', 'delayed', 'active', 'failed');
    const failed = await queue.getFailed(0, 99);
    return {
      queue: queueName,
      workers: await listening.own(),
      otherWorkers: await listening.others(),
      waiting: counts.waiting! + counts.prioritized! + counts.delayed!,
      working: counts.active!,
      dead: counts.failed!,
      letters: failed.map(({ data, failedReason, finishedOn = 0 }) => ({
        uris: urisOf(data as CutBatch | EmbedBatch | SegmentBatch),
        reason: failureReason(failedReason),
        at: new Date(finishedOn).toISOString(),
      })),
    };
  } finally {
    await queue.close();
  }
}

/** A batch of vectors or of a segment names no file: its run makes them itself. */
function urisOf(batch: CutBatch | EmbedBatch | SegmentBatch): readonly string[] {
  return 'files' in batch ? batch.files.map(({ uri }) => uri) : [];
}

/** Forgets the batches that failed. @returns how many @throws IbidError INVALID_ARGUMENT, CONNECTION_FAILED */
export async function clearDead(url: string): Promise<number> {
  const { queue } = await connectQueue(url);
  try {
    return (await queue.clean(0, 0, 'failed')).length;
  } finally {
    await queue.close();
  }
}
