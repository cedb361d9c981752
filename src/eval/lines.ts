import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { IbidError } from '../core/errors.ts';

/** A line with its number, from 1. Blank lines are left out but counted. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/** `path` if it is a file, else `path` + `.gz` if that is one, else `undefined`. */
export async function findPlainOrGzipped(path: string): Promise<string | undefined> {
  for (const candidate of [path, `${path}.gz`]) {
    const found = await stat(candidate).catch(() => undefined);
    if (found?.isFile()) return candidate;
  }
  return undefined;
}

/**
 * Lines of a UTF-8 file, unpacked when its name ends in `.gz`. Ended by LF or CRLF only: `node:readline` would also break
 * at U+2028, which JSON strings may hold as it is.
 * @throws IbidError DATASET_INVALID when the file is not UTF-8 or the gzip stream is damaged; FILE_UNREADABLE when it cannot be opened
 */
export async function* readLines(path: string): AsyncGenerator<NumberedLine, void, undefined> {
  const file = createReadStream(path);
  const gzipped = path.endsWith('.gz');
  const bytes: AsyncIterable<Uint8Array> = gzipped ? unpack(file) : file;
  const decoder = new TextDecoder('utf-8', { fatal: true }); // takes a byte order mark away
  let number = 0;
  let begun: string[] = []; // pieces of a line without its end yet: joined once, or a long line would cost its square
  const complete = function* (text: string): Generator<NumberedLine, void, undefined> {
    let from = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
      begun.push(text.slice(from, at));
      const line = begun.join('');
      begun = [];
      from = at + 1;
      number++;
      if (line.trim() !== '') yield { number, text: line.endsWith('\r') ? line.slice(0, -1) : line };
    }
    if (from < text.length) begun.push(text.slice(from));
  };
  try {
    for await (const chunk of bytes) yield* complete(decoder.decode(chunk, { stream: true }));
    yield* complete(`${decoder.decode()}\n`);
  } catch (cause) {
    throw explain(cause, path, number + 1);
  } finally {
    file.destroy();
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
