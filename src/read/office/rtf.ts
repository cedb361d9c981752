import { IbidError } from '../../core/errors.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { RaisedText } from '../raised.ts';
import { shownByField } from './equation-field.ts';
import { guessHeaderRows, rowText, takeProperties, writeTable } from './ooxml.ts';
import { RtfFonts } from './rtf-fonts.ts';
import { RtfRow } from './rtf-row.ts';
import { alignRows, type PlacedCell } from './table-grid.ts';

/** Groups whose text is not part of the document. The file marks others with `\*`. */
const SILENT = new Set([
  'fonttbl',
  'colortbl',
  'stylesheet',
  'info',
  'pict',
  'object',
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
const ASIDES: Readonly<Record<string, 'header' | 'footer' | 'note' | 'title' | 'author' | 'instruction'>> = {
  title: 'title',
  author: 'author',
  fldinst: 'instruction',
  header: 'header',
  headerl: 'header',
  headerr: 'header',
  headerf: 'header',
  footer: 'footer',
  footerl: 'footer',
  footerr: 'footer',
  footerf: 'footer',
  footnote: 'note',
  annotation: 'note',
  shptxt: 'note',
};
const CHARACTERS: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  zwj: '\u200d',
  zwnj: '\u200c',
  ltrmark: '\u200e',
  rtlmark: '\u200f',
};

/** Edges of cells in one column differ by less. */
const TWIPS_APART = 100;

interface Group {
  silent: boolean;
  /** Number of fallback characters to skip after a `\u`. */
  fallback: number;
  outline: number;
  font: number;
  /** Hidden or deleted text. */
  hidden: boolean;
  isRaised: boolean;
  /** The number or bullet of a list's item: what it says of paragraphs does not hold for the item. */
  isMarker: boolean;
}

/** A text beside the flow, and what waits until it ends. */
interface Aside {
  readonly kind: (typeof ASIDES)[string];
  readonly depth: number;
  readonly lines: string[];
  readonly paragraph: string;
  readonly cells: string[];
  readonly inTable: boolean;
}

/** Rich Text Format → paragraphs, tables row by row, headings by outline level. @see RTF specification 1.9.1 */
export async function parseRtf(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const builder = new DocumentBuilder('rtf', context);
  const stack: Group[] = [];
  const fonts = new RtfFonts(source);
  let group: Group = {
    silent: false,
    fallback: 1,
    outline: -1,
    font: fonts.first,
    hidden: false,
    isRaised: false,
    isMarker: false,
  };
  let paragraph = '';
  let pending: number[] = []; // bytes of the code page, decoded together: a character may have two
  let skip = 0;
  let cells: string[] = [];
  const row = new RtfRow();
  const table: (readonly PlacedCell[])[] = [];
  let level = -1;
  let inTable = false;
  let isNested = false;
  const raised = new RaisedText();
  const asides: Aside[] = [];
  const said = new Set<string>();
  const notes: string[] = [];
  const footers: string[] = [];

  const add = (text: string): void => {
    if (!group.hidden) paragraph += raised.read(paragraph, text, group.isRaised);
  };
  const flushBytes = (): void => {
    if (pending.length === 0) return;
    add(fonts.decode(group.font, Uint8Array.from(pending)));
    pending = [];
  };
  const closeTable = (): void => {
    const rows = alignRows(table.splice(0), TWIPS_APART);
    writeTable(builder, rows, guessHeaderRows(rows));
  };
  const endParagraph = (): void => {
    flushBytes();
    if (inTable) {
      paragraph += '\n'; // goes on in the cell
      return;
    }
    const text = paragraph.replace(/[^\S\n\t]+/g, ' ').trim();
    paragraph = '';
    if (text === '') return;
    const aside = asides.at(-1);
    if (aside) {
      aside.lines.push(text);
      return;
    }
    closeTable();
    if (level >= 0 && level < 9)
      builder.block({ kind: 'heading', level: Math.min(6, level + 1), label: text.replace(/\s+/g, ' ') }, text);
    else builder.block({ kind: 'paragraph' }, text);
    for (const note of notes.splice(0)) builder.block({ kind: 'paragraph' }, note);
  };
  const beginAside = (kind: Aside['kind']): void => {
    flushBytes();
    asides.push({ kind, depth: stack.length, lines: [], paragraph, cells, inTable });
    paragraph = '';
    cells = [];
    inTable = false;
    group.silent = false;
  };
  const endAside = (): void => {
    inTable = false;
    endParagraph();
    const aside = asides.pop()!;
    ({ paragraph, cells, inTable } = aside);
    const text = aside.lines.join('\n');
    if (text === '') return;
    if (aside.kind === 'instruction') {
      paragraph += shownByField(text);
      return;
    }
    if (aside.kind === 'title' || aside.kind === 'author') {
      takeProperties(builder, { [aside.kind]: text });
      return;
    }
    if (aside.kind === 'note') {
      notes.push(text);
      return;
    }
    if (said.has(text) || /^\W*(?:page )?\d*\W*$/i.test(text)) return; // each once, without numbers of pages
    said.add(text);
    if (aside.kind === 'footer') footers.push(text);
    else if (asides.length > 0 || paragraph.trim() !== '' || inTable) notes.push(text);
    else {
      closeTable();
      builder.block({ kind: 'paragraph' }, text);
    }
  };
  const endRow = (): void => {
    const texts = cells.splice(0).map((cell) => cell.replace(/\s+/g, ' ').trim());
    if (texts.every((text) => text === '')) return;
    const aside = asides.at(-1);
    if (aside) aside.lines.push(rowText(texts));
    else table.push(row.place(texts));
  };

  const token = /\\([a-zA-Z]+)(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|[\r\n]+|[^\\{}\r\n]+/g;
  for (let match = token.exec(source); match; match = token.exec(source)) {
    const [whole, word, parameter, hex, symbol, brace] = match;
    if (brace === '{') {
      flushBytes();
      stack.push(group);
      group = { ...group };
    } else if (brace === '}') {
      flushBytes();
      if (asides.at(-1)?.depth === stack.length) endAside();
      if (stack.length === 0) break; // text after the outermost group is not part of the document
      group = stack.pop()!;
      skip = 0;
    } else if (hex !== undefined) {
      if (skip > 0) skip--;
      else if (!group.silent) pending.push(Number.parseInt(hex, 16));
    } else if (symbol !== undefined) {
      if (symbol === '*') group.silent = true;
      else if (!group.silent) {
        flushBytes();
        if (skip > 0 && symbol !== '\n' && symbol !== '\r') skip--;
        else if (symbol === '~') add(' ');
        else if (symbol === '_') add('-');
        else if (symbol === '\\' || symbol === '{' || symbol === '}') add(symbol);
        else if (symbol === '\n' || symbol === '\r') endParagraph();
      }
    } else if (word !== undefined) {
      if (word === 'bin') token.lastIndex += Math.max(0, Number(parameter ?? 0));
      else if (ASIDES[word] !== undefined) beginAside(ASIDES[word]);
      else if (SILENT.has(word)) group.silent = true;
      else if (word === 'uc') group.fallback = Math.max(0, Number(parameter ?? 1));
      else if (word === 'ansicpg') fonts.setFile(Number(parameter ?? 1252));
      else if (word === 'nestrow') paragraph = paragraph.replace(/,\s*$/, '; ');
      else if (group.silent) continue;
      else if (word === 'f' || word === 'plain') {
        flushBytes();
        group.font = word === 'f' ? Number(parameter ?? 0) : fonts.first;
        if (word === 'plain') {
          group.hidden = false;
          group.isRaised = false;
        }
      } else if (word === 'v' || word === 'deleted') {
        flushBytes();
        group.hidden = parameter !== '0';
      } else if (word === 'super' || word === 'nosupersub' || word === 'sub' || word === 'up') {
        flushBytes();
        group.isRaised = (word === 'super' || word === 'up') && parameter !== '0';
      } else if (word === 'u') {
        flushBytes();
        add(fonts.character(group.font, Number(parameter ?? 0) & 0xffff));
        skip = group.fallback;
      } else if (word === 'par' || word === 'sect' || word === 'page') {
        endParagraph();
      } else if (word === 'listtext' || word === 'pntext') {
        group.isMarker = true;
      } else if (word === 'pard') {
        if (group.isMarker) continue;
        level = -1;
        inTable = false;
      } else if (word === 'intbl') {
        inTable = true;
      } else if (word === 'outlinelevel') {
        level = Number(parameter ?? 9);
      } else if (word === 'cell') {
        flushBytes();
        cells.push(isNested ? paragraph.replace(/[,;]\s*$/, '') : paragraph);
        isNested = false;
        paragraph = '';
      } else if (word === 'nestcell') {
        flushBytes();
        add(', '); // a table inside a cell is a part of its text
        isNested = true;
      } else if (word === 'row') {
        endRow();
      } else if (row.take(word, Number(parameter ?? 0))) {
      } else if (CHARACTERS[word] !== undefined) {
        flushBytes();
        add(CHARACTERS[word]!);
      }
    } else if (!group.silent && !/^[\r\n]/.test(whole)) {
      let text = skip > 0 ? whole.slice(skip) : whole;
      skip = Math.max(0, skip - whole.length);
      // The second byte of a character may be a letter, which is written as such.
      if (text !== '' && pending.length > 0 && fonts.decode(group.font, Uint8Array.from(pending)).endsWith('\ufffd')) {
        pending.push(text.charCodeAt(0));
        text = text.slice(1);
      }
      flushBytes();
      add(fonts.show(group.font, text));
    }
  }
  while (asides.length > 0) endAside();
  inTable = false;
  endParagraph();
  closeTable();
  for (const text of [...notes, ...footers]) builder.block({ kind: 'paragraph' }, text);
  if (stack.length > 0) builder.warn('RTF_CUT', 'the file ends inside a group: it is cut short');
  if (builder.length === 0) throw new IbidError('FILE_EMPTY', 'the file holds no text');
  const document = builder.build();
  if (document.title !== '') return document;
  const heading = document.blocks.find((block) => block.kind === 'heading');
  return heading?.label === undefined ? document : { ...document, title: heading.label };
}
