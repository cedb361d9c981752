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

/** Undefined for a file that does not exist. @throws IbidError FILE_UNREADABLE */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined; // fs errors carry a code
    throw new IbidError('FILE_UNREADABLE', `${path} cannot be read`, { cause });
  }
}

/** @throws IbidError FILE_UNREADABLE */
export function appendText(path: string, text: string): void {
  written(path, () => appendFileSync(path, text));
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
 * A device or a pipe that a file takes the place of is gone for every program.
 * @throws IbidError FILE_UNREADABLE, INVALID_ARGUMENT
 */
export function checkReplaceable(path: string): void {
  if (path === '') throw new IbidError('INVALID_ARGUMENT', 'the path of a file to write is empty');
  let isFile: boolean;
  try {
    isFile = statSync(path).isFile();
  } catch {
    return; // nothing is there, or writing says why
  }
  if (isFile) return;
  throw new IbidError('FILE_UNREADABLE', `${path} cannot be written: it is no regular file`);
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

function written(path: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    throw new IbidError('FILE_UNREADABLE', `${path} cannot be written`, { cause });
  }
}
