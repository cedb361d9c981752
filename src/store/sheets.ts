import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { writeWhole } from '../core/files.ts';
import { unwritable } from './failure.ts';

/** In a local index: sums of the files of each table, and the copy of the notes. */
export const checksumsFolder = 'checksums';

/** A text with its own CRC-32 below it. */
export function sealed(body: string): string {
  return `${body}\n${crc32(body).toString(16).padStart(8, '0')}\n`;
}

/** Undefined when the text is not what was sealed. */
export function unsealed(text: string): string | undefined {
  const [body = ''] = text.split('\n', 1);
  return text === sealed(body) ? body : undefined;
}

/** @param file relative to the index folder @throws IbidError STORE_FAILED */
export function writeSheet(directory: string, file: string, text: string): void {
  try {
    writeWhole(join(directory, file), text);
  } catch (cause) {
    throw unwritable(directory, cause);
  }
}
