/** Excel: each sheet a table, one line for each row, with `sheet` and `rows` locators; then its boxes and comments. */
import { IbidError } from '../../core/errors.ts';
import type { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { type Attributes, attribute, type XmlHandler } from '../markup/xml.ts';
import { RaisedText } from '../raised.ts';
import { textsBeside } from './drawings.ts';
import { guessHeaderRows, openOffice, readPart, readRelationships, rowText, unescapeCell } from './ooxml.ts';
import { CellFormats } from './xlsx-values.ts';

interface SheetEntry {
  readonly name: string;
  readonly part: string;
}

/**
 * A formula gives the value that the file was saved with. Hidden sheets are read.
 * @throws IbidError FILE_ENCRYPTED, FILE_DAMAGED, FILE_EMPTY, FILE_TOO_LARGE
 */
export async function parseXlsx(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const { zip, builder, main, relations } = openOffice(bytes, context, 'xlsx', 'xl/workbook.xml');
  const sheets: SheetEntry[] = [];
  let from1904 = false;
  readPart(zip, main, builder, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(?:1|true)$/u.test(attribute(attributes, 'date1904') ?? '');
      if (name !== 'sheet') return;
      const relation = relations.get(attribute(attributes, 'id', 'r') ?? '');
      if (relation?.type !== 'worksheet' && relation?.type !== 'chartsheet') return;
      sheets.push({ name: attribute(attributes, 'name') ?? '', part: relation.target });
    },
  });
  const part = (type: string): string =>
    [...relations.values()].find((relation) => relation.type === type)?.target ?? '';
  const strings: string[] = [];
  readPart(zip, part('sharedStrings'), builder, sharedStrings(strings));
  const formats = new CellFormats();
  readPart(zip, part('styles'), builder, formats.handler);
  const said = new Set<string>();
  let missing = 0;
  for (const sheet of sheets) {
    const reader = new SheetReader(strings, formats, from1904, context.maxTextChars);
    if (!readPart(zip, sheet.part, builder, reader))
      builder.warn('SHEET_MISSING', `sheet "${sheet.name}" is not in the file`);
    writeSheet(builder, sheet.name, reader.finish(), sheets.length > 1);
    for (const lines of textsBeside(zip, readRelationships(zip, sheet.part).values(), builder))
      builder.block({ kind: 'paragraph' }, lines.join('\n'), { sheet: sheet.name });
    missing += reader.missing;
    for (const text of reader.running.map(runningText)) {
      if (!said.has(text)) builder.block({ kind: 'paragraph' }, text, { sheet: sheet.name });
      said.add(text);
    }
  }
  if (missing > 0) {
    const cells = missing === 1 ? '1 formula has' : `${missing} formulas have`;
    builder.warn('FORMULA_VALUES_MISSING', `${cells} no value in the file: open it in Excel and save it again`);
  }
  if (builder.length === 0) {
    const broken = builder.warnings[0];
    if (broken) throw new IbidError('FILE_DAMAGED', broken.message, { hint: 'Open it in Excel and save it again.' });
    throw new IbidError('FILE_EMPTY', 'the workbook holds no values');
  }
  builder.metadata.sheets = sheets.length;
  return builder.build();
}

/** A header or footer of printed pages without its codes; '' for one that counts pages. */
function runningText(code: string): string {
  const text = code
    .replace(/&"[^"]*"|&K(?:[\dA-F]{6}|\d\d[+-]\d{3})|&\d+/giu, '')
    .replace(/&[LCR]/gu, '\n')
    .replace(/&([^&])|&(&)/gu, (_, __, ampersand: string | undefined) => ampersand ?? '')
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n\s*/gu, '\n')
    .trim();
  return /^(?:page|of|\P{L})*$/iu.test(text) ? '' : text;
}

export interface SheetRow {
  /** Row number in the spreadsheet, from 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

/** Writes the rows of a sheet. An empty row ends a table, because one sheet often holds several tables. */
export function writeSheet(builder: DocumentBuilder, sheet: string, rows: readonly SheetRow[], heading: boolean): void {
  const first = rows[0];
  if (!first) return;
  if (heading) {
    const span = builder.block({ kind: 'heading', level: 1 }, sheet, { sheet });
    if (!span) return;
  }
  let group: SheetRow[] = [];
  for (const row of rows) {
    const last = group.at(-1);
    if (last && row.number > last.number + 1) {
      writeRows(builder, sheet, group);
      group = [];
    }
    group.push(row);
  }
  writeRows(builder, sheet, group);
}

function writeRows(builder: DocumentBuilder, sheet: string, rows: readonly SheetRow[]): void {
  const columns = usedColumns(rows);
  const table = rows.map((row) => columns.map((column) => row.cells[column] ?? ''));
  // A title above the table ("Revenue by region") is alone in its row; the header follows.
  const lead = Math.min(
    2,
    table.findIndex((cells) => cells.filter((cell) => cell.trim() !== '').length > 1),
  );
  const guessed = lead < 0 ? 0 : guessHeaderRows(table.slice(lead, lead + 2));
  const headerRows = guessed === 0 ? 0 : lead + guessed;
  let separator = builder.length > 0 ? '\n\n' : '';
  let start = -1;
  let headerEnd = -1;
  for (const [i, row] of rows.entries()) {
    builder.append(separator);
    const span = builder.append(rowText(table[i]!));
    builder.locate(span, { sheet, rows: [row.number, row.number] });
    if (start === -1) start = span.start;
    if (i < headerRows) headerEnd = span.end;
    separator = '\n';
  }
  const shape = columns.length < 2 ? ({ kind: 'paragraph' } as const) : ({ kind: 'table' } as const);
  const header = headerEnd === -1 ? {} : { header: { start, end: headerEnd } };
  builder.mark({ start, end: builder.length }, { ...shape, ...header });
}

function usedColumns(rows: readonly SheetRow[]): number[] {
  const used = new Set<number>();
  for (const row of rows) {
    for (const [column, cell] of row.cells.entries()) if (cell.trim() !== '') used.add(column);
  }
  return [...used].sort((a, b) => a - b);
}

function sharedStrings(into: string[]): XmlHandler {
  let current = '';
  let inText = false;
  let phonetic = false;
  const raised = new RaisedText();
  let isRaised = false;
  return {
    open(name, attributes) {
      if (name === 'si') current = '';
      else if (name === 'r') isRaised = false;
      else if (name === 'vertAlign') isRaised = attribute(attributes, 'val') === 'superscript';
      else if (name === 'rPh') phonetic = true;
      inText = name === 't' && !phonetic;
    },
    text(text) {
      if (inText) current += raised.read(current, text, isRaised);
    },
    close(name) {
      inText = false;
      if (name === 'rPh') phonetic = false;
      else if (name === 'si') into.push(unescapeCell(current));
    },
  };
}

/** Excel's last column is XFD; cells beyond are ignored. */
const MAX_COLUMNS = 16_384;
/** The value of a merged area repeats in its rows, at most in this many. */
const MAX_MERGED_ROWS = 1000;

class SheetReader implements XmlHandler {
  readonly #rows: { number: number; cells: string[] }[] = [];
  readonly #merged: string[] = [];
  readonly #strings: readonly string[];
  readonly #formats: CellFormats;
  readonly #from1904: boolean;
  #left: number;
  #row = 0;
  #column = -1;
  #type = '';
  #style = 0;
  #value = '';
  #inValue = false;
  #phonetic = false;
  #isUnsaid = false;
  #isRunning = false;
  /** Formulas without a value. */
  missing = 0;
  /** Headers and footers of printed pages. */
  readonly running: string[] = [];

  constructor(strings: readonly string[], formats: CellFormats, from1904: boolean, maxTextChars: number) {
    this.#strings = strings;
    this.#formats = formats;
    this.#from1904 = from1904;
    this.#left = maxTextChars;
  }

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case 'row': {
        const given = Number(attribute(attributes, 'r'));
        this.#row = Number.isInteger(given) && given > this.#row ? given : this.#row + 1;
        this.#column = -1;
        this.#rows.push({ number: this.#row, cells: [] });
        break;
      }
      case 'c': {
        const place = columnOf(attribute(attributes, 'r') ?? '');
        this.#column = place !== undefined && place > this.#column ? place : this.#column + 1;
        this.#type = attribute(attributes, 't') ?? 'n';
        this.#style = Number(attribute(attributes, 's') ?? 0);
        this.#value = '';
        break;
      }
      case 'rPh':
        this.#phonetic = true;
        break;
      case 'f':
        this.#isUnsaid = true;
        break;
      case 'oddHeader':
      case 'evenHeader':
      case 'firstHeader':
      case 'oddFooter':
      case 'evenFooter':
      case 'firstFooter':
        this.#isRunning = true;
        this.running.push('');
        break;
      case 'v':
      case 't':
        this.#isUnsaid = false;
        this.#inValue = !this.#phonetic;
        break;
      case 'mergeCell':
        this.#merged.push(attribute(attributes, 'ref') ?? '');
        break;
    }
  }

  text(text: string): void {
    if (this.#inValue) this.#value += text;
    else if (this.#isRunning) this.running[this.running.length - 1] += text;
  }

  close(name: string): void {
    this.#inValue = false;
    this.#isRunning = false;
    if (name === 'rPh') this.#phonetic = false;
    if (name === 'c' && this.#isUnsaid) this.missing++;
    if (name === 'c') this.#isUnsaid = false;
    if (name !== 'c' || this.#column >= MAX_COLUMNS) return;
    const text = this.#show();
    if (text === '') return;
    const cells = this.#rows.at(-1)?.cells;
    if (!cells) return;
    while (cells.length < this.#column) cells.push('');
    cells[this.#column] = text;
    this.#left -= text.length;
    if (this.#left < 0) {
      throw new IbidError('FILE_TOO_LARGE', 'the sheet holds more text than allowed', {
        hint: 'Split the file, or raise maxTextChars.',
      });
    }
  }

  #show(): string {
    switch (this.#type) {
      case 's':
        return this.#strings[Number(this.#value)] ?? '';
      case 'b':
        return this.#value === '1' ? 'TRUE' : 'FALSE';
      case 'n':
        return this.#formats.show(this.#value, this.#style, this.#from1904);
      default:
        return unescapeCell(this.#value);
    }
  }

  /** The rows that are not empty. The value of a merged area repeats in its first column. */
  finish(): SheetRow[] {
    const byNumber = new Map(this.#rows.map((row) => [row.number, row.cells]));
    for (const reference of this.#merged) {
      const match = /^([A-Z]+)(\d+):[A-Z]+(\d+)$/u.exec(reference);
      const column = columnOf(match?.[1] ?? '');
      if (!match || column === undefined) continue;
      repeatMerged(byNumber, column, Number(match[2]), Number(match[3]));
    }
    return this.#rows
      .map(({ number, cells }) => ({ number, cells: Array.from(cells, (cell) => cell ?? '') }))
      .filter((row) => row.cells.some((cell) => cell.trim() !== ''));
  }
}

/**
 * Says the value of a merged area in each of its rows that holds something.
 * @param rows by their number
 */
export function repeatMerged(rows: ReadonlyMap<number, string[]>, column: number, from: number, to: number): void {
  const value = rows.get(from)?.[column] ?? '';
  if (value === '') return;
  for (let row = from + 1; row <= Math.min(to, from + MAX_MERGED_ROWS); row++) {
    const cells = rows.get(row);
    if (!cells?.some((cell) => cell !== '' && cell !== undefined)) continue;
    while (cells.length <= column) cells.push('');
    cells[column] = value;
  }
}

/** `C7` or `C` → 2. */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/u.exec(reference)?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
