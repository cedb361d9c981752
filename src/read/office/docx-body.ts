/** Reads the body of a Word document, or its notes, headers and footers: paragraphs and tables. */

import { SpannedCells } from '../data/spanned-cells.ts';
import { type Attributes, attribute, type XmlHandler } from '../markup/xml.ts';
import { FormFieldReader } from './docx-fields.ts';
import type { Numbering } from './docx-numbering.ts';
import type { Styles } from './docx-styles.ts';
import { FormulaReader } from './formula.ts';
import { foldTable } from './ooxml.ts';
import { isSymbolFont, readSymbols, symbolOf } from './symbols.ts';

interface Paragraph {
  readonly kind: 'heading' | 'list' | 'paragraph' | 'quote' | 'code' | 'reference';
  readonly level: number;
  readonly text: string;
}

/** A paragraph or table of the body. `page` counts from 1; 0 without a page. */
export interface Item {
  readonly page: number;
  readonly notes: readonly string[];
  readonly title?: boolean;
  readonly paragraph?: Paragraph;
  readonly rows?: readonly (readonly string[])[];
  readonly headerRows?: number;
  /** Relationship of another document that stands here. */
  readonly inner?: string;
}

interface OpenParagraph {
  text: string;
  style: string;
  list: string;
  level: number;
  outline: number | undefined;
  /** Page of its first text: a page break may come before the text in the same paragraph. */
  page: number;
  readonly notes: string[];
}

interface OpenTable {
  readonly rows: string[][];
  headerRows: number;
  readonly page: number;
  readonly notes: string[];
  readonly spanned: SpannedCells;
  /** How the current cell is merged with those below or above. */
  merge: 'none' | 'restart' | 'continue';
  /** Columns that the current cell reaches over. */
  columns: number;
  /** Columns that the current row leaves out before and after its cells. */
  gridBefore: number;
  gridAfter: number;
}

/** Word's last column. */
const MAX_COLUMNS = 63;

function columnsOf(value: string | undefined, otherwise: number): number {
  return Math.min(MAX_COLUMNS, Number(value ?? otherwise) || otherwise);
}

/**
 * Elements that are left out with their content: deleted or moved text, field instructions, the second copy of a
 * drawing.
 */
const SKIPPED = new Set([
  'del',
  'moveFrom',
  'delText',
  'delInstrText',
  'instrText',
  'Fallback',
  'fldData',
  'rt',
  'sdtPr',
  'tblPrChange',
  'rPrChange',
  'pPrChange',
  'docPr',
]);

/** Collects the items of a body, or of each note of a notes part. */
export class BodyReader implements XmlHandler {
  readonly notes: Map<string, Item[]> = new Map();
  readonly #styles: Styles;
  readonly #numbering: Numbering;
  readonly #noteKind: string | undefined;
  readonly #paragraphs: OpenParagraph[] = [];
  readonly #tables: OpenTable[] = [];
  #items: Item[] = [];
  #floating: Item[] = [];
  #skip = 0;
  readonly #fields = new FormFieldReader();
  readonly #formula = new FormulaReader();
  #inText = false;
  #hidden = false;
  #font = '';
  #properties = 0;
  #page = 1;
  #setBreak = false;
  #sawRendered = false;

  constructor(styles: Styles, numbering: Numbering, noteKind?: string) {
    this.#styles = styles;
    this.#numbering = numbering;
    this.#noteKind = noteKind;
  }

  finish(): Item[] {
    while (this.#paragraphs.length > 0) this.#endParagraph();
    while (this.#tables.length > 0) this.#endTable();
    return this.#items;
  }

  open(name: string, attributes: Attributes, qualified: string): void {
    if (this.#skip > 0 || SKIPPED.has(name)) {
      this.#skip++;
      return;
    }
    const value = attribute(attributes, 'val');
    const paragraph = this.#paragraphs.at(-1);
    this.#fields.open(name, attributes);
    if (paragraph) this.#formula.open(qualified, attributes, paragraph.text);
    switch (name) {
      case 'p':
        this.#paragraphs.push({
          text: '',
          style: '',
          list: '',
          level: -1,
          outline: undefined,
          page: this.#page,
          notes: [],
        });
        break;
      case 'r':
        this.#hidden = false;
        this.#font = '';
        break;
      case 'rFonts':
        if (this.#properties === 1) this.#font = attribute(attributes, 'ascii') ?? '';
        break;
      case 'rPr':
      case 'pPr':
        this.#properties++;
        break;
      case 'vanish':
        if (this.#properties === 1 && value !== '0' && value !== 'false') this.#hidden = true;
        break;
      case 't':
        this.#inText = true;
        break;
      case 'tab':
      case 'ptab':
        if (this.#properties === 0) this.#write(' ');
        break;
      case 'sym':
        this.#write(
          symbolOf(attribute(attributes, 'font') ?? '', Number.parseInt(attribute(attributes, 'char') ?? '', 16)),
        );
        break;
      case 'altChunk':
        this.#items.push({ page: this.#page, notes: [], inner: attribute(attributes, 'id', 'r') ?? '' });
        break;
      case 'br':
      case 'cr':
        if (attribute(attributes, 'type') === 'page') this.#breakPage(false);
        else this.#write('\n');
        break;
      case 'lastRenderedPageBreak':
        this.#breakPage(true);
        break;
      case 'noBreakHyphen':
        this.#write('-');
        break;
      case 'pStyle':
        if (paragraph) paragraph.style = value ?? '';
        break;
      case 'numId':
        if (paragraph) paragraph.list = value ?? '';
        break;
      case 'ilvl':
        if (paragraph) paragraph.level = Number(value ?? 0);
        break;
      case 'outlineLvl':
        if (paragraph) paragraph.outline = Number(value ?? 9);
        break;
      case 'tbl':
        this.#tables.push({
          rows: [],
          headerRows: 0,
          page: this.#page,
          notes: [],
          spanned: new SpannedCells(),
          merge: 'none',
          columns: 1,
          gridBefore: 0,
          gridAfter: 0,
        });
        break;
      case 'tr':
        this.#tables.at(-1)?.rows.push([]);
        break;
      case 'tblHeader': {
        const table = this.#tables.at(-1);
        if (table && table.headerRows === table.rows.length - 1) table.headerRows++;
        break;
      }
      case 'gridBefore':
      case 'gridAfter': {
        const table = this.#tables.at(-1);
        if (table) table[name] = columnsOf(value, 0);
        break;
      }
      case 'tc': {
        const table = this.#tables.at(-1);
        if (!table) break;
        this.#skipColumns(table, 'gridBefore');
        table.rows.at(-1)?.push('');
        Object.assign(table, { merge: 'none', columns: 1 });
        break;
      }
      case 'vMerge': {
        const table = this.#tables.at(-1);
        if (table) table.merge = value === 'restart' ? 'restart' : 'continue';
        break;
      }
      case 'gridSpan': {
        const table = this.#tables.at(-1);
        if (table) table.columns = columnsOf(value, 1);
        break;
      }
      case 'footnoteReference':
      case 'endnoteReference':
      case 'commentReference':
        paragraph?.notes.push(`${name.slice(0, -9)} ${attribute(attributes, 'id') ?? ''}`);
        break;
      case this.#noteKind: {
        const type = attribute(attributes, 'type');
        this.#items = [];
        if (type === undefined || type === 'normal') this.notes.set(attribute(attributes, 'id') ?? '', this.#items);
        break;
      }
    }
  }

  close(name: string, qualified: string): void {
    if (this.#skip > 0) {
      this.#skip--;
      return;
    }
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph) paragraph.text = this.#formula.close(qualified, paragraph.text);
    this.#write(this.#fields.close(name));
    if (name === 'p') this.#endParagraph();
    else if (name === 't') this.#inText = false;
    else if (name === 'rPr' || name === 'pPr') {
      this.#properties--;
      if (name === 'pPr') this.#hidden = false;
    } else if (name === 'tc') this.#endCell();
    else if (name === 'tr') this.#endRow();
    else if (name === 'tbl') this.#endTable();
  }

  text(text: string): void {
    if (this.#skip === 0 && this.#inText) this.#write(isSymbolFont(this.#font) ? readSymbols(this.#font, text) : text);
  }

  /** Counts a page break. For most breaks of the author Word also writes a rendered break: such a pair counts once. */
  #breakPage(rendered: boolean): void {
    if (rendered) this.#sawRendered = true;
    if (rendered && this.#setBreak) this.#setBreak = false;
    else {
      this.#page++;
      this.#setBreak = !rendered;
    }
  }

  /** Whether Word left marks of its pages; without them page numbers would be guesses. */
  get paged(): boolean {
    return this.#sawRendered;
  }

  #write(text: string): void {
    if (text.trim() !== '') this.#setBreak = false;
    const paragraph = this.#paragraphs.at(-1);
    if (!paragraph || this.#hidden) return;
    if (paragraph.text === '') paragraph.page = this.#page;
    paragraph.text += text;
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (!paragraph) return;
    const { page, notes } = paragraph;
    const text = paragraph.text
      .replace(/[^\S\n]+/gu, ' ')
      .replace(/ ?\n ?/gu, '\n')
      .trim();
    // A text box inside a paragraph is a paragraph of its own, after the paragraph that holds it.
    const nested = this.#paragraphs.length > 0;
    const table = this.#tables.at(-1);
    if (table && !nested) {
      const row = table.rows.at(-1);
      const floating = this.#floating.splice(0);
      const boxes = floating.map((item) => item.paragraph?.text ?? '');
      const whole = [text, ...boxes].filter((piece) => piece !== '').join(' ');
      if (row && row.length > 0) row[row.length - 1] = `${row.at(-1)!} ${whole}`.trim();
      table.notes.push(...notes, ...floating.flatMap((item) => item.notes));
      return;
    }
    const item: Item = {
      page,
      notes,
      title: this.#styles.name(paragraph.style) === 'title',
      paragraph: this.#shape(paragraph, text),
    };
    if (nested) {
      this.#floating.push(item);
      return;
    }
    if (text !== '' || notes.length > 0) this.#items.push(item);
    this.#items.push(...this.#floating.splice(0));
  }

  #shape(paragraph: OpenParagraph, text: string): Paragraph {
    const name = this.#styles.name(paragraph.style);
    let { list, level } = paragraph;
    for (const style of this.#styles.chain(paragraph.style)) {
      if (list === '') list = style.list;
      if (level < 0 && style.list !== '') level = style.level;
      if (list !== '') break;
    }
    const marker = text === '' || list === '' || list === '0' ? '' : this.#numbering.next(list, Math.max(0, level));
    const outline =
      paragraph.outline !== undefined && paragraph.outline < 9 ? Math.min(6, paragraph.outline + 1) : undefined;
    const heading = name === 'title' ? 1 : (outline ?? this.#styles.headingLevel(paragraph.style));
    const numbered = marker === '' || (heading !== undefined && marker === '-') ? text : `${marker} ${text}`;
    if (heading !== undefined && text.length < 500) return { kind: 'heading', level: heading, text: numbered };
    if (/^toc \d|^table of figures/u.test(name)) return { kind: 'reference', level: 0, text };
    if (marker !== '' || /^list (?:bullet|number|paragraph)/u.test(name))
      return { kind: 'list', level: 0, text: numbered };
    if (/quote/u.test(name)) return { kind: 'quote', level: 0, text };
    if (/\bcode\b|html preformatted|source text/u.test(name)) return { kind: 'code', level: 0, text };
    return { kind: 'paragraph', level: 0, text };
  }

  #endCell(): void {
    const table = this.#tables.at(-1);
    const row = table?.rows.at(-1);
    if (!table || !row || row.length === 0) return;
    const { spanned, merge, columns } = table;
    const text = row.at(-1)!;
    for (let i = 0; i < columns; i++) {
      if (i > 0) row.push('');
      if (merge !== 'continue')
        spanned.begin(row.length - 1, i === 0 ? text : '', merge === 'restart' ? Number.POSITIVE_INFINITY : 1);
    }
  }

  /** Columns without a cell stay empty: no cell from above reaches into them. */
  #skipColumns(table: OpenTable, side: 'gridBefore' | 'gridAfter'): void {
    const row = table.rows.at(-1);
    if (!row) return;
    for (; table[side] > 0; table[side]--) {
      table.spanned.begin(row.length, '', 1);
      row.push('');
    }
  }

  #endRow(): void {
    const table = this.#tables.at(-1);
    if (!table) return;
    table.gridBefore = 0;
    this.#skipColumns(table, 'gridAfter');
    table.spanned.endRow(table.rows.at(-1) ?? []);
  }

  #endTable(): void {
    const table = this.#tables.pop();
    if (!table) return;
    if (foldTable(table.rows, this.#tables.at(-1)?.rows.at(-1))) return;
    this.#items.push({ page: table.page, notes: table.notes, rows: table.rows, headerRows: table.headerRows });
  }
}
