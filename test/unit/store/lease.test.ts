import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { connectDatabase } from '../../../src/store/index.ts';
import { free, lease, leaseKey } from '../../../src/store/lease.ts';
import { Meta } from '../../../src/store/state.ts';
import { tempFolder } from '../../support/temp.ts';

async function metas(count: number): Promise<Meta[]> {
  const database = await connectDatabase('memory://');
  return Promise.all(Array.from({ length: count }, () => Meta.open(database, leaseKey, free)));
}

describe('the lease of a remote index', () => {
  it('is refused to a second writer and free again after release', async () => {
    const [a, b] = (await metas(2)) as [Meta, Meta];
    const first = await lease(a);
    expect(first.afterCrash).toBe(false);
    await expect(lease(b)).rejects.toMatchObject({ code: 'INDEX_LOCKED' });
    await first.release();
    const second = await lease(b);
    expect(second.afterCrash).toBe(false);
    await second.release(true);
    expect((await lease(a)).afterCrash).toBe(true);
  });

  it('runs out when its holder is gone, and the next writer knows', async () => {
    const [a, b] = (await metas(2)) as [Meta, Meta];
    const first = await lease(a, { leaseMs: 400 });
    (a as { swap: unknown }).swap = () => Promise.reject(new Error('no connection')); // cut off: it cannot renew
    await expect(lease(b)).rejects.toMatchObject({ code: 'INDEX_LOCKED' });
    const second = await lease(b, { waitMs: 5000 });
    expect(second.afterCrash).toBe(true);
    expect(() => first.check()).toThrow(/ran out/);
    expect(() => second.check()).not.toThrow();
    await second.release();
  });

  it('of a writer that is gone, and whose clock was days ahead, is taken by one that waits', async () => {
    const [a, b] = (await metas(2)) as [Meta, Meta];
    const left = { token: 'gone', holder: 'process 7 on another', until: Date.now() + 2 * 86_400_000 };
    await a.get(leaseKey); // the table as both have it
    expect(await a.swap(leaseKey, free, left)).toBe(true);
    await expect(lease(b)).rejects.toMatchObject({ code: 'INDEX_LOCKED', hint: expect.stringContaining('clock') });
    const second = await lease(b, { leaseMs: 400, waitMs: 5000 });
    expect(second.afterCrash).toBe(true);
    second.check();
    await second.release();
  });

  it('of a living writer whose clock is days ahead is not taken', async () => {
    const [a, b] = (await metas(2)) as [Meta, Meta];
    const days = 2 * 86_400_000;
    let left = { token: 'alive', holder: 'process 7 on another', until: Date.now() + days };
    await a.get(leaseKey); // the table as both have it
    expect(await a.swap(leaseKey, free, left)).toBe(true);
    const renewing = setInterval(() => {
      const next = { ...left, until: Date.now() + days };
      void a.swap(leaseKey, left, next);
      left = next;
    }, 130);
    const taken = lease(b, { leaseMs: 1200, waitMs: 2500 });
    await expect(taken).rejects.toMatchObject({ code: 'INDEX_LOCKED' });
    clearInterval(renewing);
  });

  it('is kept when a renewal was written but its answer was lost', async () => {
    const [a, b] = (await metas(2)) as [Meta, Meta];
    const swap = a.swap.bind(a);
    const first = await lease(a, { leaseMs: 600 });
    const lost = new Promise<void>((done) => {
      a.swap = async (...given) => {
        a.swap = swap;
        await swap(...given);
        done();
        throw new Error('no answer');
      };
    });
    await lost;
    await sleep(700);
    first.check();
    await expect(lease(b)).rejects.toMatchObject({ code: 'INDEX_LOCKED' });
    await first.release();
    await (await lease(b)).release();
  });

  it('is taken when the answer to its taking was lost', async () => {
    const [a, b] = (await metas(2)) as [Meta, Meta];
    const swap = a.swap.bind(a);
    a.swap = async (...given) => {
      a.swap = swap;
      await swap(...given);
      return false; // as after a second attempt, which finds another value than before the first
    };
    const taken = await lease(a);
    expect(taken.afterCrash).toBe(false);
    await expect(lease(b)).rejects.toMatchObject({ code: 'INDEX_LOCKED' });
    await taken.release();
  });

  it('that cannot be given back runs out, and what its writer has done stays done', async () => {
    const [a, b] = (await metas(2)) as [Meta, Meta];
    const first = await lease(a, { leaseMs: 400 });
    (a as { swap: unknown }).swap = () => Promise.reject(new Error('no connection'));
    await first.release();
    const second = await lease(b, { waitMs: 5000 });
    expect(second.afterCrash).toBe(true);
    await second.release();
  });

  it('is given back where the run that holds it has tidied up the notes', async () => {
    const folder = tempFolder();
    const a = await Meta.open(await connectDatabase(folder), leaseKey, free);
    const b = await Meta.open(await connectDatabase(folder), leaseKey, free);
    const held = await lease(a);
    for (let i = 0; i < 9; i++) await b.put(`note ${i}`, i);
    const table = await b.table();
    for (let i = 0; i < 2; i++) await table.optimize({ cleanupOlderThan: new Date() });
    await held.release();
    await (await lease(b)).release();
  });

  it('is waited for until the caller’s abort', async () => {
    const [a, b] = (await metas(2)) as [Meta, Meta];
    const first = await lease(a);
    const stopped = new Error('stopped');
    const abort = new AbortController();
    setTimeout(() => abort.abort(stopped), 50);
    await expect(lease(b, { waitMs: 5000, signal: abort.signal })).rejects.toBe(stopped);
    await first.release();
  });

  it('is renewed for as long as its holder lives', async () => {
    const [a, b] = (await metas(2)) as [Meta, Meta];
    const first = await lease(a, { leaseMs: 600 });
    await sleep(1500);
    first.check();
    await expect(lease(b)).rejects.toMatchObject({ code: 'INDEX_LOCKED' });
    await first.release();
  });

  it('goes to one of several that come together', async () => {
    const all = await metas(5);
    const results = await Promise.allSettled(all.map((meta) => lease(meta)));
    const won = results.filter(({ status }) => status === 'fulfilled');
    expect(won.length).toBe(1);
  });
});
