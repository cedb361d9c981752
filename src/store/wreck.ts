import { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';
import { type Damage, repairHint } from './checksums.ts';
import type { Database } from './database.ts';
import { type StoredDocument, storedDocuments } from './document-sums.ts';
import { readManifest } from './manifest.ts';
import { generationOf, metaTable, tableNames } from './schema.ts';
import { type Fingerprint, Meta, restoreMeta } from './state.ts';

/**
 * Every file that is not what was written, of the tables that readers see and of what is kept beside them. Tables of
 * other generations serve nobody; the next writer drops them.
 */
export async function damageOf(database: Database): Promise<readonly Damage[]> {
  const damage = await database.damage();
  const generations = damage.flatMap(({ table }) => generationOf(table) ?? []);
  if (generations.length === 0) return damage;
  const current = await new Wreck(database, damage).generation().catch(() => undefined);
  return current === undefined
    ? damage // the damage of the notes stands in the list
    : damage.filter(({ table }) => (generationOf(table) ?? current) === current);
}

/** An index with damaged files: what can be mended in place, and what can still be read. */
export class Wreck {
  readonly #database: Database;
  readonly #damage: readonly Damage[];

  constructor(database: Database, damage: readonly Damage[]) {
    this.#database = database;
    this.#damage = damage;
  }

  /**
   * Mends hints and the notes of the index, where they are damaged.
   * @returns whether the tables of documents are damaged
   */
  async mendNotes(): Promise<boolean> {
    const own = this.#damage.filter(({ table }) => table === metaTable);
    const isGone = !(await this.#database.names()).has(metaTable);
    if (isGone || own.some((one) => one.of === 'rows')) await restoreMeta(this.#database);
    else if (own.some((one) => one.of === 'sums')) {
      await this.#database.forget(metaTable);
      await new Meta(await this.#database.open(metaTable), this.#database).noted();
    }
    for (const one of this.#damage) if (one.of === 'hint') await this.#database.mendHint(one.table);
    const tables = new Set<string>(Object.values(tableNames((await this.#state()).number)));
    return this.#damage.some((one) => one.of !== 'hint' && tables.has(one.table));
  }

  /**
   * Drops damaged tables that stand beside the documents. Where only the checksums are damaged, makes these again.
   * @returns names of dropped tables
   */
  async mendKept(): Promise<string[]> {
    const dropped: string[] = [];
    const isKept = (name: string): boolean => name !== metaTable && generationOf(name) === undefined;
    const names = new Set(
      this.#damage
        .filter((one) => one.of !== 'hint')
        .map(({ table }) => table)
        .filter(isKept),
    );
    for (const name of names) {
      if (this.#damage.every((one) => one.table !== name || one.of !== 'rows')) {
        await this.#database.forget(name);
        await this.#database.note(name);
      } else {
        await this.#database.drop(name);
        dropped.push(name);
      }
    }
    return dropped;
  }

  async #state(): Promise<{ readonly number: number; readonly fingerprint: Fingerprint }> {
    const state = await new Meta(await this.#database.open(metaTable), this.#database).readState();
    if (state) return state.current;
    throw new IbidError('INDEX_DAMAGED', 'the state of the index is gone', repairHint);
  }

  /** The number of the generation that readers see. @throws IbidError INDEX_DAMAGED */
  async generation(): Promise<number> {
    return (await this.#state()).number;
  }

  async fingerprint(): Promise<Fingerprint> {
    return (await this.#state()).fingerprint;
  }

  /** The known documents and files by uri: by the manifest, or by the rows of documents if the manifest is damaged. */
  async known(): Promise<Map<string, { readonly mtimeMs: number; readonly chunks: number }>> {
    const { number } = await this.#state();
    const { documents } = tableNames(number);
    const known = new Map<string, { readonly mtimeMs: number; readonly chunks: number }>();
    if (this.#damage.some((one) => one.table === documents && one.of === 'rows')) {
      for await (const { uri, source, chunks } of this.documents()) {
        known.set(uri, { mtimeMs: source?.mtimeMs ?? 0, chunks: chunks.length });
      }
    } else {
      const manifest = await readManifest(await this.#database.open(documents));
      for (const { uri, mtimeMs, chunks } of manifest.values()) known.set(uri, { mtimeMs, chunks });
    }
    return known;
  }

  /** The documents as far as the database can read them. */
  async *documents(options: CallOptions = {}): AsyncGenerator<StoredDocument, void, undefined> {
    const { number, fingerprint } = await this.#state();
    try {
      const table = await this.#database.open(tableNames(number).chunks);
      yield* storedDocuments(table, fingerprint.dimensions, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      // Rows after this one cannot be read. What is damaged is known already.
      if (!(error instanceof IbidError || error instanceof SyntaxError)) throw error;
    }
  }

  /**
   * Documents whose rows are not what was written, or cannot be read.
   * @throws IbidError INDEX_DAMAGED when not even the notes can be read
   */
  async damagedDocuments(options: CallOptions = {}): Promise<string[]> {
    const { number } = await this.#state();
    const { chunks } = tableNames(number);
    if (!this.#damage.some((one) => one.table === chunks && one.of === 'rows')) return [];
    const found: string[] = [];
    const unread = new Set([...(await this.known())].flatMap(([uri, { chunks }]) => (chunks > 0 ? [uri] : [])));
    for await (const { uri, isSound } of this.documents(options)) {
      unread.delete(uri);
      if (!isSound) found.push(uri);
    }
    return [...found, ...unread].sort();
  }
}
