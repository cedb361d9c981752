import type { EmbedEstimate, EmbedReceipt, ExpectedTime } from './contract.ts';

/** Billed totals of all runs for stored vectors, without queries. */
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
 * Ratio of the service's token count to ours; 1 when unknown. Uses all receipts of the model, because the tokenizer of
 * a model does not change.
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

/** Assumed time of a full request until a run has measured it, in ms. The service's reference has no figure. */
const ASSUMED_REQUEST_MS = 4000;
/** Least number of requests of a run that measures a rate. */
const LEAST_REQUESTS = 3;

/**
 * Expected time of the estimated requests. Measured: `tokens / tokensPerMinute` at the rate of the last run, from its
 * first request to its last answer, including pauses of the rate limiter. Assumed: `⌈requests / concurrency⌉` rounds of
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

/** Tokens per minute of the newest run with enough requests. */
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
