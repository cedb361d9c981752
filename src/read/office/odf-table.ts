import { SpannedCells } from '../data/spanned-cells.ts';
import { type Attributes, attribute } from '../markup/xml.ts';

const MAX_REPEATED = 100;

/** A table in a text or on a slide of OpenDocument, row by row. */
export class OdfTable {
  readonly rows: string[][] = [];
  /** By row: the cells that reach over several columns. */
  readonly wide: Map<number, number>[] = [];
  /** Rows that the file marks as header. */
  header = 0;
  readonly #spanned = new SpannedCells();
  #inHeader = false;
  /** Rows that the current cell reaches over, and columns that have its text. */
  #cellRows = 1;
  #repeat = 1;

  /** Takes each element of the table. */
  open(name: string, attributes: Attributes): void {
    if (name === 'table-header-rows') this.#inHeader = true;
    else if (name === 'table-row') {
      this.rows.push([]);
      this.wide.push(new Map());
      if (this.#inHeader) this.header = this.rows.length;
    } else if (name === 'table-cell' || name === 'covered-table-cell') {
      const row = this.rows.at(-1);
      row?.push('');
      const columns = Number(attribute(attributes, 'number-columns-spanned') ?? 1);
      if (row && columns > 1) this.wide.at(-1)?.set(row.length - 1, row.length + columns - 2);
      this.#repeat = Math.min(MAX_REPEATED, Number(attribute(attributes, 'number-columns-repeated') ?? 1) || 1);
      this.#cellRows = Number(attribute(attributes, 'number-rows-spanned') ?? 1);
    }
  }

  close(name: string): void {
    const row = this.rows.at(-1) ?? [];
    if (name === 'table-header-rows') this.#inHeader = false;
    else if (name === 'table-row') this.#spanned.endRow(row);
    else if (name === 'table-cell' || name === 'covered-table-cell') {
      if (name === 'table-cell') this.#spanned.begin(row.length - 1, row.at(-1) ?? '', this.#cellRows);
      for (let i = 1; i < this.#repeat; i++) row.push(row.at(-1) ?? '');
    }
  }

  /** Adds paragraphs to the cell that is open. @returns whether there is one */
  add(...texts: readonly string[]): boolean {
    const row = this.rows.at(-1);
    if (!row || row.length === 0) return false;
    row[row.length - 1] = [row.at(-1)!, ...texts].filter((part) => part !== '').join(' ');
    return true;
  }
}
