/**
 * Reads ZIP archives from memory with node:zlib. Nothing is written, so names such as `../x` are only keys. Size limits
 * apply while inflating, not to the declared sizes.
 * @see PKWARE APPNOTE 6.3.10, sections 4.3 and 4.4
 */
import { crc32, inflateRawSync } from 'node:zlib';
import { IbidError } from '../core/errors.ts';
import { decodeNames } from './zip-names.ts';

interface ZipEntry {
  readonly name: string;
  readonly compressedBytes: number;
  /** Declared size in bytes; may be wrong. */
  readonly declaredBytes: number;
  /** CRC-32 of the unpacked bytes, as declared. */
  readonly crc: number;
  /** A symbolic link: its bytes are a path. */
  readonly isLink: boolean;
}

export interface ZipArchive {
  /** All of them; several may have one name. */
  readonly entries: readonly ZipEntry[];
  /** Capitals make no difference, as in the packages of Office (ECMA-376-2, 6.2.2.3). */
  has(name: string): boolean;
  /**
   * The unpacked bytes of the first entry with this name, else of the first with other capitals; undefined without such
   * an entry.
   * @throws IbidError FILE_TOO_LARGE, FILE_DAMAGED, FILE_ENCRYPTED, FILE_UNSUPPORTED
   */
  read(name: string): Uint8Array | undefined;
  /** The same for one of `entries`, where several have its name. */
  readEntry(entry: ZipEntry): Uint8Array;
  /** Gets the name of each part that is read and whose bytes are not those that were packed. */
  onChanged?: ((name: string) => void) | undefined;
}

/** An entry of the directory; its name is as written in the archive: the path may lead anywhere. */
export interface DirectoryEntry extends ZipEntry {
  readonly method: number;
  readonly encrypted: boolean;
  /** Offset of the local header. */
  readonly offset: number;
}

/** Names are decoded together. */
type NamelessEntry = Omit<DirectoryEntry, 'name'>;

const END = 0x06054b50;
const END_64_LOCATOR = 0x07064b50;
const END_64 = 0x06064b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
/** The system that an entry is made on, and the kind of file in the upper bits of its attributes there. */
const UNIX = 3;
const SYMBOLIC_LINK = 0xa;
const MAX_ENTRIES = 100_000;
/**
 * Above `FREE_BYTES`, a part may unpack to at most `MAX_RATIO` times its packed size; real documents reach a ratio of
 * 50.
 */
const FREE_BYTES = 32 * 1024 * 1024;
const MAX_RATIO = 150;

/**
 * @param limits `maxUnpackedBytes` bounds the sum of all parts that are read
 * @throws IbidError FILE_DAMAGED when the archive has no readable directory, FILE_EMPTY when nothing is in it
 */
export function openZip(bytes: Uint8Array, limits: { readonly maxUnpackedBytes: number }): ZipArchive {
  const { start, count } = findDirectory(bytes);
  const listed = readDirectory(bytes.subarray(start), count).map((entry) => ({
    ...entry,
    name: entry.name.replaceAll('\\', '/').replace(/^\//u, ''),
  }));
  const named = new Map<string, DirectoryEntry>();
  const folded = new Map<string, DirectoryEntry>();
  for (const entry of listed) {
    if (!named.has(entry.name)) named.set(entry.name, entry);
    const small = entry.name.toLowerCase();
    if (!folded.has(small)) folded.set(small, entry);
  }
  const find = (name: string): DirectoryEntry | undefined => named.get(name) ?? folded.get(name.toLowerCase());
  if (count === 0) throw new IbidError('FILE_EMPTY', 'the archive holds no files');
  if (named.size === 0) throw damaged('the directory of the archive is broken');
  let left = limits.maxUnpackedBytes;
  const take = (entry: DirectoryEntry): Uint8Array => {
    const data = unpack(bytes, entry, left);
    left -= data.length;
    // Some writers leave the sum out.
    if (entry.crc !== 0 && archive.onChanged && crc32(data) !== entry.crc) archive.onChanged(entry.name);
    return data;
  };
  const archive: ZipArchive = {
    entries: listed,
    has: (name) => find(name) !== undefined,
    read: (name) => {
      const entry = find(name);
      return entry && take(entry);
    },
    // An entry of the list is one of the directory.
    readEntry: (entry) => take(entry as DirectoryEntry),
  };
  return archive;
}

function damaged(message: string, cause?: unknown): IbidError {
  return new IbidError('FILE_DAMAGED', message, {
    cause,
    hint: 'It may be incomplete: download it again, or save it again in the program that made it.',
  });
}

function tooLarge(name: string, limit: number): IbidError {
  return new IbidError('FILE_TOO_LARGE', `"${name}" unpacks to more than ${Math.floor(limit / 1024 / 1024)} MB`, {
    hint: 'Raise maxUnpackedBytes if you trust the file, or split it.',
  });
}

/** Bytes at the end of an archive that hold all end records: those of ZIP64, the end record and the longest comment. */
export const tailBytes: number = 56 + 20 + 22 + 0xffff;

/**
 * Finds the directory of an archive.
 * @param tail the archive, or its last `tailBytes`
 * @param from offset of `tail` in the archive
 * @throws IbidError FILE_DAMAGED when there is none
 */
export function findDirectory(tail: Uint8Array, from = 0): { start: number; sizeBytes: number; count: number } {
  const view = viewOf(tail);
  const end = findEnd(view);
  if (end === -1) throw damaged('the archive has no directory: it is incomplete, or not a ZIP archive');
  let count = view.getUint16(end + 10, true);
  let sizeBytes = view.getUint32(end + 12, true);
  let start = view.getUint32(end + 16, true);
  const locator = end - 20;
  if ((count === 0xffff || start === 0xffffffff) && locator >= 0 && view.getUint32(locator, true) === END_64_LOCATOR) {
    const at = Number(view.getBigUint64(locator + 8, true)) - from;
    if (at < 0 || at + 56 > view.byteLength || view.getUint32(at, true) !== END_64)
      throw damaged('the ZIP64 directory is broken');
    count = Number(view.getBigUint64(at + 32, true));
    sizeBytes = Number(view.getBigUint64(at + 40, true));
    start = Number(view.getBigUint64(at + 48, true));
  } else if (start + sizeBytes !== from + end && end - sizeBytes >= 0 && view.byteLength >= end - sizeBytes + 4) {
    // Bytes before the archive (a self-extractor, mail headers) shift every offset.
    if (view.getUint32(end - sizeBytes, true) === CENTRAL) start = from + end - sizeBytes;
  }
  if (count > MAX_ENTRIES) throw damaged(`the archive lists ${count} entries`);
  return { start, sizeBytes, count };
}

/** The readable entries of a directory. */
export function readDirectory(directory: Uint8Array, count: number): DirectoryEntry[] {
  const view = viewOf(directory);
  const entries: NamelessEntry[] = [];
  const names: Uint8Array[] = [];
  let at = 0;
  while (entries.length < count) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== CENTRAL) break;
    const nameLength = view.getUint16(at + 28, true);
    const extraLength = view.getUint16(at + 30, true);
    const attributes = view.getUint32(at + 38, true);
    names.push(directory.subarray(at + 46, at + 46 + nameLength));
    const entry = {
      isLink: view.getUint8(at + 5) === UNIX && attributes >>> 28 === SYMBOLIC_LINK,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      compressedBytes: view.getUint32(at + 20, true),
      declaredBytes: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
      encrypted: (view.getUint16(at + 8, true) & 1) !== 0,
    };
    entries.push(with64(entry, view, at + 46 + nameLength, extraLength));
    at += 46 + nameLength + extraLength + view.getUint16(at + 32, true);
  }
  const decoded = decodeNames(names);
  return entries.map((entry, i) => ({ name: decoded[i]!, ...entry }));
}

/** Bytes from the local header at the start of `header` to the data of its entry; undefined without a local header. */
export function localHeaderBytes(header: Uint8Array): number | undefined {
  const view = viewOf(header);
  if (view.byteLength < 30 || view.getUint32(0, true) !== LOCAL) return undefined;
  return 30 + view.getUint16(26, true) + view.getUint16(28, true);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Finds the end record, searching backwards: a comment of up to 64 kB, with any content, may follow it. */
function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - 22 - 0xffff);
  for (let at = view.byteLength - 22; at >= lowest; at--) {
    if (view.getUint32(at, true) === END) return at;
  }
  return -1;
}

/** Reads sizes and offsets above 32 bits from extra field 1: in this order, only those that overflow. */
function with64(entry: NamelessEntry, view: DataView, from: number, length: number): NamelessEntry {
  const end = Math.min(from + length, view.byteLength);
  for (let at = from; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    let field = at + 4;
    const next = (value: number): number => {
      if (value !== 0xffffffff || field + 8 > end) return value;
      field += 8;
      return Number(view.getBigUint64(field - 8, true));
    };
    const declaredBytes = next(entry.declaredBytes);
    const compressedBytes = next(entry.compressedBytes);
    return { ...entry, declaredBytes, compressedBytes, offset: next(entry.offset) };
  }
  return entry;
}

function unpack(bytes: Uint8Array, entry: DirectoryEntry, left: number): Uint8Array {
  if (entry.encrypted) {
    throw new IbidError('FILE_ENCRYPTED', `"${entry.name}" in the archive is encrypted`, {
      hint: 'Save a copy without a password and ingest that.',
    });
  }
  const header = localHeaderBytes(bytes.subarray(entry.offset));
  if (header === undefined) throw damaged(`"${entry.name}" is not where the archive says`);
  const from = entry.offset + header;
  const to = from + entry.compressedBytes;
  if (to > bytes.length) throw damaged(`"${entry.name}" is cut short`);
  const packed = bytes.subarray(from, to);
  const limit = Math.min(left, Math.max(FREE_BYTES, packed.length * MAX_RATIO));
  if (entry.method === 0) {
    if (packed.length > limit) throw tooLarge(entry.name, limit);
    return packed;
  }
  if (entry.method !== 8) {
    throw new IbidError(
      'FILE_UNSUPPORTED',
      `"${entry.name}" is packed with method ${entry.method}, which is not read`,
      {
        hint: 'Unpack it into the folder, or pack it again with Deflate.',
      },
    );
  }
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(limit, 1) });
  } catch (cause) {
    if (cause instanceof RangeError) throw tooLarge(entry.name, limit);
    throw damaged(`"${entry.name}" does not unpack`, cause);
  }
}
