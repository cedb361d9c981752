/** Beyond these a cell is read, but no longer repeated: none is a label. */
const MAX_ROWS = 1000;
const MAX_COLUMNS = 1000;
const MAX_LABEL = 200;

/**
 * The cells of a table that reach over several rows. Their text is a label of each of these rows, and is written in
 * each: alone, a later row would not say what it is about.
 */
export class SpannedCells {
  readonly #labels = new Map<number, { readonly text: string; left: number }>();

  /** A cell of the current row begins in a column. @param rows the rows that it reaches over, this one included */
  begin(column: number, text: string, rows: number): void {
    if (rows > 1 && column < MAX_COLUMNS)
      this.#labels.set(column, { text: text.length > MAX_LABEL ? '' : text, left: Math.min(rows, MAX_ROWS) });
    else this.#labels.delete(column);
  }

  /** Whether a cell of this row or of one above takes the column. */
  covers(column: number): boolean {
    return this.#labels.has(column);
  }

  /** Adds the labels from above to a row, if it says something of its own. */
  endRow(cells: string[]): void {
    const isEmpty = cells.every((cell) => cell === '');
    for (const [column, label] of this.#labels) {
      if (!isEmpty && label.text !== '') {
        while (cells.length <= column) cells.push('');
        if (cells[column] === '') cells[column] = label.text;
      }
      if (--label.left === 0) this.#labels.delete(column);
    }
  }

  /** No cell reaches further. */
  clear(): void {
    this.#labels.clear();
  }
}
