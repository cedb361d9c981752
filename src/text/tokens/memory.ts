/** Longer pieces are a twentieth of a text's. */
const longest = 12;
/** A slot: four characters each in three integers, then the piece's length and its count. Empty where the last is 0. */
const integers = 4;
const slotsPerPiece = 2;

/**
 * Remembers the token counts of short ASCII pieces. A piece is its own key, packed into three integers: it is compared
 * without a look elsewhere, and its slot is one line of the processor's cache, where a table of hashes and texts takes
 * four.
 */
export class ShortPieces {
  readonly #slots: Int32Array;
  readonly #mask: number;
  readonly #most: number;
  #size = 0;
  /** The piece last looked for, and the slot where it is or belongs. */
  #first = 0;
  #second = 0;
  #third = 0;
  #at = 0;

  /** @param most pieces remembered at a time, a power of two; then it starts afresh */
  constructor(most: number) {
    this.#most = most;
    this.#slots = new Int32Array(most * slotsPerPiece * integers);
    this.#mask = most * slotsPerPiece - 1;
  }

  /**
   * The count of `text[start, end)`; 0 when it is not known yet, and `add` may say it; -1 when it is none for this
   * memory.
   */
  find(text: string, start: number, end: number): number {
    const length = end - start;
    if (length > longest) return -1;
    let all = 0;
    let first = 0;
    let second = 0;
    let third = 0;
    let at = start;
    for (const stop = Math.min(end, start + 4); at < stop; at++) {
      const unit = text.charCodeAt(at);
      all |= unit;
      first = (first << 8) | unit;
    }
    for (const stop = Math.min(end, start + 8); at < stop; at++) {
      const unit = text.charCodeAt(at);
      all |= unit;
      second = (second << 8) | unit;
    }
    for (; at < end; at++) {
      const unit = text.charCodeAt(at);
      all |= unit;
      third = (third << 8) | unit;
    }
    if (all > 0x7f) return -1;
    let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    const slots = this.#slots;
    for (let slot = hash ^ (hash >>> 13); ; slot++) {
      const place = (slot & this.#mask) * integers;
      const held = slots[place + 3]!;
      if (
        held === 0 ||
        (slots[place] === first && slots[place + 1] === second && slots[place + 2] === third && held >>> 8 === length)
      ) {
        this.#first = first;
        this.#second = second;
        this.#third = third;
        this.#at = place;
        return held & 0xff;
      }
    }
  }

  /** @param count of the piece that `find` has just not found: at least 1, at most one a character */
  add(length: number, count: number): void {
    if (this.#size === this.#most) {
      this.#slots.fill(0);
      this.#size = 0;
      return; // its slot was behind others that are gone: it is added when it comes again
    }
    const slots = this.#slots;
    slots[this.#at] = this.#first;
    slots[this.#at + 1] = this.#second;
    slots[this.#at + 2] = this.#third;
    slots[this.#at + 3] = (length << 8) | count;
    this.#size++;
  }
}
