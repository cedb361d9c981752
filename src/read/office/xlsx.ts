/** Excel: each sheet a table, one line for each row, with `sheet` and `rows` locators; then its boxes and comments. */
import { IbidError } from '../../core/errors.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { type Attributes, attribute, type XmlHandler } from '../markup/xml.ts';
import { RaisedText } from '../raised.ts';
import { rowTeller } from './cell-comments.ts';
import { textsBeside, writeBeside } from './drawings.ts';
import { includeEmbedded } from './embedded.ts';
import { openOffice, readPart, readRelationships, unescapeCell } from './ooxml.ts';
import { type Allowance, missingValues, SheetRows, writeSheet } from './sheet.ts';
import { runningText } from './sheet-running.ts';
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
      // Dialogs and macros of old versions are sheets too.
      if (relation && relation.type !== 'worksheet' && relation.type !== 'chartsheet') return;
      sheets.push({ name: attribute(attributes, 'name') ?? '', part: relation?.target ?? '' });
    },
  });
  const part = (type: string): string =>
    [...relations.values()].find((relation) => relation.type === type)?.target ?? '';
  const strings: string[] = [];
  readPart(zip, part('sharedStrings'), builder, sharedStrings(strings));
  const formats = new CellFormats();
  readPart(zip, part('styles'), builder, formats.handler);
  const said = new Set<string>();
  const left = { chars: context.maxTextChars };
  let missing = 0;
  for (const sheet of sheets) {
    const reader = new SheetReader(strings, formats, from1904, left);
    if (!readPart(zip, sheet.part, builder, reader))
      builder.warn('SHEET_MISSING', `sheet "${sheet.name}" is not in the file`);
    const rows = reader.rows.finish();
    writeSheet(builder, sheet.name, rows, sheets.length > 1);
    const related = sheet.part === '' ? [] : [...readRelationships(zip, sheet.part).values()];
    for (const { lines, tables } of textsBeside(zip, related, builder))
      writeBeside(builder, { lines: lines.map(rowTeller(rows)), tables }, { sheet: sheet.name });
    missing += reader.missing;
    for (const text of reader.running.map(runningText)) {
      if (!said.has(text)) builder.block({ kind: 'paragraph' }, text, { sheet: sheet.name });
      said.add(text);
    }
    await includeEmbedded(zip, related, builder, context, sheet.name);
  }
  if (missing > 0) builder.warn(...missingValues(missing, 'Excel'));
  if (builder.length === 0) {
    const broken = builder.warnings[0];
    if (broken) throw new IbidError('FILE_DAMAGED', broken.message, { hint: 'Open it in Excel and save it again.' });
    throw new IbidError('FILE_EMPTY', 'the workbook holds no values');
  }
  builder.metadata.sheets = sheets.length;
  return builder.build();
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

class SheetReader implements XmlHandler {
  readonly rows: SheetRows;
  readonly #strings: readonly string[];
  readonly #formats: CellFormats;
  readonly #from1904: boolean;
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

  constructor(strings: readonly string[], formats: CellFormats, from1904: boolean, left: Allowance) {
    this.#strings = strings;
    this.#formats = formats;
    this.#from1904 = from1904;
    this.rows = new SheetRows(left);
  }

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case 'row': {
        const given = Number(attribute(attributes, 'r'));
        this.#row = Number.isInteger(given) && given > this.#row ? given : this.#row + 1;
        this.#column = -1;
        this.rows.open(this.#row);
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
        if (this.#type === 'str') this.#isUnsaid = false; // an empty text is a value
        this.#inValue = !this.#phonetic;
        break;
      case 'mergeCell':
        this.#merge(attribute(attributes, 'ref') ?? '');
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
    if (name === 'c' && this.#isUnsaid && this.#value === '') this.missing++;
    if (name === 'c') this.#isUnsaid = false;
    if (name === 'c') this.rows.add(this.#column, this.#show());
  }

  #merge(area: string): void {
    const match = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/u.exec(area);
    const [column, last] = [columnOf(match?.[1] ?? ''), columnOf(match?.[3] ?? '')];
    if (match && column !== undefined && last !== undefined)
      this.rows.merge(column, Number(match[2]), Number(match[4]), last);
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
}

/** `C7` or `C` → 2. */
function columnOf(reference: string): number | undefined {
  const letters = /^[A-Z]{1,3}/u.exec(reference)?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
