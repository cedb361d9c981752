/** Rows of a table that a page breaks: their cells go on at the top of the next page, below an empty first cell. */

const FEWEST_WORDS = 3;

/**
 * The last row of a page with what the first row of the next one adds to its cells.
 * @returns undefined where that is a row of its own
 */
export function joinedRow(above: string, below: string): string | undefined {
  const cells = above.split(' | ');
  const rest = below.replace(/^\| /u, ' | ').split(' | ');
  if (rest.length < 2 || rest.length > cells.length || rest[0]!.trim() !== '') return undefined;
  const goesOn = rest.every((text, i) => text.trim() === '' || isRest(cells[i]!, text.trim()));
  return goesOn ? cells.map((cell, i) => `${cell} ${rest[i]?.trim() ?? ''}`.trim()).join(' | ') : undefined;
}

function isRest(cell: string, rest: string): boolean {
  if (cell.trim() === '') return false;
  return (
    /^\p{Ll}/u.test(rest) ||
    (!/[.!?:;]$/u.test(cell) && cell.split(' ').length >= FEWEST_WORDS && !/^\p{N}/u.test(rest))
  );
}
