import { IbidError } from '../../core/errors.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { type AsideKind, RtfBody, type Setting } from './rtf-body.ts';
import { RtfFonts } from './rtf-fonts.ts';
import { headingStyles } from './rtf-styles.ts';

/** Groups whose text is not part of the document. The file marks others with `\*`. */
const SILENT = new Set([
  'fonttbl',
  'colortbl',
  'stylesheet',
  'info',
  'pict',
  'objdata',
  'objclass',
  'objname',
  'themedata',
  'listtable',
  'listoverridetable',
  'rsidtbl',
  'generator',
  'xmlnstbl',
  'datastore',
  'latentstyles',
  'bkmkstart',
  'bkmkend',
  'filetbl',
  'revtbl',
  'private',
  'template',
  'operator',
  'nonshppict',
  'nonesttables', // for programs that know no tables inside cells
  'shpinst',
  'shprslt', // the box again, for programs that know no boxes
  'xe',
  'tc',
]);
/**
 * Groups whose text stands beside the flow: at the beginning, at the end, or after the paragraph they hang on; or, of the
 * group `info` and of the instructions of fields, not at all.
 */
const ASIDES: ReadonlyMap<string, AsideKind> = new Map<string, AsideKind>([
  ['title', 'title'],
  ['author', 'author'],
  ['fldinst', 'instruction'],
  ['header', 'header'],
  ['headerl', 'header'],
  ['headerr', 'header'],
  ['headerf', 'header'],
  ['footer', 'footer'],
  ['footerl', 'footer'],
  ['footerr', 'footer'],
  ['footerf', 'footer'],
  ['footnote', 'note'],
  ['annotation', 'note'],
  ['shptxt', 'note'],
]);
const CHARACTERS: ReadonlyMap<string, string> = new Map<string, string>([
  ['tab', '\t'],
  ['line', '\n'],
  ['emdash', '—'],
  ['endash', '–'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['bullet', '•'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['qmspace', ' '],
  ['zwj', '\u200d'],
  ['zwnj', '\u200c'],
  ['ltrmark', '\u200e'],
  ['rtlmark', '\u200f'],
]);

interface Group extends Setting {
  silent: boolean;
  /** Number of fallback characters to skip after a `\u`. */
  fallback: number;
  /** The number or bullet of a list's item: what it says of paragraphs does not hold for the item. */
  isMarker: boolean;
  /** The next group says in the code page what the one after it says in Unicode. */
  isPair: boolean;
}

/** Rich Text Format → paragraphs, tables row by row, headings by outline level. @see RTF specification 1.9.1 */
export async function parseRtf(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const builder = new DocumentBuilder('rtf', context);
  const reader = new RtfReader(source, builder);
  reader.read(source);
  if (reader.isCut) builder.warn('RTF_CUT', 'the file ends inside a group: it is cut short');
  if (builder.length === 0) throw new IbidError('FILE_EMPTY', 'the file holds no text');
  const document = builder.build();
  if (document.title !== '') return document;
  const heading = document.blocks.find((block) => block.kind === 'heading');
  return heading?.label === undefined ? document : { ...document, title: heading.label };
}

/** Groups and control words: which text is part of the document, how it is set, and where its parts end. */
class RtfReader {
  readonly #fonts: RtfFonts;
  readonly #headings: ReadonlyMap<number, number>;
  readonly #body: RtfBody;
  /** Those around the open one. */
  readonly #stack: Group[] = [];
  #group: Group;
  /** Fallback characters still to skip. */
  #skip = 0;

  constructor(source: string, builder: DocumentBuilder) {
    this.#fonts = new RtfFonts(source);
    this.#headings = headingStyles(source);
    const { first } = this.#fonts;
    this.#group = {
      silent: false,
      fallback: 1,
      font: first,
      hidden: false,
      isRaised: false,
      isMarker: false,
      isPair: false,
    };
    this.#body = new RtfBody(builder, this.#fonts, this.#group);
  }

  get isCut(): boolean {
    return this.#stack.length > 0;
  }

  read(source: string): void {
    const token = /\\([a-zA-Z]+)(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|[\r\n]+|[^\\{}\r\n]+/g;
    for (let match = token.exec(source); match; match = token.exec(source)) {
      const [whole, word, parameter, hex, symbol, brace] = match;
      if (brace === '{') this.#open();
      else if (brace === '}') {
        if (!this.#close()) break; // text after the outermost group is not part of the document
      } else if (hex !== undefined) this.#byte(Number.parseInt(hex, 16));
      else if (symbol !== undefined) this.#symbol(symbol);
      else if (word === 'bin') token.lastIndex += Math.max(0, Number(parameter ?? 0));
      else if (word !== undefined) this.#word(word, parameter);
      else if (!this.#group.silent && !/^[\r\n]/.test(whole)) this.#text(whole);
    }
    this.#body.finish();
  }

  #enter(group: Group): void {
    this.#group = group;
    this.#body.setting = group;
  }

  #open(): void {
    this.#body.flushBytes();
    const { isPair, silent } = this.#group;
    this.#group.isPair = false;
    this.#stack.push(this.#group);
    this.#enter({ ...this.#group, silent: silent || isPair });
  }

  /** @returns whether a group was open */
  #close(): boolean {
    this.#body.flushBytes();
    this.#body.endAsideAt(this.#stack.length);
    const around = this.#stack.pop();
    if (!around) return false;
    this.#enter(around);
    this.#skip = 0;
    return true;
  }

  #byte(byte: number): void {
    if (this.#skip > 0) this.#skip--;
    else if (!this.#group.silent) this.#body.byte(byte);
  }

  #symbol(symbol: string): void {
    if (symbol === '*') this.#group.silent = true;
    if (this.#group.silent) return;
    this.#body.flushBytes();
    const endsLine = symbol === '\n' || symbol === '\r';
    if (this.#skip > 0 && !endsLine) this.#skip--;
    else if (symbol === '~') this.#body.add(' ');
    else if (symbol === '_') this.#body.add('-');
    else if (symbol === '\\' || symbol === '{' || symbol === '}') this.#body.add(symbol);
    else if (endsLine) this.#body.endParagraph();
  }

  #text(whole: string): void {
    const text = this.#skip > 0 ? whole.slice(this.#skip) : whole;
    this.#skip = Math.max(0, this.#skip - whole.length);
    this.#body.text(text);
  }

  #word(word: string, parameter: string | undefined): void {
    const group = this.#group;
    const aside = ASIDES.get(word);
    if (aside !== undefined) {
      this.#body.beginAside(aside, this.#stack.length);
      group.silent = false;
    } else if (SILENT.has(word)) group.silent = true;
    else if (word === 'upr') group.isPair = true;
    else if (word === 'ud') group.silent = this.#stack.at(-1)?.silent ?? false;
    else if (word === 'uc') group.fallback = Math.max(0, Number(parameter ?? 1));
    else if (word === 'ansicpg') this.#fonts.setFile(Number(parameter ?? 1252));
    else if (word === 'nestrow') this.#body.endNestedRow();
    else if (!group.silent && !this.#setCharacters(word, parameter) && !this.#shapePart(word, parameter)) {
      const character = CHARACTERS.get(word);
      if (this.#body.row.take(word, Number(parameter ?? 0)) || character === undefined) return;
      this.#body.flushBytes();
      this.#body.add(character);
    }
  }

  /** @returns whether the word is one about characters */
  #setCharacters(word: string, parameter: string | undefined): boolean {
    const group = this.#group;
    switch (word) {
      case 'f':
        this.#body.flushBytes();
        group.font = Number(parameter ?? 0);
        return true;
      case 'plain':
        this.#body.flushBytes();
        group.font = this.#fonts.first;
        group.hidden = false;
        group.isRaised = false;
        return true;
      case 'v':
      case 'deleted':
        this.#body.flushBytes();
        group.hidden = parameter !== '0';
        return true;
      case 'super':
      case 'up':
        this.#body.flushBytes();
        group.isRaised = parameter !== '0';
        return true;
      case 'sub':
      case 'nosupersub':
        this.#body.flushBytes();
        group.isRaised = false;
        return true;
      case 'u':
        this.#body.flushBytes();
        this.#body.add(this.#fonts.character(group.font, Number(parameter ?? 0) & 0xffff));
        this.#skip = group.fallback;
        return true;
      default:
        return false;
    }
  }

  /** @returns whether the word is one about paragraphs, cells or rows */
  #shapePart(word: string, parameter: string | undefined): boolean {
    switch (word) {
      case 'par':
      case 'sect':
      case 'page':
        this.#body.endParagraph();
        return true;
      case 'listtext':
      case 'pntext':
        this.#group.isMarker = true;
        this.#body.isMarked = true;
        return true;
      case 'pard':
        if (!this.#group.isMarker) this.#body.resetParagraph();
        return true;
      case 'intbl':
        this.#body.inTable = true;
        return true;
      case 's':
        this.#body.level = this.#headings.get(Number(parameter ?? 0)) ?? this.#body.level;
        return true;
      case 'li':
        if (!this.#group.isMarker) this.#body.indent = Number(parameter ?? 0);
        return true;
      case 'ilvl':
        this.#body.depth = Math.max(0, Math.min(8, Number(parameter ?? 0)));
        return true;
      case 'outlinelevel':
        this.#body.level = Number(parameter ?? 9);
        return true;
      case 'cell':
        this.#body.endCell();
        return true;
      case 'nestcell':
        this.#body.endNestedCell();
        return true;
      case 'row':
        this.#body.endRow();
        return true;
      default:
        return false;
    }
  }
}
