type Size = readonly [width: number, height: number];

/** The header box of JPEG 2000 is among the first, in bytes. */
const FIRST_BOXES = 4096;

/** Width and height of a PNG, JPEG, JPEG 2000, GIF, TIFF, BMP or WebP file, from its head alone; undefined when the head is broken. */
export function sizeOf(bytes: Uint8Array): Size | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const [width, height] = readSize(file);
    return width > 0 && height > 0 ? [width, height] : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // cut short
    throw error;
  }
}

function readSize(file: Buffer): Size {
  const magic = file.toString('latin1', 0, 4);
  if (magic === '\x89PNG') return [file.readUInt32BE(16), file.readUInt32BE(20)];
  if (magic.startsWith('GIF')) return [file.readUInt16LE(6), file.readUInt16LE(8)];
  if (magic.startsWith('BM')) {
    if (file.readUInt32LE(14) === 12) return [file.readUInt16LE(18), file.readUInt16LE(20)];
    return [file.readInt32LE(18), Math.abs(file.readInt32LE(22))]; // negative: the first row is at the top
  }
  if (magic === '\0\0\0\x0c') return boxedSize(file);
  if (magic === '\xff\x4f\xff\x51') return codestreamSize(file);
  const tiff = tiffOf(file);
  if (tiff) return [tiffValue(tiff, tiff.u32(4), 256), tiffValue(tiff, tiff.u32(4), 257)];
  return magic === 'RIFF' ? webpSize(file) : jpegSize(file);
}

function webpSize(file: Buffer): Size {
  const kind = file.toString('latin1', 12, 16);
  if (kind === 'VP8X') return [file.readUIntLE(24, 3) + 1, file.readUIntLE(27, 3) + 1];
  if (kind === 'VP8 ') return [file.readUInt16LE(26) & 0x3fff, file.readUInt16LE(28) & 0x3fff];
  const bits = file.readUInt32LE(21); // VP8L
  return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1];
}

/** JPEG 2000: the header box has height and width. @see ISO/IEC 15444-1, I.5.3.1 */
function boxedSize(file: Buffer): Size {
  const at = file.subarray(0, FIRST_BOXES).indexOf('ihdr', 0, 'latin1');
  return at < 0 ? [0, 0] : [file.readUInt32BE(at + 8), file.readUInt32BE(at + 4)];
}

/** The size of a codestream of JPEG 2000 is that of its grid without what is left of the picture and above. */
function codestreamSize(file: Buffer): Size {
  const [right, bottom, left, top] = [8, 12, 16, 20].map((offset) => file.readUInt32BE(offset));
  return [right! - left!, bottom! - top!];
}

/** The size stands in the first frame header; marker segments before it are skipped by their lengths. */
function jpegSize(file: Buffer): Size {
  for (let at = 2; ; ) {
    const marker = file.readUInt16BE(at);
    if (marker === 0xffff) {
      at++; // a fill byte
      continue;
    }
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && marker !== 0xffc4 && marker !== 0xffc8 && marker !== 0xffcc;
    if (isFrame) return [file.readUInt16BE(at + 7), file.readUInt16BE(at + 5)];
    if (marker < 0xff00) return [0, 0];
    at += 2 + Math.max(2, file.readUInt16BE(at + 2));
  }
}

/** More pages are a broken chain. */
const MOST_PAGES = 10_000;

/**
 * Numbers of the pages of a TIFF file, from 1, without small copies of others; only the first of any other picture.
 * A file that is cut short has the pages up to there.
 */
export function framesOf(bytes: Uint8Array): readonly number[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tiff = tiffOf(file);
  if (tiff === undefined) return [1];
  const frames: number[] = [];
  const seen = new Set<number>();
  try {
    let directory = tiff.u32(4);
    while (directory > 0 && !seen.has(directory) && seen.size < MOST_PAGES) {
      seen.add(directory);
      const isCopy = (tiffValue(tiff, directory, 254) & 1) === 1;
      const next = tiff.u32(directory + 2 + 12 * tiff.u16(directory));
      if (!isCopy) frames.push(seen.size);
      directory = next;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return frames.length > 0 ? frames : [1];
}

export function isTiff(bytes: Uint8Array): boolean {
  return tiffOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) !== undefined;
}

interface Tiff {
  u16(at: number): number;
  u32(at: number): number;
}

function tiffOf(file: Buffer): Tiff | undefined {
  const magic = file.toString('latin1', 0, 4);
  if (magic === 'II*\0') return { u16: (at) => file.readUInt16LE(at), u32: (at) => file.readUInt32LE(at) };
  if (magic === 'MM\0*') return { u16: (at) => file.readUInt16BE(at), u32: (at) => file.readUInt32BE(at) };
  return undefined;
}

/** The number of a tag; 0 where it is missing. */
function tiffValue({ u16, u32 }: Tiff, directory: number, tag: number): number {
  const count = u16(directory);
  for (let i = 0, at = directory + 2; i < count; i++, at += 12) {
    if (u16(at) === tag) return u16(at + 2) === 3 ? u16(at + 8) : u32(at + 8);
  }
  return 0;
}
