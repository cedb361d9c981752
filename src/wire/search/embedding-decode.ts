import { invalidAnswer, type Where } from '../http/answer.ts';

export type EncodingFormat = 'base64_int8' | 'base64_binary';

/** Bytes of one vector. */
function vectorBytes(dimensions: number, encoding: EncodingFormat): number {
  return encoding === 'base64_int8' ? dimensions : dimensions / 8;
}

/**
 * One vector in memory of its own. `base64_int8`: one two's-complement byte per component. `base64_binary`: component i
 * is bit `i % 8`, counted from the least significant, of byte `floor(i / 8)`.
 * @throws WireError RESPONSE_INVALID when it is not base64 or has another length
 */
export function decodeVector(
  where: Where,
  at: string,
  value: unknown,
  dimensions: number,
  encoding: EncodingFormat,
): Int8Array | Uint8Array {
  if (typeof value !== 'string') throw invalidAnswer(where, `${at} is not a base64 string`);
  const expected = vectorBytes(dimensions, encoding);
  const bytes = new Uint8Array(expected); // not the shared pool that Buffer.from(string) cuts small buffers from
  const length = Buffer.byteLength(value, 'base64');
  if (length !== expected) throw invalidAnswer(where, `${at} has ${length} bytes; ${expected} were asked for`);
  // Decoding skips what is not base64, so that fewer bytes come out than the length promised.
  const written = Buffer.from(bytes.buffer).write(value, 'base64');
  if (written !== expected) throw invalidAnswer(where, `${at} is not base64`);
  return encoding === 'base64_int8' ? new Int8Array(bytes.buffer) : bytes;
}

/** Number of bits in which two binary vectors differ. @throws RangeError on different lengths */
export function hammingDistance(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) throw new RangeError(`vectors of ${a.length} and ${b.length} bytes`);
  let distance = 0;
  for (let i = 0; i < a.length; i++) {
    let bits = a[i]! ^ b[i]!;
    while (bits !== 0) {
      bits &= bits - 1;
      distance++;
    }
  }
  return distance;
}

/**
 * Cosine of two int8 vectors, which are not normalised; 0 with a zero vector.
 * @throws RangeError on different lengths
 */
export function cosineSimilarity(a: Int8Array, b: Int8Array): number {
  if (a.length !== b.length) throw new RangeError(`vectors of ${a.length} and ${b.length} dimensions`);
  let dot = 0;
  let normA = 0;
  let normB = 0;
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    normA += a[i]! * a[i]!;
    normB += b[i]! * b[i]!;
  }
  return normA === 0 || normB === 0 ? 0 : dot / Math.sqrt(normA * normB);
}
