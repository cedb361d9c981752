import { type Dirent, existsSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { IbidError } from '../core/errors.ts';
import { removeHalfWritten } from '../core/files.ts';
import { NotesCopy } from './notes-copy.ts';
import { metaTable } from './schema.ts';
import { checksumsFolder, sealed, unsealed, writeSheet } from './sheets.ts';

/** A file of an index whose bytes are not those that were written. */
export interface Damage {
  /** Relative to the index folder. */
  readonly file: string;
  readonly table: string;
  readonly what: string;
  /**
   * `sums`: the file holds checksums or the copy of the notes; `hint`: the file that
   * names the newest version, which the database also finds without this file.
   */
  readonly of: 'rows' | 'sums' | 'hint';
}

/** Size in bytes and CRC-32 of a file. */
type Sum = readonly [bytes: number, crc: number];

/** The sums of one table's files by path below the table's folder. */
type Sums = ReadonlyMap<string, Sum>;

const VERSIONS = '_versions';
const HINT = `${VERSIONS}/latest_version_hint.json`;
const READ_BYTES = 2 ** 20;
const GONE = 'is gone';
const FILES_AT_ONCE = 8;
/** New files up to this size are in memory still: the turns of the thread pool take longer than the reading. */
const AT_ONCE_BYTES = 2 ** 16;

export interface VerifyOptions {
  /** Whether the files with rows are compared, too. @default true */
  readonly rows?: boolean | undefined;
}

/**
 * Sums of the files of a local index. The database writes each file once, under a name of its own, and never changes
 * it. A writer notes size and CRC-32 of new files after each commit, in one small file for each table, which ends with
 * its own CRC-32. A reader compares each file with its sum before it hands out anything of the table. A file without a
 * sum is not compared: a commit that is a moment old, or an index from before there were sums.
 */
export class Checksums {
  readonly #directory: string;
  /** Sums by file, of files that were written or compared by this process. */
  readonly #known = new Map<string, Sum>();
  readonly #sheets = new Map<string, { readonly stamp: string; readonly sums: Sums }>();
  /** Files that this process found damaged. */
  readonly #damaged = new Set<string>();
  readonly #notes: NotesCopy;

  /** @param directory of the index */
  constructor(directory: string, notes: NotesCopy = new NotesCopy(directory)) {
    this.#directory = directory;
    this.#notes = notes;
  }

  /** Notes the files that are new in these tables, and forgets those that are gone. */
  async note(tables: readonly string[]): Promise<void> {
    for (const table of tables) {
      const folder = this.#folder(table);
      const before = await this.#sums(table).catch(() => new Map<string, Sum>());
      const sums = new Map<string, Sum>();
      for (const file of filesOf(folder)) {
        const path = join(folder, file);
        const sum = (file === HINT ? undefined : before.get(file)) ?? sumAtOnce(path) ?? (await sumOf(path));
        if (sum === undefined) continue; // pruned meanwhile
        sums.set(file, sum);
        this.#known.set(path, sum);
      }
      if (sums.size === before.size && [...sums].every(([file, sum]) => isSame(before.get(file), sum))) continue;
      writeSheet(this.#directory, sheetOf(table), sealed(JSON.stringify(Object.fromEntries(sums))));
      this.#sheets.set(table, { stamp: stampOf(statSync(this.#sheet(table))), sums });
    }
  }

  /** False for a table that has none, and where there is no copy of the notes. */
  hasSums(tables: readonly string[]): boolean {
    return this.#notes.exists && tables.every((table) => existsSync(this.#sheet(table)));
  }

  /** Removes what killed writers left half written. */
  tidy(): void {
    removeHalfWritten(join(this.#directory, checksumsFolder));
  }

  /** For a table that is dropped. */
  async forget(table: string): Promise<void> {
    await rm(this.#sheet(table), { force: true });
  }

  /**
   * Compares what a reader of these tables relies on, unless this process has done so before: the newest version and
   * the files with rows.
   * @throws IbidError INDEX_DAMAGED naming the first damaged file
   */
  async verify(tables: readonly string[], { rows = true }: VerifyOptions = {}): Promise<void> {
    for (const table of tables) {
      const sums = await this.#sums(table);
      const [newest, ...older] = versionsOf(sums);
      if (newest !== undefined && !existsSync(join(this.#folder(table), newest))) {
        // A newer version may have taken its place.
        const isGone = (await this.#newerVersions(table, newest)).length === 0 && (await this.#sums(table)).has(newest); // not dropped
        if (isGone) throw damaged({ file: `lance/${table}.lance/${newest}`, table, what: GONE, of: 'rows' });
      }
      const unread = new Set([...older, HINT]);
      const [damage] = await this.#compare(
        table,
        sums,
        (file) => !file.startsWith('_transactions/') && !unread.has(file) && (rows || file.startsWith(VERSIONS)),
      );
      if (damage) throw damaged(damage);
    }
  }

  /** The first file of these tables that is gone and that no writer has pruned, as INDEX_DAMAGED. */
  async lost(tables: readonly string[]): Promise<IbidError | undefined> {
    for (const table of tables) {
      const [gone] = await this.#missing(table);
      if (gone) return damaged(gone);
    }
    return undefined;
  }

  /** Compares every file of every table anew. */
  async damage(): Promise<Damage[]> {
    const found: Damage[] = [];
    const sheets = existsSync(join(this.#directory, checksumsFolder))
      ? await readdir(join(this.#directory, checksumsFolder))
      : [];
    this.#known.clear();
    this.#sheets.clear();
    for (const sheet of sheets.filter((name) => name.endsWith('.json'))) {
      const table = sheet.slice(0, -'.json'.length);
      if (!existsSync(this.#folder(table))) continue; // dropped; a table that is needed is missed when it is opened
      try {
        found.push(...(await this.#damageOf(table)));
      } catch (error) {
        if (!(error instanceof IbidError)) throw error;
        found.push(unreadable(table));
      }
    }
    if (this.#notes.exists && this.#notes.read() === undefined) {
      found.push({
        file: NotesCopy.file,
        table: metaTable,
        what: 'has other bytes than were written',
        of: 'sums',
      });
    }
    return found;
  }

  /** Looks again where a writer has changed the table meanwhile. */
  async #damageOf(table: string): Promise<Damage[]> {
    for (;;) {
      const sums = await this.#sums(table);
      const found = [
        ...(await this.#compare(table, sums, (file) => file !== HINT)),
        ...(await this.#missing(table)),
        ...(await this.#hint(table)),
      ];
      if (found.length === 0 || (await this.#sums(table)) === sums) return found;
    }
  }

  /** How many files have a sum. @throws IbidError INDEX_DAMAGED */
  async count(tables: readonly string[]): Promise<number> {
    const sheets = await Promise.all(tables.map((table) => this.#sums(table)));
    return sheets.reduce((count, { size }) => count + size, 0);
  }

  /**
   * Looks at the one file that the database writes again with every commit: it names the newest version. A killed
   * writer leaves the file as it was noted, or with the name of a version that is newer than the noted ones.
   */
  async #hint(table: string): Promise<Damage[]> {
    const sums = await this.#sums(table);
    const noted = sums.get(HINT);
    const path = join(this.#folder(table), HINT);
    if (noted === undefined || isSame(await sumOf(path), noted)) return [];
    const text = await readFile(path, 'utf8').catch(() => '');
    const newer = await this.#newerVersions(table, versionsOf(sums)[0]);
    if (newer.some((version) => text === hintOf(version))) return [];
    return [{ file: `lance/${table}.lance/${HINT}`, table, what: 'names no version that was written', of: 'hint' }];
  }

  /** Writes that file again. */
  async mendHint(table: string): Promise<void> {
    const [newest] = await this.#newerVersions(table, undefined);
    if (newest !== undefined) writeSheet(this.#directory, join(folderOf(table), HINT), hintOf(newest));
    await this.note([table]);
  }

  /** Versions that are there and newer than `version`, newest first. */
  async #newerVersions(table: string, version: string | undefined): Promise<string[]> {
    const names = await readdir(join(this.#folder(table), VERSIONS)).catch(() => []);
    const there = names.filter((name) => name.endsWith('.manifest')).map((name) => `${VERSIONS}/${name}`);
    return there.filter((one) => version === undefined || one < version).sort();
  }

  /**
   * Files that have a sum and are not there. Nothing is said where versions came or went since the sums were noted: a
   * writer prunes, or was killed while it did.
   */
  async #missing(table: string): Promise<Damage[]> {
    const sums = await this.#sums(table);
    const missing = new Set([...sums.keys()].filter((file) => !existsSync(join(this.#folder(table), file))));
    const [newest, ...older] = versionsOf(sums);
    if (missing.size === 0 || older.some((version) => missing.has(version))) return [];
    if ((await this.#newerVersions(table, newest)).length > 0) return [];
    return [...missing].map((file) => ({ file: `lance/${table}.lance/${file}`, table, what: GONE, of: 'rows' }));
  }

  /**
   * False where a file that a reader of these tables relies on is not there in its size, or was found damaged by this
   * process. Reads no file.
   */
  async weigh(tables: readonly string[]): Promise<boolean> {
    for (const table of tables) {
      const sums = await this.#sums(table);
      const [, ...older] = versionsOf(sums);
      const unread = new Set([...older, HINT]);
      for (const [file, [bytes]] of sums) {
        if (file.startsWith('_transactions/') || unread.has(file)) continue;
        const path = join(this.#folder(table), file);
        if (this.#damaged.has(path) || statSync(path, { throwIfNoEntry: false })?.size !== bytes) return false;
      }
    }
    return true;
  }

  async #compare(table: string, sums: Sums, wanted: (file: string) => boolean): Promise<Damage[]> {
    const folder = this.#folder(table);
    const found: Damage[] = [];
    const queue = [...sums].filter(([file]) => wanted(file)).values();
    const worker = async (): Promise<void> => {
      for (const [file, sum] of queue) {
        const path = join(folder, file);
        const known = this.#known.get(path);
        if (isSame(known, sum)) continue;
        const now = await sumOf(path, sum[0]);
        if (now === undefined) continue; // pruned; the database says so where a row of this file is needed
        if (isSame(now, sum)) this.#known.set(path, sum);
        else {
          this.#damaged.add(path);
          const what = now[0] === sum[0] ? 'has other bytes than were written' : `has ${now[0]} of ${sum[0]} bytes`;
          found.push({ file: `lance/${basename(folder)}/${file}`, table, what, of: 'rows' });
        }
      }
    };
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, worker));
    return found.sort((a, b) => (a.file < b.file ? -1 : 1));
  }

  /** @throws IbidError INDEX_DAMAGED when the sheet itself is not what was written */
  async #sums(table: string): Promise<Sums> {
    const sheet = this.#sheet(table);
    const status = statSync(sheet, { throwIfNoEntry: false });
    if (status === undefined) return new Map();
    const stamp = stampOf(status);
    const kept = this.#sheets.get(table);
    if (kept?.stamp === stamp) return kept.sums;
    const text = await readIfThere(sheet);
    if (text === undefined) return new Map(); // the table was dropped meanwhile
    const sums = parse(text);
    if (sums === undefined) throw damaged(unreadable(table));
    this.#sheets.set(table, { stamp, sums });
    return sums;
  }

  #sheet(table: string): string {
    return join(this.#directory, sheetOf(table));
  }

  #folder(table: string): string {
    return join(this.#directory, folderOf(table));
  }
}

/** Relative to the index folder. */
const sheetOf = (table: string): string => join(checksumsFolder, `${table}.json`);
const folderOf = (table: string): string => join('lance', `${table}.lance`);

/** Undefined when there is no such file. */
async function readIfThere(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

function parse(text: string): Sums | undefined {
  const body = unsealed(text);
  return body === undefined ? undefined : new Map(Object.entries(JSON.parse(body) as Record<string, Sum>)); // of `note`
}

const isSame = (a: Sum | undefined, b: Sum): boolean => a?.[0] === b[0] && a[1] === b[1];

/** Files of versions, newest first: their names count down from the largest 64-bit number. */
function versionsOf(sums: Sums): string[] {
  return [...sums.keys()].filter((file) => file.startsWith(VERSIONS) && file.endsWith('.manifest')).sort();
}

function hintOf(version: string): string {
  const number = 2n ** 64n - 1n - BigInt(version.slice(VERSIONS.length + 1, -'.manifest'.length));
  return `{"version":${number}}`;
}

function unreadable(table: string): Damage {
  return { file: sheetOf(table), table, what: 'has other bytes than were written', of: 'sums' };
}

const stampOf = ({ mtimeMs, size, ino }: Stats): string => `${mtimeMs} ${size} ${ino}`;

/** Paths below a table's folder, without what is still being written; none where there is no folder. */
function filesOf(folder: string, below = ''): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(join(folder, below), { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []; // dropped, or pruned meanwhile
    throw error;
  }
  return entries.flatMap((entry) => {
    if (entry.isDirectory()) return filesOf(folder, `${below}${entry.name}/`);
    return entry.isFile() && !entry.name.startsWith('.tmp') ? [below + entry.name] : [];
  });
}

/** The sum of a small file; undefined for another one, and where it cannot be read. */
function sumAtOnce(path: string): Sum | undefined {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? Infinity) > AT_ONCE_BYTES) return undefined;
  try {
    const bytes = readFileSync(path);
    return [bytes.length, crc32(bytes)];
  } catch {
    return undefined;
  }
}

/** @param expected bytes: where the file has them, a last read is spared. Undefined when there is no such file. */
async function sumOf(path: string, expected?: number): Promise<Sum | undefined> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const size = 1 + (expected ?? (await file.stat()).size);
    const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, size));
    let bytes = 0;
    for (let sum = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      sum = crc32(buffer.subarray(0, bytesRead), sum);
      bytes += bytesRead;
      if (bytesRead === 0 || (bytes === expected && bytesRead < buffer.length)) return [bytes, sum];
    }
  } finally {
    await file.close();
  }
}

export const repairHint = {
  hint: 'Call `index.repair()`, which reads the documents from their files again.',
} as const;

function damaged({ file, what }: Damage): IbidError {
  return new IbidError('INDEX_DAMAGED', `${file} of the index ${what}`, repairHint);
}
