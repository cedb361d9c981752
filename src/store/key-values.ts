import type { Table } from '@lancedb/lancedb';
import { IbidError } from '../core/errors.ts';
import { Binary, Field, Schema, Utf8 } from './arrow.ts';
import { buildTable } from './columns.ts';
import type { Database } from './database.ts';
import { guard } from './failure.ts';
import { sqlIn, sqlString } from './sql.ts';
import { scan } from './table-rows.ts';

const schema = new Schema([new Field('key', new Utf8(), false), new Field('value', new Binary(), false)]);

/** Keys per query. */
const KEYS_PER_QUERY = 512;
const ATTEMPTS = 5;
/** Tables that this process is opening or creating now. */
const opening = new Map<string, Promise<Table>>();
/** Each `put` is a commit with its own file; after this many, the files are joined. */
const PUTS_PER_COMPACTION = 64;

/**
 * A table of bytes by key, outside the generations: data that cost money or cannot be fetched again, such as billed
 * vectors and cited web pages. A value never changes after it is written, but it may be deleted. A key may be written
 * twice. Readers and several writers may work at the same time.
 */
export class KeyValues {
  readonly #database: Database;
  readonly #name: string;
  #table: Table | undefined;
  #puts = 0;

  constructor(database: Database, name: string) {
    this.#database = database;
    this.#name = name;
  }

  /** Values by key; unknown keys are left out. */
  async get(keys: readonly string[]): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    const table = keys.length === 0 ? undefined : await this.#open();
    if (!table) return found;
    await guard(`cannot read ${this.#name}`, () => table.checkoutLatest());
    for (let at = 0; at < keys.length; at += KEYS_PER_QUERY) {
      await this.#read(table, sqlIn('key', keys.slice(at, at + KEYS_PER_QUERY)), found);
    }
    return found;
  }

  /** All values whose keys begin with `prefix`. */
  async list(prefix: string): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    const table = await this.#open();
    if (!table) return found;
    await guard(`cannot read ${this.#name}`, () => table.checkoutLatest());
    await this.#read(table, `starts_with(key, ${sqlString(prefix)})`, found);
    return found;
  }

  /** All keys, in any order, without their values. */
  async keys(): Promise<string[]> {
    const table = await this.#open();
    if (!table) return [];
    await guard(`cannot read ${this.#name}`, () => table.checkoutLatest());
    const found = new Set<string>();
    for await (const batch of scan(table, { columns: ['key'] })) {
      const names = batch.getChild('key')!;
      for (let i = 0; i < batch.numRows; i++) found.add(names.get(i) as string); // the schema guarantees this type
    }
    return [...found];
  }

  /** Deletes keys; unknown keys are ignored. The next `compact` frees the bytes. */
  async delete(keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += KEYS_PER_QUERY) {
      const where = sqlIn('key', keys.slice(at, at + KEYS_PER_QUERY));
      await this.#write(
        () => this.#open(),
        (table) => table.delete(where),
      );
    }
  }

  /** Bytes on disk, including old versions; 0 for an index that is not in a local folder. */
  async bytes(): Promise<number> {
    return await this.#database.dataBytes(this.#name);
  }

  async #read(table: Table, where: string, into: Map<string, Uint8Array>): Promise<void> {
    for await (const batch of scan(table, { columns: ['key', 'value'], where })) {
      const names = batch.getChild('key')!;
      const values = batch.getChild('value')!;
      for (let i = 0; i < batch.numRows; i++) {
        // the schema has this type; a copy, because the batch is reused
        into.set(names.get(i) as string, Uint8Array.from(values.get(i) as Uint8Array));
      }
    }
  }

  /** Writes all entries in one commit. After the return, the values survive a crash. */
  async put(entries: ReadonlyMap<string, Uint8Array>): Promise<void> {
    if (entries.size === 0) return;
    const rows = buildTable(schema, entries.size, { key: [...entries.keys()], value: [...entries.values()] });
    await this.#write(
      () => this.#openOrCreate(),
      (table) => table.add(rows),
    );
    if (++this.#puts % PUTS_PER_COMPACTION === 0) await this.compact();
  }

  async #write(open: () => Promise<Table | undefined>, write: (table: Table) => Promise<unknown>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const table = await open();
      if (!table) return;
      try {
        await guard(`cannot write ${this.#name}`, () => write(table));
        await this.#database.note(this.#name);
        return;
      } catch (error) {
        // another writer created, rewrote or pruned the table at the same moment
        const collided =
          error instanceof IbidError &&
          /incompatible transaction|commit conflict|_versions\S* was not found/i.test(error.message);
        if (!collided || attempt === ATTEMPTS) throw error;
        this.#table = undefined;
      }
    }
  }

  async count(): Promise<number> {
    const table = await this.#open();
    if (!table) return 0;
    return await guard(`cannot count ${this.#name}`, async () => {
      await table.checkoutLatest();
      return await table.countRows();
    });
  }

  /** Joins small files and deletes old versions. */
  async compact(): Promise<void> {
    const table = await this.#open();
    if (!table) return;
    await this.#database.forget(this.#name); // a process that is killed now leaves no sums of deleted files
    await guard(`cannot compact ${this.#name}`, () => table.optimize({ cleanupOlderThan: new Date() }));
    await this.#database.note(this.#name);
  }

  /** @throws IbidError INDEX_DAMAGED */
  async #open(): Promise<Table | undefined> {
    await this.#database.verify([this.#name]);
    if (this.#table) return this.#table;
    const isThere = (await this.#database.names()).has(this.#name) && !(await this.#database.isStump(this.#name));
    if (isThere) this.#table = await this.#database.open(this.#name);
    return this.#table;
  }

  /** Creates one table at a time. Of two parallel creations, the second would delete the rows of the first. */
  async #openOrCreate(): Promise<Table> {
    if (this.#table) return this.#table;
    const key = `${this.#database.address.uri} ${this.#name}`;
    const before = opening.get(key);
    const making = Promise.allSettled([before]).then(
      async () => (await this.#open()) ?? (await this.#database.create(this.#name, schema)),
    );
    opening.set(key, making);
    try {
      this.#table = await making;
      return this.#table;
    } finally {
      if (opening.get(key) === making) opening.delete(key);
    }
  }
}
