import { mix } from './random.ts';

/**
 * A term's key: a 32-bit hash of its UTF-16 code units. A model has only the keys of its terms. Of 40,000 known terms,
 * two share a key with a probability of 0.17; an unknown term has the key of a known one in 1 of 100,000 cases. Such a
 * term gets the vector of another, which changes a text of many terms only a little.
 * @see Fowler, Noll & Vo's FNV-1a, with a final mix
 */
export function termKey(term: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  return mix(hash);
}

const empty = 0xffffffff;

/** Numbers distinct keys from 0, in the order of `add`: 12 to 24 bytes per key, and no strings. */
export class TermTable {
  #slots: Uint32Array;
  #keys: Uint32Array;
  #size = 0;

  constructor(expected: number) {
    const slots = 2 ** Math.ceil(Math.log2(2 * Math.max(expected, 1)));
    this.#slots = new Uint32Array(slots).fill(empty);
    this.#keys = new Uint32Array(slots / 2);
  }

  get size(): number {
    return this.#size;
  }

  /** The keys, in order of their numbers. */
  keys(): Uint32Array {
    return this.#keys.subarray(0, this.#size);
  }

  /** The number of a key, or `undefined`. */
  get(key: number): number | undefined {
    const number = this.#slots[this.#slot(key)]!;
    return number === empty ? undefined : number;
  }

  /** The number of a key; a new key gets the next number. */
  add(key: number): number {
    let slot = this.#slot(key);
    const known = this.#slots[slot]!;
    if (known !== empty) return known;
    if (2 * (this.#size + 1) > this.#slots.length) {
      this.#grow();
      slot = this.#slot(key);
    }
    this.#keys[this.#size] = key;
    this.#slots[slot] = this.#size;
    return this.#size++;
  }

  /**
   * The slot of a key, or the free slot for it. Keys are well mixed, so their low bits are the slot; after a collision,
   * the next slot is tried.
   */
  #slot(key: number): number {
    const mask = this.#slots.length - 1;
    let slot = key & mask;
    for (;;) {
      const number = this.#slots[slot]!;
      if (number === empty || this.#keys[number] === key) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const keys = this.keys();
    const slots = 2 * this.#slots.length;
    this.#slots = new Uint32Array(slots).fill(empty);
    this.#keys = new Uint32Array(slots / 2);
    this.#keys.set(keys);
    for (let number = 0; number < this.#size; number++) this.#slots[this.#slot(keys[number]!)] = number;
  }
}
