import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { IbidError } from './errors.ts';

/**
 * Writes a file, and its folder when missing. Readers see the old file or the whole new file, nothing between.
 * @throws IbidError FILE_UNREADABLE
 */
export function writeWhole(path: string, text: string): void {
  const beside = `${path}.${process.pid}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(beside, text);
    renameSync(beside, path);
  } catch (cause) {
    rmSync(beside, { force: true });
    throw new IbidError('FILE_UNREADABLE', `${path} cannot be written`, { cause });
  }
}
