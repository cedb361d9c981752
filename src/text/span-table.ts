const emptySlot = 0;
/** At least so many slots per entry, so that a lookup needs one or two steps. */
const slotsPerEntry = 2;

/** FNV-1a over the UTF-16 code units of `text[start, end)`. */
export function hashSpan(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}

/**
 * Numbers distinct spans of text from 0, in the order of their first use. No string is made of a span: words of a
 * corpus repeat, and a string for each lookup costs more than all other work. The table copies code units, so that no
 * text stays in memory: about 30 bytes for a word of eight letters.
 */
export class SpanTable {
  #slots: Uint32Array;
  /** Start of the code units of each entry; the start of the next entry is the end. */
  #starts: Uint32Array;
  #hashes: Int32Array;
  #units: Uint16Array;
  #size = 0;

  constructor(expected = 1024) {
    const entries = 2 ** Math.ceil(Math.log2(Math.max(expected, 16)));
    this.#slots = new Uint32Array(entries * slotsPerEntry);
    this.#starts = new Uint32Array(entries + 1);
    this.#hashes = new Int32Array(entries);
    this.#units = new Uint16Array(entries * 8);
  }

  get size(): number {
    return this.#size;
  }

  /** Code units kept. */
  get units(): number {
    return this.#starts[this.#size]!;
  }

  /** The number of `text[start, end)`, or -1. @param hash from `hashSpan` */
  find(text: string, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const starts = this.#starts;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot]! - 1;
      if (entry < 0) return -1;
      if (this.#hashes[entry] === hash && this.#isAt(starts[entry]!, starts[entry + 1]!, text, start, end))
        return entry;
    }
  }

  #isAt(from: number, to: number, text: string, start: number, end: number): boolean {
    if (to - from !== end - start) return false;
    const units = this.#units;
    for (let at = start, own = from; at < end; at++, own++) if (units[own] !== text.charCodeAt(at)) return false;
    return true;
  }

  /** Gives a number to a span that `find` does not know. */
  add(text: string, start: number, end: number, hash: number): number {
    if (this.#size === this.#hashes.length) this.#grow();
    const entry = this.#size++;
    let at = this.#starts[entry]!;
    const last = at + end - start;
    if (last > this.#units.length) this.#units = enlarged(this.#units, new Uint16Array(Math.max(last, at * 2)));
    for (let from = start; from < end; from++) this.#units[at++] = text.charCodeAt(from);
    this.#starts[entry + 1] = at;
    this.#hashes[entry] = hash;
    this.#place(entry, hash);
    return entry;
  }

  /** Removes all entries; the memory stays allocated. */
  clear(): void {
    this.#slots.fill(emptySlot);
    this.#size = 0;
  }

  #place(entry: number, hash: number): void {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    while (this.#slots[slot] !== emptySlot) slot = (slot + 1) & mask;
    this.#slots[slot] = entry + 1;
  }

  #grow(): void {
    const entries = this.#hashes.length * 2;
    this.#hashes = enlarged(this.#hashes, new Int32Array(entries));
    this.#starts = enlarged(this.#starts, new Uint32Array(entries + 1));
    this.#slots = new Uint32Array(entries * slotsPerEntry);
    for (let entry = 0; entry < this.#size; entry++) this.#place(entry, this.#hashes[entry]!);
  }
}

function enlarged<T extends Uint16Array | Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
