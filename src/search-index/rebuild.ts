import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CallOptions, StoredChunk } from '../core/types.ts';
import type { IngestSource, LoadedItem, SourceItem } from '../ingest/contract.ts';
import { folderSource } from '../ingest/folder-source.ts';
import { checkGuard, GIVEN_MTIME } from '../ingest/reconcile.ts';
import type { ManifestEntry, Snapshot } from '../store/contract.ts';
import { sqlString } from '../store/sql.ts';
import type { IndexParts } from './parts.ts';

export interface RebuildOptions {
  /** Whether chunks of the index are what a new cut would give: then documents are taken over as they are. */
  readonly sameCut: boolean;
  readonly force?: boolean | undefined;
}

/**
 * What a rebuild puts into the next generation: the source, and every other document of the index. These are taken over
 * as they are; after another cut, from their files, or from their stored text where no file exists.
 * @throws IbidError DELETE_GUARD, when it is read
 */
export function rebuildSource(
  { base, reader, session }: IndexParts,
  source: IngestSource,
  { sameCut, force }: RebuildOptions,
): IngestSource {
  const others = async function* (seen: ReadonlySet<string>, options: CallOptions): AsyncGenerator<SourceItem> {
    const store = await session.store();
    const snapshot = await store.snapshot(); // its tables stay until the run has switched and ends
    const manifest = await store.manifest();
    const paths: string[] = [];
    const stored: ManifestEntry[] = [];
    const covered: ManifestEntry[] = [];
    for (const entry of manifest.values()) {
      const { uri, mtimeMs, chunks } = entry;
      const isFile = mtimeMs !== GIVEN_MTIME;
      if (isFile && source.covers(uri)) covered.push(entry);
      else if (seen.has(uri)) continue;
      else if (isFile && (chunks === 0 || !sameCut) && existsSync(resolve(base, uri))) paths.push(resolve(base, uri));
      else if (chunks > 0) stored.push(entry);
    }
    const gone = covered.filter(({ uri }) => !seen.has(uri));
    const fresh = seen.size - (covered.length - gone.length);
    if (!force) checkGuard(gone.slice(fresh), covered); // a renamed file is gone and fresh
    if (paths.length > 0) yield* folderSource({ paths, base, reader: reader(), hidden: true }).items(options);
    for (const entry of stored) yield takenOver(entry, snapshot, sameCut);
  };
  return {
    covers: (uri) => source.covers(uri),
    leftOut: () => source.leftOut?.() ?? [],
    unopened: () => source.unopened?.() ?? [],
    close: async () => source.close?.(),
    async *items(options: CallOptions = {}) {
      const seen = new Set<string>();
      for await (const item of source.items(options)) {
        seen.add(item.uri);
        yield item;
      }
      yield* others(seen, options);
    },
  };
}

/** A document of the index as something to index; read when its turn comes. */
function takenOver(
  { uri, sizeBytes, mtimeMs, contentHash }: ManifestEntry,
  snapshot: Snapshot,
  withChunks: boolean,
): SourceItem {
  return {
    ...{ uri, sizeBytes, mtimeMs },
    hash: async () => contentHash,
    load: async () => {
      const { ordinals } = await snapshot.filter(`uri = ${sqlString(uri)}`);
      return { contentHash, ...storedParts(uri, await snapshot.fetch(ordinals), withChunks) };
    },
  };
}

/**
 * A document of the index as an ingest loads it.
 * @param chunks at least one
 * @param withChunks false: its text is cut anew
 */
export function storedParts(
  uri: string,
  chunks: readonly StoredChunk[],
  withChunks: boolean = true,
): Pick<LoadedItem, 'document' | 'chunks'> {
  const { title, format, metadata } = chunks[0]!;
  return {
    ...(withChunks ? { chunks } : {}),
    document: {
      ...{ uri, title, format, metadata, warnings: [], blocks: [] },
      text: chunks.map(({ text }) => text).join(''),
      locators: chunks.flatMap(({ locators }) => locators),
    },
  };
}
