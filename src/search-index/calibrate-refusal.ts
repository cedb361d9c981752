import { type Asked, calibrateSupport } from '../answer/answerability/calibrate.ts';
import { calibrationVersion } from '../answer/answerability/model.ts';
import type { SupportCalibration } from '../answer/contract.ts';
import type { CallOptions } from '../core/types.ts';
import type { Embedder } from '../embed/contract.ts';
import { collectionStatistics } from '../retrieve/collection-statistics.ts';
import { nearestHits } from '../retrieve/nearest.ts';
import { search } from '../retrieve/search.ts';
import { resolveTuning, type Tuning } from '../retrieve/tuning.ts';
import { type Database, openStore } from '../store/index.ts';
import { PrefetchedSnapshot } from '../store/prefetched-snapshot.ts';
import { sampleTexts } from './export.ts';
import { Session } from './session.ts';

/** Number of passages in which an answer is searched. */
const PASSAGES = 10;
/** Number of chunks whose language is examined. */
const TEXTS = 200;
/** Change of the number of chunks, as a share, that requires a new calibration. */
const RECALIBRATE = 0.2;
/** An index of at most this many chunks is kept in memory, some 10 MB, which halves the time of a question. */
const RESIDENT_CHUNKS = 20_000;

/**
 * Finds the refusal thresholds of an index. Returns undefined when the stored ones were found on about the same number
 * of chunks. Uses its own view, which keeps neither vectors nor rows of a large index in memory: this is the last step
 * of an ingest, and its memory must not grow with the index.
 * @param options `chunks`: their number in the index
 */
export async function calibrateRefusal(
  database: Database,
  { tuning, chunks, ...options }: CallOptions & { readonly tuning: Tuning; readonly chunks: number },
): Promise<(SupportCalibration & { readonly chunks: number }) | undefined> {
  const store = await openStore(database, { residency: chunks <= RESIDENT_CHUNKS ? 'auto' : 'none' });
  // no service and no caller's embedder: hundreds of questions are judged about as well by words alone
  const session = new Session({ database }, {}, store);
  try {
    const { embedder, calibration: calibrated } = await session.view();
    const snapshot = new PrefetchedSnapshot(await store.snapshot());
    const { liveRows } = snapshot;
    const known = calibrated?.version === calibrationVersion ? calibrated.chunks : 0;
    if (liveRows === 0 || Math.abs(liveRows - known) <= RECALIBRATE * known) return undefined;
    const ask = async (question: string, call: CallOptions): Promise<Asked> => {
      const hits = await search(snapshot, embedder, question, { ...tuning, limit: PASSAGES, ...call });
      return { hits: nearestHits(hits), statistics: await collectionStatistics(snapshot.lexical, question, call) };
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
  // zero vectors are not searched
  const known = queries.filter((query) => query.some((component) => component !== 0));
  await snapshot.prefetch(known, resolveTuning(tuning).candidates.dense, options);
}
