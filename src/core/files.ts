import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { IbidError } from './errors.ts';

/**
 * Writes a file, and its folder when missing. Readers see the old file or the whole new file, nothing between.
 * @throws IbidError FILE_UNREADABLE
 */
export function writeWhole(path: string, text: string): void {
  checkReplaceable(path);
  const beside = `${path}.${process.pid}.new`;
  try {
    makeFolders(dirname(path));
    writeFileSync(beside, text);
    renameSync(beside, path);
  } catch (cause) {
    rmSync(beside, { force: true });
    throw unwritten(path, cause);
  }
}

/**
 * Makes a folder, and those above that are missing. Where a folder refuses one with ENOENT (/proc, an automounter),
 * `mkdirSync` with `recursive` never returns; this fails.
 * @returns the topmost folder that was made @throws the error of the file system
 */
export function makeFolders(path: string): string | undefined {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  if (missing.length === 0) return mkdirSync(path, { recursive: true }); // fails where it is a file
  let first: string | undefined;
  for (const folder of missing) {
    try {
      mkdirSync(folder);
      first ??= folder;
    } catch (error) {
      const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory(); // another process was faster
      if (!isThere) throw error;
    }
  }
  return first;
}

/** @param cause error of the file system */
export function unwritten(path: string, cause: unknown): IbidError {
  const reason = reasonOf(cause);
  const hint = isFullDisk(reason) ? 'Its disk is full: free space.' : 'Choose a place that you may write to.';
  return new IbidError('FILE_UNREADABLE', `${path} cannot be written: ${reason}`, { cause, hint });
}

/** A device or a pipe that a file takes the place of is gone for every program. @throws IbidError FILE_UNREADABLE */
export function checkReplaceable(path: string): void {
  let isFile: boolean;
  try {
    isFile = statSync(path).isFile();
  } catch {
    return; // nothing is there, or writing says why
  }
  if (isFile) return;
  throw new IbidError('FILE_UNREADABLE', `${path} cannot be written: it is no regular file`, {
    hint: 'Name another file.',
  });
}

/** The text of a file; undefined where there is none. @throws IbidError FILE_UNREADABLE */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException; // fs errors carry a code
    if (['ENOENT', 'ENOTDIR'].includes(code)) return undefined;
    throw new IbidError('FILE_UNREADABLE', `${path} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

/** True for a file, and for a link to one; not for a folder that has taken its place. */
export function isFileAt(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Paths of all files below a folder; none where there is no folder, or none that may be read. What is deleted meanwhile may be left out. */
export async function* filesBelow(folder: string): AsyncGenerator<string, void, undefined> {
  // Not `readdir` with `recursive`, which fails when a folder below is deleted meanwhile.
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EACCES') return [];
    throw error;
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** Removes files that `writeWhole` did not finish because its process was killed. */
export function removeHalfWritten(folder: string): void {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return; // no such folder yet
  }
  for (const name of names) {
    const pid = /\.(\d+)\.new$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

/** Whether a process of this machine has this id. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it runs, under another user
  }
}

/** What to do where the disk of an index is full. */
export const FREE_SPACE = 'Free space on the disk of the index, and run again: what was committed stays.';

/** Whether a reason, as `reasonOf` gives it, is that the disk has no space left. */
export function isFullDisk(reason: string): boolean {
  return reason === 'ENOSPC' || reason === 'EDQUOT';
}

/** Why a file could not be written, as the system names it: ENOSPC, EROFS. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof IbidError ? error.cause : error;
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? 'unknown error'; // errors of the file system have a code
}
