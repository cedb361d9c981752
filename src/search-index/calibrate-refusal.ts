import { type Asked, calibrateSupport } from '../answer/answerability/calibrate.ts';
import { calibrationVersion } from '../answer/answerability/model.ts';
import type { SupportCalibration } from '../answer/contract.ts';
import type { CallOptions } from '../core/types.ts';
import type { Embedder } from '../embed/contract.ts';
import { collectionStatistics } from '../retrieve/collection-statistics.ts';
import { search } from '../retrieve/search.ts';
import { resolveTuning, type Tuning } from '../retrieve/tuning.ts';
import { type Database, openStore } from '../store/index.ts';
import { PrefetchedSnapshot } from '../store/prefetched-snapshot.ts';
import { sampleTexts } from './export.ts';
import { Session } from './session.ts';

/** Passages an answer is looked for in. */
const PASSAGES = 10;
/** Chunks whose language is looked at. */
const TEXTS = 200;
/** An index is calibrated anew when it has grown or shrunk by more than this share. */
const RECALIBRATE = 0.2;

/**
 * Finds an index's own thresholds for refusing, unless those it has were found on about as many chunks. Works on a view
 * of its own that keeps neither vectors nor rows in memory: an ingest ends with it, and must not need more the larger
 * the index is.
 */
export async function calibrateRefusal(
  database: Database,
  { tuning, ...options }: CallOptions & { readonly tuning: Tuning },
): Promise<(SupportCalibration & { readonly chunks: number }) | undefined> {
  const store = await openStore(database, { residency: 'none' });
  // without an embedder that costs money or is the caller's: words alone judge hundreds of questions about as well
  const session = new Session(database, {}, store);
  try {
    const { embedder, calibration: calibrated } = await session.view();
    const snapshot = new PrefetchedSnapshot(await store.snapshot());
    const { liveRows } = snapshot;
    const known = calibrated?.version === calibrationVersion ? calibrated.chunks : 0;
    if (liveRows === 0 || Math.abs(liveRows - known) <= RECALIBRATE * known) return undefined;
    const ask = async (question: string, call: CallOptions): Promise<Asked> => {
      const hits = await search(snapshot, embedder, question, { ...tuning, limit: PASSAGES, ...call });
      return { hits, statistics: await collectionStatistics(snapshot.lexical, question, call) };
    };
    const calibration = await calibrateSupport(await sampleTexts(snapshot, TEXTS), ask, {
      ...options,
      prefetch: embedder && ((questions) => prefetch(snapshot, embedder, questions, tuning, options)),
    });
    return calibration && { ...calibration, chunks: liveRows };
  } finally {
    await session.close();
  }
}

async function prefetch(
  snapshot: PrefetchedSnapshot,
  embedder: Embedder,
  questions: readonly string[],
  tuning: Tuning,
  options: CallOptions,
): Promise<void> {
  const queries: Int8Array[] = [];
  for (const question of questions) queries.push(await embedder.embedQuery(question, options));
  // the others are not searched for
  const known = queries.filter((query) => query.some((component) => component !== 0));
  await snapshot.prefetch(known, resolveTuning(tuning).candidates.dense, options);
}
