import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { OpenFile, Patience } from '../core/open-file.ts';
import type { StoredChunk } from '../core/types.ts';
import { decodeRow } from './row-code.ts';

/** Rows of the seqs `first` to `end`, exclusive, as they were in one version of the chunk table. */
export interface RowFile {
  readonly first: number;
  readonly end: number;
  readonly version: number;
}

/**
 * The layout of a file, in little-endian 32-bit numbers: magic number, number of rows, number of rows that were renamed
 * since, components of a vector, 0 = without vectors; for each seq the place of its row in units of 8 bytes from the
 * beginning of the file, 0 = no row; the vectors, one for each seq; the rows. A row is its length in bytes, a CRC-32 of
 * its seq and its bytes, and these bytes, JSON. The magic number says how vectors are read:
 *
 * - `blocks`: all of them, into memory. Before them stands a CRC-32 of each block of 4,096 vectors.
 * - `single`: a few for each query. After each stands a CRC-32 of its components that begins with its seq.
 */
export const layout = {
  magic: { blocks: 0x32_77_6f_72, single: 0x33_77_6f_72 },
  headerBytes: 16,
  unit: 8,
  rowHeaderBytes: 8,
  sumBytes: 4,
  blockRows: 4096,
} as const;

/** The use of the vectors of a file. */
type VectorUse = keyof typeof layout.magic;

/** The vectors of a file: how many components each has, 0 = none, and how they are read. */
export interface FileVectors {
  readonly dimensions: number;
  readonly use: VectorUse;
}

export interface FileHeader extends FileVectors {
  readonly rows: number;
  /** Rows that were renamed since. */
  readonly renamed: number;
}

/** Undefined for a file that is not one of ours. */
export function decodeHeader(header: Buffer): FileHeader | undefined {
  const [magic, rows, renamed, dimensions] = [0, 4, 8, 12].map((at) => header.readUInt32LE(at)) as [
    ...[number, number, number, number],
  ];
  for (const use of ['blocks', 'single'] as const)
    if (layout.magic[use] === magic) return { rows, renamed, dimensions, use };
  return undefined;
}

/** Where the parts of a file begin, in bytes, and the bytes from one vector to the next. */
export function partsOf(
  { first, end }: RowFile,
  { dimensions, use }: FileVectors,
): Readonly<Record<'places' | 'sums' | 'vectors' | 'stride' | 'rows', number>> {
  const count = end - first;
  const places = layout.headerBytes;
  const sums = places + 4 * count;
  const vectors = sums + (use === 'blocks' ? layout.sumBytes * Math.ceil(count / layout.blockRows) : 0);
  const stride = dimensions + (use === 'single' && dimensions > 0 ? layout.sumBytes : 0);
  return { places, sums, vectors, stride, rows: Math.ceil((vectors + count * stride) / layout.unit) * layout.unit };
}

/** Most rows are read at once; of longer ones the rest is read after that. */
const FIRST_BYTES = 2048;
/** Rows of a query that begin so near to each other are read together: those of one document, mostly. */
const NEAR_BYTES = 2 * FIRST_BYTES;
const TOGETHER_BYTES = 16 * FIRST_BYTES;
/** A row that says it has more is damaged: room for it is not made. */
const MOST_BYTES = 2 ** 26;
/** So long the caller's thread waits for the rows of a query. */
const PATIENCE_MS = 1;

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

/** The sum of a single vector. A query takes hundreds, and a text of each seq would take as long as the vectors. */
export function vectorSum(seq: number, vector: Uint8Array): number {
  return crc32(vector, seq % 2 ** 32);
}

/** The data that other threads need to read the same files. */
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
  readonly #patienceMs: number;
  readonly #files: readonly RowFileReader[];

  private constructor(shared: SharedRowFiles, patienceMs: number) {
    this.#shared = shared;
    this.#patienceMs = patienceMs;
    this.#files = shared.files.map((file) => new RowFileReader(join(shared.folder, rowFileName(file)), file));
  }

  /** The files that hold for a version of a table; undefined where there are none. Call this after it was opened. */
  static async open(folder: string | undefined, version: number): Promise<RowFiles | undefined> {
    const all = folder === undefined ? [] : await rowFilesIn(folder);
    const files = all.filter((file) => file.version <= version);
    return files.length === 0 ? undefined : new RowFiles({ folder: folder!, files }, PATIENCE_MS);
  }

  /** In a thread of ours, which reads may hold up. */
  static attach(shared: SharedRowFiles): RowFiles {
    return new RowFiles(shared, Infinity);
  }

  share(): SharedRowFiles {
    return this.#shared;
  }

  /** Chunks by seq, as far as files have them. */
  async read(seqs: readonly number[]): Promise<Map<number, StoredChunk>> {
    const found = new Map<number, StoredChunk>();
    const patience = new Patience(this.#patienceMs);
    await Promise.all(this.#files.map((file) => file.read(seqs, found, patience)));
    return found;
  }

  /**
   * Single vectors, one after the other in the order of `seqs`, written to `to`.
   * @returns the positions of those that no file has
   */
  async readVectors(seqs: readonly number[], dimensions: number, to: Int8Array): Promise<number[]> {
    const missing = new Set(seqs.keys());
    const patience = new Patience(this.#patienceMs);
    await Promise.all(this.#files.map((file) => file.readVectors(seqs, dimensions, to, missing, patience)));
    return [...missing];
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
    for (const file of this.#files) {
      if (file.first > next) break;
      if (file.end > next) next = await file.eachVectors(next, dimensions, take);
    }
    return next;
  }
}

/** A file that is open. */
interface Opened {
  readonly file: OpenFile;
  readonly vectors: FileVectors;
  readonly parts: ReturnType<typeof partsOf>;
}

/** One file. What cannot be read is left out. */
class RowFileReader {
  readonly first: number;
  readonly end: number;
  readonly #path: string;
  readonly #file: RowFile;
  #opened: Promise<Opened | undefined> | undefined;
  #places: Promise<Uint32Array> | undefined;

  constructor(path: string, file: RowFile) {
    this.first = file.first;
    this.end = file.end;
    this.#path = path;
    this.#file = file;
  }

  #open(): Promise<Opened | undefined> {
    this.#opened ??= this.#openFile().catch(() => undefined);
    return this.#opened;
  }

  async #openFile(): Promise<Opened | undefined> {
    const file = await OpenFile.open(this.#path);
    const bytes = Buffer.alloc(layout.headerBytes);
    await file.read(bytes, 0);
    const vectors = decodeHeader(bytes);
    return vectors && { file, vectors, parts: partsOf(this.#file, vectors) };
  }

  #has(seq: number): boolean {
    return seq >= this.first && seq < this.end;
  }

  async read(seqs: readonly number[], found: Map<number, StoredChunk>, patience: Patience): Promise<void> {
    const wanted = seqs.filter((seq) => this.#has(seq));
    const opened = wanted.length === 0 ? undefined : await this.#open();
    if (!opened) return;
    this.#places ??= this.#readPlaces(opened).catch(() => new Uint32Array(0));
    const places = await this.#places;
    const placed = wanted
      .map((seq) => ({ seq, at: (places[seq - this.first] ?? 0) * layout.unit }))
      .filter(({ at }) => at > 0)
      .sort((a, b) => a.at - b.at);
    const later: Promise<void>[] = [];
    for (const group of groupsOf(placed)) {
      const bytes = readNow(opened.file, group, patience);
      for (const { seq, at } of group) {
        const row = bytes && rowIn(bytes.subarray(at - group[0]!.at), seq);
        if (row) found.set(seq, row);
        else later.push(this.#readLater(opened.file, at, seq, found, patience));
      }
    }
    await Promise.all(later);
  }

  async #readLater(
    ...[file, at, seq, found, patience]: [OpenFile, number, number, Map<number, StoredChunk>, Patience]
  ): Promise<void> {
    const row = await readRow(file, at, seq, patience).catch(() => undefined);
    if (row) found.set(seq, row);
  }

  async #readPlaces({ file, parts }: Opened): Promise<Uint32Array> {
    const places = new Uint32Array(this.end - this.first);
    await file.read(new Uint8Array(places.buffer), parts.places);
    return places;
  }

  /** @param missing positions that are still to be found; those that are found are taken out */
  async readVectors(
    seqs: readonly number[],
    dimensions: number,
    to: Int8Array,
    missing: Set<number>,
    patience: Patience,
  ): Promise<void> {
    const wanted = [...seqs.keys()].filter((i) => this.#has(seqs[i]!));
    const opened = wanted.length === 0 ? undefined : await this.#open();
    if (opened?.vectors.use !== 'single' || opened.vectors.dimensions !== dimensions) return;
    const { file, parts } = opened;
    const { stride } = parts;
    const bytes = Buffer.allocUnsafe(wanted.length * stride);
    const placeOf = (i: number): number => parts.vectors + (seqs[i]! - this.first) * stride;
    try {
      await Promise.all(
        wanted.map((i, k) => file.read(bytes.subarray(k * stride, (k + 1) * stride), placeOf(i), patience)),
      );
    } catch {
      return;
    }
    for (const [k, i] of wanted.entries()) {
      const vector = bytes.subarray(k * stride, k * stride + dimensions);
      if (vectorSum(seqs[i]!, vector) !== bytes.readUInt32LE(k * stride + dimensions)) continue;
      to.set(vector, i * dimensions); // a byte above 127 becomes the negative component with its bits
      missing.delete(i);
    }
  }

  /** As that of `RowFiles`. */
  async eachVectors(
    from: number,
    dimensions: number,
    take: (first: number, vectors: Int8Array) => void,
  ): Promise<number> {
    const { blockRows, sumBytes } = layout;
    const opened = await this.#open();
    if (opened?.vectors.use !== 'blocks' || opened.vectors.dimensions !== dimensions) return from;
    const { file, parts } = opened;
    const sums = Buffer.alloc(parts.vectors - parts.sums);
    await file.read(sums, parts.sums);
    const buffers = [0, 1].map(() => Buffer.allocUnsafe(blockRows * dimensions));
    const read = async (block: number): Promise<Buffer> => {
      const rows = Math.max(0, Math.min(blockRows, this.end - this.first - block * blockRows));
      const bytes = buffers[block % 2]!.subarray(0, rows * dimensions);
      if (rows > 0) await file.read(bytes, parts.vectors + block * blockRows * dimensions);
      return bytes;
    };
    let next = from;
    let block = Math.floor((from - this.first) / blockRows);
    // the next block is read while this one is taken
    for (let reading = read(block); next < this.end; block++) {
      const bytes = await reading;
      reading = read(block + 1);
      if (crc32(bytes) !== sums.readUInt32LE(sumBytes * block)) {
        await reading;
        break;
      }
      const first = this.first + block * blockRows;
      take(first, new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length));
      next = first + bytes.length / dimensions;
    }
    return next;
  }
}

interface PlacedRow {
  readonly seq: number;
  /** In bytes. */
  readonly at: number;
}

/** Rows that are read together. @param rows ascending by place */
function groupsOf(rows: readonly PlacedRow[]): PlacedRow[][] {
  const groups: PlacedRow[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    const [first, last] = [group?.[0], group?.at(-1)];
    if (first && last && row.at - last.at <= NEAR_BYTES && row.at - first.at <= TOGETHER_BYTES - FIRST_BYTES)
      group!.push(row);
    else groups.push([row]);
  }
  return groups;
}

const together = Buffer.alloc(TOGETHER_BYTES);

/** What a group's rows begin with, valid until the next read; undefined where the background should read it. */
function readNow(file: OpenFile, group: readonly PlacedRow[], patience: Patience): Buffer | undefined {
  const length = group.at(-1)!.at - group[0]!.at + FIRST_BYTES;
  try {
    const bytesRead = file.readNow(together.subarray(0, length), group[0]!.at, patience);
    return bytesRead === undefined ? undefined : together.subarray(0, bytesRead);
  } catch {
    return undefined;
  }
}

/** The chunk of a seq whose row begins here; undefined for a row that is longer, and for another than was written. */
function rowIn(bytes: Buffer, seq: number): StoredChunk | undefined {
  const { rowHeaderBytes } = layout;
  if (bytes.length < rowHeaderBytes) return undefined;
  const end = rowHeaderBytes + bytes.readUInt32LE(0);
  if (end > bytes.length) return undefined;
  const row = bytes.subarray(rowHeaderBytes, end);
  return rowSum(seq, row) === bytes.readUInt32LE(4) ? decodeRow(row) : undefined;
}

/** The chunk of a seq at a place in bytes; undefined for another than was written. */
async function readRow(file: OpenFile, at: number, seq: number, patience: Patience): Promise<StoredChunk | undefined> {
  const { rowHeaderBytes } = layout;
  const buffer = Buffer.allocUnsafe(FIRST_BYTES);
  const bytesRead = await file.read(buffer, at, patience);
  if (bytesRead < rowHeaderBytes) return undefined;
  const length = buffer.readUInt32LE(0);
  if (length > MOST_BYTES) return undefined;
  let bytes = buffer.subarray(rowHeaderBytes, Math.min(bytesRead, rowHeaderBytes + length));
  if (bytes.length < length) {
    bytes = Buffer.allocUnsafe(length);
    await file.read(bytes, at + rowHeaderBytes, patience);
  }
  return rowSum(seq, bytes) === buffer.readUInt32LE(4) ? decodeRow(bytes) : undefined;
}
