import { randomUUID } from 'node:crypto';
import type { EmbedReceipt, VectorCache } from '../embed/service/contract.ts';
import type { Database } from './database.ts';
import { KeyValues } from './key-values.ts';

/** What the keys of receipts and notes begin with; those of vectors are hexadecimal. */
const RECEIPT = 'receipt ';
const NOTE = 'note ';

/**
 * Vectors that were paid for, kept beside the index: row after row, all of one length, with the number of rows in
 * front. They outlive the tables of the index, so that going back to a model costs nothing. The receipt of a request is
 * written in the same commit.
 *
 * Kept as int8 alone. The service also gives bits (`base64_binary`), but a bit of ours means "above 0" and one of
 * theirs "at least 0": where a component is 0 they differ, and int8 has zeros. Index and query must follow one rule,
 * and the second request would cost as much as the first, so the sign plane is always made from the int8 components.
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
    return [...found.values()].map((bytes) => JSON.parse(Buffer.from(bytes).toString()) as EmbedReceipt); // written by `put`
  }

  /** The newest text noted under a name. */
  async note(name: string): Promise<string | undefined> {
    const found = await this.#values.list(`${NOTE}${name} `);
    const newest = [...found.keys()].sort().at(-1);
    return newest === undefined ? undefined : Buffer.from(found.get(newest)!).toString();
  }

  /** Notes a text in place of what was noted before. @param name without blanks */
  async putNote(name: string, text: string): Promise<void> {
    const prefix = `${NOTE}${name} `;
    const before = [...(await this.#values.list(prefix)).keys()].sort();
    // values are never changed, so each is a row of its own: the highest number is the newest
    const number = Number(before.at(-1)?.slice(prefix.length) ?? 0) + 1;
    await this.#values.put(new Map([[`${prefix}${String(number).padStart(12, '0')}`, Buffer.from(text)]]));
    await this.#values.delete(before);
  }

  /** Of all vectors, of all models. */
  async keys(): Promise<string[]> {
    return (await this.#values.keys()).filter((key) => !key.includes(' '));
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
