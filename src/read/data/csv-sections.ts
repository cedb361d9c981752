/** Several tables in one file of separated values, each behind an empty line. */
import type { CsvRow } from './csv-rows.ts';

export interface CsvSection {
  /** Number of the row with which it begins, as spreadsheets count, and of that with its names. */
  readonly from: number;
  readonly names: number;
}

interface Candidate {
  readonly title: CsvRow | undefined;
  readonly names: CsvRow | undefined;
}

/** Takes the rows of a file, one after the other. */
export class CsvSections {
  readonly found: CsvSection[] = [];
  readonly #isHeader: (cells: readonly string[]) => boolean;
  #candidate: Candidate | undefined;
  #last = 0;
  #width = 0;

  /** @param isHeader whether cells can be names of columns */
  constructor(isHeader: (cells: readonly string[]) => boolean) {
    this.#isHeader = isHeader;
  }

  add(row: CsvRow): void {
    const cells = filledStart(row.cells);
    const isApart = this.#last > 0 && row.number > this.#last + 1;
    if (cells.length > 0) this.#last = row.number;
    else return;
    const before = isApart ? undefined : this.#candidate;
    this.#candidate = undefined;
    if (before?.names) {
      const names = filledStart(before.names.cells);
      // Rows of another width say that the names are those of another table.
      if (cells.length > 1 && cells.length <= names.length) {
        this.found.push({ from: (before.title ?? before.names).number, names: before.names.number });
        this.#width = names.length;
      }
      return;
    }
    if (this.#width === 0 || (!isApart && !before)) {
      this.#width = Math.max(this.#width, this.found.length === 0 ? cells.length : 0);
      return;
    }
    if (cells.length === 1 && isApart) this.#candidate = { title: row, names: undefined };
    else if (cells.length > 1 && cells.length !== this.#width && this.#isHeader(cells))
      this.#candidate = { title: before?.title, names: row };
  }
}

/** Cells without the empty ones at the end; none where another is empty, but for the first. */
function filledStart(cells: readonly string[]): string[] {
  let end = cells.length;
  while (end > 0 && cells[end - 1]!.trim() === '') end--;
  return cells.slice(0, end).map((cell) => cell.trim());
}
