import { hadamard } from '../vector/rotation.ts';

/** A vector with fewer components is written several times, each time turned otherwise. */
const FEW = 512;
const MOST_COPIES = 4;
const ROUNDS = 4;

const copiesOf = (dimensions: number): number => Math.min(MOST_COPIES, Math.ceil(FEW / dimensions));

/** Components of a stored vector of a model. */
export const storedDimensions = (dimensions: number): number => copiesOf(dimensions) * dimensions;

/**
 * Makes the components of a model's vectors alike in size before they are rounded to eight bits. Some models have a few
 * components that are much larger than all others; scaled by them, the others would round to nothing. Here each vector
 * is turned by fixed sign flips and Hadamard transforms over overlapping blocks, which changes no cosine. A short vector
 * is written up to four times, each time turned otherwise, so that the errors of rounding average out.
 *
 * What is drawn here is part of an index: another drawing needs another id of the embedder.
 * @see Ailon & Chazelle 2009, doi:10.1137/060673096 (random signs and Hadamard transforms)
 */
export class Spread {
  /** Components that come out. */
  readonly components: number;
  readonly #dimensions: number;
  readonly #width: number;
  readonly #flips: Float32Array;

  constructor(dimensions: number) {
    const copies = copiesOf(dimensions);
    this.components = copies * dimensions;
    this.#dimensions = dimensions;
    this.#width = 2 ** Math.floor(Math.log2(dimensions));
    this.#flips = new Float32Array(copies * ROUNDS * this.#width);
    let state = 0x9e3779b9;
    for (let i = 0; i < this.#flips.length; i++) {
      // xorshift32: the same on every machine
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      this.#flips[i] = (state & 0x40000 ? 1 : -1) / Math.sqrt(this.#width);
    }
  }

  apply(vector: ArrayLike<number>): Float32Array {
    const out = new Float32Array(this.components);
    for (let start = 0, flips = 0; start < out.length; start += this.#dimensions) {
      out.set(vector, start);
      for (let round = 0; round < ROUNDS; round++, flips += this.#width) {
        // two blocks, from the front and from the back, by turns: together they reach every component
        const from = start + (round % 2 === 0 ? 0 : this.#dimensions - this.#width);
        const block = out.subarray(from, from + this.#width);
        for (let i = 0; i < block.length; i++) block[i]! *= this.#flips[flips + i]!;
        hadamard(block);
      }
    }
    return out;
  }
}
