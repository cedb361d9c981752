import { BlockWriter } from './blocks.ts';
import type { LexicalDocument, SegmentData } from './contract.ts';
import { encodeHeader } from './header.ts';
import { MAX_FREQUENCY } from './postings.ts';

const TEXT = 0;
const TITLE = 1;
const HEADINGS = 2;
type Field = typeof TEXT | typeof TITLE | typeof HEADINGS;

/**
 * Builds an immutable inverted index over the rows of the given documents. Memory grows with the postings (about 16 bytes each),
 * so a large corpus is built as several segments.
 */
export function buildSegment(documents: Iterable<LexicalDocument>): SegmentData {
  const builder = new SegmentBuilder();
  for (const document of documents) builder.add(document);
  return builder.finish();
}

class SegmentBuilder {
  readonly #terms = new Map<string, number>();
  /** Per term: the row and the index of its latest posting, and how many it has. */
  readonly #lastRow = new NumberList();
  readonly #lastPosting = new NumberList();
  readonly #counts = new NumberList();
  /** Per posting, in row order. */
  readonly #postingTerm = new NumberList();
  readonly #postingRow = new NumberList();
  readonly #frequencies = [new NumberList(), new NumberList(), new NumberList()] as const;
  readonly #documentRows: number[] = [];
  readonly #lengths = [new NumberList(), new NumberList(), new NumberList()] as const;

  add(document: LexicalDocument): void {
    this.#documentRows.push(document.length);
    for (const { text, title, headings } of document) {
      const row = this.#lengths[TEXT].length;
      this.#count(row, text, TEXT);
      this.#count(row, title, TITLE);
      this.#count(row, headings, HEADINGS);
      this.#lengths[TEXT].push(text.length);
      this.#lengths[TITLE].push(title.length);
      this.#lengths[HEADINGS].push(headings.length);
    }
  }

  #count(row: number, tokens: readonly string[], field: Field): void {
    for (const token of tokens) {
      let term = this.#terms.get(token);
      if (term === undefined) {
        term = this.#terms.size;
        this.#terms.set(token, term);
        this.#lastRow.push(0);
        this.#lastPosting.push(0);
        this.#counts.push(0);
      }
      if (this.#lastRow.values[term] !== row + 1) {
        this.#lastRow.values[term] = row + 1; // 0 means never seen
        this.#lastPosting.values[term] = this.#postingTerm.length;
        this.#counts.values[term]!++;
        this.#postingTerm.push(term);
        this.#postingRow.push(row);
        for (const frequencies of this.#frequencies) frequencies.push(0);
      }
      const posting = this.#lastPosting.values[term]!;
      const frequencies = this.#frequencies[field].values;
      if (frequencies[posting]! < MAX_FREQUENCY) frequencies[posting]!++;
    }
  }

  finish(): SegmentData {
    const writer = new BlockWriter();
    const order = this.#postingsByTerm();
    const [text, title, headings] = this.#frequencies;
    for (const term of [...this.#terms.keys()].sort()) {
      const id = this.#terms.get(term)!;
      const end = order.ends[id]!;
      writer.startTerm();
      for (let i = end - this.#counts.values[id]!; i < end; i++) {
        const posting = order.postings[i]!;
        writer.add(
          this.#postingRow.values[posting]!,
          text.values[posting]!,
          title.values[posting]!,
          headings.values[posting]!,
        );
      }
      writer.endTerm(term);
    }
    writer.finish();
    const header = encodeHeader({
      documentRows: Uint32Array.from(this.#documentRows),
      textLengths: this.#lengths[TEXT].view(),
      titleLengths: this.#lengths[TITLE].view(),
      headingLengths: this.#lengths[HEADINGS].view(),
      directory: writer.directory,
    });
    return { header, blocks: writer.blocks };
  }

  /** Counting sort: postings grouped by term, rows still ascending; `ends[term]` is one past its last. */
  #postingsByTerm(): { postings: Uint32Array; ends: Uint32Array } {
    const ends = new Uint32Array(this.#terms.size);
    let total = 0;
    for (let term = 0; term < ends.length; term++) {
      ends[term] = total;
      total += this.#counts.values[term]!;
    }
    const postings = new Uint32Array(total);
    for (let posting = 0; posting < total; posting++) postings[ends[this.#postingTerm.values[posting]!]!++] = posting;
    return { postings, ends };
  }
}

/** A growing list of 32-bit integers. */
class NumberList {
  values: Uint32Array = new Uint32Array(256);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Uint32Array(this.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }

  view(): Uint32Array {
    return this.values.subarray(0, this.length);
  }
}
