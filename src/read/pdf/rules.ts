/** The straight lines that a page draws: those between the cells of its tables are among them. */
import { getResolvedPDFJS } from 'unpdf';
import type { Operators } from './glyphs.ts';
import { isNumbers, type Matrix, times } from './matrix.ts';
import type { DrawnText } from './runs.ts';

/** A line from left to right or from top to bottom, in the coordinates of upright text. */
export interface Rule {
  readonly isUpright: boolean;
  /** Of an upright line its x, else its y. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** A filled box that is thinner is a line. */
const THICKEST = 2.5;
const SHORTEST = 3;
/** Lines of text with pieces below each other. */
const FEWEST_ALIGNED = 3;
/** A drawing has more. */
const MOST_RULES = 5000;
/** Operators of a path and how many numbers each takes; a curve is no line. */
const [MOVE, LINE, CURVE, QUADRATIC] = [0, 1, 2, 3];

/** Whether two lines of text have pieces far apart, or one has three: only such a page can have rows of a table. */
export function mayHaveTable(items: readonly DrawnText[]): boolean {
  const ends = new Map<number, number>();
  const gaps = new Map<number, number>();
  for (const { str, transform, width, height } of items) {
    if (str.trim() === '') continue;
    const [, , , , x = 0, y = 0] = transform;
    const line = Math.round(y / 2);
    const end = ends.get(line);
    if (end !== undefined && Math.abs(x - end) > height / 2) gaps.set(line, (gaps.get(line) ?? 0) + 1);
    ends.set(line, x + width);
  }
  return gaps.size > 1 || [...gaps.values()].some((n) => n > 1);
}

/** Whether pieces behind a gap begin below each other in three lines or more, as the cells of a table do. */
export function mayHaveColumns(items: readonly DrawnText[]): boolean {
  const ends = new Map<number, number>();
  const begun = new Map<number, Set<number>>();
  for (const { str, transform, width, height } of items) {
    if (str.trim() === '') continue;
    const [, , , , x = 0, y = 0] = transform;
    const line = Math.round(y / 2);
    const end = ends.get(line);
    ends.set(line, x + width);
    if (end === undefined || x - end <= height / 2) continue;
    const place = Math.round(x);
    for (const near of [place - 1, place, place + 1]) {
      const lines = begun.get(near) ?? new Set();
      begun.set(near, lines.add(line));
      if (lines.size >= FEWEST_ALIGNED) return true;
    }
  }
  return false;
}

/** The lines of a page, without those of its notes and form fields; none where they are not known. */
export async function rulesOf(operators: Operators): Promise<Rule[]> {
  const rules: Rule[] = [];
  try {
    const { OPS } = await getResolvedPDFJS();
    const { fnArray, argsArray } = await operators();
    const strokes = new Set([OPS.stroke, OPS.closeStroke, OPS.fillStroke, OPS.eoFillStroke, OPS.closeFillStroke]);
    const fills = new Set([OPS.fill, OPS.eoFill]);
    const saved: Matrix[] = [];
    let matrix: Matrix = [1, 0, 0, 1, 0, 0];
    let isNote = false;
    for (const [i, operator] of fnArray.entries()) {
      const args: unknown = argsArray[i];
      if (operator === OPS.beginAnnotation) isNote = true;
      else if (operator === OPS.endAnnotation) isNote = false;
      else if (operator === OPS.save) saved.push(matrix);
      else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) matrix = saved.pop() ?? matrix;
      else if (operator === OPS.transform) matrix = times(matrix, args);
      else if (operator === OPS.paintFormXObjectBegin) {
        saved.push(matrix);
        matrix = times(matrix, Array.isArray(args) ? args[0] : undefined);
      } else if (operator === OPS.constructPath && !isNote && Array.isArray(args)) {
        const [paint, paths] = args as [number, unknown];
        if (!strokes.has(paint) && !fills.has(paint)) continue;
        for (const path of Array.isArray(paths) ? paths : [])
          for (const points of subpaths(path, matrix)) rules.push(...linesOf(points, strokes.has(paint)));
        if (rules.length > MOST_RULES) return [];
      }
    }
  } catch {
    return []; // the text is known all the same
  }
  return rules;
}

type Point = readonly [x: number, y: number];

/** The corners of each part of a path that has no curve. */
function subpaths(path: unknown, [a, b, c, d, e, f]: Matrix): Point[][] {
  if (!isNumbers(path)) return [];
  const numbers = [...path];
  const parts: Point[][] = [];
  let part: Point[] = [];
  let isStraight = true;
  const close = (): void => {
    if (isStraight && part.length > 1) parts.push(part);
    part = [];
    isStraight = true;
  };
  for (let i = 0; i < numbers.length; i++) {
    const operator = numbers[i]!;
    if (operator === CURVE || operator === QUADRATIC) {
      isStraight = false;
      i += operator === CURVE ? 6 : 4;
    } else if (operator === MOVE || operator === LINE) {
      if (operator === MOVE) close();
      const [x, y] = [numbers[++i]!, numbers[++i]!];
      part.push([a * x + c * y + e, -(b * x + d * y + f)]);
    } else if (part.length > 0) part.push(part[0]!); // the part is closed
  }
  close();
  return parts;
}

function linesOf(points: readonly Point[], isStroked: boolean): Rule[] {
  const whole = lineOf(points);
  if (whole) return [whole];
  return isStroked ? points.slice(1).flatMap((point, i) => lineOf([points[i]!, point]) ?? []) : [];
}

/** The line that a thin box is. */
function lineOf(points: readonly Point[]): Rule | undefined {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  if (y1 - y0 <= THICKEST && x1 - x0 >= SHORTEST && x1 - x0 > y1 - y0)
    return { isUpright: false, at: (y0 + y1) / 2, from: x0, to: x1 };
  if (x1 - x0 <= THICKEST && y1 - y0 >= SHORTEST) return { isUpright: true, at: (x0 + x1) / 2, from: y0, to: y1 };
  return undefined;
}
