/**
 * Rotates vectors with few, unequal components (LSA, PCA: the first axes have most of the variance) to more, equal
 * components, so that each sign carries more information. Uses random sign flips and Hadamard transforms, several
 * independent ones side by side. Deterministic. Cosines are kept up to noise that decreases with the number of bits.
 * @see Ailon & Chazelle 2009, doi:10.1137/060673096 (fast Johnson–Lindenstrauss transform)
 */
export class Rotation {
  readonly dimensions: number;
  readonly bits: number;
  readonly #width: number;
  /** One random sign per component and round, for each transform. */
  readonly #flips: Int8Array;
  readonly #rounds = 2;

  /** @param bits any positive number; fewer than `dimensions` loses information */
  constructor(dimensions: number, bits: number) {
    this.dimensions = dimensions;
    this.bits = bits;
    this.#width = 2 ** Math.ceil(Math.log2(Math.max(2, dimensions)));
    const transforms = Math.ceil(bits / this.#width);
    this.#flips = new Int8Array(transforms * this.#rounds * this.#width);
    let state = 0x9e3779b9;
    for (let i = 0; i < this.#flips.length; i++) {
      // xorshift32: the flips must look random and be the same on every machine
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      this.#flips[i] = state & 0x40000 ? 1 : -1;
    }
  }

  /** The first `bits` rotated components. */
  apply(vector: ArrayLike<number>, out: Float32Array = new Float32Array(this.bits)): Float32Array {
    const width = this.#width;
    const work = new Float32Array(width);
    for (let start = 0, flips = 0; start < this.bits; start += width) {
      work.fill(0);
      work.set(vector);
      for (let round = 0; round < this.#rounds; round++, flips += width) {
        for (let i = 0; i < width; i++) work[i]! *= this.#flips[flips + i]!;
        hadamard(work);
      }
      out.set(work.subarray(0, Math.min(width, this.bits - start)), start);
    }
    return out;
  }
}

/** Walsh–Hadamard transform in place, not normalised; the length is a power of two. */
export function hadamard(values: Float32Array): void {
  for (let half = 1; half < values.length; half *= 2) {
    for (let start = 0; start < values.length; start += 2 * half) {
      for (let i = start; i < start + half; i++) {
        const a = values[i]!;
        const b = values[i + half]!;
        values[i] = a + b;
        values[i + half] = a - b;
      }
    }
  }
}
