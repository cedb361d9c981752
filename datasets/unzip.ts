import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough, type Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { IbidError } from '../src/index.ts';

/** One file of an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly sizeBytes: number;
  readonly packedBytes: number;
  readonly method: number;
  readonly crc: number;
  readonly offset: number;
}

export interface ZipArchive {
  /** Files only, no folders; every name is a relative path that stays inside. */
  readonly entries: readonly ZipEntry[];
  /** Unpacks one file to `folder/path`, streaming; length and CRC are checked. */
  extract(entry: ZipEntry, folder: string, path: string, signal?: AbortSignal): Promise<void>;
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
    const entries = await readDirectory(file, path);
    return {
      entries,
      extract: (entry, folder, target, signal) => extract(file, path, entry, join(folder, target), signal),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readDirectory(file: FileHandle, path: string): Promise<ZipEntry[]> {
  const { size } = await file.stat();
  const tail = await read(file, Math.max(0, size - 65_557), Math.min(size, 65_557)); // 22 bytes and the longest comment
  const end = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end === -1 || end + 22 > tail.length) throw invalid(path, 'not a zip file, or cut short');
  let total = tail.readUInt16LE(end + 10);
  let directorySize = tail.readUInt32LE(end + 12);
  let directoryOffset = tail.readUInt32LE(end + 16);
  const locator = end - 20;
  if (locator >= 0 && tail.toString('latin1', locator, locator + 4) === 'PK\x06\x07') {
    const record = await read(file, Number(tail.readBigUInt64LE(locator + 8)), 56);
    if (record.toString('latin1', 0, 4) !== 'PK\x06\x06') throw invalid(path, 'its ZIP64 record is damaged');
    total = Number(record.readBigUInt64LE(32));
    directorySize = Number(record.readBigUInt64LE(40));
    directoryOffset = Number(record.readBigUInt64LE(48));
  }
  if (directorySize > maxDirectoryBytes || directoryOffset + directorySize > size)
    throw invalid(path, 'its directory is damaged');
  const directory = await read(file, directoryOffset, directorySize);
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let i = 0; i < total; i++) {
    if (at + 46 > directory.length || directory.toString('latin1', at, at + 4) !== 'PK\x01\x02') {
      throw invalid(path, 'its directory is damaged');
    }
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    const name = directory.toString('utf8', at + 46, nameEnd);
    const sizes = readSizes(directory.subarray(nameEnd, extraEnd), {
      sizeBytes: directory.readUInt32LE(at + 24),
      packedBytes: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    });
    if (!name.endsWith('/')) {
      checkName(name, path);
      if ((directory.readUInt16LE(at + 8) & 1) === 1) throw invalid(path, `"${name}" is encrypted`);
      entries.push({ name, method: directory.readUInt16LE(at + 10), crc: directory.readUInt32LE(at + 16), ...sizes });
    }
    at = extraEnd + directory.readUInt16LE(at + 32);
  }
  return entries;
}

type Sizes = Pick<ZipEntry, 'sizeBytes' | 'packedBytes' | 'offset'>;

/** Fields that do not fit 32 bits stand, in this order, in the extra field 1. */
function readSizes(extra: Buffer, sizes: Sizes): Sizes {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let field = at + 4;
    const wide = (value: number): number => {
      if (value !== 0xffffffff || field + 8 > extra.length) return value;
      field += 8;
      return Number(extra.readBigUInt64LE(field - 8));
    };
    return { sizeBytes: wide(sizes.sizeBytes), packedBytes: wide(sizes.packedBytes), offset: wide(sizes.offset) };
  }
  return sizes;
}

/** One bad name condemns the archive: whoever made it means harm, or made it wrongly. */
function checkName(name: string, path: string): void {
  const outside = /^[/\\]|^[a-z]:|\0|\\/i.test(name) || name.split('/').some((part) => part === '..' || part === '.');
  if (outside || name === '') throw invalid(path, `it holds the name ${JSON.stringify(name)}, which leads outside`);
}

async function extract(
  file: FileHandle,
  path: string,
  entry: ZipEntry,
  target: string,
  signal?: AbortSignal,
): Promise<void> {
  const header = await read(file, entry.offset, 30);
  if (header.length < 30 || header.toString('latin1', 0, 4) !== 'PK\x03\x04')
    throw invalid(path, `"${entry.name}" is damaged`);
  const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  let unpack: Transform;
  if (entry.method === 0) unpack = new PassThrough();
  else if (entry.method === 8) unpack = createInflateRaw();
  else throw invalid(path, `"${entry.name}" is packed with method ${entry.method}, known are 0 and 8`);
  await mkdir(dirname(target), { recursive: true });
  const packed: Iterable<never> | Readable =
    entry.packedBytes === 0
      ? []
      : file.createReadStream({ start, end: start + entry.packedBytes - 1, autoClose: false });
  let crc = 0;
  let bytes = 0;
  const check = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > entry.sizeBytes) throw invalid(path, `"${entry.name}" unpacks to more than it states`);
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
  if (bytes !== entry.sizeBytes || crc !== entry.crc) throw invalid(path, `"${entry.name}" is damaged`);
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function invalid(path: string, message: string, cause?: unknown): IbidError {
  return new IbidError('DATASET_INVALID', `${path}: ${message}`, { cause, hint: 'Fetch the archive again.' });
}
