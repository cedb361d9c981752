import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import ignore, { type Ignore } from 'ignore';
import { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';

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
}

export interface WalkResult {
  readonly files: readonly FoundFile[];
  /** Folders that could not be listed; their content is unknown. */
  readonly unreadable: readonly string[];
}

const IGNORE_FILES = ['.gitignore', '.ibidignore'];
/** Entries between two turns of the event loop, about a millisecond: the manifest is read at the same time. */
const ENTRIES_PER_TURN = 250;
/** Large folders without documents; search tools skip the same ones. */
const SKIPPED_FOLDERS = new Set(['node_modules', '.git', '.hg', '.svn', '.ibid', '__pycache__']);

interface Rules {
  /** The folder that the patterns are relative to. */
  readonly root: string;
  readonly matcher: Ignore;
}

/**
 * Lists the files below a folder, or one file. Obeys `.gitignore` and `.ibidignore` in every folder from the root down;
 * `.ibidignore` comes last, so that it can include files again. Symbolic links below the root are not followed, so they
 * cannot add files from outside. Sizes and times are from `lstat`. Calls are synchronous, because a promise per file
 * costs several times the call; the event loop gets a turn between folders.
 * @throws IbidError FILE_UNREADABLE when the root cannot be opened
 */
export async function walk(root: string, options: WalkOptions = {}): Promise<WalkResult> {
  const files: FoundFile[] = [];
  const unreadable: string[] = [];
  const top = rootStat(root);
  if (top.isFile()) return { files: [{ path: root, sizeBytes: top.size, mtimeMs: top.mtimeMs }], unreadable };
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
    } catch {
      unreadable.push(folder);
      continue;
    }
    const names = new Set(entries.map((entry) => entry.name));
    const own = IGNORE_FILES.filter((name) => names.has(name));
    const rules = own.length > 0 ? [...at.rules, readRules(folder, own)] : at.rules;
    for (const entry of entries) {
      const { name } = entry;
      if (!options.hidden && name.startsWith('.')) continue;
      const path = join(folder, name);
      if (entry.isDirectory()) {
        if (SKIPPED_FOLDERS.has(name) || path === options.exclude || ignored(rules, path, true)) continue;
        pending.push({ folder: path, rules });
      } else if (entry.isFile()) {
        if (ignored(rules, path, false)) continue;
        const stat = lstatSync(path, { throwIfNoEntry: false });
        if (stat) files.push({ path, sizeBytes: stat.size, mtimeMs: stat.mtimeMs });
      }
    }
    sinceTurn += entries.length;
    if (sinceTurn > ENTRIES_PER_TURN) {
      sinceTurn = 0;
      await nextTurn();
    }
  }
  return { files, unreadable };
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
 * with `.git`.
 */
function rulesAbove(root: string): Rules[] {
  const chain: string[] = [];
  for (let folder = root; ; folder = dirname(folder)) {
    if (folder !== root) chain.unshift(folder);
    if (existsSync(join(folder, '.git'))) {
      return chain.flatMap((above) => {
        const own = IGNORE_FILES.filter((name) => statSync(join(above, name), { throwIfNoEntry: false })?.isFile());
        return own.length > 0 ? [readRules(above, own)] : [];
      });
    }
    if (dirname(folder) === folder) return [];
  }
}

function readRules(folder: string, names: readonly string[]): Rules {
  const matcher = ignore();
  for (const name of names) {
    try {
      matcher.add(readFileSync(join(folder, name), 'utf8'));
    } catch {
      // An unreadable ignore file ignores nothing: files that it would hide are then indexed, and none is lost.
    }
  }
  return { root: folder, matcher };
}

/** The deepest ignore file with a matching pattern decides, as in git. */
function ignored(rules: readonly Rules[], path: string, isFolder: boolean): boolean {
  for (let i = rules.length - 1; i >= 0; i--) {
    const { root, matcher } = rules[i]!;
    const relative = path.slice(root === '/' ? 1 : root.length + 1).replaceAll('\\', '/');
    const verdict = matcher.test(isFolder ? `${relative}/` : relative);
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}

/** File name without its last extension; the whole name when nothing else would be left. */
export function nameWithoutExtension(path: string): string {
  const name = basename(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}
