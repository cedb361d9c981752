import type { BucketHint, LimitHints } from './contract.ts';

type Headers = Readonly<Record<string, string>>;

const count = (value: string | undefined): number | undefined => {
  const text = value?.trim();
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
};

function bucket(headers: Headers, name: string): BucketHint | undefined {
  const limit = count(headers[`${name}-limit`]);
  const remaining = count(headers[`${name}-remaining`]);
  return limit === undefined && remaining === undefined ? undefined : { limit, remaining };
}

/**
 * `x-ratelimit-limit`, `-remaining`, `-reset` (seconds since 1970): requests per minute. With nothing left the group
 * waits for the reset, a minute at most.
 */
export function readRequestLimits(headers: Headers, nowMs: number): LimitHints | undefined {
  const requests = bucket(headers, 'x-ratelimit');
  if (requests === undefined) return undefined;
  const reset = count(headers['x-ratelimit-reset']);
  const pauseMs = requests.remaining === 0 && reset !== undefined ? reset * 1000 - nowMs : 0;
  return { requests, pauseMs: pauseMs > 0 ? Math.min(pauseMs, 60_000) : undefined };
}

/**
 * `<prefix>ratelimit-{requests|tokens|input-tokens|output-tokens}-{limit|remaining|reset}`; the common token limit
 * counts as one of input tokens where no separate one is named.
 * @param prefix `x-service-`
 */
export function readTokenLimits(prefix: string): (headers: Headers) => LimitHints | undefined {
  return (headers) => {
    const of = (name: string): BucketHint | undefined => bucket(headers, `${prefix}ratelimit-${name}`);
    const requests = of('requests');
    const inputTokens = of('input-tokens') ?? of('tokens');
    const outputTokens = of('output-tokens');
    return (requests ?? inputTokens ?? outputTokens) ? { requests, inputTokens, outputTokens } : undefined;
  };
}

/** `maximum-concurrent-requests`. */
export function readConcurrencyLimits(headers: Headers): LimitHints | undefined {
  const concurrency = count(headers['maximum-concurrent-requests']);
  return concurrency === undefined ? undefined : { concurrency };
}
