import { stat } from 'node:fs/promises';
import { filesBelow } from '../core/files.ts';
import type { CallOptions, ReadWarning } from '../core/types.ts';
import { ownEmbedderOf } from '../embed/own.ts';
import { isFailureOnly, isSkipped } from '../ingest/reconcile.ts';
import { shardsReport } from '../passages/find.ts';
import type { MissingShard, Snapshot } from '../store/contract.ts';
import { type Database, type Store, shardsOf } from '../store/index.ts';
import type { WebSnapshots } from '../web/snapshots.ts';
import { listDocuments } from './documents.ts';
import { UNTRAINED } from './given-vectors.ts';
import { isOfOtherAnalysis } from './made-by.ts';
import type { IndexParts } from './parts.ts';
import type { IndexStatus } from './status.ts';

async function summariseIndex(
  address: string,
  store: Store,
  database: Database,
  { signal }: CallOptions,
): Promise<IndexStatus> {
  const fingerprint = await store.fingerprint();
  signal?.throwIfAborted();
  const formats: Record<string, number> = {};
  const failed: { uri: string; code: string; message: string; stale: boolean }[] = [];
  const skipped: { uri: string; code: string; message: string }[] = [];
  const warnings: ({ uri: string } & ReadWarning)[] = [];
  let documents = 0;
  let chunks = 0;
  const missing: MissingShard[] = [];
  const manifest = await store.manifest({ verified: true, onMissing: (shard) => missing.push(shard) });
  const { length: count } = shardsOf(database);
  signal?.throwIfAborted();
  for (const entry of manifest.values()) {
    const { uri, failure } = entry;
    for (const warning of entry.warnings ?? []) warnings.push({ uri, ...warning });
    if (isSkipped(entry))
      skipped.push({ uri, ...failure! }); // skipped files have one
    else if (failure) failed.push({ uri, ...failure, stale: entry.chunks > 0 });
    if (isFailureOnly(entry)) continue;
    documents++;
    chunks += entry.chunks;
    const format = entry.format ?? 'unknown';
    formats[format] = (formats[format] ?? 0) + 1;
  }
  const byUri = (a: { uri: string }, b: { uri: string }): number => (a.uri < b.uri ? -1 : a.uri > b.uri ? 1 : 0);
  failed.sort(byUri);
  skipped.sort(byUri);
  warnings.sort(byUri);
  const folder = store.address.kind === 'local' ? store.address.directory : undefined;
  return {
    address,
    documents,
    chunks,
    formats,
    ...(fingerprint.embedder === UNTRAINED
      ? {}
      : { embedder: ownEmbedderOf(fingerprint.embedder) ?? fingerprint.embedder }),
    dimensions: fingerprint.dimensions,
    ...(isOfOtherAnalysis(fingerprint)
      ? { rebuild: 'the words of the index were told apart by another version of ibid' }
      : {}),
    ...(count > 0 && { shards: shardsReport({ count, missing }) }),
    ...(folder === undefined ? {} : { bytesOnDisk: await sizeOf(folder, signal) }),
    failed,
    skipped,
    warnings,
  };
}

/** With what was billed, and what is stored beside the index. */
export async function summariseAll(
  address: string,
  { database, session, services, recordings }: Pick<IndexParts, 'database' | 'session' | 'services' | 'recordings'>,
  pages: WebSnapshots,
  options: CallOptions,
): Promise<IndexStatus> {
  const status = await summariseIndex(address, await session.store(), database, options);
  const billed = await services.totals();
  const keptVectors = await services.kept();
  const int8Recall = status.embedder === undefined ? undefined : await services.int8Recall(status.embedder);
  const webPages = await pages.kept();
  const transcribed = await recordings.totals();
  return {
    ...status,
    ...(transcribed && { transcribed }),
    ...(int8Recall && { int8Recall }),
    ...(billed && { paid: billed }),
    ...(keptVectors && { keptVectors }),
    ...(webPages && { webPages }),
  };
}

/** Of a part of an index: what its documents say. Who may read a file that could not be read is not known. */
export async function summarisePart(address: string, snapshot: Snapshot, options: CallOptions): Promise<IndexStatus> {
  const formats: Record<string, number> = {};
  let documents = 0;
  for await (const { format } of listDocuments(snapshot, undefined, options)) {
    documents++;
    formats[format] = (formats[format] ?? 0) + 1;
  }
  const { liveRows: chunks, dimensions, shards } = snapshot;
  return {
    ...{ address, documents, chunks, formats, dimensions, failed: [], skipped: [], warnings: [] },
    ...(shards && { shards: shardsReport(shards) }),
  };
}

async function sizeOf(folder: string, signal: AbortSignal | undefined): Promise<number> {
  let bytes = 0;
  for await (const path of filesBelow(folder)) {
    signal?.throwIfAborted();
    bytes += (await stat(path).catch(() => undefined))?.size ?? 0; // may be pruned during the count
  }
  return bytes;
}
