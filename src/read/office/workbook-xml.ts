/** Workbooks in one file of XML, which Excel 2003 and many programs of offices write: each sheet a table. */
import { known } from '../../core/known.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { type Attributes, attribute, readXml, type XmlHandler } from '../markup/xml.ts';
import { rowTeller } from './cell-comments.ts';
import { type Allowance, nameOfCell, SheetRows, writeSheet } from './sheet.ts';
import { CellFormats } from './xlsx-values.ts';

const SPREADSHEET =
  /^\s*(?:<\?[^>]*>\s*|<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:\w+:)?Workbook\s[^>]*urn:schemas-microsoft-com:office:spreadsheet/;

export function isWorkbookXml(source: string): boolean {
  return SPREADSHEET.test(source.slice(0, 4000));
}

/** @throws IbidError FILE_TOO_LARGE */
export function parseWorkbookXml(source: string, context: Pick<ParseContext, 'maxTextChars'>): ParsedDocument {
  const builder = new DocumentBuilder('xml', context);
  const reader = new WorkbookReader({ chars: context.maxTextChars });
  // The declaration may name another encoding than that of this text.
  const problem = readXml(Buffer.from(source.replace(/^\s*<\?xml[^>]*>/, '')), reader);
  if (problem !== undefined) builder.warn('XML_BROKEN', problem);
  for (const { name, rows, comments } of reader.sheets) {
    const written = rows.finish();
    writeSheet(builder, name, written, reader.sheets.length > 1);
    for (const comment of comments.map(rowTeller(written)))
      builder.block({ kind: 'paragraph' }, comment, { sheet: name });
  }
  builder.metadata.sheets = reader.sheets.length;
  return builder.build();
}

/** Formats that have names here. */
const NAMED: Readonly<Record<string, string>> = { Percent: '0%' };

class WorkbookReader implements XmlHandler {
  readonly sheets: { readonly name: string; readonly rows: SheetRows; readonly comments: string[] }[] = [];
  readonly #left: Allowance;
  readonly #formats = new CellFormats();
  /** By their id: the place among the formats. */
  readonly #styles = new Map<string, number>();
  #styleId = '';
  #row = 0;
  #column = -1;
  /** The last column of a cell that reaches over several. */
  #last = -1;
  #style = -1;
  #type = '';
  #text = '';
  #comment: string | undefined;
  #inData = false;

  constructor(left: Allowance) {
    this.#left = left;
  }

  open(name: string, attributes: Attributes): void {
    const sheet = this.sheets.at(-1);
    const index = Number(attribute(attributes, 'Index') ?? 0);
    if (name === 'Style') this.#styleId = attribute(attributes, 'ID') ?? '';
    else if (name === 'NumberFormat') this.#addStyle(attribute(attributes, 'Format') ?? '');
    else if (name === 'Worksheet') {
      this.sheets.push({ name: attribute(attributes, 'Name') ?? '', rows: new SheetRows(this.#left), comments: [] });
      this.#row = 0;
    } else if (name === 'Row') {
      this.#row = index > this.#row ? index : this.#row + 1;
      this.#last = -1;
      sheet?.rows.open(this.#row);
    } else if (name === 'Cell') {
      this.#column = index - 1 > this.#last ? index - 1 : this.#last + 1;
      this.#last = this.#column + Number(attribute(attributes, 'MergeAcross') ?? 0);
      const down = Number(attribute(attributes, 'MergeDown') ?? 0);
      if (down > 0 || this.#last > this.#column)
        sheet?.rows.merge(this.#column, this.#row, this.#row + down, this.#last);
      this.#style = this.#styles.get(attribute(attributes, 'StyleID') ?? '') ?? -1;
    } else if (name === 'Comment') this.#comment = '';
    else if (name === 'Data') {
      this.#inData = true;
      this.#text = '';
      this.#type = attribute(attributes, 'Type') ?? '';
    }
  }

  text(text: string): void {
    if (this.#inData) this.#text += text;
  }

  close(name: string): void {
    const sheet = this.sheets.at(-1);
    if (name === 'Data') {
      this.#inData = false;
      if (this.#comment === undefined) sheet?.rows.add(this.#column, this.#show());
      else this.#comment += this.#text;
    } else if (name === 'Comment') {
      const said = this.#comment?.trim() ?? '';
      if (said !== '') sheet?.comments.push(`${nameOfCell(this.#row, this.#column)}: ${said}`);
      this.#comment = undefined;
    }
  }

  #addStyle(format: string): void {
    const place = this.#styles.size;
    this.#formats.addCode(place, known(NAMED, format) ?? format);
    this.#formats.addStyle(place);
    this.#styles.set(this.#styleId, place);
  }

  #show(): string {
    if (this.#type === 'Boolean') return this.#text === '1' ? 'TRUE' : 'FALSE';
    if (this.#type === 'DateTime')
      return this.#text
        .replace(/\.0+$/, '')
        .replace(/T00:00:00$/, '')
        .replace('T', ' ');
    return this.#type === 'Number' ? this.#formats.show(this.#text, this.#style, false) : this.#text;
  }
}
