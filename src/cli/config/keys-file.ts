import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { IbidError } from '../../index.ts';
import type { Environment } from '../../wire.ts';
import { reasonOf } from '../files.ts';

/** The folder of a person's own settings. */
export function homeOf({ HOME, USERPROFILE }: Environment): string {
  return HOME || USERPROFILE || homedir();
}

export function keysPath(environment: Environment): string {
  return join(environment.XDG_CONFIG_HOME || join(homeOf(environment), '.config'), 'ibid', 'keys');
}

/** Whether a file, of which the keys are not taken, has a line with this name. False where nothing of it can be read. */
export function isNamedIn(path: string, name: string): boolean {
  try {
    const lines = readFileSync(path, 'utf8').split(/\r?\n/);
    return lines.some((line) => /^\s*(?:export\s+)?(IBID_[A-Z0-9_]+)\s*=/.exec(line)?.[1] === name);
  } catch {
    return false;
  }
}

/**
 * Keys and addresses of the keys file, by name; empty where there is none. A line is NAME=value; `#` begins a comment.
 * @throws IbidError PERMISSION_DENIED when others can read the file (not on Windows); INVALID_ARGUMENT naming the line,
 * never its text; FILE_UNREADABLE
 */
export function readKeysFile(path: string): Environment {
  let text: string;
  try {
    const file = openSync(path, 'r'); // what is read is what was looked at
    try {
      const state = fstatSync(file);
      const { mode } = state;
      if (state.isDirectory())
        throw new IbidError('FILE_UNREADABLE', `${path} cannot be read: there is a folder in its place`);
      if (process.platform !== 'win32' && (mode & 0o077) !== 0)
        throw new IbidError(
          'PERMISSION_DENIED',
          `others can read the keys in ${path} (mode ${(mode & 0o777).toString(8)})`,
          {
            hint: `Run \`chmod 600 ${path}\`, and make new keys if others use this machine.`,
          },
        );
      text = readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    if (cause instanceof IbidError) throw cause;
    const missing: readonly string[] = ['ENOENT', 'ENOTDIR'];
    if (missing.includes((cause as NodeJS.ErrnoException).code ?? '')) return {}; // fs errors carry a code
    throw new IbidError('FILE_UNREADABLE', `${path} cannot be read: ${reasonOf(cause)}`, { cause });
  }
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return Object.fromEntries(
    lines.flatMap((line, i): [string, string][] => {
      if (line === '' || line.startsWith('#')) return [];
      const [, name, value] = /^(?:export\s+)?(IBID_[A-Z0-9_]+)\s*=\s*(.*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined)
        throw new IbidError('INVALID_ARGUMENT', `${path}: line ${i + 1} is no key`, {
          hint: 'A line is NAME=value, such as IBID_MESSAGES_API_KEY=…',
        });
      return [[name, value.replace(/^(["'])(.*)\1$/, '$2')]];
    }),
  );
}
