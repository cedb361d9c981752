import { existsSync, statSync } from 'node:fs';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { IbidError } from '../core/errors.ts';
import { filesBelow, isRunning, reasonOf, removeHalfWritten, writeWhole } from '../core/files.ts';
import { metaTable } from './schema.ts';

/** A file of an index whose bytes are not those that were written. */
export interface Damage {
  /** Relative to the index folder. */
  readonly file: string;
  readonly table: string;
  readonly what: string;
  /** `sums`: the file holds checksums or the copy of the notes; `hint`: the database finds its newest version without. */
  readonly of: 'rows' | 'sums' | 'hint';
}

/** Size in bytes and CRC-32 of a file. */
type Sum = readonly [bytes: number, crc: number];

/** The sums of one table's files by path below the table's folder. */
type Sums = ReadonlyMap<string, Sum>;

const FOLDER = 'checksums';
const LOCKS = 'locks';
const PRUNING = '.pruning';
const NOTES = 'notes';
const HINT = 'latest_version_hint.json';
const READ_BYTES = 2 ** 20;
const GONE = 'is gone';
const FILES_AT_ONCE = 8;

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

  /** @param directory of the index */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Notes the files that are new in these tables, and forgets those that are gone. */
  async note(tables: readonly string[]): Promise<void> {
    for (const table of tables) {
      await this.mendHint(table); // a killed writer may have left it out
      // Without the write lock, another process may prune between the listing and the note of a table.
      while (!(await this.#noteTable(table)));
    }
  }

  /** @returns false when a noted file is gone already */
  async #noteTable(table: string): Promise<boolean> {
    const folder = this.#folder(table);
    const before = await this.#sums(table).catch(() => new Map<string, Sum>());
    const sums = new Map<string, Sum>();
    for (const file of await filesOf(folder)) {
      const path = join(folder, file);
      const sum = before.get(file) ?? (await sumOf(path));
      if (sum === undefined) continue; // pruned meanwhile
      sums.set(file, sum);
      this.#known.set(path, sum);
    }
    if (sums.size === before.size && [...sums.keys()].every((file) => before.has(file))) return true;
    this.#write(this.#sheet(table), sealed(JSON.stringify(Object.fromEntries(sums))));
    return [...sums.keys()].every((file) => existsSync(join(folder, file)));
  }

  /**
   * Deletes files of a table without the write lock, and notes which are left. A mark says so to those who miss files
   * meanwhile, or after a kill.
   */
  async pruning(table: string, prune: () => Promise<unknown>): Promise<void> {
    const mark = join(this.#directory, LOCKS, `${table}.${process.pid}${PRUNING}`);
    this.#write(mark, '');
    await prune();
    await this.note([table]);
    await rm(mark, { force: true });
  }

  /** For the holder of the write lock: completes and removes what killed processes left half done. */
  async settle(): Promise<void> {
    removeHalfWritten(join(this.#directory, FOLDER));
    for (const name of await readdir(join(this.#directory, LOCKS))) {
      const [table = '', pid = ''] = name.slice(0, -PRUNING.length).split('.');
      if (!name.endsWith(PRUNING) || isRunning(Number(pid))) continue;
      await this.note([table]);
      await rm(join(this.#directory, LOCKS, name), { force: true });
    }
  }

  /** @throws IbidError STORE_FAILED */
  #write(path: string, text: string): void {
    try {
      writeWhole(path, text);
    } catch (cause) {
      throw new IbidError('STORE_FAILED', `cannot write to the index folder ${this.#directory}: ${reasonOf(cause)}`, {
        cause,
      });
    }
  }

  /** Keeps a copy of the notes of the index. They alone cannot be made again from the documents. */
  async keepNotes(notes: Readonly<Record<string, string>>): Promise<void> {
    this.#write(join(this.#directory, FOLDER, NOTES), sealed(JSON.stringify(notes)));
  }

  /** The copy of the notes; undefined where there is none, or where it is damaged. */
  async notes(): Promise<Readonly<Record<string, string>> | undefined> {
    const text = await readIfThere(join(this.#directory, FOLDER, NOTES));
    const body = text === undefined ? undefined : unsealed(text);
    return body === undefined ? undefined : (JSON.parse(body) as Record<string, string>); // written by `keepNotes`
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
  async verify(tables: readonly string[]): Promise<void> {
    for (const table of tables) {
      const sums = await this.#sums(table);
      const versions = [...sums.keys()].filter(isVersion).sort();
      // File names of versions count down.
      const unread = new Set(versions.slice(1));
      if (versions[0] !== undefined && (await this.#isGone(table, versions[0]))) {
        throw damaged({ file: `lance/${table}.lance/${versions[0]}`, table, what: GONE, of: 'rows' });
      }
      const [damage] = await this.#compare(
        table,
        sums,
        (file) => !file.startsWith('_transactions/') && !unread.has(file),
      );
      if (damage) throw damaged(damage);
    }
  }

  /** Compares every file of every table anew. */
  async damage(): Promise<Damage[]> {
    const found: Damage[] = [];
    const sheets = existsSync(join(this.#directory, FOLDER)) ? await readdir(join(this.#directory, FOLDER)) : [];
    this.#known.clear();
    this.#sheets.clear();
    for (const sheet of sheets.filter((name) => name.endsWith('.json'))) {
      const table = sheet.slice(0, -'.json'.length);
      if (!existsSync(this.#folder(table))) continue; // dropped; a table that is needed is missed when it is opened
      try {
        const sums = await this.#sums(table);
        found.push(...(await this.#compare(table, sums, () => true)));
        found.push(...(await this.#missing(table, sums)), ...(await this.#hint(table, sums)));
      } catch (error) {
        if (!(error instanceof IbidError)) throw error;
        found.push(unreadable(table));
      }
    }
    if (existsSync(join(this.#directory, FOLDER, NOTES)) && (await this.notes()) === undefined) {
      found.push({
        file: `${FOLDER}/${NOTES}`,
        table: metaTable,
        what: 'has other bytes than were written',
        of: 'sums',
      });
    }
    return found;
  }

  /** How many files have a sum. @throws IbidError INDEX_DAMAGED */
  async count(tables: readonly string[]): Promise<number> {
    const sheets = await Promise.all(tables.map((table) => this.#sums(table)));
    return sheets.reduce((count, { size }) => count + size, 0);
  }

  /**
   * Looks at the one file that the database writes again and again: it names the newest version. A writer that was killed
   * after a commit leaves the version before, which does no harm, so each version since the checksums were noted is good.
   */
  async #hint(table: string, sums: Sums): Promise<Damage[]> {
    const folder = join(this.#folder(table), '_versions');
    const noted = [...sums.keys()].filter(isVersion).sort()[0]?.slice('_versions/'.length);
    const text = await readIfThere(join(folder, HINT));
    if (noted === undefined || text === undefined) return [];
    // File names of versions count down: a newer one has a lower name.
    const named = versionNamed(text);
    if (named !== undefined && named <= noted && existsSync(join(folder, named))) return [];
    if (!existsSync(join(folder, noted))) return []; // pruned or dropped meanwhile
    const file = `lance/${table}.lance/_versions/${HINT}`;
    return [{ file, table, what: 'names no version that is there', of: 'hint' }];
  }

  /** Writes that file again where it does not name the newest version. */
  async mendHint(table: string): Promise<void> {
    const folder = join(this.#folder(table), '_versions');
    const newest = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.manifest')).sort()[0];
    if (newest === undefined || (await readIfThere(join(folder, HINT))) === hintOf(newest)) return;
    this.#write(join(folder, HINT), hintOf(newest));
  }

  /** A version is gone when no newer one is there, which a writer that prunes leaves, and its sum still is. */
  async #isGone(table: string, version: string): Promise<boolean> {
    const folder = this.#folder(table);
    if (existsSync(join(folder, version))) return false;
    const there = await readdir(join(folder, '_versions')).catch(() => []);
    if (there.some((name) => `_versions/${name}` < version)) return false;
    return (await this.#sums(table)).has(version); // else the table was dropped
  }

  /** Files that have a sum and are not there. A writer may just be pruning, or was killed then: nothing is said. */
  async #missing(table: string, sums: Sums): Promise<Damage[]> {
    const missing = [...sums.keys()].filter((file) => !existsSync(join(this.#folder(table), file)));
    const writers = await readdir(join(this.#directory, LOCKS)).catch(() => []);
    if (missing.length === 0 || writers.length > 0) return [];
    const still = await this.#sums(table);
    return missing
      .filter((file) => still.has(file))
      .map((file): Damage => ({ file: `lance/${table}.lance/${file}`, table, what: GONE, of: 'rows' }));
  }

  async #compare(table: string, sums: Sums, wanted: (file: string) => boolean): Promise<Damage[]> {
    const folder = this.#folder(table);
    const found: Damage[] = [];
    const queue = [...sums].filter(([file]) => wanted(file)).values();
    const worker = async (): Promise<void> => {
      for (const [file, sum] of queue) {
        const path = join(folder, file);
        const known = this.#known.get(path);
        if (known?.[0] === sum[0] && known[1] === sum[1]) continue;
        const now = await sumOf(path);
        if (now === undefined) continue; // pruned; the database says so where a row of this file is needed
        if (now[0] === sum[0] && now[1] === sum[1]) this.#known.set(path, sum);
        else {
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
    const stamp = `${status.mtimeMs} ${status.size} ${status.ino}`;
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
    return join(this.#directory, FOLDER, `${table}.json`);
  }

  #folder(table: string): string {
    return join(this.#directory, 'lance', `${table}.lance`);
  }
}

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

/** A text with its own CRC-32 below it. */
function sealed(body: string): string {
  return `${body}\n${crc32(body).toString(16).padStart(8, '0')}\n`;
}

/** Undefined when the text is not what was sealed. */
function unsealed(text: string): string | undefined {
  const [body = ''] = text.split('\n', 1);
  return text === sealed(body) ? body : undefined;
}

const isVersion = (file: string): boolean => /^_versions\/\d{20}\.manifest$/.test(file);

/** File names of versions count down from the largest 64-bit number. */
const LARGEST = 2n ** 64n - 1n;

function hintOf(newest: string): string {
  return `{"version":${LARGEST - BigInt(newest.slice(0, -'.manifest'.length))}}`;
}

/** The file of the version that a hint names; undefined when it names none. */
function versionNamed(hint: string): string | undefined {
  const [, version] = /^\{"version":(\d{1,20})\}$/.exec(hint) ?? [];
  return version === undefined ? undefined : `${String(LARGEST - BigInt(version)).padStart(20, '0')}.manifest`;
}

function unreadable(table: string): Damage {
  return { file: `${FOLDER}/${table}.json`, table, what: 'has other bytes than were written', of: 'sums' };
}

/** Paths below a table's folder, without what is still being written and the one file that is written again. */
async function filesOf(folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const path of filesBelow(folder)) {
    const name = basename(path);
    if (!name.startsWith('.tmp') && name !== HINT) names.push(path.slice(folder.length + 1).replaceAll('\\', '/'));
  }
  return names;
}

/** Undefined when there is no such file. */
async function sumOf(path: string): Promise<Sum | undefined> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, Math.max(1, (await file.stat()).size)));
    let bytes = 0;
    for (let sum = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return [bytes, sum];
      sum = crc32(buffer.subarray(0, bytesRead), sum);
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
}

export const REPAIR_HINT =
  'Run `ibid doctor --repair` (`index.repair()`): it reads the documents from their files again.';

function damaged({ file, what }: Damage): IbidError {
  return new IbidError('INDEX_DAMAGED', `${file} of the index ${what}`, { hint: REPAIR_HINT });
}
