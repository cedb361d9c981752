import { randomUUID } from 'node:crypto';
import type { Table } from '@lancedb/lancedb';
import { IbidError } from '../core/errors.ts';
import { Schema } from './arrow.ts';
import { buildTable } from './columns.ts';
import type { Database } from './database.ts';
import { guard } from './failure.ts';
import { metaSchema, metaTable, schemaVersion } from './schema.ts';
import { sqlString } from './sql.ts';
import { scan } from './table-rows.ts';

/** The choices that shaped an index. Vectors and postings of different fingerprints cannot be mixed. */
export interface Fingerprint {
  readonly embedder: string;
  readonly dimensions: number;
  readonly [part: string]: string | number;
}

export interface Generation {
  readonly number: number;
  readonly fingerprint: Fingerprint;
}

export interface StoreState {
  readonly schema: number;
  /** The generation readers see. */
  readonly current: Generation;
  /** The generation that is being built. */
  readonly next?: Generation | undefined;
  /** The highest number so far. Numbers are not used again: caches may hold a dropped table of that name. */
  readonly last?: number | undefined;
}

/**
 * Key under which `Meta.notes` says which index this is. The schema of the table carries it, so it is known without a
 * request: an index that is removed and made again has the same names and may have the same versions.
 */
export const madeKey = 'made';

interface ReadNotes {
  readonly version: number;
  readonly made: string | undefined;
  readonly notes: Readonly<Record<string, string>>;
}

/** Key/value rows: the state of the index, and notes about generations. */
export class Meta {
  readonly #database: Database;
  #table: Table | undefined;
  /** All rows of one version. */
  #read: ReadNotes | undefined;

  /** @param table absent: opened when the copy of the notes beside a local index is not enough */
  constructor(table: Table | undefined, database: Database) {
    this.#table = table;
    this.#database = database;
  }

  async table(): Promise<Table> {
    this.#table ??= await this.#database.open(metaTable);
    return this.#table;
  }

  /** Opens the meta table, or creates it with one first row. */
  static async open(database: Database, key: string, value: unknown): Promise<Meta> {
    return new Meta(await database.createWith(metaTable, metaRow(key, value, ofNewIndex())), database);
  }

  async get(key: string): Promise<unknown> {
    await this.#database.verify([metaTable]);
    const value = (await this.notes())[key];
    if (value === undefined) return undefined;
    try {
      return JSON.parse(value);
    } catch (cause) {
      throw new IbidError('INDEX_DAMAGED', `the index's note "${key}" is not JSON`, { cause });
    }
  }

  async put(key: string, value: unknown): Promise<void> {
    const row = metaRow(key, value);
    const table = await this.table();
    await guard('cannot write meta', () =>
      table.mergeInsert('key').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(row),
    );
    await this.noted();
  }

  /** Notes what a commit has changed: checksums, and a copy of the rows. For a local index. */
  async noted(): Promise<void> {
    if (this.#database.address.kind !== 'local') return;
    await this.#database.note(metaTable);
    const { version, notes } = await this.#stored();
    this.#database.notes?.keep(notes, version);
  }

  /**
   * Replaces the value `before` by `next`.
   * @returns false when the stored value is not `before`
   */
  async swap(key: string, before: unknown, next: unknown): Promise<boolean> {
    const row = metaRow(key, next);
    const where = `target.value = ${sqlString(JSON.stringify(before))}`;
    const table = await this.table();
    try {
      const { numUpdatedRows } = await guard('cannot write meta', async () => {
        await table.checkoutLatest(); // the files of the version that was read before may be gone
        return await table.mergeInsert('key').whenMatchedUpdateAll({ where }).execute(row);
      });
      return numUpdatedRows > 0;
    } catch (error) {
      // Other writers committed more often than the database retries: the value is theirs now.
      if (error instanceof IbidError && /commit conflict/i.test(error.message)) return false;
      throw error;
    }
  }

  /** All notes, as JSON texts by key. They are few and short, and read once for each version. */
  async notes(): Promise<Readonly<Record<string, string>>> {
    return this.#database.notes?.newest() ?? (await this.#stored()).notes;
  }

  async #stored(): Promise<ReadNotes> {
    const table = await this.table();
    const [version, made] = await guard('cannot refresh meta', async () => {
      await table.checkoutLatest();
      return [await table.version(), (await table.schema()).metadata.get(madeKey)] as const;
    });
    if (this.#read?.version !== version || this.#read.made !== made) {
      const notes = await readNotes(table);
      this.#read = { version, made, notes: made === undefined ? notes : { ...notes, [madeKey]: JSON.stringify(made) } };
    }
    return this.#read;
  }

  /** Removes all rows whose key begins with `prefix`. */
  async removeAll(prefix: string): Promise<void> {
    const table = await this.table();
    await guard('cannot write meta', () => table.delete(`starts_with(key, ${sqlString(prefix)})`));
    await this.noted();
  }

  async readState(): Promise<StoreState | undefined> {
    const value = await this.get('state');
    return value === undefined ? undefined : parseState(value);
  }

  writeState(state: StoreState): Promise<void> {
    return this.put('state', state);
  }
}

async function readNotes(table: Table): Promise<Record<string, string>> {
  const notes: Record<string, string> = {};
  for await (const batch of scan(table, { columns: ['key', 'value'] })) {
    for (let i = 0; i < batch.numRows; i++) {
      notes[batch.getChild('key')!.get(i) as string] = batch.getChild('value')!.get(i) as string; // the schema says so
    }
  }
  return notes;
}

/** Writes the notes of an index anew from the copy beside it. @throws IbidError INDEX_DAMAGED without a copy */
export async function restoreMeta(database: Database): Promise<void> {
  const notes = database.notes?.read();
  if (notes === undefined) {
    throw new IbidError('INDEX_DAMAGED', 'the notes of the index are damaged, and so is their copy', {
      hint: 'Remove the index and ingest again; the documents are not touched.',
    });
  }
  await database.drop(metaTable);
  database.reconnect();
  const { [madeKey]: _, ...kept } = notes;
  const rows = { key: Object.keys(kept), value: Object.values(kept) };
  const table = buildTable(ofNewIndex(), rows.key.length, rows);
  await new Meta(await database.createWith(metaTable, table), database).noted();
}

/** The schema of a meta table that is like no other. */
function ofNewIndex(): typeof metaSchema {
  return new Schema(metaSchema.fields, new Map([[madeKey, randomUUID()]]));
}

function metaRow(key: string, value: unknown, schema = metaSchema): ReturnType<typeof buildTable> {
  return buildTable(schema, 1, { key: [key], value: [JSON.stringify(value)] });
}

/** @throws IbidError INDEX_SCHEMA for another schema version, INDEX_DAMAGED for an unreadable state */
export function parseState(value: unknown): StoreState {
  const state = value as Partial<StoreState> | null; // checked field by field
  if (typeof state?.schema === 'number' && state.schema !== schemaVersion) {
    throw new IbidError(
      'INDEX_SCHEMA',
      `the index has schema version ${state.schema}; this version of ibid reads and writes ${schemaVersion}`,
      {
        hint:
          state.schema > schemaVersion
            ? 'Update ibid, or build the index again into another folder.'
            : 'Build the index again: remove it and ingest again.',
      },
    );
  }
  if (typeof state?.schema !== 'number' || !isGeneration(state.current) || (state.next && !isGeneration(state.next))) {
    throw new IbidError('INDEX_DAMAGED', 'the state of the index is not readable', {
      hint: 'Remove the index and ingest again; the documents are not touched.',
    });
  }
  return state as StoreState; // all fields checked above
}

function isGeneration(value: unknown): value is Generation {
  const generation = value as Partial<Generation> | null | undefined; // checked here
  return (
    Number.isInteger(generation?.number) &&
    typeof generation?.fingerprint?.embedder === 'string' &&
    Number.isInteger(generation.fingerprint.dimensions)
  );
}

/**
 * Compares the caller's fingerprint with the index's. Parts that the caller does not give are not compared.
 * @throws IbidError INDEX_MISMATCH
 */
export function checkFingerprint(index: Fingerprint, wanted: Readonly<Record<string, string | number>>): void {
  for (const [part, value] of Object.entries(wanted)) {
    if (index[part] === value) continue;
    const was = index[part] === undefined ? 'nothing' : JSON.stringify(index[part]);
    const [user, used] = part.endsWith('Version') ? ['version of ibid', 'version of ibid'] : ['run', 'settings'];
    const again = 'ingest the same folders with `rebuild: true`';
    throw new IbidError(
      'INDEX_MISMATCH',
      `the index was built with ${part} ${was}, this ${user} uses ${JSON.stringify(value)}`,
      { hint: `Use the ${used} the index was built with, or ${again}.` },
    );
  }
}
