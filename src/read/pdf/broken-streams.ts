import { inflateSync, constants as zlib } from 'node:zlib';

/** The dictionary before a stream is looked for in so many bytes. */
const LONGEST_DICTIONARY = 4000;
const MOST_UNPACKED = 64 * 2 ** 20;
/** Of all streams together, in bytes; the others are not looked at. */
const MOST_OF_ALL = 256 * 2 ** 20;
const BEGIN = /stream(?:\r\n|\n|\r)/y;

/**
 * How many compressed streams of a PDF cannot be unpacked to their end, pictures left out. pdf.js goes on with what it
 * could unpack and says nothing: the text behind it is missing.
 */
export function brokenStreams(file: Buffer): number {
  if (file.includes('/Encrypt')) return 0; // the bytes are not what was compressed
  let broken = 0;
  let left = MOST_OF_ALL;
  for (let at = file.indexOf('stream'); at !== -1 && left > 0; at = file.indexOf('stream', at + 6)) {
    const before = file.toString('latin1', Math.max(0, at - LONGEST_DICTIONARY), at + 10);
    BEGIN.lastIndex = before.length - 10;
    const [word] = BEGIN.exec(before) ?? [];
    const dictionary = before.slice(before.lastIndexOf(' obj') + 1, -10);
    if (word === undefined || !/>>\s*$/.test(dictionary)) continue;
    const end = file.indexOf('endstream', at);
    if (end === -1) break; // the file is cut, which is told
    if (isCompressed(dictionary)) {
      const size = unpackedSize(file.subarray(at + word.length, end));
      if (size === undefined) broken++;
      left -= size ?? end - at;
    }
    at = end + 3; // `indexOf` goes on behind `endstream`
  }
  return broken;
}

function isCompressed(dictionary: string): boolean {
  return (
    /\/Filter\s*(?:\[\s*)?\/(?:FlateDecode|Fl)\b(?!\s*\/)/.test(dictionary) && !/\/Subtype\s*\/Image\b/.test(dictionary)
  );
}

/** In bytes, at most `MOST_UNPACKED`; undefined for a stream that is damaged. */
function unpackedSize(bytes: Buffer): number | undefined {
  try {
    return inflateSync(bytes, { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: MOST_UNPACKED }).length;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'Z_DATA_ERROR' ? undefined : MOST_UNPACKED;
  }
}
