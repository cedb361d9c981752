/** How many chunks on each side of a chunk belong to its window. */
export const WINDOW = 3;

/** In how many rows that make the statistics a term occurs: in text or title, anywhere, in the window. */
export interface TermCounts {
  readonly containing: number;
  readonly anywhere: number;
  readonly windows: number;
}

/** What a `LexicalReader` knows of its rows, by ordinal. */
export interface RowBounds {
  readonly documentFirst: Uint32Array;
  readonly documentEnd: Uint32Array;
  /** Rows below this make the statistics: whole documents. */
  readonly counted: number;
}

/** Counts the rows of one term. */
export class TermCounter implements TermCounts {
  containing = 0;
  anywhere = 0;
  windows = 0;
  readonly #documentFirst: Uint32Array;
  readonly #documentEnd: Uint32Array;
  readonly #counted: number;
  /** Of the document of the last posting. */
  #end = 0;
  #isTitled = false;
  /** Windows up to this row are counted. */
  #covered = 0;

  constructor({ documentFirst, documentEnd, counted }: RowBounds) {
    this.#documentFirst = documentFirst;
    this.#documentEnd = documentEnd;
    this.#counted = counted;
  }

  /** Adds the counts of a segment whose rows are all live and make the statistics: it has whole documents. */
  addCounts({ containing, anywhere, windows }: TermCounts): void {
    this.containing += containing;
    this.anywhere += anywhere;
    this.windows += windows;
  }

  /** @param ordinal of a live row, greater than the one before */
  add(ordinal: number, text: number, title: number): void {
    if (ordinal >= this.#counted) return;
    if (ordinal >= this.#end) {
      this.#end = this.#documentEnd[ordinal]!;
      this.#covered = this.#documentFirst[ordinal]!;
      this.#isTitled = title > 0; // then on every row of the document
    }
    this.anywhere++;
    if (text + title > 0) this.containing++;
    if (text === 0 && !this.#isTitled) return;
    const from = Math.max(this.#covered, ordinal - WINDOW);
    this.#covered = Math.min(this.#end, ordinal + WINDOW + 1);
    this.windows += Math.max(0, this.#covered - from);
  }
}
