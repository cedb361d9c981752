/** Text of Word before 2007 that is not what its characters say: deleted or hidden, or a character of a symbol font. */
import { modifiersIn, propertyPages } from './doc-properties.ts';
import { symbolOf } from './symbols.ts';

/** Bytes of the text, and what is shown for each character; '' shows nothing. */
export interface SpecialRun {
  readonly from: number;
  readonly to: number;
  readonly shown: string;
}

const DELETED = 0x0800;
const HIDDEN = 0x083c;
const SYMBOL = 0x6a09;
/** Bytes of a font before its name (2.9.71). */
const BEFORE_NAME = 40;

/** In the order of the text. @param plc the table of the pages with properties of characters */
export function readSpecialRuns(word: Buffer, plc: Buffer, fonts: Buffer): SpecialRun[] {
  const names = fontNames(fonts);
  const found: SpecialRun[] = [];
  for (const page of propertyPages(word, plc)) {
    const runs = page[511]!;
    if (runs * 5 + 4 > 511) continue;
    for (let i = 0; i < runs; i++) {
      const at = page[(runs + 1) * 4 + i]! * 2;
      if (at === 0) continue;
      const shown = shownAs(page.subarray(at + 1, at + 1 + page[at]!), names);
      if (shown !== undefined) found.push({ from: page.readUInt32LE(i * 4), to: page.readUInt32LE(i * 4 + 4), shown });
    }
  }
  return found.sort((a, b) => a.from - b.from);
}

function shownAs(properties: Buffer, fonts: readonly string[]): string | undefined {
  let shown: string | undefined;
  for (const { modifier, operand } of modifiersIn(properties)) {
    if ((modifier === DELETED || modifier === HIDDEN) && operand[0] === 1) return '';
    if (modifier === SYMBOL && operand.length >= 4)
      shown = symbolOf(fonts[operand.readUInt16LE(0)] ?? '', operand.readUInt16LE(2));
  }
  return shown;
}

function fontNames(table: Buffer): string[] {
  const names: string[] = [];
  for (let at = 4; at < table.length; at += table[at]! + 1) {
    const font = table.toString('utf16le', at + BEFORE_NAME, at + 1 + table[at]!);
    names.push(font.split('\0')[0]!);
  }
  return names;
}
