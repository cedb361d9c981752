import type { CallOptions, Chunk, Document } from '../core/types.ts';
import type { DocumentRecord, Manifest, ManifestEntry, SegmentQueue } from '../store/contract.ts';
import type { BatchLimits } from './batch.ts';
import type { Cutters, IngestEvent, IngestLeftOut, IngestSource, IngestSummary, LoadedItem } from './contract.ts';
import { type Items, itemsOf } from './items.ts';
import { coveredNow, type EarlierPlaces, type MovedFolder, withoutDisk } from './moved.ts';
import { readingOrder } from './reading-order.ts';
import { isFailureOnly, type Plan, reconcile } from './reconcile.ts';
import { IngestRun, type Work } from './run.ts';
import type { Vectors } from './vectors.ts';

/** The operations of an index that ingest needs. Each change is atomic: a reader sees all of it or nothing. */
export interface IngestTarget {
  /** The manifest, which follows the changes made by the methods below. */
  manifest(): Promise<Manifest>;
  replaceDocuments(records: readonly DocumentRecord[]): Promise<void>;
  /** Builds the inverted index of documents in advance; absent where there is no inverted index. */
  readonly segments?: SegmentQueue | undefined;
  removeDocuments(uris: readonly string[]): Promise<void>;
  /** New uris, and so perhaps new titles, for the same content. Vectors are kept. */
  renameDocuments(renames: readonly RenamedDocument[]): Promise<void>;
  /** Writes only manifest lines: failures, and new times of unchanged content. */
  recordEntries(entries: readonly ManifestEntry[]): Promise<void>;
  /**
   * Trains a new model and embeds all documents again, in a shadow generation, when the documents have changed too much
   * for the old model.
   * @returns true when it did
   */
  refreshVectors(options: CallOptions & { readonly onTraining: (chunks: number) => void }): Promise<boolean>;
  /** Compacts, merges and prunes where this helps, and calibrates. */
  finish(options?: CallOptions): Promise<void>;
  /** False after a run that changed something and did not get to the end of `finish`. */
  isFinished(): Promise<boolean>;
}

export interface RenamedDocument {
  readonly from: string;
  readonly to: string;
  readonly mtimeMs: number;
}

export interface IngestOptions extends CallOptions {
  /** Hash every file instead of trusting size and time. @default false */
  readonly verify?: boolean | undefined;
  /** Allow the removal of more than half of the documents in scope. @default false */
  readonly force?: boolean | undefined;
  /** Number of files read at the same time. @default 4 */
  readonly concurrency?: number | undefined;
  /**
   * When to commit gathered documents: at the first bound that is reached. @default 4,096 chunks, 12 Mi characters,
   * 30 s; four times that, and 5 minutes, where embedding is billed, written in parts of 4,096 chunks
   */
  readonly commit?: Partial<BatchLimits> | undefined;
}

export interface IngestServices {
  readonly target: IngestTarget;
  readonly vectors: Vectors;
  chunk(document: Document): readonly Chunk[];
  /** They read and cut as `source` and `chunk` do. Absent: this thread does. The run ends them. */
  readonly cutters?: Cutters | undefined;
  /** What earlier runs have read: a folder of it that has moved keeps its documents. */
  readonly places?: EarlierPlaces | undefined;
  /**
   * What stays of an item that cannot be read now. Absent: what the target has of it. A rebuild begins with an empty
   * target.
   */
  earlier?(uri: string, options: CallOptions): Promise<LoadedItem | undefined>;
  /** Folders that the source itself has found to have moved, known when `items` has ended. */
  moved?(): readonly MovedFolder[];
}

/** Manifest lines per commit when only their times changed. */
const ENTRIES_PER_COMMIT = 2000;

/**
 * Makes the index agree with a source. Yields events while it works; the last one is `done` with the summary. Files
 * that fail are recorded and tried again in the next run, skipped ones when they change. A run that is stopped at any
 * point leaves a consistent index, and the next run completes the work.
 * @throws IbidError DELETE_GUARD before anything is changed; INVALID_ARGUMENT
 */
export async function* ingest(
  source: IngestSource,
  services: IngestServices,
  options: IngestOptions = {},
): AsyncGenerator<IngestEvent, void, undefined> {
  const startedAt = performance.now();
  const { target } = services;
  const { signal } = options;
  const run = new IngestRun(services, options);
  try {
    const planned = yield* runPlan(run, source, services, options);
    const changed = planned.read + planned.removed + planned.renamed > 0;
    const trainings: number[] = [];
    const retrained = await target.refreshVectors({ signal, onTraining: (chunks) => trainings.push(chunks) });
    for (const chunks of trainings) yield { type: 'training', chunks, reason: 'drift' };
    if (changed || retrained || !(await target.isFinished())) {
      yield { type: 'finishing' };
      await target.finish({ signal });
    }
    await services.cutters?.finish?.();
    yield { type: 'done', summary: await summarise(run, planned, services, startedAt) };
  } finally {
    await source.close?.();
  }
}

/** Counts of a plan, kept when the plan and its items are no longer needed. */
interface Planned {
  readonly read: number;
  readonly unchanged: number;
  readonly removed: number;
  /** Those of `removed` that were only failures, never documents. */
  readonly removedFailures: number;
  readonly renamed: number;
  readonly moved: readonly MovedFolder[];
  readonly leftOut: readonly IngestLeftOut[];
}

async function* runPlan(
  run: IngestRun,
  source: IngestSource,
  { target, places: earlier, moved }: IngestServices,
  options: IngestOptions,
): AsyncGenerator<IngestEvent, Planned> {
  const { signal } = options;
  const loading = target.manifest(); // the database reads while the folder is walked
  loading.catch(() => {}); // thrown where it is awaited
  const items = await itemsOf(source.items({ signal }));
  const leftOut = source.leftOut?.() ?? [];
  yield { type: 'scanned', files: items.length, leftOut };
  const covers = coveredNow((uri) => source.covers(uri), earlier);
  const away = earlier ? withoutDisk((uri) => source.covers(uri), earlier) : [];
  for (const failure of [...(source.unopened?.() ?? []), ...away]) {
    run.failed.push(failure);
    yield { type: 'failed', ...failure };
  }
  const manifest = await loading;
  const readsPictures = source.readsPictures?.bind(source);
  const transcribes = source.transcribes?.bind(source);
  const ready = { readsPictures, transcribes };
  const plan = await reconcile(items, manifest, covers, { ...options, ...ready, earlier });
  const work = workOf(items, plan);
  const planned: Planned = {
    read: work.order.length,
    unchanged: plan.unchanged,
    removed: plan.removed.length,
    removedFailures: plan.removed.filter(isFailureOnly).length,
    renamed: plan.renamed.length,
    moved: moved?.() ?? plan.moved,
    leftOut,
  };
  for (const { uri, failure } of plan.skipped) run.skipped.push({ uri, ...failure! }); // skipped files have one
  const { readBytes } = work;
  const { read, unchanged, renamed } = planned;
  const removed = planned.removed - planned.removedFailures;
  yield { type: 'planned', read, readBytes, unchanged, removed, renamed };
  for (const folder of planned.moved) yield { type: 'moved', ...folder };
  yield* applyPlan(plan, items, target, signal);
  yield* run.read(work, manifest, source);
  return planned;
}

function workOf(items: Items, { added, updated }: Plan): Work {
  const numbers = new Uint32Array(added.length + updated.length);
  numbers.set(added);
  numbers.set(updated, added.length);
  const order = readingOrder(
    numbers,
    (number) => items.hashOf(number),
    (number) => items.at(number).uri,
  );
  let readBytes = 0;
  for (const number of order) readBytes += items.at(number).sizeBytes;
  return { items, order, readBytes };
}

async function* applyPlan(
  plan: Plan,
  items: Items,
  target: IngestTarget,
  signal?: AbortSignal,
): AsyncGenerator<IngestEvent> {
  signal?.throwIfAborted();
  const manifest = await target.manifest();
  if (plan.renamed.length > 0) {
    const stale = plan.renamed.filter(({ from }) => manifest.get(from)!.failure);
    await target.renameDocuments(plan.renamed.map(({ from, item }) => ({ from, to: item.uri, mtimeMs: item.mtimeMs })));
    // their content has just been read, and is what the index has
    await target.recordEntries(stale.map(({ item }) => withoutFailure(manifest.get(item.uri)!)));
    for (const { from, item } of plan.renamed) yield { type: 'renamed', from, to: item.uri };
  }
  if (plan.removed.length > 0) {
    await target.removeDocuments(plan.removed.map(({ uri }) => uri));
    for (const { uri } of plan.removed) yield { type: 'removed', uri };
  }
  for (let at = 0; at < plan.touched.length; at += ENTRIES_PER_COMMIT) {
    const some = Array.from(plan.touched.subarray(at, at + ENTRIES_PER_COMMIT), (number) => items.at(number));
    await target.recordEntries(some.map(({ uri, mtimeMs }) => ({ ...manifest.get(uri)!, mtimeMs })));
  }
}

function withoutFailure({ failure: _, ...entry }: ManifestEntry): ManifestEntry {
  return entry;
}

async function summarise(
  run: IngestRun,
  planned: Planned,
  { target, vectors }: IngestServices,
  startedAt: number,
): Promise<IngestSummary> {
  const embedding = vectors.usage?.();
  return {
    ...(await target.manifest()).totals(),
    added: run.added,
    updated: run.updated,
    removed: planned.removed - planned.removedFailures + run.removed,
    renamed: planned.renamed,
    unchanged: planned.unchanged,
    failed: run.failed,
    skipped: run.skipped.sort((a, b) => (a.uri < b.uri ? -1 : 1)),
    leftOut: planned.leftOut,
    ...(planned.moved.length > 0 && { moved: planned.moved }),
    ...(run.emptied.length > 0 && { emptied: run.emptied.sort() }),
    tokens: run.tokens,
    costUsd: embedding?.costUsd ?? 0,
    ...(embedding ? { embedding } : {}),
    elapsedMs: Math.round(performance.now() - startedAt),
  };
}
