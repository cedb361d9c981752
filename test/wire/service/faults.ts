import type { RecordedRequest, SseEvent } from './contract.ts';
import { seededRandom } from './random.ts';

/** The forms of a hint when to come back. */
export type RetryAfter =
  | { readonly seconds: number }
  /** An HTTP date this many ms from now. */
  | { readonly dateInMs: number }
  /** Header `retry-after-ms`. */
  | { readonly ms: number }
  /** Sent as it is, for damaged values. */
  | { readonly raw: string };

/** Where in an answer something happens: after so many bytes of the body, or so many events of a stream. */
export interface Place {
  readonly afterBytes?: number | undefined;
  readonly afterEvents?: number | undefined;
}

/**
 * What can go wrong. The first five replace the answer, so the operation is *not carried out* and nothing is billed
 * (unless
 * `billed` says so); the others carry it out and spoil what is sent.
 */
export type Fault =
  /** An error status. Without `body`, the service's own error body for the status. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body?: unknown;
      readonly message?: string;
      readonly retryAfter?: RetryAfter;
      readonly headers?: Readonly<Record<string, string>>;
      readonly billed?: boolean;
    }
  /** A page of a proxy, `text/html`. */
  | { readonly kind: 'html'; readonly status: number; readonly billed?: boolean }
  /** A status and no body, content type left out. */
  | { readonly kind: 'empty'; readonly status: number; readonly billed?: boolean }
  | { readonly kind: 'redirect'; readonly to: string; readonly status?: 301 | 302 | 303 | 307 | 308 }
  /** TCP reset after the request was read and (unless `billed` is false) carried out; no byte of an answer. */
  | { readonly kind: 'reset'; readonly billed?: boolean }
  /** Nothing for so long, then the answer as it is. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Headers added to the answer (null removes one). */
  | { readonly kind: 'headers'; readonly headers: Readonly<Record<string, string | null>> }
  /**
   * A JSON answer rewritten: wrong counts, missing or doubled indices, dropped fields. Gets and returns the parsed
   * body.
   */
  | { readonly kind: 'json'; readonly edit: (body: unknown) => unknown }
  /** A stream's events rewritten as a whole. */
  | { readonly kind: 'events'; readonly edit: (events: SseEvent[]) => readonly SseEvent[] }
  /** All events of this name left out (or the nth, from 0): a stream without `message_stop`. */
  | { readonly kind: 'drop'; readonly event: string; readonly nth?: number }
  /** Events of this name sent twice (or the nth, from 0). */
  | { readonly kind: 'duplicate'; readonly event: string; readonly nth?: number }
  /** This event inside the stream; `then` end (default) ends it there, continue goes on. */
  | {
      readonly kind: 'inject';
      readonly event: SseEvent;
      readonly afterEvents: number;
      readonly then?: 'end' | 'continue';
    }
  /** Comments, blank lines, pings, unknown events and unknown fields between all events. */
  | { readonly kind: 'noise'; readonly pings?: boolean; readonly unknown?: boolean }
  | { readonly kind: 'lineEnds'; readonly ends: 'crlf' | 'cr' | 'lf' }
  /** Data lines of an event split at spaces inside JSON (`data:` more than once per event). */
  | { readonly kind: 'manyDataLines' }
  /** The stream or body ends cleanly at this place. */
  | ({ readonly kind: 'end' } & Place)
  /**
   * The connection is destroyed at this place (no end of the chunked body, or fewer bytes than content-length said).
   */
  | ({ readonly kind: 'cut' } & Place)
  /** Silence from this place on, for `ms` or until the client goes away. */
  | ({ readonly kind: 'stall'; readonly ms?: number } & Place)
  /** Body written in pieces of this many bytes, or of random sizes 1…max by `seed`; each its own write. */
  | { readonly kind: 'split'; readonly bytes: number }
  | { readonly kind: 'splitRandomly'; readonly max?: number; readonly seed?: number }
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number }
  /** `content-encoding`; `damaged` flips a byte in the middle. */
  | { readonly kind: 'encode'; readonly encoding: 'gzip' | 'br' | 'deflate'; readonly damaged?: boolean }
  /** Only for WebSockets: closed with a code after so many messages were sent by the service. */
  | { readonly kind: 'closeSocket'; readonly afterMessages: number; readonly code: number; readonly reason?: string }
  /** Only for WebSockets: TCP destroyed after so many messages were sent. */
  | { readonly kind: 'dropSocket'; readonly afterMessages: number };

export type FaultKind = Fault['kind'];

export type Match =
  | ((request: RecordedRequest) => boolean)
  | { readonly method?: string; readonly path?: string | RegExp; readonly body?: (body: unknown) => boolean };

/**
 * One line of the script. The first rule that matches, is not used up and fires decides; a request meets at most one
 * rule.
 */
export interface Rule {
  /** A string `path` must be equal to the request's. @default every request */
  readonly match?: Match | undefined;
  /** Several faults of one answer go together. */
  readonly fault: Fault | readonly Fault[];
  /** How many requests it spoils. @default 1, or Infinity with `probability` or `every` */
  readonly times?: number | undefined;
  /** Fires with this probability per matching request, from a generator seeded with `seed`. */
  readonly probability?: number | undefined;
  /** @default 1 */
  readonly seed?: number | undefined;
  /** Fires on every nth matching request: 3 spoils the third, sixth … */
  readonly every?: number | undefined;
  /** Lets so many matching requests pass first. */
  readonly skip?: number | undefined;
}

/** Rules in force, each with what is left of it. */
export class Script {
  readonly #rules: { rule: Rule; left: number; seen: number; random: () => number }[] = [];

  push(...rules: Rule[]): void {
    for (const rule of rules) {
      const repeats = rule.probability !== undefined || rule.every !== undefined;
      this.#rules.push({
        rule,
        left: rule.times ?? (repeats ? Number.POSITIVE_INFINITY : 1),
        seen: 0,
        random: seededRandom(rule.seed ?? 1),
      });
    }
  }

  clear(): void {
    this.#rules.length = 0;
  }

  /** Rules that have not spoiled as many requests as they were to; those without an end do not count. */
  get unused(): number {
    return this.#rules.filter((entry) => entry.left > 0 && Number.isFinite(entry.left)).length;
  }

  next(request: RecordedRequest): readonly Fault[] {
    for (const entry of this.#rules) {
      const { rule } = entry;
      if (entry.left <= 0 || !matches(rule.match, request)) continue;
      entry.seen += 1;
      if (entry.seen <= (rule.skip ?? 0)) continue;
      if (rule.every !== undefined && (entry.seen - (rule.skip ?? 0)) % rule.every !== 0) continue;
      if (rule.probability !== undefined && entry.random() >= rule.probability) continue;
      entry.left -= 1;
      // Array.isArray does not narrow readonly arrays away from the union.
      return Array.isArray(rule.fault) ? rule.fault : [rule.fault as Fault];
    }
    return [];
  }
}

function matches(match: Match | undefined, request: RecordedRequest): boolean {
  if (match === undefined) return true;
  if (typeof match === 'function') return match(request);
  if (match.method !== undefined && match.method !== request.method) return false;
  if (typeof match.path === 'string' && match.path !== request.path) return false;
  if (match.path instanceof RegExp && !match.path.test(request.path)) return false;
  return match.body === undefined || match.body(request.body);
}

/** The one fault of a kind among those that apply. */
export function find<K extends FaultKind>(faults: readonly Fault[], kind: K): Extract<Fault, { kind: K }> | undefined {
  // The predicate is on `kind`, which the union is told apart by.
  return faults.find((fault) => fault.kind === kind) as Extract<Fault, { kind: K }> | undefined;
}
