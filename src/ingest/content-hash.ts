import { createHash, hash as hashOnce } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { IbidError } from '../core/errors.ts';

/** Hex SHA-256. */
export function sha256(bytes: Uint8Array | string): string {
  return hashOnce('sha256', bytes);
}

/** Hex SHA-256 of a file, read as a stream. @throws IbidError FILE_UNREADABLE, or the signal's reason */
export async function sha256OfFile(path: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const bytes of createReadStream(path, { highWaterMark: 2 ** 20, signal })) {
      hash.update(bytes as Buffer); // without an encoding a stream gives Buffers
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw unreadable(cause);
  }
  return hash.digest('hex');
}

/** The error of a file that cannot be read. @param cause from `fs`, which gives its errors a code */
export function unreadable(cause: unknown): IbidError {
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown';
  return new IbidError('FILE_UNREADABLE', `cannot be read: ${code}`, { cause });
}
