import type { BucketHint } from './contract.ts';
import type { Runtime } from './runtime.ts';

const MINUTE_MS = 60_000;

/**
 * A bucket that holds one minute's worth, or a burst of less, and refills all the time, as the services count. Its
 * level may fall below zero when a call used more than was set aside; what is owed is waited for.
 */
export class Bucket {
  readonly #runtime: Runtime;
  #said: number | undefined;
  #default: number | undefined;
  #learned: number | undefined;
  #burst: number | undefined;
  #level = 0;
  #at = 0;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** Per minute; infinite while nobody has named a limit. */
  get limit(): number {
    return this.#said ?? this.#learned ?? this.#default ?? Number.POSITIVE_INFINITY;
  }

  /** What a full bucket holds. */
  get #capacity(): number {
    return Math.min(this.limit, this.#burst ?? Number.POSITIVE_INFINITY);
  }

  configure(said: number | undefined, byDefault: number | undefined, burst?: number): void {
    this.#change(() => {
      this.#said = said;
      this.#default = byDefault;
      this.#burst = burst;
    });
  }

  learn(hint: BucketHint | undefined): void {
    if (hint === undefined) return;
    const { limit, remaining } = hint;
    if (limit !== undefined && limit > 0) {
      this.#change(() => {
        this.#learned = limit;
      });
    }
    if (remaining !== undefined && this.limit !== Number.POSITIVE_INFINITY) {
      // Others may use the same key: believe the service when it has less than we think, not when it has more (calls
      // under way).
      this.#refill();
      this.#level = Math.min(this.#level, remaining);
    }
  }

  /**
   * How long until `amount` may be taken. More than it holds may be taken from a full bucket: it would never
   * fit otherwise.
   */
  waitMs(amount: number): number {
    const { limit } = this;
    if (limit === Number.POSITIVE_INFINITY) return 0;
    this.#refill();
    const missing = Math.min(amount, this.#capacity) - this.#level;
    return missing <= 1e-9 ? 0 : (missing / limit) * MINUTE_MS;
  }

  /** Takes, or gives back when negative. */
  take(amount: number): void {
    if (this.limit === Number.POSITIVE_INFINITY) return;
    this.#refill();
    this.#level = Math.min(this.#capacity, this.#level - amount);
  }

  /** A changed limit keeps what was used: the level moves by the difference. A first one starts full. */
  #change(set: () => void): void {
    const wasKnown = this.limit !== Number.POSITIVE_INFINITY;
    const before = this.#capacity;
    this.#refill();
    set();
    const after = this.#capacity;
    if (this.limit === Number.POSITIVE_INFINITY || (wasKnown && after === before)) return;
    this.#level = wasKnown ? Math.min(after, this.#level + after - before) : after;
    this.#at = this.#runtime.now();
  }

  #refill(): void {
    const now = this.#runtime.now();
    const { limit } = this;
    if (limit !== Number.POSITIVE_INFINITY) {
      this.#level = Math.min(this.#capacity, this.#level + (limit * Math.max(0, now - this.#at)) / MINUTE_MS);
    }
    this.#at = now;
  }
}
