import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IbidError, messageOf } from '../../core/errors.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { RowWriter } from './rows.ts';
import { readViews, writeViews } from './sqlite-views.ts';

/** Bytes 18 and 19 of the header: 2 is write-ahead logging, whose rows stand in a log until they are moved. */
const WRITE_VERSION = 18;
const ROLLBACK_JOURNAL = 1;
const MAX_LOG_BYTES = 256 * 2 ** 20;
const MAX_TABLES = 1000;
const MAX_ROWS = 1_000_000;
/** End of the name of the plain table that holds the texts of a full-text table. */
const KEPT = '_content';

/**
 * The tables of an SQLite database, a line for each row, then its views. Virtual tables are left out: they repeat the
 * tables, or run code of the file. Of a full-text table the texts that it keeps itself are read, from their plain table. Rows
 * that only stand in the log beside a database (`-wal`) are read from a copy of both, so that nothing is written beside
 * the user's file.
 * @throws IbidError FILE_DAMAGED, FILE_ENCRYPTED, FILE_EMPTY, FILE_TOO_LARGE
 */
export async function parseSqlite(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const { DatabaseSync } = await import('node:sqlite');
  const builder = new DocumentBuilder('sqlite', context);
  // SQLite reads files alone. The copy has no name any more once it is open, so that nothing stays after a crash.
  const folder = mkdtempSync(join(tmpdir(), 'ibid-sqlite-'));
  try {
    const path = join(folder, 'copy.sqlite');
    const hasLog = copyLog(bytes, context.surroundings?.log, `${path}-wal`, builder);
    const copy = Buffer.from(bytes);
    if (!hasLog) copy.fill(ROLLBACK_JOURNAL, WRITE_VERSION, WRITE_VERSION + 2);
    writeFileSync(path, copy, { mode: 0o600 });
    const database = new DatabaseSync(path, { readOnly: true, enableForeignKeyConstraints: false });
    try {
      database.exec('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON');
      const listed = database.prepare('PRAGMA table_list').all(); // opens all of its files
      const views = readViews(path, namesOf(listed, 'view').sort(), context.maxTextChars);
      if (process.platform !== 'win32') rmSync(folder, { recursive: true });
      writeTables(database, listed, builder);
      writeViews(views, builder, context.maxTextChars);
    } finally {
      database.close();
    }
  } catch (cause) {
    if (cause instanceof IbidError) throw cause;
    const message = messageOf(cause);
    if (/not a database/.test(message)) {
      throw new IbidError('FILE_ENCRYPTED', 'the database is encrypted, or its header is broken', { cause });
    }
    throw new IbidError('FILE_DAMAGED', `SQLite: ${message}`, { cause });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (builder.length === 0) throw new IbidError('FILE_EMPTY', 'the database has no table with rows');
  return builder.build();
}

/**
 * Copies the log beside a database; false where there is none that belongs to these bytes. While a program moves rows
 * from the log into the database, the two do not belong together.
 */
function copyLog(bytes: Uint8Array, log: string | undefined, to: string, builder: DocumentBuilder): boolean {
  if (log === undefined || bytes[WRITE_VERSION] === ROLLBACK_JOURNAL) return false;
  let why = `it has more than ${MAX_LOG_BYTES / 2 ** 20} MB`;
  try {
    if (statSync(log).size <= MAX_LOG_BYTES) {
      copyFileSync(log, to);
      if (readFileSync(log.slice(0, -'-wal'.length)).equals(bytes)) return true;
      why = 'the database was written while it was read';
    }
  } catch (cause) {
    why = messageOf(cause).split(',', 1)[0]!; // the rest has the path
  }
  rmSync(to, { force: true });
  builder.warn('DATABASE_LOG_UNREAD', `rows that only stand in the log beside the database are left out: ${why}`);
  return false;
}

type Database = InstanceType<typeof import('node:sqlite')['DatabaseSync']>;

/** A row of `PRAGMA table_list`. */
type Listed = Readonly<Record<string, unknown>>;

function namesOf(listed: readonly Listed[], wanted: string): string[] {
  return listed.filter(({ schema, type }) => schema === 'main' && type === wanted).map(({ name }) => String(name));
}

function writeTables(database: Database, listed: readonly Listed[], builder: DocumentBuilder): void {
  const own = (wanted: string): string[] => namesOf(listed, wanted);
  const kept = new Set(own('virtual').map((name) => `${name}${KEPT}`));
  const names = [
    ...own('table').filter((name) => !name.startsWith('sqlite_')),
    ...own('shadow').filter((name) => kept.has(name)),
  ].sort();
  if (names.length > MAX_TABLES) builder.warn('TABLES_LEFT_OUT', `${names.length - MAX_TABLES} tables are left out`);
  let rows = 0;
  let damage: unknown;
  for (const name of names.slice(0, MAX_TABLES)) {
    let table: RowWriter | undefined;
    try {
      const select = database.prepare(`SELECT * FROM "${name.replaceAll('"', '""')}" LIMIT ${MAX_ROWS - rows + 1}`);
      select.setReadBigInts(true); // a number beyond 2^53 would be an error
      const columns = select.columns().map((column) => column.name);
      for (const row of select.iterate()) {
        if (rows++ >= MAX_ROWS) {
          throw new IbidError('FILE_TOO_LARGE', `the database has more than ${MAX_ROWS} rows`, {
            hint: 'Export the tables that matter as CSV.',
          });
        }
        table ??= kept.has(name)
          ? new RowWriter(builder, namedColumns(database, name, columns), name.slice(0, -KEPT.length))
          : new RowWriter(builder, columns, name);
        table.write(columns.map((column) => row[column]));
      }
    } catch (cause) {
      if (cause instanceof IbidError) throw cause;
      // A broken page belongs to one table; the others may be whole.
      damage ??= cause;
      builder.warn('DATABASE_DAMAGED', `table "${name}": ${messageOf(cause)}; its other rows are left out`);
    }
    table?.end();
  }
  if (builder.length === 0 && damage !== undefined) throw damage;
  builder.metadata.tables = names.length;
  builder.metadata.rows = rows;
}

/** The columns of a full-text table as its definition names them: `c0`, `c1` stand in the table of its texts. */
function namedColumns(database: Database, kept: string, columns: readonly string[]): readonly string[] {
  const find = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?');
  const definition = String(find.get(kept.slice(0, -KEPT.length))?.sql ?? '');
  const list = definition.slice(definition.indexOf('(') + 1, definition.lastIndexOf(')'));
  const names = (list.match(/(?:"[^"]*"|'[^']*'|[^,"'])+/g) ?? [])
    .filter((part) => !part.includes('='))
    .map((part) => /^\s*(?:"([^"]*)"|'([^']*)'|(\S+))/.exec(part)?.slice(1).find(Boolean) ?? '');
  return names.length === columns.length - 1 ? [columns[0]!, ...names] : columns;
}
