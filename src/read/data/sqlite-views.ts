import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { deserialize } from 'node:v8';
import { ownProgram } from '../../core/package-files.ts';
import type { DocumentBuilder } from '../builder.ts';
import { RowWriter } from './rows.ts';

/** The work of the process that reads views. */
export interface ViewRequest {
  readonly path: string;
  readonly views: readonly string[];
  /** Of all views together. */
  readonly maxRows: number;
  readonly maxRowsOfView: number;
  /** Characters of all cells together, about. */
  readonly maxChars: number;
}

export interface ViewResult {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** There are more rows. */
  readonly isCut?: boolean;
  /** Why its other rows are left out. */
  readonly problem?: string;
}

const MAX_VIEWS = 200;
const MAX_ROWS = 100_000;
const MAX_ROWS_OF_VIEW = 20_000;
const MAX_CHARS = 8 * 2 ** 20;
/** Time for the views that are read in one go, with the start of the process. */
const TIMEOUT_MS = 4000;
/** Each costs the whole time. */
const MOST_ENDLESS = 2;

/**
 * The rows of views, read in a process of their own: what a view computes may have no end, and SQLite gives no way to
 * stop it from within. Of a view that takes too long no row is read.
 */
export function readViews(path: string, names: readonly string[], maxTextChars: number): ViewResult[] {
  const results: ViewResult[] = [];
  let endless = 0;
  let waiting = names.slice(0, MAX_VIEWS);
  while (waiting.length > 0) {
    const found = endless < MOST_ENDLESS ? runViews(path, waiting, maxTextChars, results) : [];
    results.push(...found);
    waiting = waiting.slice(found.length);
    const [stopped] = waiting;
    if (stopped === undefined) break;
    const problem = endless++ < MOST_ENDLESS ? 'it takes too long' : 'views before it take too long';
    results.push({ name: stopped, columns: [], rows: [], problem });
    waiting = waiting.slice(1);
  }
  for (const name of names.slice(MAX_VIEWS))
    results.push({ name, columns: [], rows: [], problem: `there are more than ${MAX_VIEWS} views` });
  return results;
}

function runViews(
  path: string,
  views: readonly string[],
  maxTextChars: number,
  before: readonly ViewResult[],
): ViewResult[] {
  const entry = ownProgram('read/data/sqlite-view-process');
  const taken = before.reduce((sum, { rows }) => sum + rows.length, 0);
  const maxChars = Math.min(MAX_CHARS, maxTextChars / 4);
  const request: ViewRequest = { path, views, maxRows: MAX_ROWS - taken, maxRowsOfView: MAX_ROWS_OF_VIEW, maxChars };
  const heap = '--max-old-space-size=256';
  const { stdout } = spawnSync(
    process.execPath,
    [heap, '--no-warnings', fileURLToPath(entry), JSON.stringify(request)],
    { timeout: TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const results: ViewResult[] = [];
  for (let at = 0; stdout !== null && at + 4 <= stdout.length; ) {
    const end = at + 4 + stdout.readUInt32LE(at);
    if (end > stdout.length) break; // it was stopped
    results.push(deserialize(stdout.subarray(at + 4, end)) as ViewResult); // written by our own process
    at = end;
  }
  return results;
}

/** Writes views as tables, and a warning for each that is not there as a whole. */
export function writeViews(views: readonly ViewResult[], builder: DocumentBuilder, maxTextChars: number): void {
  for (const { name, columns, rows, isCut, problem } of views) {
    const writer = rows.length > 0 ? new RowWriter(builder, columns, name) : undefined;
    let written = 0;
    // Views repeat what tables hold: they never make a database too large.
    for (const row of rows) {
      if (builder.length > maxTextChars * 0.75) break;
      writer?.write(row);
      written++;
    }
    writer?.end();
    if (problem !== undefined)
      builder.warn(
        'VIEW_LEFT_OUT',
        `view "${name}": ${problem}${rows.length > 0 ? '; its other rows are left out' : ''}`,
      );
    else if (isCut || written < rows.length)
      builder.warn('VIEW_LEFT_OUT', `view "${name}": rows after the first ${written} are left out`);
  }
}
