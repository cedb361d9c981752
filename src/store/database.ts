import { existsSync, mkdirSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, connect, Session, type Table } from '@lancedb/lancedb';
import type { Table as ArrowTable, Data, RecordBatch, Schema } from 'apache-arrow';
import { IbidError } from '../core/errors.ts';
import type { Address } from './address.ts';

export interface DatabaseOptions {
  /** Passed through to LanceDB: credentials, region, endpoint of an object store. */
  readonly storageOptions?: Readonly<Record<string, string>> | undefined;
  /** For `db://` addresses. */
  readonly apiKey?: string | undefined;
  /** Bounds of LanceDB's own caches. @default 67108864 each */
  readonly indexCacheBytes?: number | undefined;
  readonly metadataCacheBytes?: number | undefined;
}

const OPEN_ATTEMPTS = 4;
const leastCacheBytes = 2 ** 20;
const writingCacheBytes = 16 * 2 ** 20;

/** LanceDB with its errors turned into ours, and the few table operations the store is built from. */
export class Database {
  readonly address: Address;
  readonly #options: DatabaseOptions;
  #connection: Promise<Connection> | undefined;

  private constructor(address: Address, options: DatabaseOptions) {
    this.address = address;
    this.#options = options;
  }

  /**
   * Where `create` is set and a local folder is missing, it is made with the first table: who only looks leaves nothing
   * behind.
   */
  static async connect(address: Address, options: DatabaseOptions & { readonly create: boolean }): Promise<Database> {
    const database = new Database(address, options);
    if (address.kind === 'local') {
      if (!options.create && !existsSync(join(address.uri, 'meta.lance'))) throw notFound(address);
      const place = statSync(address.directory, { throwIfNoEntry: false });
      if (place === undefined) return database;
      if (!place.isDirectory()) makeFolder(address.directory); // says why it cannot
    }
    await database.#connected();
    return database;
  }

  /**
   * The same database through a connection of its own, for who writes, to be closed by whoever asked: every commit
   * leaves the list of fragments in the caches, longer each time, until they are full.
   */
  forWriting(): Database {
    if (this.address.kind === 'memory') return this; // another connection has another memory
    const { indexCacheBytes = writingCacheBytes, metadataCacheBytes = writingCacheBytes } = this.#options;
    return new Database(this.address, {
      ...this.#options,
      indexCacheBytes: Math.min(indexCacheBytes, writingCacheBytes),
      metadataCacheBytes: Math.min(metadataCacheBytes, writingCacheBytes),
    });
  }

  #connected(): Promise<Connection> {
    this.makeFolder();
    this.#connection ??= openConnection(this.address, this.#options);
    return this.#connection;
  }

  /** Makes the folder of a local index when it is missing. */
  makeFolder(): void {
    if (this.address.kind === 'local') makeFolder(this.address.directory);
  }

  async names(): Promise<Set<string>> {
    const names = new Set<string>();
    if (this.address.kind === 'local' && !existsSync(this.address.uri)) return names;
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
   * A handle at the newest version; it stays there until told otherwise. @throws IbidError INDEX_DAMAGED when there is
   * no such table
   */
  async open(name: string): Promise<Table> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await (await this.#connected()).openTable(name);
      } catch (cause) {
        const text = messageOf(cause);
        if (isMissing(text)) {
          throw new IbidError('INDEX_DAMAGED', `the index lacks its table ${name}`, {
            cause,
            hint: 'Remove the index and ingest again; the documents are not touched.',
          });
        }
        // between finding the newest version and reading it, a writer may have replaced and pruned it
        if (attempt === OPEN_ATTEMPTS)
          throw new IbidError('STORE_FAILED', `the database cannot open ${name}: ${text}`, { cause });
        await sleep(attempt * 20);
      }
    }
  }

  /** An empty table whose row ids survive compaction, and updates of a row. */
  create(name: string, schema: Schema): Promise<Table> {
    return guard(`cannot create table ${name}`, async () =>
      (await this.#connected()).createEmptyTable(name, schema, {
        mode: 'create',
        existOk: true,
        storageOptions: { new_table_enable_stable_row_ids: 'true' },
      }),
    );
  }

  /** A table with its first rows, in one step: of several that come together one creates it and the others open it. */
  createWith(name: string, rows: ArrowTable): Promise<Table> {
    return guard(`cannot create table ${name}`, async () => {
      const connection = await this.#connected();
      if ((await this.names()).has(name) && !(await this.isStump(name))) return this.open(name);
      return connection.createTable(name, rows, { mode: 'create', existOk: true });
    });
  }

  /** Whether a table has a name and no version: whoever began to make it was killed. */
  async isStump(name: string): Promise<boolean> {
    try {
      await (await this.#connected()).openTable(name);
      return false;
    } catch (cause) {
      return isMissing(messageOf(cause));
    }
  }

  /**
   * Lets `use` have a table through a connection that caches next to nothing: rewriting a table reads everything once,
   * and what would be kept of it stays in memory while the most is needed. `table` sees the outcome.
   */
  async uncached<T>(table: Table, use: (table: Table) => Promise<T>): Promise<T> {
    if (this.address.kind === 'memory') return use(table); // another connection has another memory
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

  drop(name: string): Promise<void> {
    return guard(`cannot drop table ${name}`, async () => (await this.#connected()).dropTable(name));
  }

  /**
   * Something that changes with every commit to a table of a local index and costs one `stat` a table; undefined where
   * there is no such thing. File systems round times to a few milliseconds, so a change that is very fresh gives
   * undefined too.
   */
  stamp(names: readonly string[]): string | undefined {
    if (this.address.kind !== 'local') return undefined;
    const { uri } = this.address;
    try {
      // Every query asks: 10 µs each here, where handing them to the thread pool and waiting for it took milliseconds
      // under load.
      const times = names.map((name) => statSync(join(uri, `${name}.lance`, '_versions')).mtimeMs);
      return times.some((time) => Date.now() - time < 100) ? undefined : times.join(' ');
    } catch {
      return undefined;
    }
  }

  /** Bytes of a table's data files, those of old versions included; 0 for a table that is not in a local folder. */
  async dataBytes(name: string): Promise<number> {
    if (this.address.kind !== 'local') return 0;
    const folder = join(this.address.uri, `${name}.lance`, 'data');
    try {
      const sizes = (await readdir(folder)).map(async (file) => (await stat(join(folder, file))).size);
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    } catch {
      return 0; // no rows yet, or a file went away meanwhile
    }
  }

  close(): void {
    this.#connection?.then((connection) => connection.close()).catch(() => {}); // it said why when it was made
  }
}

function openConnection(address: Address, options: DatabaseOptions): Promise<Connection> {
  const { storageOptions, apiKey, indexCacheBytes = 64 * 2 ** 20, metadataCacheBytes = 64 * 2 ** 20 } = options;
  return guard('cannot be opened', () =>
    connect(address.uri, {
      session: new Session(BigInt(indexCacheBytes), BigInt(metadataCacheBytes)),
      ...(storageOptions === undefined ? {} : { storageOptions: { ...storageOptions } }),
      ...(apiKey === undefined ? {} : { apiKey }),
    }),
  );
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

function makeFolder(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
  } catch (cause) {
    const isFile = (cause as NodeJS.ErrnoException).code === 'EEXIST'; // fs errors carry a code
    const why = isFile ? 'a file stands there' : messageOf(cause);
    throw new IbidError('STORE_FAILED', `cannot create the index folder ${directory}: ${why}`, {
      cause,
      hint: isFile ? 'An index is a folder; choose another name.' : 'Choose a folder you may write to.',
    });
  }
}

export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split(/, \/|\n/, 1)[0]!.trim(); // the database appends source paths of its own
}

/** Runs a database call; what it throws becomes STORE_FAILED. */
export async function guard<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof IbidError) throw cause;
    throw new IbidError('STORE_FAILED', `the database ${what}: ${messageOf(cause)}`, { cause });
  }
}

export interface ReadOptions {
  readonly columns: readonly string[];
  readonly where?: string | undefined;
  readonly withRowId?: boolean | undefined;
  /**
   * Whoever asks for the next batch is done with the one before and with every view of it: its memory is given back.
   * @default false
   */
  readonly lent?: boolean | undefined;
}

/** Record batches of a scan. */
export async function* scan(
  table: Table,
  { columns, where, withRowId, lent = false }: ReadOptions,
): AsyncGenerator<RecordBatch> {
  let query = table.query().select([...columns]);
  if (where !== undefined) query = query.where(where);
  if (withRowId) query = query.withRowId();
  try {
    for await (const batch of query) {
      if (batch.numRows > 0) yield batch;
      if (lent) giveBack(batch);
    }
  } catch (cause) {
    if (cause instanceof IbidError) throw cause;
    throw new IbidError('STORE_FAILED', `the database cannot read ${table.name}: ${messageOf(cause)}`, { cause });
  }
}

/** The rows of the given ids, in no promised order; ids that are gone are left out. */
export function take(table: Table, rowIds: ArrayLike<number>, columns: readonly string[]): Promise<ArrowTable> {
  return guard(`cannot read rows of ${table.name}`, () =>
    table
      .takeRowIds(Array.from(rowIds, BigInt))
      .select([...columns])
      .toArrow(),
  );
}

/** Adds rows to a table and gives their memory back. */
export async function addRows(table: Table, rows: ArrowTable): Promise<void> {
  await table.add(rows);
  giveBack(rows);
}

/**
 * Gives the memory of rows back that nobody looks at any more, whatever views there are of them. V8 does not know how
 * large it is: waiting for a collection left 100 MB and more of a scan of 256 MB behind.
 */
export function giveBack(rows: ArrowTable | RecordBatch): void {
  for (const { data } of 'batches' in rows ? rows.batches : [rows]) {
    for (const buffer of buffersOf(data)) {
      if (buffer.byteLength > Buffer.poolSize) buffer.transfer(0); // what is smaller may be shared with others
    }
  }
}

function* buffersOf(data: Data): Generator<ArrayBuffer> {
  const { values, valueOffsets, nullBitmap, typeIds } = data;
  for (const part of [values, valueOffsets, nullBitmap, typeIds]) {
    if (part?.buffer instanceof ArrayBuffer) yield part.buffer;
  }
  for (const child of data.children) yield* buffersOf(child);
}
