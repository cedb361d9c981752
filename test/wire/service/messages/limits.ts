import { Refusal } from '../contract.ts';
import { errorReply } from './errors.ts';
import type { RateLimits } from './options.ts';

const kinds = [
  ['requestsPerMinute', 'requests'],
  ['inputTokensPerMinute', 'input-tokens'],
  ['outputTokensPerMinute', 'output-tokens'],
] as const;

/** Buckets per minute that refill continuously: requests, input tokens (cache reads do not count), output tokens. */
export class Buckets {
  readonly #limits: RateLimits;
  readonly #now: () => number;
  readonly #left = new Map<string, { value: number; atMs: number }>();

  constructor(limits: RateLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  #bucket(name: string, limit: number): { value: number; atMs: number } {
    const now = this.#now();
    const bucket = this.#left.get(name) ?? { value: limit, atMs: now };
    bucket.value = Math.min(limit, bucket.value + ((now - bucket.atMs) / 60_000) * limit);
    bucket.atMs = now;
    this.#left.set(name, bucket);
    return bucket;
  }

  /**
   * Takes one request and its input, or refuses with 429 and the seconds until it would fit. Output only has to be
   * above zero.
   */
  take(inputTokens: number): void {
    const need = { requestsPerMinute: 1, inputTokensPerMinute: inputTokens, outputTokensPerMinute: 0 };
    let waitMs = 0;
    for (const [key, name] of kinds) {
      const limit = this.#limits[key];
      if (limit === undefined) continue;
      const missing = Math.min(need[key], limit) - this.#bucket(name, limit).value;
      if (missing > 0) waitMs = Math.max(waitMs, (missing / limit) * 60_000);
    }
    if (waitMs > 0) {
      const reply = errorReply(429, 'This request would exceed your rate limit');
      throw new Refusal({ ...reply, headers: { ...reply.headers, 'retry-after': String(Math.ceil(waitMs / 1000)) } });
    }
    for (const [key, name] of kinds) {
      const limit = this.#limits[key];
      if (limit !== undefined) this.#bucket(name, limit).value -= need[key];
    }
  }

  spendOutput(tokens: number): void {
    const limit = this.#limits.outputTokensPerMinute;
    if (limit !== undefined) this.#bucket('output-tokens', limit).value -= tokens;
  }

  headers(prefix: string): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const [key, name] of kinds) {
      const limit = this.#limits[key];
      if (limit === undefined) continue;
      const { value } = this.#bucket(name, limit);
      const remaining = Math.max(0, name === 'requests' ? Math.floor(value) : Math.round(value / 1000) * 1000);
      headers[`${prefix}ratelimit-${name}-limit`] = String(limit);
      headers[`${prefix}ratelimit-${name}-remaining`] = String(remaining);
      headers[`${prefix}ratelimit-${name}-reset`] = new Date(this.#now() + ((limit - value) / limit) * 60_000)
        .toISOString()
        .replace(/\.\d+Z$/, 'Z');
    }
    return headers;
  }
}
