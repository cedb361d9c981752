/** Title, author and dates of Office files before 2007. @see [MS-OLEPS] */
import type { DocumentBuilder } from '../builder.ts';
import { labelOfPage } from './code-pages.ts';
import type { CompoundFile } from './compound-file.ts';
import { type Properties, takeProperties } from './ooxml.ts';

const CODE_PAGE = 1;
const FIELDS: Readonly<Record<number, keyof Properties>> = { 2: 'title', 4: 'author', 12: 'created', 13: 'modified' };
const INTEGER = 2;
const NARROW = 30;
const WIDE = 31;
const FILETIME = 64;
const UTF_16 = 1200;
/** From 1601 to 1970. */
const MS_BEFORE_1970 = 11_644_473_600_000;
const MAX_PROPERTIES = 1000;

/** The code page of the properties. */
export function codePageOf(file: CompoundFile): number | undefined {
  try {
    const set = propertySet(file);
    return set && pageOf(set, offsetsIn(set));
  } catch {
    return undefined;
  }
}

/** Broken properties do not take the text with them: what can be read of them is read. */
export function readSummary(file: CompoundFile, builder: DocumentBuilder): void {
  try {
    const set = propertySet(file);
    if (set) takeProperties(builder, propertiesOf(set));
  } catch {
    // A length or an offset beyond the stream.
  }
}

function propertySet(file: CompoundFile): Buffer | undefined {
  const stream = file.stream('\x05SummaryInformation');
  if (!stream || stream.length < 48) return undefined;
  const bytes = Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength);
  return bytes.subarray(bytes.readUInt32LE(44));
}

/** Where the value of each property stands. */
function offsetsIn(set: Buffer): Map<number, number> {
  const offsets = new Map<number, number>();
  for (let i = 0; i < Math.min(MAX_PROPERTIES, set.readUInt32LE(4)); i++) {
    offsets.set(set.readUInt32LE(8 + i * 8), set.readUInt32LE(12 + i * 8));
  }
  return offsets;
}

function pageOf(set: Buffer, offsets: ReadonlyMap<number, number>): number | undefined {
  const at = offsets.get(CODE_PAGE);
  return at !== undefined && set.readUInt32LE(at) === INTEGER ? set.readUInt16LE(at + 4) : undefined;
}

function propertiesOf(set: Buffer): Properties {
  const offsets = offsetsIn(set);
  const page = pageOf(set, offsets) ?? 1252;
  const found: { -readonly [K in keyof Properties]: Properties[K] } = {};
  for (const [id, field] of Object.entries(FIELDS)) {
    const at = offsets.get(Number(id));
    if (at !== undefined) found[field] = valueAt(set, at, page);
  }
  return found;
}

function valueAt(set: Buffer, at: number, page: number): string | undefined {
  const type = set.readUInt32LE(at);
  if (type === FILETIME) {
    const ms = Number(set.readBigUInt64LE(at + 4) / 10_000n) - MS_BEFORE_1970;
    return ms > 0 && ms < 8.64e15 ? new Date(ms).toISOString() : undefined; // 0 says that there was none
  }
  if (type !== NARROW && type !== WIDE) return undefined;
  const isWide = type === WIDE || page === UTF_16;
  const size = set.readUInt32LE(at + 4) * (type === WIDE ? 2 : 1);
  const text = set.subarray(at + 8, at + 8 + size);
  return new TextDecoder(isWide ? 'utf-16le' : (labelOfPage(page) ?? 'windows-1252')).decode(text).split('\0', 1)[0];
}
