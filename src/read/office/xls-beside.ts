/** Texts of a sheet of Excel 5 to 2003 that stand beside its cells: boxes, comments, headers and footers. @see [MS-XLS] */
import { rowTeller } from './cell-comments.ts';
import { nameOfCell, type SheetRow } from './sheet.ts';
import { runningText } from './sheet-running.ts';
import { type ReadString, stringAt } from './xls-strings.ts';

const OBJECT = 0x5d;
const TEXT_OBJECT = 0x1b6;
const CONTINUE = 0x3c;
const NOTE = 0x1c;
const HEADER = 0x14;
const FOOTER = 0x15;

export class TextsBeside {
  readonly #texts = new Map<number, string>();
  /** By object: the name of the cell that its text is about. */
  readonly #cells = new Map<number, string>();
  readonly #running: string[] = [];
  #object = 0;
  /** Characters of the text of the object that are still to come. */
  #left = 0;

  readonly #read: ReadString;

  /** @param read strings of this version: before Excel 97 a comment stands in its own record */
  constructor(read: ReadString = stringAt) {
    this.#read = read;
  }

  /** Takes each record of the sheet, in order. */
  take(type: number, data: Buffer): void {
    if (type === OBJECT && data.length >= 8) this.#object = data.readUInt16LE(6);
    else if ((type === HEADER || type === FOOTER) && data.length > 2)
      this.#running.push(runningText(this.#read(data, 0, this.#read === stringAt ? 2 : 1)));
    else if (type === TEXT_OBJECT && data.length >= 12) this.#left = data.readUInt16LE(10);
    else if (type === CONTINUE && this.#left > 0 && data.length > 0) {
      const isWide = (data[0]! & 1) === 1;
      const text = data.toString(isWide ? 'utf16le' : 'latin1', 1).slice(0, this.#left);
      this.#left -= Math.max(1, text.length);
      this.#texts.set(this.#object, (this.#texts.get(this.#object) ?? '') + text);
    } else if (type === NOTE && data.length >= 8) {
      const isOwn = this.#read !== stringAt;
      const object = isOwn ? -1 - this.#cells.size : data.readUInt16LE(6);
      if (isOwn) this.#texts.set(object, this.#read(data, 4, 2));
      this.#cells.set(object, nameOfCell(data.readUInt16LE(0) + 1, data.readUInt16LE(2)));
    }
  }

  /** The text of each box, the comments, a line each, then what stands on printed pages. @param rows of the sheet */
  texts(rows: readonly SheetRow[]): string[] {
    const boxes: string[] = [];
    const notes: string[] = [];
    for (const [object, said] of this.#texts) {
      const text = said.replace(/\r\n?/gu, '\n').trim();
      const cell = this.#cells.get(object);
      if (text !== '' && cell === undefined) boxes.push(text);
      else if (text !== '') notes.push(`${cell}: ${text}`);
    }
    const comments = notes.length === 0 ? [] : [notes.map(rowTeller(rows)).join('\n')];
    return [...boxes, ...comments, ...this.#running.filter((text) => text !== '')];
  }
}
