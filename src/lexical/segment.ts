import { BlockWriter } from './blocks.ts';
import type { LexicalDocument, NumberedRow, SegmentData } from './contract.ts';
import { encodeHeader } from './header.ts';
import { MAX_FREQUENCY } from './postings.ts';

/** Builds an immutable inverted index over the rows of the given documents. See `SegmentBuilder`. */
export function buildSegment(documents: Iterable<LexicalDocument>): SegmentData {
  const builder = new SegmentBuilder();
  const numbers = new Map<string, number>();
  const numberOf = (term: string): number => {
    const known = numbers.get(term);
    if (known !== undefined) return known;
    numbers.set(term, numbers.size);
    return numbers.size - 1;
  };
  for (const document of documents) {
    const rows = document.map(({ text, title, headings }) => ({
      text: Uint32Array.from(text, numberOf),
      title: Uint32Array.from(title, numberOf),
      headings: Uint32Array.from(headings, numberOf),
    }));
    builder.add(rows);
  }
  return builder.finish([...numbers.keys()]);
}

/**
 * Builds an immutable inverted index over rows of numbered terms. Memory grows with the postings (14 bytes each), so a
 * large corpus needs several segments.
 */
export class SegmentBuilder {
  /** For each term: row of its latest posting (from 1; 0 = none), index of that posting, number of postings. */
  #lastRow = new Uint32Array(4096);
  #lastPosting = new Uint32Array(4096);
  #counts = new Uint32Array(4096);
  /** For each posting, in row order. */
  #postingTerm = new Uint32Array(4096);
  #postingRow = new Uint32Array(4096);
  #text = new Uint16Array(4096);
  #title = new Uint16Array(4096);
  #headings = new Uint16Array(4096);
  #postings = 0;
  readonly #documentRows: number[] = [];
  readonly #textLengths: number[] = [];
  readonly #titleLengths: number[] = [];
  readonly #headingLengths: number[] = [];

  /** Adds the rows of one document. A row may be overwritten when the next row is requested. */
  add(rows: Iterable<NumberedRow>): void {
    const first = this.#textLengths.length;
    for (const { text, title, headings } of rows) {
      const row = this.#textLengths.length + 1;
      // #posting may replace the frequency array, so the array is read after the call.
      for (const term of text) {
        const posting = this.#posting(term, row);
        count(this.#text, posting);
      }
      for (const term of title) {
        const posting = this.#posting(term, row);
        count(this.#title, posting);
      }
      for (const term of headings) {
        const posting = this.#posting(term, row);
        count(this.#headings, posting);
      }
      this.#textLengths.push(text.length);
      this.#titleLengths.push(title.length);
      this.#headingLengths.push(headings.length);
    }
    this.#documentRows.push(this.#textLengths.length - first);
  }

  /** The index of the posting of `term` in the current row. */
  #posting(term: number, row: number): number {
    if (this.#lastRow[term] === row) return this.#lastPosting[term]!;
    if (term >= this.#counts.length) this.#growTerms(term);
    const posting = this.#postings++;
    if (posting === this.#postingTerm.length) this.#growPostings();
    this.#postingTerm[posting] = term;
    this.#postingRow[posting] = row - 1;
    this.#lastRow[term] = row;
    this.#lastPosting[term] = posting;
    this.#counts[term]!++;
    return posting;
  }

  #growTerms(term: number): void {
    const size = Math.max(term + 1, this.#counts.length * 2);
    this.#lastRow = larger(this.#lastRow, new Uint32Array(size));
    this.#lastPosting = larger(this.#lastPosting, new Uint32Array(size));
    this.#counts = larger(this.#counts, new Uint32Array(size));
  }

  #growPostings(): void {
    const size = this.#postingTerm.length * 2;
    this.#postingTerm = larger(this.#postingTerm, new Uint32Array(size));
    this.#postingRow = larger(this.#postingRow, new Uint32Array(size));
    this.#text = larger(this.#text, new Uint16Array(size));
    this.#title = larger(this.#title, new Uint16Array(size));
    this.#headings = larger(this.#headings, new Uint16Array(size));
  }

  /** @param terms each once, at the index that is its number; a term without postings is left out */
  finish(terms: readonly string[]): SegmentData {
    const writer = new BlockWriter();
    const { postings, ends } = this.#postingsByTerm(terms.length);
    const held = Uint32Array.from(terms.keys())
      .filter((number) => this.#counts[number]! > 0)
      .sort((a, b) => (terms[a]! < terms[b]! ? -1 : 1));
    for (const number of held) {
      const end = ends[number]!;
      writer.startTerm();
      for (let i = end - this.#counts[number]!; i < end; i++) {
        const posting = postings[i]!;
        writer.add(this.#postingRow[posting]!, this.#text[posting]!, this.#title[posting]!, this.#headings[posting]!);
      }
      writer.endTerm(terms[number]!);
    }
    writer.finish();
    const header = encodeHeader({
      documentRows: Uint32Array.from(this.#documentRows),
      textLengths: Uint32Array.from(this.#textLengths),
      titleLengths: Uint32Array.from(this.#titleLengths),
      headingLengths: Uint32Array.from(this.#headingLengths),
      directory: writer.directory,
    });
    return { header, blocks: writer.blocks };
  }

  /** Counting sort: postings grouped by term, rows ascending; `ends[term]` is one past the term's last posting. */
  #postingsByTerm(terms: number): { postings: Uint32Array; ends: Uint32Array } {
    if (terms > this.#counts.length) this.#growTerms(terms - 1);
    const ends = new Uint32Array(terms);
    for (let term = 0, total = 0; term < terms; term++) {
      ends[term] = total;
      total += this.#counts[term]!;
    }
    const postings = new Uint32Array(this.#postings);
    for (let posting = 0; posting < postings.length; posting++) {
      postings[ends[this.#postingTerm[posting]!]!++] = posting;
    }
    return { postings, ends };
  }
}

function count(frequencies: Uint16Array, posting: number): void {
  if (frequencies[posting]! < MAX_FREQUENCY) frequencies[posting]!++;
}

function larger<T extends Uint16Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
