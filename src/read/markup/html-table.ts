import type { Span } from '../../core/types.ts';
import { SpannedCells } from '../data/spanned-cells.ts';
import { joinCells } from '../join-cells.ts';
import { FIGURE, YEAR } from '../office/wide-cells.ts';
import { cellsOf, columnsOf, HtmlHeads } from './html-heads.ts';
import { wordsIn } from './html-main.ts';
import { type HtmlElement, walk } from './html-tree.ts';

/** `colspan="100"` stands for all columns; no table has so many that are worth a blank each. */
const MAX_SPAN = 100;
/** Of a table with names over columns: those, names of columns, and a row. */
const FEWEST_ROWS = 3;
/** Two columns may be labels and what they label. */
const FEWEST_NAMES = 3;
const LONGEST_NAME = 60;
/** Cells beyond reach over their own column alone. */
const MAX_COLUMNS = 1000;

/** Ends a label by itself. */
const ENDED = /[\p{P}\p{S}]$/u;

/** A table while it is written, row by row. */
export class HtmlTable {
  readonly layout: boolean;
  /** Of a table in a cell of another: the text of that cell before it. */
  readonly before: string | undefined;
  /** Of a table in a cell: its rows. */
  readonly inner: string[] = [];
  header: Span | undefined;
  headerOpen = false;
  /** Rows that were written. */
  rows = 0;
  readonly #spanned = new SpannedCells();
  #cells: string[] = [];
  #own = 0;
  #filled = 0;
  #headCells = 0;
  /** Head cells of this row that say of themselves that they name a row. */
  #rowHeads = 0;
  /** Columns of head cells of this row alone, and of its other cells. */
  readonly #labels = new Set<number>();
  readonly #values = new Set<number>();
  #hasHeader = false;
  /** Column and reach of the cells of this row that reach over several columns. */
  #wide: { readonly from: number; readonly columns: number }[] = [];
  /** Columns that a name of the header takes in the lines below it. */
  readonly #named = new Set<number>();
  /** Whether names over several columns or lines promise another line of names. */
  #hasMoreNames = false;
  readonly #bands: number;
  readonly #heads: HtmlHeads | undefined;
  /** Whether each row so far was a title: one cell. */
  #isTitled = true;
  /** The column of the next cell, as far as cells reach over columns; cells from above may take it. */
  #column = 0;

  /**
   * @param before set for a table in a cell of a table that is none of layout
   * @param isBox whether the table only draws a box around text
   */
  constructor(node: HtmlElement, before: string | undefined, isBox = false) {
    this.before = before;
    this.layout = before === undefined && (isBox || isLayoutTable(node));
    this.#bands = this.layout ? 0 : bandsOf(node);
    this.#heads = this.layout ? undefined : new HtmlHeads(node);
  }

  /** Adds a cell, or text that stands between cells. */
  add(text: string, node?: HtmlElement): void {
    while (this.#spanned.covers(this.#column)) this.#column++;
    while (this.#cells.length < this.#column) this.#cells.push('');
    this.#cells.push(text);
    this.#own++;
    if (text !== '') this.#filled++;
    const rowspan = Number.parseInt(node?.attributes.rowspan ?? '1', 10);
    if (!this.#heads?.isHead(node)) this.#values.add(this.#column);
    else if (text !== '') {
      this.#headCells++;
      if (this.#heads.namesRow(node)) this.#rowHeads++;
      if (rowspan === 1) this.#labels.add(this.#column);
    }
    const colspan = this.#column < MAX_COLUMNS ? Number.parseInt(node?.attributes.colspan ?? '1', 10) : 1;
    const columns = Math.min(MAX_SPAN, Math.max(1, colspan || 1));
    if (columns > 1) this.#wide.push({ from: this.#column, columns });
    // `rowspan="0"` reaches to the end of the group of rows.
    for (let i = 0; i < columns; i++)
      this.#spanned.begin(this.#column + i, i === 0 ? text : '', rowspan === 0 ? Number.POSITIVE_INFINITY : rowspan);
    this.#column += columns;
  }

  /** Ends the row of a table in a cell. */
  takeInnerRow(): void {
    const filled = this.#cells.filter((cell) => cell !== '');
    if (filled.length > 0) this.inner.push(filled.join(', '));
    this.takeRow();
  }

  /** The text of a cell up to the end of a table in it. */
  get wholeCell(): string {
    return `${this.before ?? ''} ${this.inner.join('; ')} `;
  }

  /** Ends the row. `isAnew` says that it begins other names of columns than those above. */
  takeRow(row?: HtmlElement): { readonly line: string; readonly isHeader: boolean; readonly isAnew: boolean } {
    const cells = this.#cells;
    const own = [...cells];
    this.#spanned.endRow(cells);
    const isNames =
      this.#own > 1 && this.#headCells > this.#rowHeads && this.#headCells === this.#filled && !this.#isEmptyLabel();
    const isAnew = this.#heads?.isAnew(row) ?? false;
    const isFirst = this.#isTitled || this.#hasMoreNames;
    const isHeader = this.headerOpen || this.rows < this.#bands || isAnew || (isNames && isFirst);
    if (isAnew) this.#named.clear();
    if (isHeader) this.#nameColumns(cells, own);
    this.#hasHeader ||= isHeader;
    if (!this.#hasHeader) this.#endLabels(cells);
    this.#isTitled &&= this.#own < 2 || this.#filled === 0;
    this.#hasMoreNames = isHeader && (this.#wide.length > 0 || this.#spanned.covers(0));
    this.#cells = [];
    this.#own = 0;
    this.#filled = 0;
    this.#headCells = 0;
    this.#rowHeads = 0;
    this.#labels.clear();
    this.#values.clear();
    this.#wide = [];
    this.#column = 0;
    return { line: joinCells(cells), isHeader, isAnew };
  }

  /**
   * A name over several columns is said in each, and one over several lines of the header in the first. A title over
   * all columns is no name.
   */
  #nameColumns(cells: string[], own: readonly string[]): void {
    for (const column of this.#named) if ((own[column] ?? '') === '' && column < cells.length) cells[column] = '';
    for (const [column, cell] of own.entries())
      if (cell !== '' && this.#spanned.covers(column)) this.#named.add(column);
    if (this.#own < 2) return;
    for (const { from, columns } of this.#wide)
      for (let at = from + 1; at < from + columns; at++) {
        while (cells.length <= at) cells.push('');
        cells[at] = cells[from]!;
      }
  }

  /** `<th>Height<td>` is a label whose value is missing, `<td><th>2019` a name of a column. */
  #isEmptyLabel(): boolean {
    return this.#labels.size === 1 && this.#labels.has(0) && this.#values.size > 0;
  }

  /** A label of what stands behind it ends in a colon: without one, the first row would read as names of columns. */
  #endLabels(cells: string[]): void {
    for (const column of this.#labels) {
      const value = this.#values.has(column + 1) ? cells[column + 1] : '';
      if (value && !ENDED.test(cells[column]!)) cells[column] += ':';
    }
  }

  get isRowOpen(): boolean {
    return this.#own > 0;
  }

  /** Ends `thead`, `tbody` or `tfoot`: no cell reaches into the next. */
  endGroup(): void {
    this.#spanned.clear();
  }
}

/** With a longer cell a table is a page, not data. */
const MOST_IN_CELL = 1000;

function isLayoutTable(table: HtmlElement): boolean {
  if (table.attributes.role === 'presentation' || table.attributes.role === 'none') return true;
  let layout = false;
  let widest = 0;
  let isHeaded: boolean | undefined;
  let inner = 0;
  walk(table, {
    enter(node) {
      if (layout || node === table) return !layout;
      if (/^h[1-6]$/.test(node.tag)) layout = true;
      if (node.tag === 'table' || node.tag === 'pre') {
        isHeaded ??= isHeadedTable(table);
        layout = !isHeaded || inner > 0;
        if (node.tag === 'table') inner++;
      }
      if (node.tag === 'tr' && inner === 0) {
        widest = Math.max(widest, cellsOf(node).length);
      }
      return !layout;
    },
    leave(node) {
      if (node.tag === 'table') inner--;
    },
  });
  return layout || widest < 2;
}

/**
 * How many rows at the top are names of columns though the file does not say so: names of three columns or more, some of
 * them over figures, or a line of names over several columns, the names below them, and then mostly figures.
 */
function bandsOf(table: HtmlElement): number {
  const rows: HtmlElement[] = [];
  let isTold = false;
  walk(table, {
    enter(node) {
      if (node.tag === 'tr' && rows.length < FEWEST_ROWS) rows.push(node);
      isTold ||= node.tag === 'th' || node.tag === 'thead';
      return !isTold && (node === table || node.tag !== 'table');
    },
  });
  const [upper, lower, body] = rows.map((row) => cellsOf(row).map((cell) => ({ text: wordsIn(cell).trim(), cell })));
  if (isTold || !upper || !lower || !body || upper.length < 2) return 0;
  if (areNamesOver([upper, lower, body].map((row) => row.map(({ text }) => text)))) return 1;
  const spanOf = ({ cell }: { readonly cell: HtmlElement }): number => columnsOf(cell);
  const across = upper.reduce((sum, one) => sum + spanOf(one), 0);
  const down = upper.filter(({ cell }) => Number.parseInt(cell.attributes.rowspan ?? '1', 10) > 1).length;
  const isName = ({ text }: { readonly text: string }): boolean => !FIGURE.test(text) || YEAR.test(text);
  const isBand = across > upper.length && lower.length + down === across && lower.every((one) => spanOf(one) === 1);
  const figures = body.filter((one) => !isName(one)).length;
  return isBand && [...upper, ...lower].every(isName) && figures * 2 >= body.length ? 2 : 0;
}

/** Whether the first row has names that differ, one for each cell of the other rows, of which a column has figures alone. */
function areNamesOver([names = [], ...others]: readonly (readonly string[])[]): boolean {
  if (names.length < FEWEST_NAMES || others.some(({ length }) => length !== names.length)) return false;
  const isName = (text: string): boolean => /\p{L}/u.test(text) && text.length <= LONGEST_NAME;
  if (!names.slice(1).every(isName) || FIGURE.test(names[0]!) || new Set(names).size < names.length) return false;
  return names.some((_, column) => others.every((row) => FIGURE.test(row[column]!)));
}

/**
 * Whether cells are short, few of them hold code or tables, and the first row, or the first cell of several rows, are
 * headers: pages and listings are laid out in other ways.
 */
function isHeadedTable(table: HtmlElement): boolean {
  const rows: HtmlElement[][] = [];
  let holding = 0;
  walk(table, {
    enter(node) {
      if (node.tag === 'tr') rows.push(cellsOf(node));
      const isInner = node !== table && (node.tag === 'pre' || node.tag === 'table');
      if (isInner) holding++;
      return !isInner;
    },
  });
  const isHeader = (row: HtmlElement[]): boolean => row.length > 1 && row.every(({ tag }) => tag === 'th');
  const body = isHeader(rows[0] ?? []) ? rows.slice(1) : rows;
  const cells = body.flat();
  if (holding * 2 >= cells.length || cells.some(isProse)) return false;
  if (body.length < rows.length) return true;
  return rows.filter(([head, ...rest]) => head?.tag === 'th' && rest.length > 0).length > 1;
}

function isProse({ textLength, children }: HtmlElement): boolean {
  return (
    textLength > MOST_IN_CELL || children.filter((child) => typeof child !== 'string' && child.tag === 'p').length > 1
  );
}
