/** What an RTF file says: characters become paragraphs, cells and texts beside the flow, and these the blocks of a document. */

import { oneLine } from '../../text/one-line.ts';
import type { DocumentBuilder } from '../builder.ts';
import { RaisedText } from '../raised.ts';
import { shownByField } from './equation-field.ts';
import { GridTables } from './grid-tables.ts';
import { rowText, takeProperties } from './ooxml.ts';
import type { RtfFonts } from './rtf-fonts.ts';
import { RtfRow } from './rtf-row.ts';
import { RtfItems } from './rtf-styles.ts';

/** What a text beside the flow is. */
export type AsideKind = 'header' | 'footer' | 'note' | 'title' | 'author' | 'instruction';

/** How the characters that come are set. */
export interface Setting {
  font: number;
  /** Hidden or deleted text. */
  hidden: boolean;
  isRaised: boolean;
}

/** A text beside the flow, and what waits until it ends. */
interface Aside {
  readonly kind: AsideKind;
  readonly depth: number;
  readonly lines: string[];
  readonly paragraph: string;
  readonly cells: string[];
  readonly inTable: boolean;
}

export class RtfBody {
  setting: Setting;
  /** Whether the paragraph stands in a cell. */
  inTable = false;
  /** Level of the outline, from 0; without one -1, or 9. */
  level = -1;
  /** Whether a number or bullet of an item stands in the paragraph. */
  isMarked = false;
  /** How far the paragraph is moved in. */
  indent = 0;
  /** The level of the paragraph in its list, from 0. */
  depth: number | undefined;
  readonly row: RtfRow = new RtfRow();
  readonly #builder: DocumentBuilder;
  readonly #fonts: RtfFonts;
  readonly #items = new RtfItems();
  readonly #raised = new RaisedText();
  #paragraph = '';
  /** Bytes of the code page, decoded together: a character may have two. */
  #pending: number[] = [];
  #cells: string[] = [];
  /** Whether the cell holds a table. */
  #isNested = false;
  readonly #tables = new GridTables();
  readonly #asides: Aside[] = [];
  /** Headers and footers that were there already. */
  readonly #said = new Set<string>();
  readonly #notes: string[] = [];
  /** Those of a table. */
  readonly #tableNotes: string[] = [];
  readonly #footers: string[] = [];

  constructor(builder: DocumentBuilder, fonts: RtfFonts, setting: Setting) {
    this.#builder = builder;
    this.#fonts = fonts;
    this.setting = setting;
  }

  add(text: string): void {
    const { hidden, isRaised } = this.setting;
    if (!hidden) this.#paragraph += this.#raised.read(this.#paragraph, text, isRaised);
  }

  byte(byte: number): void {
    this.#pending.push(byte);
  }

  /** Text that is not written as bytes. */
  text(text: string): void {
    // The second byte of a character may be a letter, which is written as such.
    const isSecond = text !== '' && this.#pending.length > 0 && this.#decodePending().endsWith('\ufffd');
    if (isSecond) this.#pending.push(text.charCodeAt(0));
    this.flushBytes();
    this.add(this.#fonts.show(this.setting.font, isSecond ? text.slice(1) : text));
  }

  /** Before anything that is no byte, and before the setting changes. */
  flushBytes(): void {
    if (this.#pending.length === 0) return;
    this.add(this.#decodePending());
    this.#pending = [];
  }

  #decodePending(): string {
    return this.#fonts.decode(this.setting.font, Uint8Array.from(this.#pending));
  }

  resetParagraph(): void {
    this.level = -1;
    this.inTable = false;
    this.indent = 0;
    this.depth = undefined;
  }

  endParagraph(): void {
    this.flushBytes();
    if (this.inTable) {
      this.#paragraph += '\n'; // goes on in the cell
      return;
    }
    const text = this.#paragraph.replace(/[^\S\n\t]+/g, ' ').trim();
    const { level, isMarked, indent, depth } = this;
    this.#paragraph = '';
    this.isMarked = false;
    const aside = this.#asides.at(-1);
    if (text === '') {
      if (!aside) this.#tables.separate();
      if (!aside && this.#notes.length > 0) this.#closeTable();
      if (!aside) this.#writeNotes();
      return;
    }
    if (aside) {
      aside.lines.push(text);
      return;
    }
    this.#closeTable();
    const isHeading = level >= 0 && level < 9;
    const item = isHeading ? undefined : this.#items.read(text, isMarked, indent, depth);
    if (isHeading) {
      const label = text.replace(/\s+/g, ' ');
      this.#builder.block({ kind: 'heading', level: Math.min(6, level + 1), label }, text);
    } else if (item === undefined) this.#write(text);
    else this.#builder.block({ kind: 'list' }, item);
    this.#writeNotes();
  }

  endCell(): void {
    this.flushBytes();
    this.#cells.push(this.#isNested ? this.#paragraph.replace(/[,;]\s*$/, '') : this.#paragraph);
    this.#isNested = false;
    this.#paragraph = '';
  }

  /** A table inside a cell is a part of its text. */
  endNestedCell(): void {
    this.flushBytes();
    this.add(', ');
    this.#isNested = true;
  }

  endNestedRow(): void {
    this.#paragraph = this.#paragraph.replace(/,\s*$/, '; ');
  }

  endRow(): void {
    const texts = this.#cells.splice(0).map((cell) => oneLine(cell));
    if (texts.every((text) => text === '')) return;
    const aside = this.#asides.at(-1);
    if (aside) aside.lines.push(rowText(texts));
    else this.#tables.add(this.row.place(texts), this.row.isHeader);
  }

  /** @param depth of the group that holds it */
  beginAside(kind: AsideKind, depth: number): void {
    this.flushBytes();
    this.#asides.push({
      kind,
      depth,
      lines: [],
      paragraph: this.#paragraph,
      cells: this.#cells,
      inTable: this.inTable,
    });
    this.#paragraph = '';
    this.#cells = [];
    this.inTable = false;
  }

  /** Ends the text beside the flow that began in a group of this depth, if there is one. */
  endAsideAt(depth: number): void {
    if (this.#asides.at(-1)?.depth === depth) this.#endAside();
  }

  /** The end of the file. */
  finish(): void {
    while (this.#asides.length > 0) this.#endAside();
    this.inTable = false;
    this.endParagraph();
    this.#closeTable();
    for (const text of [...this.#notes, ...this.#footers]) this.#write(text);
  }

  #endAside(): void {
    this.inTable = false;
    this.endParagraph();
    const { kind, lines, paragraph, cells, inTable } = this.#asides.pop()!;
    this.#paragraph = paragraph;
    this.#cells = cells;
    this.inTable = inTable;
    const text = lines.join('\n');
    if (text === '') return;
    if (kind === 'instruction') this.#paragraph += shownByField(text);
    else if (kind === 'title' || kind === 'author') takeProperties(this.#builder, { [kind]: text });
    else if (kind === 'note') (inTable ? this.#tableNotes : this.#notes).push(text);
    else this.#takeMargin(kind, text);
  }

  /** Headers and footers, each once, without numbers of pages. */
  #takeMargin(kind: 'header' | 'footer', text: string): void {
    if (this.#said.has(text) || /^\W*(?:page )?\d*\W*$/i.test(text)) return;
    this.#said.add(text);
    if (kind === 'footer') this.#footers.push(text);
    else if (this.#asides.length > 0 || this.#paragraph.trim() !== '' || this.inTable) this.#notes.push(text);
    else {
      this.#closeTable();
      this.#write(text);
    }
  }

  #write(text: string): void {
    this.#builder.block({ kind: 'paragraph' }, text);
  }

  #closeTable(): void {
    this.#tables.write(this.#builder);
    for (const note of this.#tableNotes.splice(0)) this.#write(note);
  }

  #writeNotes(): void {
    for (const note of this.#notes.splice(0)) this.#write(note);
  }
}
