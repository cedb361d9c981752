/** Word 6 and 95: one stream, characters of one byte, and modifiers of one byte. */
import type { ListPlace } from './doc-lists.ts';
import type { ParagraphMarks, RowShape } from './doc-rows.ts';
import type { Piece } from './doc-story.ts';

/** First word of the header, which is shorter than that of Word 97. */
export const IDENT_95 = 0xa5dc;
export const HEADER_BYTES_95 = 0x168;
/** Where the header counts the characters of each story. */
export const COUNTS_95 = 0x34;

const TEXT = 0x18;
const STYLES = 0x60;
const PARAGRAPHS = 0xc0;
const PIECES = 0x160;
const PAGE_BYTES = 512;
/** The text of a file that was saved by changes stands in pieces. */
const HAS_PIECES = 4;
const IN_TABLE = 24;
const ENDS_ROW = 25;
/** Bytes of the operands of the modifiers up to `ENDS_ROW`, from number 2 on; 0: a length stands before. */
const OPERAND_BYTES = [2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 2, 2, 2, 2, 4, 2, 2, 0, 1, 1];
const LAST_HEADING = 9;

/** A part of the stream that the header names. */
function partAt(word: Buffer, at: number): Buffer {
  const start = word.readUInt32LE(at);
  return word.subarray(start, start + word.readUInt32LE(at + 4));
}

/** The table of pieces; undefined where the text stands in one piece. */
export function pieceTable95(word: Buffer): Buffer | undefined {
  return word.readUInt16LE(10) & HAS_PIECES ? partAt(word, PIECES) : undefined;
}

/** @param count characters of all stories */
export function onePiece95(word: Buffer, count: number): Piece {
  const offset = word.readUInt32LE(TEXT);
  return { start: 0, count: Math.min(count, Math.max(0, word.length - offset)), offset, width: 1 };
}

/** As `readParagraphMarks` finds them in later files; lists stand in the text. */
export function paragraphMarks95(word: Buffer): ParagraphMarks {
  const rowEnds = new Map<number, RowShape>();
  const inCells = new Set<number>();
  const headings = new Map<number, number>();
  const lists = new Map<number, ListPlace>();
  const styles = headingStyles(partAt(word, STYLES));
  for (const page of pagesOf(word)) {
    const paragraphs = page[PAGE_BYTES - 1]!;
    if (paragraphs * 11 + 4 >= PAGE_BYTES) continue;
    for (let p = 0; p < paragraphs; p++) {
      const at = page[(paragraphs + 1) * 4 + p * 7]! * 2;
      if (at === 0 || at + 3 > PAGE_BYTES) continue;
      const end = page.readUInt32LE((p + 1) * 4);
      const { inTable, endsRow } = placeIn(page.subarray(at + 3, at + 1 + page[at]! * 2));
      const level = styles.get(page.readUInt16LE(at + 1));
      if (endsRow) rowEnds.set(end, { cells: [], isHeader: false });
      else if (inTable) inCells.add(end);
      else if (level !== undefined) headings.set(end, level);
    }
  }
  return { rowEnds, inCells, headings, lists };
}

/** The pages of properties that the table of paragraphs names; those outside of the file are skipped. */
function* pagesOf(word: Buffer): Generator<Buffer> {
  const table = partAt(word, PARAGRAPHS);
  const count = Math.max(0, Math.floor((table.length - 4) / 6));
  for (let i = 0; i < count; i++) {
    const page = table.readUInt16LE((count + 1) * 4 + i * 2) * PAGE_BYTES;
    if (page + PAGE_BYTES <= word.length) yield word.subarray(page, page + PAGE_BYTES);
  }
}

/** Modifiers stand in the order of their numbers. */
function placeIn(properties: Buffer): { readonly inTable: boolean; readonly endsRow: boolean } {
  let inTable = false;
  for (let at = 0; at + 2 <= properties.length; ) {
    const modifier = properties[at]!;
    if (modifier === IN_TABLE) inTable = properties[at + 1] === 1;
    if (modifier === ENDS_ROW) return { inTable, endsRow: properties[at + 1] === 1 };
    const bytes = OPERAND_BYTES[modifier - 2];
    if (bytes === undefined) break;
    at += bytes === 0 ? 2 + properties[at + 1]! : 1 + bytes;
  }
  return { inTable, endsRow: false };
}

/** Levels, 1 to 6, of the styles that every Word has for headings, by the number of the style. */
function headingStyles(sheet: Buffer): ReadonlyMap<number, number> {
  const levels = new Map<number, number>();
  if (sheet.length < 2) return levels;
  let at = 2 + sheet.readUInt16LE(0);
  for (let number = 0; at + 4 <= sheet.length; number++) {
    const length = sheet.readUInt16LE(at);
    const built = length === 0 ? 0 : sheet.readUInt16LE(at + 2) & 0xfff;
    if (built >= 1 && built <= LAST_HEADING) levels.set(number, Math.min(6, built));
    at += 2 + length + (length & 1);
  }
  return levels;
}
