/** Cells as one line, without empty cells at the end. */
export function joinCells(cells: readonly string[]): string {
  let end = cells.length;
  while (end > 0 && cells[end - 1] === '') end--;
  return cells.slice(0, end).join(' | ').trim();
}
