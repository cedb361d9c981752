import type { Span } from '../../../core/types.ts';

const mostChars = 80;
/** `Europe`, `Current assets:`, `IV. Reserves`: no item, heading or sentence. */
const groupLine = /^(?![-*+•>#=])(?=.*\p{L})[^|\t\n]*[^|\t.!?;,。！？]$/u;
const cellBorder = /\||\t/;
/** Lines of names that stand above one row, as `Assets` and `Current assets`. */
export const mostGroupLines = 2;

/** Whether a line may name the rows below it, as one that is merged over all columns of a table does. */
export function isGroupLine(line: string): boolean {
  const own = line.trim();
  return own !== '' && own.length <= mostChars && groupLine.test(own);
}

/**
 * Whether a table goes on below names of a group: its rows are parted by signs, the row has no more cells than they, and
 * figures where they have.
 * @param lines of the table so far
 */
export function goesOnBelow(
  text: string,
  lines: readonly Span[],
  row: string,
  hasFigures: (row: string) => boolean,
): boolean {
  const rows = lines.map(({ start, end }) => text.slice(start, end));
  if (!cellBorder.test(row) || !cellBorder.test(rows.at(-1) ?? '')) return false;
  const cells = (line: string): number => line.trim().split(cellBorder).length;
  return cells(row) <= Math.max(...rows.map(cells)) && (hasFigures(row) || !rows.some(hasFigures));
}
