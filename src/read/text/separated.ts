/** Tables of separated values in files of plain text, as spreadsheets and databases export them. */

/** Separators, and how many of them a line has at least: one `;` or `|` may be part of a sentence. */
const SEPARATORS: readonly (readonly [sign: string, fewest: number])[] = [
  ['\t', 1],
  [';', 2],
  ['|', 2],
];
const FEWEST_LINES = 3;
const LONGEST_NAME = 60;
/** A number, a sum or a date. */
const FIGURE = /^[^\p{L}]*\d[^\p{L}]*(?:\p{Sc}|[A-Z]{3}|Z)?$/u;

/** Whether all lines have as many cells, below names that differ, and figures stand in one column or more. */
export function isSeparated(source: string): boolean {
  const begin = source
    .slice(0, 10_000)
    .trimStart()
    .split(/\r?\n|\r/, 1)[0]!;
  return SEPARATORS.some(([sign, fewest]) => {
    const names = begin.split(sign).map((cell) => cell.trim());
    return names.length > fewest && areNames(names) && isRegular(source, sign, names.length);
  });
}

/** Longer cells are not looked at: the pattern may try each digit. */
function isFigure(cell: string): boolean {
  return cell.length <= LONGEST_NAME && FIGURE.test(cell.trim());
}

function areNames(cells: readonly string[]): boolean {
  return (
    new Set(cells).size === cells.length &&
    cells.every((cell) => /\p{L}/u.test(cell) && cell.length <= LONGEST_NAME && !isFigure(cell) && !/[.:]$/.test(cell))
  );
}

function isRegular(source: string, sign: string, columns: number): boolean {
  const figures = new Array<number>(columns).fill(0);
  let lines = 0;
  for (let at = 0; at < source.length; ) {
    const next = source.indexOf('\n', at);
    const end = next === -1 ? source.length : next;
    const line = source.slice(at, end).replace(/\r$/, '');
    at = end + 1;
    if (line.trim() === '') continue;
    const cells = line.split(sign);
    if (cells.length !== columns) return false;
    if (lines++ > 0) for (const [i, cell] of cells.entries()) if (isFigure(cell)) figures[i]!++;
  }
  return lines >= FEWEST_LINES && figures.some((count) => count > (lines - 1) / 2);
}
