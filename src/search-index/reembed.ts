import { listOf, objectOf, wholeOf, wordOf, wordsOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import { type Budget, Meter } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';
import type { Embedder } from '../embed/contract.ts';
import type { EmbedUsage, KeepingEmbedder } from '../embed/service/contract.ts';
import type { ServiceEmbedder } from '../embed/service/embedder.ts';
import {
  compareEmbedders,
  type EmbedderComparison,
  isWorse,
  type ReembedQuery,
  type Side,
} from '../quality/compare-embedders.ts';
import { type Database, openStore } from '../store/index.ts';
import { type BilledEvent, Billing } from './billing.ts';
import { EstimatingVectors, isLocal, UNTRAINED } from './given-vectors.ts';
import type { IngestSession } from './ingest-session.ts';
import { type EmbedderChoice, isOwnEmbedder } from './options.ts';
import type { ServiceEmbedders } from './service-embedders.ts';
import type { Session } from './session.ts';

export type { EmbedderComparison, EmbedderScores, RankingScores, ReembedQuery } from '../quality/compare-embedders.ts';

export interface ReembedOptions extends CallOptions {
  /** `local`, a model of the search service, or the caller's own embedder. */
  readonly to: EmbedderChoice;
  /** The user's own queries. When none has judgements, the comparison uses queries made from the documents. */
  readonly queries?: readonly ReembedQuery[] | undefined;
  /** Number of queries made from the documents. @default 200 */
  readonly sample?: number | undefined;
  /** Counts and estimates the cost, but changes nothing. @default false */
  readonly dryRun?: boolean | undefined;
  /**
   * Maximum cost of the run, including the queries of the comparison: a number of USD, or a meter that calls share.
   * @default no limit
   */
  readonly budget?: Budget | undefined;
  /**
   * `unless-worse` keeps the old vectors when the new ones rank significantly worse (hybrid nDCG@10, paired
   * randomisation test, p < 0.05). `always` switches and `never` keeps, and both report the comparison.
   * @default 'unless-worse'
   */
  readonly switch?: 'unless-worse' | 'always' | 'never' | undefined;
}

/** What happens while an index gets other vectors; the last event is `done`. */
export type ReembedEvent =
  | {
      readonly type: 'planned';
      readonly from: string;
      readonly to: string;
      readonly documents: number;
      readonly chunks: number;
    }
  /** The local embedder is trained on the documents first. */
  | { readonly type: 'training'; readonly chunks: number }
  /** Chunks that have new vectors. */
  | { readonly type: 'embedded'; readonly chunks: number; readonly of: number }
  | { readonly type: 'comparing' }
  | { readonly type: 'compared'; readonly comparison: EmbedderComparison }
  /** Billed so far in this run; the last one before an error has the cost of the failed run. */
  | BilledEvent
  | { readonly type: 'done'; readonly summary: ReembedSummary };

/** The summary of a run; `ibid reembed --json` prints it. */
export interface ReembedSummary {
  readonly from: string;
  /** Id of the new embedder; `local` for a dry run to the local embedder, which has no id before its training. */
  readonly to: string;
  readonly documents: number;
  readonly chunks: number;
  /** True when the index now has the new vectors. */
  readonly switched: boolean;
  readonly reason: 'dry-run' | 'not-worse' | 'worse' | 'always' | 'never';
  readonly comparison?: EmbedderComparison;
  readonly costUsd: number;
  /** Absent for the local embedder. */
  readonly embedding?: EmbedUsage;
  readonly elapsedMs: number;
}

const SAMPLE = 200;

/** Before anything is locked or paid for: a misspelt `switch` would count as `unless-worse`. */
export function checkReembed({ to, queries, sample = SAMPLE, switch: policy = 'unless-worse' }: ReembedOptions): void {
  if (typeof to !== 'string') objectOf(to, 'to');
  wordOf(policy, 'switch', ['unless-worse', 'always', 'never']);
  wholeOf(sample, 'sample', 0);
  if (queries === undefined) return;
  for (const [i, query] of listOf(queries, 'queries').entries())
    wordsOf(objectOf(query, `queries[${i}]`).text, `queries[${i}].text`);
}

/**
 * Gives the index vectors of another embedder. Builds a shadow generation, compares both on the same queries, and then
 * activates or discards the new one; readers see the old one until then. A run that is stopped or killed leaves the
 * index unchanged, and billed vectors are not billed again.
 * @param writing holds the lock; closed by the caller
 * @throws IbidError INVALID_ARGUMENT, KEY_MISSING, BUDGET_EXCEEDED, and the errors of the service
 */
export async function* reembedIndex(
  database: Database,
  session: Session,
  services: ServiceEmbedders,
  writing: IngestSession,
  options: ReembedOptions,
): AsyncGenerator<ReembedEvent, void, undefined> {
  const { to } = options;
  const meter = Meter.of(options.budget);
  const startedUsd = meter.spentUsd;
  const billing = new Billing();
  const service = isOwnEmbedder(to) || to === 'local' ? undefined : openService(services, to, meter, billing);
  const { onAnswered } = billing;
  const own = isOwnEmbedder(to) ? await services.keep(to, undefined, { meter, onAnswered }, options) : undefined;
  const given = own?.embedder ?? service;
  const keeper = own ? own.keeper : service;
  const from = writing.embedderId ?? UNTRAINED;
  if (given ? given.id === from : from !== UNTRAINED && isLocal(from)) {
    throw new IbidError('INVALID_ARGUMENT', `the index already has the vectors of "${from}"`, {
      hint: given
        ? 'Name another embedder.'
        : 'It is trained again when the documents change enough; an ingest with `rebuild: true` forces that.',
    });
  }
  const before = async (): Promise<Side> => {
    const { snapshot, embedder } = await session.view();
    return { snapshot, embedder: embedder?.withMeter?.(meter) ?? embedder, id: from };
  };
  const run: ReembedRun = { database, writing, from, given, keeper, before, spent: () => meter.spentUsd - startedUsd };
  yield* billing.withUsage(events(run, options), () => keeper?.usage);
}

function openService(
  services: ServiceEmbedders,
  to: Exclude<EmbedderChoice, Embedder>,
  meter: Meter,
  { onAnswered }: Billing,
): ServiceEmbedder {
  return services.open({ ...(typeof to === 'string' ? { model: to } : to), meter, onAnswered });
}

interface ReembedRun {
  readonly database: Database;
  readonly writing: IngestSession;
  readonly from: string;
  /** The new embedder; undefined for the local one. */
  readonly given: Embedder | undefined;
  /** `given`, where it keeps its vectors beside the index. */
  readonly keeper: KeepingEmbedder | undefined;
  /** The current generation, for the comparison. */
  before(): Promise<Side>;
  spent(): number;
}

async function* events(
  { database, writing, from, given, keeper, before, spent }: ReembedRun,
  options: ReembedOptions,
): AsyncGenerator<ReembedEvent, void, undefined> {
  const startedAt = performance.now();
  const { signal, dryRun = false, queries = [], sample = SAMPLE } = options;
  const policy = options.switch ?? 'unless-worse';
  const counts = { documents: 0, chunks: 0 };
  for (const { chunks } of (await writing.manifest()).values()) {
    if (chunks > 0) counts.documents++;
    counts.chunks += chunks;
  }
  if (counts.chunks === 0) {
    throw new IbidError('INVALID_ARGUMENT', 'the index is empty: there is nothing to embed again', {
      hint: 'Open it with the new `embedder`, and ingest with `rebuild: true`.',
    });
  }
  const done = (rest: Omit<ReembedSummary, 'from' | 'costUsd' | 'elapsedMs' | keyof typeof counts>): ReembedEvent => ({
    type: 'done',
    summary: {
      from,
      ...counts,
      costUsd: rest.reason === 'dry-run' ? (rest.embedding?.costUsd ?? 0) : spent(),
      elapsedMs: Math.round(performance.now() - startedAt),
      ...rest,
    },
  });
  yield { type: 'planned', from, to: given?.id ?? 'local', ...counts };
  if (dryRun) {
    const estimating = keeper && new EstimatingVectors(keeper);
    if (estimating) for await (const documents of writing.documents({ signal })) await estimating.add(documents);
    yield done({
      to: given?.id ?? 'local',
      switched: false,
      reason: 'dry-run',
      ...(estimating && { embedding: estimating.usage() }),
    });
    return;
  }
  const { next, embedder } = yield* writing.buildShadow(given, { signal });
  let switched = false;
  try {
    yield { type: 'comparing' };
    const old = await before();
    await using fresh = await openStore(database, { next: true });
    const comparison = await compareEmbedders(
      old,
      { snapshot: await fresh.snapshot(), embedder, id: embedder.id },
      queries,
      sample,
      { signal },
    );
    yield { type: 'compared', comparison };
    const worse = isWorse(comparison);
    if (policy === 'always' || (policy === 'unless-worse' && !worse)) {
      signal?.throwIfAborted();
      await writing.activate(next, { signal });
      switched = true;
    }
    const reason = policy !== 'unless-worse' ? policy : worse ? 'worse' : 'not-worse';
    if (!switched) await writing.discard(next);
    yield done({ to: embedder.id, switched, reason, comparison, ...(keeper && { embedding: keeper.usage }) });
  } finally {
    if (!switched) await writing.discard(next);
    if (!given) await embedder.close?.();
  }
}
