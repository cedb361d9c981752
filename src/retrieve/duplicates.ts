import { countNegations } from '../text/languages/negation.ts';

/** Two chunks are near-duplicates when their term sequences share at least this much of their triples. */
const SIMILAR = 0.8;
const TRIPLE = 3;
/** Fewer terms than this say too little to be called a copy of one another, unless they are equal. */
const MIN_TERMS = 8;
const FEWEST_SLOTS = 2 ** 12;

/** A text that was no copy, with the number of its different triples. */
interface Seen {
  readonly terms: Uint32Array;
  readonly triples: number;
  /** The whole text, where it has few terms. */
  readonly whole: string | undefined;
}

/** What does not tell two short texts apart. Signs do: `-5`, `C#`, `x < 5`. */
const punctuation = /[\s.,;:!?…"'“”‘’„«»()[\]{}*_`|]+/gu;

/** In what near-copies of one text may contradict each other: their figures, their names, and how often they say no. */
export function claimsOf(text: string): string {
  return `${(text.match(/\p{N}+|\p{Lu}[\p{L}\p{M}]*/gu) ?? []).join(' ')} ${countNegations(text)}`;
}

/**
 * Tells whether a text was, near enough, seen before: Jaccard similarity of its term triples with one seen earlier.
 * Near-duplicates are not remembered themselves. One look at each triple counts what a text shares with all others.
 */
export class DuplicateFilter {
  readonly #seen: Seen[] = [];
  /** By slot: the hash of a triple, and its last entry and one; 0 = empty slot. */
  #triples = new Int32Array(FEWEST_SLOTS);
  #last = new Uint32Array(FEWEST_SLOTS);
  /** By entry: the text, and the entry before it of the same triple and one. At most half as many as slots. */
  #texts = new Uint32Array(FEWEST_SLOTS / 2);
  #before = new Uint32Array(FEWEST_SLOTS / 2);
  /** The slots of the text that was added last, by entry. */
  #slots = new Uint32Array(FEWEST_SLOTS / 2);
  #entries = 0;

  /**
   * @param terms hashes of the text's terms, in order
   * @param text decides where the terms are few: function words and signs are no terms
   */
  isCopy(terms: Uint32Array, text: string): boolean {
    const from = this.#entries;
    const shared = this.#add(terms);
    const triples = this.#entries - from;
    const whole = terms.length < MIN_TERMS ? text.toLowerCase().replace(punctuation, ' ').trim() : undefined;
    const own = { terms, triples, whole };
    const isCopy = this.#seen.some((seen, i) => isSimilar(own, seen, shared[i]!));
    if (isCopy) this.#removeFrom(from);
    else this.#seen.push(own);
    return isCopy;
  }

  /** Adds the different triples of a text. @returns how many of them each text before it has */
  #add(terms: Uint32Array): Uint32Array {
    this.#reserve(terms.length);
    const text = this.#seen.length;
    const shared = new Uint32Array(text);
    for (let i = 0; i + TRIPLE <= terms.length; i++) {
      const triple = tripleAt(terms, i);
      const slot = this.#slotOf(triple);
      const last = this.#last[slot]!;
      if (last > 0 && this.#texts[last - 1] === text) continue; // met before in this text
      for (let at = last; at > 0; at = this.#before[at - 1]!) shared[this.#texts[at - 1]!]!++;
      this.#triples[slot] = triple;
      this.#texts[this.#entries] = text;
      this.#before[this.#entries] = last;
      this.#slots[this.#entries] = slot;
      this.#last[slot] = ++this.#entries;
    }
    return shared;
  }

  /** Removes the entries of the text that was added last; last first, so that no other triple loses its slot. */
  #removeFrom(from: number): void {
    while (this.#entries > from) this.#last[this.#slots[--this.#entries]!] = this.#before[this.#entries]!;
  }

  #slotOf(triple: number): number {
    const mask = this.#triples.length - 1;
    let slot = (triple ^ (triple >>> 15)) & mask;
    while (this.#last[slot] !== 0 && this.#triples[slot] !== triple) slot = (slot + 1) & mask;
    return slot;
  }

  /** Makes room for so many more entries. */
  #reserve(more: number): void {
    const needed = this.#entries + more;
    if (needed <= this.#texts.length) return;
    const [triples, last] = [this.#triples, this.#last];
    let slots = triples.length;
    while (slots / 2 < needed) slots *= 2;
    this.#triples = new Int32Array(slots);
    this.#last = new Uint32Array(slots);
    for (let from = 0; from < triples.length; from++) {
      if (last[from] === 0) continue;
      const slot = this.#slotOf(triples[from]!);
      this.#triples[slot] = triples[from]!;
      this.#last[slot] = last[from]!;
    }
    this.#texts = longer(this.#texts, slots / 2);
    this.#before = longer(this.#before, slots / 2);
    this.#slots = new Uint32Array(slots / 2);
  }
}

function tripleAt(terms: Uint32Array, at: number): number {
  let hash = 0;
  for (let i = at; i < at + TRIPLE; i++) hash = (Math.imul(hash, 0x9e3779b1) + terms[i]!) | 0;
  return hash;
}

function longer(array: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(length);
  longer.set(array);
  return longer;
}

/** @param shared triples of both */
function isSimilar(a: Seen, b: Seen, shared: number): boolean {
  if (a.whole !== undefined || b.whole !== undefined) return a.whole === b.whole;
  return shared >= SIMILAR * (a.triples + b.triples - shared);
}
