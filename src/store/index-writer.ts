import { join } from 'node:path';
import { IbidError } from '../core/errors.ts';
import { analysisVersion } from '../text/analysis/analysis.ts';
import type { SignCalibration } from '../vector/calibrate.ts';
import type { AnalysableDocument } from './analyse.ts';
import { measure, needsCalibration } from './calibration.ts';
import type { DocumentRecord, Manifest, ManifestEntry } from './contract.ts';
import { type Database, guard } from './database.ts';
import { free, lease, leaseKey } from './lease.ts';
import { type LockOptions, lockFolder, type WriteLock } from './lock.ts';
import { ManifestMap } from './manifest-map.ts';
import { metaTable, schemaVersion, tableNames } from './schema.ts';
import { BackgroundSegmentBuilder } from './segment-builder.ts';
import { checkFingerprint, type Fingerprint, type Generation, Meta, type StoreState } from './state.ts';
import { calibrationKey, metaKey } from './store.ts';
import { GenerationWriter, type Rename } from './writer.ts';

export interface WriterOptions extends LockOptions {
  /** Compared with the index when there is one; builds it when there is none and `embedder` and `dimensions` are named. */
  readonly fingerprint?: Readonly<Record<string, string | number>> | undefined;
}

/** The writing side of an index; one at a time. */
export class IndexWriter {
  readonly #database: Database;
  readonly #lock: WriteLock;
  readonly #meta: Meta;
  #state: StoreState | undefined;
  #writer: GenerationWriter | undefined;
  readonly #analyst = new BackgroundSegmentBuilder();
  /** Closes the writer's own connection. */
  readonly #disconnect: () => void;
  /** Generations whose tables are to go when this run ends. */
  readonly #obsolete: number[] = [];

  private constructor(database: Database, lock: WriteLock, meta: Meta, disconnect: () => void) {
    this.#disconnect = disconnect;
    this.#database = database;
    this.#lock = lock;
    this.#meta = meta;
  }

  /** @throws IbidError INDEX_LOCKED, INDEX_SCHEMA, INDEX_MISMATCH, INDEX_DAMAGED */
  static async open(database: Database, options: WriterOptions = {}): Promise<IndexWriter> {
    const lock = await acquire(database, options);
    const own = database.forWriting();
    const disconnect = (): void => {
      if (own !== database) own.close();
    };
    try {
      const writer = new IndexWriter(own, lock, await openMeta(own), disconnect);
      await writer.#start(options.fingerprint);
      return writer;
    } catch (error) {
      disconnect();
      await lock.release(lock.afterCrash);
      throw error;
    }
  }

  async #start(fingerprint: WriterOptions['fingerprint']): Promise<void> {
    this.#state = await this.#meta.readState();
    if (this.#state === undefined) {
      if (fingerprint && isComplete(fingerprint)) await this.initialise(fingerprint);
      return;
    }
    // who names nothing may be about to build the next generation, whatever this one was made with
    if (fingerprint) checkFingerprint(this.#state.current.fingerprint, { ...fingerprint, analysisVersion });
    if (this.#state.next) {
      // the run that built it was killed
      await this.#meta.removeAll(metaKey(this.#state.next.number, ''));
      await this.#writeState({ ...this.#state, next: undefined });
    }
    await this.#dropAllBut(this.#state.current.number);
    const { current } = this.#state;
    this.#writer = await GenerationWriter.open(this.#database, current, this.#lock.afterCrash, this.#analyst);
    await this.#writer.settle();
  }

  /** What the index was built with; undefined until there is one. */
  get fingerprint(): Fingerprint | undefined {
    return this.#state?.current.fingerprint;
  }

  /** Makes a new, empty index. @throws IbidError INVALID_ARGUMENT when there is one already */
  async initialise(fingerprint: Fingerprint): Promise<void> {
    if (this.#state) throw new IbidError('INVALID_ARGUMENT', 'the index exists already');
    await this.#dropAllBut(0);
    const generation: Generation = { number: 1, fingerprint: { ...fingerprint, analysisVersion } };
    this.#writer = await GenerationWriter.create(this.#database, generation, this.#analyst);
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
      if (!kept.has(name) && /^(chunks|lexical|documents|blobs)_\d+$/.test(name)) await this.#database.drop(name);
    }
  }

  get #current(): GenerationWriter {
    if (!this.#writer) {
      throw new IbidError('INVALID_ARGUMENT', 'there is no index to write to yet', { hint: 'Call initialise first.' });
    }
    this.#lock.check();
    return this.#writer;
  }

  /** Empty while there is no index. A live view: it follows the writer's changes. */
  async manifest(): Promise<Manifest> {
    return this.#writer ? this.#writer.manifest() : new ManifestMap();
  }

  /**
   * Says what `replaceDocuments` of this writer, or of its next generation, will be given later: the same arrays of chunks. Their words are
   * analysed meanwhile, in a thread of its own where that pays. What never comes costs its memory until `finish`.
   */
  announce(documents: readonly AnalysableDocument[]): void {
    this.#analyst.announce(documents);
  }

  /** Says that the next `replaceDocuments` will be given these, while their vectors are still being made. */
  begin(documents: readonly AnalysableDocument[]): void {
    this.#analyst.begin(documents);
  }

  replaceDocuments(records: readonly DocumentRecord[]): Promise<void> {
    return this.#current.replaceDocuments(records);
  }

  removeDocuments(uris: readonly string[]): Promise<void> {
    return this.#current.removeDocuments(uris);
  }

  renameDocuments(renames: readonly Rename[]): Promise<void> {
    return this.#current.renameDocuments(renames);
  }

  recordEntries(entries: readonly ManifestEntry[]): Promise<void> {
    return this.#current.recordEntries(entries);
  }

  readDocument(uri: string): Promise<DocumentRecord | undefined> {
    return this.#current.readDocument(uri);
  }

  readDocuments(uris: readonly string[]): Promise<DocumentRecord[]> {
    return this.#current.readDocuments(uris);
  }

  putBlob(name: string, bytes: Uint8Array): Promise<void> {
    return this.#current.putBlob(name, bytes);
  }

  async getBlob(name: string): Promise<Uint8Array | undefined> {
    return this.#writer?.getBlob(name);
  }

  putMeta(key: string, value: unknown): Promise<void> {
    return this.#meta.put(metaKey(this.#current.generation.number, key), value);
  }

  async getMeta(key: string): Promise<unknown> {
    return this.#state && this.#meta.get(metaKey(this.#state.current.number, key));
  }

  /** Merges, compacts and prunes where it pays; call it at the end of a run that changed something. */
  async finish(): Promise<void> {
    const { tables, generation } = this.#current;
    await this.#analyst.rest(); // its memory goes before merging and compaction need theirs
    await this.#current.finish();
    await this.#current.tidy(this.#meta.table);
    const { dimensions } = generation.fingerprint;
    const rows = await guard('cannot count rows', () => tables.chunks.countRows());
    const known = (await this.getMeta(calibrationKey)) as SignCalibration | undefined; // only written below
    if (needsCalibration(rows, dimensions, known)) {
      await this.putMeta(
        calibrationKey,
        (await measure(tables.chunks, dimensions)) ?? { candidates: 0, recall: 0, rows },
      );
    }
  }

  /**
   * Starts a second set of tables beside the one readers see, to be filled and then switched to. What became of it when the
   * run ends without a switch is removed by the next writer.
   */
  async beginGeneration(fingerprint: Fingerprint): Promise<NextGeneration> {
    const { number: current } = this.#current.generation;
    const state = this.#state!;
    if (state.next) throw new IbidError('INVALID_ARGUMENT', 'a next generation is being built already');
    const number = Math.max(current, state.last ?? 0) + 1;
    const next: Generation = { number, fingerprint: { ...fingerprint, analysisVersion } };
    await this.#writeState({ ...state, next, last: number });
    const writer = await GenerationWriter.create(this.#database, next, this.#analyst);
    return { writer, putMeta: (key, value) => this.#meta.put(metaKey(next.number, key), value) };
  }

  /** From here on readers, and this writer, see the next generation: one atomic change. The old tables go at `close`. */
  async switchGeneration({ writer }: NextGeneration): Promise<void> {
    const { number } = this.#current.generation;
    if (this.#state!.next?.number !== writer.generation.number) {
      throw new IbidError('INVALID_ARGUMENT', 'this is not the generation being built');
    }
    await this.#writeState({ ...this.#state!, current: writer.generation, next: undefined });
    this.#obsolete.push(number);
    this.#writer = writer;
  }

  /** Gives up the generation being built; the one readers see stays as it is. */
  async abandonGeneration({ writer }: NextGeneration): Promise<void> {
    const { number } = writer.generation;
    if (this.#state!.next?.number !== number) return; // switched to, or given up already
    await this.#meta.removeAll(metaKey(number, ''));
    await this.#writeState({ ...this.#state!, next: undefined });
    for (const name of Object.values(tableNames(number))) await this.#database.drop(name);
  }

  /** Gives the right to write back. Safe to call twice. */
  async close(): Promise<void> {
    let unclean = false;
    await this.#analyst.rest();
    try {
      await this.#writer?.settle();
      for (const number of this.#obsolete.splice(0)) {
        await this.#meta.removeAll(metaKey(number, ''));
        for (const name of Object.values(tableNames(number))) await this.#database.drop(name);
      }
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

/** Tables being filled behind the ones readers see. */
export interface NextGeneration {
  readonly writer: GenerationWriter;
  putMeta(key: string, value: unknown): Promise<void>;
}

function isComplete(fingerprint: Readonly<Record<string, string | number>>): fingerprint is Fingerprint {
  return typeof fingerprint.embedder === 'string' && typeof fingerprint.dimensions === 'number';
}

/** Made when missing. */
function openMeta(database: Database): Promise<Meta> {
  return Meta.open(database, leaseKey, free);
}

async function acquire(database: Database, options: WriterOptions): Promise<WriteLock> {
  const { address } = database;
  database.makeFolder(); // an error of its own where that cannot be
  if (address.kind === 'local') return lockFolder(join(address.directory, 'locks'), options);
  return lease(await openMeta(database), options);
}
