import { FIGURE, YEAR } from '../office/wide-cells.ts';
import { wordsIn } from './html-main.ts';
import { type HtmlElement, walk } from './html-tree.ts';

/** Which cells of a table name others: by their element, by what they say of themselves, or because others point at them. */
export class HtmlHeads {
  /** Ids of cells to which cells of other rows point, and of those to which only cells of their own row do. */
  readonly #ofColumns = new Set<string>();
  readonly #ofRows = new Set<string>();
  /** Rows below values that name the columns anew. */
  readonly #anew = new Set<HtmlElement>();

  constructor(table: HtmlElement) {
    const rows = rowsOf(table);
    this.#readPointers(rows);
    this.#findNewNames(rows);
  }

  isHead(cell: HtmlElement | undefined): cell is HtmlElement {
    if (cell === undefined) return false;
    const { scope, role, id } = cell.attributes;
    if (cell.tag === 'th' || scope !== undefined || /^(?:row|column)header$/.test(role ?? '')) return true;
    return id !== undefined && (this.#ofColumns.has(id) || this.#ofRows.has(id));
  }

  namesRow({ attributes: { scope, role, id } }: HtmlElement): boolean {
    return /^row/i.test(scope ?? '') || role === 'rowheader' || (id !== undefined && this.#ofRows.has(id));
  }

  /** Whether a row names the columns of the rows below it, though rows with values stand above it. */
  isAnew(row: HtmlElement | undefined): boolean {
    return row !== undefined && this.#anew.has(row);
  }

  #readPointers(rows: readonly HtmlElement[]): void {
    const rowOf = new Map<string, HtmlElement>();
    for (const row of rows)
      for (const { attributes } of cellsOf(row)) if (attributes.id !== undefined) rowOf.set(attributes.id, row);
    for (const row of rows)
      for (const { attributes } of cellsOf(row))
        for (const id of attributes.headers?.split(/\s+/) ?? []) {
          const named = rowOf.get(id);
          if (named === row && !this.#ofColumns.has(id)) this.#ofRows.add(id);
          if (named === undefined || named === row) continue;
          this.#ofColumns.add(id);
          this.#ofRows.delete(id);
        }
  }

  #findNewNames(rows: readonly HtmlElement[]): void {
    const kinds = rows.map((row) => this.#kindOf(row));
    const widest = Math.max(0, ...kinds.slice(0, MOST_MEASURED).map(({ columns }) => columns));
    let hasValues = false;
    for (const [i, row] of rows.entries()) {
      const { kind, columns } = kinds[i]!;
      if (kind === 'values') hasValues = true;
      if (kind !== 'names' || !hasValues || columns !== widest) continue;
      const next = kinds.slice(i + 1, i + 1 + MOST_LINES).find((each) => each.kind !== 'names');
      if (next?.kind !== 'values' || this.#isLabelled(rows[i - 1]!, row, rows[0]!)) continue;
      this.#anew.add(row);
      hasValues = false;
    }
  }

  /** Whether the first cell is the label of a row, as that of the row above is, and no name that stands at the top, too. */
  #isLabelled(above: HtmlElement, row: HtmlElement, top: HtmlElement): boolean {
    const [label, name, first] = [above, row, top].map((each) => cellsOf(each)[0]);
    if (!label || !name || !this.isHead(label) || name.textLength === 0) return false;
    return !first || wordsIn(first).trim() !== wordsIn(name).trim();
  }

  #kindOf(row: HtmlElement): { readonly kind: 'names' | 'values' | 'other'; readonly columns: number } {
    const cells = cellsOf(row);
    const columns = cells.reduce((sum, cell) => sum + columnsOf(cell), 0);
    const filled = cells.filter(({ textLength }) => textLength > 0);
    const hasValue = filled.some((cell) => !this.isHead(cell));
    if (hasValue) return { kind: cells.length > 1 ? 'values' : 'other', columns };
    const isNames = filled.length > 1 && filled.length >= cells.length - (cells[0]!.textLength > 0 ? 0 : 1);
    return { kind: isNames && filled.every((cell) => this.#isName(cell)) ? 'names' : 'other', columns };
  }

  #isName(cell: HtmlElement): boolean {
    if (this.namesRow(cell)) return false;
    const text = wordsIn(cell).trim();
    return !FIGURE.test(text) || YEAR.test(text);
  }
}

/** Lines of names, one above the other. */
const MOST_LINES = 3;
/** Rows that tell how wide a table is. */
const MOST_MEASURED = 10_000;

export function cellsOf(row: HtmlElement): HtmlElement[] {
  return row.children.filter((c): c is HtmlElement => typeof c !== 'string' && (c.tag === 'td' || c.tag === 'th'));
}

export function columnsOf(cell: HtmlElement): number {
  return Number.parseInt(cell.attributes.colspan ?? '1', 10) || 1;
}

/** The rows of a table itself, not of tables in its cells. */
function rowsOf(table: HtmlElement): HtmlElement[] {
  const rows: HtmlElement[] = [];
  walk(table, {
    enter(node) {
      if (node.tag === 'tr') rows.push(node);
      return node === table || (node.tag !== 'table' && node.tag !== 'td' && node.tag !== 'th');
    },
  });
  return rows;
}
