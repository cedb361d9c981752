import { Rotation } from './rotation.ts';
import { signsOf } from './signs.ts';

/** Vectors with at least this many dimensions have enough signs of their own. */
const signsFromDimensions = 512;

/** True when the signs of components are the bits, and are stored with the vectors. */
export function hasSigns(dimensions: number): boolean {
  return dimensions >= signsFromDimensions;
}

export function signBytes(bits: number): number {
  return Math.ceil(bits / 8);
}

/**
 * How vectors become bits: the signs of their components where there are enough, otherwise the signs after a rotation
 * to more components.
 */
export class SignCode {
  readonly bits: number;
  readonly bytes: number;
  /** True when the bits are also a column of the chunk table. */
  readonly isStored: boolean;
  readonly #dimensions: number;
  readonly #rotation: Rotation | undefined;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.isStored = hasSigns(dimensions);
    this.bits = this.isStored ? dimensions : Math.max(512, 2 * dimensions);
    this.bytes = signBytes(this.bits);
    this.#rotation = this.isStored ? undefined : new Rotation(dimensions, this.bits);
  }

  /** The components whose signs are the bits of a query, at full precision. */
  components(query: Int8Array): ArrayLike<number> {
    return this.#rotation ? this.#rotation.apply(query) : query;
  }

  /** The bits of whole rows of vectors. */
  encode(vectors: Int8Array): Uint8Array {
    if (!this.#rotation) return signsOf(vectors, this.#dimensions, this.bytes);
    const rows = vectors.length / this.#dimensions;
    const out = new Uint8Array(rows * this.bytes);
    const rotated = new Float32Array(this.bits);
    for (let row = 0; row < rows; row++) {
      this.#rotation.apply(vectors.subarray(row * this.#dimensions, (row + 1) * this.#dimensions), rotated);
      out.set(signsOf(rotated, this.bits, this.bytes), row * this.bytes);
    }
    return out;
  }
}
