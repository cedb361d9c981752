import { SpannedCells } from '../data/spanned-cells.ts';

/** A row of a small file may not stand for a million empty cells; Word has at most 63 columns. */
const MAX_COLUMNS = 256;

/** A cell of a row that says where its edges are, in any unit. */
export interface PlacedCell {
  readonly text: string;
  /** Where the cell begins; absent if the file does not say. */
  readonly left?: number | undefined;
  /** Whether the cell begins one that reaches over rows, or belongs to the one above. */
  readonly down?: 'first' | 'more' | undefined;
}

/**
 * Rows whose cells have edges instead of columns → rows whose cells stand under each other: a wide cell is followed by
 * empty ones, and a cell over several rows is said in each.
 * @param tolerance edges so near are one
 */
export function alignRows(rows: readonly (readonly PlacedCell[])[], tolerance: number): string[][] {
  const columns = columnsOf(rows, tolerance);
  const spanned = new SpannedCells();
  return rows.map((row) => {
    const cells: string[] = [];
    for (const { text, left, down } of row) {
      const column = columns.findLastIndex((edge) => left !== undefined && edge <= left);
      while (cells.length < column) blank(cells, spanned);
      if (down !== 'more') spanned.begin(cells.length, text, down === 'first' ? Number.POSITIVE_INFINITY : 1);
      cells.push(text);
    }
    while (cells.length < columns.length) blank(cells, spanned);
    spanned.endRow(cells);
    return cells;
  });
}

function blank(cells: string[], spanned: SpannedCells): void {
  spanned.begin(cells.length, '', 1);
  cells.push('');
}

/** The left edge of each column; none where the edges of the rows have little to do with each other. */
function columnsOf(rows: readonly (readonly PlacedCell[])[], tolerance: number): number[] {
  const edges = rows.flatMap((row) => row.flatMap(({ left }) => left ?? [])).sort((a, b) => a - b);
  const columns: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const edge of edges) {
    if (edge - last > tolerance) columns.push(edge);
    last = edge;
  }
  const most = rows.reduce((count, row) => Math.max(count, row.length), 0);
  return columns.length > Math.min(MAX_COLUMNS, 2 * most) ? [] : columns;
}
