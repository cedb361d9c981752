import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ThreadPool } from '../../../src/core/thread-pool.ts';
import type { TestAnswer, TestContext, TestRequest } from './pool-thread.ts';

const entry = new URL('./pool-thread.ts', import.meta.url);

async function opened(threads: number) {
  const pool = new ThreadPool<TestContext, TestRequest, TestAnswer>(entry, { threads });
  const counter = new Int32Array(new SharedArrayBuffer(16));
  const context: TestContext = { counter, name: 'first' };
  await pool.start();
  return {
    pool,
    counter,
    context,
    async [Symbol.asyncDispose]() {
      await pool.close();
      // each thread beats; none is left
      const beats = counter[2]!;
      expect(beats).toBeGreaterThan(0);
      await sleep(20);
      expect(counter[2]).toBe(beats);
    },
  };
}

describe('a pool of threads', () => {
  it('starts threads as they have work, up to its number, and gives each a context once', async () => {
    await using made = await opened(3);
    const { pool, context, counter } = made;
    expect(pool.isReady).toBe(true);
    const one = await pool.request(context, 1);
    expect(one).toMatchObject({ name: 'first', thread: 1 });
    const many = await Promise.all(Array.from({ length: 60 }, () => pool.request(context, 100)));
    expect(new Set(many.map(({ threadId }) => threadId)).size).toBe(3);
    expect(new Set(many.map(({ thread }) => thread))).toEqual(new Set([1, 2, 3]));
    expect(counter[0]).toBe(3);
    const next = { ...context, name: 'second' };
    expect((await pool.request(next, 1)).name).toBe('second');
    expect(counter[0]).toBe(4);
  });

  it('gives errors with their code and hint', async () => {
    await using made = await opened(1);
    const { pool, context } = made;
    await expect(pool.request(context, 'fail')).rejects.toMatchObject({
      name: 'IbidError',
      code: 'INVALID_FILTER',
      message: 'no such column',
      hint: 'Look at the columns.',
    });
    await expect(pool.request(context, 'fail plainly')).rejects.toThrow('a plain error');
    expect((await pool.request(context, 1)).thread).toBe(1);
  });

  it.each(['exit', 'throw'] as const)(
    'loses only the requests of a thread that ends (%s), and replaces it',
    async (how) => {
      await using made = await opened(2);
      const { pool, context } = made;
      // both threads run
      const warm = await Promise.all(Array.from({ length: 20 }, () => pool.request(context, 100)));
      expect(new Set(warm.map(({ threadId }) => threadId)).size).toBe(2);
      const results = await Promise.allSettled([
        pool.request(context, how),
        ...Array.from({ length: 20 }, () => pool.request(context, 20)),
      ]);
      expect(results[0]).toMatchObject({ status: 'rejected', reason: { code: 'THREAD_ENDED' } });
      const failed = results.filter(({ status }) => status === 'rejected');
      expect(failed.length).toBeLessThanOrEqual(2); // a thread has two at most
      expect(pool.isBroken).toBe(false);
      const after = await Promise.all(Array.from({ length: 20 }, () => pool.request(context, 100)));
      expect(new Set(after.map(({ thread }) => thread))).toEqual(new Set([1, 2]));
    },
  );

  it('ends what is aborted, waiting or under way', async () => {
    await using made = await opened(1);
    const { pool, context, counter } = made;
    const controllers = Array.from({ length: 5 }, () => new AbortController());
    const asked = controllers.map(({ signal }) => pool.request(context, 'until aborted', { signal }));
    const settled = Promise.allSettled(asked);
    await expect.poll(() => counter[0]).toBe(1);
    for (const controller of controllers) controller.abort(new Error('enough'));
    for (const result of await settled)
      expect(result).toMatchObject({ status: 'rejected', reason: new Error('enough') });
    // a thread has two requests at a time; both heard of it
    await expect.poll(() => counter[1]).toBe(2);
    expect((await pool.request(context, 1)).thread).toBe(1);
    await expect(pool.request(context, 1, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow(
      'before',
    );
  });

  it('fails what is open when it is closed, and takes nothing more', async () => {
    await using made = await opened(1);
    const { pool, context, counter } = made;
    const asked = Promise.allSettled(Array.from({ length: 4 }, () => pool.request(context, 'until aborted')));
    await expect.poll(() => counter[2]).toBeGreaterThan(0);
    await pool.close();
    for (const result of await asked) expect(result).toMatchObject({ reason: { code: 'ABORTED' } });
    await expect(pool.request(context, 1)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('waits for what is under way when it is closed', async () => {
    await using made = await opened(1);
    const { pool, context, counter } = made;
    const asked = Promise.allSettled([pool.request(context, 'until done')]);
    await expect.poll(() => counter[2]).toBeGreaterThan(0);
    await pool.close();
    expect(counter[3]).toBe(1);
    expect(await asked).toMatchObject([{ reason: { code: 'ABORTED' } }]);
  });

  it('says that its threads cannot start', async () => {
    const pool = new ThreadPool<TestContext, TestRequest, TestAnswer>(new URL('./no-such-thread.ts', import.meta.url), {
      threads: 2,
    });
    await pool.start();
    await expect.poll(() => pool.isBroken).toBe(true);
    expect(pool.isReady).toBe(false);
    const context = { counter: new Int32Array(new SharedArrayBuffer(16)), name: 'first' };
    await expect(pool.request(context, 1)).rejects.toMatchObject({ code: 'THREAD_ENDED' });
    await pool.close();
  });
});
