import type { Dialect } from '../contract.ts';
import type { ModelSpec } from './catalogue.ts';
import type { StandIn } from './model.ts';

export interface RateLimits {
  readonly requestsPerMinute?: number;
  readonly inputTokensPerMinute?: number;
  readonly outputTokensPerMinute?: number;
}

/** What becomes of one request of a batch; undefined = it is carried out. */
export type BatchOutcome = 'expired' | 'canceled' | { readonly type: string; readonly message: string };

export interface MessagesOptions {
  /** @default 'reference' */
  readonly dialect?: Dialect;
  /** In front of `version`, `beta`, `ratelimit-…`. @default 'x-service-', in the public dialect 'anthropic-' */
  readonly headerPrefix?: string;
  /** @default 'test-key' */
  readonly apiKey?: string;
  /** Key of the administration operations. @default 'test-admin-key' */
  readonly adminKey?: string;
  /**
   * Answers when no scripted reply is queued. @default an echo; the plainest value of the schema for structured answers
   */
  readonly model?: StandIn;
  /** @default those of the reference, in the public dialect under their live names */
  readonly models?: readonly ModelSpec[];
  /** Whether a last assistant turn is continued on every model. @default true in the reference dialect */
  readonly allowPrefill?: boolean;
  /** Whether `max_tokens: 0` warms the cache. @default true in the public dialect */
  readonly zeroMaxTokens?: boolean;
  /**
   * Whether files need the beta header, in file calls and where a message uses one. @default true in the reference
   * dialect
   */
  readonly filesBeta?: boolean;
  /**
   * Listing of files by `after_id` (`ids`) or by `page`. @default ids in the reference dialect, page in the public one
   */
  readonly filesPaging?: 'ids' | 'page';
  /** Enforced with buckets that refill continuously, and told in headers. @default none */
  readonly limits?: RateLimits;
  /** ms; @default Date.now */
  readonly now?: () => number;
  /** Sends `signature_delta` as an event of its own. @default false */
  readonly signatureEvents?: boolean;
  /** Before the head of an answer, and between the events of a stream, in ms. @default 0 */
  readonly thinkMs?: number;
  readonly eventMs?: number;
  readonly batches?: {
    /** How often a batch is asked for before it has ended. @default 2 */
    readonly pollsUntilEnd?: number;
    /** Seed of the order of result lines. @default 1 */
    readonly seed?: number;
    readonly outcome?: (customId: string) => BatchOutcome | undefined;
  };
}

export type ResolvedOptions = Required<Omit<MessagesOptions, 'limits' | 'batches' | 'model'>> & {
  readonly limits: RateLimits | undefined;
  readonly batches: {
    readonly pollsUntilEnd: number;
    readonly seed: number;
    readonly outcome: (customId: string) => BatchOutcome | undefined;
  };
};
