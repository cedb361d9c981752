import type { Table } from '@lancedb/lancedb';
import { IbidError, indexClosed } from '../core/errors.ts';
import { LexicalReader } from '../lexical/reader.ts';
import { analysisVersion } from '../text/analysis/analysis.ts';
import type { SignCalibration } from '../vector/calibrate.ts';
import { SignCode } from '../vector/sign-code.ts';
import { canShareMemory } from '../vector/webassembly.ts';
import { type Address, copiesFolder } from './address.ts';
import { readBlob } from './blobs.ts';
import { repairHint } from './checksums.ts';
import { Comparing } from './comparing.ts';
import { type Covered, coverRows, sharedSegments } from './covered.ts';
import { type Database, notFound } from './database.ts';
import { DiskSearch } from './disk-search.ts';
import type { ManifestOptions, SnapshotOptions, Store } from './index-contract.ts';
import { readManifest } from './manifest.ts';
import type { ManifestMap } from './manifest-map.ts';
import { bytesOf } from './packed-rows.ts';
import { PinnedTable } from './pinned.ts';
import { defaultResidentRowBytes, ResidentRows } from './resident-rows.ts';
import { RowFiles } from './row-files.ts';
import { type SampleNote, sampleIn, sampleKey } from './row-sample.ts';
import { type GenerationTables, metaTable, tableNames } from './schema.ts';
import { SegmentCopies } from './segment-copies.ts';
import { StoreSnapshot } from './snapshot.ts';
import { checkFingerprint, type Fingerprint, type Generation, Meta, madeKey, type StoreState } from './state.ts';
import {
  chooseMethod,
  defaultExactBytes,
  keptBy,
  type ResidencyOptions,
  ResidentSearch,
  type SearchedRows,
  type VectorSearch,
} from './vector-search.ts';
import { ResidentVectors } from './vectors.ts';
import { readRowIds, readView } from './view-file.ts';

export interface ReadStoreOptions extends ResidencyOptions {
  /** Parts of the caller's fingerprint; each is compared with the index's. */
  readonly fingerprint?: Readonly<Record<string, string | number>> | undefined;
  /** Reads the generation that a writer is building, for a test before the switch. @default false */
  readonly next?: boolean | undefined;
  /** Maximum age, in ms, of the view of a remote index. A local index is checked before every query. @default 5000 */
  readonly refreshMs?: number | undefined;
  /** Threads that search, this one included; more than one share what is kept in memory. @default 1 */
  readonly threads?: number | undefined;
  /** Whether a thread of its own compares the vectors of a large index that one thread searches. @default true */
  readonly comparing?: boolean | undefined;
}

interface Loaded {
  readonly generation: Generation;
  /** Which index it is of: another one may have been made at the same address. */
  readonly made: unknown;
  /** Versions of the lexical and the chunk table that were read, and the note of the sample. */
  readonly versions: string;
  readonly snapshot: StoreSnapshot;
  readonly lexical: Covered;
}

/** Reads an index that is one database. */
export class TableStore implements Store {
  readonly #database: Database;
  readonly #meta: Meta;
  readonly #options: ReadStoreOptions;
  #loaded: Loaded | undefined;
  #loading: Promise<Loaded> | undefined;
  #stamp: string | undefined;
  #checkedAt = -Infinity;
  #revision = 0;
  #vectors: ResidentVectors | undefined;
  #comparing: Comparing | undefined;
  #closed = false;

  private constructor(database: Database, meta: Meta, options: ReadStoreOptions) {
    this.#database = database;
    this.#meta = meta;
    this.#options = options;
  }

  /** @throws IbidError INDEX_NOT_FOUND, INDEX_SCHEMA, INDEX_MISMATCH, INDEX_DAMAGED */
  static async open(database: Database, options: ReadStoreOptions = {}): Promise<TableStore> {
    const meta = await openMeta(database);
    const store = new TableStore(database, meta, options);
    await store.#generation();
    return store;
  }

  get address(): Address {
    return this.#database.address;
  }

  async #generation(): Promise<Generation> {
    const state = await this.#meta.readState();
    if (state === undefined) throw notFound(this.#database.address);
    const generation = this.#options.next ? state.next : state.current;
    if (generation === undefined) throw notFound(this.#database.address);
    checkFingerprint(generation.fingerprint, this.#options.fingerprint ?? {});
    return generation;
  }

  /** The fingerprint under which the last snapshot was made. */
  get loadedFingerprint(): Fingerprint | undefined {
    return this.#loaded?.generation.fingerprint;
  }

  /** The fingerprint of the index. */
  async fingerprint(): Promise<Fingerprint> {
    return (await this.#generation()).fingerprint;
  }

  /**
   * The newest state of the index; the same object while nothing is written.
   * @throws IbidError INDEX_MISMATCH when the index was made by another version of the analysis
   */
  async snapshot({ ofAnyAnalysis = false }: SnapshotOptions = {}): Promise<StoreSnapshot> {
    const { generation, snapshot } = await this.#newest();
    if (!ofAnyAnalysis) checkFingerprint(generation.fingerprint, { analysisVersion });
    return snapshot;
  }

  async #newest(): Promise<Loaded> {
    this.#checkOpen();
    if (this.#loaded && (await this.#isCurrent(this.#loaded))) return this.#loaded;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return await this.#loading;
  }

  /** Grows whenever something was written since the snapshot before, if only a note: its snapshot may be the same. */
  get revision(): number {
    return this.#revision;
  }

  /** The next snapshot is the newest one, also of a remote index: this process has written. */
  renew(): void {
    this.#checkedAt = -Infinity;
  }

  async #isCurrent({ generation }: Loaded): Promise<boolean> {
    const names = tableNames(generation.number);
    const { kind } = this.#database.address;
    if (kind === 'local') {
      const stamp = await this.#database.stamp([metaTable, names.chunks, names.lexical]);
      return stamp !== undefined && stamp === this.#stamp;
    }
    return kind === 'remote' && performance.now() - this.#checkedAt < (this.#options.refreshMs ?? 5000);
  }

  /** Loads the newest state. Tries again when a writer replaces tables at the same time. */
  async #load(): Promise<Loaded> {
    for (let attempt = 1; ; attempt++) {
      const startedAt = performance.now();
      try {
        const generation = await this.#generation();
        const names = tableNames(generation.number);
        const stamp = await this.#database.stamp([metaTable, names.chunks, names.lexical]);
        // Before loading, not beside it: the database's decoders panic on some damaged files.
        await this.#database.verify([names.chunks, names.lexical], { rows: false });
        const before = this.#loaded;
        this.#loaded = await this.#loadGeneration(generation, names).catch(async (error: unknown) => {
          throw await this.#database.explained(error, [names.chunks, names.lexical]);
        });
        // without a stamp, as with a remote index, only the tables of chunks and words tell
        if (stamp !== undefined || this.#loaded !== before) this.#revision++;
        this.#stamp = stamp;
        this.#checkedAt = startedAt;
        return this.#loaded;
      } catch (error) {
        // between two reads, a writer may switch and drop a generation, or prune a version
        const isPassing = error instanceof IbidError && /^(STORE_FAILED|INDEX_DAMAGED)$/.test(error.code);
        if (attempt >= 3 || !isPassing) throw error;
      }
    }
  }

  async #loadGeneration(generation: Generation, names: GenerationTables): Promise<Loaded> {
    // The inverted index is opened first. Chunks that are added after that are merely not covered; none is missing.
    const lexical = await this.#database.open(names.lexical);
    const chunks = await this.#database.open(names.chunks);
    const [lexicalVersion, chunksVersion] = [await lexical.version(), await chunks.version()];
    const sample = (await this.#meta.get(metaKey(generation.number, sampleKey))) as SampleNote | undefined;
    const versions = `${lexicalVersion} ${chunksVersion} ${JSON.stringify(sample)}`;
    const { residency, threads = 1 } = this.#options;
    const made = await this.#meta.get(madeKey);
    const isSame = this.#loaded?.generation.number === generation.number && this.#loaded.made === made;
    const before = isSame ? this.#loaded : undefined;
    if (before?.versions === versions) return before;
    const frugal = residency === 'none';
    const shared = threads > 1;
    const { address } = this.#database;
    const folder = copiesFolder(address, names.lexical);
    const view = await readView(folder, { chunks: chunksVersion, lexical: lexicalVersion });
    // of a table whose rows are read from a copy, nothing is compared before something is read
    const verified = async (table: Table): Promise<Table> => {
      await this.#database.verify([table.name]);
      return table;
    };
    if (!view) for (const table of [chunks, lexical]) await verified(table);
    const present = view?.rowIds ?? (await readRowIds(chunks));
    const copies = await SegmentCopies.in(folder);
    const options = { frugal, shared, copies, segments: view?.segments };
    const covered = await coverRows(() => verified(lexical), chunks, present, before?.lexical, options);
    const { map } = covered;
    const live = bytesOf(map.rows, shared);
    present.eachRun((seq, count) => {
      const first = map.ordinalOf(seq);
      if (map.ordinalOf(seq + count - 1) === first + count - 1) live.fill(1, first, first + count);
      else for (let i = 0; i < count; i++) live[map.ordinalOf(seq + i)] = 1;
    });
    const rows: SearchedRows = {
      chunks: new PinnedTable(
        () => verified(chunks),
        () => this.#database.open(names.chunks),
        (error) => this.#database.explained(error, [names.chunks]),
      ),
      ...{ map, live, liveRows: present.rows, rowIds: present, dimensions: generation.fingerprint.dimensions },
      rowFiles: await RowFiles.open(copiesFolder(address, names.chunks), chunksVersion),
    };
    if (!before) this.#vectors = undefined;
    const isLive = (ordinal: number): boolean => live[ordinal] === 1;
    const snapshot = new StoreSnapshot({
      ...rows,
      lexical: LexicalReader.open(covered.segments, isLive, frugal ? smallCaches : {}),
      vectors: this.#vectorSearch(rows, await this.#calibration(generation)),
      resident: new ResidentRows(rows.chunks, map, present.rows, frugal ? 0 : defaultResidentRowBytes, {
        shared,
        before: before?.snapshot.resident,
      }),
      frugal,
      sample: sampleIn(sample, map, live),
      origin:
        shared && address.kind === 'local'
          ? {
              address,
              chunks: { name: names.chunks, version: chunksVersion },
              lexical: { name: names.lexical, version: lexicalVersion },
              isVerified: view === undefined,
              segments: () => sharedSegments(covered),
            }
          : undefined,
    });
    return { generation, made, versions, snapshot, lexical: covered };
  }

  async #calibration({ number }: Generation): Promise<SignCalibration | undefined> {
    // only `IndexWriter.finish` writes it
    return (await this.#meta.get(metaKey(number, calibrationKey))) as SignCalibration | undefined;
  }

  #vectorSearch(rows: SearchedRows, calibration: SignCalibration | undefined): VectorSearch {
    this.#checkOpen(); // closed while it was loading: nobody would end the thread that compares
    const code = new SignCode(rows.dimensions);
    const method = chooseMethod(rows.map.rows, code, rows.dimensions, calibration, this.#options);
    if (method === 'disk') return new DiskSearch(rows, code, calibration, this.#options.exactBytes);
    const { exactBytes = defaultExactBytes, threads = 1, comparing = true } = this.#options;
    const isLong = method === 'exact' && rows.map.rows * rows.dimensions > exactBytes;
    const readsFiles = method === 'signs-and-disk' && rows.rowFiles !== undefined;
    if ((isLong || readsFiles) && canShareMemory && comparing && threads === 1) this.#comparing ??= new Comparing();
    if (!this.#vectors?.suits(rows.map, keptBy[method])) {
      this.#vectors = new ResidentVectors(rows.dimensions, keptBy[method], this.#comparing ? 2 : threads);
    }
    const signs = method === 'exact' ? undefined : calibration;
    return new ResidentSearch(rows, this.#vectors, signs, exactBytes, this.#comparing);
  }

  /** Compares the files of all tables that readers see with their checksums, each once. @throws IbidError INDEX_DAMAGED */
  async verify(): Promise<void> {
    const { number } = await this.#generation();
    await this.#database.verify(Object.values(tableNames(number)));
  }

  /** The stored documents and the files that could not be read, by uri. */
  async manifest({ verified = false }: ManifestOptions = {}): Promise<ManifestMap> {
    if (verified) await this.verify();
    return await this.#ofCurrent(async ({ documents }) => {
      await this.#database.verify([documents]);
      return readManifest(await this.#database.open(documents));
    });
  }

  /** A note of the current generation; undefined when there is none. */
  async getMeta(key: string): Promise<unknown> {
    const { number } = await this.#generation();
    return this.#meta.get(metaKey(number, key));
  }

  async getBlob(name: string): Promise<Uint8Array | undefined> {
    return await this.#ofCurrent(async ({ blobs }) => {
      await this.#database.verify([blobs]);
      return readBlob(await this.#database.open(blobs), name);
    });
  }

  /** Reads from the tables of the current generation; again when a writer has switched to another meanwhile. */
  async #ofCurrent<T>(read: (names: GenerationTables) => Promise<T>): Promise<T> {
    for (;;) {
      const { number } = await this.#generation();
      try {
        return await read(tableNames(number));
      } catch (error) {
        if ((await this.#generation()).number !== number) continue;
        throw await this.#database.explained(error, Object.values(tableNames(number)));
      }
    }
  }

  #checkOpen(): void {
    if (this.#closed) throw indexClosed();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#loaded = undefined;
    this.#vectors = undefined;
    await this.#comparing?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Cache sizes for `residency: 'none'`. Data that every question needs is then read again. */
const smallCaches = { blockCacheBytes: 16 * 2 ** 20, postingsCacheBytes: 8 * 2 ** 20 };

/** Key of the note with the calibration of the search by signs. */
export const calibrationKey = 'store: candidates by signs';

export function metaKey(generation: number, key: string): string {
  return `generation ${generation}: ${key}`;
}

/** @throws IbidError INDEX_NOT_FOUND */
export async function openMeta(database: Database): Promise<Meta> {
  const names = await database.names();
  // A writer creates the meta table first. If this table has no version and is alone, there was never an index.
  const isAlone = [...names].every((name) => name === metaTable);
  if (!names.has(metaTable) && database.notes?.read()) {
    throw new IbidError('INDEX_DAMAGED', 'the notes of the index are gone', repairHint);
  }
  if (!names.has(metaTable) || (isAlone && (await database.isStump(metaTable)))) throw notFound(database.address);
  await database.verify([metaTable]);
  return new Meta(undefined, database);
}

/** A note of the generation that readers see, by the copy beside a local index; for an index that does not open. */
export async function keptNote(database: Database, key: string): Promise<unknown> {
  const notes = database.notes?.read();
  if (notes?.state === undefined) return undefined;
  const { current } = JSON.parse(notes.state) as StoreState; // written by `Meta.writeState`
  const note = notes[metaKey(current.number, key)];
  return note === undefined ? undefined : JSON.parse(note);
}
