import type { StreamReply } from '../http/contract.ts';

/** How long a stream whose last event has come may take to end by itself. */
const graceMs = 250;

/**
 * The pieces of a stream in arrays, until `over` says that nothing of use follows. Then the rest (an end mark, the end of the body) is
 * read in the background for a moment, so that the connection can be used again, and cut off after that: some services never
 * send an end.
 */
export async function* readUntil<T>(
  reply: StreamReply<T>,
  over: () => boolean,
): AsyncGenerator<readonly T[], void, undefined> {
  const batches = reply.batches()[Symbol.asyncIterator]();
  let left = true;
  try {
    for (;;) {
      const next = await batches.next();
      if (next.done === true) {
        left = false;
        return;
      }
      yield next.value;
      if (over()) {
        left = false;
        void drain(batches, reply);
        return;
      }
    }
  } finally {
    if (left) await reply.cancel(); // the reader has gone, or failed
  }
}

async function drain<T>(batches: AsyncIterator<readonly T[]>, reply: StreamReply<T>): Promise<void> {
  const timer = setTimeout(() => void reply.cancel(), graceMs);
  timer.unref();
  try {
    while ((await batches.next()).done !== true);
  } catch {
    // What comes after the last event cannot spoil the answer.
  } finally {
    clearTimeout(timer);
  }
}
