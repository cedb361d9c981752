import { createHash, randomUUID } from 'node:crypto';
import type { TranscriptCache, TranscriptReceipt } from '../transcribe/contract.ts';
import type { Database } from './database.ts';
import { KeyValues } from './key-values.ts';

/** Prefixes of the keys of receipts and of names of speakers. Keys of transcripts are hexadecimal. */
const RECEIPT = 'receipt ';
const NAMES = 'names ';

/** Names of speakers of one recording, or of all recordings below a folder. */
interface StoredNames {
  readonly uri: string;
  readonly names: Readonly<Record<string, string>>;
  /** When they were given, in ms since 1970. */
  readonly at: number;
}

/**
 * Transcripts that were made, and the names of their speakers, stored beside the index: they survive its tables. The
 * receipt of a request is in the same commit as its transcript.
 */
export class StoredTranscripts implements TranscriptCache {
  readonly #values: KeyValues;

  constructor(database: Database) {
    this.#values = new KeyValues(database, 'paid_transcripts');
  }

  async get(key: string): Promise<unknown> {
    const bytes = (await this.#values.get([key])).get(key);
    return bytes && JSON.parse(Buffer.from(bytes).toString());
  }

  async put(key: string, value: unknown, receipt?: TranscriptReceipt): Promise<void> {
    const rows = new Map([[key, asBytes(value)]]);
    if (receipt) rows.set(`${RECEIPT}${randomUUID()}`, asBytes(receipt));
    await this.#values.put(rows);
  }

  async remove(key: string): Promise<void> {
    await this.#values.delete([key]);
  }

  async receipts(): Promise<readonly TranscriptReceipt[]> {
    return parsed<TranscriptReceipt>(await this.#values.list(RECEIPT)); // written by `put`
  }

  /** All names, by uri. */
  async names(): Promise<ReadonlyMap<string, StoredNames>> {
    const all = parsed<StoredNames>(await this.#values.list(NAMES)); // written by `putNames`
    return new Map(all.sort((a, b) => a.at - b.at).map((names) => [names.uri, names])); // a later one replaces it
  }

  /** Replaces the names of a recording or folder. */
  async putNames(names: StoredNames): Promise<void> {
    const prefix = `${NAMES}${createHash('sha256').update(names.uri).digest('hex')} `;
    const before = [...(await this.#values.list(prefix)).keys()];
    // values never change, so the names are a new row
    await this.#values.put(new Map([[`${prefix}${randomUUID()}`, asBytes(names)]]));
    await this.#values.delete(before);
  }

  bytes(): Promise<number> {
    return this.#values.bytes();
  }
}

function asBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function parsed<T>(rows: ReadonlyMap<string, Uint8Array>): T[] {
  return [...rows.values()].map((bytes) => JSON.parse(Buffer.from(bytes).toString()) as T);
}
