import { randomUUID } from 'node:crypto';
import type { RecordBatch } from 'apache-arrow';
import type { Locator, Metadata, StoredChunk } from '../core/types.ts';
import { textBytes } from './columns.ts';
import type { ChunkRow } from './contract.ts';

const texts = ['uri', 'title', 'format', 'text', 'headings', 'context', 'locators', 'metadata'] as const;
const numbers = ['position', 'start', 'end', 'tokens', 'firstLine'] as const;

type TextName = (typeof texts)[number];
type NumberName = (typeof numbers)[number];

/** The number of a null. */
const ABSENT = -1;

/** A column of texts: that of row `i` is `bytes` from `ends[i]` to `ends[i + 1]`; `absent[i]` is 1 for a null. */
interface PackedTexts {
  readonly bytes: Uint8Array;
  readonly ends: Int32Array;
  readonly absent: Uint8Array | undefined;
}

/** The rows of one batch. */
interface PackedBatch {
  readonly texts: Readonly<Record<TextName, PackedTexts>>;
  readonly numbers: Readonly<Record<NumberName, Int32Array>>;
}

/** Packed rows as another thread takes them. */
export interface SharedRows {
  /** Of the rows in their own thread. */
  readonly id: string;
  readonly batches: readonly PackedBatch[];
  readonly batchOf: Int32Array;
  readonly rowOf: Int32Array;
  readonly count: number;
}

/** @param shared can be posted to another thread without a copy */
export function bytesOf(count: number, shared: boolean): Uint8Array {
  return new Uint8Array(shared ? new SharedArrayBuffer(count) : new ArrayBuffer(count));
}

function wordsOf(values: ArrayLike<number>, shared: boolean): Int32Array {
  const words = new Int32Array(bytesOf(4 * values.length, shared).buffer);
  words.set(values);
  return words;
}

/** Rows of the chunk table in memory, by ordinal; decoded on demand. Rows are only appended. */
export class PackedRows {
  readonly #shared: boolean;
  readonly #id: string;
  readonly #batches: PackedBatch[] = [];
  /** By ordinal: number of the batch, -1 without a row, and row in it. */
  #batchOf: Int32Array;
  #rowOf: Int32Array;
  #count = 0;
  #bytes = 0;
  /** The metadata that was decoded last: neighbouring rows have the same. */
  #decoded: { readonly json: string; readonly metadata: Metadata } | undefined;

  /** @param shared in memory that threads share */
  constructor(shared: boolean, id: string = randomUUID()) {
    this.#shared = shared;
    this.#id = id;
    this.#batchOf = wordsOf([], shared);
    this.#rowOf = wordsOf([], shared);
  }

  /** @param before what was attached before: the same object comes back where rows were only added since */
  static attach({ id, batches, batchOf, rowOf, count }: SharedRows, before?: PackedRows): PackedRows {
    const rows = before?.hasId(id) && before.count <= count ? before : new PackedRows(false, id);
    rows.#batches.push(...batches.slice(rows.#batches.length));
    rows.#batchOf = batchOf;
    rows.#rowOf = rowOf;
    rows.#count = count;
    return rows;
  }

  share(): SharedRows {
    return { id: this.#id, batches: this.#batches, batchOf: this.#batchOf, rowOf: this.#rowOf, count: this.#count };
  }

  hasId(id: string): boolean {
    return this.#id === id;
  }

  /** Ordinals below this have been loaded; some may have no row. */
  get count(): number {
    return this.#count;
  }

  get sizeBytes(): number {
    return this.#bytes;
  }

  /** Makes room for ordinals below `count`. */
  reserve(count: number): void {
    const [batchOf, rowOf] = [this.#batchOf, this.#rowOf];
    if (count <= batchOf.length) return;
    const room = { length: Math.max(count, Math.ceil(1.25 * batchOf.length)) };
    this.#batchOf = wordsOf(room, this.#shared).fill(ABSENT, batchOf.length);
    this.#batchOf.set(batchOf);
    this.#rowOf = wordsOf(room, this.#shared);
    this.#rowOf.set(rowOf);
  }

  /** @param ordinals of the batch's rows; those below `from` are left out */
  append(batch: RecordBatch, ordinals: ArrayLike<number>, from: number): void {
    const packed = packBatch(batch, this.#shared);
    for (const { bytes, ends } of Object.values(packed.texts)) this.#bytes += bytes.length + ends.byteLength;
    for (const values of Object.values(packed.numbers)) this.#bytes += values.byteLength;
    for (let row = 0; row < batch.numRows; row++) {
      const ordinal = ordinals[row]!;
      if (ordinal < from) continue;
      this.#batchOf[ordinal] = this.#batches.length;
      this.#rowOf[ordinal] = row;
    }
    this.#batches.push(packed);
  }

  /** All ordinals below `count` are loaded; those that were not appended have no row. */
  finish(count: number): void {
    this.#count = Math.max(this.#count, count);
  }

  #place(ordinal: number): readonly [batch: PackedBatch, row: number] | undefined {
    const batch = ordinal < this.#count ? this.#batches[this.#batchOf[ordinal]!] : undefined;
    return batch && [batch, this.#rowOf[ordinal]!];
  }

  /** True when a row has this uri, in UTF-8. */
  hasUri(ordinal: number, uri: Uint8Array): boolean {
    const place = this.#place(ordinal);
    if (!place) return false;
    const [{ bytes, ends }, row] = [place[0].texts.uri, place[1]];
    return Buffer.compare(bytes.subarray(ends[row]!, ends[row + 1]!), uri) === 0;
  }

  /** The row of an ordinal with title, text and headings decoded; undefined without a row. */
  row(ordinal: number): ChunkRow | undefined {
    const place = this.#place(ordinal);
    if (!place) return undefined;
    const chunk = (): StoredChunk => this.#chunk(...place);
    const text = (name: TextName): string => textAt(...place, name)!;
    return {
      title: text('title'),
      text: text('text'),
      headings: JSON.parse(text('headings')) as string[], // written by `chunkRows`
      get chunk() {
        return chunk();
      },
    };
  }

  chunk(ordinal: number): StoredChunk | undefined {
    const place = this.#place(ordinal);
    return place && this.#chunk(...place);
  }

  #chunk(batch: PackedBatch, row: number): StoredChunk {
    const text = (name: TextName): string => textAt(batch, row, name)!;
    const number = (name: NumberName): number => batch.numbers[name][row]!;
    const json = text('metadata');
    if (this.#decoded?.json !== json) this.#decoded = { json, metadata: JSON.parse(json) as Metadata };
    const context = textAt(batch, row, 'context');
    const firstLine = number('firstLine');
    return {
      uri: text('uri'),
      title: text('title'),
      format: text('format'),
      metadata: this.#decoded.metadata,
      position: number('position'),
      span: { start: number('start'), end: number('end') },
      text: text('text'),
      headings: JSON.parse(text('headings')) as string[], // these two were written by `chunkRows`
      tokens: number('tokens'),
      locators: JSON.parse(text('locators')) as Locator[],
      ...(context !== undefined && { context }),
      ...(firstLine !== ABSENT && { firstLine }),
    };
  }
}

function textAt(batch: PackedBatch, row: number, name: TextName): string | undefined {
  const { bytes, ends, absent } = batch.texts[name];
  if (absent?.[row] === 1) return undefined;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8', ends[row]!, ends[row + 1]!);
}

function packBatch(batch: RecordBatch, shared: boolean): PackedBatch {
  const pack = <Name extends string, Column>(names: readonly Name[], column: (name: Name) => Column) =>
    Object.fromEntries(names.map((name) => [name, column(name)])) as Record<Name, Column>;
  const rows = { length: batch.numRows };
  return {
    texts: pack(texts, (name): PackedTexts => {
      const { bytes, ends, isThere } = textBytes(batch, name);
      const first = ends[0]!;
      const own = bytesOf(ends[batch.numRows]! - first, shared);
      own.set(bytes.subarray(first, first + own.length));
      const absent = name === 'context' ? bytesOf(batch.numRows, shared) : undefined; // the only one with nulls
      for (let row = 0; absent && row < batch.numRows; row++) absent[row] = isThere(row) ? 0 : 1;
      return {
        bytes: own,
        ends: wordsOf(
          Array.from({ length: batch.numRows + 1 }, (_, i) => ends[i]! - first),
          shared,
        ),
        absent,
      };
    }),
    numbers: pack(numbers, (name) => {
      const column = batch.getChild(name)!;
      return wordsOf(
        Array.from(rows, (_, row) => (column.get(row) as number | null) ?? ABSENT),
        shared,
      );
    }),
  };
}
