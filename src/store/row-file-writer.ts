import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Table } from '@lancedb/lancedb';
import type { FixedSizeList } from 'apache-arrow';
import type { StoredChunk } from '../core/types.ts';
import { chunkColumns, readChunks } from './chunk-rows.ts';
import { listValues, wholeNumbers } from './columns.ts';
import { encodeRow } from './row-code.ts';
import {
  decodeHeader,
  type FileHeader,
  type FileVectors,
  layout,
  partsOf,
  type RowFile,
  rowFileName,
  rowFilesIn,
  rowSum,
  vectorSum,
} from './row-files.ts';
import type { RowRun } from './runs.ts';
import { scan } from './table-rows.ts';

/** A file is at least so many times as long as the next one; shorter ones are joined. Dead rows may be half of all. */
const STEP = 2;
/** Share of renamed rows from which on a file is written again. */
const MOST_RENAMED = 0.1;

/**
 * Brings the row files of a folder to the newest version of the table: new rows become a new file, and neighbouring files
 * are joined when there would be many.
 * @param rows of the table
 * @param end a seq that is higher than that of any row
 * @param wholeBytes vectors of more bytes are read one by one
 */
export async function keepRowFiles(
  folder: string,
  chunks: Table,
  { rows, end, wholeBytes }: { readonly rows: number; readonly end: number; readonly wholeBytes: number },
): Promise<void> {
  const stored = await dimensionsOf(chunks);
  const vectors: FileVectors = { dimensions: stored, use: end * stored <= wholeBytes ? 'blocks' : 'single' };
  await mkdir(folder, { recursive: true });
  const files = await rowFilesIn(folder);
  const headers = await Promise.all(files.map((file) => headerOf(join(folder, rowFileName(file)))));
  const copied = headers.reduce((sum, header) => sum + (header?.rows ?? 0), 0);
  const worn = new Set(files.filter((_, i) => isWorn(headers[i], vectors)));
  const kept = new Set<string>();
  for (const range of rangesOf(copied > STEP * rows ? [] : files, worn, end)) {
    kept.add(rowFileName(range.file ?? (await writeRowFile(folder, chunks, vectors, range))));
  }
  // A reader that knows only those that go reads their rows from the table from now on.
  for (const name of await readdir(folder)) if (!kept.has(name)) await rm(join(folder, name), { force: true });
}

/** Rows of a file that there is, or of one to be written. */
interface Range {
  readonly first: number;
  readonly end: number;
  readonly file?: RowFile;
}

/** The files there should be: these, one for each gap up to `end`, and those that are too short joined. */
function rangesOf(files: readonly RowFile[], worn: ReadonlySet<RowFile>, end: number): readonly Range[] {
  const all: Range[] = [];
  const add = (range: Range): void => {
    const last = all.at(-1);
    if (last === undefined || last.end - last.first >= STEP * (range.end - range.first)) all.push(range);
    else add({ first: all.pop()!.first, end: range.end });
  };
  let covered = 0;
  for (const file of files) {
    const { first, end } = file;
    if (first < covered) continue; // a killed run had joined it to others
    if (first > covered) add({ first: covered, end: first });
    add(worn.has(file) ? { first, end } : { first, end, file });
    covered = end;
  }
  if (end > covered) add({ first: covered, end });
  return all;
}

async function headerOf(path: string): Promise<FileHeader | undefined> {
  await using handle = await open(path);
  const header = Buffer.alloc(layout.headerBytes);
  await handle.read(header, 0, header.length, 0);
  return decodeHeader(header);
}

/** True where a file is damaged, says too little, or has no single vectors where queries read them. */
function isWorn(header: FileHeader | undefined, { dimensions, use }: FileVectors): boolean {
  if (header === undefined || header.renamed > MOST_RENAMED * header.rows) return true;
  return use === 'single' && (header.use !== 'single' || header.dimensions !== dimensions);
}

async function writeRowFile(
  folder: string,
  chunks: Table,
  vectors: FileVectors,
  { first, end }: Range,
): Promise<RowFile> {
  const file: RowFile = { first, end, version: await chunks.version() };
  const parts = partsOf(file, vectors);
  const path = join(folder, rowFileName(file));
  const unfinished = `${path}.new`;
  try {
    await using handle = await open(unfinished, 'w+');
    const places = Buffer.alloc(4 * (end - first));
    let at = parts.rows / layout.unit;
    let rows = 0;
    const where = `seq >= ${first} AND seq < ${end}`;
    for await (const batch of scan(chunks, { columns: ['seq', 'vector', ...chunkColumns], where, lent: true })) {
      const from = at;
      const seqs = wholeNumbers(batch, 'seq');
      const written = readChunks(batch).map((chunk, i) => {
        const row = rowBytes(chunk, seqs[i]!);
        places.writeUInt32LE(at, 4 * (seqs[i]! - first));
        at += row.length / layout.unit;
        return row;
      });
      rows += written.length;
      await handle.writev(written, from * layout.unit);
      const stored = vectorBytes(listValues(batch, 'vector') as Int8Array, seqs, vectors); // the schema guarantees it
      for (let row = 0; row < seqs.length; ) {
        let to = row + 1;
        while (to < seqs.length && seqs[to] === seqs[row]! + to - row) to++;
        const some = stored.subarray(row * parts.stride, to * parts.stride);
        await handle.write(some, 0, some.length, parts.vectors + (seqs[row]! - first) * parts.stride);
        row = to;
      }
    }
    const header = Buffer.alloc(layout.headerBytes);
    header.writeUInt32LE(layout.magic[vectors.use], 0);
    header.writeUInt32LE(rows, 4);
    header.writeUInt32LE(vectors.dimensions, 12);
    await handle.truncate(at * layout.unit); // dead rows at the end have no vector either
    await handle.writev([header, places, await sumsOfBlocks(handle, file, vectors)], 0);
    await handle.sync();
    await rename(unfinished, path);
    return file;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Vectors as a file has them. */
function vectorBytes(components: Int8Array, seqs: ArrayLike<number>, { dimensions, use }: FileVectors): Uint8Array {
  if (use === 'blocks') return new Uint8Array(components.buffer, components.byteOffset, components.length);
  const stride = dimensions + layout.sumBytes;
  const bytes = Buffer.alloc(seqs.length * stride);
  for (let row = 0; row < seqs.length; row++) {
    const vector = bytes.subarray(row * stride, row * stride + dimensions);
    vector.set(components.subarray(row * dimensions, (row + 1) * dimensions));
    bytes.writeUInt32LE(vectorSum(seqs[row]!, vector), row * stride + dimensions);
  }
  return bytes;
}

/** Of blocks that are read as a whole; nothing where vectors are single. */
async function sumsOfBlocks(handle: FileHandle, file: RowFile, stored: FileVectors): Promise<Buffer> {
  const { sums, vectors } = partsOf(file, stored);
  const found = Buffer.alloc(vectors - sums);
  const bytes = Buffer.alloc(layout.blockRows * stored.dimensions);
  for (let block = 0; layout.sumBytes * block < found.length; block++) {
    const rows = Math.min(layout.blockRows, file.end - file.first - block * layout.blockRows);
    await handle.read(bytes, 0, rows * stored.dimensions, vectors + block * bytes.length);
    found.writeUInt32LE(crc32(bytes.subarray(0, rows * stored.dimensions)), layout.sumBytes * block);
  }
  return found;
}

async function dimensionsOf(chunks: Table): Promise<number> {
  const field = (await chunks.schema()).fields.find(({ name }) => name === 'vector')!;
  return (field.type as FixedSizeList).listSize; // the schema defines the column types
}

function rowBytes(chunk: StoredChunk, seq: number): Buffer {
  const { rowHeaderBytes, unit } = layout;
  const json = encodeRow(chunk);
  const length = Buffer.byteLength(json);
  const row = Buffer.alloc(Math.ceil((rowHeaderBytes + length) / unit) * unit);
  row.write(json, rowHeaderBytes);
  row.writeUInt32LE(length, 0);
  row.writeUInt32LE(rowSum(seq, row.subarray(rowHeaderBytes, rowHeaderBytes + length)), 4);
  return row;
}

/** Strikes rows out of the files, before the table gives them other uris. */
export async function strikeOutRows(folder: string, runs: readonly RowRun[]): Promise<void> {
  for (const file of await rowFilesIn(folder)) {
    const hit = runs.flatMap(([first, count]): RowRun[] => {
      const from = Math.max(first, file.first);
      const rows = Math.min(first + count, file.end) - from;
      return rows > 0 ? [[from, rows]] : [];
    });
    if (hit.length > 0) await strikeOut(join(folder, rowFileName(file)), file.first, hit);
  }
}

async function strikeOut(path: string, first: number, runs: readonly RowRun[]): Promise<void> {
  await using handle = await open(path, 'r+');
  for (const [from, rows] of runs) {
    await handle.write(Buffer.alloc(4 * rows), 0, undefined, layout.headerBytes + 4 * (from - first));
  }
  const renamed = Buffer.alloc(4);
  await handle.read(renamed, 0, 4, 8);
  renamed.writeUInt32LE(Math.min(2 ** 32 - 1, renamed.readUInt32LE(0) + runs.reduce((sum, [, rows]) => sum + rows, 0)));
  await handle.write(renamed, 0, 4, 8);
  await handle.sync();
}
