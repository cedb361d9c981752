import { join } from 'node:path';
import { IbidError } from '../core/errors.ts';
import { analysisVersion } from '../text/analysis/analysis.ts';
import type { SignCalibration } from '../vector/calibrate.ts';
import { measure, needsCalibration } from './calibration.ts';
import type { SegmentQueue } from './contract.ts';
import { type Database, guard } from './database.ts';
import { free, lease, leaseKey } from './lease.ts';
import { type LockOptions, lockFolder, type WriteLock } from './lock.ts';
import { metaTable, schemaVersion, tableNames } from './schema.ts';
import { BackgroundSegmentBuilder } from './segment-builder.ts';
import { checkFingerprint, type Fingerprint, type Generation, Meta, type StoreState } from './state.ts';
import { calibrationKey, metaKey } from './store.ts';
import { GenerationWriter } from './writer.ts';

export interface WriterOptions extends LockOptions {
  /**
   * Compared with the index when there is one; builds it when there is none and `embedder` and `dimensions` are named.
   */
  readonly fingerprint?: Readonly<Record<string, string | number>> | undefined;
}

/** The writing side of an index; one at a time. */
export class IndexWriter {
  readonly #database: Database;
  readonly #lock: WriteLock;
  readonly #meta: Meta;
  #state: StoreState | undefined;
  #writer: GenerationWriter | undefined;
  readonly #segments = new BackgroundSegmentBuilder();
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
    this.#writer = await GenerationWriter.open(this.#database, current, this.#lock.afterCrash, this.#segments);
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
    this.#writer = await GenerationWriter.create(this.#database, generation, this.#segments);
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

  /**
   * Writes to the tables that readers see; another object once a next generation is switched to.
   * @throws IbidError INVALID_ARGUMENT while there is no index, INDEX_LOCKED when the right to write is lost
   */
  get current(): GenerationWriter {
    if (!this.#writer) {
      throw new IbidError('INVALID_ARGUMENT', 'there is no index to write to yet', { hint: 'Call initialise first.' });
    }
    this.#lock.check();
    return this.#writer;
  }

  /** For the next `replaceDocuments` of this writer or of its next generation. */
  get segments(): SegmentQueue {
    return this.#segments;
  }

  putMeta(key: string, value: unknown): Promise<void> {
    return this.#meta.put(metaKey(this.current.generation.number, key), value);
  }

  async getMeta(key: string): Promise<unknown> {
    return this.#state && this.#meta.get(metaKey(this.#state.current.number, key));
  }

  /** Merges, compacts and prunes where it pays; call it at the end of a run that changed something. */
  async finish(): Promise<void> {
    const { tables, generation } = this.current;
    await this.#segments.stop(); // its memory goes before merging and compaction need theirs
    await this.current.finish();
    await this.current.tidy(this.#meta.table);
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
   * Starts a second set of tables beside the one readers see, to be filled and then switched to. What became of it when
   * the run ends without a switch is removed by the next writer.
   */
  async beginGeneration(fingerprint: Fingerprint): Promise<NextGeneration> {
    const { number: current } = this.current.generation;
    const state = this.#state!;
    if (state.next) throw new IbidError('INVALID_ARGUMENT', 'a next generation is being built already');
    const number = Math.max(current, state.last ?? 0) + 1;
    const next: Generation = { number, fingerprint: { ...fingerprint, analysisVersion } };
    await this.#writeState({ ...state, next, last: number });
    const writer = await GenerationWriter.create(this.#database, next, this.#segments);
    return { writer, putMeta: (key, value) => this.#meta.put(metaKey(next.number, key), value) };
  }

  /**
   * From here on readers, and this writer, see the next generation: one atomic change. The old tables go at `close`.
   */
  async switchGeneration({ writer }: NextGeneration): Promise<void> {
    const { number } = this.current.generation;
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
    await this.#segments.stop();
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
