/** Lines of the manifest as bytes. */
import { avalanche } from '../core/hash.ts';

/** The texts of a line, in the order of storage. */
export const lineTexts = [
  'uri',
  'contentHash',
  'title',
  'format',
  'warnings',
  'failureCode',
  'failureMessage',
] as const;
export const URI = 0;
export const HASH = 1;
export const WARNINGS = 4;
export const CODE = 5;

/**
 * A line as bytes: text `t` is the UTF-8 in `bytes[t]` from `from[t]` to `to[t]`; `from[t]` is -1 for an absent text.
 * One object serves many lines.
 */
export class LineBytes {
  readonly bytes: Uint8Array[] = lineTexts.map(() => new Uint8Array(0));
  readonly from: Int32Array = new Int32Array(lineTexts.length).fill(-1);
  readonly to: Int32Array = new Int32Array(lineTexts.length);
  chunks = 0;
  sizeBytes = 0;
  mtimeMs = 0;
  /** `seq` of the first chunk; -1 when there are no chunks. */
  first = -1;
}

/**
 * Layout of a line in its page: three doubles (size, time, first), the number of chunks, then 1 + the length of each
 * text (0 = absent), then the texts.
 */
export const MTIME_AT = 8;
export const FIRST_AT = 16;
export const CHUNKS_AT = 24;
export const LENGTHS_AT = 28;
export const TEXTS_AT: number = LENGTHS_AT + 4 * lineTexts.length;

export function hasText(page: Buffer, at: number, text: number): boolean {
  return page.readUInt32LE(at + LENGTHS_AT + 4 * text) > 0;
}

export function textOf(page: Buffer, at: number, text: number): string {
  let from = at + TEXTS_AT;
  for (let t = 0; t < text; t++) from += lengthOf(page, at, t);
  return page.toString('utf8', from, from + lengthOf(page, at, text));
}

export function lengthOf(page: Buffer, at: number, text: number): number {
  return Math.max(0, page.readUInt32LE(at + LENGTHS_AT + 4 * text) - 1);
}

export function bytesOf(page: Buffer, at: number): number {
  let bytes = TEXTS_AT;
  for (let t = 0; t < lineTexts.length; t++) bytes += lengthOf(page, at, t);
  return bytes;
}

/** FNV-1a hash of bytes, with a final avalanche step. @see hash32 */
export function hashBytes(bytes: Uint8Array, from: number, to: number, seed = 0): number {
  let h = (0x811c9dc5 ^ seed) | 0;
  for (let i = from; i < to; i++) h = Math.imul(h ^ bytes[i]!, 0x01000193);
  return avalanche(h);
}
