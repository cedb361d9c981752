/** Comments on cells stand below the table of their sheet, each with what its row says. */
import { guessHeaderRows } from './ooxml.ts';
import { nameOfCell, type SheetRow } from './sheet.ts';

/** A longer row is said by its first cell and the one with the comment. */
const LONGEST_ROW = 120;

/**
 * Makes `C3: raised in May` to `C3 (Unit: A2, Tenant: Bo Lind, Rent: 395): raised in May`. What does not begin with the
 * name of a cell stays as it is.
 * @param rows of the sheet, in order
 */
export function rowTeller(rows: readonly SheetRow[]): (comment: string) => string {
  let places: ReadonlyMap<number, Place> | undefined;
  return (comment) => {
    const [name = '', letters = '', digits] = /^([A-Z]{1,3})(\d{1,7})(?=: )/u.exec(comment) ?? [];
    places ??= placesOf(rows);
    const place = places.get(Number(digits));
    if (!place) return comment;
    const column = [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1;
    if (nameOfCell(place.row.number, column) !== name) return comment;
    const said = place.row.cells.flatMap((cell, i) => {
      const [value, title] = [oneLine(cell), oneLine(place.names[i] ?? '')];
      return value === '' ? [] : [{ i, text: title === '' ? value : `${title}: ${value}` }];
    });
    const text = comment.slice(name.length).replace(/^(: [^\n:]{1,60}:)\n/u, '$1 '); // Excel begins a line behind the author
    if (said.length < 2) return name + text;
    const row = said.map((cell) => cell.text).join(', ');
    const short = said.filter(({ i }, j) => j === 0 || i === column).map((cell) => cell.text);
    return `${name} (${row.length > LONGEST_ROW ? short.join(', ') : row})${text}`;
  };
}

interface Place {
  readonly row: SheetRow;
  /** Of the columns; none over the names themselves. */
  readonly names: readonly string[];
}

/** Rows by their number, each with the names over it: those of its table, which an empty row ends. */
function placesOf(rows: readonly SheetRow[]): Map<number, Place> {
  const places = new Map<number, Place>();
  let names: readonly string[] | undefined;
  for (const [i, row] of rows.entries()) {
    if (row.number !== (rows[i - 1]?.number ?? -1) + 1) names = undefined;
    places.set(row.number, { row, names: names ?? [] });
    const isTitle = row.cells.filter((cell) => cell.trim() !== '').length < 2;
    const below = rows[i + 1]?.cells ?? [];
    if (names === undefined && !isTitle) names = guessHeaderRows([row.cells, below]) > 0 ? row.cells : [];
  }
  return places;
}

function oneLine(cell: string): string {
  return cell.replace(/\s+/gu, ' ').trim();
}
