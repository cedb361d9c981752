/** Word before 2007 ([MS-DOC]): text from the piece table, paragraphs and table rows. Headings are not recognised. */
import { IbidError } from '../../core/errors.ts';
import { DocumentBuilder } from '../builder.ts';
import type { ParseContext, ParsedDocument } from '../contract.ts';
import { openCompoundFile } from './compound-file.ts';

/** First word of the file information block since Word 97; earlier versions have a smaller `nFib`. */
const WORD_IDENT = 0xa5ec;
const WORD_97 = 0xc1;
const FIB_BYTES = 0x1aa;

/**
 * Main text, then notes. Headers and comments are left out; of a field only its result is kept.
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
  const [text = 0, footnotes = 0, headers = 0, , comments = 0, endnotes = 0] = Array.from({ length: 6 }, (_, i) =>
    word.readUInt32LE(0x4c + i * 4),
  );
  const reader = new StoryReader(new DocumentBuilder('doc', context), rowEnds(word, table));
  const pieces = readPieces(word, table);
  const afterHeaders = text + footnotes + headers + comments;
  const stories: [number, number][] = [
    [0, text],
    [text, text + footnotes],
    [afterHeaders, afterHeaders + endnotes],
  ];
  for (const [from, to] of stories) reader.read(word, pieces, from, to);
  if (reader.builder.length === 0) throw new IbidError('FILE_EMPTY', 'the document holds no text');
  return reader.builder.build();
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

/**
 * Byte positions just after the marks that end a table row: paragraphs with sprmPFTtp (0x2417). The same character ends
 * a cell, so only these positions tell an empty cell from the end of a row.
 */
function rowEnds(word: Buffer, table: Buffer): ReadonlySet<number> {
  const ends = new Set<number>();
  const plc = slice(table, word.readUInt32LE(0x102), word.readUInt32LE(0x106));
  const count = Math.max(0, Math.floor((plc.length - 4) / 8));
  for (let i = 0; i < count; i++) {
    const page = (plc.readUInt32LE((count + 1) * 4 + i * 4) & 0x3fffff) * 512;
    if (page + 512 > word.length) continue;
    const fkp = word.subarray(page, page + 512);
    const paragraphs = fkp[511]!;
    if (paragraphs * 17 + 4 > 511) continue;
    for (let p = 0; p < paragraphs; p++) {
      const at = fkp[(paragraphs + 1) * 4 + p * 13]! * 2;
      if (at === 0) continue;
      const half = fkp[at] ?? 0;
      const from = half === 0 ? at + 2 : at + 1;
      const length = half === 0 ? (fkp[at + 1] ?? 0) * 2 : half * 2 - 1;
      if (endsRow(fkp.subarray(from + 2, from + length))) ends.add(fkp.readUInt32LE((p + 1) * 4));
    }
  }
  return ends;
}

/** Bytes of an operand, by the top three bits of its sprm (2.6.1); 0: the operand has its own length field. */
const OPERAND_BYTES = [1, 1, 2, 4, 2, 2, 0, 3] as const;

function endsRow(properties: Buffer): boolean {
  for (let at = 0; at + 3 <= properties.length; ) {
    const sprm = properties.readUInt16LE(at);
    if (sprm === 0x2417) return properties[at + 2] === 1;
    const fixed = OPERAND_BYTES[sprm >> 13]!;
    if (fixed > 0) at += 2 + fixed;
    else if (sprm === 0xd608) at += 3 + properties[at + 2]! + (properties[at + 3] ?? 0) * 256;
    else at += 3 + properties[at + 2]!;
  }
  return false;
}

const windows1252 = new TextDecoder('windows-1252');
const utf16 = new TextDecoder('utf-16le');
const SPECIAL: Readonly<Record<string, string>> = { '\t': ' ', '\x0b': '\n', '\x1e': '-', '\x1f': '', '\xa0': ' ' };

class StoryReader {
  readonly builder: DocumentBuilder;
  readonly #rowEnds: ReadonlySet<number>;
  /** For each open field, whether the reader is in its instruction, which is dropped; the result is kept. */
  #fields: boolean[] = [];
  #text = '';
  #cells: string[] = [];
  #rows: string[] = [];

  constructor(builder: DocumentBuilder, ends: ReadonlySet<number>) {
    this.builder = builder;
    this.#rowEnds = ends;
  }

  /** Reads the characters at positions `from` to `to` (exclusive). */
  read(word: Buffer, pieces: readonly Piece[], from: number, to: number): void {
    for (const { start, count, offset, width } of pieces) {
      const first = Math.max(start, from);
      const last = Math.min(start + count, to);
      if (first >= last) continue;
      const at = offset + (first - start) * width;
      const raw = word.subarray(at, at + (last - first) * width);
      const text = width === 1 ? windows1252.decode(raw) : utf16.decode(raw);
      for (let i = 0; i < text.length; i++) this.#character(text[i]!, at + (i + 1) * width);
    }
    this.#fields = [];
    this.#endParagraph();
    if (this.#cells.length > 0) this.#endRow();
    this.#endTable();
  }

  /** @param after byte offset after the character */
  #character(character: string, after: number): void {
    if (character === '\x13') this.#fields.push(true);
    else if (character === '\x14') this.#fields[Math.max(0, this.#fields.length - 1)] = false;
    else if (character === '\x15') this.#fields.pop();
    else if (this.#fields.includes(true)) return;
    else if (character === '\x07') {
      if (this.#rowEnds.has(after)) this.#endRow();
      else {
        this.#cells.push(this.#text.trim());
        this.#text = '';
      }
    } else if (character === '\r' || character === '\x0c' || character === '\x0e') this.#endParagraph();
    else if (character >= ' ' || character in SPECIAL) this.#text += SPECIAL[character] ?? character;
  }

  /** In a table row the end of a paragraph is only a blank, because the cell continues. */
  #endParagraph(): void {
    if (this.#cells.length > 0) {
      this.#text += ' ';
      return;
    }
    const text = this.#text.trim();
    this.#text = '';
    if (text === '') return;
    this.#endTable();
    this.builder.block({ kind: 'paragraph' }, text);
  }

  #endRow(): void {
    if (this.#text.trim() !== '') this.#cells.push(this.#text.trim());
    this.#text = '';
    if (this.#cells.some((cell) => cell !== '')) this.#rows.push(this.#cells.join(' | '));
    this.#cells = [];
  }

  #endTable(): void {
    if (this.#rows.length > 0) this.builder.block({ kind: 'table' }, this.#rows.join('\n'));
    this.#rows = [];
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
