/**
 * The sign of every component as one bit: bit j of a row (byte j / 8, lowest bit first) is 1 when component j is above 0.
 * @param vectors whole rows of `dimensions` components
 * @param bytes of one row of bits; bits beyond `dimensions` are 0
 */
export function signsOf(vectors: ArrayLike<number>, dimensions: number, bytes: number): Uint8Array {
  const rows = vectors.length / dimensions;
  const out = new Uint8Array(rows * bytes);
  for (let row = 0; row < rows; row++) {
    const from = row * dimensions;
    const to = row * bytes;
    for (let j = 0; j < dimensions; j++) {
      if (vectors[from + j]! > 0) out[to + (j >> 3)]! |= 1 << (j & 7);
    }
  }
  return out;
}
