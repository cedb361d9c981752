/** The stories of a document of Word before 2007: paragraphs, rows of tables and lists, character by character. */
import type { DocumentBuilder } from '../builder.ts';
import type { ListPlace } from './doc-lists.ts';
import type { ParagraphMarks, RowShape } from './doc-rows.ts';
import type { SpecialRun } from './doc-runs.ts';
import { type Numbering, nested } from './docx-numbering.ts';
import { LONGEST_EQUATION, shownByField } from './equation-field.ts';
import { GridTables } from './grid-tables.ts';

/** Longer paragraphs in the style of a heading are text. */
const LONGEST_HEADING = 500;

/** `count` characters from character position `start`, at byte `offset`, with `width` bytes each. */
export interface Piece {
  readonly start: number;
  readonly count: number;
  readonly offset: number;
  readonly width: 1 | 2;
}

const utf16 = new TextDecoder('utf-16le');
const SPECIAL: Readonly<Record<string, string>> = { '\t': ' ', '\x0b': '\n', '\x1e': '-', '\x1f': '', '\xa0': ' ' };

interface Decoder {
  decode(bytes: Uint8Array): string;
}

/** Writes the stories of a document: its text, its notes, and what else is a text of its own. */
export class StoryReader {
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
  readonly #narrow: Decoder;
  #isRunning = false;
  readonly #said = new Set<string>();

  /** @param narrow decodes characters of one byte */
  constructor(
    builder: DocumentBuilder,
    marks: ParagraphMarks,
    special: readonly SpecialRun[],
    numbering: Numbering,
    narrow: Decoder = new TextDecoder('windows-1252'),
  ) {
    this.builder = builder;
    this.#marks = marks;
    this.#special = special;
    this.#numbering = numbering;
    this.#narrow = narrow;
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
      const text = width === 1 ? this.#narrow.decode(raw) : utf16.decode(raw);
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
