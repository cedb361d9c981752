import { resolve } from 'node:path';
import { isFileAt } from '../core/files.ts';
import type { Block, CallOptions, Document, StoredChunk } from '../core/types.ts';
import type { IngestSource, LoadedItem, SourceItem } from '../ingest/contract.ts';
import { folderSource } from '../ingest/folder-source.ts';
import { nameOfFormat } from '../ingest/given-documents.ts';
import type { IngestServices } from '../ingest/ingest.ts';
import { type Items, itemsOf } from '../ingest/items.ts';
import { coveredNow, type EarlierPlaces, type MovedFolder, matchMoved } from '../ingest/moved.ts';
import { checkGuard, emptiedDocument, GIVEN_MTIME } from '../ingest/reconcile.ts';
import type { Reader } from '../read/contract.ts';
import type { DocumentEntry, ManifestEntry, Snapshot } from '../store/contract.ts';
import type { StoredManifest } from '../store/index-contract.ts';
import { sqlString } from '../store/sql.ts';
import { oneLine } from '../text/one-line.ts';
import type { IndexParts } from './parts.ts';
import { earlierPlaces, SOURCES } from './sources.ts';

interface RebuildOptions {
  /** Whether chunks of the index are what a new cut would give: then documents are taken over as they are. */
  readonly sameCut: boolean;
  readonly force?: boolean | undefined;
}

/** A source for the next generation, what the index has of an item that cannot be read now, and folders that have moved. */
export interface Rebuild extends Pick<IngestServices, 'earlier' | 'moved'> {
  readonly source: IngestSource;
}

/**
 * What a rebuild puts into the next generation: the source, and every other document of the index. These are taken over
 * as they are; after another cut, from their files, or from their stored text where no file can be read. Those whose
 * last read failed are read again, because the index has the size and time of what could not be read. Those of a folder
 * that has moved are the source's own by now.
 * @throws IbidError DELETE_GUARD, when it is read
 */
export function rebuildSource(
  { base, reader, recordings, session }: IndexParts,
  source: IngestSource,
  { sameCut, force }: RebuildOptions,
): Rebuild {
  const chunkedAnew = sameCut ? undefined : reader();
  const open = async (): Promise<{ snapshot: Snapshot; manifest: StoredManifest; places: EarlierPlaces }> => {
    const store = await session.store();
    const places = earlierPlaces(base, await store.getMeta(SOURCES));
    // the tables of the snapshot stay until the run has switched and ends
    return { snapshot: await store.snapshot({ ofAnyAnalysis: true }), manifest: await store.manifest(), places };
  };
  let opened: ReturnType<typeof open> | undefined;
  const before = (): ReturnType<typeof open> => {
    opened ??= open();
    return opened;
  };
  const moves: MovedFolder[] = [];
  /** New uris of documents in folders that have moved, with the old ones. */
  const renames = new Map<string, string>();
  /** Notes the folders that have moved. @returns the old uris of what was in them */
  const movedAway = async (items: Items, { signal }: CallOptions): Promise<ReadonlySet<string>> => {
    const { manifest, places } = await before();
    const fresh = Uint32Array.from({ length: items.length }, (_, number) => number).filter(
      (number) => !manifest.has(items.at(number).uri),
    );
    const found = await matchMoved(items, fresh, manifest, (uri) => source.covers(uri), places, signal);
    moves.push(...found.moved);
    for (const { from, item } of found.renames.values()) renames.set(item.uri, from);
    return new Set([...renames.values(), ...found.left.map(({ uri }) => uri)]);
  };
  const others = async function* (
    seen: ReadonlySet<string>,
    away: ReadonlySet<string>,
    emptied: readonly ManifestEntry[],
    options: CallOptions,
  ): AsyncGenerator<SourceItem> {
    const { snapshot, manifest, places } = await before();
    const covers = coveredNow((uri) => source.covers(uri), places);
    const paths: string[] = [];
    const stored: DocumentEntry[] = [];
    const covered: ManifestEntry[] = [];
    for (const entry of manifest.values()) {
      const { uri, mtimeMs, chunks, failure } = entry;
      const isFile = mtimeMs !== GIVEN_MTIME;
      const isReadAnew = isFile && (failure !== undefined || chunks === 0 || !sameCut);
      if (isFile && covers(uri)) covered.push(entry);
      else if (seen.has(uri) || away.has(uri)) continue;
      else if (isReadAnew && isFileAt(resolve(base, uri))) paths.push(resolve(base, uri));
      else if (chunks > 0) stored.push(failure ? { ...entry, mtimeMs: 0 } : entry);
    }
    const gone = covered.filter(({ uri }) => !seen.has(uri));
    const fresh = seen.size - (covered.length - gone.length);
    const leaving = [...gone.slice(fresh), ...emptied]; // a renamed file is gone and fresh
    if (!force) checkGuard(leaving, covered, emptied.length);
    const parts = recordings.partsFor(undefined); // words that were made before are not paid again
    const files = folderSource({ paths, base, reader: reader(), hidden: true, recordings: parts });
    for await (const item of paths.length > 0 ? files.items(options) : []) {
      const entry = manifest.get(item.uri);
      const isKnownToFail = entry?.failure !== undefined; // then the run says so, and takes what is there
      const kept = entry?.chunks && !isKnownToFail ? takenOver(entry, snapshot, chunkedAnew) : undefined;
      yield kept ? orElse(item, async () => kept) : item;
    }
    for (const entry of stored) yield takenOver(entry, snapshot, chunkedAnew);
  };
  const next: IngestSource = {
    covers: (uri) => source.covers(uri),
    leftOut: () => source.leftOut?.() ?? [],
    unopened: () => source.unopened?.() ?? [],
    close: async () => source.close?.(),
    // of an item that is not the source's own, these know no file
    ...(source.smallFileOf && { smallFileOf: source.smallFileOf.bind(source) }),
    ...(source.fileOf && { fileOf: source.fileOf.bind(source) }),
    async *items(options: CallOptions = {}) {
      const items = await itemsOf(source.items(options));
      const away = await movedAway(items, options);
      const { manifest } = await before();
      const seen = new Set<string>();
      const emptied: ManifestEntry[] = [];
      for (let number = 0; number < items.length; number++) {
        const item = items.at(number);
        seen.add(item.uri);
        emptied.push(...emptiedDocument(item, manifest));
        yield item;
      }
      yield* others(seen, away, emptied, options);
    },
  };
  const earlier = async (uri: string, options: CallOptions): Promise<LoadedItem | undefined> => {
    const { snapshot, manifest } = await before();
    const entry = manifest.get(renames.get(uri) ?? uri);
    if (!entry?.chunks) return undefined;
    const loaded = await takenOver(entry, snapshot, chunkedAnew).load(options);
    return { ...loaded, document: { ...loaded.document, uri } };
  };
  return { source: next, earlier, moved: () => moves };
}

/**
 * A file, or what the index has of it where it can no longer be read; size and time are of what was loaded.
 * @param stored undefined where the index has nothing of it
 */
export function orElse(file: SourceItem, stored: () => Promise<SourceItem | undefined>): SourceItem {
  let loaded = file;
  return {
    uri: file.uri,
    get sizeBytes() {
      return loaded.sizeBytes;
    },
    get mtimeMs() {
      return loaded.mtimeMs;
    },
    hash: (options) => file.hash(options),
    load: async (options) => {
      try {
        return await file.load(options);
      } catch (error) {
        options?.signal?.throwIfAborted();
        const kept = await stored();
        if (!kept) throw error;
        loaded = kept;
        return await kept.load(options);
      }
    },
  };
}

/**
 * A document of the index as something to index; read when its turn comes.
 * @param reader finds the structure of a text that is to be cut anew; absent: the chunks stay
 */
function takenOver(
  { uri, sizeBytes, mtimeMs, contentHash, warnings = [] }: DocumentEntry,
  snapshot: Snapshot,
  reader: Reader | undefined,
): SourceItem {
  return {
    ...{ uri, sizeBytes, mtimeMs },
    hash: async () => contentHash,
    load: async (options: CallOptions = {}) => {
      const { ordinals } = await snapshot.filter(`uri = ${sqlString(uri)}`);
      const chunks = await snapshot.fetch(ordinals);
      const parts = storedParts(uri, chunks);
      const document = { ...parts.document, warnings };
      if (!reader) return { contentHash, ...parts, document };
      const blocks = (await blocksOf(document, reader, options)) ?? openingHeadings(chunks);
      return { contentHash, document: { ...document, blocks } };
    },
  };
}

/**
 * A document of the index as an ingest loads it.
 * @param chunks at least one
 */
export function storedParts(
  uri: string,
  chunks: readonly StoredChunk[],
): Required<Pick<LoadedItem, 'document' | 'chunks'>> {
  const { title, format, metadata, firstLine } = chunks[0]!;
  return {
    chunks,
    document: {
      ...{ uri, title, format, metadata, warnings: [], blocks: [] },
      ...(firstLine === undefined ? {} : { firstLine }),
      text: chunks.map(({ text }) => text).join(''),
      locators: chunks.flatMap(({ locators }) => locators),
    },
  };
}

/** The blocks of a text that is its own source; undefined of another, and of one that is read in another way by now. */
async function blocksOf(
  { format, text }: Document,
  reader: Reader,
  options: CallOptions,
): Promise<readonly Block[] | undefined> {
  if (format !== 'markdown' && format !== 'text') return undefined;
  try {
    const read = await reader.read({ bytes: Buffer.from(text), uri: nameOfFormat(format) }, options);
    return read.text === text ? read.blocks : undefined;
  } catch {
    options.signal?.throwIfAborted();
    return undefined; // the text is there all the same
  }
}

/** The headings that chunks open with, as far as their paths name them. */
function openingHeadings(chunks: readonly StoredChunk[]): Block[] {
  const blocks: Block[] = [];
  for (const { text, span, headings } of chunks) {
    let at = 0;
    for (const [depth, label] of headings.entries()) {
      const found = /^\s*(\S.*)/.exec(text.slice(at));
      if (!found || oneLine(found[1]!) !== label) continue;
      const end = at + found[0].length;
      const start = end - found[1]!.length;
      blocks.push({ kind: 'heading', level: depth + 1, label, start: span.start + start, end: span.start + end });
      at = end;
    }
  }
  return blocks;
}
