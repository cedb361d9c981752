/**
 * Finds tables whose cells are texts of several lines. Such cells look like columns of prose, but rows part them all at
 * one height.
 */
import type { Reach } from './cells.ts';
import type { Row } from './layout.ts';

/** Lines without a wide gap between them. */
interface Block {
  readonly start: number;
  readonly end: number;
  /** Its columns; cells stand apart from those beside them. */
  readonly columns: readonly Reach[];
}

const FEWEST_COLUMNS = 3;
const FEWEST_ROWS = 4;
/** Below titles in bold letters: so many columns and rows with them. */
const FEWEST_TITLED_COLUMNS = 2;
const FEWEST_TITLED_ROWS = 3;
const LONGEST_TITLE = 40;
/** Of two gaps: how much wider that between rows of a table is than that between lines of a cell. */
const WIDER = 1.2;

/**
 * @param rows of a page, from its top
 * @returns half-open ranges of row indices, in order
 */
export function findWrappedTables(rows: readonly Row[]): [start: number, end: number][] {
  const blocks = blocksOf(rows);
  const found = tablesOf(rows, blocks, FEWEST_COLUMNS);
  const narrow = tablesOf(rows, blocks, FEWEST_TITLED_COLUMNS);
  const isApart = ([from, to]: [number, number]): boolean => found.every(([start, end]) => to <= start || from >= end);
  return [...found, ...narrow.filter(isApart)].sort(([a], [b]) => a - b);
}

function tablesOf(rows: readonly Row[], blocks: readonly Block[], fewest: number): [start: number, end: number][] {
  const found: [number, number][] = [];
  let run: Block[] = [];
  let above: Block | undefined;
  const close = (): void => {
    if (fewest === FEWEST_COLUMNS && isTable(rows, run))
      found.push([(above && isHead(above, run) ? above : run[0]!).start, run.at(-1)!.end]);
    else if (isTitledTable(rows, run)) found.push([run[0]!.start, run.at(-1)!.end]);
    above = run.at(-1);
    run = [];
  };
  for (const block of blocks) {
    if (run.length > 0 && (!fits(block, run) || isTitleLine(rows, block))) close();
    const mayLack = run[0] !== undefined && isTitleLine(rows, run[0]) && block.columns.length > 1; // an empty cell
    if (block.columns.length >= fewest || mayLack) run.push(block);
    else close();
  }
  close();
  return found;
}

/** Whether short titles in bold letters stand above cells that wrap, one above each column, and rows begin or end at one height. */
function isTitledTable(rows: readonly Row[], run: readonly Block[]): boolean {
  const [head, ...body] = run;
  if (!head || run.length < FEWEST_TITLED_ROWS || !isTitleLine(rows, head)) return false;
  const isRow = (block: Block): boolean => isLevel(rows, block, 'first') || isLevel(rows, block, 'last');
  const full = body.filter(({ columns }) => columns.length === head.columns.length).length;
  return (
    body.every(isRow) &&
    full > 1 &&
    body.every(({ columns }) => columns.length <= head.columns.length) &&
    body.some(({ start, end }) => end - start > 1) &&
    body.every(({ start, end }) => rows.slice(start, end).some(({ bold }) => !bold))
  );
}

function isTitleLine(rows: readonly Row[], block: Block): boolean {
  const { start, end, columns } = block;
  const { segments } = rows[start]!;
  return (
    end - start === 1 &&
    columns.length >= FEWEST_TITLED_COLUMNS &&
    isLevel(rows, block, 'first') &&
    segments.every(({ bold, text }) => bold && text.length <= LONGEST_TITLE)
  );
}

/** Whether all its columns have their first or last line at one height. */
function isLevel(rows: readonly Row[], { start, end, columns }: Block, line: 'first' | 'last'): boolean {
  const { segments, y } = rows[line === 'first' ? start : end - 1]!;
  return segments.length === columns.length && segments.every((one) => Math.abs(one.y - y) < 0.5);
}

/** Whether cells wrap, their lines stand at one distance, rows begin at one height, and some columns have short cells. */
function isTable(rows: readonly Row[], run: readonly Block[]): boolean {
  if (run.length < FEWEST_ROWS || run.filter(({ start, end }) => end - start > 1).length < 2) return false;
  const within = run.flatMap(({ start, end }) =>
    rows.slice(start + 1, end).map((row, i) => row.y - rows[start + i]!.y),
  );
  if (Math.max(...within) > 1.05 * Math.min(...within)) return false;
  if (!run.every((block) => isLevel(rows, block, 'first'))) return false;
  const cells = run.flatMap(({ start, end }) => rows.slice(start, end).flatMap(({ segments }) => segments));
  const short = joined(run.flatMap(({ columns }) => columns)).filter((column) =>
    cells.every(({ x0, x1, text }) => x1 <= column.x0 || x0 >= column.x1 || text.split(' ').length < 4),
  );
  return short.length > 1;
}

function isHead(block: Block, run: readonly Block[]): boolean {
  return block.end === run[0]!.start && below(block, run) !== undefined;
}

function blocksOf(rows: readonly Row[]): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  for (let i = 1; i <= rows.length; i++) {
    if (i < rows.length && rows[i]!.y - rows[i - 1]!.y < WIDER * leadingAt(rows, i)) continue;
    blocks.push({ start, end: i, columns: joined(rows.slice(start, i).flatMap(({ segments }) => segments)) });
    start = i;
  }
  return blocks;
}

/** The least distance of two lines near a row, but not of lines that stand beside each other. */
function leadingAt(rows: readonly Row[], at: number): number {
  let least = Infinity;
  for (let i = Math.max(1, at - 12); i < Math.min(rows.length, at + 12); i++) {
    const gap = rows[i]!.y - rows[i - 1]!.y;
    if (gap > 0.8 * rows[i]!.size) least = Math.min(least, gap);
  }
  return least;
}

function joined(parts: readonly Reach[]): Reach[] {
  const columns: { x0: number; x1: number }[] = [];
  for (const { x0, x1 } of parts.toSorted((a, b) => a.x0 - b.x0)) {
    const last = columns.at(-1);
    if (last && x0 <= last.x1) last.x1 = Math.max(last.x1, x1);
    else columns.push({ x0, x1 });
  }
  return columns;
}

/** The columns that those of a block stand in, each in one of its own; undefined where they do not. */
function below(block: Block, run: readonly Block[]): (Reach | undefined)[] | undefined {
  const all = joined(run.flatMap(({ columns }) => columns));
  const places = block.columns.map((column) => all.filter((other) => column.x0 < other.x1 && other.x0 < column.x1));
  const isClear = places.every((under) => under.length < 2) && new Set(places.flat()).size === places.flat().length;
  return isClear ? places.map(([one]) => one) : undefined;
}

function fits(block: Block, run: readonly Block[]): boolean {
  const places = below(block, run);
  const aligned = block.columns.filter(({ x0 }, i) => Math.abs((places?.[i]?.x0 ?? -Infinity) - x0) < 2);
  return aligned.length > 1;
}
