/** Strings of Excel 5 to 2003. @see [MS-XLS], 2.5.293, 2.5.294, 2.4.265 */
import { decodeDos } from '../dos.ts';
import { labelOfPage } from './code-pages.ts';

const WIDE = 1;
const EXTENDED = 4;
const RICH = 8;

/** Reads a string with its length before it; what is cut off is left out. */
export type ReadString = (data: Buffer, at: number, lengthBytes: 1 | 2) => string;

/** Since Excel 97. */
export function stringAt(data: Buffer, at: number, lengthBytes: 1 | 2): string {
  const count = lengthBytes === 1 ? data[at]! : data.readUInt16LE(at);
  const flags = data[at + lengthBytes] ?? 0;
  const from = at + lengthBytes + 1 + (flags & RICH ? 2 : 0) + (flags & EXTENDED ? 4 : 0);
  return characters(data, from, count, (flags & WIDE) !== 0);
}

/** Names of Excel for code pages of Macintosh and Windows. */
const PAGES: Readonly<Record<number, number>> = { 32768: 10_000, 32769: 1252 };

/** Before Excel 97: bytes of a code page. */
export function stringIn(page: number): ReadString {
  const decoder = new TextDecoder(labelOfPage(PAGES[page] ?? page) ?? 'windows-1252');
  return (data, at, lengthBytes) => {
    const count = lengthBytes === 1 ? (data[at] ?? 0) : data.readUInt16LE(at);
    const bytes = data.subarray(at + lengthBytes, at + lengthBytes + count);
    return decodeDos(bytes, `ibm${page}`) ?? decoder.decode(bytes);
  };
}

function characters(data: Buffer, from: number, count: number, isWide: boolean): string {
  return isWide ? data.toString('utf16le', from, from + 2 * count) : data.toString('latin1', from, from + count);
}

/** The strings that cells share. A record ends in the middle of a string, which goes on in the next one. */
export class SharedStrings {
  readonly #records: Buffer[] = [];

  add(record: Buffer): void {
    this.#records.push(record);
  }

  read(): string[] {
    const strings: string[] = [];
    const first = this.#records[0];
    if (!first || first.length < 8) return strings;
    const total = first.readUInt32LE(4);
    let index = 0;
    let at = 8;
    /** Goes to the next record at the end of one; undefined at the end of all. */
    const here = (): Buffer | undefined => {
      while (index < this.#records.length && at >= this.#records[index]!.length) {
        at -= this.#records[index]!.length;
        index++;
      }
      return this.#records[index];
    };
    while (strings.length < total) {
      const record = here();
      if (!record || at + 3 > record.length) return strings;
      let left = record.readUInt16LE(at);
      let flags = record[at + 2]!;
      at += 3;
      const runs = flags & RICH ? record.readUInt16LE(at) : 0;
      if (flags & RICH) at += 2;
      const extended = flags & EXTENDED ? record.readUInt32LE(at) : 0;
      if (flags & EXTENDED) at += 4;
      let text = '';
      while (left > 0) {
        const before = index;
        const part = here();
        if (!part) break;
        if (index !== before) {
          flags = part[at]!; // each record says anew how wide its characters are
          at++;
        }
        const width = flags & WIDE ? 2 : 1;
        const count = Math.min(left, Math.floor((part.length - at) / width));
        if (count <= 0) break;
        text += characters(part, at, count, width === 2);
        at += count * width;
        left -= count;
      }
      strings.push(text);
      at += runs * 4 + extended;
    }
    return strings;
  }
}
