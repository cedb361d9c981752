/** Titles that are turned by a quarter to fit narrow columns: they belong to the table in whose cells they stand. */
import type { Grid } from './ruled.ts';
import type { Layer, Segment } from './runs.ts';
import type { TaggedCell } from './tags.ts';

/** In points. */
const NEAR = 3;
/** More of them in one cell are the labels of a drawing. */
const MOST_LINES = 3;

/**
 * The turned texts within the cells of grids, as they would stand if they were level.
 * @param layers text in other directions than that of the page, which is level
 */
export function levelTitles(
  layers: readonly Layer[],
  grids: readonly Grid[],
  page: readonly Segment[],
): ReadonlyMap<Segment, Segment> {
  const level = new Map<Segment, Segment>();
  let most = 0;
  for (const { direction, segments } of layers) {
    if (direction !== 90 && direction !== 270) continue;
    const lines = new Map<string, number>();
    for (const segment of segments.toSorted((a, b) => a.y - b.y)) {
      const { left, right, top, bottom } = placeOf(segment, direction);
      const at = grids.findIndex(({ xs, ys }) => isIn(xs, left, right) && isIn(ys, top, bottom));
      if (at < 0) continue;
      const { xs, ys } = grids[at]!;
      const column = xs.findLastIndex((x) => x <= (left + right) / 2);
      const row = ys.findLastIndex((y) => y <= (top + bottom) / 2);
      if (top < ys[row]! - NEAR || bottom > ys[row + 1]! + NEAR) continue;
      const line = (lines.get(`${at} ${column} ${row}`) ?? 0) + 1;
      lines.set(`${at} ${column} ${row}`, line);
      most = Math.max(most, line);
      const cell = segment.cell ?? cellAt(grids[at]!, row, column, page);
      level.set(segment, { ...segment, x0: left, x1: right, y: top + line * segment.size, ...(cell && { cell }) });
    }
  }
  return most > MOST_LINES ? new Map() : level;
}

/** Where turned text stands on the page, from its left and top. */
function placeOf(
  { x0, x1, y, size }: Segment,
  direction: 90 | 270,
): Record<'left' | 'right' | 'top' | 'bottom', number> {
  return direction === 90
    ? { left: y - size, right: y, top: -x1, bottom: -x0 }
    : { left: -y, right: size - y, top: x0, bottom: x1 };
}

/** Whether a reach lies within the edges. */
function isIn(edges: readonly number[], from: number, to: number): boolean {
  return from > edges[0]! && to < edges.at(-1)!;
}

/** The cell of a table that the file tells: some programs do not say of turned text where it belongs. */
function cellAt({ xs, ys }: Grid, row: number, column: number, page: readonly Segment[]): TaggedCell | undefined {
  const table = page.find(({ cell, x0, x1, y }) => cell && isIn(xs, x0, x1) && isIn(ys, y, y))?.cell?.table;
  const isAlike = table?.rows.length === ys.length - 1 && table.rows[row]?.length === xs.length - 1;
  return table && isAlike ? { table, row, cell: column } : undefined;
}
