import type { Table } from '@lancedb/lancedb';
import type { Table as ArrowTable } from 'apache-arrow';
import { IbidError } from '../core/errors.ts';
import type { SegmentData, SegmentSource } from '../lexical/contract.ts';
import { DROPPED, mergeSegments } from '../lexical/merge.ts';
import { buildTable, wholeNumbers } from './columns.ts';
import { guard } from './failure.ts';
import type { StoredBlocks } from './resident-blocks.ts';
import { countRows, parseRuns, type RowRun, runsOf, seqsOf } from './runs.ts';
import { lexicalSchema } from './schema.ts';
import { addRows, giveBack, scan, take } from './table-rows.ts';

export interface StoredSegment {
  readonly id: number;
  readonly runs: readonly RowRun[];
  readonly header: Uint8Array;
}

/** All segments of a lexical table at the handle's version, in order of their rows. */
export async function readSegments(table: Table): Promise<StoredSegment[]> {
  const segments: StoredSegment[] = [];
  for await (const batch of scan(table, { columns: ['segment', 'runs', 'bytes'], where: 'block = -1' })) {
    for (let i = 0; i < batch.numRows; i++) {
      segments.push({
        id: batch.getChild('segment')!.get(i) as number,
        runs: parseRuns(batch.getChild('runs')!.get(i) as string),
        // a copy, because a view keeps the whole batch alive
        header: (batch.getChild('bytes')!.get(i) as Uint8Array).slice(),
      });
    }
  }
  return segments.sort((a, b) => (a.runs[0]?.[0] ?? 0) - (b.runs[0]?.[0] ?? 0));
}

/** Row ids of all blocks: segment → row id by block number. */
async function blockRows(table: Table): Promise<Map<number, number[]>> {
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

/** Returns a function that reads blocks of one segment. `table` must stay at the version of the row ids. */
function blockReader(table: Table, rowIds: readonly number[]): SegmentSource['readBlocks'] {
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

/** Blocks of one segment that somebody waits for. */
interface BlockRead {
  readonly segment: number;
  readonly indices: readonly number[];
  readonly resolve: (blocks: readonly Uint8Array[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The blocks of all segments of a lexical table, which must stay at its version. What is asked for in one turn, such as
 * the blocks of a query's terms in each segment, is one read of the table.
 */
export async function storedBlocks(table: Table): Promise<StoredBlocks> {
  const rowIds = await blockRows(table);
  let waiting: BlockRead[] = [];
  const readAll = (): void => {
    const reads = waiting;
    waiting = [];
    void takeBlocks(table, rowIds, reads);
  };
  return {
    segments: rowIds.size,
    blocks: [...rowIds.values()].reduce((sum, rows) => sum + rows.length, 0),
    read: (segment, indices) =>
      new Promise((resolve, reject) => {
        if (waiting.push({ segment, indices, resolve, reject }) === 1) queueMicrotask(readAll);
      }),
    scan: (without = []) => {
      const others = without.length === 0 ? '' : ` AND segment NOT IN (${without.join(', ')})`;
      return scan(table, { columns: ['segment', 'block', 'bytes'], where: `block >= 0${others}` });
    },
  };
}

async function takeBlocks(
  table: Table,
  rowIds: ReadonlyMap<number, readonly number[]>,
  reads: readonly BlockRead[],
): Promise<void> {
  try {
    const idOf = (segment: number, block: number): number | undefined => rowIds.get(segment)?.[block];
    const wanted = reads.flatMap(({ segment, indices }) => indices.map((block) => idOf(segment, block)));
    const found = new Map<number, Uint8Array>();
    const rows = await take(table, [...new Set(wanted.filter((id) => id !== undefined))], ['_rowid', 'bytes']);
    const bytes = rows.getChild('bytes')!;
    let row = 0;
    for (const batch of rows.batches)
      for (const id of wholeNumbers(batch, '_rowid')) found.set(id, (bytes.get(row++) as Uint8Array).slice());
    giveBack(rows);
    for (const { segment, indices, resolve, reject } of reads) {
      const missing = indices.find((block) => !found.has(idOf(segment, block) ?? -1));
      if (missing !== undefined)
        reject(new IbidError('INDEX_DAMAGED', `block ${missing} of a segment is missing`)); // the others' are there
      else resolve(indices.map((block) => found.get(idOf(segment, block)!)!));
    }
  } catch (error) {
    for (const { reject } of reads) reject(error);
  }
}

function blockTable(id: number, blocks: SegmentData['blocks'], first: number): ArrowTable {
  return buildTable(lexicalSchema, blocks.length, {
    segment: new Int32Array(blocks.length).fill(id),
    block: Int32Array.from(blocks, (_, i) => first + i),
    runs: new Array<null>(blocks.length).fill(null),
    bytes: blocks.map((block) => block.bytes),
  });
}

/** The rows of a segment: the header and the blocks. A segment without a header does not count. */
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

/** Deletes blocks without a header: remains of a merge that was killed. */
export async function dropUnfinished(table: Table): Promise<void> {
  const headed = new Set((await readSegments(table)).map(({ id }) => id));
  const stray = [...(await blockRows(table)).keys()].filter((id) => !headed.has(id));
  if (stray.length === 0) return;
  await guard('cannot write the inverted index', () => table.delete(`segment IN (${stray.join(', ')})`));
}

/**
 * Maximum rows of a merged segment. This bounds the bytes that one merge writes, and its memory for row numbers and
 * lengths (about 40 bytes a row).
 */
export const mostMergedRows = 131_072;

/**
 * Segments of similar size that may stand side by side. A merge takes an eighth of the time of their ingest, and with
 * fewer segments a query is not measurably faster.
 */
const mostAlike = 3;

/**
 * Chooses the neighbouring segments to merge. Segments up to the last one with more than `most / 2` rows are final.
 * Behind them, the range begins at the oldest segment that is at most twice as large as all segments after it. If the
 * range has more than `mostAlike` segments, as many as fit into `most` rows are merged. Example: of 800, 100, 30, 30, 25
 * and 20 rows, the last five are merged, because 100 is at most twice 30 + 30 + 25 + 20. So sizes at least halve from
 * one segment to the next (except the last few), an index has few small segments, a row is merged a logarithmic number
 * of times, and no merge exceeds `most` rows. Otherwise a segment with many dead rows is rewritten alone.
 * @returns `[from, to)`; undefined when no merge helps
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
    return [from, to]; // at least two, because each has at most half of `most`
  }
  const wasteful = sizes.findIndex((size, i) => dead[i]! > 100 && dead[i]! > 0.3 * size);
  return wasteful < 0 ? undefined : [wasteful, wasteful + 1];
}

/**
 * Replaces `segments`, which are neighbours in row order, by one segment without dead rows. Blocks are written while
 * they are made, in commits that readers ignore. The last commit adds the header and deletes the old segments.
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
