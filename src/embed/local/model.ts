import { createHash } from 'node:crypto';
import { IbidError } from '../../core/errors.ts';
import { analysisVersion } from '../../text/analysis/analysis.ts';
import { type CodeBits, packedBytes } from './quantise.ts';
import { TermTable } from './term-table.ts';

/** Data about a model, readable without opening it for embedding. */
export interface LocalModelInfo {
  /** Algorithm, format version, dimensions and a hash of the content: equal ids give equal vectors. */
  readonly id: string;
  readonly dimensions: number;
  readonly seed: number;
  /** Number of terms with a vector. */
  readonly vocabulary: number;
  /** Chunks offered to the training, and the number of them in its sample. */
  readonly chunksSeen: number;
  readonly trainedOnChunks: number;
  /** Maximum size of the sample. */
  readonly maxChunks: number;
  /** Expected share of tokens without a vector, in a document like those of the sample but not in it. */
  readonly unknownShare: number;
  readonly sizeBytes: number;
}

type LocalModelHeader = Omit<LocalModelInfo, 'id' | 'sizeBytes' | 'vocabulary'>;

interface StoredHeader extends LocalModelHeader {
  readonly analysis: number;
}

/** A decoded model. Its arrays are views of the bytes where alignment allows. */
export interface LocalModel {
  readonly info: LocalModelInfo;
  /** Maps the keys of terms to their numbers. */
  readonly table: TermTable;
  /** Per term: log-entropy weight times the root mean square of its vector. */
  readonly factor: Float32Array;
  /** The components of the vectors, packed by `quantise.ts`; per term, the offset of its codes and their precision. */
  readonly codes: Uint8Array;
  readonly codeAt: Uint32Array;
  readonly bits: readonly CodeBits[];
}

const magic = 'ibid local model\n';
/** Raised when the layout changes, or the vectors that `compose.ts` makes, so that the ids differ. */
export const formatVersion = 3;
const hashBytes = 8;

// Layout: magic, version (u8), hash of all that follows (8 bytes), header length (u32 little endian), header (JSON),
// number of terms (u32), keys of the terms ascending (u32), per term its factor (the upper half of the float, with the
// binary logarithm of its vector's bits per component in the lowest two bits), packed vectors.
const hashAt = magic.length + 1;
const headerAt = hashAt + hashBytes;

/**
 * @param keys of the terms, ascending
 * @throws RangeError when the arrays do not fit together
 */
export function encodeModel(
  header: LocalModelHeader,
  keys: Uint32Array,
  factor: Float32Array,
  bits: readonly CodeBits[],
  codes: Uint8Array,
): Uint8Array<ArrayBuffer> {
  if (codeOffsets(bits, header.dimensions)[keys.length] !== codes.length) {
    throw new RangeError('codes do not fit the terms');
  }
  const meta = Buffer.from(JSON.stringify({ ...header, analysis: analysisVersion } satisfies StoredHeader));
  const out = Buffer.alloc(headerAt + 4 + meta.length + 4 + keys.length * 6 + codes.length);
  out.write(magic, 'latin1');
  out[magic.length] = formatVersion;
  let at = out.writeUInt32LE(meta.length, headerAt);
  at += meta.copy(out, at);
  at = out.writeUInt32LE(keys.length, at);
  for (const key of keys) at = out.writeUInt32LE(key, at);
  const wide = new Uint32Array(Float32Array.from(factor).buffer);
  wide.forEach((word, term) => {
    const rounded = ((word + 0x20000) >>> 16) & ~3;
    at = out.writeUInt16LE(rounded | Math.log2(bits[term]!), at);
  });
  out.set(codes, at);
  contentHash(out).copy(out, hashAt);
  return out;
}

const contentHash = (bytes: Uint8Array): Buffer =>
  createHash('sha256').update(bytes.subarray(headerAt)).digest().subarray(0, hashBytes);

/** @throws IbidError INDEX_DAMAGED; INDEX_SCHEMA when another version wrote it */
export function decodeModel(model: Uint8Array): LocalModel {
  const bytes = Buffer.from(model.buffer, model.byteOffset, model.byteLength);
  const info = readInfo(bytes);
  const count = info.vocabulary;
  const keysAt = headerAt + 4 + bytes.readUInt32LE(headerAt) + 4; // after the number of terms
  const wordsAt = keysAt + 4 * count;
  const codes = bytes.subarray(wordsAt + 2 * count);
  if (wordsAt + 2 * count > bytes.length) throw damaged('parts are missing');
  // copies, since a view must begin at a multiple of its element's size
  const keys = new Uint32Array(Uint8Array.from(bytes.subarray(keysAt, wordsAt)).buffer);
  const words = new Uint16Array(Uint8Array.from(bytes.subarray(wordsAt, wordsAt + 2 * count)).buffer);
  const table = new TermTable(count);
  const wide = new Uint32Array(count);
  const bits: CodeBits[] = [];
  for (let i = 0; i < count; i++) {
    const word = words[i]!;
    table.add(keys[i]!);
    bits.push(bitsOfTier(word & 3));
    wide[i] = (word & ~3) << 16;
  }
  const codeAt = codeOffsets(bits, info.dimensions);
  if (table.size !== count || codes.length !== codeAt[count]) throw damaged('parts are missing');
  return { info, table, factor: new Float32Array(wide.buffer), codes, codeAt, bits };
}

function bitsOfTier(tier: number): CodeBits {
  if (tier > 2) throw damaged('a vector of unknown precision');
  return tier === 0 ? 1 : tier === 1 ? 2 : 4;
}

/** The offset of each term's codes; the last element is the end. */
function codeOffsets(bits: readonly CodeBits[], dimensions: number): Uint32Array {
  const out = new Uint32Array(bits.length + 1);
  bits.forEach((b, i) => {
    out[i + 1] = out[i]! + packedBytes(dimensions, b);
  });
  return out;
}

/** Data about a stored model and its training. @throws IbidError as `decodeModel` */
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
  // The checksum proves that `encodeModel` wrote this.
  const { analysis, ...header } = JSON.parse(
    bytes.toString('utf8', headerAt + 4, headerAt + 4 + length),
  ) as StoredHeader;
  if (analysis !== analysisVersion) {
    throw new IbidError('INDEX_SCHEMA', `the model's terms are of text analysis ${analysis}, not ${analysisVersion}`, {
      hint: 'Rebuild the index, or use the version of ibid that wrote it.',
    });
  }
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
