/** The lists of Word before 2007 ([MS-DOC] 2.9.131 and 2.9.191): how paragraphs are numbered. */

import { modifiersIn } from './doc-properties.ts';
import { createNumbering, type Numbering } from './docx-numbering.ts';

const LIST = 0x460b;
const LEVEL = 0x260a;
const LEVELS = 9;
const LIST_BYTES = 28;
const LEVEL_BYTES = 28;
const USE_BYTES = 16;
/** Formats of numbers by their code; all others are written in digits. */
const FORMATS: Readonly<Record<number, string>> = {
  1: 'upperRoman',
  2: 'lowerRoman',
  3: 'upperLetter',
  4: 'lowerLetter',
  22: 'decimalZero',
  23: 'bullet',
  255: 'none',
};

/** Which list a paragraph is in, from 1 on, 0 for none, and how deep; absent where its properties do not say. */
export interface ListPlace {
  readonly list?: number;
  readonly level?: number;
}

export function listPlaceIn(properties: Buffer): ListPlace {
  const place: { list?: number; level?: number } = {};
  for (const { modifier, operand } of modifiersIn(properties)) {
    if (modifier === LIST && operand.length >= 2) place.list = operand.readUInt16LE(0);
    else if (modifier === LEVEL && operand.length > 0) place.level = Math.min(LEVELS - 1, operand[0]!);
  }
  return place;
}

/**
 * Counts paragraphs by the number of their list.
 * @param lists from the table of lists on; the levels stand behind it
 * @param uses the table of the lists that paragraphs name. A table that is cut short gives what stands before
 */
export function readLists(lists: Buffer, uses: Buffer): Numbering {
  const numbering = createNumbering();
  const { open, close } = numbering.handler;
  const say = (name: string, attributes: Readonly<Record<string, string>>): void => open?.(name, attributes, name);
  const count = lists.length >= 2 ? Math.min(lists.readUInt16LE(0), Math.floor((lists.length - 2) / LIST_BYTES)) : 0;
  let at = 2 + count * LIST_BYTES;
  for (let i = 0; i < count; i++) {
    const from = 2 + i * LIST_BYTES;
    say('abstractNum', { abstractNumId: String(lists.readInt32LE(from)) });
    const levels = (lists[from + 26]! & 1) === 1 ? 1 : LEVELS;
    for (let level = 0; level < levels && at + LEVEL_BYTES + 2 <= lists.length; level++) {
      const text = at + LEVEL_BYTES + lists[at + 24]! + lists[at + 25]!;
      if (text + 2 > lists.length) break;
      const end = text + 2 + lists.readUInt16LE(text) * 2;
      say('lvl', { ilvl: String(level) });
      say('start', { val: String(lists.readInt32LE(at)) });
      say('numFmt', { val: FORMATS[lists[at + 4]!] ?? 'decimal' });
      say('lvlText', { val: shownAs(lists.toString('utf16le', text + 2, end)) });
      close?.('lvl', 'lvl');
      at = end;
    }
  }
  const used = uses.length >= 4 ? Math.min(uses.readUInt32LE(0), Math.floor((uses.length - 4) / USE_BYTES)) : 0;
  for (let i = 0; i < used; i++) {
    say('num', { numId: String(i + 1) });
    say('abstractNumId', { val: String(uses.readInt32LE(4 + i * USE_BYTES)) });
  }
  readStarts(uses, used, say);
  return numbering;
}

/** Where a use of a list begins anew: behind the uses, for each the levels that it changes. */
function readStarts(
  uses: Buffer,
  used: number,
  say: (name: string, said: Readonly<Record<string, string>>) => void,
): void {
  let at = 4 + used * USE_BYTES;
  for (let i = 0; i < used; i++) {
    at += 4;
    const changed = uses[4 + i * USE_BYTES + 12]!;
    for (let j = 0; j < changed && at + 8 <= uses.length; j++) {
      const flags = uses.readUInt32LE(at + 4);
      if ((flags & 0x20) !== 0) return; // a level with a format of its own, whose length is not known here
      if ((flags & 0x10) !== 0) {
        say('num', { numId: String(i + 1) });
        say('lvlOverride', { ilvl: String(flags & 15) });
        say('startOverride', { val: String(uses.readInt32LE(at)) });
      }
      at += 8;
    }
  }
}

/** Characters below 9 stand for the number of a level. */
function shownAs(text: string): string {
  return text.replace(/[\0-\x08]/g, (character) => `%${character.charCodeAt(0) + 1}`);
}
