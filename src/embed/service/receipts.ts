import type { EmbedEstimate, EmbedReceipt, ExpectedTime } from './contract.ts';

/** What all runs together have paid for vectors that were kept. Queries are not among them. */
export interface BilledTotals {
  readonly requests: number;
  readonly chunks: number;
  readonly tokens: number;
  readonly costUsd: number;
}

export function totalsOf(receipts: readonly EmbedReceipt[]): BilledTotals {
  const sum = { requests: receipts.length, chunks: 0, tokens: 0, costUsd: 0 };
  for (const { chunks, tokens, costUsd } of receipts) {
    sum.chunks += chunks;
    sum.tokens += tokens;
    sum.costUsd += costUsd;
  }
  return { ...sum, costUsd: Math.round(sum.costUsd * 1e9) / 1e9 };
}

/**
 * How many tokens the service counts where we count one; 1 where nothing is known. Of all its receipts: the tokenizer
 * belongs to the model, and does not change.
 */
export function tokenRatio(receipts: Iterable<Pick<EmbedReceipt, 'tokens' | 'ownTokens'>>): number {
  let theirs = 0;
  let ours = 0;
  for (const { tokens, ownTokens } of receipts) {
    theirs += tokens;
    ours += ownTokens;
  }
  return ours > 0 && theirs > 0 ? theirs / ours : 1;
}

/**
 * A full request is assumed to be answered in this time until a run has measured it. The service's reference names no
 * figure.
 */
const ASSUMED_REQUEST_MS = 4000;
/** A rate is not read off a run shorter than this many requests. */
const LEAST_REQUESTS = 3;

/**
 * How long the estimated requests will take. Measured: `tokens / tokensPerMinute` at the rate of the last run, from its
 * first request to its last answer, pauses of the rate limiter included. Assumed: `⌈requests / concurrency⌉` rounds of
 * four seconds.
 * @param receipts of the model
 */
export function expectTime(
  estimate: Pick<EmbedEstimate, 'requests' | 'tokens'>,
  receipts: readonly EmbedReceipt[],
  concurrency: number,
): ExpectedTime {
  const rate = measuredRate(receipts);
  if (rate !== undefined) {
    return {
      ms: Math.round((estimate.tokens / rate) * 60_000),
      basis: 'measured',
      tokensPerMinute: Math.round(rate),
      concurrency,
    };
  }
  const ms = Math.ceil(estimate.requests / concurrency) * ASSUMED_REQUEST_MS;
  return {
    ms,
    basis: 'assumed',
    tokensPerMinute: ms === 0 ? 0 : Math.round((estimate.tokens / ms) * 60_000),
    concurrency,
  };
}

/** Tokens per minute of the newest run that is long enough to tell. */
function measuredRate(receipts: readonly EmbedReceipt[]): number | undefined {
  const runs = new Map<string, { from: number; to: number; tokens: number; requests: number }>();
  for (const { run, sentAt, elapsedMs, tokens } of receipts) {
    const known = runs.get(run) ?? { from: Infinity, to: -Infinity, tokens: 0, requests: 0 };
    known.from = Math.min(known.from, sentAt);
    known.to = Math.max(known.to, sentAt + elapsedMs);
    known.tokens += tokens;
    known.requests++;
    runs.set(run, known);
  }
  const newest = [...runs.values()]
    .filter(({ requests, from, to }) => requests >= LEAST_REQUESTS && to > from)
    .sort((a, b) => b.to - a.to)[0];
  return newest && (newest.tokens / (newest.to - newest.from)) * 60_000;
}
