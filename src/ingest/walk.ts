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
  /** Also files and folders whose name begins with a dot. @default false */
  readonly hidden?: boolean | undefined;
  /** Absolute path of a folder that is never entered: the index itself. */
  readonly exclude?: string | undefined;
}

export interface WalkResult {
  readonly files: readonly FoundFile[];
  /** Folders that could not be listed: nothing is known of what lies in them. */
  readonly unreadable: readonly string[];
}

const IGNORE_FILES = ['.gitignore', '.ibidignore'];
/** What else is under way gets its turn every millisecond or so: meanwhile the index's manifest is read. */
const ENTRIES_PER_TURN = 250;
/** Never documents, and large: the same folders that search tools leave out. */
const SKIPPED_FOLDERS = new Set(['node_modules', '.git', '.hg', '.svn', '.ibid', '__pycache__']);

interface Rules {
  /** Folder the patterns are relative to. */
  readonly root: string;
  readonly matcher: Ignore;
}

/**
 * Lists the files below a folder (or the one file named), honouring `.gitignore` and `.ibidignore` in every folder from
 * the root down, `.ibidignore` last so that it can re-include. Symbolic links are not followed: a link cannot bring in
 * what lies outside the folder. Sizes and times are those of `lstat`. Synchronous calls on purpose, a turn of the event
 * loop between folders: a promise a file costs several times the call itself.
 * @throws IbidError FILE_UNREADABLE when the root itself cannot be opened
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
 * Patterns of the enclosing repository: a scan of a subfolder obeys the `.gitignore` files above it, up to the one with
 * `.git`.
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
      // An ignore file that cannot be read ignores nothing; the files it would have hidden are then visible, not lost.
    }
  }
  return { root: folder, matcher };
}

/** The deepest file that has an opinion decides, as in git. */
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

/** File name without its last extension; the whole name when that would leave nothing. */
export function nameWithoutExtension(path: string): string {
  const name = basename(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}
