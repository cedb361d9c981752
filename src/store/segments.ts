import type { Table } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import { IbidError } from '../core/errors.ts';
import type { SegmentData, SegmentSource } from '../lexical/contract.ts';
import { DROPPED, mergeSegments } from '../lexical/merge.ts';
import { buildTable, wholeNumbers } from './columns.ts';
import { addRows, giveBack, guard, scan, take } from './database.ts';
import type { StoredBlocks } from './resident-blocks.ts';
import { countRows, parseRuns, type RowRun, runsOf, seqsOf } from './runs.ts';
import { lexicalSchema } from './schema.ts';

export interface StoredSegment {
  readonly id: number;
  readonly runs: readonly RowRun[];
  readonly header: Uint8Array;
}

/** All segments of a lexical table at the handle's version, ordered by the rows they cover. */
export async function readSegments(table: Table): Promise<StoredSegment[]> {
  const segments: StoredSegment[] = [];
  for await (const batch of scan(table, { columns: ['segment', 'runs', 'bytes'], where: 'block = -1' })) {
    for (let i = 0; i < batch.numRows; i++) {
      segments.push({
        id: batch.getChild('segment')!.get(i) as number,
        runs: parseRuns(batch.getChild('runs')!.get(i) as string),
        header: (batch.getChild('bytes')!.get(i) as Uint8Array).slice(), // a view would keep the whole batch alive
      });
    }
  }
  return segments.sort((a, b) => (a.runs[0]?.[0] ?? 0) - (b.runs[0]?.[0] ?? 0));
}

/** Where the blocks of every segment lie: segment → row id by block. */
export async function blockRows(table: Table): Promise<Map<number, number[]>> {
  const rows = new Map<number, number[]>();
  for await (const batch of scan(table, { columns: ['segment', 'block'], withRowId: true, lent: true })) {
    const segments = batch.getChild('segment')!.toArray() as Int32Array;
    const blocks = batch.getChild('block')!.toArray() as Int32Array;
    const ids = wholeNumbers(batch, '_rowid');
    for (let i = 0; i < ids.length; i++) {
      let list = rows.get(segments[i]!);
      if (list === undefined) {
        list = [];
        rows.set(segments[i]!, list);
      }
      if (blocks[i]! >= 0) list[blocks[i]!] = ids[i]!;
    }
  }
  return rows;
}

/** Reads blocks of one segment through `table`, which stays at the version the row ids belong to. */
export function blockReader(table: Table, rowIds: readonly number[]): SegmentSource['readBlocks'] {
  return async (indices) => {
    const found = new Map<number, Uint8Array>();
    const wanted = indices.map((block) => rowIds[block]).filter((id) => id !== undefined);
    const rows = await take(table, wanted, ['block', 'bytes']);
    const blocks = rows.getChild('block')!;
    const bytes = rows.getChild('bytes')!;
    for (let i = 0; i < rows.numRows; i++) found.set(blocks.get(i) as number, (bytes.get(i) as Uint8Array).slice());
    giveBack(rows);
    return indices.map((block) => {
      const data = found.get(block);
      if (data === undefined) throw new IbidError('INDEX_DAMAGED', `block ${block} of a segment is missing`);
      return data;
    });
  };
}

/** The blocks of all segments of a lexical table, which stays at the version of the handle. */
export async function storedBlocks(table: Table): Promise<StoredBlocks> {
  const rowIds = await blockRows(table);
  return {
    segments: rowIds.size,
    blocks: [...rowIds.values()].reduce((sum, rows) => sum + rows.length, 0),
    read: (segment, indices) => blockReader(table, rowIds.get(segment) ?? [])(indices),
    scan: () => scan(table, { columns: ['segment', 'block', 'bytes'], where: 'block >= 0' }),
  };
}

function blockTable(id: number, blocks: SegmentData['blocks'], first: number): ArrowTable {
  return buildTable(lexicalSchema, blocks.length, {
    segment: new Int32Array(blocks.length).fill(id),
    block: Int32Array.from(blocks, (_, i) => first + i),
    runs: new Array<null>(blocks.length).fill(null),
    bytes: blocks.map((block) => block.bytes),
  });
}

/** The rows of a segment: its header, which makes it one, and blocks. */
function segmentTable(id: number, runs: readonly RowRun[], { header, blocks }: SegmentData): ArrowTable {
  const rows = blocks.length + 1;
  return buildTable(lexicalSchema, rows, {
    segment: new Int32Array(rows).fill(id),
    block: Int32Array.from({ length: rows }, (_, i) => i - 1),
    runs: Array.from({ length: rows }, (_, i) => (i === 0 ? JSON.stringify(runs) : null)),
    bytes: [header, ...blocks.map((block) => block.bytes)],
  });
}

export async function addSegment(table: Table, id: number, runs: readonly RowRun[], data: SegmentData): Promise<void> {
  await guard('cannot write the inverted index', () => addRows(table, segmentTable(id, runs, data)));
}

async function addBlocks(table: Table, id: number, blocks: SegmentData['blocks'], first: number): Promise<void> {
  await guard('cannot write the inverted index', () => addRows(table, blockTable(id, blocks, first)));
}

/** Blocks without a header: a merge was killed before its last step. */
export async function dropUnfinished(table: Table): Promise<void> {
  const headed = new Set((await readSegments(table)).map(({ id }) => id));
  const stray = [...(await blockRows(table)).keys()].filter((id) => !headed.has(id));
  if (stray.length === 0) return;
  await guard('cannot write the inverted index', () => table.delete(`segment IN (${stray.join(', ')})`));
}

/**
 * Rows of one merged segment at most, which bounds what a merge writes anew and holds of row numbers and lengths (some
 * 40 bytes a row).
 */
export const mostMergedRows = 131_072;

/**
 * So many of a size may stand beside each other: a merge takes an eighth as long as their whole ingest, what it spares
 * a query is not to be seen.
 */
const mostAlike = 3;

/**
 * Which neighbouring segments to merge. Those up to the last that is more than half of `most` are done. Behind it: from
 * the oldest one on that is at most twice as large as what stands behind it, as many as come to `most` rows, once they
 * are more than `mostAlike`. So sizes at least halve from one to the next there but for the last few, an index has few
 * segments beyond its full ones, a row is merged a logarithmic number of times, and no merge is larger than `most`.
 * Else a segment with many dead rows is rewritten alone.
 */
export function segmentsToMerge(
  sizes: readonly number[],
  dead: readonly number[],
  most: number = mostMergedRows,
): readonly [from: number, to: number] | undefined {
  const first = sizes.findLastIndex((size) => size > most / 2) + 1;
  let behind = 0;
  let from = sizes.length;
  for (let i = sizes.length - 1; i >= first; i--) {
    if (i < sizes.length - 1 && sizes[i]! <= 2 * behind) from = i;
    behind += sizes[i]!;
  }
  if (sizes.length - from > mostAlike) {
    let to = from;
    for (let rows = 0; to < sizes.length && rows + sizes[to]! <= most; to++) rows += sizes[to]!;
    return [from, to]; // at least two: each is half of `most` or less
  }
  const wasteful = sizes.findIndex((size, i) => dead[i]! > 100 && dead[i]! > 0.3 * size);
  return wasteful < 0 ? undefined : [wasteful, wasteful + 1];
}

/**
 * Replaces `segments`, neighbours in row order, by one without their dead rows. Its blocks are written as they are
 * made, each few a commit that readers do not notice; its header comes last, in one commit with the end of the old
 * ones.
 */
export async function replaceByMerged(
  table: Table,
  segments: readonly StoredSegment[],
  id: number,
  isLive: (seq: number) => boolean,
): Promise<void> {
  const rowIds = await blockRows(table);
  const seqs = segments.map(({ runs }) => Float64Array.from(seqsOf(runs)));
  const merged = await mergeSegments(
    segments.map((segment, i) => ({
      segment: { header: segment.header, readBlocks: blockReader(table, rowIds.get(segment.id) ?? []) },
      isLive: (row: number) => isLive(seqs[i]![row]!),
    })),
    (blocks, first) => addBlocks(table, id, blocks, first),
  );
  const kept = seqs.flatMap((list, i) => Array.from(list).filter((_, row) => merged.rows[i]![row] !== DROPPED));
  const where = `segment IN (${segments.map((segment) => segment.id).join(', ')})`;
  const runs = runsOf(kept);
  await guard('cannot write the inverted index', async () => {
    if (countRows(runs) === 0) await table.delete(where);
    else {
      await table
        .mergeInsert(['segment', 'block'])
        .whenNotMatchedInsertAll()
        .whenNotMatchedBySourceDelete({ where })
        .execute(segmentTable(id, runs, { header: merged.data.header, blocks: [] }));
    }
  });
}
