import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import ignore, { type Ignore } from 'ignore';
import { textsOf } from '../core/arguments.ts';
import { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';
import { decodeBytes } from '../read/encoding.ts';
import { isIndexFolder } from '../store/address.ts';
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
export type LeftOutReason =
  | 'ignored'
  | 'as asked'
  | 'hidden'
  | 'symbolic link'
  | 'special file'
  | 'machine-made'
  | 'with a name that is not UTF-8'
  | 'an index';

export interface LeftOut {
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

const IGNORE_FILES = ['.gitignore', '.ibidignore'];
/** Entries between two turns of the event loop, about a millisecond: the manifest is read at the same time. */
const ENTRIES_PER_TURN = 250;
/** Large folders without documents; search tools skip the same ones. */
const SKIPPED_FOLDERS = new Set(['node_modules', '.git', '.hg', '.svn', '.ibid', '__pycache__']);

/** Such a name, as archives of other systems leave it, cannot be asked for. */
const NOT_UTF8 = 'with a name that is not UTF-8';

/** About the documents, and none itself. */
const CONFIGURATION = 'ibid.config.json';

/** Names that nobody expects in an index: they are left out and not counted. */
const UNCOUNTED = new Set([...IGNORE_FILES, '.gitattributes', '.DS_Store', ...SKIPPED_FOLDERS]);

interface Rules {
  /** The ignore file. */
  readonly path: string;
  /** The folder that the patterns are relative to. */
  readonly root: string;
  readonly patterns: string;
  readonly matcher: Ignore;
}

/** Whether names that differ in case alone name one file, as git supposes on these systems. */
const ignorecase = process.platform === 'darwin' || process.platform === 'win32';

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
  const unreadable: string[] = [];
  const leftOut = new LeftOuts();
  const asked = options.leaveOut && rulesOf(options.leaveOut);
  const askedBelow = asked ? join(asked.root, sep) : '';
  const top = rootStat(root);
  if (top.isFile()) {
    found([{ path: root, sizeBytes: top.size, mtimeMs: top.mtimeMs }]);
    return { files: all, unreadable, leftOut: [] };
  }
  if (!top.isDirectory()) {
    throw new IbidError('FILE_UNREADABLE', `"${root}" is neither a file nor a folder`);
  }
  const pending: { folder: string; rules: readonly Rules[] }[] = [{ folder: root, rules: rulesAbove(root) }];
  let sinceTurn = 0;
  for (let at = pending.pop(); at; at = pending.pop()) {
    options.signal?.throwIfAborted();
    const { folder } = at;
    let entries: import('node:fs').Dirent[];
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      if (isGone(error) && folder.includes('\ufffd', root.length)) leftOut.add(NOT_UTF8);
      else unreadable.push(folder);
      continue;
    }
    const own = IGNORE_FILES.filter((wanted) => entries.some(({ name }) => name === wanted));
    const rules = own.length > 0 ? [...at.rules, ...own.map((name) => readRules(folder, name))] : at.rules;
    const files: FoundFile[] = [];
    let isClosed = false;
    const start = folder.endsWith(sep) ? folder : folder + sep; // `join` would look at every character again
    for (const entry of entries) {
      const { name } = entry;
      const path = start + name;
      const isFolder = entry.isDirectory();
      if (path === options.exclude || (isFolder ? SKIPPED_FOLDERS.has(name) : name === CONFIGURATION)) continue;
      if (!options.hidden && name.startsWith('.')) {
        if (!UNCOUNTED.has(name)) leftOut.add('hidden');
        continue;
      }
      if (!isFolder && !entry.isFile()) {
        leftOut.add(entry.isSymbolicLink() ? 'symbolic link' : 'special file');
        continue;
      }
      if (asked && path.startsWith(askedBelow) && judge([asked], path, isFolder)?.ignored) {
        leftOut.add('as asked');
        continue;
      }
      const verdict = rules.length > 0 ? judge(rules, path, isFolder) : undefined;
      if (verdict?.ignored) leftOut.add('ignored', verdict.by);
      else if (isFolder) {
        if (isIndexFolder(path)) leftOut.add('an index');
        else pending.push({ folder: path, rules: verdict?.tookBack ? rulesBelow(rules, path) : rules });
      } else if (verdict === undefined && isMachineMade(name)) leftOut.add('machine-made');
      else {
        const stat = statOf(path);
        if (stat === 'closed') isClosed = true;
        else if (stat) files.push({ path, sizeBytes: stat.size, mtimeMs: stat.mtimeMs });
        else if (name.includes('\ufffd')) leftOut.add(NOT_UTF8); // other files were just removed
      }
    }
    if (isClosed) unreadable.push(folder);
    found(files);
    sinceTurn += entries.length;
    if (sinceTurn > ENTRIES_PER_TURN) {
      sinceTurn = 0;
      await nextTurn();
    }
  }
  return { files: all, unreadable, leftOut: leftOut.list() };
}

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Undefined for a file that is gone; `closed` where the folder lists a name and does not let anybody look at it. */
function statOf(path: string): import('node:fs').Stats | 'closed' | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return 'closed';
  }
}

function rootStat(root: string): import('node:fs').Stats {
  try {
    return statSync(root);
  } catch (cause) {
    throw new IbidError('FILE_UNREADABLE', `"${root}" cannot be opened`, {
      cause,
      hint: 'Check the path. Nothing was removed from the index.',
    });
  }
}

/**
 * The patterns of the enclosing repository: a scan of a subfolder obeys the ignore files above it, up to the folder
 * with `.git`. The patterns of a file that leaves out the root itself count as if the file were in the root: whoever
 * names a folder wants what is in it.
 */
function rulesAbove(root: string): Rules[] {
  const chain: string[] = [];
  for (let folder = root; ; folder = dirname(folder)) {
    if (folder !== root) chain.unshift(folder);
    if (existsSync(join(folder, '.git'))) break;
    if (dirname(folder) === folder) return [];
  }
  return chain
    .flatMap((folder) => IGNORE_FILES.map((name) => ({ folder, name, path: join(folder, name) })))
    .filter(({ path }) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .map(({ folder, name }) => readRules(folder, name))
    .map((rules) => (judge([rules], root, true)?.ignored ? { ...rules, root } : rules));
}

/** @throws IbidError INVALID_ARGUMENT for patterns that are no texts */
function rulesOf({ root, patterns }: NonNullable<WalkOptions['leaveOut']>): Rules {
  textsOf(patterns, 'leaveOut');
  return rulesFrom('', root, patterns.join('\n'));
}

function rulesFrom(path: string, root: string, patterns: string): Rules {
  return { path, root, patterns, matcher: ignore({ ignorecase }).add(patterns) };
}

function readRules(folder: string, name: string): Rules {
  const path = join(folder, name);
  let patterns = '';
  try {
    // reading a pipe or a device in its place would not end
    if (statSync(path).isFile()) patterns = decodeBytes(readFileSync(path)).text;
  } catch {
    // An unreadable ignore file ignores nothing: files that it would hide are then indexed, and none is lost.
  }
  return rulesFrom(path, folder, patterns);
}

interface Verdict {
  readonly ignored: boolean;
  readonly by: string;
  /** True where a pattern begins with `!`. */
  readonly tookBack: boolean;
}

/** The deepest ignore file with a matching pattern decides, as in git; undefined when no pattern matches. */
function judge(rules: readonly Rules[], path: string, isFolder: boolean): Verdict | undefined {
  for (let i = rules.length - 1; i >= 0; i--) {
    const { root, matcher, path: by } = rules[i]!;
    const { ignored, unignored } = matcher.test(relativeTo(root, path, isFolder));
    if (ignored || unignored) return { ignored, by, tookBack: unignored };
  }
  return undefined;
}

function relativeTo(root: string, path: string, isFolder: boolean): string {
  const below = path.slice(root === '/' ? 1 : root.length + 1);
  return (sep === '/' ? below : below.replaceAll(sep, '/')) + (isFolder ? '/' : '');
}

/**
 * The rules for what is in a folder that a pattern took back. A matcher leaves out all below a folder that its own
 * patterns leave out, whatever another file says; git asks about each name below anew.
 */
function rulesBelow(rules: readonly Rules[], folder: string): Rules[] {
  return rules.map((one) => {
    const relative = relativeTo(one.root, folder, true);
    if (!one.matcher.test(relative).ignored) return one;
    return rulesFrom(one.path, one.root, `${one.patterns}\n!/${relative.replaceAll(/[\\*?[\] ]/g, '\\$&')}`);
  });
}
