/** Excel 5 to 2003 ([MS-XLS]): each sheet a table, as in the newer format. */
import { IbidError } from '../../core/errors.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { openCompoundFile } from './compound-file.ts';
import { repeatMerged, type SheetRow, writeSheet } from './sheet.ts';
import { readSummary } from './summary.ts';
import { TextsBeside } from './xls-beside.ts';
import { type ReadString, SharedStrings, stringAt, stringIn } from './xls-strings.ts';
import { CellFormats } from './xlsx-values.ts';

const BOF = 0x809;
const EOF = 0x0a;
const FILE_PASS = 0x2f;
const CODE_PAGE = 0x42;
const DATE_MODE = 0x22;
const FORMAT = 0x41e;
const XF = 0xe0;
const SHEET = 0x85;
const STRINGS = 0xfc;
const CONTINUE = 0x3c;
const NUMBER = 0x203;
const RK = 0x27e;
const RK_LIST = 0xbd;
const SHARED_LABEL = 0xfd;
const LABEL = 0x204;
const RICH_LABEL = 0xd6;
const BOOLEAN = 0x205;
const FORMULA = 0x06;
const FORMULA_STRING = 0x207;
const MERGED = 0xe5;
/** Versions of the format: Excel 5 and 95 write the first, and programs that export tables still do. */
const BIFF_5 = 0x500;
const BIFF_8 = 0x600;
const WORKSHEET = 0x10;
const ERRORS: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
};

interface BiffRecord {
  readonly type: number;
  readonly data: Buffer;
}

/** @throws IbidError FILE_ENCRYPTED, FILE_UNSUPPORTED (before Excel 5), FILE_DAMAGED, FILE_EMPTY, FILE_TOO_LARGE */
export async function parseXls(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const file = openCompoundFile(bytes);
  const stored = file.stream('Workbook') ?? file.stream('Book');
  if (!stored) throw tooOld();
  const stream = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const builder = new DocumentBuilder('xls', context);
  readSummary(file, builder);
  const book = readGlobals(stream);
  for (const { name, offset } of book.sheets) {
    const beside = new TextsBeside(book.stringAt);
    const rows = readSheet(stream, offset, book, context.maxTextChars, beside);
    if (rows === undefined) builder.warn('SHEET_MISSING', `sheet "${name}" is not in the file`);
    else writeSheet(builder, name, rows, book.sheets.length > 1);
    for (const text of beside.texts(rows ?? [])) builder.block({ kind: 'paragraph' }, text, { sheet: name });
  }
  if (builder.length === 0) {
    if (builder.warnings.length > 0) throw damaged(builder.warnings[0]!.message);
    throw new IbidError('FILE_EMPTY', 'the workbook holds no values');
  }
  builder.metadata.sheets = book.sheets.length;
  return builder.build();
}

interface Workbook {
  readonly sheets: readonly { readonly name: string; readonly offset: number }[];
  readonly strings: readonly string[];
  readonly stringAt: ReadString;
  readonly formats: CellFormats;
  readonly from1904: boolean;
}

const WINDOWS_LATIN = 1252;

/** Records from an offset to the end of their part of the stream. */
function* recordsAt(stream: Buffer, offset: number): Generator<BiffRecord, void, undefined> {
  for (let at = offset; at + 4 <= stream.length; ) {
    const type = stream.readUInt16LE(at);
    const size = stream.readUInt16LE(at + 2);
    if (at + 4 + size > stream.length) return; // cut short: what came before is read
    yield { type, data: stream.subarray(at + 4, at + 4 + size) };
    if (type === EOF) return;
    at += 4 + size;
  }
}

function readGlobals(stream: Buffer): Workbook {
  const formats = new CellFormats();
  const strings = new SharedStrings();
  const sheets: { name: string; offset: number }[] = [];
  let from1904 = false;
  let read: ReadString = stringAt;
  let last: number | undefined;
  for (const { type, data } of recordsAt(stream, 0)) {
    if (last === undefined) {
      if (type !== BOF || data.length < 4) throw damaged('its workbook has no beginning');
      const version = data.readUInt16LE(0);
      if (version === BIFF_5) read = stringIn(WINDOWS_LATIN);
      else if (version !== BIFF_8) throw tooOld();
    }
    if (type === FILE_PASS) {
      throw new IbidError('FILE_ENCRYPTED', 'the workbook needs a password', { hint: 'Save it without a password.' });
    }
    if (type === CODE_PAGE && data.length >= 2 && read !== stringAt) read = stringIn(data.readUInt16LE(0));
    else if (type === DATE_MODE && data.length >= 2) from1904 = data.readUInt16LE(0) === 1;
    else if (type === FORMAT && data.length >= 5) formats.addCode(data.readUInt16LE(0), formatIn(data, read));
    else if (type === XF && data.length >= 4) formats.addStyle(data.readUInt16LE(2));
    else if (type === SHEET && data.length >= 8 && data[5] === 0) {
      sheets.push({ name: read(data, 6, 1), offset: data.readUInt32LE(0) });
    } else if (type === STRINGS || (type === CONTINUE && last === STRINGS)) strings.add(data);
    if (type !== CONTINUE) last = type;
  }
  return { sheets, strings: strings.read(), stringAt: read, formats, from1904 };
}

function readSheet(
  stream: Buffer,
  offset: number,
  book: Workbook,
  maxTextChars: number,
  beside: TextsBeside,
): SheetRow[] | undefined {
  const merged: (readonly [column: number, from: number, to: number])[] = [];
  const wide = new Map<number, Map<number, number>>();
  const rows = new Map<number, string[]>();
  let left = maxTextChars;
  let pending: [row: number, column: number] | undefined;
  let isFirst = true;
  const put = (row: number, column: number, text: string): void => {
    if (text === '' || column >= 256) return;
    left -= text.length;
    if (left < 0) {
      throw new IbidError('FILE_TOO_LARGE', 'the sheet holds more text than allowed', { hint: 'Split the file.' });
    }
    const cells = rows.get(row) ?? [];
    rows.set(row, cells);
    while (cells.length < column) cells.push('');
    cells[column] = text;
  };
  const show = (value: number, style: number): string => book.formats.show(String(value), style, book.from1904);
  for (const { type, data } of recordsAt(stream, offset)) {
    if (isFirst && (type !== BOF || data.length < 4)) return undefined;
    if (isFirst && data.readUInt16LE(2) !== WORKSHEET) return [];
    isFirst = false;
    beside.take(type, data);
    if (type === FORMULA_STRING && pending && data.length >= 3) put(...pending, book.stringAt(data, 0, 2));
    if (data.length < 6) continue;
    const [row, column, style] = [data.readUInt16LE(0), data.readUInt16LE(2), data.readUInt16LE(4)];
    if (type === NUMBER && data.length >= 14) put(row, column, show(data.readDoubleLE(6), style));
    else if (type === RK && data.length >= 10) put(row, column, show(rkAt(data, 6), style));
    else if (type === RK_LIST) {
      for (let i = 0; 4 + 6 * i + 6 <= data.length - 2; i++) {
        put(row, column + i, show(rkAt(data, 6 + 6 * i), data.readUInt16LE(4 + 6 * i)));
      }
    } else if (type === SHARED_LABEL && data.length >= 10) put(row, column, book.strings[data.readUInt32LE(6)] ?? '');
    else if ((type === LABEL || type === RICH_LABEL) && data.length >= 9) put(row, column, book.stringAt(data, 6, 2));
    else if (type === BOOLEAN && data.length >= 8) put(row, column, booleanOf(data[6]!, data[7] === 1));
    else if (type === MERGED) {
      // A count, then areas of a first and a last row and column each.
      for (let at = 2; at + 8 <= data.length; at += 8) {
        const [from, to, first, end] = [0, 2, 4, 6].map((offset) => data.readUInt16LE(at + offset)) as [
          number,
          number,
          number,
          number,
        ];
        merged.push([first, from, to]);
        if (end > first) wide.set(from, (wide.get(from) ?? new Map<number, number>()).set(first, end));
      }
    } else if (type === FORMULA && data.length >= 14) {
      const isNumber = data.readUInt16LE(12) !== 0xffff;
      pending = !isNumber && data[6] === 0 ? [row, column] : undefined;
      if (isNumber) put(row, column, show(data.readDoubleLE(6), style));
      else if (data[6] === 1 || data[6] === 2) put(row, column, booleanOf(data[8]!, data[6] === 2));
    }
  }
  for (const [column, from, to] of merged) repeatMerged(rows, column, from, to);
  return [...rows]
    .map(([row, cells]) => ({ number: row + 1, cells: Array.from(cells, (cell) => cell ?? ''), wide: wide.get(row) }))
    .sort((a, b) => a.number - b.number);
}

/** The code of a format: in the older version its length has one byte. */
function formatIn(data: Buffer, read: ReadString): string {
  return read(data, 2, read === stringAt ? 2 : 1);
}

function booleanOf(value: number, isError: boolean): string {
  if (isError) return ERRORS[value] ?? '#ERROR';
  return value === 1 ? 'TRUE' : 'FALSE';
}

/** A number in 30 bits: an integer or the upper half of a double, perhaps in hundredths. */
function rkAt(data: Buffer, at: number): number {
  const bits = data.readUInt32LE(at);
  const whole = Buffer.alloc(8);
  whole.writeUInt32LE((bits & 0xfffffffc) >>> 0, 4);
  const value = bits & 2 ? data.readInt32LE(at) >> 2 : whole.readDoubleLE(0);
  return bits & 1 ? value / 100 : value;
}

function tooOld(): IbidError {
  return new IbidError('FILE_UNSUPPORTED', 'a file of Excel 4 or earlier', { hint: 'Save it as .xlsx.' });
}

function damaged(what: string): IbidError {
  return new IbidError('FILE_DAMAGED', `the workbook is broken: ${what}`, {
    hint: 'Open it in Excel and save it as .xlsx.',
  });
}
