import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough, type Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { IbidError } from '../src/index.ts';
import { type DirectoryEntry, findDirectory, localHeaderBytes, readDirectory, tailBytes } from '../src/internal.ts';

export interface ZipArchive {
  /** Files only, no folders; every name is a relative path that stays inside. */
  readonly entries: readonly DirectoryEntry[];
  /** Unpacks one file to `folder/path`, streaming; length and CRC are checked. */
  extract(entry: DirectoryEntry, folder: string, path: string, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const maxDirectoryBytes = 64 * 2 ** 20;

/**
 * Opens an archive, ZIP64 included, without reading it as a whole.
 * @throws IbidError DATASET_INVALID when it is no archive, is encrypted, or holds a name that leads outside
 * @see PKWARE APPNOTE 6.3.10, sections 4.3.7 to 4.3.16
 */
export async function openZip(path: string): Promise<ZipArchive> {
  const file = await open(path).catch((cause: unknown) => {
    throw new IbidError('FILE_UNREADABLE', `${path} cannot be opened`, { cause });
  });
  try {
    const entries = await readEntries(file, path);
    return {
      entries,
      extract: (entry, folder, target, signal) => extract(file, path, entry, join(folder, target), signal),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    if (error instanceof IbidError && error.code === 'FILE_DAMAGED') throw invalid(path, error.message, error);
    throw error;
  }
}

async function readEntries(file: FileHandle, path: string): Promise<DirectoryEntry[]> {
  const { size } = await file.stat();
  const from = Math.max(0, size - tailBytes);
  const place = findDirectory(await read(file, from, size - from), from);
  if (place.sizeBytes > maxDirectoryBytes || place.start + place.sizeBytes > size)
    throw invalid(path, 'its directory is damaged');
  const entries = readDirectory(await read(file, place.start, place.sizeBytes), place.count);
  if (entries.length < place.count) throw invalid(path, 'its directory is damaged');
  const files = entries.filter(({ name }) => !name.endsWith('/'));
  for (const { name, encrypted } of files) {
    checkName(name, path);
    if (encrypted) throw invalid(path, `"${name}" is encrypted`);
  }
  return files;
}

/** One bad name condemns the archive: whoever made it means harm, or made it wrongly. */
function checkName(name: string, path: string): void {
  const outside = /^[/\\]|^[a-z]:|\0|\\/i.test(name) || name.split('/').some((part) => part === '..' || part === '.');
  if (outside || name === '') throw invalid(path, `it holds the name ${JSON.stringify(name)}, which leads outside`);
}

async function extract(
  file: FileHandle,
  path: string,
  entry: DirectoryEntry,
  target: string,
  signal?: AbortSignal,
): Promise<void> {
  const header = localHeaderBytes(await read(file, entry.offset, 30));
  if (header === undefined) throw invalid(path, `"${entry.name}" is damaged`);
  const start = entry.offset + header;
  let unpack: Transform;
  if (entry.method === 0) unpack = new PassThrough();
  else if (entry.method === 8) unpack = createInflateRaw();
  else throw invalid(path, `"${entry.name}" is packed with method ${entry.method}, known are 0 and 8`);
  await mkdir(dirname(target), { recursive: true });
  const packed: Iterable<never> | Readable =
    entry.compressedBytes === 0
      ? []
      : file.createReadStream({ start, end: start + entry.compressedBytes - 1, autoClose: false });
  let crc = 0;
  let bytes = 0;
  const check = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > entry.declaredBytes) throw invalid(path, `"${entry.name}" unpacks to more than it states`);
      crc = crc32(chunk, crc);
      yield chunk;
    }
  };
  try {
    await pipeline(packed, unpack, check, createWriteStream(target, { flags: 'wx' }), { ...(signal && { signal }) });
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_')) {
      throw invalid(path, `"${entry.name}" is damaged`, cause);
    }
    throw cause;
  }
  if (bytes !== entry.declaredBytes || crc !== entry.crc) throw invalid(path, `"${entry.name}" is damaged`);
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function invalid(path: string, message: string, cause?: unknown): IbidError {
  return new IbidError('DATASET_INVALID', `${path}: ${message}`, { cause, hint: 'Fetch the archive again.' });
}
