import { type ByteReader, damaged } from './bytes.ts';
import type { TermPostings } from './contract.ts';
import { PostingsBuffer, PostingsCursor } from './postings.ts';
import { SkipTable } from './skip-table.ts';
import { type RowBounds, TermCounter, type TermCounts } from './term-counts.ts';

/** Postings of one piece, about. */
const PIECE = 8192;

/** The stored postings of a term in one segment. */
interface StoredPostings {
  readonly postings: ByteReader;
  readonly count: number;
  /** Of the segment. */
  readonly rows: number;
  /** Ordinal of the segment's first row. */
  readonly base: number;
  /** Absent where none was kept. */
  readonly table?: SkipTable | undefined;
  /** Whether all rows of the segment are live and make the statistics: then the counts of the table hold. */
  readonly isWhole?: boolean | undefined;
}

/**
 * The postings of a common term, kept as they are stored: a seventh of the memory of decoded ones, which for the most
 * common words would fit into no cache. Ranking needs them at a few rows, and seldom from end to end.
 */
export class SkippedPostings implements TermPostings {
  readonly term: string;
  /** Postings of live rows. */
  readonly count: number;
  readonly counts: TermCounts;
  /** Of the reader that the counts are of. */
  readonly bounds: RowBounds;
  /** What `between` has found, ascending. */
  readonly found: PostingsBuffer = new PostingsBuffer();
  readonly #parts: readonly StoredPart[];
  readonly #isLive: (ordinal: number) => boolean;
  #whole: WeakRef<TermPostings> | undefined;

  /**
   * @param stored ascending by `base`
   * @throws IbidError INDEX_DAMAGED when postings cannot be read
   */
  constructor(
    term: string,
    stored: readonly StoredPostings[],
    isLive: (ordinal: number) => boolean,
    bounds: RowBounds,
  ) {
    this.term = term;
    this.bounds = bounds;
    this.#isLive = isLive;
    let count = 0;
    const counts = new TermCounter(bounds);
    this.#parts = stored.map((one) => {
      const { base, table, isWhole } = one;
      if (table && isWhole) {
        count += one.count;
        counts.addCounts(table);
        return new StoredPart(one);
      }
      // one pass for all: the most common words have millions of postings
      return new StoredPart(one, ({ row, text, title }) => {
        if (!isLive(base + row)) return;
        count++;
        counts.add(base + row, text, title);
      });
    });
    this.count = count;
    this.counts = counts;
  }

  get sizeBytes(): number {
    return this.#parts.reduce((sum, part) => sum + part.sizeBytes, 0);
  }

  /** Finds the postings of ordinals in [from, end). Ascending calls are fast. */
  between(from: number, end: number): void {
    const { found } = this;
    found.length = 0;
    for (const part of this.#parts) {
      const { base, cursor } = part;
      if (base + part.rows <= from) continue;
      if (base >= end) break;
      for (part.seek(Math.max(0, from - base)); !cursor.isDone && base + cursor.row < end; cursor.advance())
        if (this.#isLive(base + cursor.row)) found.add(base, cursor);
    }
  }

  /**
   * All postings in pieces of whole documents, in order. A piece is valid until the next one.
   * @param documentEnd by ordinal
   */
  *pieces(documentEnd: Uint32Array): Generator<TermPostings, void, undefined> {
    const buffer = new PostingsBuffer(PIECE + 64);
    let end = 0;
    for (const { base, cursor } of this.#parts) {
      for (cursor.restart(); cursor.advance(); ) {
        const ordinal = base + cursor.row;
        if (!this.#isLive(ordinal)) continue;
        if (buffer.length >= PIECE && ordinal >= end) {
          yield postingsOf(this.term, buffer);
          buffer.length = 0;
        }
        buffer.add(base, cursor);
        end = documentEnd[ordinal]!;
      }
    }
    if (buffer.length > 0) yield postingsOf(this.term, buffer);
  }

  /** True when no live row has the term in its text or its title. */
  get isInHeadingsAlone(): boolean {
    for (const { base, cursor } of this.#parts)
      for (cursor.restart(); cursor.advance(); )
        if (cursor.text + cursor.title > 0 && this.#isLive(base + cursor.row)) return false;
    return true;
  }

  get ordinals(): Uint32Array {
    return this.#decoded().ordinals;
  }

  get text(): Uint16Array {
    return this.#decoded().text;
  }

  get title(): Uint16Array {
    return this.#decoded().title;
  }

  get headings(): Uint16Array {
    return this.#decoded().headings;
  }

  #decoded(): TermPostings {
    const known = this.#whole?.deref();
    if (known) return known;
    const buffer = new PostingsBuffer(this.count);
    for (const { base, cursor } of this.#parts)
      for (cursor.restart(); cursor.advance(); ) if (this.#isLive(base + cursor.row)) buffer.add(base, cursor);
    const whole = postingsOf(this.term, buffer);
    this.#whole = new WeakRef(whole);
    return whole;
  }
}

/** Bytes of decoded postings, each. */
const POSTING_BYTES = 10;

/** Bytes in memory. */
export function sizeOf(postings: TermPostings): number {
  return postings instanceof SkippedPostings ? postings.sizeBytes : postings.ordinals.length * POSTING_BYTES;
}

/** In how many live rows a term occurs. */
export function countOf(postings: TermPostings): number {
  return postings instanceof SkippedPostings ? postings.count : postings.ordinals.length;
}

/** Whether no live row has the term in its text or its title. */
export function isInHeadingsAlone(postings: TermPostings): boolean {
  if (postings instanceof SkippedPostings) return postings.isInHeadingsAlone;
  const { ordinals, text, title } = postings;
  return !ordinals.some((_, i) => text[i]! + title[i]! > 0);
}

/** The postings of a term, in one piece or in several of whole documents; a piece is valid until the next one. */
export function piecesOf(postings: TermPostings, documentEnd: Uint32Array): Iterable<TermPostings> {
  return postings instanceof SkippedPostings ? postings.pieces(documentEnd) : [postings];
}

/** The postings of a buffer, as views. */
function postingsOf(term: string, { rows, text, title, headings, length }: PostingsBuffer): TermPostings {
  return {
    term,
    ordinals: rows.subarray(0, length),
    text: text.subarray(0, length),
    title: title.subarray(0, length),
    headings: headings.subarray(0, length),
  };
}

/** The table of a term in a segment, made in one pass. @param bounds of the segment alone */
export function makeSkipTable(
  stored: Pick<StoredPostings, 'postings' | 'count' | 'rows'>,
  bounds: RowBounds,
): SkipTable {
  const counts = new TermCounter(bounds);
  const { table } = new StoredPart({ ...stored, base: 0 }, ({ row, text, title }) => counts.add(row, text, title));
  table.setCounts(counts);
  return table;
}

/** One segment's postings with the places where reading can begin. */
class StoredPart {
  readonly base: number;
  readonly rows: number;
  readonly cursor: PostingsCursor;
  readonly table: SkipTable;
  readonly #bytes: number;

  /** @param visit receives the cursor at each posting; absent only where there is a table */
  constructor({ postings, count, rows, base, table }: StoredPostings, visit?: (posting: PostingsCursor) => void) {
    if (count > rows) throw damaged('a term has more postings than rows');
    this.base = base;
    this.rows = rows;
    this.#bytes = postings.bytes.length;
    this.cursor = new PostingsCursor(postings, count);
    this.table = table ?? SkipTable.empty(count);
    if (!visit) return;
    for (const { cursor } = this; ; ) {
      if (!table) this.table.note(cursor);
      if (!cursor.advance()) break;
      if (cursor.row >= rows) throw damaged('a posting lies beyond the last row');
      visit(cursor);
    }
  }

  get sizeBytes(): number {
    return this.#bytes + this.table.bytes.length;
  }

  /** Moves to the first posting of `row` or a later one. */
  seek(row: number): void {
    this.table.seek(this.cursor, row);
  }
}
