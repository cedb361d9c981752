/**
 * Bits per component of a packed term vector. The levels have the least mean square error for a Gaussian of variance 1.
 * The error of a term is the same in chunks and queries and nearly orthogonal to other vectors, so it averages out over
 * the many terms of a text.
 * @see Max 1960, doi:10.1109/TIT.1960.1057548 (table I, N = 2, 4 and 16)
 */
export type CodeBits = 1 | 2 | 4;

/** The levels above zero, and the thresholds between them; the levels below zero mirror them. */
const quantisers: Readonly<Record<CodeBits, { readonly levels: readonly number[]; readonly cuts: readonly number[] }>> =
  {
    1: { levels: [0.7979], cuts: [] },
    2: { levels: [0.4528, 1.51], cuts: [0.9816] },
    4: {
      levels: [0.1284, 0.3881, 0.6568, 0.9424, 1.256, 1.618, 2.069, 2.733],
      cuts: [0.2582, 0.5224, 0.7996, 1.099, 1.437, 1.844, 2.401],
    },
  };

/** The components of each byte value, as `Kernels.packedRows` takes them: 8 at one bit, then 4, then 2. */
export const unpacked: Float32Array = Float32Array.from(([1, 2, 4] as const).flatMap(byteTable));

function byteTable(bits: CodeBits): number[] {
  const { levels } = quantisers[bits];
  const ascending = [...levels.map((level) => -level).reverse(), ...levels];
  const perByte = 8 / bits;
  return Array.from({ length: 256 * perByte }, (_, i) => {
    const code = (Math.floor(i / perByte) >> (bits * (i % perByte))) & (2 ** bits - 1);
    return ascending[code]!;
  });
}

export const packedBytes = (dimensions: number, bits: CodeBits): number => (dimensions * bits) / 8;

/** Root mean square of the components. */
export function magnitude(vector: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!;
  return Math.sqrt(sum / vector.length);
}

/**
 * @param vector a multiple of 8 components
 * @param size its magnitude
 * @param codes gets `packedBytes(vector.length, bits)` bytes from `at` on; the first component is in the lowest bits
 */
export function packVector(vector: Float32Array, size: number, bits: CodeBits, codes: Uint8Array, at: number): void {
  const scale = size || 1;
  const { levels, cuts } = quantisers[bits];
  for (let i = 0, byte = at; i < vector.length; byte++) {
    let packed = 0;
    for (let shift = 0; shift < 8; shift += bits, i++) {
      const component = vector[i]!;
      const distance = Math.abs(component) / scale;
      let step = 0;
      while (step < cuts.length && distance > cuts[step]!) step++;
      packed |= (component < 0 ? levels.length - 1 - step : levels.length + step) << shift;
    }
    codes[byte] = packed;
  }
}
