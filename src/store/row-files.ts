import fs from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import type { Locator, Metadata, StoredChunk } from '../core/types.ts';

/** Rows of the seqs `first` to `end`, exclusive, as they were in one version of the chunk table. */
export interface RowFile {
  readonly first: number;
  readonly end: number;
  readonly version: number;
}

/**
 * The layout of a file, in little-endian 32-bit numbers: magic number, number of rows, number of rows that were renamed
 * since, components of a vector; for each seq the place of its row in units of 8 bytes from the beginning of the file, 0
 * = no row; a CRC-32 of each block of vectors; the vectors, one for each seq; the rows. A row is its length in bytes, a
 * CRC-32 of its seq and its bytes, and these bytes, JSON.
 */
export const layout = { magic: 0x32_77_6f_72, headerBytes: 16, unit: 8, rowHeaderBytes: 8, blockRows: 4096 } as const;

/** Where the parts of a file begin, in bytes. */
export function partsOf(
  { first, end }: RowFile,
  dimensions: number,
): Readonly<Record<'places' | 'sums' | 'vectors' | 'rows', number>> {
  const count = end - first;
  const places = layout.headerBytes;
  const sums = places + 4 * count;
  const vectors = sums + 4 * Math.ceil(count / layout.blockRows);
  return { places, sums, vectors, rows: Math.ceil((vectors + count * dimensions) / layout.unit) * layout.unit };
}

/** Most rows are read at once; of longer ones the rest is read after that. */
const FIRST_BYTES = 2048;

export function rowFileName({ first, end, version }: RowFile): string {
  return `${first}-${end}-${version}.rows`;
}

/** The files of a folder by their first seq, of equal ones the longest first; files of other names are left out. */
export async function rowFilesIn(folder: string): Promise<RowFile[]> {
  const names = await readdir(folder).catch(() => []);
  const files = names.flatMap((name) => {
    const [first, end, version] = (/^(\d+)-(\d+)-(\d+)\.rows$/.exec(name)?.slice(1) ?? []).map(Number);
    return version === undefined ? [] : [{ first: first!, end: end!, version }];
  });
  return files.sort((a, b) => a.first - b.first || b.end - a.end || b.version - a.version);
}

/** The sum of a row. */
export function rowSum(seq: number, bytes: Uint8Array): number {
  return crc32(bytes, crc32(String(seq)));
}

/** What other threads need to read the same files. */
export interface SharedRowFiles {
  readonly folder: string;
  readonly files: readonly RowFile[];
}

/**
 * Copies of rows in files, for a query that reads fifty of them: the database takes ten milliseconds and more for that.
 * The table is the truth. Before a rename changes the table, its rows are struck out of the files; a row that is not
 * there, or is not what was written, is read from the table.
 */
export class RowFiles {
  readonly #shared: SharedRowFiles;

  private constructor(shared: SharedRowFiles) {
    this.#shared = shared;
  }

  /** The files that hold for a version of a table; undefined where there are none. Call this after it was opened. */
  static async open(folder: string | undefined, version: number): Promise<RowFiles | undefined> {
    const all = folder === undefined ? [] : await rowFilesIn(folder);
    const files = all.filter((file) => file.version <= version);
    return files.length === 0 ? undefined : new RowFiles({ folder: folder!, files });
  }

  static attach(shared: SharedRowFiles): RowFiles {
    return new RowFiles(shared);
  }

  share(): SharedRowFiles {
    return this.#shared;
  }

  /** Chunks by seq, as far as files have them. */
  async read(seqs: readonly number[]): Promise<Map<number, StoredChunk>> {
    const found = new Map<number, StoredChunk>();
    await Promise.all(
      this.#shared.files.map(async (file) => {
        const wanted = seqs.filter((seq) => seq >= file.first && seq < file.end);
        if (wanted.length > 0) await this.#readFrom(file, wanted, found);
      }),
    );
    return found;
  }

  /**
   * Hands on the vectors of the seqs from `from` on, block after block, as far as files have them without a gap.
   * @param take the vectors are valid until it returns
   * @returns the first seq whose vector is not in a file
   */
  async eachVectors(
    from: number,
    dimensions: number,
    take: (first: number, vectors: Int8Array) => void,
  ): Promise<number> {
    let next = from;
    for (const file of this.#shared.files) {
      if (file.first > next) break;
      if (file.end > next) next = await this.#vectorsOf(file, next, dimensions, take);
    }
    return next;
  }

  async #vectorsOf(
    file: RowFile,
    from: number,
    dimensions: number,
    take: (first: number, vectors: Int8Array) => void,
  ): Promise<number> {
    const { blockRows, magic } = layout;
    const parts = partsOf(file, dimensions);
    const handle = await open(join(this.#shared.folder, rowFileName(file))).catch(() => undefined);
    if (handle === undefined) return from;
    try {
      const header = Buffer.alloc(layout.headerBytes);
      await handle.read(header, 0, header.length, 0);
      if (header.readUInt32LE(0) !== magic || header.readUInt32LE(12) !== dimensions) return from;
      const sums = Buffer.alloc(parts.vectors - parts.sums);
      await handle.read(sums, 0, sums.length, parts.sums);
      const buffers = [0, 1].map(() => Buffer.allocUnsafe(blockRows * dimensions));
      const read = (block: number): Promise<Buffer> => {
        const rows = Math.min(blockRows, file.end - file.first - block * blockRows);
        const bytes = buffers[block % 2]!.subarray(0, Math.max(0, rows) * dimensions);
        const at = parts.vectors + block * blockRows * dimensions;
        return bytes.length === 0
          ? Promise.resolve(bytes)
          : readAt(handle.fd, bytes, 0, bytes.length, at).then(() => bytes);
      };
      let next = from;
      let block = Math.floor((from - file.first) / blockRows);
      // the next block is read while this one is taken
      for (let reading = read(block); next < file.end; block++) {
        const bytes = await reading;
        reading = read(block + 1);
        if (crc32(bytes) !== sums.readUInt32LE(4 * block)) break;
        const first = file.first + block * blockRows;
        take(first, new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length));
        next = first + bytes.length / dimensions;
      }
      return Math.max(from, next);
    } catch {
      return from; // shorter than its name says
    } finally {
      await handle.close();
    }
  }

  async #readFrom(file: RowFile, seqs: readonly number[], found: Map<number, StoredChunk>): Promise<void> {
    // opened for each read, so that nobody must know when the last snapshot is gone
    const handle = await open(join(this.#shared.folder, rowFileName(file))).catch(() => undefined);
    if (handle === undefined) return;
    try {
      await Promise.all(
        seqs.map(async (seq) => {
          const row = await readRow(handle.fd, file, seq).catch(() => undefined);
          if (row !== undefined) found.set(seq, row);
        }),
      );
    } finally {
      await handle.close();
    }
  }
}

/** Half the time of a `FileHandle`'s own `read`. */
const readAt = promisify(fs.read);

/** The chunk of a seq; undefined where there is none, or another than was written. */
async function readRow(fd: number, { first }: RowFile, seq: number): Promise<StoredChunk | undefined> {
  const { headerBytes, unit, rowHeaderBytes } = layout;
  const buffer = Buffer.allocUnsafe(FIRST_BYTES);
  const place = await readAt(fd, buffer, 0, 4, headerBytes + 4 * (seq - first));
  const at = place.bytesRead === 4 ? buffer.readUInt32LE(0) * unit : 0;
  if (at === 0) return undefined;
  const { bytesRead } = await readAt(fd, buffer, 0, FIRST_BYTES, at);
  if (bytesRead < rowHeaderBytes) return undefined;
  const length = buffer.readUInt32LE(0);
  let bytes = buffer.subarray(rowHeaderBytes, Math.min(bytesRead, rowHeaderBytes + length));
  if (bytes.length < length) {
    if (bytesRead < FIRST_BYTES || at + length > fs.fstatSync(fd).size) return undefined;
    bytes = Buffer.allocUnsafe(length);
    await readAt(fd, bytes, 0, length, at + rowHeaderBytes);
  }
  if (rowSum(seq, bytes) !== buffer.readUInt32LE(4)) return undefined;
  return decodeRow(bytes);
}

/** A chunk without the names of its fields. */
export function encodeRow({ span, ...rest }: StoredChunk): string {
  const { uri, title, format, metadata, position, text, headings, tokens, locators, context, firstLine } = rest;
  const { start, end } = span;
  return JSON.stringify([
    uri,
    title,
    format,
    metadata,
    position,
    start,
    end,
    text,
    headings,
    tokens,
    locators,
    context,
    firstLine,
  ]);
}

function decodeRow(bytes: Buffer): StoredChunk {
  const fields = JSON.parse(bytes.toString()) as EncodedRow; // written by `encodeRow`, as the sum says
  const [uri, title, format, metadata, position, start, end, text, headings, tokens, locators, context, firstLine] =
    fields;
  return {
    ...{ uri, title, format, metadata, position, span: { start, end }, text, headings, tokens, locators },
    ...(context !== null && { context }),
    ...(firstLine !== null && { firstLine }),
  };
}

type EncodedRow = [
  ...[uri: string, title: string, format: string, metadata: Metadata],
  ...[position: number, start: number, end: number, text: string, headings: string[], tokens: number],
  ...[locators: Locator[], context: string | null, firstLine: number | null],
];
