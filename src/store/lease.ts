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

export interface LeaseOptions extends LockOptions {
  /**
   * How long a lease lasts when its holder does not renew it; clocks of writers must agree to well within this.
   * @default 60000
   */
  readonly leaseMs?: number | undefined;
}

/** The note of the meta table that says who writes; it has to be there before two can ask for it. */
export const leaseKey = 'writer';
export const free: Lease = { token: '', holder: '', until: 0 };

/**
 * The write lock where there is no file system to lock: a note in the meta table, taken and renewed by
 * compare-and-swap, which the database's optimistic commits make atomic. A lease that ran out belonged to a writer that
 * was killed.
 */
export async function lease(
  meta: Meta,
  { waitMs = 0, leaseMs = 60_000, signal }: LeaseOptions = {},
): Promise<WriteLock> {
  const token = randomUUID();
  const mine = (): Lease => ({ token, holder: `process ${process.pid} on ${hostname()}`, until: Date.now() + leaseMs });
  const deadline = performance.now() + waitMs;
  for (;;) {
    signal?.throwIfAborted();
    const before = (await meta.get(leaseKey)) as Lease; // there from the table's first version on, and only written here
    const held = mine();
    if (before.until <= Date.now() && (await meta.swap(leaseKey, before, held))) {
      return new HeldLease(meta, held, mine, before.token !== '', leaseMs);
    }
    if (before.until > Date.now() && performance.now() >= deadline) {
      throw new IbidError('INDEX_LOCKED', `${before.holder} is writing to this index`, {
        hint: 'Wait until it has finished; the lease of a writer that was killed runs out within a minute.',
      });
    }
    await sleep(50 + Math.random() * 100, undefined, signal ? { signal } : {});
  }
}

class HeldLease implements WriteLock {
  readonly afterCrash: boolean;
  readonly #meta: Meta;
  readonly #timer: NodeJS.Timeout;
  #current: Lease;
  #lost = false;
  #renewing: Promise<void> = Promise.resolve();

  constructor(meta: Meta, current: Lease, renewed: () => Lease, afterCrash: boolean, leaseMs: number) {
    this.#meta = meta;
    this.#current = current;
    this.afterCrash = afterCrash;
    this.#timer = setInterval(() => {
      this.#renewing = this.#renewing.then(() => this.#renew(renewed()));
    }, leaseMs / 3).unref();
  }

  async #renew(next: Lease): Promise<void> {
    try {
      if (await this.#meta.swap(leaseKey, this.#current, next)) this.#current = next;
      else this.#lost = true;
    } catch {
      // tried again at the next tick; `check` stops the writer once the lease has run out
    }
  }

  check(): void {
    if (this.#lost || this.#current.until <= Date.now()) {
      throw new IbidError('INDEX_LOCKED', 'the lease of this writer ran out', {
        hint: 'The connection or this process stood still for too long; run again.',
      });
    }
  }

  async release(unclean = false): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    // an unclean release runs out at once, but keeps its token: the next writer takes it for a killed one's
    await this.#meta.swap(leaseKey, this.#current, unclean ? { ...this.#current, until: 0 } : free);
  }
}
