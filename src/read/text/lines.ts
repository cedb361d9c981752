import type { Span } from '../../core/types.ts';

/** The start of each line of an LF text; lines count from 0. */
export class LineIndex {
  readonly starts: readonly number[];
  readonly #length: number;

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.starts = starts;
    this.#length = text.length;
  }

  /** Lines `[first, end)` with their line feeds; lines after the last are empty. */
  span(first: number, end: number): Span {
    return { start: this.starts[first] ?? this.#length, end: this.starts[end] ?? this.#length };
  }

  /** The line of `offset`, from 0. */
  lineOf(offset: number): number {
    let low = 0;
    let high = this.starts.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low;
  }
}
