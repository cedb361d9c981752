import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { IbidError } from '../core/errors.ts';
import type { LockOptions, WriteLock } from './lock.ts';
import type { Meta } from './state.ts';

interface Lease {
  readonly token: string;
  readonly holder: string;
  /** Milliseconds since 1970, by the holder's clock. */
  readonly until: number;
}

interface LeaseOptions extends LockOptions {
  /**
   * How long a lease is valid without renewal, in milliseconds. The clocks of all writers must differ by much less. A
   * clock that is far ahead leaves a lease that seems to last: a writer that waits for this long takes such a lease.
   * @default 60000
   */
  readonly leaseMs?: number | undefined;
}

/** Key of the meta row that names the writer. The row must exist before two writers can compete for it. */
export const leaseKey = 'writer';
export const free: Lease = { token: '', holder: '', until: 0 };

/**
 * The write lock for an index without a file system: a row in the meta table. Writers take and renew it by
 * compare-and-swap, which is atomic because the database's commits are optimistic. The lease of a killed writer
 * expires.
 * @throws IbidError INDEX_LOCKED when another writer still holds the lease after `waitMs`
 */
export async function lease(
  meta: Meta,
  { waitMs = 0, leaseMs = 60_000, signal }: LeaseOptions = {},
): Promise<WriteLock> {
  const token = randomUUID();
  const mine = (): Lease => ({ token, holder: `process ${process.pid} on ${hostname()}`, until: Date.now() + leaseMs });
  const deadline = performance.now() + waitMs;
  let watched = { token: '', until: 0, since: 0 };
  for (;;) {
    signal?.throwIfAborted();
    const before = (await meta.get(leaseKey)) as Lease; // written with the table's first version, and only here
    const isAsBefore = before.token === watched.token && before.until === watched.until;
    if (!isAsBefore) watched = { token: before.token, until: before.until, since: performance.now() };
    // a living writer renews its lease three times in this time, whatever its clock says
    const isOver = before.until <= Date.now() || performance.now() - watched.since >= leaseMs;
    const held = mine();
    if (isOver && (await replace(meta, token, before, held))) {
      return new HeldLease(meta, token, held, mine, before.token !== '', leaseMs);
    }
    if (!isOver && performance.now() >= deadline) throw locked(before, leaseMs);
    await sleep(50 + Math.random() * 100, undefined, signal ? { signal } : {}).catch(() => undefined); // thrown above
  }
}

function locked({ holder, until }: Lease, leaseMs: number): IbidError {
  const isAhead = until - Date.now() > 2 * leaseMs;
  return new IbidError('INDEX_LOCKED', `${holder} is writing to this index`, {
    hint: isAhead
      ? `Its clock is ahead of this one: its lease ends at ${new Date(until).toISOString()}. Set the clocks right. If that writer is gone, wait for longer than a minute: \`waitMs\`.`
      : 'Wait until it has finished; the lease of a writer that was killed runs out within a minute.',
  });
}

/** Replaces `before`, or what `token` has written since: an attempt may be carried out and its answer lost. */
async function replace(meta: Meta, token: string, before: Lease, next: Lease): Promise<boolean> {
  if (await meta.swap(leaseKey, before, next)) return true;
  const stored = (await meta.get(leaseKey)) as Lease; // as in `lease`
  if (stored.token !== token) return false;
  return stored.until === next.until || (await meta.swap(leaseKey, stored, next));
}

class HeldLease implements WriteLock {
  readonly afterCrash: boolean;
  readonly #meta: Meta;
  readonly #token: string;
  readonly #timer: NodeJS.Timeout;
  #current: Lease;
  #lost = false;
  #renewing: Promise<void> = Promise.resolve();

  constructor(meta: Meta, token: string, current: Lease, renewed: () => Lease, afterCrash: boolean, leaseMs: number) {
    this.#meta = meta;
    this.#token = token;
    this.#current = current;
    this.afterCrash = afterCrash;
    this.#timer = setInterval(() => {
      this.#renewing = this.#renewing.then(() => this.#renew(renewed()));
    }, leaseMs / 3).unref();
  }

  async #renew(next: Lease): Promise<void> {
    try {
      if (await replace(this.#meta, this.#token, this.#current, next)) this.#current = next;
      else this.#lost = true;
    } catch {
      // the next tick tries again; `check` stops the writer when the lease has expired
    }
  }

  check(): void {
    if (this.#lost || this.#current.until <= Date.now()) {
      throw new IbidError('INDEX_LOCKED', 'the lease of this writer ran out', {
        hint: 'The connection or this process was blocked for too long; run again.',
      });
    }
  }

  async release(unclean = false): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    // after an unclean release the lease expires at once but keeps its token: the next writer then repairs
    const next = unclean ? { ...this.#current, until: 0 } : free;
    // one that cannot be given back runs out; what was written is written
    await replace(this.#meta, this.#token, this.#current, next).catch(() => false);
  }
}
