import type { DocumentBuilder } from '../builder.ts';
import { guessHeaderRows, writeTable } from './ooxml.ts';
import { alignRows, type PlacedCell } from './table-grid.ts';

/** Edges of cells in one column differ by less, in twentieths of a point. */
const TWIPS_APART = 100;

interface GridRow {
  readonly cells: readonly PlacedCell[];
  /** Whether the file says that it is a header. */
  readonly isHeader: boolean;
}

/** The rows of tables that follow each other without a word between, in files that do not say where a table begins. */
export class GridTables {
  #rows: GridRow[] = [];
  readonly #ended: GridRow[][] = [];

  add(cells: readonly PlacedCell[], isHeader: boolean): void {
    // Headers stand at the top of a table.
    if (isHeader && this.#rows.at(-1)?.isHeader === false) this.separate();
    this.#rows.push({ cells, isHeader });
  }

  /** Something stands between the rows before and those that come. */
  separate(): void {
    if (this.#rows.length > 0) this.#ended.push(this.#rows);
    this.#rows = [];
  }

  /** Writes what was added. */
  write(builder: DocumentBuilder): void {
    this.separate();
    const tables = this.#ended.splice(0);
    // Some programs set an empty paragraph after each row.
    const isApart = tables.length > 2 && tables.every((rows) => rows.length === 1);
    for (const rows of isApart ? [tables.flat()] : tables) {
      const aligned = alignRows(
        rows.map(({ cells }) => cells),
        TWIPS_APART,
      );
      const marked = rows.findIndex(({ isHeader }) => !isHeader);
      writeTable(builder, aligned, marked > 0 ? marked : guessHeaderRows(aligned));
    }
  }
}
