/**
 * Tables of two columns whose labels stand in the middle of what they name, which has several lines: read line by line,
 * the label would stand within the sentence.
 */
import { isMarker, isNumeric } from './cells.ts';
import type { Segment } from './runs.ts';

const FEWEST_CELLS = 3;
const FEWEST_CENTRED = 2;
const FEWEST_LINES = 6;
/** Of two gaps: how much wider that between cells is than that between lines of a cell. */
const WIDER = 1.25;
/** Of a line's distance from the next: so far from the middle a label may be, and so far from the first line it is. */
const OFF_MIDDLE = 0.15;
const OFF_FIRST = 0.3;
const LONGEST_LABEL = 40;
const MOST_LABEL_LINES = 3;
/** In font sizes: lines further apart have others between them. */
const MOST_LEADING = 1.7;
/** Of the characters of their texts: columns of prose have more. */
const LABEL_SHARE = 0.6;
/** Mean characters of a line of text. */
const PROSE = 20;

interface Cell {
  readonly lines: readonly Segment[];
  readonly labels: readonly Segment[];
}

/** Moves such labels beside the first line of their text, and texts of fewer lines beside the first one of their label. */
export function levelLabels(segments: readonly Segment[]): readonly Segment[] {
  const moved = new Map<Segment, number>();
  const byHeight = segments.toSorted((a, b) => a.y - b.y);
  for (const column of columnsOf(byHeight)) {
    const leading = leadingOf(column);
    if (leading > MOST_LEADING * column[0]!.size) continue;
    let run: Cell[] = [];
    const close = (): void => {
      if (isCentred(run, leading)) for (const cell of run) level(cell, moved);
      run = [];
    };
    for (const lines of cellsOf(column, leading)) {
      const labels = labelsOf(lines, leading, byHeight);
      if (labels === undefined) close();
      else run.push({ lines, labels });
    }
    close();
  }
  return moved.size === 0 ? segments : segments.map((one) => ({ ...one, y: moved.get(one) ?? one.y }));
}

/** Lines that begin at one place, where they are many and long. */
function columnsOf(segments: readonly Segment[]): Segment[][] {
  const byEdge = Map.groupBy(segments, ({ x0 }) => Math.round(x0 / 2));
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

/** What stands before a cell, line by line; undefined where nothing does, or more than a label. */
function labelsOf(lines: readonly Segment[], leading: number, byHeight: readonly Segment[]): Segment[] | undefined {
  const [top, bottom] = [lines[0]!.y - leading, lines.at(-1)!.y + leading];
  const left = Math.min(...lines.map(({ x0 }) => x0)) - 2;
  const from = firstFrom(byHeight, top);
  const labels = byHeight.slice(from, firstFrom(byHeight, bottom, from)).filter(({ x0 }) => x0 < left);
  const isLabel = ({ x1, text }: Segment, i: number): boolean =>
    x1 < left &&
    text.length <= LONGEST_LABEL &&
    /\p{L}/u.test(text) &&
    !isMarker(text) &&
    !isNumeric(text) &&
    (i === 0 || labels[i]!.y - labels[i - 1]!.y > 0.5 * leading);
  return labels.length > 0 && labels.length <= MOST_LABEL_LINES && labels.every(isLabel) ? labels : undefined;
}

const lengthOf = (lines: readonly Segment[]): number => lines.reduce((sum, { text }) => sum + text.length, 0);
const middle = (lines: readonly Segment[]): number => (lines[0]!.y + lines.at(-1)!.y) / 2;

/** Whether all labels stand in the middle of their texts, and some of them therefore beside no first line. */
function isCentred(run: readonly Cell[], leading: number): boolean {
  if (run.length < FEWEST_CELLS) return false;
  const isInMiddle = ({ lines, labels }: Cell): boolean =>
    Math.abs(middle(lines) - middle(labels)) < OFF_MIDDLE * leading;
  const lower = run.filter(({ lines, labels }) => Math.abs(labels[0]!.y - lines[0]!.y) > OFF_FIRST * leading);
  const [labels, lines] = [run.flatMap((cell) => cell.labels), run.flatMap((cell) => cell.lines)];
  if (lengthOf(labels) > LABEL_SHARE * lengthOf(lines) || !areAligned(labels)) return false;
  return run.every(isInMiddle) && lower.length >= FEWEST_CENTRED;
}

/** At their left, at their right or in their middle. */
function areAligned(labels: readonly Segment[]): boolean {
  const isOne = (edgeOf: (label: Segment) => number): boolean => {
    const edges = labels.map(edgeOf);
    return Math.max(...edges) - Math.min(...edges) < 2;
  };
  return isOne(({ x0 }) => x0) || isOne(({ x1 }) => x1) || isOne(({ x0, x1 }) => (x0 + x1) / 2);
}

function level({ lines, labels }: Cell, moved: Map<Segment, number>): void {
  const [few, many] = labels.length <= lines.length ? [labels, lines] : [lines, labels];
  for (const [i, one] of few.entries()) moved.set(one, many[i]!.y);
}
