/** Tables of PowerPoint 97 to 2003: groups of shapes that say of themselves that they are one, a shape for each cell. */
import { type Atom, atoms } from './ppt-atoms.ts';
import { alignRows, type PlacedCell } from './table-grid.ts';

const GROUP = 0xf003;
const SHAPE = 0xf004;
const PLACE_IN_GROUP = 0xf00f;
const PROPERTIES = new Set([0xf00b, 0xf121, 0xf122]);
/** The property whose lowest bit says that a group is a table ([MS-ODRAW] 2.3.4.37). */
const IS_TABLE = 0x039f;
const PROPERTY_BYTES = 6;
interface Box {
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
  readonly text: string;
}

/**
 * The rows of a group that is a table; undefined for all else.
 * @param textOf the text of a shape
 */
export function tableRows(group: Atom, textOf: (shape: Buffer) => string): string[][] | undefined {
  if (group.type !== GROUP) return undefined;
  const [self, ...shapes] = [...atoms(group.data)].filter(({ type }) => type === SHAPE);
  if (!self || !isTable(self)) return undefined;
  const boxes = shapes.flatMap((shape) => boxOf(shape, textOf) ?? []);
  // Cells beside each other share their edges to the unit, which may be as large as a row.
  const tops = [...new Set(boxes.map(({ top }) => top))].sort((a, b) => a - b);
  const rows = tops.map((top): PlacedCell[] =>
    boxes
      .filter((box) => box.top <= top && box.bottom > top)
      .sort((a, b) => a.left - b.left)
      .map((box) => {
        if (box.top < top) return { text: '', left: box.left, down: 'more' };
        const reaches = tops.some((other) => other > top && other < box.bottom);
        return { text: box.text, left: box.left, ...(reaches ? { down: 'first' } : {}) };
      }),
  );
  const written = rows.filter((row) => row.some(({ text }) => text !== ''));
  return written.length === 0 ? undefined : alignRows(written, 0);
}

function isTable(shape: Atom): boolean {
  for (const { type, instance, data } of atoms(shape.data)) {
    if (!PROPERTIES.has(type)) continue;
    for (let i = 0; i < instance && (i + 1) * PROPERTY_BYTES <= data.length; i++) {
      const at = i * PROPERTY_BYTES;
      if ((data.readUInt16LE(at) & 0x3fff) === IS_TABLE) return (data.readUInt32LE(at + 2) & 1) === 1;
    }
  }
  return false;
}

/** Lines between cells are shapes without text. */
function boxOf(shape: Atom, textOf: (shape: Buffer) => string): Box | undefined {
  const place = [...atoms(shape.data)].find(({ type }) => type === PLACE_IN_GROUP)?.data;
  if (!place || place.length < 16) return undefined;
  const [left, top, right, bottom] = [0, 4, 8, 12].map((at) => place.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  if (right <= left || bottom <= top) return undefined;
  return { left, top, bottom, text: textOf(shape.data).replace(/\s+/gu, ' ').trim() };
}
