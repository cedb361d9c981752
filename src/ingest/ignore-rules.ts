import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { textsOf } from '../core/arguments.ts';
import { decodeBytes } from '../read/encoding.ts';

/** Names of ignore files, the one that decides last. */
export const IGNORE_FILES: readonly string[] = ['.gitignore', '.ibidignore'];

/** The patterns of one ignore file, or those that a caller gives. */
export interface Rules {
  /** The ignore file. */
  readonly path: string;
  /** The folder that the patterns are relative to. */
  readonly root: string;
  readonly patterns: string;
  readonly matcher: Ignore;
}

/** Whether names that differ in case alone name one file, as git supposes on these systems. */
const ignorecase = process.platform === 'darwin' || process.platform === 'win32';

/**
 * The patterns of the enclosing repository: a scan of a subfolder obeys the ignore files above it, up to the folder
 * with `.git`. The patterns of a file that leaves out the root itself count as if the file were in the root: whoever
 * names a folder wants what is in it.
 */
export function rulesAbove(root: string): Rules[] {
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
export function rulesOf({ root, patterns }: { readonly root: string; readonly patterns: readonly string[] }): Rules {
  textsOf(patterns, 'leaveOut');
  return rulesFrom('', root, patterns.join('\n'));
}

function rulesFrom(path: string, root: string, patterns: string): Rules {
  return { path, root, patterns, matcher: ignore({ ignorecase }).add(patterns) };
}

export function readRules(folder: string, name: string): Rules {
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
export function judge(rules: readonly Rules[], path: string, isFolder: boolean): Verdict | undefined {
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
export function rulesBelow(rules: readonly Rules[], folder: string): Rules[] {
  return rules.map((one) => {
    const relative = relativeTo(one.root, folder, true);
    if (!one.matcher.test(relative).ignored) return one;
    return rulesFrom(one.path, one.root, `${one.patterns}\n!/${relative.replaceAll(/[\\*?[\] ]/g, '\\$&')}`);
  });
}
