/**
 * Tables whose short cells stand in the middle of a text of several lines, as browsers and word processors set them, or
 * beside its last line: read line by line, they would stand within its sentence.
 */
import { isMarker, isNumeric, type Reach } from './cells.ts';
import type { Segment } from './runs.ts';

const FEWEST_ROWS = 3;
const FEWEST_CENTRED = 2;
const FEWEST_LINES = 6;
/** Of two gaps: how much wider that between rows is than that between lines of a cell. */
const WIDER = 1.1;
/** Of a line's distance from the next: so far from the middle a cell may be, and so far from the first line it is. */
const OFF_MIDDLE = 0.15;
const OFF_FIRST = 0.3;
const LONGEST = 40;
const MOST_LINES = 3;
/** In font sizes: lines further apart have others between them. */
const MOST_LEADING = 1.7;
/** Of the characters of their texts: columns of prose have more. */
const SHORT_SHARE = 0.6;
/** Lines of a row come so much closer that rows are told apart by their distance. */
const CLOSER = 0.85;
/** Mean characters of a line of text. */
const PROSE = 20;

interface TableRow {
  readonly text: readonly Segment[];
  /** The lines of each other cell. */
  readonly short: readonly (readonly Segment[])[];
}

/** Moves the lines of all cells of such a row to those of its longest cell, from the first on, and these together. */
export function levelLabels(segments: readonly Segment[]): readonly Segment[] {
  const moved = new Map<Segment, number>();
  const byHeight = segments.toSorted((a, b) => a.y - b.y);
  for (const column of columnsOf(byHeight)) {
    const leading = leadingOf(column);
    if (leading > MOST_LEADING * column[0]!.size) continue;
    let run: TableRow[] = [];
    const close = (): void => {
      if (isCentred(run, leading)) for (const row of run) level(row, moved);
      run = [];
    };
    for (const text of cellsOf(column, leading)) {
      const short = besides(text, leading, byHeight);
      if (short === undefined) close();
      else run.push({ text, short });
    }
    close();
  }
  return moved.size === 0 ? segments : segments.map((one) => ({ ...one, y: moved.get(one) ?? one.y }));
}

/** Lines that begin at one place, where they are many and long. */
function columnsOf(byHeight: readonly Segment[]): Segment[][] {
  const byEdge = Map.groupBy(byHeight, ({ x0 }) => Math.round(x0 / 2));
  return [...byEdge.values()]
    .filter((lines) => lines.length >= FEWEST_LINES)
    .filter((lines) => lengthOf(lines) >= PROSE * lines.length);
}

/** The usual distance of two lines of a cell: the least one that is no second mark on the same line. */
function leadingOf(lines: readonly Segment[]): number {
  return Math.min(
    ...lines
      .slice(1)
      .map(({ y }, i) => y - lines[i]!.y)
      .filter((gap, i) => gap > 0.8 * lines[i]!.size),
  );
}

function cellsOf(lines: readonly Segment[], leading: number): Segment[][] {
  const cells: Segment[][] = [];
  for (const [i, line] of lines.entries()) {
    if (i > 0 && line.y - lines[i - 1]!.y < WIDER * leading) cells.at(-1)!.push(line);
    else cells.push([line]);
  }
  return cells;
}

/** Position of the first one that stands at a height or below it. */
function firstFrom(byHeight: readonly Segment[], y: number, from = 0): number {
  let [low, high] = [from, byHeight.length];
  while (low < high) {
    const at = (low + high) >> 1;
    if (byHeight[at]!.y < y) low = at + 1;
    else high = at;
  }
  return low;
}

/** The cells beside a text; undefined where there are none, or longer ones. */
function besides(text: readonly Segment[], leading: number, byHeight: readonly Segment[]): Segment[][] | undefined {
  const from = firstFrom(byHeight, text[0]!.y - leading);
  const beside = byHeight
    .slice(from, firstFrom(byHeight, text.at(-1)!.y + leading, from))
    .filter((one) => !text.includes(one));
  const reach = reachOf(text);
  if (beside.length === 0 || beside.some((one) => !isApart(one, reach))) return undefined;
  const cells: Segment[][] = [];
  for (const one of beside) {
    const cell = cells.find((lines) => !isApart(one, reachOf(lines)));
    if (cell) cell.push(one);
    else cells.push([one]);
  }
  const isShort = (lines: readonly Segment[]): boolean =>
    lines.length <= MOST_LINES &&
    lines.every(({ text, y }, i) => text.length <= LONGEST && (i === 0 || y - lines[i - 1]!.y > 0.5 * leading));
  const isLabel = ({ text }: Segment): boolean => /\p{L}/u.test(text) && !isMarker(text) && !isNumeric(text);
  const before = cells.filter(([line]) => line!.x0 < reach.x0).flat();
  return cells.every(isShort) && before.every(isLabel) ? cells : undefined;
}

function reachOf(lines: readonly Segment[]): Reach {
  return { x0: Math.min(...lines.map(({ x0 }) => x0)), x1: Math.max(...lines.map(({ x1 }) => x1)) };
}

const isApart = (a: Reach, b: Reach): boolean => a.x1 < b.x0 - 1 || a.x0 > b.x1 + 1;
const lengthOf = (lines: readonly Segment[]): number => lines.reduce((sum, { text }) => sum + text.length, 0);
const middle = (lines: readonly Segment[]): number => (lines[0]!.y + lines.at(-1)!.y) / 2;

/**
 * Whether all cells stand in the middle of their rows, and some of them therefore beside no first line; or all at the
 * foot, with a label before each text: numbers of pages alone stand so in tables of contents.
 */
function isCentred(run: readonly TableRow[], leading: number): boolean {
  if (run.length < FEWEST_ROWS) return false;
  const short = run.flatMap((row) => row.short.flat());
  if (lengthOf(short) > SHORT_SHARE * lengthOf(run.flatMap(({ text }) => text))) return false;
  const edge = Math.min(...run.flatMap(({ text }) => text.map(({ x0 }) => x0)));
  const labels = short.filter(({ x0 }) => x0 < edge);
  if (labels.length > 0 && !areAligned(labels)) return false;
  const isLower = ({ text, short }: TableRow): boolean =>
    short.some(([line]) => Math.abs(line!.y - text[0]!.y) > OFF_FIRST * leading);
  if (run.filter(isLower).length < FEWEST_CENTRED) return false;
  const areAt = (heightOf: (lines: readonly Segment[]) => number): boolean =>
    run.every(({ text, short }) =>
      short.every((lines) => Math.abs(heightOf(text) - heightOf(lines)) < OFF_MIDDLE * leading),
    );
  return areAt(middle) || (labels.length >= run.length && areAt((lines) => lines.at(-1)!.y));
}

/** At their left, at their right or in their middle. */
function areAligned(labels: readonly Segment[]): boolean {
  const isOne = (edgeOf: (label: Segment) => number): boolean => {
    const edges = labels.map(edgeOf);
    return Math.max(...edges) - Math.min(...edges) < 2;
  };
  return isOne(({ x0 }) => x0) || isOne(({ x1 }) => x1) || isOne(({ x0, x1 }) => (x0 + x1) / 2);
}

function level({ text, short }: TableRow, moved: Map<Segment, number>): void {
  const cells = [text, ...short];
  const longest = cells.reduce((most, cell) => (cell.length > most.length ? cell : most));
  const { y } = longest[0]!;
  for (const cell of cells) for (const [i, line] of cell.entries()) moved.set(line, y + CLOSER * (longest[i]!.y - y));
}
