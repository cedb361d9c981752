import { SpannedCells } from '../data/spanned-cells.ts';

/** Word's last column. */
const MAX_COLUMNS = 63;

/** A table of Word while it is read. Its cells name the columns that they reach over, and its rows those they leave out. */
export class DocxTable {
  readonly rows: string[][] = [];
  /** By row: the cells that reach over several columns. */
  readonly wide: Map<number, number>[] = [];
  readonly notes: string[] = [];
  /** Page of the first text of each row that has text. */
  readonly rowPages: (number | undefined)[] = [];
  readonly page: number;
  /** Paragraphs that are open around it: it stands in a box of the innermost. */
  readonly boxed: number;
  headerRows = 0;
  readonly #spanned = new SpannedCells();
  /** How the current cell is merged with those below or above. */
  #merge: 'none' | 'restart' | 'continue' = 'none';
  #columns = 1;
  #before = 0;
  #after = 0;

  constructor(page: number, boxed: number) {
    this.page = page;
    this.boxed = boxed;
  }

  /** The cells of the current row; undefined before the first cell. */
  get cells(): string[] | undefined {
    const row = this.rows.at(-1);
    return row && row.length > 0 ? row : undefined;
  }

  /** Takes what the file says about the table, its rows or its cells. */
  open(name: string, value: string | undefined): void {
    const row = this.rows.at(-1);
    if (name === 'tr') {
      this.rows.push([]);
      this.wide.push(new Map());
    } else if (name === 'tblHeader') {
      if (this.headerRows === this.rows.length - 1) this.headerRows++;
    } else if (name === 'gridBefore') this.#before = columnsIn(value, 0);
    else if (name === 'gridAfter') this.#after = columnsIn(value, 0);
    else if (name === 'vMerge') this.#merge = value === 'restart' ? 'restart' : 'continue';
    else if (name === 'gridSpan') this.#columns = columnsIn(value, 1);
    else if (name === 'tc' && row) {
      this.#leaveOut(row, this.#before);
      this.#before = 0;
      row.push('');
      this.#merge = 'none';
      this.#columns = 1;
    }
  }

  /** Adds to the current cell. */
  write(text: string, page: number): void {
    const { cells } = this;
    if (cells && text !== '') this.rowPages[this.rows.length - 1] ??= page;
    if (cells) cells[cells.length - 1] = `${cells.at(-1)!} ${text}`.trim();
  }

  endCell(): void {
    const { cells } = this;
    if (!cells) return;
    const text = cells.at(-1)!;
    if (this.#columns > 1) this.wide.at(-1)?.set(cells.length - 1, cells.length + this.#columns - 2);
    for (let i = 0; i < this.#columns; i++) {
      if (i > 0) cells.push('');
      if (this.#merge === 'continue') continue;
      const rows = this.#merge === 'restart' ? Number.POSITIVE_INFINITY : 1;
      this.#spanned.begin(cells.length - 1, i === 0 ? text : '', rows);
    }
  }

  endRow(): void {
    const row = this.rows.at(-1);
    if (!row) return;
    this.#leaveOut(row, this.#after);
    this.#before = 0;
    this.#after = 0;
    this.#spanned.endRow(row);
  }

  /** Columns without a cell stay empty: no cell from above reaches into them. */
  #leaveOut(row: string[], columns: number): void {
    for (let i = 0; i < columns; i++) {
      this.#spanned.begin(row.length, '', 1);
      row.push('');
    }
  }
}

function columnsIn(value: string | undefined, otherwise: number): number {
  return Math.min(MAX_COLUMNS, Math.max(0, Number(value ?? otherwise) || otherwise));
}
