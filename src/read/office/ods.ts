/** OpenDocument spreadsheets: each sheet a table, as those of Excel; then its boxes, charts and comments. */
import type { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { type Attributes, attribute, type XmlHandler } from '../markup/xml.ts';
import { rowTeller } from './cell-comments.ts';
import { DrawingReader } from './odf-drawing.ts';
import { ObjectReader } from './odf-objects.ts';
import { showCell } from './ods-values.ts';
import { OpenDocument, RaisedSpans, readRunning, SHAPES } from './opendocument.ts';
import { type Allowance, missingValues, nameOfCell, SheetRows, writeSheet } from './sheet.ts';
import type { Shape } from './slides.ts';

/**
 * A formula gives the value that the file was saved with. Hidden sheets are read.
 * @throws IbidError FILE_ENCRYPTED, FILE_DAMAGED, FILE_EMPTY, FILE_TOO_LARGE
 */
export async function parseOds(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const file = new OpenDocument(bytes, context, 'ods');
  const { zip, builder } = file;
  const spans = new RaisedSpans();
  const drawing = new DrawingReader(new ObjectReader(zip, builder, false), spans);
  const { header, footer } = readRunning(file);
  const reader = new BookReader(builder, drawing, new Set([...header, ...footer]), context.maxTextChars);
  file.readBody(reader, (name, attributes) => spans.readStyle(name, attributes));
  reader.finish();
  if (reader.missing > 0) builder.warn(...missingValues(reader.missing, 'LibreOffice'));
  file.refuseEmpty('the spreadsheet');
  builder.metadata.sheets = reader.sheets;
  return builder.build();
}

/** A file may say that a row or a cell repeats a million times; what is written in it is repeated so often. */
const MAX_REPEATED = 1000;

/** Left out with their content: what other programs sent, form controls. */
const SKIPPED = new Set(['dde-links', 'forms']);

interface Sheet {
  readonly name: string;
  readonly rows: SheetRows;
  readonly beside: string[];
  readonly comments: string[];
  /** Whether it is a copy of a sheet of another file, kept for formulas. */
  isCopy: boolean;
}

interface OpenCell {
  readonly attributes: Attributes;
  readonly content: Shape;
  /** Elements that are open inside. */
  depth: number;
}

class BookReader implements Required<XmlHandler> {
  readonly #builder: DocumentBuilder;
  readonly #left: Allowance;
  /** Headers and footers of printed pages, which are said with the first sheet. */
  readonly #running: Iterable<string>;
  readonly #drawing: DrawingReader;
  /** The first sheet waits: it has a heading if another one follows. */
  #waiting: Sheet | undefined;
  #sheet: Sheet | undefined;
  #cell: OpenCell | undefined;
  #skip = 0;
  #row = 1;
  #rowRepeats = 1;
  #column = 0;
  sheets = 0;
  /** Formulas without a value. */
  missing = 0;

  constructor(builder: DocumentBuilder, drawing: DrawingReader, running: Iterable<string>, maxTextChars: number) {
    this.#builder = builder;
    this.#running = running;
    this.#left = { chars: maxTextChars };
    this.#drawing = drawing;
  }

  open(name: string, attributes: Attributes, qualified: string): void {
    if (this.#skip > 0 || SKIPPED.has(name)) {
      this.#skip++;
      return;
    }
    if (this.#cell) this.#cell.depth++;
    if (this.#drawing.isInside || (this.#sheet && SHAPES.has(name))) {
      this.#drawing.open(name, attributes, qualified);
      return;
    }
    switch (name) {
      case 'table':
        this.#row = 1;
        this.#sheet = {
          name: attribute(attributes, 'name') ?? '',
          rows: new SheetRows(this.#left),
          beside: [],
          comments: [],
          isCopy: false,
        };
        break;
      case 'table-source':
        if (this.#sheet) this.#sheet.isCopy = true;
        break;
      case 'table-row':
        this.#column = 0;
        this.#rowRepeats = repeatsOf(attributes, 'number-rows-repeated');
        this.#sheet?.rows.open(this.#row);
        break;
      case 'table-cell':
      case 'covered-table-cell':
        this.#cell = { attributes, content: this.#drawing.begin(), depth: 0 };
        break;
    }
  }

  close(name: string): void {
    if (this.#skip > 0) {
      this.#skip--;
      return;
    }
    if (this.#cell?.depth === 0) this.#endCell(this.#cell);
    else if (this.#drawing.isInside) {
      if (this.#cell) this.#cell.depth--;
      this.#drawing.close(name);
    } else if (name === 'table-row') {
      this.#sheet?.rows.repeat(Math.min(this.#rowRepeats, MAX_REPEATED));
      this.#row += this.#rowRepeats;
    } else if (name === 'table') this.#endSheet();
  }

  text(text: string): void {
    if (this.#skip === 0) this.#drawing.text(text);
  }

  #endCell({ attributes, content }: OpenCell): void {
    this.#drawing.end();
    this.#cell = undefined;
    const column = this.#column;
    const repeats = repeatsOf(attributes, 'number-columns-repeated');
    this.#column += repeats;
    const written = [...content.lines.map((line) => line.text), ...(content.rows ?? []).flat()].join('\n');
    const text = showCell(attributes, written);
    const isFormula = attribute(attributes, 'formula') !== undefined;
    if (text === '' && isFormula && attribute(attributes, 'value-type', 'office') === undefined)
      this.missing += Math.min(repeats, MAX_REPEATED);
    if (!this.#sheet) return;
    for (let i = 0; i < Math.min(repeats, MAX_REPEATED); i++) this.#sheet.rows.add(column + i, text);
    const down = repeatsOf(attributes, 'number-rows-spanned');
    const across = repeatsOf(attributes, 'number-columns-spanned');
    this.#sheet.rows.merge(column, this.#row, this.#row + down - 1, column + across - 1);
    this.#takeShapes(this.#sheet, nameOfCell(this.#row, column));
  }

  #takeShapes({ beside, comments }: Sheet, cell: string): void {
    for (const { role, lines, rows } of this.#drawing.take()) {
      const text = [...lines.map((line) => line.text), ...(rows ?? []).flat()].join('\n');
      if (text === '') continue;
      if (role === 'comment') comments.push(`${cell}: ${text}`);
      else beside.push(text);
    }
  }

  #endSheet(): void {
    const sheet = this.#sheet;
    this.#sheet = undefined;
    if (!sheet) return;
    this.#takeShapes(sheet, '');
    if (sheet.isCopy) return;
    this.sheets++;
    if (this.sheets === 1) this.#waiting = sheet;
    else {
      this.#writeWaiting();
      this.#write(sheet);
    }
  }

  #writeWaiting(): void {
    const first = this.#waiting;
    if (!first) return;
    this.#waiting = undefined;
    this.#write(first);
    for (const text of this.#running) this.#builder.block({ kind: 'paragraph' }, text, { sheet: first.name });
  }

  #write({ name, rows, beside, comments }: Sheet): void {
    const written = rows.finish();
    writeSheet(this.#builder, name, written, this.sheets > 1);
    for (const text of beside) this.#builder.block({ kind: 'paragraph' }, text, { sheet: name });
    this.#builder.block({ kind: 'paragraph' }, comments.map(rowTeller(written)).join('\n'), { sheet: name });
  }

  /** After the last sheet; where the file is cut short, in the midst of one. */
  finish(): void {
    this.#endSheet();
    this.#writeWaiting();
  }
}

function repeatsOf(attributes: Attributes, name: string): number {
  const times = Number(attribute(attributes, name) ?? 1);
  return Number.isInteger(times) && times > 0 ? times : 1;
}
