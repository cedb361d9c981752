import { existsSync, mkdirSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Connection, connect, Session, type Table } from '@lancedb/lancedb';
import type { Table as ArrowTable, RecordBatch, Schema } from 'apache-arrow';
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

/** LanceDB with its errors turned into ours, and the few table operations the store is built from. */
export class Database {
  readonly address: Address;
  readonly #connection: Connection;

  private constructor(address: Address, connection: Connection) {
    this.address = address;
    this.#connection = connection;
  }

  /** Creates the folder of a local address when `create` is set. */
  static async connect(address: Address, options: DatabaseOptions & { readonly create: boolean }): Promise<Database> {
    const { storageOptions, apiKey, indexCacheBytes = 64 * 2 ** 20, metadataCacheBytes = 64 * 2 ** 20 } = options;
    if (address.kind === 'local') {
      if (options.create) makeFolder(address.directory);
      else if (!existsSync(join(address.uri, 'meta.lance'))) throw notFound(address);
    }
    const connection = await guard('cannot be opened', () =>
      connect(address.uri, {
        session: new Session(BigInt(indexCacheBytes), BigInt(metadataCacheBytes)),
        ...(storageOptions === undefined ? {} : { storageOptions: { ...storageOptions } }),
        ...(apiKey === undefined ? {} : { apiKey }),
      }),
    );
    return new Database(address, connection);
  }

  async names(): Promise<Set<string>> {
    const names = new Set<string>();
    for (let startAfter: string | undefined; ; ) {
      const page = await guard('cannot list its tables', () =>
        this.#connection.tableNames(startAfter === undefined ? { limit: 100 } : { limit: 100, startAfter }),
      );
      for (const name of page) names.add(name);
      if (page.length < 100) return names;
      startAfter = page.at(-1);
    }
  }

  /** A handle at the newest version; it stays there until told otherwise. @throws IbidError INDEX_DAMAGED when there is no such table */
  async open(name: string): Promise<Table> {
    try {
      return await this.#connection.openTable(name);
    } catch (cause) {
      const text = messageOf(cause);
      if (!/was not found/i.test(text))
        throw new IbidError('STORE_FAILED', `the database cannot open ${name}: ${text}`, { cause });
      throw new IbidError('INDEX_DAMAGED', `the index lacks its table ${name}`, {
        cause,
        hint: 'Remove the index and run `ibid ingest` again; the documents are not touched.',
      });
    }
  }

  /** An empty table whose row ids survive compaction, and updates of a row. */
  create(name: string, schema: Schema): Promise<Table> {
    return guard(`cannot create table ${name}`, () =>
      this.#connection.createEmptyTable(name, schema, {
        mode: 'create',
        existOk: true,
        storageOptions: { new_table_enable_stable_row_ids: 'true' },
      }),
    );
  }

  /** A table with its first rows, in one step: of several that come together one creates it and the others open it. */
  createWith(name: string, rows: ArrowTable): Promise<Table> {
    return guard(`cannot create table ${name}`, async () => {
      if ((await this.names()).has(name)) return this.#connection.openTable(name);
      return this.#connection.createTable(name, rows, { mode: 'create', existOk: true });
    });
  }

  drop(name: string): Promise<void> {
    return guard(`cannot drop table ${name}`, () => this.#connection.dropTable(name));
  }

  /**
   * Something that changes with every commit to a table of a local index and costs one `stat`; undefined where there is no such thing.
   * File systems round times to a few milliseconds, so a change that is very fresh gives undefined too.
   */
  async stamp(names: readonly string[]): Promise<string | undefined> {
    if (this.address.kind !== 'local') return undefined;
    const { uri } = this.address;
    try {
      const times = await Promise.all(
        names.map(async (name) => (await stat(join(uri, `${name}.lance`, '_versions'))).mtimeMs),
      );
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
    this.#connection.close();
  }
}

export function notFound(address: Address): IbidError {
  return new IbidError(
    'INDEX_NOT_FOUND',
    `there is no index at ${address.kind === 'local' ? address.directory : address.uri}`,
    {
      hint: 'Build one with `ibid ingest <folder>`, or name another place with --index.',
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
}

/** Record batches of a scan. */
export async function* scan(table: Table, { columns, where, withRowId }: ReadOptions): AsyncGenerator<RecordBatch> {
  let query = table.query().select([...columns]);
  if (where !== undefined) query = query.where(where);
  if (withRowId) query = query.withRowId();
  try {
    for await (const batch of query) if (batch.numRows > 0) yield batch;
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
