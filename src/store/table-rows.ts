import type { Table } from '@lancedb/lancedb';
import type { Table as ArrowTable, Data, RecordBatch } from 'apache-arrow';
import { IbidError } from '../core/errors.ts';
import { databaseFailed, guard } from './failure.ts';

export interface ReadOptions {
  readonly columns: readonly string[];
  readonly where?: string | undefined;
  readonly withRowId?: boolean | undefined;
  /**
   * Frees the memory of a batch when the next one is requested. The caller must not use the batch, or a view of it,
   * after that. @default false
   */
  readonly lent?: boolean | undefined;
}

/** The record batches of a scan. */
export async function* scan(
  table: Table,
  { columns, where, withRowId, lent = false }: ReadOptions,
): AsyncGenerator<RecordBatch> {
  let query = table.query().select([...columns]);
  if (where !== undefined) query = query.where(where);
  if (withRowId) query = query.withRowId();
  try {
    for await (const batch of query) {
      if (batch.numRows > 0) yield batch;
      if (lent) giveBack(batch);
    }
  } catch (cause) {
    if (cause instanceof IbidError) throw cause;
    throw databaseFailed(`cannot read ${table.name}`, cause);
  }
}

/** The rows with these ids, in any order. Ids of deleted rows are left out. */
export function take(table: Table, rowIds: ArrayLike<number>, columns: readonly string[]): Promise<ArrowTable> {
  return guard(`cannot read rows of ${table.name}`, () =>
    table
      .takeRowIds(Array.from(rowIds, BigInt))
      .select([...columns])
      .toArrow(),
  );
}

/** Adds rows to a table and frees the memory of `rows`. */
export async function addRows(table: Table, rows: ArrowTable): Promise<void> {
  await table.add(rows);
  giveBack(rows);
}

/**
 * Frees the memory of rows at once. The caller must not use them, or a view of them, after that. V8 does not count this
 * memory: without this call, a scan of 256 MB left 100 MB or more until the next collection.
 */
export function giveBack(rows: ArrowTable | RecordBatch): void {
  for (const { data } of 'batches' in rows ? rows.batches : [rows]) {
    for (const buffer of buffersOf(data)) {
      if (buffer.byteLength > Buffer.poolSize) buffer.transfer(0); // smaller buffers may share Node's pool
    }
  }
}

function* buffersOf(data: Data): Generator<ArrayBuffer> {
  const { values, valueOffsets, nullBitmap, typeIds } = data;
  for (const part of [values, valueOffsets, nullBitmap, typeIds]) {
    if (part?.buffer instanceof ArrayBuffer) yield part.buffer;
  }
  for (const child of data.children) yield* buffersOf(child);
}
