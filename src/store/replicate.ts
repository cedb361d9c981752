import type { Table } from '@lancedb/lancedb';
import { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';
import { analysisVersion } from '../text/analysis/analysis.ts';
import { blobNames, readBlob } from './blobs.ts';
import { plainChunk, type RowSource } from './chunk-rows.ts';
import type { DocumentEntry, DocumentRecord } from './contract.ts';
import { type Database, notFound } from './database.ts';
import { type StoredDocument, storedDocuments } from './document-sums.ts';
import { guard } from './failure.ts';
import type { IndexWriter, Store } from './index-contract.ts';
import type { TableWriter } from './index-writer.ts';
import { readManifest } from './manifest.ts';
import { sampleKey } from './row-sample.ts';
import { tableNames } from './schema.ts';
import { sqlIn } from './sql.ts';
import { checkFingerprint, type Generation, type Meta, madeKey, parseState } from './state.ts';
import { calibrationKey, metaKey, openMeta } from './store.ts';
import { scan } from './table-rows.ts';
import type { GenerationWriter } from './writer.ts';

/** Key of the note that says of what a generation is a copy. */
const ORIGIN = 'store: copy of';

/** Keys of notes about rows by their places, which a copy has otherwise. */
const ownNotes: ReadonlySet<string> = new Set([calibrationKey, sampleKey]);

/** Chunks of one commit. */
const BATCH_CHUNKS = 4096;
/** Documents that one filtered read brings. */
const READ_DOCUMENTS = 256;
/** Share of changed documents from which on one pass over all rows costs less than filtered reads. */
const READ_ALL = 0.1;

/** The tables of an index that is copied. They stay open, because opening each takes requests. */
export class Origin {
  readonly #database: Database;
  #meta: Meta | undefined;
  #tables:
    | { readonly id: string; readonly chunks: Table; readonly documents: Table; readonly blobs: Table }
    | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  get uri(): string {
    return this.#database.address.uri;
  }

  /** The state of the index. */
  async state(): Promise<OriginState> {
    this.#meta ??= await openMeta(this.#database);
    const all = await this.#meta.notes();
    if (all.state === undefined) throw notFound(this.#database.address);
    const { current: generation } = parseState(JSON.parse(all.state));
    checkFingerprint(generation.fingerprint, { analysisVersion });
    const names = tableNames(generation.number);
    const made = all[madeKey];
    const id = JSON.stringify([made, generation]);
    if (this.#tables?.id !== id) {
      const [chunks, documents, blobs] = await Promise.all(
        [names.chunks, names.documents, names.blobs].map((name) => this.#database.open(name)),
      );
      this.#tables = { id, chunks: chunks!, documents: documents!, blobs: blobs! };
    }
    const { chunks, documents, blobs } = this.#tables;
    const prefix = metaKey(generation.number, '');
    const notes: Record<string, string> = {};
    for (const [key, value] of Object.entries(all)) {
      // The copy finds its own candidates and its own sample, on the same rows.
      if (key.startsWith(prefix) && !ownNotes.has(key.slice(prefix.length))) notes[key.slice(prefix.length)] = value;
    }
    const versions = await guard('cannot refresh its tables', () =>
      Promise.all(
        [chunks, documents, blobs].map(async (table) => {
          await table.checkoutLatest();
          return await table.version();
        }),
      ),
    );
    const mark = JSON.stringify([id, versions, notes]);
    const bytes = async (): Promise<number> => {
      const lexical = await this.#database.open(names.lexical); // is not copied: the copy makes its own
      return await guard('cannot count its bytes', async () => {
        const sizes = [chunks, documents, blobs, lexical].map(async (table) => (await table.stats()).totalBytes);
        return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      });
    };
    return { id, generation, chunks, documents, blobs, notes, mark, bytes };
  }
}

/** One state of an index. */
export interface OriginState {
  /** Which generation of which index this is. */
  readonly id: string;
  readonly generation: Generation;
  readonly chunks: Table;
  readonly documents: Table;
  readonly blobs: Table;
  /** JSON texts of the generation's notes. */
  readonly notes: Readonly<Record<string, string>>;
  /** Changes with every change of what is copied. */
  readonly mark: string;
  /** Size of its tables, nearly the size of a copy. */
  readonly bytes: () => Promise<number>;
}

interface CopyNote {
  readonly id: string;
  readonly mark: string;
}

/** The mark of the state that an index is a copy of; undefined before the first copy is whole. */
export async function copiedMark(index: Pick<IndexWriter | Store, 'getMeta'>): Promise<string | undefined> {
  return ((await index.getMeta(ORIGIN)) as CopyNote | undefined)?.mark; // written by `replicate`
}

/**
 * Makes the index of `writer` a copy of `origin`, document by document: those that changed are read and written. Each is
 * compared with the sum that its rows carry. A killed run leaves whole documents, and the next one goes on.
 * @throws IbidError INDEX_DAMAGED when a document of the origin is not what was written
 */
export async function replicate(origin: OriginState, writer: TableWriter, options: CallOptions): Promise<void> {
  const { id, generation, notes, mark } = origin;
  if (writer.fingerprint === undefined) await writer.initialise(generation.fingerprint);
  const before = (await writer.getMeta(ORIGIN)) as CopyNote | undefined; // written below
  const next = before?.id === id ? undefined : await writer.beginGeneration(generation.fingerprint);
  const target = next?.writer ?? writer.current;
  const put = next ? next.putMeta : (key: string, value: unknown) => writer.putMeta(key, value);
  await copyDocuments(origin, target, options);
  for (const name of await blobNames(origin.blobs)) {
    const bytes = await readBlob(origin.blobs, name);
    if (bytes !== undefined) await target.putBlob(name, bytes);
  }
  for (const [key, value] of Object.entries(notes)) await put(key, JSON.parse(value));
  await target.finish();
  await put(ORIGIN, { id, mark } satisfies CopyNote);
  if (next) await writer.switchGeneration(next);
  await writer.finish();
}

async function copyDocuments(origin: OriginState, target: GenerationWriter, { signal }: CallOptions): Promise<void> {
  const manifest = await readManifest(origin.documents);
  const wanted = await marksOf(origin.chunks);
  const there = await marksOf(target.tables.chunks);
  const changed = [...wanted.keys()].filter((uri) => wanted.get(uri) !== there.get(uri));
  const gone = [...(await target.manifest()).keys()].filter((uri) => !manifest.has(uri));
  await target.removeDocuments(gone);
  const isMost = changed.length > READ_ALL * wanted.size;
  const picked = new Set(changed);
  const filters = isMost ? [undefined] : groupsOf(changed, READ_DOCUMENTS).map((uris) => sqlIn('uri', uris));
  let batch: DocumentRecord[] = [];
  let chunks = 0;
  const commit = async (): Promise<void> => {
    await target.replaceDocuments(batch);
    batch = [];
    chunks = 0;
  };
  const { dimensions } = origin.generation.fingerprint;
  for (const where of filters) {
    for await (const document of storedDocuments(origin.chunks, dimensions, { signal, where, vectors: true })) {
      if (!picked.has(document.uri)) continue;
      batch.push(recordOf(document, manifest.get(document.uri)));
      chunks += document.chunks.length;
      if (chunks >= BATCH_CHUNKS) await commit();
    }
  }
  await commit();
  const known = await target.manifest();
  await target.recordEntries([...manifest.values()].filter((entry) => !isSameLine(entry, known.get(entry.uri))));
}

/** Of each document: its sum and its metadata. Where they are equal, the stored rows are. */
async function marksOf(chunks: Table): Promise<Map<string, string>> {
  const marks = new Map<string, string>();
  const columns = ['uri', 'source', 'metadata'];
  for await (const batch of scan(chunks, { columns, where: 'source IS NOT NULL' })) {
    for (let i = 0; i < batch.numRows; i++) {
      const [uri, source, metadata] = columns.map((name) => String(batch.getChild(name)!.get(i)));
      const { sum, contentHash } = JSON.parse(source!) as RowSource; // written by `chunkRows`
      marks.set(uri!, `${sum ?? contentHash} ${metadata}`);
    }
  }
  return marks;
}

function recordOf(
  { uri, chunks, vectors = [], source, isSound }: StoredDocument,
  entry: DocumentEntry | undefined,
): DocumentRecord {
  const state = entry ?? source;
  if (isSound === false || state === undefined) {
    throw new IbidError('INDEX_DAMAGED', `document ${JSON.stringify(uri)} of the index is not what was written`, {
      hint: 'Ingest its file again, or repair the index with `index.repair()`.',
    });
  }
  const { title, format, metadata } = chunks[0]!;
  const { sizeBytes, mtimeMs, contentHash, warnings = [] } = state;
  return {
    ...{ uri, title, format, metadata, warnings, vectors },
    source: { sizeBytes, mtimeMs, contentHash },
    chunks: chunks.map(plainChunk),
  };
}

function isSameLine(a: DocumentEntry, b: DocumentEntry | undefined): boolean {
  const line = (entry: DocumentEntry | undefined): string =>
    JSON.stringify(entry && [entry.sizeBytes, entry.mtimeMs, entry.contentHash, entry.failure]);
  return line(a) === line(b);
}

function groupsOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
