import { documentWord, eachDocumentTerm } from '../text/analysis/analysis.ts';
import { eachPlainTerm, type PlainTermSink } from '../text/analysis/plain-text.ts';
import { codeUnitsOf } from '../text/code-units.ts';
import { hashTerm } from './hash.ts';

/**
 * Numbers of one slot: two hashes of the word, how many terms it has and one (0 = empty slot), and its only term's
 * hash.
 */
const SLOT = 4;
/** Slots to begin with, and at most: 4 MB. Half of them are used, then the table grows or starts afresh. */
const FEWEST = 2 ** 12;
const MOST = 2 ** 18;
/** Numbers of one word that was met: two hashes, start and end. Of a term its hash, and 0 as end. */
const MET = 4;

/**
 * The hashes of a text's terms, in order: those of `documentTokens`, without a string being made for a word met before.
 * Words are told apart by 64 bits of hash, so that a look-up costs one access to memory; terms have half as many. All
 * words of a text are met before the first is looked up: the accesses, most of which go far, then overlap.
 */
export class TermHashes implements PlainTermSink {
  #slots = new Uint32Array(FEWEST * SLOT);
  #used = 0;
  /** Terms of words that have several; the slot holds where they begin. */
  #several: number[] = [];
  #out = new Uint32Array(1024);
  #length = 0;
  #met = new Uint32Array(1024 * MET);
  #metLength = 0;

  /** @returns an array of its own */
  of(text: string): Uint32Array {
    this.#length = this.#metLength = 0;
    if (eachPlainTerm(text, this)) this.#find(text);
    else {
      this.#metLength = 0;
      const normal = text.normalize('NFC');
      const units = codeUnitsOf(normal);
      eachDocumentTerm(normal, {
        word: (_, start, end) => this.word(units, start, end),
        term: (term) => this.term(term),
      });
      this.#find(normal);
    }
    return this.#out.slice(0, this.#length);
  }

  word(units: Uint16Array, start: number, end: number): void {
    let first = 0x811c9dc5;
    let second = end - start;
    for (let at = start; at < end; at++) {
      const unit = units[at]!;
      first = Math.imul(first ^ unit, 0x01000193);
      second = Math.imul(second ^ unit, 0x5bd1e995);
      second ^= second >>> 13;
    }
    this.#meet(first ^ (first >>> 15), second, start, end);
  }

  term(term: string): void {
    this.#meet(hashTerm(term), 0, 0, 0);
  }

  #meet(first: number, second: number, start: number, end: number): void {
    if (this.#metLength === this.#met.length) this.#met = twiceAsLong(this.#met);
    const met = this.#met;
    const at = this.#metLength;
    met[at] = first;
    met[at + 1] = second;
    met[at + 2] = start;
    met[at + 3] = end;
    this.#metLength = at + MET;
  }

  /** The terms of all that was met. @param text where the words stand */
  #find(text: string): void {
    const met = this.#met;
    for (let at = 0; at < this.#metLength; at += MET) {
      const end = met[at + 3]!;
      if (end === 0) this.#push(met[at]!);
      else this.#findWord(met[at]!, met[at + 1]!, text, met[at + 2]!, end);
    }
  }

  #findWord(first: number, second: number, text: string, start: number, end: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (first * SLOT) & mask;
    while (slots[slot + 2] !== 0) {
      if (slots[slot] === first && slots[slot + 1] === second) {
        this.#pushWord(slots[slot + 2]! - 1, slots[slot + 3]!);
        return;
      }
      slot = (slot + SLOT) & mask;
    }
    this.#learn(documentWord(text.slice(start, end)), slot, first, second);
  }

  #pushWord(terms: number, value: number): void {
    if (terms === 1) this.#push(value);
    else for (let i = 0; i < terms; i++) this.#push(this.#several[value + i]!);
  }

  #learn(terms: readonly string[], slot: number, first: number, second: number): void {
    const slots = this.#slots;
    slots[slot] = first;
    slots[slot + 1] = second;
    slots[slot + 2] = terms.length + 1;
    slots[slot + 3] = terms.length === 1 ? hashTerm(terms[0]!) : this.#several.length;
    if (terms.length > 1) for (const term of terms) this.#several.push(hashTerm(term));
    this.#pushWord(terms.length, slots[slot + 3]!);
    if (++this.#used * 2 * SLOT >= this.#slots.length) this.#grow();
  }

  #grow(): void {
    const old = this.#slots;
    if (old.length >= MOST * SLOT) {
      old.fill(0);
      this.#several = [];
      this.#used = 0;
      return;
    }
    this.#slots = new Uint32Array(old.length * 2);
    const mask = this.#slots.length - 1;
    for (let from = 0; from < old.length; from += SLOT) {
      if (old[from + 2] === 0) continue;
      let slot = (old[from]! * SLOT) & mask;
      while (this.#slots[slot + 2] !== 0) slot = (slot + SLOT) & mask;
      for (let i = 0; i < SLOT; i++) this.#slots[slot + i] = old[from + i]!;
    }
  }

  #push(hash: number): void {
    if (this.#length === this.#out.length) this.#out = twiceAsLong(this.#out);
    this.#out[this.#length++] = hash;
  }
}

function twiceAsLong(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
