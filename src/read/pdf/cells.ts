/** The cells of a row of a PDF table. */
import type { Row } from './layout.ts';
import type { Segment } from './runs.ts';

const CURRENCY = /^[([]?\s*(?:[$€£¥₩₹]|US\$|USD|EUR)\s*[([]?$/u;
const TRAILING = /^[%)\]]+$/u;
const NUMERIC = /^[-–—−+~≈<>(]*\s*(?:[$€£¥₩₹]\s*)?(?:[-–—−(]+\s*)?\d[\d.,\s%()×xX*†‡/:±$€£^−-]*$|^[-–—−*†]+$|^n\/?a$/iu;
const MARKER =
  /^(?:[•●○◦▪■□☐☑☒–—*·‣➢✓✔✗]|\(?(?:\d{1,3}|[a-z]|[ivxl]{1,5})[.)]|\d{1,2}(?:\.\d{1,2}){0,3}\.?|\[\d{1,3}\])$/iu;

/**
 * The cells of a row: its segments, with a currency sign, percent sign or bracket joined to its number, and the mark of an
 * item to its text.
 * @param hasMarks whether marks are a column of their own
 */
export function cellsOf(row: Row, hasMarks: boolean = false): Segment[] {
  const cells: Segment[] = [];
  for (const segment of currencyRight(row.segments)) {
    const before = cells.at(-1);
    if (before && CURRENCY.test(before.text) && /^[-–—−(]?\s*[\d.,–—-]/u.test(segment.text)) {
      cells[cells.length - 1] = merge(before, segment, '');
    } else if (before && TRAILING.test(segment.text)) {
      cells[cells.length - 1] = merge(before, segment, '');
    } else if (!hasMarks && before && cells.length === 1 && isMarker(before.text) && !isNumeric(segment.text)) {
      cells[0] = merge(before, segment, ' ');
    } else {
      cells.push(segment);
    }
  }
  return cells;
}

/** Moves a currency sign at the end of a segment to the number that begins the next: `$360,000 $`, `375,000`. */
function currencyRight(segments: readonly Segment[]): Segment[] {
  const out: Segment[] = [];
  let sign = '';
  for (const [i, segment] of segments.entries()) {
    let text = sign + segment.text;
    sign = '';
    const next = segments[i + 1];
    const tail = /\s([$€£¥])$/u.exec(text);
    if (tail && next && /^[(–—-]?\d/u.test(next.text)) {
      sign = tail[1]!;
      text = text.slice(0, tail.index);
    }
    out.push(text === segment.text ? segment : { ...segment, text });
  }
  return out;
}

export function merge(a: Segment, b: Segment, glue: string): Segment {
  return {
    ...(b.text.length > a.text.length ? b : a),
    x0: Math.min(a.x0, b.x0),
    x1: Math.max(a.x1, b.x1),
    text: a.text + glue + b.text,
  };
}

/** `(ii)`, `3.`, `•` */
export function isMarker(text: string): boolean {
  return MARKER.test(text.trim());
}

export function isNumeric(text: string): boolean {
  return NUMERIC.test(text.trim());
}

/** Whether a row holds values, not titles. */
export function isData(cells: readonly Segment[]): boolean {
  return (
    cells.length >= 2 &&
    numericShare(cells) >= 0.5 &&
    !isYears(cells) &&
    cells.some((cell) => /\d{2}|[$%]/u.test(cell.text))
  );
}

export type Reach = Pick<Segment, 'x0' | 'x1'>;

/** Overlap of two cells, as a share of the narrower one. */
export function over(a: Reach, b: Reach): number {
  return (Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0)) / Math.max(1, Math.min(a.x1 - a.x0, b.x1 - b.x0));
}

export function numericShare(cells: readonly Segment[]): number {
  const data = isNumeric(cells[0]!.text) ? cells : cells.slice(1);
  return data.filter((cell) => isNumeric(cell.text)).length / Math.max(data.length, 1);
}

export function isYears(cells: readonly Segment[]): boolean {
  const data = cells.filter((cell) => isNumeric(cell.text));
  return data.length > 0 && data.every((cell) => /^(?:19|20)\d\d\*?$/u.test(cell.text.trim()));
}
