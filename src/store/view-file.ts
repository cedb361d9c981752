import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Table } from '@lancedb/lancedb';
import { IbidError } from '../core/errors.ts';
import { wholeNumbers } from './columns.ts';
import { guard, scan } from './database.ts';
import { RowIds } from './row-ids.ts';
import type { RowRun } from './runs.ts';
import { readSegments, type StoredSegment } from './segments.ts';

/** What a reader must know of the tables before its first search. */
export interface View {
  readonly rowIds: RowIds;
  /** They cover all rows. */
  readonly segments: readonly StoredSegment[];
}

/** Versions of the chunk table and the lexical table. */
export interface ViewVersions {
  readonly chunks: number;
  readonly lexical: number;
}

/** A CRC-32 of all that follows, and the length of the JSON text that follows. */
const HEADER_BYTES = 8;
export const VIEW = '.view';

interface Described {
  /** Runs of row ids: three lists of 64-bit floats come after the text. */
  readonly runs: number;
  /** The headers come after that, each of so many bytes. */
  readonly segments: readonly { readonly id: number; readonly runs: readonly RowRun[]; readonly header: number }[];
}

const pathOf = (folder: string, { chunks, lexical }: ViewVersions): string =>
  join(folder, `${chunks}-${lexical}${VIEW}`);

/** What the tables hold at these versions; undefined where there is no copy of it, or not what was written. */
export async function readView(folder: string | undefined, versions: ViewVersions): Promise<View | undefined> {
  if (folder === undefined) return undefined;
  const file = await readFile(pathOf(folder, versions)).catch(() => undefined);
  if (file === undefined || file.length < HEADER_BYTES || crc32(file.subarray(4)) !== file.readUInt32LE(0))
    return undefined;
  let at = HEADER_BYTES;
  const take = (length: number): Uint8Array => {
    at += length;
    return new Uint8Array(file.subarray(at - length, at)); // a copy, whose numbers are aligned
  };
  const { runs, segments } = JSON.parse(Buffer.from(take(file.readUInt32LE(4))).toString()) as Described; // of `keepView`
  const floats = (): Float64Array => new Float64Array(take(8 * runs).buffer);
  const rowIds = RowIds.attach({ seqs: floats(), ids: floats(), counts: floats() });
  return { rowIds, segments: segments.map((segment) => ({ ...segment, header: take(segment.header) })) };
}

/** Writes what the tables hold now, in place of earlier views. @param folder is there */
export async function keepView(folder: string, chunks: Table, lexical: Table): Promise<void> {
  const before = (await readdir(folder)).filter((name) => name.endsWith(VIEW));
  const path = pathOf(folder, { chunks: await chunks.version(), lexical: await lexical.version() });
  const { seqs, ids, counts } = (await readRowIds(chunks)).share();
  const segments = await readSegments(lexical);
  const described: Described = {
    runs: seqs.length,
    segments: segments.map(({ id, runs, header }) => ({ id, runs, header: header.length })),
  };
  const text = Buffer.from(JSON.stringify(described));
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(text.length, 4);
  const floats = [seqs, ids, counts].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
  const file = Buffer.concat([header, text, ...floats, ...segments.map((segment) => segment.header)]);
  file.writeUInt32LE(crc32(file.subarray(4)), 0);
  try {
    await writeFile(`${path}.new`, file, { flush: true });
    await rename(`${path}.new`, path);
  } catch (error) {
    await rm(`${path}.new`, { force: true });
    throw error;
  }
  for (const name of before) if (join(folder, name) !== path) await rm(join(folder, name), { force: true });
}

export async function readRowIds(chunks: Table): Promise<RowIds> {
  const count = await guard('cannot count rows', () => chunks.countRows());
  const present = new RowIds();
  for await (const batch of scan(chunks, { columns: ['seq'], withRowId: true, lent: true })) {
    present.add(wholeNumbers(batch, 'seq'), wholeNumbers(batch, '_rowid'));
  }
  if (present.rows !== count) throw new IbidError('STORE_FAILED', `${present.rows} of ${count} rows could be read`);
  return present;
}
