/** Code units of the longest piece that is kept. A twentieth of the pieces of a text are longer. */
const longest = 12;
/** A slot: four characters in each of three integers, then length and count of the piece; 0 in the last one: empty. */
const integers = 4;
const slotsPerPiece = 2;

/**
 * Cache of the token counts of short ASCII pieces. A piece, packed into three integers, is its own key. A lookup reads
 * one line of the processor's cache; a table of hashes and texts needs four.
 */
export class ShortPieces {
  readonly #slots: Int32Array;
  readonly #mask: number;
  readonly #most: number;
  #size = 0;
  /** The piece of the last `find`, and its slot or the slot to use. */
  #first = 0;
  #second = 0;
  #third = 0;
  #at = 0;

  /** @param most number of pieces, a power of two; a full cache is cleared */
  constructor(most: number) {
    this.#most = most;
    this.#slots = new Int32Array(most * slotsPerPiece * integers);
    this.#mask = most * slotsPerPiece - 1;
  }

  /** The token count of `text[start, end)`; 0 if unknown (`add` may follow); -1 if the piece cannot be kept here. */
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

  /** @param count of the piece of the last `find`, which returned 0: from 1 to `length` */
  add(length: number, count: number): void {
    if (this.#size === this.#most) {
      this.#slots.fill(0);
      this.#size = 0;
      return; // the slot was found in the old table; the piece is added next time
    }
    const slots = this.#slots;
    slots[this.#at] = this.#first;
    slots[this.#at + 1] = this.#second;
    slots[this.#at + 2] = this.#third;
    slots[this.#at + 3] = (length << 8) | count;
    this.#size++;
  }
}
