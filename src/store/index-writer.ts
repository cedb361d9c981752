import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { IbidError } from '../core/errors.ts';
import { analysisVersion } from '../text/analysis/analysis.ts';
import type { SignCalibration } from '../vector/calibrate.ts';
import { measure, needsCalibration } from './calibration.ts';
import type { DistantSegments, SegmentQueue } from './contract.ts';
import type { CopyLimits } from './copies.ts';
import type { Database } from './database.ts';
import { guard } from './failure.ts';
import type { IndexWriter, NextGeneration } from './index-contract.ts';
import { free, lease, leaseKey } from './lease.ts';
import { type LockOptions, lockFolder, type WriteLock } from './lock.ts';
import { type ManifestCopy, markOf } from './manifest-copy.ts';
import type { PageOptions } from './manifest-pages.ts';
import { sampleKey, sampleRows } from './row-sample.ts';
import { generationOf, metaTable, schemaVersion, tableNames } from './schema.ts';
import { BackgroundSegmentBuilder } from './segment-builder.ts';
import { checkFingerprint, type Fingerprint, type Generation, Meta, type StoreState } from './state.ts';
import { calibrationKey, metaKey } from './store.ts';
import { type GenerationOptions, GenerationWriter } from './writer.ts';

export interface WriterOptions extends LockOptions {
  /**
   * Compared with the fingerprint of an existing index. When there is no index, one is made if `embedder` and
   * `dimensions` are given.
   */
  readonly fingerprint?: Readonly<Record<string, string | number>> | undefined;
  /** Leaves the tables that readers see alone: only a next generation can be written. @default false */
  readonly damaged?: boolean | undefined;
  /** Builds segments in a thread, when there is enough to do. @default true with more than one processor */
  readonly threaded?: boolean | undefined;
  /** Other processes that build segments. */
  readonly distantSegments?: DistantSegments | undefined;
  /** When a local index keeps copies for queries (`Copies`). */
  readonly copies?: Partial<CopyLimits> | undefined;
  /** How much of a manifest is in memory, and where the rest goes. @default the folder of the locks */
  readonly manifest?: PageOptions | undefined;
  /** Builds segments for several writers. @default one of its own */
  readonly builder?: BackgroundSegmentBuilder | undefined;
}

/** Parts of a writer that its opener has prepared. */
interface PreparedParts {
  /** Held by the caller; the writer gives it back. */
  readonly lock?: WriteLock | undefined;
  /** The manifest of the current generation. */
  readonly copy?: ManifestCopy | undefined;
}

/** Writes an index that is one database. */
export class TableWriter implements IndexWriter {
  readonly #database: Database;
  readonly #lock: WriteLock;
  readonly #meta: Meta;
  #state: StoreState | undefined;
  #writer: GenerationWriter | undefined;
  /** Of the generation that is being built. */
  #next: GenerationWriter | undefined;
  readonly #segments: BackgroundSegmentBuilder;
  readonly #copies: Partial<CopyLimits> | undefined;
  readonly #manifest: PageOptions | undefined;
  /** Closes the connection that only this writer uses. */
  readonly #disconnect: () => void;
  /** Generations whose tables are dropped when this run ends. */
  readonly #obsolete: number[] = [];

  private constructor(
    database: Database,
    lock: WriteLock,
    meta: Meta,
    disconnect: () => void,
    { threaded, distantSegments, builder, copies, manifest }: WriterOptions,
  ) {
    this.#segments = builder ?? new BackgroundSegmentBuilder({ threaded, distant: distantSegments });
    this.#copies = copies;
    this.#manifest = manifest;
    this.#disconnect = disconnect;
    this.#database = database;
    this.#lock = lock;
    this.#meta = meta;
  }

  /** @throws IbidError INDEX_LOCKED, INDEX_SCHEMA, INDEX_MISMATCH, INDEX_DAMAGED */
  static async open(database: Database, options: WriterOptions & PreparedParts = {}): Promise<TableWriter> {
    const lock = options.lock ?? (await acquire(database, options));
    const own = database.forWriting();
    const disconnect = (): void => {
      if (own !== database) own.close();
    };
    try {
      const writer = new TableWriter(own, lock, await openMeta(own), disconnect, options);
      await writer.#start(options);
      return writer;
    } catch (error) {
      disconnect();
      await lock.release(lock.afterCrash);
      throw error;
    }
  }

  async #start({ fingerprint, damaged = false, copy }: WriterOptions & PreparedParts): Promise<void> {
    this.#database.tidy();
    this.#state = await this.#meta.readState();
    if (this.#state === undefined) {
      if (fingerprint && isComplete(fingerprint)) await this.initialise(fingerprint);
      return;
    }
    // without a fingerprint nothing is compared: such a run may build the next generation
    if (fingerprint) checkFingerprint(this.#state.current.fingerprint, { ...fingerprint, analysisVersion });
    if (this.#state.next) {
      // a run that built the next generation was killed
      await this.#meta.removeAll(metaKey(this.#state.next.number, ''));
      await this.#writeState({ ...this.#state, next: undefined });
    }
    await this.#dropAllBut(this.#state.current.number);
    if (damaged) return;
    const { current } = this.#state;
    const names = Object.values(tableNames(current.number));
    await this.#database.verify(names); // merging or compacting what is damaged would give it new checksums
    if (!this.#lock.afterCrash) await this.#database.checkComplete(names);
    this.#writer = await GenerationWriter.open(this.#database, current, this.#lock.afterCrash, {
      ...this.#shared,
      copy: copy?.mark === markOf(this.#database.address, current.number) ? copy : undefined,
    });
    await this.#writer.settle();
    if (!this.#lock.afterCrash && this.#database.hasSums(metaTable, ...names)) return;
    // a killed writer, or a version without checksums, left some out
    await this.#meta.noted();
    await this.#database.note(...names);
  }

  /** The common options of all generations. */
  get #shared(): GenerationOptions {
    return { segments: this.#segments, copies: this.#copies, manifest: this.#manifest };
  }

  /** The fingerprint of the index; undefined while there is no index. */
  get fingerprint(): Fingerprint | undefined {
    return this.#state?.current.fingerprint;
  }

  /**
   * Makes a new, empty index.
   * @throws IbidError INVALID_ARGUMENT when the index exists
   */
  async initialise(fingerprint: Fingerprint): Promise<void> {
    if (this.#state) throw new IbidError('INVALID_ARGUMENT', 'the index exists already');
    await this.#dropAllBut(0);
    const generation: Generation = { number: 1, fingerprint: { ...fingerprint, analysisVersion } };
    this.#writer = await GenerationWriter.create(this.#database, generation, this.#shared);
    await this.#writeState({ schema: schemaVersion, current: generation });
  }

  async #writeState(state: StoreState): Promise<void> {
    this.#lock.check();
    await this.#meta.writeState(state);
    this.#state = state;
  }

  async #dropAllBut(keep: number): Promise<void> {
    const kept = new Set<string>([metaTable, ...Object.values(tableNames(keep))]);
    for (const name of await this.#database.names()) {
      if (!kept.has(name) && generationOf(name) !== undefined) await this.#database.drop(name);
    }
  }

  /**
   * The writer of the generation that readers see. `switchGeneration` replaces this object.
   * @throws IbidError INVALID_ARGUMENT while there is no index, INDEX_LOCKED when this process lost the lock
   */
  get current(): GenerationWriter {
    this.#written();
    if (!this.#writer) throw new IbidError('INVALID_ARGUMENT', 'the tables are damaged: write a next generation');
    return this.#writer;
  }

  #written(): StoreState {
    if (!this.#state) {
      throw new IbidError('INVALID_ARGUMENT', 'there is no index to write to yet', { hint: 'Call initialise first.' });
    }
    this.#lock.check();
    return this.#state;
  }

  /** Builds segments in advance for the next `replaceDocuments`, of this or the next generation. */
  get segments(): SegmentQueue {
    return this.#segments;
  }

  putMeta(key: string, value: unknown): Promise<void> {
    return this.#meta.put(metaKey(this.current.generation.number, key), value);
  }

  async getMeta(key: string): Promise<unknown> {
    return this.#state && this.#meta.get(metaKey(this.#state.current.number, key));
  }

  /**
   * Merges segments, compacts and prunes tables where this helps, calibrates the search by signs, and notes which rows
   * stand for all. Call this at the end of a run that changed the index.
   */
  async finish(): Promise<void> {
    const { tables, generation } = this.current;
    await this.#segments.stop(); // frees its memory before merge and compaction need theirs
    await this.current.finish();
    await this.current.tidy(await this.#meta.table());
    await this.#meta.noted();
    const { dimensions } = generation.fingerprint;
    const rows = await guard('cannot count rows', () => tables.chunks.countRows());
    const known = (await this.getMeta(calibrationKey)) as SignCalibration | undefined; // only written below
    if (needsCalibration(rows, dimensions, known)) {
      await this.putMeta(
        calibrationKey,
        (await measure(tables.chunks, dimensions)) ?? { candidates: 0, recall: 0, rows },
      );
    }
    const sample = sampleRows((await this.current.manifest()).lines());
    if (!isDeepStrictEqual(sample, await this.getMeta(sampleKey))) await this.putMeta(sampleKey, sample);
  }

  /**
   * Creates the tables of the next generation, to be filled and then activated. When the run ends without
   * `switchGeneration`, the next writer removes these tables.
   */
  async beginGeneration(fingerprint: Fingerprint): Promise<NextTables> {
    const state = this.#written();
    if (state.next) throw new IbidError('INVALID_ARGUMENT', 'a next generation is being built already');
    const number = Math.max(state.current.number, state.last ?? 0) + 1;
    const next: Generation = { number, fingerprint: { ...fingerprint, analysisVersion } };
    await this.#writeState({ ...state, next, last: number });
    const writer = await GenerationWriter.create(this.#database, next, this.#shared);
    this.#next = writer;
    return { writer, putMeta: (key, value) => this.#meta.put(metaKey(next.number, key), value) };
  }

  /**
   * Makes the next generation the current one for readers and for this writer, in one atomic change. `close` drops the
   * old tables.
   */
  async switchGeneration({ writer }: NextGeneration): Promise<void> {
    const state = this.#written();
    const { number } = state.current;
    const next = this.#next;
    if (next === undefined || writer !== next) {
      throw new IbidError('INVALID_ARGUMENT', 'this is not the generation being built');
    }
    await this.#writeState({ ...state, current: next.generation, next: undefined });
    this.#obsolete.push(number);
    this.#writer = next;
    this.#next = undefined;
  }

  /** Discards the generation that is being built. The current generation stays as it is. */
  async abandonGeneration({ writer }: NextGeneration): Promise<void> {
    const next = this.#next;
    if (next === undefined || writer !== next) return; // already activated or discarded
    const { number } = next.generation;
    this.#next = undefined;
    await this.#meta.removeAll(metaKey(number, ''));
    await this.#writeState({ ...this.#state!, next: undefined });
    for (const name of Object.values(tableNames(number))) await this.#database.drop(name);
  }

  /** Drops obsolete tables and releases the lock. A second call does nothing. */
  async close(): Promise<void> {
    let unclean = false;
    await this.#segments.stop();
    try {
      await this.#writer?.settle();
      for (const number of this.#obsolete.splice(0)) {
        await this.#meta.removeAll(metaKey(number, ''));
        for (const name of Object.values(tableNames(number))) await this.#database.drop(name);
      }
      if (this.#writer && !this.#database.notes?.newest()) await this.#meta.noted();
      await this.#writer?.keepManifest();
    } catch {
      unclean = true; // the next writer repairs
    }
    this.#disconnect();
    await this.#lock.release(unclean);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** The next generation of one database. */
interface NextTables extends NextGeneration {
  readonly writer: GenerationWriter;
}

function isComplete(fingerprint: Readonly<Record<string, string | number>>): fingerprint is Fingerprint {
  return typeof fingerprint.embedder === 'string' && typeof fingerprint.dimensions === 'number';
}

/** Creates the table when it is missing. */
function openMeta(database: Database): Promise<Meta> {
  return Meta.open(database, leaseKey, free);
}

async function acquire(database: Database, options: WriterOptions): Promise<WriteLock> {
  const { address } = database;
  database.makeFolder(); // throws a clear error when the folder cannot be made
  if (address.kind === 'local') return lockFolder(join(address.directory, 'locks'), options);
  return lease(await openMeta(database), options);
}
