import { resolve } from 'node:path';
import { IbidError } from '../core/errors.ts';
import { isFileAt } from '../core/files.ts';
import type { CallOptions } from '../core/types.ts';
import type { IngestEvent, IngestSource, SourceItem } from '../ingest/contract.ts';
import { folderSource } from '../ingest/folder-source.ts';
import { GIVEN_MTIME } from '../ingest/reconcile.ts';
import type { StoredDocument } from '../store/document-sums.ts';
import { type Database, damageOfLayout, mendLayout, shardsOf } from '../store/index.ts';
import { damageOf, Wreck } from '../store/wreck.ts';
import { isLocal, UNTRAINED } from './given-vectors.ts';
import { checkShards } from './health.ts';
import type { WriteOptions } from './options.ts';
import type { IndexParts } from './parts.ts';
import { orElse, storedParts } from './rebuild.ts';
import { ingestEvents } from './writing.ts';

/** A file of the index that is not what was written. */
export interface DamagedFile {
  /** Relative to the index folder. */
  readonly file: string;
  readonly what: string;
}

/** What a repair made anew, kept and lost; money in USD. */
export interface RepairSummary {
  readonly damaged: readonly DamagedFile[];
  /** Documents that were read from their files again. */
  readonly reread: number;
  /** Documents without a file that can be read, taken over from the index as they were. */
  readonly kept: number;
  /** Uris of documents that could be read neither from a file nor from the index. */
  readonly lost: readonly string[];
  /** What stood beside the documents and is gone: vectors of a service, pages of the web. */
  readonly dropped: readonly string[];
  readonly costUsd: number;
  readonly elapsedMs: number;
}

/** What happens in a repair; the last event is `done`. */
export type RepairEvent =
  | { readonly type: 'damaged'; readonly files: readonly DamagedFile[] }
  | Exclude<IngestEvent, { readonly type: 'done' }>
  | { readonly type: 'done'; readonly summary: RepairSummary };

/**
 * Compares every file of the index with its checksum. Where one differs, a next generation is built from the files of
 * all documents, and switched to at the end; documents without a file that can be read are taken over when their own
 * checksum holds.
 */
export async function* repairEvents(
  parts: IndexParts,
  options: WriteOptions,
): AsyncGenerator<RepairEvent, void, undefined> {
  const { database, session } = parts;
  const startedAt = performance.now();
  const ended = (damaged: readonly DamagedFile[]): RepairEvent => {
    const nothing = { reread: 0, kept: 0, lost: [], dropped: [], costUsd: 0 };
    return { type: 'done', summary: { damaged, ...nothing, elapsedMs: performance.now() - startedAt } };
  };
  const broken = damageOfLayout(database);
  if (broken && database.address.kind === 'local') {
    yield { type: 'damaged', files: [broken] };
    const { waitMs } = parts.options;
    if (!options.dryRun) await mendLayout(database.address.directory, { waitMs, signal: options.signal });
    await session.reopen();
    yield ended([broken]);
    return;
  }
  if (shardsOf(database).length > 0) {
    await refuseDamagedShard(database, options);
    yield ended([]);
    return;
  }
  const damage = await damageOf(database);
  options.signal?.throwIfAborted();
  const damaged = damage.map(({ file, what }) => ({ file, what }));
  const summary = { damaged, reread: 0, kept: 0, lost: [] as string[], dropped: [] as string[], costUsd: 0 };
  const done = (): RepairEvent => {
    return { type: 'done', summary: { ...summary, elapsedMs: performance.now() - startedAt } };
  };
  if (damage.length > 0) yield { type: 'damaged', files: damaged };
  const wreck = new Wreck(database, damage);
  await session.reopen();
  if (options.dryRun || !(await wreck.mendNotes())) {
    if (!options.dryRun) summary.dropped.push(...(await wreck.mendKept()));
    yield done();
    return;
  }
  summary.dropped.push(...(await wreck.mendKept()));
  const { embedder } = await wreck.fingerprint();
  const chosen = parts.options.embedder;
  const isThere = chosen !== undefined || isLocal(embedder) || embedder === UNTRAINED || parts.services.areThere;
  if (!isThere) throw parts.services.missing(embedder);
  const source = await repairSource(parts, wreck, summary);
  for await (const event of ingestEvents(parts, source, { ...options, rebuild: true, damaged: true })) {
    if (event.type !== 'done') {
      yield event;
      continue;
    }
    summary.costUsd = event.summary.costUsd;
    summary.reread = event.summary.added - summary.kept;
  }
  yield done();
}

/** @throws IbidError INDEX_DAMAGED, which says what to do with the shard */
async function refuseDamagedShard(database: Database, options: WriteOptions): Promise<void> {
  const damaged = (await checkShards(database, options)).find(({ ok }) => !ok);
  if (!damaged) return;
  const { detail, hint } = damaged;
  throw new IbidError('INDEX_DAMAGED', `${detail}; a shard is not repaired in place`, { hint });
}

async function repairSource(
  { base, reader, recordings }: IndexParts,
  wreck: Wreck,
  summary: { kept: number; readonly lost: string[] },
): Promise<IngestSource> {
  const paths: string[] = [];
  const without = new Set<string>();
  const known = await wreck.known();
  for (const [uri, { mtimeMs }] of known) {
    const path = resolve(base, uri);
    if (mtimeMs !== GIVEN_MTIME && isFileAt(path)) paths.push(path);
    else without.add(uri);
  }
  // transcripts that were made are kept beside the index, and a repair pays for none
  const parts = recordings.partsFor(undefined);
  const files = folderSource({ paths, base, reader: reader(), hidden: true, recordings: parts });
  const kept = async (uri: string, options: CallOptions): Promise<SourceItem | undefined> => {
    for await (const stored of wreck.documents(options)) {
      if (stored.uri !== uri || stored.isSound === false) continue;
      summary.kept++;
      return itemOf(stored);
    }
    if (known.get(uri)?.chunks) summary.lost.push(uri);
    return undefined;
  };
  return {
    covers: () => true,
    async *items(options: CallOptions = {}) {
      for await (const item of files.items(options)) yield orElse(item, () => kept(item.uri, options));
      for await (const stored of wreck.documents(options)) {
        if (stored.isSound === false || !without.delete(stored.uri)) continue;
        summary.kept++;
        yield itemOf(stored);
      }
      summary.lost.push(...[...without].sort());
    },
  };
}

/** A document of the index as something to index. */
function itemOf({ uri, chunks, source }: StoredDocument): SourceItem {
  const { sizeBytes = 0, mtimeMs = 0, contentHash = '', warnings = [] } = source ?? {};
  const { document, ...rest } = storedParts(uri, chunks);
  return {
    ...{ uri, sizeBytes, mtimeMs },
    hash: async () => contentHash,
    load: async () => ({ contentHash, ...rest, document: { ...document, warnings } }),
  };
}
