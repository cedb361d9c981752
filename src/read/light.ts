import { extname } from 'node:path';
import { IbidError } from '../core/errors.ts';
import type { LightLimits, ParsedDocument } from './contract.ts';
import { lightFormats } from './formats.ts';
import { type Format, formats } from './names.ts';
import { asFileError, formatOf, parseBytes } from './parse.ts';
import type { SurroundingsReader } from './surroundings.ts';

/** Larger files, even of a light format, go to a parser process, which can be stopped. */
export const MAX_LIGHT_BYTES: number = 256 * 1024;

const heavyExtensions: ReadonlySet<string> = new Set(
  Object.entries(formats).flatMap(([format, names]) => (lightFormats.has(format as Format) ? [] : names)),
);

/** False for a file whose name is that of a format for the parser process; its content may still say otherwise. */
export function mayBeLight(name: string): boolean {
  return !heavyExtensions.has(extname(name).slice(1).toLowerCase());
}

interface LightSource {
  /** File name without folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Path, for what lies around the file. */
  readonly from?: string | undefined;
}

/**
 * Reads a small file of a light format in the calling thread; undefined for a file that needs a parser process.
 * @throws IbidError FILE_*
 */
export async function readLight(
  { name, bytes, from }: LightSource,
  { maxFileBytes, ...limits }: LightLimits,
  around: SurroundingsReader,
): Promise<ParsedDocument | undefined> {
  if (bytes.length > maxFileBytes) throw tooLarge(bytes.length, maxFileBytes);
  if (bytes.length === 0) throw asFileError(new IbidError('FILE_EMPTY', 'the file has no bytes'));
  const found = formatOf(name, bytes);
  if (bytes.length > MAX_LIGHT_BYTES || !lightFormats.has(found.format) || isDeep(bytes, found.format))
    return undefined;
  const surroundings = from === undefined ? undefined : await around.of(from);
  try {
    return await parseBytes(name, bytes, { ...limits, surroundings }, 0, found);
  } catch (error) {
    throw asFileError(error);
  }
}

/** The parser of tags takes a time that grows with the square of their nesting. */
const MOST_NESTED = 5000;
const [LESS, SLASH] = [0x3c, 0x2f];

/** Whether far more elements begin than end at some place of a page. */
function isDeep(bytes: Uint8Array, format: Format): boolean {
  if (format !== 'html' && format !== 'xml' && format !== 'markdown') return false;
  let open = 0;
  for (let at = bytes.indexOf(LESS); at !== -1 && open <= MOST_NESTED; at = bytes.indexOf(LESS, at + 1)) {
    if (bytes[at + 1] === SLASH) open--;
    else if ((bytes[at + 1]! | 0x20) >= 0x61) open++;
  }
  return open > MOST_NESTED;
}

export function tooLarge(size: number, limit: number, option = 'maxFileBytes'): IbidError {
  return new IbidError('FILE_TOO_LARGE', `${size} bytes, the limit is ${limit}`, {
    hint: `Split the file, or raise ${option}.`,
  });
}
