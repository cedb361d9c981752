import { connectQueue } from './connect.ts';
import { type CutBatch, type EmbedBatch, queueName } from './contract.ts';

/** What a queue holds now. */
export interface QueueState {
  readonly queue: string;
  readonly workers: number;
  /** Batches of up to sixteen files, or of some hundred chunks to embed. */
  readonly waiting: number;
  readonly working: number;
  /** Batches that failed at each try. Their run has tried their files one by one. */
  readonly dead: number;
  /** The newest of them, a hundred at most. */
  readonly letters: readonly { readonly uris: readonly string[]; readonly reason: string; readonly at: string }[];
}

/** @throws IbidError INVALID_ARGUMENT, CONNECTION_FAILED */
export async function queueState(url: string): Promise<QueueState> {
  const { queue } = await connectQueue(url);
  try {
    const counts = await queue.getJobCounts('waiting', 'delayed', 'active', 'failed');
    const failed = await queue.getFailed(0, 99);
    return {
      queue: queueName,
      workers: await queue.getWorkersCount(),
      waiting: counts.waiting! + counts.delayed!,
      working: counts.active!,
      dead: counts.failed!,
      letters: failed.map(({ data, failedReason, finishedOn = 0 }) => ({
        uris: urisOf(data as CutBatch | EmbedBatch),
        reason: failedReason,
        at: new Date(finishedOn).toISOString(),
      })),
    };
  } finally {
    await queue.close();
  }
}

/** A batch of vectors names no file: its run makes them itself. */
function urisOf(batch: CutBatch | EmbedBatch): readonly string[] {
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
