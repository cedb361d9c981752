import type { NumberedRow } from './contract.ts';

/**
 * The rows of one document in one array of numbers, stored until their segment is built. For each row: number of terms
 * of title, headings and text, then these terms.
 */
export type PackedTerms = Uint32Array;

const COUNTS = 3;

/** Packs documents one after the other, in one buffer that is used again. */
export class RowPacker {
  #out = new Uint32Array(4096);
  #length = 0;

  /** @param rows a row may be overwritten when the next row is requested */
  pack(rows: Iterable<NumberedRow>): PackedTerms {
    this.#length = 0;
    for (const { title, headings, text } of rows) {
      this.#reserve(COUNTS + title.length + headings.length + text.length);
      this.#out[this.#length++] = title.length;
      this.#out[this.#length++] = headings.length;
      this.#out[this.#length++] = text.length;
      this.#append(title);
      this.#append(headings);
      this.#append(text);
    }
    return this.#out.slice(0, this.#length);
  }

  #append(terms: Uint32Array): void {
    this.#out.set(terms, this.#length);
    this.#length += terms.length;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#out.length) return;
    const larger = new Uint32Array(Math.max(this.#length + more, this.#out.length * 2));
    larger.set(this.#out.subarray(0, this.#length));
    this.#out = larger;
  }
}

/** The packed rows, as views. */
export function* unpackRows(packed: PackedTerms): Generator<NumberedRow, void, undefined> {
  for (let at = 0; at < packed.length; ) {
    const title = at + COUNTS;
    const headings = title + packed[at]!;
    const text = headings + packed[at + 1]!;
    const end = text + packed[at + 2]!;
    yield {
      title: packed.subarray(title, headings),
      headings: packed.subarray(headings, text),
      text: packed.subarray(text, end),
    };
    at = end;
  }
}

/** Replaces every term number of packed rows. */
export function renumberRows(packed: PackedTerms, numberOf: (term: number) => number): PackedTerms {
  const out = packed.slice();
  for (const { title, headings, text } of unpackRows(out)) {
    for (const terms of [title, headings, text]) for (let i = 0; i < terms.length; i++) terms[i] = numberOf(terms[i]!);
  }
  return out;
}
