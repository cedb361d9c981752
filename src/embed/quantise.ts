/**
 * Term vectors in 2 bits per component: the four levels that lose least of a Gaussian, and one magnitude per vector.
 * The error is a fixed pattern of the term, the same in chunks and queries, and nearly orthogonal to everything else;
 * a text sums many terms, so it averages out.
 * @see Max 1960, doi:10.1109/TIT.1960.1057548 (table I, N = 4)
 */
export const bitsPerComponent = 2;
const inner = 0.4528;
const outer = 1.51;
const threshold = 0.9816;
const levels = [-outer, -inner, inner, outer] as const;

export const packedBytes = (dimensions: number): number => (dimensions * bitsPerComponent) / 8;

/**
 * @param vector `dimensions` floats, a multiple of 4
 * @param codes receives `packedBytes(dimensions)` bytes at `at`; component `4i + j` in bits `2j, 2j + 1` of byte `i`
 * @returns the root mean square of the vector: unpacked components times this approximate it
 */
export function packVector(vector: Float32Array, codes: Uint8Array, at: number): number {
  let sum = 0;
  for (const x of vector) sum += x * x;
  const magnitude = Math.sqrt(sum / vector.length);
  const cut = threshold * magnitude;
  for (let i = 0; i < vector.length; i += 4) {
    let byte = 0;
    for (let j = 0; j < 4; j++) {
      const x = vector[i + j]!;
      const code = x < -cut ? 0 : x < 0 ? 1 : x <= cut ? 2 : 3;
      byte |= code << (2 * j);
    }
    codes[at + (i >> 2)] = byte;
  }
  return magnitude;
}

/** Four components for each byte value. */
const unpacked = Float32Array.from({ length: 1024 }, (_, i) => levels[((i >> 2) >> (2 * (i & 3))) & 3]!);

/** Writes `vector.length` components in units of the magnitude. */
export function unpackVector(codes: Uint8Array, at: number, vector: Float32Array): void {
  for (let i = 0; i < vector.length; i += 4) {
    const from = codes[at + (i >> 2)]! * 4;
    vector[i] = unpacked[from]!;
    vector[i + 1] = unpacked[from + 1]!;
    vector[i + 2] = unpacked[from + 2]!;
    vector[i + 3] = unpacked[from + 3]!;
  }
}

/** The vector as int8, scaled so that its largest component is ±127; a zero vector stays zero. */
export function toInt8(vector: Float32Array): Int8Array {
  let largest = 0;
  for (const x of vector) largest = Math.max(largest, Math.abs(x));
  const out = new Int8Array(vector.length);
  if (largest === 0) return out;
  const scale = 127 / largest;
  for (let i = 0; i < vector.length; i++) out[i] = Math.round(vector[i]! * scale);
  return out;
}
