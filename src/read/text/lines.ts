import type { Span } from '../../core/types.ts';

/** Where each line of an LF text starts; lines count from 0 here. */
export class LineIndex {
  readonly starts: readonly number[];
  readonly #length: number;

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.starts = starts;
    this.#length = text.length;
  }

  /** Lines `[first, end)` with their line feeds; a line past the last is empty. */
  span(first: number, end: number): Span {
    return { start: this.starts[first] ?? this.#length, end: this.starts[end] ?? this.#length };
  }

  /** The line that `offset` is on, from 0. */
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
