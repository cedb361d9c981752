import { type Dirent, existsSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';
import { isIndexFolder } from '../store/address.ts';
import { IGNORE_FILES, judge, type Rules, readRules, rulesAbove, rulesBelow, rulesOf } from './ignore-rules.ts';
import { isMachineMade } from './machine-made.ts';

export interface FoundFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

export interface WalkOptions extends CallOptions {
  /** Include files and folders whose name begins with a dot. @default false */
  readonly hidden?: boolean | undefined;
  /** Absolute path of a folder that is never entered: the index itself. */
  readonly exclude?: string | undefined;
  /** Patterns as in `.gitignore`, relative to `root`. What matches is left out, whatever ignore files say. */
  readonly leaveOut?: { readonly root: string; readonly patterns: readonly string[] } | undefined;
}

/** Why an entry of a folder is left out. `ignored`: by the pattern of an ignore file; `as asked`: by `leaveOut`. */
type LeftOutReason =
  | 'ignored'
  | 'as asked'
  | 'hidden'
  | 'symbolic link'
  | 'special file'
  | 'machine-made'
  | 'with a name that is not UTF-8'
  | 'an index';

interface LeftOut {
  readonly reason: LeftOutReason;
  /** Absolute path of the ignore file. */
  readonly by?: string;
  /** Files, and folders with all that is in them. */
  readonly entries: number;
}

export interface WalkResult {
  readonly files: readonly FoundFile[];
  readonly leftOut: readonly LeftOut[];
  /** Folders that could not be listed, or not to the end; what else is in them is unknown. */
  readonly unreadable: readonly string[];
}

/** Entries between two turns of the event loop, about a millisecond: the manifest is read at the same time. */
const ENTRIES_PER_TURN = 250;
/** Large folders without documents; search tools skip the same ones. */
const SKIPPED_FOLDERS = new Set(['node_modules', '.git', '.hg', '.svn', '.ibid', '__pycache__']);

/** Such a name, as archives of other systems leave it, cannot be asked for. */
const NOT_UTF8 = 'with a name that is not UTF-8';
/** The character in such a name for each byte that is not UTF-8. */
const REPLACEMENT = '\ufffd';

/** About the documents, and none itself. */
const CONFIGURATION = 'ibid.config.json';

/** Names that nobody expects in an index: they are left out and not counted. */
const UNCOUNTED = new Set([...IGNORE_FILES, '.gitattributes', '.DS_Store', ...SKIPPED_FOLDERS]);

/** Counts of what is left out, by reason. */
class LeftOuts {
  readonly #counts = new Map<string, { reason: LeftOutReason; by?: string; entries: number }>();

  add(reason: LeftOutReason, by?: string): void {
    const key = `${reason} ${by ?? ''}`;
    const known = this.#counts.get(key);
    if (known) known.entries++;
    else this.#counts.set(key, { reason, ...(by === undefined ? {} : { by }), entries: 1 });
  }

  list(): LeftOut[] {
    return [...this.#counts.values()].sort((a, b) => b.entries - a.entries);
  }
}

/**
 * Lists the files below a folder, or one file. Obeys `.gitignore` and `.ibidignore` in every folder from the root down;
 * `.ibidignore` comes last, so that it can include files again. A root that ignore files above it leave out is read all
 * the same. Lock files, minified scripts and other indexes are left out. Symbolic links below the root are not followed,
 * so they cannot add files from outside. Sizes and times are from `lstat`. Calls are synchronous, because a promise per
 * file costs several times the call; the event loop gets a turn between folders.
 * @param take called with the files of one folder after the other, which are then not in the result
 * @throws IbidError FILE_UNREADABLE when the root cannot be opened
 */
export async function walk(
  root: string,
  options: WalkOptions = {},
  take?: (files: readonly FoundFile[]) => void,
): Promise<WalkResult> {
  const all: FoundFile[] = [];
  const found = (files: readonly FoundFile[]): void => {
    if (take) take(files);
    else for (const file of files) all.push(file);
  };
  const listing = new Listing(options);
  const top = rootStat(root);
  if (top.isFile()) {
    found([{ path: root, sizeBytes: top.size, mtimeMs: top.mtimeMs }]);
    return { files: all, unreadable: [], leftOut: [] };
  }
  if (!top.isDirectory()) {
    throw new IbidError('FILE_UNREADABLE', `"${root}" is neither a file nor a folder`);
  }
  const unreadable: string[] = [];
  const pending: Pending[] = [{ folder: root, rules: rulesAbove(root) }];
  let sinceTurn = 0;
  for (let at = pending.pop(); at; at = pending.pop()) {
    options.signal?.throwIfAborted();
    const { folder } = at;
    let entries: Dirent[];
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      if (isGone(error) && folder.includes(REPLACEMENT, root.length)) listing.leftOut.add(NOT_UTF8);
      else unreadable.push(folder);
      continue;
    }
    const { files, folders, isClosed, hasLost } = listing.sort(at, entries);
    for (const below of folders) pending.push(below);
    // files that go with their folder were not deleted: a disk may be away
    if (isClosed || (hasLost && !existsSync(folder))) unreadable.push(folder);
    found(files);
    sinceTurn += entries.length;
    if (sinceTurn > ENTRIES_PER_TURN) {
      sinceTurn = 0;
      await nextTurn();
    }
  }
  return { files: all, unreadable, leftOut: listing.leftOut.list() };
}

/** A folder to list, and the ignore files that hold there. */
interface Pending {
  readonly folder: string;
  readonly rules: readonly Rules[];
}

interface Sorted {
  readonly files: FoundFile[];
  readonly folders: Pending[];
  /** Whether the folder lists names and does not let anybody look at them. */
  isClosed: boolean;
  /** Whether a file went while the folder was listed. */
  hasLost: boolean;
}

/** Sorts the entries of folders into files, folders to go on with, and what is left out. */
class Listing {
  readonly leftOut: LeftOuts = new LeftOuts();
  readonly #options: WalkOptions;
  readonly #asked: Rules | undefined;
  readonly #askedBelow: string;

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#asked = options.leaveOut && rulesOf(options.leaveOut);
    this.#askedBelow = this.#asked ? join(this.#asked.root, sep) : '';
  }

  sort({ folder, rules: above }: Pending, entries: readonly Dirent[]): Sorted {
    const own = IGNORE_FILES.filter((wanted) => entries.some(({ name }) => name === wanted));
    const rules = own.length > 0 ? [...above, ...own.map((name) => readRules(folder, name))] : above;
    const sorted: Sorted = { files: [], folders: [], isClosed: false, hasLost: false };
    const start = folder.endsWith(sep) ? folder : folder + sep; // `join` would look at every character again
    for (const entry of entries) {
      const path = start + entry.name;
      if (this.#isOut(entry, path)) continue;
      const isFolder = entry.isDirectory();
      const verdict = rules.length > 0 ? judge(rules, path, isFolder) : undefined;
      if (verdict?.ignored) this.leftOut.add('ignored', verdict.by);
      else if (isFolder) {
        if (isIndexFolder(path)) this.leftOut.add('an index');
        else sorted.folders.push({ folder: path, rules: verdict?.tookBack ? rulesBelow(rules, path) : rules });
      } else if (verdict === undefined && isMachineMade(entry.name)) this.leftOut.add('machine-made');
      else this.#addFile(sorted, entry.name, path);
    }
    return sorted;
  }

  /** Whether an entry is left out whatever ignore files say. */
  #isOut(entry: Dirent, path: string): boolean {
    const { name } = entry;
    const { exclude, hidden } = this.#options;
    const isFolder = entry.isDirectory();
    if (path === exclude || (isFolder ? SKIPPED_FOLDERS.has(name) : name === CONFIGURATION)) return true;
    if (!hidden && name.startsWith('.')) {
      if (!UNCOUNTED.has(name)) this.leftOut.add('hidden');
      return true;
    }
    if (!isFolder && !entry.isFile()) {
      this.leftOut.add(entry.isSymbolicLink() ? 'symbolic link' : 'special file');
      return true;
    }
    const asked = this.#asked;
    if (!asked || !path.startsWith(this.#askedBelow) || !judge([asked], path, isFolder)?.ignored) return false;
    this.leftOut.add('as asked');
    return true;
  }

  #addFile(sorted: Sorted, name: string, path: string): void {
    const stat = statOf(path);
    if (stat === 'closed') sorted.isClosed = true;
    else if (stat) sorted.files.push({ path, sizeBytes: stat.size, mtimeMs: stat.mtimeMs });
    else if (name.includes(REPLACEMENT)) this.leftOut.add(NOT_UTF8);
    else sorted.hasLost = true;
  }
}

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Undefined for a file that is gone; `closed` where the folder lists a name and does not let anybody look at it. */
function statOf(path: string): Stats | 'closed' | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return 'closed';
  }
}

function rootStat(root: string): Stats {
  try {
    return statSync(root);
  } catch (cause) {
    throw new IbidError('FILE_UNREADABLE', `"${root}" cannot be opened`, {
      cause,
      hint: 'Check the path. Nothing was removed from the index.',
    });
  }
}
