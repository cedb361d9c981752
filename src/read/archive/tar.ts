import { IbidError } from '../../core/errors.ts';
import { shortText } from '../encoding.ts';

export interface TarEntry {
  readonly name: string;
  readonly data: Uint8Array;
}

const BLOCK = 512;
const FILE = new Set(['0', '\0', '7']);

/** Whether the bytes begin with the header of a POSIX or GNU archive. */
export function isTar(head: Uint8Array): boolean {
  return head.length >= 263 && Buffer.from(head.subarray(257, 262)).toString('latin1') === 'ustar';
}

/**
 * The files of a tar archive; folders, links and devices are left out. @see POSIX.1-2017, pax, ustar Interchange Format
 * @throws IbidError FILE_DAMAGED when it is cut short; what comes before was yielded
 */
export function* readTar(bytes: Uint8Array): Generator<TarEntry, void, undefined> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let longName: string | undefined;
  for (let at = 0; at + BLOCK <= file.length; ) {
    if (file[at] === 0) return; // two empty blocks end the archive
    const size = sizeAt(file, at + 124);
    const type = file.toString('latin1', at + 156, at + 157);
    const from = at + BLOCK;
    if (!(size >= 0) || from + size > file.length) throw new IbidError('FILE_DAMAGED', 'the archive is cut short');
    const data = file.subarray(from, from + size);
    at = from + Math.ceil(size / BLOCK) * BLOCK;
    if (type === 'L') {
      longName = textOf(data); // GNU: the name of the next entry
    } else if (type === 'x') {
      longName = /(?:^|\n)\d+ path=([^\n]*)\n/u.exec(data.toString('utf8'))?.[1] ?? longName; // pax: the same
    } else {
      const header = from - BLOCK;
      const isPosix = isTar(file.subarray(header, header + BLOCK));
      const prefix = isPosix ? textOf(file.subarray(header + 345, header + 500)) : '';
      const short = textOf(file.subarray(header, header + 100));
      if (FILE.has(type)) yield { name: longName ?? (prefix === '' ? short : `${prefix}/${short}`), data };
      longName = undefined;
    }
  }
}

/** Octal digits, or a binary number for more than 8 GiB. */
function sizeAt(file: Buffer, at: number): number {
  if (file[at]! & 0x80) return file.readUIntBE(at + 6, 6);
  return Number.parseInt(file.toString('latin1', at, at + 12).replace(/[\0 ]/g, '') || '0', 8);
}

/** Old systems write names in an encoding of their own. */
function textOf(field: Buffer): string {
  const end = field.indexOf(0);
  return shortText(end === -1 ? field : field.subarray(0, end));
}
