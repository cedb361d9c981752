/** Word before 2007 ([MS-DOC]): text from the piece table, paragraphs, headings by their styles, and table rows. */
import { IbidError } from '../../core/errors.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { type CompoundFile, openCompoundFile } from './compound-file.ts';
import { type ListPlace, readLists } from './doc-lists.ts';
import { type ParagraphMarks, type RowShape, readParagraphMarks } from './doc-rows.ts';
import { readSpecialRuns, type SpecialRun } from './doc-runs.ts';
import { paragraphStyles } from './doc-styles.ts';
import { type Numbering, nested } from './docx-numbering.ts';
import { LONGEST_EQUATION, shownByField } from './equation-field.ts';
import { GridTables } from './grid-tables.ts';
import { readSummary } from './summary.ts';

/** First word of the file information block since Word 97; earlier versions have a smaller `nFib`. */
const WORD_IDENT = 0xa5ec;
const WORD_97 = 0xc1;
const FIB_BYTES = 0x1aa;
/** Where the header names the tables of lists and of their uses. */
const LISTS = 0x2e2;
/** Longer paragraphs in the style of a heading are text. */
const LONGEST_HEADING = 500;

/**
 * Main text, then notes, text boxes, comments, and headers and footers, each once. Of a field only its result is kept.
 * @throws IbidError FILE_ENCRYPTED, FILE_UNSUPPORTED (Word 95 and before), FILE_DAMAGED, FILE_EMPTY, FILE_TOO_LARGE
 */
export async function parseDoc(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const file = openCompoundFile(bytes);
  if (file.names.includes('EncryptedPackage')) throw encrypted();
  const main = file.stream('WordDocument');
  if (!main) {
    throw new IbidError('FILE_UNSUPPORTED', 'an old binary Office file, not a Word document', {
      hint: 'Save it as .docx, .xlsx or .pptx.',
    });
  }
  const word = Buffer.from(main.buffer, main.byteOffset, main.byteLength);
  if (word.length < 32 || word.readUInt16LE(0) !== WORD_IDENT) throw damaged('its header is not that of Word');
  const flags = word.readUInt16LE(10);
  if (flags & 0x100) throw encrypted();
  if (word.readUInt16LE(2) < WORD_97) {
    throw new IbidError('FILE_UNSUPPORTED', 'a file of Word 95 or earlier', { hint: 'Save it as .docx.' });
  }
  if (word.length < FIB_BYTES) throw damaged('its header is cut short');
  const stored = file.stream(flags & 0x200 ? '1Table' : '0Table');
  if (!stored) throw damaged('it has no table stream');
  const table = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const partOf = (at: number): [number, number] => [word.readUInt32LE(at), word.readUInt32LE(at + 4)];
  const [sheet, characters, fonts] = [0xa2, 0xfa, 0x112].map((at) => {
    const [start, length] = partOf(at);
    return table.subarray(start, start + length);
  });
  const reader = new StoryReader(
    new DocumentBuilder('doc', context),
    readParagraphMarks(word, slice(table, ...partOf(0x102)), () => pictures(file), paragraphStyles(sheet!)),
    readSpecialRuns(word, characters!, fonts!),
    numberingOf(word, table),
  );
  const pieces = readPieces(word, table);
  let at = 0;
  const [text, footnotes, headers, , comments, endnotes, boxes, headerBoxes] = Array.from({ length: 8 }, (_, i) => {
    const from = at;
    at += word.readUInt32LE(0x4c + i * 4);
    return [from, at] as const;
  });
  for (const story of [text, footnotes, endnotes, boxes, comments]) reader.read(word, pieces, story!);
  for (const story of [headers, headerBoxes]) reader.read(word, pieces, story!, true);
  if (reader.builder.length === 0) throw new IbidError('FILE_EMPTY', 'the document holds no text');
  readSummary(file, reader.builder);
  if (reader.builder.title === '') reader.builder.title = reader.title;
  return reader.builder.build();
}

/** The numbers of lists; none where the header is too short to name them. */
function numberingOf(word: Buffer, table: Buffer): Numbering {
  const [lists, uses] = [LISTS, LISTS + 8].map((at) => (at + 8 <= word.length ? word.readUInt32LE(at) : 0));
  const sizes = [LISTS + 4, LISTS + 12].map((at) => (at + 4 <= word.length ? word.readUInt32LE(at) : 0));
  const none = Buffer.alloc(0);
  return readLists(sizes[0] ? table.subarray(lists) : none, sizes[1] ? table.subarray(uses, uses! + sizes[1]) : none);
}

/** The stream of pictures, which has the properties of wide rows, too; a broken one does not take the text with it. */
function pictures(file: CompoundFile): Buffer | undefined {
  try {
    const stream = file.stream('Data');
    return stream && Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength);
  } catch {
    return undefined;
  }
}

/** `count` characters from character position `start`, at byte `offset`, with `width` bytes each. */
interface Piece {
  readonly start: number;
  readonly count: number;
  readonly offset: number;
  readonly width: 1 | 2;
}

/** Reads the Clx (2.9.38): property runs, which are skipped, then the piece table. */
function readPieces(word: Buffer, table: Buffer): Piece[] {
  const clx = slice(table, word.readUInt32LE(0x1a2), word.readUInt32LE(0x1a6));
  let at = 0;
  while (clx[at] === 1 && at + 3 <= clx.length) at += 3 + clx.readUInt16LE(at + 1);
  if (clx[at] !== 2 || at + 5 > clx.length) throw damaged('it has no table of pieces');
  const plc = slice(clx, at + 5, clx.readUInt32LE(at + 1));
  const count = Math.floor((plc.length - 4) / 12);
  const pieces: Piece[] = [];
  let total = 0;
  for (let i = 0; i < count; i++) {
    const start = plc.readUInt32LE(i * 4);
    const characters = plc.readUInt32LE(i * 4 + 4) - start;
    const position = plc.readUInt32LE((count + 1) * 4 + i * 8 + 2);
    const width = position & 0x40000000 ? 1 : 2;
    const offset = width === 1 ? (position & 0x3fffffff) >> 1 : position & 0x3fffffff;
    total += characters;
    // Pieces do not share bytes: otherwise a small file could describe endless text.
    if (characters < 0 || total > word.length || offset + characters * width > word.length)
      throw damaged('a piece of text lies outside of it');
    pieces.push({ start, count: characters, offset, width });
  }
  return pieces;
}

const windows1252 = new TextDecoder('windows-1252');
const utf16 = new TextDecoder('utf-16le');
const SPECIAL: Readonly<Record<string, string>> = { '\t': ' ', '\x0b': '\n', '\x1e': '-', '\x1f': '', '\xa0': ' ' };

class StoryReader {
  readonly builder: DocumentBuilder;
  /** The first heading of the first level. */
  title = '';
  readonly #marks: ParagraphMarks;
  /** For each open field its instruction, until the result begins: that is kept. */
  #fields: (string | undefined)[] = [];
  #text = '';
  #cells: string[] = [];
  readonly #tables = new GridTables();
  readonly #special: readonly SpecialRun[];
  readonly #numbering: Numbering;
  #isRunning = false;
  readonly #said = new Set<string>();

  constructor(builder: DocumentBuilder, marks: ParagraphMarks, special: readonly SpecialRun[], numbering: Numbering) {
    this.builder = builder;
    this.#marks = marks;
    this.#special = special;
    this.#numbering = numbering;
  }

  /**
   * Reads the characters at positions `from` to `to` (exclusive).
   * @param isRunning whether they are said on each page: then once, and without numbers of pages
   */
  read(word: Buffer, pieces: readonly Piece[], [from, to]: readonly [number, number], isRunning = false): void {
    this.#isRunning = isRunning;
    for (const { start, count, offset, width } of pieces) {
      const first = Math.max(start, from);
      const last = Math.min(start + count, to);
      if (first >= last) continue;
      const at = offset + (first - start) * width;
      const raw = word.subarray(at, at + (last - first) * width);
      const text = width === 1 ? windows1252.decode(raw) : utf16.decode(raw);
      // A piece is a run of bytes, as the runs of characters are; the text may take its pieces in any order.
      let run = this.#special.findIndex(({ to: end }) => end > at);
      for (let i = 0; i < text.length; i++) {
        const byte = at + i * width;
        while (run >= 0 && byte >= (this.#special[run]?.to ?? Number.POSITIVE_INFINITY)) run++;
        const special = this.#special[run];
        this.#character(text[i]!, byte + width, special && byte >= special.from ? special.shown : undefined);
      }
    }
    this.#fields = [];
    this.#endParagraph();
    if (this.#cells.length > 0) this.#endRow({ cells: [], isHeader: false });
    this.#tables.write(this.builder);
  }

  /**
   * @param after byte offset after the character
   * @param shown what is shown in its place
   */
  #character(character: string, after: number, shown: string | undefined): void {
    const last = this.#fields.length - 1;
    if (character === '\x13') this.#fields.push('');
    else if (character === '\x14') this.#fields[Math.max(0, last)] = undefined;
    else if (character === '\x15') {
      const shown = shownByField(this.#fields.pop() ?? '');
      if (this.#isResult) this.#text += shown;
    } else if (!this.#isResult) {
      const instruction = this.#fields[last];
      if (instruction !== undefined && instruction.length <= LONGEST_EQUATION)
        this.#fields[last] = instruction + character;
    } else if (character === '\x07') {
      const row = this.#marks.rowEnds.get(after);
      if (row) this.#endRow(row);
      else {
        this.#cells.push(this.#text.trim());
        this.#text = '';
      }
    } else if (character === '\r' || character === '\x0c' || character === '\x0e')
      this.#endParagraph(this.#marks.inCells.has(after), this.#marks.headings.get(after), this.#marks.lists.get(after));
    else if (shown !== undefined) this.#text += shown;
    else if (character >= ' ' || character in SPECIAL) this.#text += SPECIAL[character] ?? character;
  }

  /** Whether what comes is shown: outside of all instructions. */
  get #isResult(): boolean {
    return this.#fields.every((instruction) => instruction === undefined);
  }

  /**
   * In a table row the end of a paragraph is only a blank, because the cell continues.
   * @param level of a heading
   * @param list where a paragraph of a list stands in it
   */
  #endParagraph(inCell = false, level?: number, { list = 0, level: depth = 0 }: ListPlace = {}): void {
    if (inCell || this.#cells.length > 0) {
      this.#text += ' ';
      return;
    }
    const text = this.#text.trim();
    this.#text = '';
    if (text === '') {
      this.#tables.separate();
      return;
    }
    if (this.#isRunning) {
      if (/^\W*(?:page )?\d*\W*$/iu.test(text) || this.#said.has(text)) return;
      this.#said.add(text);
    }
    this.#tables.write(this.builder);
    const marker = list === 0 ? '' : this.#numbering.next(String(list), depth);
    if (level === undefined || this.#isRunning || text.length >= LONGEST_HEADING) {
      if (marker === '') this.builder.block({ kind: 'paragraph' }, text);
      else this.builder.block({ kind: 'list' }, `${nested(marker, depth)}${marker} ${text}`);
      return;
    }
    const heading = (marker === '' || marker === '-' ? text : `${marker} ${text}`).replace(/\s+/gu, ' ');
    if (this.title === '' && level === 1) this.title = heading;
    this.builder.block({ kind: 'heading', level, label: heading }, heading);
  }

  #endRow({ cells: shape, isHeader }: RowShape): void {
    if (this.#text.trim() !== '') this.#cells.push(this.#text.trim());
    this.#text = '';
    const cells = this.#cells.splice(0);
    if (this.#isRunning) {
      const row = cells.join('\x07');
      if (this.#said.has(row)) return;
      this.#said.add(row);
    }
    const placed = cells.map((text, i) => ({ text, ...shape[i] }));
    if (cells.some((cell) => cell !== '')) this.#tables.add(placed, isHeader);
  }
}

function slice(bytes: Buffer, start: number, length: number): Buffer {
  if (start + length > bytes.length) throw damaged('a table lies outside of it');
  return bytes.subarray(start, start + length);
}

function encrypted(): IbidError {
  return new IbidError('FILE_ENCRYPTED', 'the file needs a password', {
    hint: 'Save a copy without a password and ingest that.',
  });
}

function damaged(what: string): IbidError {
  return new IbidError('FILE_DAMAGED', `the Word document is broken: ${what}`);
}
