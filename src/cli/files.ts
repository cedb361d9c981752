import {
  accessSync,
  appendFileSync,
  constants,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, sep } from 'node:path';
import { IbidError } from '../index.ts';

/**
 * UTF-8, with or without a byte order mark.
 * @param mayBeCut a crash may have left half of a character at its end
 * @returns undefined for a file that does not exist
 * @throws IbidError FILE_UNREADABLE
 */
export function readText(path: string, mayBeCut = false): string | undefined {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    if (reasonOf(cause) === 'ENOENT') return undefined;
    throw new IbidError('FILE_UNREADABLE', `${path} cannot be read: ${reasonOf(cause)}`, { cause });
  }
  try {
    return new TextDecoder('utf-8', { fatal: !mayBeCut }).decode(bytes);
  } catch (cause) {
    throw new IbidError('FILE_UNREADABLE', `${path} is not in UTF-8`, { cause, hint: 'Save it in UTF-8.' });
  }
}

/** Says before an index is made what its run would say after it. @throws IbidError FILE_UNREADABLE for no path at all */
export function checkSomeOpens(paths: readonly string[]): void {
  let first: unknown;
  for (const path of paths) {
    try {
      statSync(path);
      return;
    } catch (cause) {
      first ??= cause;
    }
  }
  throw new IbidError('FILE_UNREADABLE', `"${paths[0]}" cannot be opened: ${reasonOf(first)}`, {
    cause: first,
    hint: 'Check the path. Nothing was changed in the index.',
  });
}

/** @throws IbidError FILE_UNREADABLE */
export function appendText(path: string, text: string): void {
  written(path, () => appendFileSync(path, text));
}

/** Says before long work what `appendText` would say after it. @throws IbidError FILE_UNREADABLE, INVALID_ARGUMENT */
export function checkAppendable(path: string): void {
  refuseEmpty(path);
  written(path, () => {
    const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
    accessSync(isThere ? path : `${dirname(path)}${sep}`, constants.W_OK);
  });
}

/** A reader of the file sees the old content or the new one, at any moment. @throws IbidError FILE_UNREADABLE */
export function replaceFile(path: string, content: string | Uint8Array): void {
  checkReplaceable(path);
  const beside = `${path}.${process.pid}.new`;
  written(path, () => {
    try {
      writeFileSync(beside, content);
      renameSync(beside, path);
    } finally {
      rmSync(beside, { force: true });
    }
  });
}

/**
 * A device or a pipe that a file takes the place of is gone for every program. The library checks the files that it
 * writes itself in the same way; no door gives its check out.
 * @throws IbidError FILE_UNREADABLE, INVALID_ARGUMENT
 */
export function checkReplaceable(path: string): void {
  refuseEmpty(path);
  if (isReplaceable(path)) return;
  throw new IbidError('FILE_UNREADABLE', `${path} cannot be written: it is no regular file`, {
    hint: 'Name another file.',
  });
}

/**
 * Says before long work what writing its result would say after it. The folder may still have to be made.
 * @throws IbidError FILE_UNREADABLE, INVALID_ARGUMENT
 */
export function checkWritable(path: string): void {
  checkReplaceable(path);
  let folder = dirname(path);
  while (!statSync(folder, { throwIfNoEntry: false }) && dirname(folder) !== folder) folder = dirname(folder);
  // with the separator, a file in the place of a folder is refused
  written(path, () => accessSync(`${folder}${sep}`, constants.W_OK));
}

/** True also where nothing can be found out: then writing says why. */
function isReplaceable(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return true;
  }
}

function refuseEmpty(path: string): void {
  if (path === '')
    throw new IbidError('INVALID_ARGUMENT', 'the path of a file to write is empty', { hint: 'Name a file.' });
}

function written(path: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    throw unwritten(path, cause);
  }
}

/** @param cause error of the file system */
export function unwritten(path: string, cause: unknown): IbidError {
  const reason = reasonOf(cause);
  return new IbidError('FILE_UNREADABLE', `${path} cannot be written: ${reason}`, { cause, hint: ways[reason] });
}

const elsewhere = 'Choose a place that you may write to.';
const ways: Readonly<Record<string, string>> = {
  ENOENT: 'Make its folder first.',
  ENOSPC: 'Its disk is full: free space, or choose another place.',
  ...{ EACCES: elsewhere, EPERM: elsewhere, EROFS: elsewhere },
};

/** ENOSPC, EACCES: errors of the file system carry a code. */
export function reasonOf(cause: unknown): string {
  return (cause as NodeJS.ErrnoException).code ?? String(cause);
}
