import { randomUUID } from 'node:crypto';
import type { EmbedReceipt, VectorCache } from '../embed/service/contract.ts';
import type { PrunableCache } from '../embed/service/prune-cache.ts';
import type { Database } from './database.ts';
import { KeyValues } from './key-values.ts';

/** Prefixes of the keys of receipts and notes. Keys of vectors are hexadecimal, behind a dot where they have a space. */
const RECEIPT = 'receipt ';
const NOTE = 'note ';

/**
 * Billed vectors, stored beside the index: the number of rows, then the rows, all of one length. They survive the
 * tables of the index, so a return to an earlier model costs nothing. The receipt of a request is in the same commit as
 * its vectors.
 *
 * Only int8 is stored. The service also returns bits (`base64_binary`), but its bits mean "at least 0" and ours mean
 * "above 0"; they differ where a component is 0, and int8 has zeros. Index and query must use one rule, and a second
 * request costs as much as the first, so the sign plane is always computed from int8.
 */
export class StoredVectors implements VectorCache {
  readonly #values: KeyValues;

  constructor(database: Database) {
    this.#values = new KeyValues(database, 'paid_vectors');
  }

  async get(keys: readonly string[]): Promise<ReadonlyMap<string, readonly Int8Array[]>> {
    const found = await this.#values.get(keys);
    return new Map([...found].map(([key, bytes]) => [key, unpack(bytes)]));
  }

  async put(entries: ReadonlyMap<string, readonly Int8Array[]>, receipt?: EmbedReceipt): Promise<void> {
    const rows = new Map([...entries].map(([key, vectors]) => [key, pack(vectors)]));
    if (receipt) rows.set(`${RECEIPT}${randomUUID()}`, Buffer.from(JSON.stringify(receipt)));
    await this.#values.put(rows);
  }

  async receipts(): Promise<readonly EmbedReceipt[]> {
    const found = await this.#values.list(RECEIPT);
    // written by `put`
    return [...found.values()].map((bytes) => JSON.parse(Buffer.from(bytes).toString()) as EmbedReceipt);
  }

  /** The newest note with this name. */
  async note(name: string): Promise<string | undefined> {
    const found = await this.#values.list(`${NOTE}${name} `);
    const newest = [...found.keys()].sort().at(-1);
    return newest === undefined ? undefined : Buffer.from(found.get(newest)!).toString();
  }

  /**
   * Replaces the note with this name.
   * @param name without spaces
   */
  async putNote(name: string, text: string): Promise<void> {
    const prefix = `${NOTE}${name} `;
    const before = [...(await this.#values.list(prefix)).keys()].sort();
    // values never change, so each note is a new row; the highest number is the newest
    const number = Number(before.at(-1)?.slice(prefix.length) ?? 0) + 1;
    await this.#values.put(new Map([[`${prefix}${String(number).padStart(12, '0')}`, Buffer.from(text)]]));
    await this.#values.delete(before);
  }

  /** Keys of all vectors of all models. */
  async keys(): Promise<string[]> {
    return (await this.#values.keys()).filter((key) => !key.includes(' '));
  }

  /** The spaces that keys begin with; undefined for the models of the service. */
  async spaces(): Promise<ReadonlySet<string | undefined>> {
    return new Set((await this.keys()).map(spaceOf));
  }

  /** The vectors of one space, with notes of their own. */
  inSpace(space: string | undefined): PrunableCache {
    const named = (name: string): string => (space === undefined ? name : `${name}.${space}`);
    return {
      keys: async () => (await this.keys()).filter((key) => spaceOf(key) === space),
      remove: (keys) => this.remove(keys),
      note: (name) => this.note(named(name)),
      putNote: (name, text) => this.putNote(named(name), text),
    };
  }

  /** Deletes vectors and frees their bytes. */
  async remove(keys: readonly string[]): Promise<void> {
    await this.#values.delete(keys);
    await this.#values.compact();
  }

  bytes(): Promise<number> {
    return this.#values.bytes();
  }

  async compact(): Promise<void> {
    await this.#values.compact();
  }
}

function spaceOf(key: string): string | undefined {
  const end = key.lastIndexOf('.');
  return end < 0 ? undefined : key.slice(0, end);
}

function pack(rows: readonly Int8Array[]): Uint8Array {
  const width = rows[0]?.length ?? 0;
  const bytes = new Uint8Array(4 + rows.length * width);
  new DataView(bytes.buffer).setUint32(0, rows.length, true);
  rows.forEach((row, i) => {
    bytes.set(new Uint8Array(row.buffer, row.byteOffset, row.length), 4 + i * width);
  });
  return bytes;
}

function unpack(bytes: Uint8Array): Int8Array[] {
  const rows = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const width = rows === 0 ? 0 : (bytes.length - 4) / rows;
  return Array.from({ length: rows }, (_, i) => new Int8Array(bytes.slice(4 + i * width, 4 + (i + 1) * width).buffer));
}
