import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { IbidError } from '../core/errors.ts';

/** A line with its number, from 1. Blank lines are left out but counted. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
  /** Where it stands in the file; of a packed file, in what it unpacks to. Without the line's end. */
  readonly bytes: ByteRange;
}

/** Half-open range of bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const LF = 0x0a; // stands in no UTF-8 sequence but its own

/** `path` if it is a file, else `path` + `.gz` if that is one, else `undefined`. */
export async function findPlainOrGzipped(path: string): Promise<string | undefined> {
  for (const candidate of [path, `${path}.gz`]) {
    const found = await stat(candidate).catch(() => undefined);
    if (found?.isFile()) return candidate;
  }
  return undefined;
}

/**
 * Lines of a UTF-8 file, unpacked when its name ends in `.gz`. Ended by LF or CRLF only: `node:readline` would also
 * break at U+2028, which JSON strings may hold as it is.
 * @throws IbidError DATASET_INVALID when the file is not UTF-8 or the gzip stream is damaged; FILE_UNREADABLE when it
 * cannot be opened
 */
export async function* readLines(path: string): AsyncGenerator<NumberedLine, void, undefined> {
  const file = createReadStream(path);
  const gzipped = path.endsWith('.gz');
  const bytes: AsyncIterable<Uint8Array> = gzipped ? unpack(file) : file;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let number = 0;
  let start = 0; // of the line that is being read
  let begun: Uint8Array[] = []; // pieces of it without its end yet: joined once, or a long line would cost its square
  const line = (): NumberedLine | undefined => {
    const bytes = begun.length === 1 ? begun[0]! : Buffer.concat(begun);
    begun = [];
    const decoded = decoder.decode(bytes);
    const text = start === 0 && decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded;
    number++;
    const range = { start, end: start + bytes.length };
    start = range.end + 1;
    return text.trim() === ''
      ? undefined
      : { number, text: text.endsWith('\r') ? text.slice(0, -1) : text, bytes: range };
  };
  try {
    for await (const chunk of bytes) {
      let from = 0;
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
        begun.push(chunk.subarray(from, at));
        from = at + 1;
        const complete = line();
        if (complete) yield complete;
      }
      if (from < chunk.length) begun.push(chunk.subarray(from));
    }
    const last = line();
    if (last) yield last;
  } catch (cause) {
    throw explain(cause, path, number + 1);
  } finally {
    file.destroy();
  }
}

/** The text of a line that `readLines` gave, from a file that is not packed. @throws what the file system throws */
export function readLineAt(path: string, { start, end }: ByteRange): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(end - start);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(file, bytes, length, bytes.length - length, start + length);
    }
    const text = bytes.toString('utf8', 0, length);
    return start === 0 && text.startsWith('\uFEFF') ? text.slice(1) : text;
  } finally {
    closeSync(file);
  }
}

function unpack(file: Readable): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip();
  file.on('error', (error) => gunzip.destroy(error));
  return file.pipe(gunzip);
}

function explain(cause: unknown, path: string, line: number): unknown {
  if (!(cause instanceof Error)) return cause;
  const code = 'code' in cause ? String(cause.code) : '';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new IbidError('DATASET_INVALID', `${path}, near line ${line}: not UTF-8`, {
      cause,
      hint: 'Convert the file to UTF-8.',
    });
  }
  if (code.startsWith('Z_')) {
    return new IbidError(
      'DATASET_INVALID',
      `${path}, after line ${line - 1}: the gzip stream is damaged or cut short`,
      {
        cause,
        hint: 'Fetch or compress the file again.',
      },
    );
  }
  if (code.startsWith('E'))
    return new IbidError('FILE_UNREADABLE', `${path} cannot be read: ${cause.message}`, { cause });
  return cause;
}
