/** Accents that are drawn beside their letters, as TeX draws them with its own fonts. */
import type { DrawnText } from './runs.ts';

const SPACING_ACCENTS: Readonly<Record<string, string>> = {
  '¨': '\u0308',
  '´': '\u0301',
  ˆ: '\u0302',
  '˜': '\u0303',
  '¯': '\u0304',
  '˘': '\u0306',
  '˙': '\u0307',
  '˚': '\u030a',
  '˝': '\u030b',
  ˇ: '\u030c',
  '¸': '\u0327',
  '˛': '\u0328',
};
/** Also a quotation mark: an accent only where a letter is drawn below. */
const GRAVE = '`';

/** A letter with a mark, as one character; undefined where there is none. */
function composed(letter: string, mark: string): string | undefined {
  const whole = `${letter === 'ı' ? 'i' : letter}${mark}`.normalize('NFC');
  return [...whole].length === 1 ? whole : undefined;
}

/**
 * TeX draws an accent and its letter as two characters, the accent first (`na¨ıve`); some drivers put the accent last
 * (`Ageˆncia`). Composes the pairs that form one letter, with the letter after the accent first.
 */
export function composeAccents(text: string): string {
  return text.replace(
    /(\p{L})?([¨´ˆ˜˚ˇ˘¸˛])(\p{L})?/gu,
    (whole, before: string | undefined, accent: string, after: string | undefined) => {
      const mark = SPACING_ACCENTS[accent] ?? '';
      const follow = after && composed(after, mark);
      if (follow) return `${before ?? ''}${follow}`;
      const lead = before && composed(before, mark);
      return lead ? `${lead}${after ?? ''}` : whole;
    },
  );
}

/** How far, in font sizes, the end of an accent may stand behind where its letter begins. */
const REACH = 0.9;
const OGONEK = '˛';
/** How far, in font sizes, the end of an ogonek stands behind where its letter begins, at the end of the letter. */
const AT_END = 0.45;
/** How much higher an accent is drawn over a capital letter. */
const RAISE = 0.45;

/**
 * Composes an accent with the letter that is drawn below it next: at the place of the accent, on its line or lower, as
 * of a capital letter. By x alone the accent would come behind the word, or stand in a line of its own.
 */
export function placeAccents(items: readonly DrawnText[]): DrawnText[] {
  const placed: DrawnText[] = [];
  for (const item of items) {
    const before = placed.at(-1);
    const letter = before && letterBelow(before, item);
    if (!letter) {
      placed.push(item);
      continue;
    }
    placed.pop();
    const rest = withoutGap(before, item);
    if (rest !== '') placed.push({ ...before, str: rest, width: along(before, item) });
    placed.push({ ...item, str: letter + item.str.slice(1) });
  }
  return placed;
}

/**
 * The text before an accent. An ogonek hangs from the end of a wide letter, so the room of the letter stands before it
 * like a blank; hardly a word begins with such a small letter.
 */
function withoutGap(before: DrawnText, item: DrawnText): string {
  const rest = before.str.slice(0, -1);
  const back = before.width - along(before, item);
  const isGap = before.str.endsWith(OGONEK) && back > AT_END * sizeOf(before);
  const beginsName = /\p{Ll}\s*$/u.test(rest) && /^\p{Lu}/u.test(item.str);
  return isGap && !beginsName ? rest.trimEnd() : rest;
}

function sizeOf({ transform, height }: DrawnText): number {
  return Math.hypot(transform[2] ?? 0, transform[3] ?? 0) || height;
}

/** The first letter of a text with the accent that ends the text drawn before it. */
function letterBelow(before: DrawnText, item: DrawnText): string | undefined {
  const accent = before.str.at(-1)!;
  const mark = accent === GRAVE ? '\u0300' : SPACING_ACCENTS[accent];
  if (mark === undefined || !/^\p{L}/u.test(item.str)) return undefined;
  const size = sizeOf(before);
  // the accent is the end of its text: the letter begins before that end, and not long before
  const back = before.width - along(before, item);
  if (back < 0.1 * size || back > REACH * size) return undefined;
  const lower = above(before, item);
  return lower > -0.05 * size && lower < RAISE * size ? composed(item.str[0]!, mark) : undefined;
}

/** How far `to` begins behind where `from` begins, in its direction. */
function along(from: DrawnText, to: DrawnText): number {
  const [a = 1, b = 0, , , e = 0, f = 0] = from.transform;
  return (((to.transform[4] ?? 0) - e) * a + ((to.transform[5] ?? 0) - f) * b) / (Math.hypot(a, b) || 1);
}

/** How far the baseline of `from` stands above that of `to`. */
function above(from: DrawnText, to: DrawnText): number {
  const [a = 1, b = 0, , , e = 0, f = 0] = from.transform;
  return (((to.transform[4] ?? 0) - e) * b - ((to.transform[5] ?? 0) - f) * a) / (Math.hypot(a, b) || 1);
}
