/** Word: paragraphs, headings by style, lists with their numbers, tables by row, notes beside what they note. */
import { IbidError } from '../../core/errors.ts';
import type { BlockKind } from '../../core/types.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { createNumbering, type Numbering } from './docx-numbering.ts';
import {
  guessHeaderRows,
  mainPart,
  openPackage,
  readPart,
  readProperties,
  readRelationships,
  writeTable,
} from './ooxml.ts';
import { type Attributes, attribute, type XmlHandler } from './xml.ts';

/**
 * Accepted text: insertions are in, deletions and hidden text out. `page` locators are those Word last laid out, and
 * only where it left marks of them.
 * @throws IbidError FILE_ENCRYPTED, FILE_DAMAGED, FILE_EMPTY, FILE_TOO_LARGE
 */
export async function parseDocx(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const zip = openPackage(bytes, context);
  const builder = new DocumentBuilder('docx', context);
  const main = mainPart(zip, 'word/document.xml');
  readProperties(zip, builder);
  const related = [...readRelationships(zip, main).values()];
  const part = (type: string): string => related.find((relation) => relation.type === type)?.target ?? '';
  const styles = new Styles();
  readPart(zip, part('styles'), builder, styles.handler);
  const numbering = createNumbering();
  readPart(zip, part('numbering'), builder, numbering.handler);
  const notes = new Map<string, Item[]>();
  for (const kind of ['footnote', 'endnote', 'comment'] as const) {
    const reader = new BodyReader(styles, numbering, kind);
    readPart(zip, part(`${kind}s`), builder, reader);
    for (const [id, items] of reader.notes) notes.set(`${kind} ${id}`, items);
  }
  const furniture = (type: string): Item[] =>
    distinct(
      related
        .filter((relation) => relation.type === type)
        .flatMap(({ target }) => {
          const reader = new BodyReader(styles, numbering);
          readPart(zip, target, builder, reader);
          return reader.finish();
        }),
    );
  const header = furniture('header');
  const footer = furniture('footer');
  const body = new BodyReader(styles, numbering);
  readPart(zip, main, builder, body);
  const items = body.finish();
  const writer = new Writer(
    builder,
    notes,
    items.some((item) => item.page > 1),
  );
  for (const item of header) writer.write({ ...item, page: 0 });
  for (const item of items) writer.write(item);
  for (const item of footer) writer.write({ ...item, page: 0 });
  if (builder.length === 0) {
    const broken = builder.warnings[0];
    if (broken) throw new IbidError('FILE_DAMAGED', broken.message, { hint: 'Open it in Word and save it again.' });
    throw new IbidError('FILE_EMPTY', 'the document holds no text', {
      hint: 'It may hold pictures only: these need OCR.',
    });
  }
  if (builder.title === '') builder.title = writer.title;
  return builder.build();
}

interface Paragraph {
  readonly kind: 'heading' | 'list' | 'paragraph' | 'quote' | 'code' | 'reference';
  readonly level: number;
  readonly text: string;
}

/** A paragraph or table of the body; `page` counts from 1, 0 where there is none. */
interface Item {
  readonly page: number;
  readonly notes: readonly string[];
  readonly title?: boolean;
  readonly paragraph?: Paragraph;
  readonly rows?: readonly (readonly string[])[];
  readonly headerRows?: number;
}

interface Style {
  name: string;
  basedOn: string;
  outline: number | undefined;
  list: string;
  level: number;
}

class Styles {
  readonly #styles = new Map<string, Style>();
  readonly handler: XmlHandler = {
    open: (name, attributes) => this.#open(name, attributes),
  };
  #current: Style | undefined;

  #open(name: string, attributes: Attributes): void {
    const value = attribute(attributes, 'val') ?? '';
    if (name === 'style') {
      this.#current = { name: '', basedOn: '', outline: undefined, list: '', level: 0 };
      this.#styles.set(attribute(attributes, 'styleId') ?? '', this.#current);
      return;
    }
    const style = this.#current;
    if (!style) return;
    if (name === 'name') style.name = value.toLowerCase();
    else if (name === 'basedOn') style.basedOn = value;
    else if (name === 'outlineLvl') style.outline = Number(value);
    else if (name === 'numId') style.list = value;
    else if (name === 'ilvl') style.level = Number(value);
  }

  /** The style and those it is based on, nearest first. */
  *chain(id: string): Generator<Style> {
    let next = id;
    for (let i = 0; i < 20; i++) {
      const style = this.#styles.get(next);
      if (!style) return;
      yield style;
      next = style.basedOn;
    }
  }

  name(id: string): string {
    return this.#styles.get(id)?.name ?? id.toLowerCase();
  }

  /** 1 to 6, undefined when paragraphs of this style are no headings. */
  headingLevel(id: string): number | undefined {
    const direct = /^(?:heading|überschrift|titre|título|titolo|kop)\s*(\d)/iu.exec(id.replace(/_/gu, ' '))?.[1];
    for (const { name, outline } of this.chain(id)) {
      const digit = /^heading (\d)/u.exec(name)?.[1];
      if (digit !== undefined) return Math.min(6, Number(digit));
      if (outline !== undefined) return outline < 9 ? Math.min(6, outline + 1) : undefined;
    }
    return direct === undefined ? undefined : Math.min(6, Number(direct));
  }
}

interface OpenParagraph {
  text: string;
  style: string;
  list: string;
  level: number;
  outline: number | undefined;
  /** Page of its first text: a break may stand before it in the same paragraph. */
  page: number;
  readonly notes: string[];
}

interface OpenTable {
  readonly rows: string[][];
  headerRows: number;
  readonly page: number;
  readonly notes: string[];
}

/** Elements whose whole content is left out: deleted, moved away, instructions of fields, the second copy of a drawing. */
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
class BodyReader implements XmlHandler {
  readonly notes = new Map<string, Item[]>();
  readonly #styles: Styles;
  readonly #numbering: Numbering;
  readonly #noteKind: string | undefined;
  readonly #paragraphs: OpenParagraph[] = [];
  readonly #tables: OpenTable[] = [];
  #items: Item[] = [];
  #floating: Item[] = [];
  #skip = 0;
  #inText = false;
  #hidden = false;
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

  open(name: string, attributes: Attributes): void {
    if (this.#skip > 0 || SKIPPED.has(name)) {
      this.#skip++;
      return;
    }
    const value = attribute(attributes, 'val');
    const paragraph = this.#paragraphs.at(-1);
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
        if (this.#properties === 0) this.#write(' ');
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
        this.#tables.push({ rows: [], headerRows: 0, page: this.#page, notes: [] });
        break;
      case 'tr':
        this.#tables.at(-1)?.rows.push([]);
        break;
      case 'tblHeader': {
        const table = this.#tables.at(-1);
        if (table && table.headerRows === table.rows.length - 1) table.headerRows++;
        break;
      }
      case 'tc':
        this.#tables.at(-1)?.rows.at(-1)?.push('');
        break;
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

  close(name: string): void {
    if (this.#skip > 0) {
      this.#skip--;
      return;
    }
    if (name === 'p') this.#endParagraph();
    else if (name === 't') this.#inText = false;
    else if (name === 'rPr' || name === 'pPr') {
      this.#properties--;
      if (name === 'pPr') this.#hidden = false;
    } else if (name === 'tbl') this.#endTable();
  }

  text(text: string): void {
    if (this.#skip === 0 && this.#inText) this.#write(text);
  }

  /** Word marks most, not all, of the breaks an author set as rendered: such a pair is one break. */
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
    // A text box inside a paragraph is a paragraph of its own, after the one it hangs on.
    const nested = this.#paragraphs.length > 0;
    const table = this.#tables.at(-1);
    if (table && !nested) {
      const row = table.rows.at(-1);
      const boxes = this.#floating.splice(0).map((item) => item.paragraph?.text ?? '');
      const whole = [text, ...boxes].filter((piece) => piece !== '').join(' ');
      if (row && row.length > 0) row[row.length - 1] = `${row.at(-1)!} ${whole}`.trim();
      table.notes.push(...notes);
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

  #endTable(): void {
    const table = this.#tables.pop();
    if (!table) return;
    const outer = this.#tables.at(-1)?.rows.at(-1);
    if (outer && outer.length > 0) {
      const inner = table.rows.map((row) => row.filter((cell) => cell !== '').join(', ')).join('; ');
      outer[outer.length - 1] = `${outer.at(-1)!} ${inner}`.trim();
      return;
    }
    this.#items.push({ page: table.page, notes: table.notes, rows: table.rows, headerRows: table.headerRows });
  }
}

function distinct(items: readonly Item[]): Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = item.paragraph?.text ?? JSON.stringify(item.rows);
    if (key === '' || /^\W*(?:page )?\d*\W*$/iu.test(key) || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

class Writer {
  title = '';
  readonly #builder: DocumentBuilder;
  readonly #notes: Map<string, Item[]>;
  readonly #paged: boolean;
  #last: BlockKind | undefined;

  constructor(builder: DocumentBuilder, notes: Map<string, Item[]>, paged: boolean) {
    this.#builder = builder;
    this.#notes = notes;
    this.#paged = paged;
  }

  write(item: Item): void {
    const place = this.#paged && item.page > 0 ? { page: item.page } : undefined;
    if (item.paragraph) {
      const { kind, level, text } = item.paragraph;
      if (this.title === '' && text !== '' && (item.title || (kind === 'heading' && level === 1))) this.title = text;
      const separator = kind === 'list' && this.#last === 'list' ? '\n' : '\n\n';
      const wrote = this.#builder.block(kind === 'heading' ? { kind, level } : { kind }, text, place, separator);
      if (wrote) this.#last = kind;
    } else if (item.rows) {
      this.#last = 'table';
      const columns = Math.max(0, ...item.rows.map((row) => row.length));
      if (columns <= 1) for (const [cell = ''] of item.rows) this.#builder.block({ kind: 'paragraph' }, cell, place);
      else writeTable(this.#builder, item.rows, item.headerRows || guessHeaderRows(item.rows), place);
    }
    for (const id of item.notes) {
      const note = this.#notes.get(id) ?? [];
      this.#notes.delete(id);
      for (const part of note) this.write({ ...part, page: item.page, title: false });
    }
  }
}
