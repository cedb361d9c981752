/** Reads the body of a Word document, or its notes, headers and footers: paragraphs and tables. */

import { type Attributes, attribute, type XmlHandler } from '../markup/xml.ts';
import { RaisedText } from '../raised.ts';
import { alternativeText, describedAs } from './alternative-text.ts';
import { FormFieldReader } from './docx-fields.ts';
import { type Numbering, nested } from './docx-numbering.ts';
import { PAGE_MARK, type PageBreak, withoutMarks } from './docx-pages.ts';
import { type OpenParagraph, setProperty } from './docx-paragraph.ts';
import { isOn, type Styles } from './docx-styles.ts';
import { DocxTable } from './docx-table.ts';
import { FormulaReader } from './formula.ts';
import { foldedRows, foldTable } from './ooxml.ts';
import { isSymbolFont, readSymbols, symbolOf } from './symbols.ts';
import type { Wide } from './wide-cells.ts';

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
  /** An empty paragraph stands before it. */
  readonly isApart?: boolean;
  readonly paragraph?: Paragraph;
  /** Whether all of the paragraph is set in bold letters. */
  readonly isBold?: boolean;
  /** Later pages of the paragraph. */
  readonly breaks?: readonly PageBreak[];
  readonly rows?: string[][];
  readonly wide?: readonly Wide[];
  /** Of each row that has text. */
  readonly rowPages?: readonly (number | undefined)[];
  readonly headerRows?: number;
  /** Relationship of another document that stands here. */
  readonly inner?: string;
}

/** What is drawn in files that were made before 2007. */
const VML = /^v:(?:shape|rect|roundrect|oval|line|polyline|arc|curve|group|image)$/;

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
]);

/** Collects the items of a body, or of each note of a notes part. */
export class BodyReader implements XmlHandler {
  readonly notes: Map<string, Item[]> = new Map();
  readonly #styles: Styles;
  readonly #numbering: Numbering;
  readonly #noteKind: string | undefined;
  readonly #paragraphs: OpenParagraph[] = [];
  readonly #tables: DocxTable[] = [];
  #items: Item[] = [];
  #unended: Pick<OpenParagraph, 'text' | 'page' | 'lastPage' | 'notes'> | undefined;
  #floating: Item[] = [];
  /** Paragraphs with text that is left out because it is hidden. */
  readonly hidden: Set<OpenParagraph> = new Set();
  #skip = 0;
  readonly #fields = new FormFieldReader();
  readonly #formula = new FormulaReader();
  readonly #raised = new RaisedText();
  #isRaised = false;
  #inText = false;
  #isInLine = false;
  /** Of a run; its style decides where it does not say. */
  #hidden: boolean | undefined;
  #bold: boolean | undefined;
  #font = '';
  #properties = 0;
  #isApart = false;
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
    this.#endUnended();
    while (this.#tables.length > 0) this.#endTable();
    return this.#items;
  }

  open(name: string, attributes: Attributes, qualified: string): void {
    if (this.#skip > 0 || SKIPPED.has(name)) {
      const ending = this.#paragraphs.at(-1);
      if (ending && name === 'del' && this.#skip === 0 && this.#properties === 2) ending.goesOn = true;
      this.#skip++;
      return;
    }
    const value = attribute(attributes, 'val');
    const paragraph = this.#paragraphs.at(-1);
    this.#fields.open(name, attributes);
    if (paragraph) this.#formula.open(qualified, attributes, paragraph.text);
    this.#beginPart(name, attributes);
    this.#formatRun(name, attributes, value);
    if (paragraph) setProperty(paragraph, name, attributes, value);
    this.#tables.at(-1)?.open(name, value);
    this.#writeSign(name, attributes);
    this.#describePicture(name, attributes, qualified);
  }

  #beginPart(name: string, attributes: Attributes): void {
    switch (name) {
      case 'p':
        this.#beginParagraph();
        break;
      case 'r':
        this.#isRaised = false;
        this.#hidden = undefined;
        this.#bold = undefined;
        this.#font = '';
        break;
      case 't':
        this.#inText = true;
        break;
      case 'rPr':
      case 'pPr':
        this.#properties++;
        break;
      case 'tbl':
        this.#endUnended();
        this.#tables.push(new DocxTable(this.#page, this.#paragraphs.length));
        break;
      case 'altChunk':
        this.#items.push({ page: this.#page, notes: [], inner: attribute(attributes, 'id', 'r') ?? '' });
        break;
      case this.#noteKind: {
        const type = attribute(attributes, 'type');
        this.#items = [];
        if (type === undefined || type === 'normal') this.notes.set(attribute(attributes, 'id') ?? '', this.#items);
        break;
      }
    }
  }

  #beginParagraph(): void {
    this.#paragraphs.push({
      text: '',
      style: '',
      list: '',
      level: -1,
      outline: undefined,
      page: this.#page,
      lastPage: this.#page,
      notes: [],
      boxes: this.#floating.length,
      isPlain: false,
      goesOn: false,
      ...this.#unended,
    });
    this.#unended = undefined;
  }

  /** How the text of a run is set. */
  #formatRun(name: string, attributes: Attributes, value: string | undefined): void {
    if (name === 'rStyle') {
      this.#bold ??= this.#styles.isBold(value ?? '');
      if (this.#styles.isHidden(value ?? '')) this.#hidden ??= true;
    }
    if (this.#properties !== 1) return; // inside two: how the mark of a paragraph's end is set
    if (name === 'rFonts') this.#font = attribute(attributes, 'ascii') ?? '';
    else if (name === 'vertAlign') this.#isRaised = value === 'superscript';
    else if (name === 'vanish') this.#hidden = isOn(value);
    else if (name === 'b') this.#bold = isOn(value);
  }

  /** A character that is an element: a break, a tab, a symbol. */
  #writeSign(name: string, attributes: Attributes): void {
    switch (name) {
      case 'tab':
      case 'ptab':
        if (this.#properties === 0) this.#write(' ');
        break;
      case 'noBreakHyphen':
        this.#write('-');
        break;
      case 'sym': {
        const code = Number.parseInt(attribute(attributes, 'char') ?? '', 16);
        this.#write(symbolOf(attribute(attributes, 'font') ?? '', code));
        break;
      }
      case 'br':
      case 'cr': {
        const isPage = attribute(attributes, 'type') === 'page';
        if (isPage) this.#breakPage(false);
        // A break before the first word decides nothing but the page of the paragraph.
        if (!isPage || this.#paragraphs.at(-1)?.text) this.#write('\n');
        break;
      }
      case 'lastRenderedPageBreak':
        this.#breakPage(true);
        break;
      case 'textpath': // WordArt and watermarks of files that were made before 2010
        this.#write(` ${attributes.string ?? ''} `);
        break;
    }
  }

  #describePicture(name: string, attributes: Attributes, qualified: string): void {
    if (name === 'inline' || name === 'anchor') this.#isInLine = name === 'inline';
    else if (name === 'docPr') this.#describe(describedAs(attributes));
    else if (VML.test(qualified)) {
      this.#isInLine = true; // of files that were made before 2007
      this.#describe(alternativeText(undefined, attributes.alt));
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
      if (name === 'pPr') this.#hidden = undefined;
    } else if (name === 'tc') {
      this.#endUnended();
      this.#tables.at(-1)?.endCell();
    } else if (name === 'tr') this.#tables.at(-1)?.endRow();
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
    if (!paragraph || this.#fields.isInstruction) return;
    if (this.#hidden ?? this.#styles.isHidden(paragraph.style)) {
      if (text.trim() !== '') this.hidden.add(paragraph);
      return;
    }
    if (paragraph.text === '') paragraph.page = this.#page;
    else paragraph.text += PAGE_MARK.repeat(this.#page - paragraph.lastPage);
    paragraph.lastPage = this.#page;
    paragraph.isPlain ||= text.trim() !== '' && !(this.#bold ?? this.#styles.isBold(paragraph.style) ?? false);
    paragraph.text += this.#raised.read(paragraph.text, text, this.#isRaised);
  }

  /** Writes what a picture shows: in its place among words, or after the paragraph on whose page it stands. */
  #describe(text: string): void {
    if (text === '' || this.#hidden) return;
    if (this.#isInLine) this.#write(` ${text} `);
    else this.#floating.push({ page: this.#page, notes: [], paragraph: { kind: 'paragraph', level: 0, text } });
  }

  /** Ends a paragraph whose end is deleted, where no other one goes on with it. */
  #endUnended(): void {
    if (!this.#unended) return;
    this.open('p', {}, 'w:p');
    this.#endParagraph();
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (!paragraph) return;
    const { page, notes } = paragraph;
    this.#fields.endParagraph();
    if (paragraph.goesOn && this.#paragraphs.length === 0) {
      const { text, lastPage } = paragraph;
      this.#unended = text === '' && notes.length === 0 ? undefined : { text, page, lastPage, notes };
      return;
    }
    const [text, breaks] = withoutMarks(paragraph.text, page);
    // A text box inside a paragraph is a paragraph of its own, after the paragraph that holds it.
    const nested = this.#paragraphs.length > 0;
    const table = this.#tables.at(-1);
    if (table?.boxed === this.#paragraphs.length) {
      const floating = this.#floating.splice(paragraph.boxes);
      const boxes = floating.map((item) => item.paragraph?.text ?? foldedRows(item.rows ?? []));
      const whole = [text, ...boxes].filter((piece) => piece !== '').join(' ');
      table.write(whole, page);
      table.notes.push(...notes, ...floating.flatMap((item) => item.notes));
      return;
    }
    const item: Item = {
      page,
      notes,
      title: this.#styles.name(paragraph.style) === 'title',
      paragraph: this.#shape(paragraph, text),
      isBold: !paragraph.isPlain,
      ...(breaks.length > 0 && { breaks }),
      ...(this.#isApart && { isApart: true }),
    };
    if (nested) {
      this.#floating.push(item);
      return;
    }
    if (text !== '' || notes.length > 0) this.#items.push(item);
    this.#isApart = text === '';
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
      return { kind: 'list', level: 0, text: nested(marker, Math.max(0, level)) + numbered };
    if (/quote/u.test(name)) return { kind: 'quote', level: 0, text };
    if (/\bcode\b|html preformatted|source text/u.test(name)) return { kind: 'code', level: 0, text };
    return { kind: 'paragraph', level: 0, text };
  }

  #endTable(): void {
    const table = this.#tables.pop();
    if (!table) return;
    const { page, notes, rows, wide, headerRows, rowPages, boxed } = table;
    const outer = this.#tables.at(-1);
    if (outer?.boxed === boxed && foldTable(rows, outer.rows.at(-1))) outer.notes.push(...notes);
    else (boxed > 0 ? this.#floating : this.#items).push({ page, notes, rows, wide, headerRows, rowPages });
  }
}
