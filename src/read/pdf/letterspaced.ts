/**
 * Titles that are set with wide gaps between their letters, and programs whose letters stand in columns of one width:
 * pdf.js takes the gaps for blanks (`S P A C E D`).
 */
import type { DrawnText } from './runs.ts';

const SIGN = String.raw`[^\s\p{M}]\p{M}*`;
const LETTER = String.raw`[\p{L}\p{N}&.'’-]\p{M}*`;
/** Blanks alone between single signs; fewer than four may be a list of letters. */
const SPACED_TITLE = new RegExp(`^${LETTER}(?: ${LETTER}){3,}$`, 'u');
const SPACED = new RegExp(`^${SIGN}(?: ${SIGN}){3,}$`, 'u');
const SPACED_PARTS = new RegExp(`(?<!\\S)${SIGN}(?: ${SIGN}){3,}(?!\\S)`, 'gu');
const MAY_BE_TITLE = new RegExp(`^${LETTER}(?: ${LETTER})*$`, 'u');
const MAY_BE_SPACED = new RegExp(`^${SIGN}(?: ${SIGN})*$`, 'u');
const LETTERS = /\p{L} \p{L}/u;
/** On a page of fewer, letters among other signs may be names: TeX draws no blanks. */
const FEWEST_PARTS = 4;
/** How far, in font sizes, the words of such a title may be apart. */
const WORD_GAP = 2;

export function mayBeLetterspaced({ str }: DrawnText): boolean {
  return LETTERS.test(str) && (str.match(SPACED_PARTS) ?? []).some((part) => LETTERS.test(part));
}

/**
 * Puts the letters of such a title together, and its words into one piece.
 * @param glyphs what each glyph of the page stands for, in the order in which they are drawn: a drawn blank is one of them
 */
export function withoutLetterspacing(items: readonly DrawnText[], glyphs: readonly string[]): DrawnText[] {
  const drawn = glyphs.join('').normalize('NFKC');
  const isDrawnSo = (str: string): boolean => drawn.includes(str.replaceAll(' ', '').normalize('NFKC'));
  const isSpaced = (str: string): boolean => LETTERS.test(str) && isDrawnSo(str);
  const parts = items.flatMap(({ str }) => (str.match(SPACED_PARTS) ?? []).filter(isSpaced));
  const isProgram = parts.length >= FEWEST_PARTS;
  const [whole, mayBe] = isProgram ? [SPACED, MAY_BE_SPACED] : [SPACED_TITLE, MAY_BE_TITLE];
  const lines = new Set(items.filter(({ str }) => whole.test(str) && isSpaced(str)).map(lineOf));
  const together = (part: string): string => (isSpaced(part) ? part.replaceAll(' ', '') : part);
  const out: DrawnText[] = [];
  let before: DrawnText | undefined;
  for (const item of items) {
    const isBlank = item.str.trim() === '';
    if (!lines.has(lineOf(item)) || isBlank || !mayBe.test(item.str)) {
      out.push(isProgram ? { ...item, str: item.str.replace(SPACED_PARTS, (part) => together(part)) } : item);
      if (!isBlank) before = undefined;
      continue;
    }
    const word = { ...item, str: item.str.replaceAll(' ', '') };
    const gap = before ? endOf(before, item) : Number.NaN;
    if (before && lineOf(before) === lineOf(item) && gap > 0 && gap < WORD_GAP * item.height) {
      out.splice(out.lastIndexOf(before));
      before = { ...before, str: `${before.str} ${word.str}`, width: before.width + gap + item.width };
    } else before = word;
    out.push(before);
  }
  return out;
}

/** Texts of one font and size on one baseline. */
function lineOf({ transform: [a, b, c, d, e = 0, f = 0], fontName }: DrawnText): string {
  const place = b === 0 ? `y${Math.round(f)}` : `x${Math.round(e)}`;
  return [a, b, c, d, place, fontName].join(' ');
}

/** From the end of a text to the beginning of the next one on its line. */
function endOf({ transform: [a = 1, b = 0, , , e = 0, f = 0], width }: DrawnText, next: DrawnText): number {
  return (((next.transform[4] ?? 0) - e) * a + ((next.transform[5] ?? 0) - f) * b) / (Math.hypot(a, b) || 1) - width;
}
