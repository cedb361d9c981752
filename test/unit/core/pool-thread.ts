// A thread for the tests of `ThreadPool`.
import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { IbidError } from '../../../src/core/errors.ts';
import { serveThreadPool } from '../../../src/core/thread-pool-peer.ts';

export interface TestContext {
  /** Contexts taken, requests aborted, beats of all threads, requests done that hear no abort. */
  readonly counter: Int32Array;
  readonly name: string;
}

/** Milliseconds to wait, or what else to do. */
export type TestRequest = number | 'fail' | 'fail plainly' | 'exit' | 'throw' | 'until aborted' | 'until done';

export interface TestAnswer {
  readonly name: string;
  readonly thread: number;
  readonly threadId: number;
}

serveThreadPool<TestContext, { readonly context: TestContext; readonly thread: number }, TestRequest, TestAnswer>({
  attach: (context, thread) => {
    Atomics.add(context.counter, 0, 1);
    setInterval(() => Atomics.add(context.counter, 2, 1), 1).unref();
    return { context, thread };
  },
  answer: async ({ context, thread }, request, signal) => {
    if (request === 'exit') process.exit(3);
    if (request === 'throw') setImmediate(() => Promise.reject(new Error('out of line')));
    if (request === 'fail') throw new IbidError('INVALID_FILTER', 'no such column', { hint: 'Look at the columns.' });
    if (request === 'fail plainly') throw new TypeError('a plain error');
    if (request === 'until done') {
      await sleep(200);
      Atomics.add(context.counter, 3, 1);
    }
    const ms = typeof request === 'number' ? request : request === 'until done' ? 0 : 60_000;
    await sleep(ms, undefined, { signal }).catch(() => Atomics.add(context.counter, 1, 1));
    return { name: context.name, thread, threadId };
  },
});
