import type { BlockKind, Span } from '../../core/types.ts';
import type { DocumentBuilder } from '../builder.ts';
import { RaisedText } from '../raised.ts';
import { boldHeadings } from './html-bold.ts';
import { headingText } from './html-head.ts';
import { HtmlList } from './html-list.ts';
import type { boilerplate } from './html-main.ts';
import {
  BLOCK_TAGS,
  CELL_TAGS,
  codeLanguage,
  isDescribed,
  isLinkInside,
  isLinks,
  isRaised,
  isWayBack,
  NOTE_LABEL,
  NOTE_MARK,
  ROW_TAGS,
  tickOf,
  tidyCode,
  tidyInline,
} from './html-nodes.ts';
import { type HtmlNotices, noticesOf } from './html-notices.ts';
import { PicturesInText } from './html-pictures.ts';
import { HtmlTable } from './html-table.ts';
import { HtmlTerms, listsOfSections } from './html-terms.ts';
import { type HtmlElement, textOf, walk } from './html-tree.ts';

const MAX_INDENT = 8;
/** A definition that begins with them does not go on behind its term. */
const ENDS_TERM = /^(?:pre|table|ul|ol|dl|h[1-6])$/;

/** Writes the text of a tree into a builder, block by block. */
export class HtmlWriter {
  /** What is around the content. */
  readonly dropped: { readonly node: HtmlElement; readonly reason: string }[] = [];
  readonly #builder: DocumentBuilder;
  readonly #main: HtmlElement;
  readonly #around: typeof boilerplate;
  #inline = '';
  #pre = 0;
  #preText = '';
  #quote = 0;
  #heading = 0;
  /** Of the last heading that is marked as one. */
  #level = 1;
  readonly #bold: ReadonlySet<HtmlElement>;
  readonly #notices: HtmlNotices;
  /** What a box begins with, as long as its text does not follow. */
  #notice = '';
  readonly #terms: HtmlTerms;
  readonly #lists: HtmlList[] = [];
  #marker = '';
  readonly #raised = new RaisedText();
  #sups = 0;
  /** Open links to another place of the page. */
  #linksInside = 0;
  #isBehindMark = false;
  readonly #tables: HtmlTable[] = [];
  readonly #pictures = new PicturesInText();
  /** The current list or table; all its lines are one block of the document. */
  #group: { kind: BlockKind; start: number; header?: Span; links: boolean } | undefined;

  /** @param around why an element is left out, if it is */
  constructor(builder: DocumentBuilder, main: HtmlElement, around: typeof boilerplate) {
    this.#builder = builder;
    this.#main = main;
    this.#around = around;
    this.#bold = boldHeadings(main);
    const isLeftOut = (node: HtmlElement): boolean => node !== main && around(node, main) !== undefined;
    this.#notices = noticesOf(main);
    this.#terms = new HtmlTerms(listsOfSections(main, (node) => this.#isHeading(node), isLeftOut));
  }

  write(): void {
    walk(this.#main, {
      enter: (node) => this.#enter(node),
      text: (text) => this.#text(text),
      leave: (node) => this.#leave(node),
    });
    this.#flushTerm();
    this.#flush();
    this.#closeGroup();
  }

  #text(text: string): void {
    if (this.#isBehindMark && /^\p{L}/u.test(text)) this.#inline += ' ';
    this.#isBehindMark = false;
    if (this.#pre > 0) this.#preText += text;
    else this.#inline += this.#raised.read(this.#inline, text, this.#sups > 0, this.#linksInside > 0);
  }

  #enter(node: HtmlElement): boolean {
    const reason = node === this.#main ? undefined : this.#around(node, this.#main);
    if (reason !== undefined) {
      this.dropped.push({ node, reason });
      return false;
    }
    if (isWayBack(node)) return false;
    const { tag } = node;
    if (tag === 'br') {
      this.#text(this.#pre > 0 ? '\n' : '\u0000');
      return true;
    }
    if (tag === 'img' && node.attributes.alt && (this.#pictures.has(node) || isDescribed(node)))
      this.#text(node.attributes.alt);
    const box = tickOf(node);
    if (box !== '') this.#tick(box);
    if (isRaised(node)) this.#sups++;
    if (isLinkInside(node)) this.#linksInside++;
    if (!BLOCK_TAGS.has(tag) || (this.#pre > 0 && tag !== 'pre')) {
      if (this.#pre > 0 && (tag === 'div' || tag === 'p' || tag === 'li')) this.#preText += '\n';
      return true;
    }
    if (this.#notices.titles.has(node)) {
      this.#beginNotice(node);
      return false;
    }
    // Text between two cells begins the next one.
    const outer = this.#dataTable ? this.#tables.at(-1) : undefined;
    if (outer && (outer.before !== undefined || !ROW_TAGS.has(tag))) {
      if (tag === 'table') this.#tables.push(new HtmlTable(node, this.#takeInline()));
      else if (!CELL_TAGS.has(tag)) this.#inline += tag === 'li' ? '; ' : ' ';
      return true;
    }
    if (ENDS_TERM.test(tag) && !this.#notices.tables.has(node)) {
      this.#notice = '';
      this.#flushTerm();
    }
    if (tag === 'p' && NOTE_LABEL.test(this.#inline)) {
      this.#inline += ' ';
      return true;
    }
    this.#flush();
    if (tag === 'dl') this.#terms.open(node, this.#level);
    if (tag === 'pre') {
      this.#pre++;
    } else if (tag === 'ul' || tag === 'ol' || tag === 'menu' || tag === 'dir') {
      if (this.#lists.length === 0) this.#openGroup('list', node);
      this.#lists.push(new HtmlList(node));
    } else if (tag === 'li') {
      this.#marker = this.#lists.at(-1)?.marker(node) ?? '- ';
    } else if (tag === 'blockquote') {
      this.#quote++;
    } else if (/^h[1-6]$/.test(tag)) {
      this.#heading = Number(tag[1]);
      this.#level = this.#heading;
    } else if (this.#bold.has(node)) {
      this.#heading = Math.min(6, this.#level + 1);
    } else if (tag === 'table') {
      this.#openTable(node);
    } else if (tag === 'thead') {
      const table = this.#tables.at(-1);
      if (table && table.rows === 0) table.headerOpen = true;
    }
    return true;
  }

  #isHeading(node: HtmlElement): boolean {
    return this.#bold.has(node) || (/^h[1-6]$/.test(node.tag) && !this.#notices.titles.has(node));
  }

  /** The word for a box stands before its text: `Note: Keep a copy.` */
  #beginNotice(title: HtmlElement): void {
    if (!this.#dataTable) this.#flush();
    this.#notice = `${textOf(title).replace(/[.:：]$/u, '')}:`;
    this.#inline += ` ${this.#notice} `;
  }

  /** A box before the words of an item belongs to its mark. */
  #tick(box: string): void {
    if (this.#marker.trim() !== '' && this.#inline.trim() === '') this.#marker += box;
    else this.#text(box);
  }

  get #dataTable(): boolean {
    return this.#tables.at(-1)?.layout === false;
  }

  #leave(node: HtmlElement): void {
    const { tag } = node;
    if (isRaised(node)) this.#sups--;
    if (isLinkInside(node)) {
      this.#linksInside--;
      this.#isBehindMark = NOTE_MARK.test(this.#inline);
    }
    if (!BLOCK_TAGS.has(tag)) return;
    if (this.#pre > 0 && tag !== 'pre') return;
    if (this.#dataTable) {
      const table = this.#tables.at(-1)!;
      if (tag === 'td' || tag === 'th') {
        table.add(this.#takeInline().replace(/\s+/g, ' ').replace(/^; /, ''), node);
        return;
      }
      if (tag === 'tr') {
        this.#takeStray(table);
        this.#writeRow(table, node);
        return;
      }
      if (tag === 'caption') {
        const caption = this.#takeInline();
        if (caption && table.before !== undefined) table.inner.push(caption);
        else if (caption) this.#line(caption);
        return;
      }
      if (tag === 'thead') table.headerOpen = false;
      if (tag === 'thead' || tag === 'tbody' || tag === 'tfoot') table.endGroup();
      if (tag !== 'table') return;
      this.#takeStray(table);
      if (table.isRowOpen) this.#writeRow(table);
      if (table.before !== undefined) {
        this.#tables.pop();
        this.#inline = table.wholeCell;
        return;
      }
    }
    if (tag === 'pre') {
      this.#pre--;
      if (this.#pre === 0) this.#flushCode(node);
      return;
    }
    if (tag === 'dt' && !this.#group) {
      // Kept until the definition, which it opens.
      this.#terms.add(this.#takeInline());
      return;
    }
    if (tag === 'dl') this.#flushTerm();
    this.#flush();
    if (tag === 'dl') this.#terms.close();
    if (tag === 'ul' || tag === 'ol' || tag === 'menu' || tag === 'dir') {
      this.#lists.pop();
      if (this.#lists.length === 0 && this.#tables.length === 0) this.#closeGroup();
    } else if (tag === 'li') {
      this.#marker = '';
    } else if (tag === 'blockquote') {
      this.#quote--;
    } else if (/^h[1-6]$/.test(tag) || this.#bold.has(node)) {
      this.#heading = 0;
    } else if (tag === 'table') {
      const table = this.#tables.pop();
      if (table && !table.layout) {
        this.#headGroup(table);
        if (this.#lists.length === 0 && !this.#tables.some((outer) => !outer.layout)) this.#closeGroup();
      }
    }
  }

  #openTable(node: HtmlElement): void {
    const table = new HtmlTable(node, undefined, this.#notices.tables.has(node));
    this.#tables.push(table);
    if (!table.layout && this.#lists.length === 0) this.#openGroup('table', node);
  }

  /** Text of a table outside its cells is a cell. */
  #takeStray(table: HtmlTable): void {
    const stray = this.#takeInline();
    if (stray !== '') table.add(stray.replace(/\s+/g, ' '));
  }

  /** Gives the open table the names of its columns. */
  #headGroup({ header }: HtmlTable): void {
    const group = this.#group;
    if (group?.kind === 'table' && header && header.start >= group.start) group.header = header;
  }

  #writeRow(table: HtmlTable, row?: HtmlElement): void {
    if (table.before !== undefined) {
      table.takeInnerRow();
      return;
    }
    const { line, isHeader, isAnew } = table.takeRow(row);
    if (line.replaceAll('|', '').trim() === '') return;
    if (isAnew && row && this.#group?.kind === 'table') {
      this.#headGroup(table);
      table.header = undefined;
      this.#closeGroup();
      this.#openGroup('table', row);
    }
    const span = this.#line(line);
    if (isHeader && span) table.header = { start: table.header?.start ?? span.start, end: span.end };
    table.rows++;
  }

  #takeInline(): string {
    const text = tidyInline(this.#inline);
    this.#inline = '';
    return text;
  }

  /** Ends the current paragraph, heading or item. */
  #flush(): void {
    if (this.#notice !== '' && this.#inline.trim() === this.#notice) return;
    const text = this.#takeInline();
    if (text === '') return;
    if (this.#heading > 0) {
      const reopen = this.#group;
      if (!this.#writeHeading(this.#heading, text)) return;
      if (reopen && this.#lists.length > 0) this.#group = { kind: reopen.kind, start: -1, links: reopen.links };
      return;
    }
    if (this.#group) {
      this.#line(this.#itemLine(text));
      return;
    }
    if (this.#terms.level > 0) this.#flushTerm();
    this.#builder.block({ kind: this.#quote > 0 ? 'quote' : 'paragraph' }, this.#terms.before(text));
  }

  #writeHeading(level: number, text: string): boolean {
    const label = headingText(text.replace(/\s+/g, ' '));
    if (label === '') return false;
    this.#closeGroup();
    this.#builder.block({ kind: 'heading', level, label }, label);
    return true;
  }

  /** Writes a term alone if its definition does not begin with words. */
  #flushTerm(): void {
    const term = this.#terms.take();
    if (term === '') return;
    if (this.#terms.level > 0) this.#writeHeading(this.#terms.level, term);
    else this.#builder.block({ kind: 'paragraph' }, term);
  }

  #itemLine(text: string): string {
    const depth = Math.min(MAX_INDENT, Math.max(0, this.#lists.length - 1));
    const indent = '  '.repeat(depth);
    const marker = this.#marker;
    this.#marker = marker === '' ? '' : ' '.repeat(marker.length);
    const rest = `\n${indent}${' '.repeat(marker.length)}`;
    return `${indent}${marker}${text.replaceAll('\n', rest)}`;
  }

  /** Writes one line of the open group, or a paragraph without a group. */
  #line(text: string): Span | undefined {
    const group = this.#group;
    if (!group) return this.#builder.block({ kind: 'paragraph' }, text);
    if (this.#builder.length > 0) this.#builder.append(group.start < 0 ? '\n\n' : '\n');
    const span = this.#builder.append(text);
    if (group.start < 0) group.start = span.start;
    return span;
  }

  #flushCode(node: HtmlElement): void {
    const text = tidyCode(this.#preText);
    this.#preText = '';
    if (text === '') return;
    if (this.#dataTable) {
      this.#inline += ` ${text}`;
      return;
    }
    if (this.#group) {
      this.#line(text);
      return;
    }
    const language = codeLanguage(node);
    if (this.#builder.length > 0) this.#builder.append('\n\n');
    const span = this.#builder.append(text);
    this.#builder.mark(span, language === undefined ? { kind: 'code' } : { kind: 'code', language });
  }

  #openGroup(kind: BlockKind, node: HtmlElement): void {
    if (this.#group) return;
    this.#group = {
      kind,
      start: -1,
      links: isLinks(node),
    };
  }

  #closeGroup(): void {
    const group = this.#group;
    this.#group = undefined;
    if (!group || group.start < 0) return;
    const span = { start: group.start, end: this.#builder.length };
    if (group.links) this.#builder.mark(span, { kind: 'reference' });
    else this.#builder.mark(span, group.header ? { kind: group.kind, header: group.header } : { kind: group.kind });
  }
}
