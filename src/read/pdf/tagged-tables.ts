/** Tables of tagged PDFs: the file itself says which text is one cell, and which cells are one row. */
import { type Cell, type Grid, headOf, isSaid, linesOf, textOf, withRuledTables } from './ruled.ts';
import type { DrawnText, Segment } from './runs.ts';
import type { TaggedTable } from './tags.ts';

const MOST_COLUMNS = 60;
const MOST_LINES = 40;
/** Cells with more characters, on the whole, are no table but the columns of a page. */
const LONGEST_MEAN = 200;
/** What it costs to leave out a column, and to reach over one more, in points of distance. */
const SKIPPED = 3;
/** What it costs a text to reach over several columns that has room in one. */
const NEEDLESS = 10;
const REACHED = 0.5;

/**
 * The segments of a page, those of each tagged table as one segment a row. Where rows have fewer cells than others, the
 * tags do not say which are merged: drawn lines do.
 */
export function withTaggedTables(segments: readonly Segment[], grids: readonly Grid[]): Segment[] {
  const found: Segment[] = [];
  for (const [table, own] of tablesIn(segments)) {
    const isUneven = new Set(table.rows.map(({ length }) => length)).size > 1;
    const titles = table.rows.findIndex((row) => !row.every(({ isTitle }) => isTitle));
    const lined = isUneven ? withRuledTables(own, grids, Math.max(0, titles)) : [];
    if (lined.length > 0 && lined.every(({ ruled }) => ruled !== undefined))
      found.push(...lined.map(({ cell: _, ...plain }) => plain));
    else found.push(...(rowsOf(table, own) ?? own));
  }
  return [...segments.filter(({ cell }) => cell === undefined), ...found];
}

/** The pieces of text without the cells of what is no table after all: such cells say nothing of where a line ends. */
export function withoutFalseTables(items: readonly DrawnText[], segments: readonly Segment[]): readonly DrawnText[] {
  const refused = new Set<TaggedTable>();
  for (const [table, own] of tablesIn(segments)) if (!rowsOf(table, own)) refused.add(table);
  if (refused.size === 0) return items;
  return items.map((item) => {
    const { cell, ...plain } = item;
    return cell && refused.has(cell.table) ? plain : item;
  });
}

function tablesIn(segments: readonly Segment[]): Map<TaggedTable, Segment[]> {
  const tables = new Map<TaggedTable, Segment[]>();
  for (const segment of segments) {
    const table = segment.cell?.table;
    if (!table) continue;
    const own = tables.get(table);
    if (own) own.push(segment);
    else tables.set(table, [segment]);
  }
  return tables;
}

/** @returns none where the place of the text contradicts the table, or it is the frame of a page */
function rowsOf({ rows }: TaggedTable, segments: readonly Segment[]): Segment[] | undefined {
  const columns = Math.max(...rows.map((row) => row.length));
  if (columns < 2 || columns > MOST_COLUMNS) return undefined;
  const filled = rows.map((row) => row.map((): Segment[] => []));
  for (const segment of segments) filled[segment.cell!.row]![segment.cell!.cell]!.push(segment);
  const titled = rows.map((row) => row.length > 0 && row.every(({ isTitle }) => isTitle));
  const grid = gridOf(filled, columns);
  if (!grid) return undefined;
  const cells = [...new Set(grid.flat())].filter((cell) => cell !== undefined);
  const used = cells.filter((cell) => cell.segments.length > 0);
  if (used.some((cell) => linesOf(cell).length > MOST_LINES)) return undefined;
  if (segments.reduce((sum, { text }) => sum + text.length, 0) > LONGEST_MEAN * used.length) return undefined;
  const written = filled.flatMap((row, i) => (row.some((cell) => cell.length > 0) ? [i] : []));
  const many = written.filter((i) => filled[i]!.filter((cell) => cell.length > 0).length > 1);
  if (written.length < 2 || many.length < written.length / 2) return undefined;
  const tops = written.map((i) => Math.min(...filled[i]!.flat().map(({ y }) => y)));
  if (tops.some((top, i) => i > 0 && top < tops[i - 1]! - 1)) return undefined;

  const kept = written.map((i) => grid[i]!);
  const titles = written.findIndex((i) => !titled[i]);
  const renumbered = used.map((cell) => ({ ...cell, row: written.indexOf(cell.row) }));
  const head =
    titles > 0
      ? titles
      : titles < 0
        ? 1
        : headOf(
            kept.map((row) => row.map((cell) => renumbered[used.indexOf(cell!)] ?? cell)),
            renumbered,
          );
  const table = { head };
  const [left, right] = [Math.min(...segments.map(({ x0 }) => x0)), Math.max(...segments.map(({ x1 }) => x1))];
  let y = Number.NEGATIVE_INFINITY;
  return kept.map((row, i) => {
    const texts = row.map((cell, column) =>
      cell && isSaid({ ...cell, row: written.indexOf(cell.row) }, i, column, head) ? linesOf(cell).map(textOf) : [],
    );
    const first = filled[written[i]!]!.flat()[0]!;
    y = Math.max(tops[i]!, y + 0.01);
    const { cell: _, ...plain } = first;
    return { ...plain, x0: left, x1: right, y, text: texts.flat().join(' '), ruled: { table, cells: texts } };
  });
}

/**
 * The cells of each row in their columns, by where their text stands: empty cells are often not told.
 * @returns undefined where cells are not told in the order of columns
 */
function gridOf(filled: readonly (readonly Segment[][])[], columns: number): (Cell | undefined)[][] | undefined {
  const places = placesOf(
    filled.filter((row) => row.length === columns),
    columns,
  );
  const known = places.filter((place) => place !== undefined);
  const [from, to] = [Math.min(...known.map(({ x0 }) => x0)), Math.max(...known.map(({ x1 }) => x1))];
  const lines = filled.map((row) => row.flatMap((cell) => (cell.length === 0 ? [] : [startOf(cell)])));
  const isOrdered = (xs: readonly number[]): boolean => xs.every((x, i) => i === 0 || x > xs[i - 1]!);
  if (!lines.every(isOrdered) && !lines.every((xs) => isOrdered(xs.toReversed()))) return undefined;
  const grid: (Cell | undefined)[][] = [];
  for (const [row, cells] of filled.entries()) {
    const own = new Array<Cell | undefined>(columns).fill(undefined);
    const ranges =
      cells.length === columns
        ? cells.map((_, i) => [i, i] as const)
        : isWhole(cells, from, to)
          ? [[0, columns - 1] as const]
          : rangesOf(cells, places);
    for (const [i, [first, last]] of ranges.entries())
      own.fill({ row, column: first, down: 1, across: last - first + 1, segments: cells[i]! }, first, last + 1);
    for (const [column, cell] of own.entries()) {
      const above = cell ? undefined : grid[row - 1]?.[column];
      if (!above || !reachesDown(above, filled[above.row]!)) continue;
      const longer = { ...above, down: row - above.row + 1 };
      for (const each of [...grid.slice(above.row), own])
        for (let c = 0; c < columns; c++) if (each[c] === above) each[c] = longer;
      own[column] = longer;
    }
    grid.push(own);
  }
  return grid;
}

function startOf(cell: readonly Segment[]): number {
  return Math.min(...cell.map(({ x0 }) => x0));
}

/** Whether a row is one cell: at the left or in the middle of the table. */
function isWhole([cell, ...others]: readonly (readonly Segment[])[], from: number, to: number): boolean {
  if (!cell || others.length > 0 || cell.length === 0) return false;
  const [x0, x1] = [startOf(cell), Math.max(...cell.map((segment) => segment.x1))];
  return Math.abs(x0 - from) < 0.03 * (to - from) || Math.abs((x0 + x1) / 2 - (from + to) / 2) < 0.05 * (to - from);
}

/** Whether a cell stands lower than what is beside it: in the middle of several rows. */
function reachesDown({ segments, across }: Cell, beside: readonly (readonly Segment[])[]): boolean {
  const others = beside.flat().filter((segment) => !segments.includes(segment));
  const [first] = segments;
  if (!first || others.length === 0 || across > 1) return false;
  return Math.min(...segments.map(({ y }) => y)) > Math.min(...others.map(({ y }) => y)) + 0.4 * first.size;
}

interface Place {
  readonly x0: number;
  readonly x1: number;
}

/** From where to where the text of each column reaches, in rows that have all of them. */
function placesOf(rows: readonly (readonly Segment[][])[], columns: number): (Place | undefined)[] {
  return Array.from({ length: columns }, (_, column) => {
    const own = rows.flatMap((row) => row[column]!);
    return own.length === 0
      ? undefined
      : { x0: Math.min(...own.map(({ x0 }) => x0)), x1: Math.max(...own.map(({ x1 }) => x1)) };
  });
}

type Range = readonly [from: number, to: number];

/** The columns of each cell of a row with fewer cells than columns, in order, nearest to where its text stands. */
function rangesOf(cells: readonly (readonly Segment[])[], places: readonly (Place | undefined)[]): Range[] {
  let best: { cost: number; ranges: Range[] }[] = [{ cost: 0, ranges: [] }]; // by the number of columns that are taken
  for (const [i, cell] of cells.entries()) {
    const next: typeof best = [];
    const left = cells.length - i - 1;
    for (const [taken, before] of best.entries()) {
      if (!before) continue;
      for (let from = taken; from < places.length - left; from++)
        for (let to = from; to < places.length - left; to++) {
          const cost =
            before.cost + SKIPPED * (from - taken) + REACHED * (to - from) + distance(cell, places.slice(from, to + 1));
          if (cost < (next[to + 1]?.cost ?? Number.POSITIVE_INFINITY))
            next[to + 1] = { cost, ranges: [...before.ranges, [from, to]] };
        }
    }
    best = next;
  }
  let found: { cost: number; ranges: Range[] } | undefined;
  for (const [taken, one] of best.entries()) {
    if (!one) continue;
    const cost = one.cost + SKIPPED * (places.length - taken);
    if (!found || cost < found.cost) found = { ...one, cost };
  }
  return found?.ranges ?? cells.map((_, i) => [i, i]);
}

/** How far a text is from where it would stand in columns: at their left, at their right, or in their middle. */
function distance(cell: readonly Segment[], columns: readonly (Place | undefined)[]): number {
  const known = columns.filter((place) => place !== undefined);
  if (cell.length === 0 || known.length === 0) return 0;
  const [x0, x1] = [Math.min(...cell.map((s) => s.x0)), Math.max(...cell.map((s) => s.x1))];
  const [from, to] = [Math.min(...known.map((place) => place.x0)), Math.max(...known.map((place) => place.x1))];
  const [start, middle] = [Math.abs(x0 - from), Math.abs((x0 + x1) / 2 - (from + to) / 2)];
  if (columns.length === 1) return Math.min(start, middle, Math.abs(x1 - to));
  const hasRoom = known.some((place) => x0 >= place.x0 - 1 && x1 <= place.x1 + 1);
  return Math.min(start, middle) + (hasRoom ? NEEDLESS : 0);
}
