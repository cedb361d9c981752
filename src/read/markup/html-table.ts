import type { Span } from '../../core/types.ts';
import { joinCells } from '../data/csv.ts';
import { SpannedCells } from '../data/spanned-cells.ts';
import { type HtmlElement, walk } from './html-tree.ts';

/** `colspan="100"` stands for all columns; no table has so many that are worth a blank each. */
const MAX_SPAN = 100;
/** Cells beyond reach over their own column alone. */
const MAX_COLUMNS = 1000;

/** A table while it is written, row by row. */
export class HtmlTable {
  readonly layout: boolean;
  header: Span | undefined;
  headerOpen = false;
  /** Rows that were written. */
  rows = 0;
  readonly #spanned = new SpannedCells();
  #cells: string[] = [];
  #own = 0;
  #headCells = 0;
  /** The column of the next cell, as far as cells reach over columns; cells from above may take it. */
  #column = 0;

  constructor(node: HtmlElement) {
    this.layout = isLayoutTable(node);
  }

  /** Adds a cell, or text that stands between cells. */
  add(text: string, node?: HtmlElement): void {
    while (this.#spanned.covers(this.#column)) this.#column++;
    while (this.#cells.length < this.#column) this.#cells.push('');
    this.#cells.push(text);
    this.#own++;
    if (node?.tag === 'th') this.#headCells++;
    const rowspan = Number.parseInt(node?.attributes.rowspan ?? '1', 10);
    const colspan = this.#column < MAX_COLUMNS ? Number.parseInt(node?.attributes.colspan ?? '1', 10) : 1;
    const columns = Math.min(MAX_SPAN, Math.max(1, colspan || 1));
    // `rowspan="0"` reaches to the end of the group of rows.
    for (let i = 0; i < columns; i++)
      this.#spanned.begin(this.#column + i, i === 0 ? text : '', rowspan === 0 ? Number.POSITIVE_INFINITY : rowspan);
    this.#column += columns;
  }

  /** Ends the row. */
  takeRow(): { readonly line: string; readonly isHeader: boolean } {
    const cells = this.#cells;
    this.#spanned.endRow(cells);
    const isHeader = this.headerOpen || (this.rows === 0 && this.#headCells === this.#own && this.#own > 1);
    this.#cells = [];
    this.#own = 0;
    this.#headCells = 0;
    this.#column = 0;
    return { line: joinCells(cells), isHeader };
  }

  get isRowOpen(): boolean {
    return this.#own > 0;
  }

  /** Ends `thead`, `tbody` or `tfoot`: no cell reaches into the next. */
  endGroup(): void {
    this.#spanned.clear();
  }
}

function isLayoutTable(table: HtmlElement): boolean {
  if (table.attributes.role === 'presentation' || table.attributes.role === 'none') return true;
  let layout = false;
  let widest = 0;
  walk(table, {
    enter(node) {
      if (layout) return false;
      if (node !== table && (node.tag === 'table' || node.tag === 'pre' || /^h[1-6]$/.test(node.tag))) layout = true;
      if (node.tag === 'tr') {
        widest = Math.max(
          widest,
          node.children.filter((c) => typeof c !== 'string' && (c.tag === 'td' || c.tag === 'th')).length,
        );
      }
      return !layout;
    },
  });
  return layout || widest < 2;
}
