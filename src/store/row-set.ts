import type { RowSet } from './contract.ts';

/** A set of ordinals as a sorted list. The first call of `has` adds a bitmap. */
export class OrdinalSet implements RowSet {
  readonly ordinals: Uint32Array;
  #bits: Uint8Array | undefined;

  /** @param ordinals ascending, no duplicates */
  constructor(ordinals: Uint32Array) {
    this.ordinals = ordinals;
  }

  get size(): number {
    return this.ordinals.length;
  }

  has(ordinal: number): boolean {
    if (this.#bits === undefined) {
      this.#bits = new Uint8Array(((this.ordinals.at(-1) ?? 0) >> 3) + 1);
      for (const member of this.ordinals) this.#bits[member >> 3]! |= 1 << (member & 7);
    }
    return ((this.#bits[ordinal >> 3] ?? 0) & (1 << (ordinal & 7))) !== 0;
  }
}
