import { createHash } from 'node:crypto';
import { IbidError } from '../core/errors.ts';
import { packedBytes } from './quantise.ts';

/** What a model says of itself without being opened for embedding. */
export interface LocalModelInfo {
  /** Algorithm, format version, dimensions and a hash of the content: equal ids give equal vectors. */
  readonly id: string;
  readonly dimensions: number;
  readonly seed: number;
  /** Terms that have a vector. */
  readonly vocabulary: number;
  /** Chunks offered to training, and how many of them were in its sample. */
  readonly chunksSeen: number;
  readonly trainedOnChunks: number;
  /** Largest sample the training would have taken. */
  readonly maxChunks: number;
  /** Share of the sample's tokens that are not in the vocabulary. */
  readonly unknownShare: number;
  readonly sizeBytes: number;
}

export type LocalModelHeader = Omit<LocalModelInfo, 'id' | 'sizeBytes' | 'vocabulary'>;

/** A model taken apart; the arrays are views of its bytes where alignment allows. */
export interface LocalModel {
  readonly info: LocalModelInfo;
  readonly numberOf: ReadonlyMap<string, number>;
  /** Log-entropy weight of each term. */
  readonly weight: Float32Array;
  /** Root mean square of each term's vector, and its components as `quantise.ts` packs them. */
  readonly magnitude: Float32Array;
  readonly codes: Uint8Array;
}

const magic = 'ibid local model\n';
const formatVersion = 1;
const hashBytes = 8;

// Layout: magic, version (u8), hash of all that follows (8 bytes), header length (u32 little endian), header (JSON),
// length of the term list (u32), term list, per term: weight (u16 of 65,535), magnitude (f32), packed vectors.
const hashAt = magic.length + 1;
const headerAt = hashAt + hashBytes;

/**
 * @param terms in code unit order
 * @throws RangeError when the arrays do not fit together
 */
export function encodeModel(
  header: LocalModelHeader,
  terms: readonly string[],
  weight: Float32Array,
  magnitude: Float32Array,
  codes: Uint8Array,
): Uint8Array {
  if (codes.length !== terms.length * packedBytes(header.dimensions))
    throw new RangeError('codes do not fit the terms');
  const meta = Buffer.from(JSON.stringify(header));
  const list = encodeTerms(terms);
  const out = Buffer.alloc(headerAt + 4 + meta.length + 8 + list.length + terms.length * 6 + codes.length);
  out.write(magic, 'latin1');
  out[magic.length] = formatVersion;
  let at = out.writeUInt32LE(meta.length, headerAt);
  at += meta.copy(out, at);
  at = out.writeUInt32LE(terms.length, at);
  at = out.writeUInt32LE(list.length, at);
  at += list.copy(out, at);
  for (const w of weight) at = out.writeUInt16LE(Math.round(w * 65_535), at);
  for (const m of magnitude) at = out.writeFloatLE(m, at);
  out.set(codes, at);
  contentHash(out).copy(out, hashAt);
  return out;
}

const contentHash = (bytes: Uint8Array): Buffer =>
  createHash('sha256').update(bytes.subarray(headerAt)).digest().subarray(0, hashBytes);

/** @throws IbidError INDEX_DAMAGED, or INDEX_SCHEMA when another version wrote it */
export function decodeModel(model: Uint8Array): LocalModel {
  const bytes = Buffer.from(model.buffer, model.byteOffset, model.byteLength);
  const info = readInfo(bytes);
  let at = headerAt + 4 + bytes.readUInt32LE(headerAt) + 4;
  const count = info.vocabulary;
  const listBytes = bytes.readUInt32LE(at);
  at += 4;
  const numberOf = decodeTerms(bytes.subarray(at, at + listBytes), count);
  at += listBytes;
  const weight = new Float32Array(count);
  for (let i = 0; i < count; i++) weight[i] = bytes.readUInt16LE(at + 2 * i) / 65_535;
  at += 2 * count;
  const magnitude = new Float32Array(count);
  for (let i = 0; i < count; i++) magnitude[i] = bytes.readFloatLE(at + 4 * i);
  at += 4 * count;
  const codes = bytes.subarray(at);
  if (numberOf.size !== count || codes.length !== count * packedBytes(info.dimensions)) throw damaged('parts missing');
  return { info, numberOf, weight, magnitude, codes };
}

/** What a stored model is and what it was trained on. @throws IbidError as `decodeModel` */
export function modelInfo(model: Uint8Array): LocalModelInfo {
  return readInfo(Buffer.from(model.buffer, model.byteOffset, model.byteLength));
}

function readInfo(bytes: Buffer): LocalModelInfo {
  if (bytes.length < headerAt + 4 || bytes.toString('latin1', 0, magic.length) !== magic) {
    throw damaged('not a local embedding model');
  }
  if (bytes[magic.length] !== formatVersion) {
    throw new IbidError('INDEX_SCHEMA', `the embedding model has format ${bytes[magic.length]}, not ${formatVersion}`, {
      hint: 'Rebuild the index, or use the version of ibid that wrote it.',
    });
  }
  const hash = contentHash(bytes);
  if (!hash.equals(bytes.subarray(hashAt, headerAt))) throw damaged('its checksum does not match');
  const length = bytes.readUInt32LE(headerAt);
  // Written by `encodeModel`, as the checksum has just shown.
  const header = JSON.parse(bytes.toString('utf8', headerAt + 4, headerAt + 4 + length)) as LocalModelHeader;
  return {
    id: `local-lsa-${formatVersion}-${header.dimensions}-${hash.toString('hex')}`,
    ...header,
    vocabulary: bytes.readUInt32LE(headerAt + 4 + length),
    sizeBytes: bytes.length,
  };
}

function damaged(reason: string): IbidError {
  return new IbidError('INDEX_DAMAGED', `the embedding model cannot be read: ${reason}`, {
    hint: 'Rebuild the index from its documents.',
  });
}

/** Front coding: bytes shared with the term before (u8), bytes that follow (u8, longer terms never get in), those bytes. */
function encodeTerms(terms: readonly string[]): Buffer {
  const parts: Buffer[] = [];
  let before = Buffer.alloc(0);
  for (const term of terms) {
    const bytes = Buffer.from(term);
    if (bytes.length > maxTermBytes) throw new RangeError(`a term of ${bytes.length} bytes`);
    let shared = 0;
    while (shared < before.length && shared < bytes.length && before[shared] === bytes[shared]) shared++;
    parts.push(Buffer.from([shared, bytes.length - shared]), bytes.subarray(shared));
    before = bytes;
  }
  return Buffer.concat(parts);
}

/** Longer terms are no words; they are left out of the vocabulary. */
export const maxTermBytes = 255;

function decodeTerms(list: Buffer, count: number): Map<string, number> {
  const out = new Map<string, number>();
  const term = Buffer.alloc(2 * maxTermBytes);
  for (let at = 0; at < list.length && out.size < count; ) {
    const shared = list[at]!;
    const rest = list[at + 1]!;
    list.copy(term, shared, at + 2, at + 2 + rest);
    out.set(term.toString('utf8', 0, shared + rest), out.size);
    at += 2 + rest;
  }
  return out;
}
