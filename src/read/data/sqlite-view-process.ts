import { writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { serialize } from 'node:v8';
import { messageOf } from '../../core/errors.ts';
import { watchOwner } from '../../core/watch-owner.ts';
import type { ViewRequest, ViewResult } from './sqlite-views.ts';

/**
 * Reads views of a database and writes each to stdout as soon as it is known. A view may run for ever inside SQLite,
 * where nothing but the end of the process stops it: the parent kills it, and a thread does so where the parent is gone.
 */
watchOwner();
readViews(JSON.parse(process.argv[2]!) as ViewRequest); // from `sqlite-views.ts` only

function readViews({ path, views, maxRows, maxRowsOfView, maxChars }: ViewRequest): void {
  const database = new DatabaseSync(path, { readOnly: true, enableForeignKeyConstraints: false });
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON');
  let rows = maxRows;
  let chars = maxChars;
  for (const name of views) {
    const result: { -readonly [K in keyof ViewResult]: ViewResult[K] } = { name, columns: [], rows: [] };
    const found: unknown[][] = [];
    try {
      const select = database.prepare(`SELECT * FROM "${name.replaceAll('"', '""')}"`);
      select.setReadBigInts(true); // a number beyond 2^53 would be an error
      const columns = select.columns().map((column) => column.name);
      result.columns = columns;
      for (const row of select.iterate()) {
        if (rows <= 0 || chars <= 0 || found.length >= maxRowsOfView) {
          result.isCut = true;
          break;
        }
        const cells = columns.map((column) => row[column]);
        rows--;
        chars -= cells.reduce<number>((sum, cell) => sum + sizeOf(cell), 0);
        found.push(cells);
      }
    } catch (error) {
      result.problem = messageOf(error);
    }
    send({ ...result, rows: found });
  }
}

function sizeOf(cell: unknown): number {
  return typeof cell === 'string' || cell instanceof Uint8Array ? cell.length + 1 : 8;
}

/** Length, then the value. */
function send(result: ViewResult): void {
  const body = serialize(result);
  const frame = Buffer.alloc(4 + body.length);
  frame.writeUInt32LE(body.length);
  body.copy(frame, 4);
  for (let at = 0; at < frame.length; ) {
    try {
      at += writeSync(1, frame, at);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error; // the pipe is full
    }
  }
}
