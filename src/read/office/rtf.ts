import { IbidError } from '../../core/errors.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { RtfFonts } from './rtf-fonts.ts';

/** Groups whose text is not part of the document. The file marks others with `\*`. */
const SILENT = new Set([
  'fonttbl',
  'colortbl',
  'stylesheet',
  'info',
  'pict',
  'object',
  'header',
  'headerl',
  'headerr',
  'headerf',
  'footer',
  'footerl',
  'footerr',
  'footerf',
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
  'fldinst',
  'filetbl',
  'revtbl',
  'private',
  'template',
  'operator',
  'author',
  'nonshppict',
  'shpinst',
]);
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

interface Group {
  silent: boolean;
  /** Number of fallback characters to skip after a `\u`. */
  fallback: number;
  outline: number;
  font: number;
}

/** Rich Text Format → paragraphs, tables row by row, headings by outline level. @see RTF specification 1.9.1 */
export async function parseRtf(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const builder = new DocumentBuilder('rtf', context);
  const stack: Group[] = [];
  const fonts = new RtfFonts(source);
  let group: Group = { silent: false, fallback: 1, outline: -1, font: fonts.first };
  let paragraph = '';
  let pending: number[] = []; // bytes of the code page, decoded together: a character may have two
  let skip = 0;
  let cells: string[] = [];
  let table: { start: number; end: number; header: { start: number; end: number } } | undefined;
  let level = -1;

  const flushBytes = (): void => {
    if (pending.length === 0) return;
    paragraph += fonts.decode(group.font, Uint8Array.from(pending));
    pending = [];
  };
  const closeTable = (): void => {
    if (table) builder.mark(table, { kind: 'table', header: table.header });
    table = undefined;
  };
  const endParagraph = (): void => {
    flushBytes();
    const text = paragraph.replace(/[^\S\n\t]+/g, ' ').trim();
    paragraph = '';
    if (text === '') return;
    closeTable();
    if (level >= 0 && level < 9)
      builder.block({ kind: 'heading', level: Math.min(6, level + 1), label: text.replace(/\s+/g, ' ') }, text);
    else builder.block({ kind: 'paragraph' }, text);
  };
  const endRow = (): void => {
    const line = cells
      .map((cell) => cell.replace(/\s+/g, ' ').trim())
      .join(' | ')
      .trim();
    cells = [];
    if (line.replace(/[|\s]/g, '') === '') return;
    if (builder.length > 0) builder.append(table ? '\n' : '\n\n');
    const span = builder.append(line);
    if (table) table.end = span.end;
    else table = { ...span, header: span };
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
        else if (symbol === '~') paragraph += ' ';
        else if (symbol === '_') paragraph += '-';
        else if (symbol === '\\' || symbol === '{' || symbol === '}') paragraph += symbol;
        else if (symbol === '\n' || symbol === '\r') endParagraph();
      }
    } else if (word !== undefined) {
      if (word === 'bin') token.lastIndex += Math.max(0, Number(parameter ?? 0));
      else if (SILENT.has(word)) group.silent = true;
      else if (word === 'uc') group.fallback = Math.max(0, Number(parameter ?? 1));
      else if (word === 'ansicpg') fonts.setFile(Number(parameter ?? 1252));
      else if (group.silent) continue;
      else if (word === 'f' || word === 'plain') {
        flushBytes();
        group.font = word === 'f' ? Number(parameter ?? 0) : fonts.first;
      } else if (word === 'u') {
        flushBytes();
        paragraph += fonts.character(group.font, Number(parameter ?? 0) & 0xffff);
        skip = group.fallback;
      } else if (word === 'par' || word === 'sect' || word === 'page') {
        endParagraph();
      } else if (word === 'pard') {
        level = -1;
      } else if (word === 'outlinelevel') {
        level = Number(parameter ?? 9);
      } else if (word === 'cell' || word === 'nestcell') {
        flushBytes();
        cells.push(paragraph);
        paragraph = '';
      } else if (word === 'row' || word === 'nestrow') {
        endRow();
      } else if (CHARACTERS[word] !== undefined) {
        flushBytes();
        paragraph += CHARACTERS[word];
      }
    } else if (!group.silent && !/^[\r\n]/.test(whole)) {
      let text = skip > 0 ? whole.slice(skip) : whole;
      skip = Math.max(0, skip - whole.length);
      // The second byte of a character may be a letter, which is written as such.
      if (pending.length > 0 && fonts.decode(group.font, Uint8Array.from(pending)).endsWith('\ufffd')) {
        pending.push(text.charCodeAt(0));
        text = text.slice(1);
      }
      flushBytes();
      paragraph += fonts.show(group.font, text);
    }
  }
  endParagraph();
  closeTable();
  if (stack.length > 0) builder.warn('RTF_CUT', 'the file ends inside a group: it is cut short');
  const title = /\{\\title ([^{}\\]+)\}/.exec(source)?.[1]?.trim();
  if (title) builder.title = title;
  if (builder.length === 0) throw new IbidError('FILE_EMPTY', 'the file holds no text');
  const document = builder.build();
  if (document.title !== '') return document;
  const heading = document.blocks.find((block) => block.kind === 'heading');
  return heading?.label === undefined ? document : { ...document, title: heading.label };
}
