/** Word 6 to 2003 ([MS-DOC]): text from the piece table, paragraphs, headings by their styles, and table rows. */
import { IbidError } from '../../core/errors.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { labelOfPage } from './code-pages.ts';
import { type CompoundFile, openCompoundFile } from './compound-file.ts';
import { COUNTS_95, HEADER_BYTES_95, IDENT_95, onePiece95, paragraphMarks95, pieceTable95 } from './doc-95.ts';
import { readLists } from './doc-lists.ts';
import { readParagraphMarks } from './doc-rows.ts';
import { readSpecialRuns } from './doc-runs.ts';
import { type Piece, StoryReader } from './doc-story.ts';
import { paragraphStyles } from './doc-styles.ts';
import type { Numbering } from './docx-numbering.ts';
import { codePageOf, readSummary } from './summary.ts';

/** First word of the header since Word 97; a version before that with the same word has a smaller number. */
const WORD_IDENT = 0xa5ec;
const WORD_97 = 0xc1;
const FIB_BYTES = 0x1aa;
/** The Japanese, Korean and Chinese Word 95. */
const EAST_ASIAN_95 = [0xa697, 0xa698, 0xa699];
const ENCRYPTED = 0x100;
/** Where the header counts the characters of each story. */
const COUNTS = 0x4c;
const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
/** Where the header names the tables of lists and of their uses. */
const LISTS = 0x2e2;

/**
 * Main text, then notes, text boxes, comments, and headers and footers, each once. Of a field only its result is kept.
 * @throws IbidError FILE_ENCRYPTED, FILE_UNSUPPORTED (before Word 6, and the East Asian Word 95), FILE_DAMAGED,
 * FILE_EMPTY, FILE_TOO_LARGE
 */
export async function parseDoc(bytes: Uint8Array, context: ParseContext): Promise<ParsedDocument> {
  const file = openCompoundFile(bytes);
  if (file.has('EncryptedPackage')) throw encrypted();
  const main = file.stream('WordDocument');
  if (!main) {
    throw new IbidError('FILE_UNSUPPORTED', 'an old binary Office file, not a Word document', {
      hint: 'Save it as .docx, .xlsx or .pptx.',
    });
  }
  const word = Buffer.from(main.buffer, main.byteOffset, main.byteLength);
  const ident = word.length < 32 ? 0 : word.readUInt16LE(0);
  if (ident !== WORD_IDENT && ident !== IDENT_95 && !EAST_ASIAN_95.includes(ident))
    throw damaged('its header is not that of Word');
  if (word.readUInt16LE(10) & ENCRYPTED) throw encrypted();
  const isOld = ident === IDENT_95;
  if (!isOld && word.readUInt16LE(2) < WORD_97) {
    throw new IbidError('FILE_UNSUPPORTED', 'a file of an old Word', { hint: 'Save it as .docx.' });
  }
  if (word.length < (isOld ? HEADER_BYTES_95 : FIB_BYTES)) throw damaged('its header is cut short');
  const builder = new DocumentBuilder('doc', context);
  const { reader, pieces, counts } = isOld ? open95(word, file, builder) : open97(word, file, builder);
  let at = 0;
  const [text, footnotes, headers, , comments, endnotes, boxes, headerBoxes] = counts.map((count) => {
    const from = at;
    at += count;
    return [from, at] as const;
  });
  for (const story of [text, footnotes, endnotes, boxes, comments]) reader.read(word, pieces, story!);
  for (const story of [headers, headerBoxes]) reader.read(word, pieces, story!, true);
  if (builder.length === 0) throw new IbidError('FILE_EMPTY', 'the document holds no text');
  readSummary(file, builder);
  if (builder.title === '') builder.title = reader.title;
  return builder.build();
}

interface Opened {
  readonly reader: StoryReader;
  readonly pieces: readonly Piece[];
  /** Characters of each story, in the order of the file. */
  readonly counts: readonly number[];
}

function countsAt(word: Buffer, at: number): number[] {
  return Array.from({ length: 8 }, (_, i) => word.readUInt32LE(at + i * 4));
}

/** The bytes are of the code page of the properties, where that has one byte for a character. */
function open95(word: Buffer, file: CompoundFile, builder: DocumentBuilder): Opened {
  const page = codePageOf(file);
  const own = new TextDecoder((page === undefined ? undefined : labelOfPage(page)) ?? 'windows-1252');
  const isNarrow = own.encoding !== 'utf-8' && own.decode(everyByte).length === everyByte.length;
  const narrow = isNarrow ? own : new TextDecoder('windows-1252');
  const counts = countsAt(word, COUNTS_95);
  const table = pieceTable95(word);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return {
    reader: new StoryReader(builder, paragraphMarks95(word), [], numberingOf(word, Buffer.alloc(0)), narrow),
    pieces: table ? readPieces(word, table, true) : [onePiece95(word, total)],
    counts,
  };
}

function open97(word: Buffer, file: CompoundFile, builder: DocumentBuilder): Opened {
  const stored = file.stream(word.readUInt16LE(10) & 0x200 ? '1Table' : '0Table');
  if (!stored) throw damaged('it has no table stream');
  const table = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const partOf = (at: number): [number, number] => [word.readUInt32LE(at), word.readUInt32LE(at + 4)];
  const [sheet, characters, fonts] = [0xa2, 0xfa, 0x112].map((at) => {
    const [start, length] = partOf(at);
    return table.subarray(start, start + length);
  });
  const reader = new StoryReader(
    builder,
    readParagraphMarks(word, slice(table, ...partOf(0x102)), () => pictures(file), paragraphStyles(sheet!)),
    readSpecialRuns(word, characters!, fonts!),
    numberingOf(word, table),
  );
  const clx = slice(table, word.readUInt32LE(0x1a2), word.readUInt32LE(0x1a6));
  return { reader, pieces: readPieces(word, clx), counts: countsAt(word, COUNTS) };
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

/**
 * Reads the Clx (2.9.38): property runs, which are skipped, then the piece table.
 * @param isOld all characters have one byte
 */
function readPieces(word: Buffer, clx: Buffer, isOld = false): Piece[] {
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
    const width = isOld || position & 0x40000000 ? 1 : 2;
    const offset = isOld ? position : width === 1 ? (position & 0x3fffffff) >> 1 : position & 0x3fffffff;
    total += characters;
    // Pieces do not share bytes: otherwise a small file could describe endless text.
    if (characters < 0 || total > word.length || offset + characters * width > word.length)
      throw damaged('a piece of text lies outside of it');
    pieces.push({ start, count: characters, offset, width });
  }
  return pieces;
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
