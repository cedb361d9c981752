import { documentWord, eachDocumentTerm, type TermSink } from '../text/analysis/analysis.ts';
import { hashTerm } from './hash.ts';

/** Numbers of one slot: 30 bits of a word's second hash with how many terms the word has, then its only term's hash. */
const SLOT = 2;
/** 0 = an empty slot. The number beside `SEVERAL` is where the terms begin, with how many they are. */
const NONE = 1;
const ONE = 2;
const SEVERAL = 3;
/** Slots to begin with, and at most: 2 MB, and 1 MB beside. Half of them are used, then the table grows or starts afresh. */
const FEWEST = 2 ** 12;
const MOST = 2 ** 18;

/**
 * The hashes of a text's terms, in order: those of `documentTokens`, without a string being made for a word met before.
 * Words are told apart by some 48 bits of hash, so that a look-up costs one access to memory; terms have 32.
 */
export class TermHashes implements TermSink {
  #slots = new Uint32Array(FEWEST * SLOT);
  /** The first hash of the word of each slot: where it stands in a larger table. Look-ups do not need it. */
  #places = new Int32Array(FEWEST);
  #used = 0;
  /** For words that have several terms: their number, then the terms. */
  #several: number[] = [];
  #out = new Uint32Array(1024);
  #length = 0;

  /** @returns an array of its own */
  of(text: string): Uint32Array {
    this.#length = 0;
    eachDocumentTerm(text, this);
    return this.#out.slice(0, this.#length);
  }

  word(text: string, start: number, end: number): void {
    let first = 0x811c9dc5;
    let second = end - start;
    for (let at = start; at < end; at++) {
      const unit = text.charCodeAt(at);
      first = Math.imul(first ^ unit, 0x01000193);
      second = Math.imul(second ^ unit, 0x5bd1e995);
      second ^= second >>> 13;
    }
    first ^= first >>> 15;
    const tag = (second << 2) >>> 0;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (first * SLOT) & mask;
    for (;;) {
      const known = slots[slot]!;
      if (known === 0) break;
      if ((known & ~3) >>> 0 === tag) {
        this.#pushWord(known & 3, slots[slot + 1]!);
        return;
      }
      slot = (slot + SLOT) & mask;
    }
    this.#learn(documentWord(text.slice(start, end)), slot, first, tag);
  }

  term(term: string): void {
    this.#push(hashTerm(term));
  }

  #pushWord(kind: number, value: number): void {
    if (kind === ONE) this.#push(value);
    else if (kind === SEVERAL) {
      const several = this.#several;
      for (let i = 1; i <= several[value]!; i++) this.#push(several[value + i]!);
    }
  }

  #learn(terms: readonly string[], slot: number, first: number, tag: number): void {
    const hashes = terms.map(hashTerm);
    const kind = hashes.length === 0 ? NONE : hashes.length === 1 ? ONE : SEVERAL;
    this.#slots[slot] = tag | kind;
    this.#slots[slot + 1] = kind === ONE ? hashes[0]! : this.#several.length;
    this.#places[slot / SLOT] = first;
    if (kind === SEVERAL) this.#several.push(hashes.length, ...hashes);
    for (const hash of hashes) this.#push(hash);
    if (++this.#used * 2 * SLOT >= this.#slots.length) this.#grow();
  }

  #grow(): void {
    const [old, places] = [this.#slots, this.#places];
    if (places.length >= MOST) {
      old.fill(0);
      this.#several = [];
      this.#used = 0;
      return;
    }
    this.#slots = new Uint32Array(old.length * 2);
    this.#places = new Int32Array(places.length * 2);
    const mask = this.#slots.length - 1;
    for (const [i, first] of places.entries()) {
      if (old[i * SLOT] === 0) continue;
      let slot = (first * SLOT) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + SLOT) & mask;
      this.#slots.set(old.subarray(i * SLOT, (i + 1) * SLOT), slot);
      this.#places[slot / SLOT] = first;
    }
  }

  #push(hash: number): void {
    if (this.#length === this.#out.length) {
      const larger = new Uint32Array(this.#length * 2);
      larger.set(this.#out);
      this.#out = larger;
    }
    this.#out[this.#length++] = hash;
  }
}
