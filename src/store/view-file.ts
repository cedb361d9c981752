import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Table } from '@lancedb/lancedb';
import { IbidError } from '../core/errors.ts';
import { wholeNumbers } from './columns.ts';
import { readDescribed, writeDescribed } from './described-file.ts';
import { guard } from './failure.ts';
import { RowIds } from './row-ids.ts';
import type { RowRun } from './runs.ts';
import { readSegments, type StoredSegment } from './segments.ts';
import { scan } from './table-rows.ts';

/** The facts about the tables that a reader needs before its first search. */
export interface View {
  readonly rowIds: RowIds;
  /** They cover all rows. */
  readonly segments: readonly StoredSegment[];
}

/** Versions of the chunk table and the lexical table. */
interface ViewVersions {
  readonly chunks: number;
  readonly lexical: number;
}

export const VIEW = '.view';

interface Described {
  /** Runs of row ids: three lists of 64-bit floats come after the text. */
  readonly runs: number;
  /** The headers come after the row ids: the length of each, in bytes. */
  readonly segments: readonly { readonly id: number; readonly runs: readonly RowRun[]; readonly header: number }[];
}

const pathOf = (folder: string, { chunks, lexical }: ViewVersions): string =>
  join(folder, `${chunks}-${lexical}${VIEW}`);

/** What the tables hold at these versions; undefined where there is no copy of it, or not what was written. */
export async function readView(folder: string | undefined, versions: ViewVersions): Promise<View | undefined> {
  if (folder === undefined) return undefined;
  const file = await readDescribed(pathOf(folder, versions));
  if (file === undefined) return undefined;
  const { runs, segments } = file.described as Described; // of `keepView`
  let at = 0;
  const take = (length: number): Uint8Array => {
    at += length;
    return new Uint8Array(file.bytes.subarray(at - length, at)); // a copy, so that 64-bit numbers begin at a multiple of 8
  };
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
  const floats = [seqs, ids, counts].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
  await writeDescribed(path, described, [...floats, ...segments.map((segment) => segment.header)]);
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
