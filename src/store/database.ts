import { existsSync, statSync, writeFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, connect, Session, type Table } from '@lancedb/lancedb';
import type { Table as ArrowTable, Schema } from 'apache-arrow';
import { IbidError } from '../core/errors.ts';
import { makeFolders } from '../core/files.ts';
import { type Address, checkEntrance, copiesFolder, isIndexFolder, tablesIn } from './address.ts';
import { Checksums, type Damage, type VerifyOptions } from './checksums.ts';
import { databaseFailed, databaseMessageOf, guard, silentStore } from './failure.ts';
import { NotesCopy } from './notes-copy.ts';

export interface DatabaseOptions {
  /** Passed to LanceDB: credentials, region, endpoint of an object store. */
  readonly storageOptions?: Readonly<Record<string, string>> | undefined;
  /** For `db://` addresses. */
  readonly apiKey?: string | undefined;
  /** Bounds of LanceDB's own caches. @default 67108864 each */
  readonly indexCacheBytes?: number | undefined;
  readonly metadataCacheBytes?: number | undefined;
}

const OPEN_ATTEMPTS = 4;
/** How long an object store may take until its first answers are there. */
const MOST_OPEN_MS = 60_000;
const leastCacheBytes = 2 ** 20;
const writingCacheBytes = 16 * 2 ** 20;

/** A connection to LanceDB that throws `IbidError`, with the table operations that the store needs. */
export class Database {
  readonly address: Address;
  /** Of a local index. */
  readonly notes: NotesCopy | undefined;
  readonly #checksums: Checksums | undefined;
  readonly #options: DatabaseOptions;
  #connection: Promise<Connection> | undefined;

  private constructor(
    address: Address,
    options: DatabaseOptions,
    notes = address.kind === 'local' ? new NotesCopy(address.directory) : undefined,
    checksums = address.kind === 'local' ? new Checksums(address.directory, notes) : undefined,
  ) {
    this.address = address;
    this.notes = notes;
    this.#checksums = checksums;
    this.#options = options;
  }

  /**
   * With `create`, a missing local folder is made together with the first table, so that a run that only reads leaves
   * no folder.
   * @throws IbidError INDEX_NOT_FOUND without `create`, when a local folder has no index; FILE_UNREADABLE
   */
  static async connect(address: Address, options: DatabaseOptions & { readonly create: boolean }): Promise<Database> {
    const database = new Database(address, options);
    if (address.kind === 'local') {
      checkEntrance(address);
      if (!options.create && !isIndexFolder(address.directory)) throw notFound(address);
      const place = statSync(address.directory, { throwIfNoEntry: false });
      if (place?.isDirectory() === false) makeIndexFolder(address.directory); // throws: the folder cannot be made
    }
    return database; // connects when a table is read: an unchanged folder needs none, a copy answers without the store
  }

  /**
   * The same database through another connection with small caches, for a writer. The caller closes it. Each commit
   * adds a longer list of fragments to the caches until they are full.
   */
  forWriting(): Database {
    if (this.address.kind === 'memory') return this; // another connection would have another memory
    const { indexCacheBytes = writingCacheBytes, metadataCacheBytes = writingCacheBytes } = this.#options;
    const caches = {
      indexCacheBytes: Math.min(indexCacheBytes, writingCacheBytes),
      metadataCacheBytes: Math.min(metadataCacheBytes, writingCacheBytes),
    };
    return new Database(this.address, { ...this.#options, ...caches }, this.notes, this.#checksums);
  }

  /** The address, with the options that say in whose store it is: the same path may be an index in each. */
  get place(): string {
    const options = Object.entries(this.#options.storageOptions ?? {});
    const where = options.filter(([name]) => /account_?name|endpoint/i.test(name)).sort();
    return where.length === 0 ? this.address.uri : JSON.stringify([this.address.uri, where]);
  }

  #connected(): Promise<Connection> {
    this.makeFolder();
    this.#connection ??= openConnection(this.address, this.#options).catch((error: unknown) => {
      this.#connection = undefined; // a store that could not be reached may be there the next time
      throw error;
    });
    return this.#connection;
  }

  /** Makes the folder of a local index when it is missing. */
  makeFolder(): void {
    if (this.address.kind === 'local') makeIndexFolder(this.address.directory);
  }

  async names(): Promise<Set<string>> {
    const names = new Set<string>();
    if (this.address.kind === 'local') return tablesIn(this.address.uri);
    const connection = await this.#connected();
    for (let startAfter: string | undefined; ; ) {
      const page = await guard('cannot list its tables', () =>
        connection.tableNames(startAfter === undefined ? { limit: 100 } : { limit: 100, startAfter }),
      );
      for (const name of page) names.add(name);
      if (page.length < 100) return names;
      startAfter = page.at(-1);
    }
  }

  /**
   * Opens a table at its newest version. The handle stays at that version until `checkoutLatest`.
   * @throws IbidError INDEX_DAMAGED when the table does not exist; INDEX_NOT_FOUND where the whole index is gone, whose
   * folder is not made then
   */
  async open(name: string): Promise<Table> {
    const { address } = this;
    if (address.kind === 'local' && !existsSync(address.uri)) throw notFound(address);
    for (let attempt = 1; ; attempt++) {
      const connection = await this.#connected();
      try {
        return await connection.openTable(name);
      } catch (cause) {
        const text = databaseMessageOf(cause);
        if (isMissing(text)) {
          throw new IbidError('INDEX_DAMAGED', `the index lacks its table ${name}`, {
            cause,
            hint: 'Remove the index and ingest again; the documents are not touched.',
          });
        }
        // a writer may replace and prune the newest version before it is read
        if (attempt === OPEN_ATTEMPTS) throw databaseFailed(`cannot open ${name}`, cause);
        await sleep(attempt * 20);
      }
    }
  }

  /** Creates an empty table with stable row ids: they do not change in a compaction or an update. */
  create(name: string, schema: Schema): Promise<Table> {
    return guard(`cannot create table ${name}`, async () =>
      (await this.#connected()).createEmptyTable(name, schema, {
        mode: 'create',
        existOk: true,
        storageOptions: { new_table_enable_stable_row_ids: 'true' },
      }),
    );
  }

  /**
   * Creates a table with its first rows, in one step. When several callers do this at once, one creates the table and
   * the others open it.
   */
  createWith(name: string, rows: ArrowTable): Promise<Table> {
    return guard(`cannot create table ${name}`, async () => {
      const connection = await this.#connected();
      if ((await this.names()).has(name) && !(await this.isStump(name))) return this.open(name);
      try {
        return await connection.createTable(name, rows, { mode: 'create', existOk: true });
      } catch (cause) {
        // another caller was faster by less than a check; of a meta table, the schema is each caller's own
        if (!/commit conflict|schema does not match/i.test(databaseMessageOf(cause))) throw cause;
        return this.open(name);
      }
    });
  }

  /** True when a table has a name but no version: the process that created it was killed. */
  async isStump(name: string): Promise<boolean> {
    try {
      await (await this.#connected()).openTable(name);
      return false;
    } catch (cause) {
      return isMissing(databaseMessageOf(cause));
    }
  }

  /**
   * Calls `use` with a table whose connection has almost no cache. A rewrite reads all data once; a cache would keep
   * this data while the rewrite needs the most memory. Afterwards `table` is at the new version.
   */
  async uncached<T>(table: Table, use: (table: Table) => Promise<T>): Promise<T> {
    if (this.address.kind === 'memory') return use(table); // another connection would have another memory
    const { name } = table;
    const caches = { indexCacheBytes: leastCacheBytes, metadataCacheBytes: leastCacheBytes };
    const connection = await openConnection(this.address, { ...this.#options, ...caches });
    try {
      const other = await guard(`cannot open ${name}`, () => connection.openTable(name));
      try {
        return await use(other);
      } finally {
        other.close();
      }
    } finally {
      connection.close();
      await guard(`cannot refresh ${name}`, () => table.checkoutLatest());
    }
  }

  async drop(name: string): Promise<void> {
    await this.#checksums?.forget(name);
    await guard(`cannot drop table ${name}`, async () => (await this.#connected()).dropTable(name));
    const copies = copiesFolder(this.address, name);
    // Windows keeps what a reader has open; nothing is read from it any more
    if (copies !== undefined) await rm(copies, { recursive: true, force: true }).catch(() => {});
  }

  /** Writes the file again that names the newest version of a table. */
  async mendHint(name: string): Promise<void> {
    await this.#checksums?.mendHint(name);
  }

  /** Forgets the checksums of a table. */
  async forget(name: string): Promise<void> {
    await this.#checksums?.forget(name);
  }

  /** Notes the checksums of what a commit has added to these tables. */
  async note(...names: string[]): Promise<void> {
    await this.#checksums?.note(names);
  }

  /** False where a version without checksums has written one of these tables. */
  hasSums(...names: string[]): boolean {
    return this.#checksums?.hasSums(names) ?? true;
  }

  /** Removes what killed writers left half written beside the tables. */
  tidy(): void {
    this.#checksums?.tidy();
  }

  /** Compares the files of these tables with their checksums, each once. @throws IbidError INDEX_DAMAGED */
  async verify(names: readonly string[], options: VerifyOptions = {}): Promise<void> {
    await this.#checksums?.verify(names, options);
  }

  /** For a writer whose last one ended in order: none was killed while it pruned. @throws IbidError INDEX_DAMAGED */
  async checkComplete(names: readonly string[]): Promise<void> {
    const lost = await this.#checksums?.lost(names);
    if (lost) throw lost;
  }

  /** The error for a table that could not be read: INDEX_DAMAGED where a file of it is lost, else `error`. */
  async explained(error: unknown, names: readonly string[]): Promise<unknown> {
    if (!(error instanceof IbidError) || error.code !== 'STORE_FAILED') return error;
    return (await this.#checksums?.lost(names)) ?? error;
  }

  /** Compares the sizes of the files of these tables, and what this process knows of their bytes. */
  async weigh(names: readonly string[]): Promise<boolean> {
    return (await this.#checksums?.weigh(names)) ?? false;
  }

  /** Every file that is not what was written; empty where the index is in no local folder. */
  async damage(): Promise<readonly Damage[]> {
    return (await this.#checksums?.damage()) ?? [];
  }

  /** How many files of these tables have a checksum. */
  async checksums(...names: string[]): Promise<number> {
    return (await this.#checksums?.count(names)) ?? 0;
  }

  /**
   * A text that changes with every commit to these tables, at the cost of one `stat` per table. Undefined for an index
   * that is not local. Undefined too within 100 ms of a change, because file systems round times to a few milliseconds.
   */
  stamp(names: readonly string[]): string | undefined {
    if (this.address.kind !== 'local') return undefined;
    const { uri } = this.address;
    try {
      // Every query calls this. A synchronous `stat` takes 10 µs; an asynchronous one took milliseconds under load.
      const times = names.map((name) => statSync(join(uri, `${name}.lance`, '_versions')).mtimeMs);
      return times.some((time) => Date.now() - time < 100) ? undefined : times.join(' ');
    } catch {
      return undefined;
    }
  }

  /** Bytes of the data files of a table, including old versions; 0 for a table that is not in a local folder. */
  async dataBytes(name: string): Promise<number> {
    if (this.address.kind !== 'local') return 0;
    const folder = join(this.address.uri, `${name}.lance`, 'data');
    try {
      const sizes = (await readdir(folder)).map(async (file) => (await stat(join(folder, file))).size);
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    } catch {
      return 0; // no rows yet, or a file was deleted during the count
    }
  }

  /** Opens the next table through a new connection: the caches of the old one describe tables that are gone. */
  reconnect(): void {
    this.close();
    this.#connection = undefined;
  }

  close(): void {
    // the error was thrown where the connection was opened
    this.#connection?.then((connection) => connection.close()).catch(() => {});
  }
}

function openConnection(address: Address, options: DatabaseOptions): Promise<Connection> {
  const { storageOptions, apiKey, indexCacheBytes = 64 * 2 ** 20, metadataCacheBytes = 64 * 2 ** 20 } = options;
  const open = (): Promise<Connection> =>
    connect(address.uri, {
      session: new Session(BigInt(indexCacheBytes), BigInt(metadataCacheBytes)),
      ...(storageOptions === undefined ? {} : { storageOptions: { ...storageOptions } }),
      ...(apiKey === undefined ? {} : { apiKey }),
    });
  return guard('cannot be opened', () => (address.kind === 'remote' ? inTime(open()) : open()));
}

/** The database itself waits twelve minutes for a store that is silent. @throws IbidError STORE_FAILED */
async function inTime(opened: Promise<Connection>): Promise<Connection> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), MOST_OPEN_MS);
  const connection = await Promise.race([opened, late.promise]).finally(() => clearTimeout(timer));
  if (connection) return connection;
  opened.then((unwanted) => unwanted.close()).catch(() => {});
  throw silentStore(MOST_OPEN_MS);
}

function isMissing(message: string): boolean {
  return /table\b.*was not found/i.test(message);
}

export function notFound(address: Address): IbidError {
  return new IbidError(
    'INDEX_NOT_FOUND',
    `there is no index at ${address.kind === 'local' ? address.directory : address.uri}`,
    {
      hint: 'Open it with `create: true` and ingest a folder, or open another address.',
    },
  );
}

/** Git sees nothing of a folder that is made. @throws IbidError STORE_FAILED */
export function makeIndexFolder(directory: string): void {
  try {
    const made = makeFolders(directory);
    if (made !== undefined) writeFileSync(join(directory, '.gitignore'), '*\n'); // an index is made, not written
  } catch (cause) {
    const isFile = (cause as NodeJS.ErrnoException).code === 'EEXIST'; // fs errors have a code
    const why = isFile ? 'a file has this name' : databaseMessageOf(cause);
    throw new IbidError('STORE_FAILED', `cannot create the index folder ${directory}: ${why}`, {
      cause,
      hint: isFile ? 'An index is a folder; choose another name.' : 'Choose a folder you may write to.',
    });
  }
}
