/**
 * What Word before 2007 says of paragraphs: where the rows of tables end, the edges and merges of their cells, and which
 * paragraphs are headings or in lists.
 */
import { type ListPlace, listPlaceIn } from './doc-lists.ts';
import { modifiersIn, propertyPages } from './doc-properties.ts';
import { outlineIn, type ParagraphStyle } from './doc-styles.ts';
import type { PlacedCell } from './table-grid.ts';

export interface RowShape {
  /** The places of its cells, in order; empty where the file does not say. */
  readonly cells: readonly Omit<PlacedCell, 'text'>[];
  /** Whether it is said again on each page. */
  readonly isHeader: boolean;
}

const IN_TABLE = 0x2416;
const ENDS_ROW = 0x2417;
const DEFINES_CELLS = 0xd608;
const IS_HEADER = 0x3404;
const PROPERTIES_ELSEWHERE = 0x6646;
const CELL_BYTES = 20;

/** What the properties of a paragraph say, by the byte position just after the mark that ends it. */
export interface ParagraphMarks {
  /** The same character ends a cell and a row: only these positions tell an empty cell from the end of a row. */
  readonly rowEnds: ReadonlyMap<number, RowShape>;
  /** Ends of paragraphs inside a cell, which goes on. */
  readonly inCells: ReadonlySet<number>;
  /** Ends of headings, with their level, 1 to 6. */
  readonly headings: ReadonlyMap<number, number>;
  /** Ends of paragraphs in lists. */
  readonly lists: ReadonlyMap<number, ListPlace>;
}

/**
 * @param plc the table of the pages with properties of paragraphs
 * @param data the stream that holds the properties of wide rows
 * @param styles what each style says
 */
export function readParagraphMarks(
  word: Buffer,
  plc: Buffer,
  data: () => Buffer | undefined,
  styles: ReadonlyMap<number, ParagraphStyle>,
): ParagraphMarks {
  const rowEnds = new Map<number, RowShape>();
  const inCells = new Set<number>();
  const headings = new Map<number, number>();
  const lists = new Map<number, ListPlace>();
  for (const page of propertyPages(word, plc)) {
    const paragraphs = page[511]!;
    if (paragraphs * 17 + 4 > 511) continue;
    for (let p = 0; p < paragraphs; p++) {
      const at = page[(paragraphs + 1) * 4 + p * 13]! * 2;
      if (at === 0) continue;
      const half = page[at] ?? 0;
      const from = half === 0 ? at + 2 : at + 1;
      const bytes = half === 0 ? (page[at + 1] ?? 0) * 2 : half * 2 - 1;
      const properties = page.subarray(from + 2, from + bytes);
      const found = placeOf(properties, data);
      const end = page.readUInt32LE((p + 1) * 4);
      const style = from + 2 <= page.length ? (styles.get(page.readUInt16LE(from)) ?? {}) : undefined;
      const level = style && (outlineIn(properties) ?? style.heading);
      if (found.row) rowEnds.set(end, found.row);
      else if (found.inCell) inCells.add(end);
      else if (level) headings.set(end, level);
      const place = { ...style, ...listPlaceIn(properties) };
      if (place.list && !found.row) lists.set(end, place);
    }
  }
  return { rowEnds, inCells, headings, lists };
}

/** The cells of the row that a paragraph ends, and whether it stands in a cell. */
function placeOf(properties: Buffer, data: () => Buffer | undefined): { row?: RowShape; inCell: boolean } {
  let inCell = false;
  let isEnd = false;
  let isHeader = false;
  let cells: RowShape['cells'] = [];
  for (const { modifier, operand } of modifiersIn(properties)) {
    if (modifier === IN_TABLE) inCell = operand[0] === 1;
    else if (modifier === ENDS_ROW) isEnd = operand[0] === 1;
    else if (modifier === DEFINES_CELLS) cells = cellsOf(operand.subarray(2));
    else if (modifier === IS_HEADER) isHeader = operand[0] === 1;
    else if (modifier === PROPERTIES_ELSEWHERE && operand.length >= 4) {
      const far = data();
      const place = operand.readUInt32LE(0);
      // Properties there name no other place.
      if (far && place + 2 <= far.length)
        return placeOf(far.subarray(place + 2, place + 2 + far.readUInt16LE(place)), () => undefined);
    }
  }
  return { ...(isEnd && { row: { cells, isHeader } }), inCell };
}

/** Edges and merges of a row (2.9.315): the number of cells, their edges, and 20 bytes for each. */
function cellsOf(operand: Buffer): RowShape['cells'] {
  const count = operand[0] ?? 0;
  const merges = 1 + (count + 1) * 2;
  if (merges > operand.length) return [];
  return Array.from({ length: count }, (_, i) => {
    const at = merges + i * CELL_BYTES;
    const down = at + 2 <= operand.length ? (operand.readUInt16LE(at) >> 5) & 3 : 0;
    return {
      left: operand.readInt16LE(1 + i * 2),
      ...(down === 1 ? { down: 'more' } : down === 3 ? { down: 'first' } : {}),
    } as const;
  });
}
