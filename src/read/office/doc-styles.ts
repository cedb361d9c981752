/** The style sheet of Word before 2007 ([MS-DOC] 2.4.6.5): which styles of paragraphs are headings, and which are in lists. */
import { type ListPlace, listPlaceIn } from './doc-lists.ts';
import { modifiersIn } from './doc-properties.ts';

/** The outline level of a paragraph or of its style; 0 to 8, 9 for the text of the body. */
const OUTLINE = 0x2640;
const PARAGRAPH_STYLE = 1;
const NO_STYLE = 0xfff;
/** Numbers of the styles that every Word has. */
const TITLE = 0x3e;
const LAST_HEADING = 9;
const MOST_BASES = 20;

interface Style {
  readonly base: number;
  /** 1 to 6; 0: text of the body; undefined: as the style that this one is based on. */
  readonly level: number | undefined;
  readonly place: ListPlace;
}

/** What a style says of its paragraphs. */
export interface ParagraphStyle extends ListPlace {
  /** As a heading, 1 to 6. */
  readonly heading?: number;
}

/** 1 to 6, or 0 for the text of the body, where the properties of a paragraph say so. */
export function outlineIn(properties: Buffer): number | undefined {
  let level: number | undefined;
  for (const { modifier, operand } of modifiersIn(properties)) {
    if (modifier === OUTLINE) level = (operand[0] ?? 9) >= 9 ? 0 : Math.min(6, operand[0]! + 1);
  }
  return level;
}

/** By the number of the style. A sheet that is cut short gives the styles that stand before. */
export function paragraphStyles(sheet: Buffer): ReadonlyMap<number, ParagraphStyle> {
  const styles: (Style | undefined)[] = [];
  if (sheet.length < 6) return new Map();
  const fixed = sheet.readUInt16LE(4);
  for (let at = 2 + sheet.readUInt16LE(0); at + 2 <= sheet.length; ) {
    const length = sheet.readUInt16LE(at);
    styles.push(styleOf(sheet.subarray(at + 2, at + 2 + length), fixed));
    at += 2 + length + (length & 1);
  }
  const found = new Map<number, ParagraphStyle>();
  for (const [number] of styles.entries()) {
    let heading: number | undefined;
    let place: ListPlace = {};
    let style = styles[number];
    for (let i = 0; i < MOST_BASES && style; i++) {
      heading ??= style.level;
      place = { ...style.place, ...place };
      style = styles[style.base];
    }
    found.set(number, { ...place, ...(heading ? { heading } : {}) });
  }
  return found;
}

/** @param fixed bytes before the name */
function styleOf(style: Buffer, fixed: number): Style | undefined {
  if (style.length < Math.max(fixed, 10) + 2) return undefined;
  const kind = style.readUInt16LE(2);
  if ((kind & 15) !== PARAGRAPH_STYLE) return undefined;
  const built = style.readUInt16LE(0) & 0xfff;
  const base = kind >> 4;
  const name = fixed + 2 + (style.readUInt16LE(fixed) + 1) * 2;
  const properties =
    name + 2 <= style.length ? style.subarray(name + 4, name + 2 + style.readUInt16LE(name)) : Buffer.alloc(0);
  const place = listPlaceIn(properties);
  if (built === TITLE) return { base: NO_STYLE, level: 1, place };
  if (built >= 1 && built <= LAST_HEADING) return { base: NO_STYLE, level: Math.min(6, built), place };
  return { base, level: outlineIn(properties), place };
}
