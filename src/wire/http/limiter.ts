import { definedOnly } from '../../core/records.ts';
import { Bucket } from './bucket.ts';
import type { GroupLimits, LimitHints, LimitOptions, ServiceName } from './contract.ts';
import { type Runtime, systemRuntime } from './runtime.ts';

export interface Estimate {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

/**
 * Leave to send one request. Give it back with `release` when the answer has ended; both calls are harmless when
 * repeated.
 */
export interface Lease {
  /** Corrects the estimate by what was used: the difference goes back into the buckets, or is owed to them. */
  settle(actual: Estimate): void;
  /** Whether someone is reading the answer. Unread for longer than `UNREAD_MS`, its place is lent to the next call. */
  reading(on: boolean): void;
  release(): void;
}

interface Held {
  /** When its reader last went away; Infinity while it reads, and for answers that are read at once. */
  unreadSince: number;
}

interface Waiter {
  readonly estimate: Estimate;
  readonly sent: number;
  readonly start: () => void;
}

/** How long a lesson in crowding weighs, per place. */
const RECOVERY_MS = 30_000;

/**
 * How long a stream that nobody reads keeps its place. Who opens more streams than may run before reading the first
 * would wait for ever otherwise; the service may still refuse the one too many, and then says so.
 */
const UNREAD_MS = 5_000;

/**
 * One group of calls of one key: how many at once, and buckets for requests and tokens per minute. First come, first
 * served, of those that were sent equally often: a large call at the head is waited for, not overtaken.
 */
export class GroupLimiter {
  readonly #runtime: Runtime;
  readonly #requests: Bucket;
  readonly #input: Bucket;
  readonly #output: Bucket;
  #said: GroupLimits = {};
  #defaults: GroupLimits = {};
  #learnedConcurrency: number | undefined;
  #crowded: { readonly to: number; readonly at: number } | undefined;
  readonly #held = new Set<Held>();
  #waiting: Waiter[] = [];
  #pausedUntil = 0;
  #cancelWake: (() => void) | undefined;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
    this.#requests = new Bucket(runtime);
    this.#input = new Bucket(runtime);
    this.#output = new Bucket(runtime);
  }

  /** What the caller sets goes before what is learned, and that before the service's defaults. */
  configure(said: GroupLimits, defaults: GroupLimits): void {
    this.#said = { ...this.#said, ...definedOnly(said) };
    this.#defaults = { ...this.#defaults, ...definedOnly(defaults) };
    this.#requests.configure(
      this.#said.requestsPerMinute,
      this.#defaults.requestsPerMinute,
      this.#said.burst ?? this.#defaults.burst,
    );
    this.#input.configure(this.#said.inputTokensPerMinute, this.#defaults.inputTokensPerMinute);
    this.#output.configure(this.#said.outputTokensPerMinute, this.#defaults.outputTokensPerMinute);
    this.#serve();
  }

  learn(hints: LimitHints): void {
    this.#requests.learn(hints.requests);
    this.#input.learn(hints.inputTokens);
    this.#output.learn(hints.outputTokens);
    if (hints.concurrency !== undefined && hints.concurrency >= 1) this.#learnedConcurrency = hints.concurrency;
    if (hints.pauseMs !== undefined) this.pause(hints.pauseMs);
    this.#serve();
  }

  /** Nothing more starts for `ms`; pauses do not add up, the later end counts. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#runtime.now() + ms);
  }

  /** Milliseconds until the pause ends; 0 when there is none. */
  get pausedMs(): number {
    return Math.max(0, this.#pausedUntil - this.#runtime.now());
  }

  /**
   * The service said that too many calls were under way: one fewer than were, and one more every half minute from then
   * on.
   */
  shrink(): void {
    this.#crowded = { to: Math.max(1, Math.min(this.concurrency, this.running) - 1), at: this.#runtime.now() };
  }

  /**
   * The service refused a call because there were too many in a time: half as many at once as were, and one more every
   * half minute from then on. Calls that were sent before the last such lesson teach nothing new.
   */
  halve(sentAt: number): void {
    if (this.#crowded !== undefined && sentAt <= this.#crowded.at) return;
    const to = Math.floor(Math.min(this.concurrency, this.running) / 2);
    this.#crowded = { to: Math.max(1, to), at: this.#runtime.now() };
  }

  get concurrency(): number {
    const named = this.#said.concurrency ?? this.#learnedConcurrency ?? this.#defaults.concurrency;
    const limit = named ?? Number.POSITIVE_INFINITY;
    if (this.#crowded === undefined) return limit;
    const { to, at } = this.#crowded;
    return Math.min(limit, to + Math.floor((this.#runtime.now() - at) / RECOVERY_MS));
  }

  /** Calls under way, without those whose answer lies unread. */
  get running(): number {
    let unread = 0;
    const before = this.#runtime.now() - UNREAD_MS;
    for (const { unreadSince } of this.#held) if (unreadSince <= before) unread++;
    return this.#held.size - unread;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Resolves when a call with this estimate may be sent; an abort rejects with the signal's reason and gives the place
   * up.
   * @param sent how often it was sent before; it goes before those that were sent less often: else one may be refused
   *   until it gives up
   */
  acquire(estimate: Estimate, signal: AbortSignal, sent: number = 0): Promise<Lease> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const onAbort = (): void => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
        this.#serve();
        reject(signal.reason);
      };
      const waiter: Waiter = {
        estimate,
        sent,
        start: () => {
          signal.removeEventListener('abort', onAbort);
          resolve(this.#lease(estimate));
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const behind = this.#waiting.findIndex((other) => other.sent < sent);
      this.#waiting.splice(behind < 0 ? this.#waiting.length : behind, 0, waiter);
      this.#serve();
    });
  }

  /** Starts waiters from the head as long as the head may start, then sets a timer for when it next might. */
  #serve(): void {
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    for (;;) {
      const head = this.#waiting[0];
      if (head === undefined) return;
      if (this.#held.size >= this.concurrency && this.running >= this.concurrency) {
        this.#lookLater(); // a release serves again, and so does a stream that stays unread
        return;
      }
      const waitMs = Math.max(
        this.pausedMs,
        this.#requests.waitMs(1),
        this.#input.waitMs(head.estimate.inputTokens ?? 0),
        this.#output.waitMs(head.estimate.outputTokens ?? 0),
      );
      if (waitMs > 0) {
        this.#cancelWake = this.#runtime.after(Math.ceil(waitMs), () => this.#serve());
        return;
      }
      this.#waiting.shift();
      this.#requests.take(1);
      this.#input.take(head.estimate.inputTokens ?? 0);
      this.#output.take(head.estimate.outputTokens ?? 0);
      head.start();
    }
  }

  /** Sets a timer for when the next unread answer has lain long enough; none while all are read. */
  #lookLater(): void {
    if (this.#cancelWake !== undefined) return;
    const now = this.#runtime.now();
    let waitMs = Number.POSITIVE_INFINITY;
    for (const { unreadSince } of this.#held) {
      const left = unreadSince + UNREAD_MS - now;
      if (left > 0) waitMs = Math.min(waitMs, left);
    }
    if (waitMs === Number.POSITIVE_INFINITY) return;
    this.#cancelWake = this.#runtime.after(waitMs, () => this.#serve());
  }

  #lease(estimate: Estimate): Lease {
    let taken = { input: estimate.inputTokens ?? 0, output: estimate.outputTokens ?? 0 };
    const held: Held = { unreadSince: Number.POSITIVE_INFINITY };
    this.#held.add(held);
    return {
      settle: (actual) => {
        const used = { input: actual.inputTokens ?? taken.input, output: actual.outputTokens ?? taken.output };
        this.#input.take(used.input - taken.input);
        this.#output.take(used.output - taken.output);
        taken = used;
        this.#serve();
      },
      reading: (on) => {
        held.unreadSince = on ? Number.POSITIVE_INFINITY : this.#runtime.now();
        if (!on && this.#waiting.length > 0) this.#lookLater();
      },
      release: () => {
        if (this.#held.delete(held)) this.#serve();
      },
    };
  }
}

/** The limiter of one key at one service: its groups, and how many transports use it. */
export class KeyLimiter {
  readonly #runtime: Runtime;
  readonly #groups = new Map<string, GroupLimiter>();

  constructor(runtime: Runtime = systemRuntime) {
    this.#runtime = runtime;
  }

  group(name: string, said: LimitOptions = {}, defaults: LimitOptions = {}): GroupLimiter {
    let group = this.#groups.get(name);
    if (group === undefined) {
      group = new GroupLimiter(this.#runtime);
      this.#groups.set(name, group);
    }
    if (said[name] !== undefined || defaults[name] !== undefined)
      group.configure(said[name] ?? {}, defaults[name] ?? {});
    return group;
  }
}

/**
 * The limiters of this process, one per service, address and key: a limit belongs to the key, however many clients
 * share it. Counted, so that a program with many keys does not keep them all.
 */
const shared = new Map<string, { readonly limiter: KeyLimiter; users: number }>();

/** @returns the limiter, and what to call when it is no longer needed */
export function shareLimiter(
  service: ServiceName,
  origin: string,
  fingerprint: string,
): { limiter: KeyLimiter; done: () => void } {
  const id = `${service} ${origin} ${fingerprint}`;
  const entry = shared.get(id) ?? { limiter: new KeyLimiter(), users: 0 };
  shared.set(id, entry);
  entry.users++;
  let given = false;
  return {
    limiter: entry.limiter,
    done: () => {
      if (given) return;
      given = true;
      if (--entry.users === 0) shared.delete(id);
    },
  };
}
