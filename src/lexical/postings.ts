import { type ByteReader, type ByteWriter, damaged } from './bytes.ts';

/** Greater frequencies are stored as this value. */
export const MAX_FREQUENCY = 0xffff;

/**
 * A posting is a LEB128 integer `gap << 2 | shape`; gap = rows skipped since the last posting. Shapes: 0 = once in the
 * text; 1 = same frequencies as the previous posting (title words repeat on every row of a document); 2 = a text
 * frequency follows; 3 = text, title and heading frequencies follow. Most postings take one byte.
 */
export class PostingsEncoder {
  readonly #out: ByteWriter;
  #next = 0;
  #text = 0;
  #title = 0;
  #headings = 0;

  constructor(out: ByteWriter) {
    this.#out = out;
  }

  /** Begins the postings of another term. */
  start(): void {
    this.#next = this.#text = this.#title = this.#headings = 0;
  }

  /** @param row greater than the previous row */
  add(row: number, text: number, title: number, headings: number): void {
    const bare = title === 0 && headings === 0;
    const same = text === this.#text && title === this.#title && headings === this.#headings;
    const shape = bare && text === 1 ? 0 : same ? 1 : bare ? 2 : 3;
    const gap = row - this.#next;
    // Rows of one segment stay far below 2^30, so gap and shape fit into 32 bits.
    this.#out.varint(gap * 4 + shape);
    if (shape >= 2) this.#out.varint(text);
    if (shape === 3) {
      this.#out.varint(title);
      this.#out.varint(headings);
    }
    this.#next = row + 1;
    this.#text = text;
    this.#title = title;
    this.#headings = headings;
  }
}

/** Receives decoded postings. The arrays are parallel and grow together. */
export class PostingsBuffer {
  rows: Uint32Array;
  text: Uint16Array;
  title: Uint16Array;
  headings: Uint16Array;
  length = 0;

  /** @param capacity number of postings that fit before the arrays grow */
  constructor(capacity = 64) {
    this.rows = new Uint32Array(capacity);
    this.text = new Uint16Array(capacity);
    this.title = new Uint16Array(capacity);
    this.headings = new Uint16Array(capacity);
  }

  /** Adds the posting at which a cursor stands. */
  add(base: number, { row, text, title, headings }: PostingsCursor): void {
    const at = this.length++;
    if (at === this.rows.length) this.reserve(at + 1);
    this.rows[at] = base + row;
    this.text[at] = text;
    this.title[at] = title;
    this.headings[at] = headings;
  }

  reserve(count: number): void {
    if (count <= this.rows.length) return;
    const size = Math.max(count, this.rows.length * 2);
    this.rows = grown(this.rows, new Uint32Array(size));
    this.text = grown(this.text, new Uint16Array(size));
    this.title = grown(this.title, new Uint16Array(size));
    this.headings = grown(this.headings, new Uint16Array(size));
  }
}

function grown<T extends Uint32Array | Uint16Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/**
 * Appends `count` postings to `into` and adds `base` to their rows.
 * @param live whether to keep a row of the segment; absent: all are kept
 * @throws IbidError INDEX_DAMAGED when a row is not below `rows`
 */
export function decodePostings(
  input: ByteReader,
  count: number,
  rows: number,
  base: number,
  into: PostingsBuffer,
  live?: ((row: number) => boolean) | undefined,
): void {
  if (count > rows) throw damaged('a term has more postings than rows');
  into.reserve(into.length + count);
  let next = 0;
  let text = 0;
  let title = 0;
  let headings = 0;
  let at = into.length;
  for (let i = 0; i < count; i++) {
    const head = input.varint();
    const row = next + (head >>> 2);
    const shape = head & 3;
    if (shape === 0) {
      text = 1;
      title = headings = 0;
    } else if (shape >= 2) {
      text = input.varint();
      title = shape === 3 ? input.varint() : 0;
      headings = shape === 3 ? input.varint() : 0;
    }
    if (row >= rows) throw damaged('a posting lies beyond the last row');
    next = row + 1;
    if (live !== undefined && !live(row)) continue;
    into.rows[at] = base + row;
    into.text[at] = text;
    into.title[at] = title;
    into.headings[at] = headings;
    at++;
  }
  into.length = at;
}

/** Goes through stored postings one by one, from any place whose state is known. */
export class PostingsCursor {
  /** The posting at which the cursor stands, after `advance`. */
  row = -1;
  text = 0;
  title = 0;
  headings = 0;
  /** Row of the posting before. */
  before = -1;
  /** Postings up to here, this one included. */
  index = 0;
  /** True when there is no posting any more; `row` is then beyond all. */
  isDone = false;
  readonly #input: ByteReader;
  readonly #count: number;

  constructor(input: ByteReader, count: number) {
    this.#input = input;
    this.#count = count;
  }

  /** The byte of the next posting. */
  get offset(): number {
    return this.#input.position;
  }

  /** Stands before the first posting, or behind a posting with this state. */
  restart(index = 0, offset = 0, row = -1, text = 0, title = 0, headings = 0): void {
    this.#input.position = offset;
    this.index = index;
    this.row = this.before = row;
    this.text = text;
    this.title = title;
    this.headings = headings;
    this.isDone = false;
  }

  /** @returns false at the end */
  advance(): boolean {
    this.before = this.row;
    if (this.index === this.#count) {
      this.isDone = true;
      this.row = Number.MAX_SAFE_INTEGER;
      return false;
    }
    this.index++;
    const input = this.#input;
    const head = input.varint();
    const shape = head & 3;
    this.row += 1 + (head >>> 2);
    if (shape === 0) {
      this.text = 1;
      this.title = this.headings = 0;
    } else if (shape >= 2) {
      this.text = input.varint();
      this.title = shape === 3 ? input.varint() : 0;
      this.headings = shape === 3 ? input.varint() : 0;
    }
    return true;
  }
  /** Goes on to the first posting of `wanted` or a later row, in a third of the time that `advance` takes for each. */
  advanceTo(wanted: number): void {
    const input = this.#input;
    const { bytes } = input;
    while (this.row < wanted) {
      let { row, before, index, text, title, headings } = this;
      let at = input.position;
      while (row < wanted && index < this.#count) {
        const head = bytes[at]!;
        const shape = head & 3;
        const next = bytes[at + 1]!;
        if (!(head < 0x80) || shape === 3 || (shape === 2 && !(next < 0x80))) break; // longer ones are rare
        if (shape !== 1) {
          text = shape === 2 ? next : 1;
          title = headings = 0;
        }
        at += shape === 2 ? 2 : 1;
        before = row;
        row += 1 + (head >>> 2);
        index++;
      }
      input.position = at;
      this.row = row;
      this.before = before;
      this.index = index;
      this.text = text;
      this.title = title;
      this.headings = headings;
      if (row < wanted) this.advance();
    }
  }
}
