import { IbidError } from '../core/errors.ts';
import { Meter } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';
import type { EmbedUsage } from '../embed/service/contract.ts';
import type { PaidEmbedder } from '../embed/service/embedder.ts';
import {
  compareEmbedders,
  type EmbedderComparison,
  isWorse,
  type ReembedQuery,
  type Side,
} from '../quality/compare-embedders.ts';
import { type Database, openStore } from '../store/index.ts';
import { type IndexTarget, UNTRAINED } from './index-target.ts';
import type { EmbedderPace } from './options.ts';
import { EstimatingVectors, paidModelOf, tellingPaid } from './service-vectors.ts';
import type { Sessions } from './sessions.ts';

export type { EmbedderComparison, EmbedderScores, RankingScores, ReembedQuery } from '../quality/compare-embedders.ts';

export interface ReembedOptions extends CallOptions {
  /** `local`, or a model of the search service. */
  readonly to: string | ({ readonly model: string; readonly dimensions?: number | undefined } & EmbedderPace);
  /** The user's own queries. Where none says what should be found, queries made from the documents judge. */
  readonly queries?: readonly ReembedQuery[] | undefined;
  /** How many queries are made from the documents. @default 200 */
  readonly sample?: number | undefined;
  /** Counts and prices, and changes nothing. @default false */
  readonly dryRun?: boolean | undefined;
  /** Called whenever vectors that were paid for have been kept, with what the run has paid so far. */
  readonly onPaid?: ((usage: EmbedUsage) => void) | undefined;
  /** What the run may cost, in USD, queries of the comparison included. */
  readonly budgetUsd?: number | undefined;
  /**
   * `unless-worse` keeps the old vectors where the new ones rank significantly worse (hybrid nDCG@10, paired randomisation test,
   * p < 0.05); `always` and `never` only report. @default 'unless-worse'
   */
  readonly switch?: 'unless-worse' | 'always' | 'never' | undefined;
}

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
  /** Chunks that have their new vectors. */
  | { readonly type: 'embedded'; readonly chunks: number; readonly of: number }
  | { readonly type: 'comparing' }
  | { readonly type: 'compared'; readonly comparison: EmbedderComparison }
  /** The run ends in an error; this is what it has paid for. */
  | { readonly type: 'paid'; readonly embedding: EmbedUsage }
  | { readonly type: 'done'; readonly summary: ReembedSummary };

/** The receipt of a run; `ibid reembed --json` prints it. */
export interface ReembedSummary {
  readonly from: string;
  /** Of a dry run to the local embedder, which has no name before its training: `local`. */
  readonly to: string;
  readonly documents: number;
  readonly chunks: number;
  /** Whether the index has the new vectors now. */
  readonly switched: boolean;
  readonly reason: 'dry-run' | 'not-worse' | 'worse' | 'always' | 'never';
  readonly comparison?: EmbedderComparison;
  readonly costUsd: number;
  /** Absent for the local embedder. */
  readonly embedding?: EmbedUsage;
  readonly elapsedMs: number;
}

const SAMPLE = 200;

/**
 * Gives the index vectors of another embedder: builds them beside the old ones, which readers keep until the switch, compares the two on
 * the same queries, then switches in one step or drops the new ones. Stopped or killed at any moment the index is as it was; what was
 * paid for by then is not paid for again.
 * @param target holds the right to write; closed by the caller
 * @throws IbidError INVALID_ARGUMENT, KEY_MISSING, BUDGET_EXCEEDED, and what the service throws
 */
export async function* reembedIndex(
  database: Database,
  sessions: Sessions,
  target: IndexTarget,
  options: ReembedOptions,
): AsyncGenerator<ReembedEvent, void, undefined> {
  const { to, budgetUsd } = options;
  const meter = new Meter(budgetUsd);
  const paid =
    to === 'local'
      ? undefined
      : sessions.paidEmbedder({ ...(typeof to === 'string' ? { model: to } : to), meter, onAnswered: options.onPaid });
  const from = target.embedderId ?? UNTRAINED;
  if (paid ? paid.id === from : !paidModelOf(from) && from !== UNTRAINED) {
    throw new IbidError('INVALID_ARGUMENT', `the index has the vectors of "${from}" already`, {
      ...(paid
        ? {}
        : { hint: 'It is trained anew by itself when the documents change; `ibid ingest --rebuild` forces it.' }),
    });
  }
  const own = paidModelOf(from);
  let asking: PaidEmbedder | undefined; // the old model's, which is asked the queries of the comparison
  const before = async (): Promise<Side> => {
    const { snapshot, embedder } = await sessions.open();
    if (own && embedder) asking = sessions.paidEmbedder({ ...own, meter });
    return { snapshot, embedder: asking ?? embedder, id: from };
  };
  const run: Run = {
    database,
    target,
    from,
    paid,
    before,
    spent: () => (paid?.usage.costUsd ?? 0) + (asking?.usage.costUsd ?? 0),
  };
  yield* tellingPaid(events(run, options), () => paid?.usage);
}

interface Run {
  readonly database: Database;
  readonly target: IndexTarget;
  readonly from: string;
  /** The service's embedder to change to; undefined for the local one. */
  readonly paid: PaidEmbedder | undefined;
  /** The index as it is. */
  before(): Promise<Side>;
  spent(): number;
}

async function* events(
  { database, target, from, paid, before, spent }: Run,
  options: ReembedOptions,
): AsyncGenerator<ReembedEvent, void, undefined> {
  const startedAt = performance.now();
  const { signal, dryRun = false, queries = [], sample = SAMPLE } = options;
  const policy = options.switch ?? 'unless-worse';
  const counts = { documents: 0, chunks: 0 };
  for (const { chunks } of (await target.manifest()).values()) {
    if (chunks > 0) counts.documents++;
    counts.chunks += chunks;
  }
  if (counts.chunks === 0) {
    throw new IbidError('INVALID_ARGUMENT', 'the index is empty: there is nothing to embed anew', {
      hint: 'Choose the embedder with `ibid ingest <path> --rebuild --embedder <name>`.',
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
  yield { type: 'planned', from, to: paid?.id ?? 'local', ...counts };
  if (dryRun) {
    const estimating = paid && new EstimatingVectors(paid);
    if (estimating) for await (const documents of target.documents({ signal })) await estimating.add(documents);
    yield done({
      to: paid?.id ?? 'local',
      switched: false,
      reason: 'dry-run',
      ...(estimating && { embedding: estimating.usage() }),
    });
    return;
  }
  const { next, embedder } = yield* target.embedBeside(paid, { signal });
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
      await target.switchTo(next, { signal });
      switched = true;
    }
    const reason = policy !== 'unless-worse' ? policy : worse ? 'worse' : 'not-worse';
    if (!switched) await target.giveUp(next);
    yield done({ to: embedder.id, switched, reason, comparison, ...(paid && { embedding: paid.usage }) });
  } finally {
    if (!switched) await target.giveUp(next);
    if (!paid) await embedder.close();
  }
}
