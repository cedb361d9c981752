import type { PostingsCursor } from './postings.ts';
import type { TermCounts } from './term-counts.ts';

/** A term with at least so many postings is not decoded as a whole. */
export const COMMON_FROM = 8192;
/** From so many postings in a segment on, the term's table is kept with the copies: it may be common in all of them. */
export const KEPT_FROM = 1024;

/** Postings between two places where reading can begin. */
const SKIP = 128;
/** Numbers before the places: postings, and the three counts. */
const NUMBERS = 4;
/** Of a place: row, byte, and three frequencies. */
const PLACE_BYTES = 14;

/**
 * Where reading of a term's postings in one segment can begin, and how often the term occurs while all rows of the
 * segment are live. All of it is one run of bytes, in memory as in a file.
 */
export class SkipTable implements TermCounts {
  readonly bytes: Uint8Array;
  readonly #numbers: Uint32Array;
  /** For each place: the least row that may come, the byte, and what the posting before said. */
  readonly #rows: Uint32Array;
  readonly #offsets: Uint32Array;
  readonly #before: Uint16Array;

  private constructor(bytes: Uint8Array<ArrayBuffer>, places: number) {
    const { buffer, byteOffset } = bytes;
    const at = byteOffset + 4 * NUMBERS;
    this.bytes = bytes;
    this.#numbers = new Uint32Array(buffer, byteOffset, NUMBERS);
    this.#rows = new Uint32Array(buffer, at, places);
    this.#offsets = new Uint32Array(buffer, at + 4 * places, places);
    this.#before = new Uint16Array(buffer, at + 8 * places, 3 * places);
  }

  /** A table without places, for so many postings. */
  static empty(count: number): SkipTable {
    const table = new SkipTable(new Uint8Array(tableBytes(count)), placesOf(count));
    table.#numbers[0] = count;
    return table;
  }

  /** The table that these are the bytes of; undefined where it is of another number of postings. */
  static of(bytes: Uint8Array<ArrayBuffer>, count: number): SkipTable | undefined {
    if (bytes.length !== tableBytes(count)) return undefined;
    const table = new SkipTable(bytes, placesOf(count));
    return table.#numbers[0] === count ? table : undefined;
  }

  get containing(): number {
    return this.#numbers[1]!;
  }

  get anywhere(): number {
    return this.#numbers[2]!;
  }

  get windows(): number {
    return this.#numbers[3]!;
  }

  setCounts({ containing, anywhere, windows }: TermCounts): void {
    this.#numbers.set([containing, anywhere, windows], 1);
  }

  /** Notes the place at which a cursor stands, if it is one: before the first posting, or behind one. */
  note(cursor: PostingsCursor): void {
    if (cursor.index % SKIP !== 0) return;
    const place = cursor.index / SKIP;
    if (place === this.#rows.length) return; // behind the last posting
    this.#rows[place] = cursor.row + 1;
    this.#offsets[place] = cursor.offset;
    this.#before.set([cursor.text, cursor.title, cursor.headings], 3 * place);
  }

  /** Moves a cursor to the first posting of `row` or a later one. */
  seek(cursor: PostingsCursor, row: number): void {
    const place = Math.max(0, this.#placeOf(row));
    // where the cursor stands between the place and the row, it goes on from there
    if (row <= cursor.before || (cursor.row < row && cursor.index <= place * SKIP)) {
      const before = this.#before;
      const [text, title, headings] = [before[3 * place], before[3 * place + 1], before[3 * place + 2]];
      cursor.restart(place * SKIP, this.#offsets[place], this.#rows[place]! - 1, text, title, headings);
      cursor.advance();
    }
    cursor.advanceTo(row);
  }

  /** The last place whose postings before are all below `row`. */
  #placeOf(row: number): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#rows[middle]! <= row) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** Bytes of the table of so many postings. */
export function tableBytes(count: number): number {
  return 4 * NUMBERS + PLACE_BYTES * placesOf(count);
}

function placesOf(count: number): number {
  return Math.ceil(count / SKIP);
}
