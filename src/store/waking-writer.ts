import { join } from 'node:path';
import { analysisVersion } from '../text/analysis/analysis.ts';
import { scratchFolder } from './address.ts';
import type { DocumentRecord, ManifestEntry, SegmentQueue } from './contract.ts';
import type { Database } from './database.ts';
import type { DocumentWriter, IndexWriter, NextGeneration, Rename, StoredManifest } from './index-contract.ts';
import { TableWriter, type WriterOptions } from './index-writer.ts';
import { lockFolder, type WriteLock } from './lock.ts';
import { type ManifestCopy, readManifestCopy } from './manifest-copy.ts';
import { generationOf, metaTable, tableNames } from './schema.ts';
import { BackgroundSegmentBuilder } from './segment-builder.ts';
import { hasLayout } from './shards/layout.ts';
import { checkFingerprint, type Fingerprint, parseState, type StoreState } from './state.ts';
import { metaKey } from './store.ts';

/** The facts about a local index that need no database. */
interface Known {
  readonly state: StoreState;
  readonly notes: Readonly<Record<string, string>>;
  readonly copy: ManifestCopy;
}

/**
 * Opens a local index for writing. While nothing is written, the database is not: a run over an unchanged folder needs
 * notes and manifest alone, and both have copies that name the versions of the tables they are of. The lock is held
 * from the beginning.
 * @returns undefined for an index that consists of shards: while this run waited for the lock, another may have made it
 */
export async function openTableWriter(database: Database, options: WriterOptions): Promise<IndexWriter | undefined> {
  const { address } = database;
  if (address.kind !== 'local') return await TableWriter.open(database, options);
  database.makeFolder();
  const lock = await lockFolder(join(address.directory, 'locks'), options);
  try {
    if (hasLayout(address.directory)) {
      await lock.release(lock.afterCrash);
      return undefined;
    }
    const known = options.damaged || lock.afterCrash ? undefined : await knownOf(database);
    const { fingerprint } = options;
    if (known && fingerprint) checkFingerprint(known.state.current.fingerprint, { ...fingerprint, analysisVersion });
    if (known) return new WakingWriter(database, lock, options, known);
  } catch (error) {
    await lock.release();
    throw error;
  }
  return await TableWriter.open(database, { ...options, lock });
}

/** Undefined where a writer has something to do before it may begin. @throws IbidError INDEX_DAMAGED, INDEX_SCHEMA */
async function knownOf(database: Database): Promise<Known | undefined> {
  database.tidy();
  const notes = database.notes?.newest();
  if (notes?.state === undefined) return undefined;
  const state = parseState(JSON.parse(notes.state));
  const { number } = state.current;
  const tables = [metaTable, ...Object.values(tableNames(number))];
  const found = await database.names();
  const others = [...found].filter((name) => generationOf(name) !== undefined && !tables.includes(name));
  if (state.next !== undefined || others.length > 0 || !database.hasSums(...tables)) return undefined;
  const pages = { folder: () => scratchFolder(database.address) };
  const [copy] = await Promise.all([readManifestCopy(database.address, number, pages), database.verify([metaTable])]);
  return copy && (await database.weigh(tables)) ? { state, notes, copy } : undefined;
}

/** A writer that opens its tables with the first change. */
class WakingWriter implements IndexWriter {
  readonly #database: Database;
  readonly #lock: WriteLock;
  readonly #options: WriterOptions;
  readonly #known: Known;
  readonly #builder: BackgroundSegmentBuilder;
  readonly #documents: DocumentWriter;
  #waking: Promise<TableWriter> | undefined;
  #awake: TableWriter | undefined;
  #closed = false;

  constructor(database: Database, lock: WriteLock, options: WriterOptions, known: Known) {
    this.#database = database;
    this.#lock = lock;
    this.#options = options;
    this.#known = known;
    const { builder, threaded, distantSegments: distant } = options;
    this.#builder = builder ?? new BackgroundSegmentBuilder({ threaded, distant });
    this.#documents = this.#documentWriter();
  }

  /** @throws IbidError INDEX_DAMAGED: files are compared before the first change */
  #wake(): Promise<TableWriter> {
    this.#lock.check();
    this.#waking ??= this.#open();
    return this.#waking;
  }

  async #open(): Promise<TableWriter> {
    const { copy } = this.#known;
    const given = { builder: this.#builder, lock: this.#lock, copy }; // which it also gives back
    this.#awake = await TableWriter.open(this.#database, { ...this.#options, ...given });
    return this.#awake;
  }

  /** The writer of the current generation, which may be another one after each call. */
  #documentWriter(): DocumentWriter {
    const current = async (): Promise<DocumentWriter> => (await this.#wake()).current;
    return {
      manifest: async (): Promise<StoredManifest> =>
        this.#waking ? await (await current()).manifest() : this.#known.copy.manifest,
      replaceDocuments: async (records: readonly DocumentRecord[]) => await (await current()).replaceDocuments(records),
      removeDocuments: async (uris: readonly string[]) => {
        if (uris.length > 0) await (await current()).removeDocuments(uris);
      },
      renameDocuments: async (renames: readonly Rename[]) => await (await current()).renameDocuments(renames),
      recordEntries: async (lines: readonly ManifestEntry[]) => {
        if (lines.length > 0) await (await current()).recordEntries(lines);
      },
      readDocument: async (uri: string) => await (await current()).readDocument(uri),
      readDocuments: async (uris: readonly string[]) => await (await current()).readDocuments(uris),
      putBlob: async (name: string, bytes: Uint8Array) => await (await current()).putBlob(name, bytes),
      getBlob: async (name: string) => await (await current()).getBlob(name),
      finish: async () => await (await current()).finish(),
    };
  }

  get fingerprint(): Fingerprint | undefined {
    return this.#awake ? this.#awake.fingerprint : this.#known.state.current.fingerprint;
  }

  get current(): DocumentWriter {
    this.#lock.check();
    return this.#documents;
  }

  get segments(): SegmentQueue {
    return this.#builder;
  }

  async initialise(fingerprint: Fingerprint): Promise<void> {
    await (await this.#wake()).initialise(fingerprint);
  }

  async getMeta(key: string): Promise<unknown> {
    if (this.#waking) return await (await this.#waking).getMeta(key);
    const { notes, state } = this.#known;
    const note = notes[metaKey(state.current.number, key)];
    return note === undefined ? undefined : JSON.parse(note); // of `Meta.put`
  }

  async putMeta(key: string, value: unknown): Promise<void> {
    await (await this.#wake()).putMeta(key, value);
  }

  async finish(): Promise<void> {
    await (await this.#wake()).finish();
  }

  async beginGeneration(fingerprint: Fingerprint): Promise<NextGeneration> {
    return await (await this.#wake()).beginGeneration(fingerprint);
  }

  async switchGeneration(next: NextGeneration): Promise<void> {
    await (await this.#wake()).switchGeneration(next);
  }

  async abandonGeneration(next: NextGeneration): Promise<void> {
    await (await this.#wake()).abandonGeneration(next);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const writer = await this.#waking?.catch(() => undefined);
    await writer?.close();
    if (!this.#waking) {
      await this.#builder.stop();
      await this.#lock.release();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
