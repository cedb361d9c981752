/** Page numbers: numbers that grow by one with each page. Any other number is text. */

/** What a line says besides its page number, and the number. */
export interface Numbered {
  readonly value: number;
  /** How the number is written, with its words: numbers of one style are compared with each other. */
  readonly style: string;
  /** The number of pages, where the line says it with a word: `page 3 of 12`. */
  readonly total?: number;
}

const WORD =
  '(?:page|pages|pg|p|seite|blatt|folie|slide|sheet|side|sida|página|pagina|pág|pag|strona|str|стр|страница|第|s)';
const EDGE = String.raw`[-–—‒•·|~_*.\s[\]()<>«»‹›=]*`;
const NUMBER = String.raw`(?:(?<prefix>[a-z]{1,2})-)?(?:(?<digits>\d{1,6})|(?<roman>[ivxlcdm]{1,9}))`;
const TOTAL = String.raw`(?:\s*(?<of>of|von|de|sur|di|van|av|z|из|\/|／)\s*(?<total>\d{1,6}))?`;
const BARE = new RegExp(`^${EDGE}(?:(?<word>${WORD})\\.?\\s*)?${NUMBER}${TOTAL}\\s*(?:页|頁|ページ)?${EDGE}$`, 'iu');

/** Longer lines count no page; they would cost the square of their length. */
const MOST_CHARS = 1000;

/** @param pages of the document: a total behind a slash (else a date) has to be near it */
export function pageNumber(text: string, pages: number): Numbered | undefined {
  const found = text.length > MOST_CHARS ? undefined : BARE.exec(text)?.groups;
  if (!found) return undefined;
  const { prefix = '', word = '', digits, roman = '', of = '', total } = found;
  const value = digits === undefined ? romanValue(roman) : Number(digits);
  if (value === undefined || (prefix !== '' && digits === undefined)) return undefined;
  if (total !== undefined && Number(total) < value) return undefined;
  if (/[/／]/u.test(of) && Math.abs(Number(total) - pages) > 2 + 0.2 * pages) return undefined;
  const kind = digits === undefined ? 'roman' : 'digits';
  const said = word !== '' && total !== undefined ? { total: Number(total) } : {};
  return { value, style: [kind, prefix.toLowerCase(), word.toLowerCase()].join(' '), ...said };
}

const AT_END = new RegExp(`^(?<rest>.*\\p{L}{3}.*?)\\s*(?:[|•·]\\s*|[\\s,;–—-](?=${WORD}\\b))(?<number>\\S.*)$`, 'iu');
const AT_START = /^(?<number>\d{1,6})\s*[|•·]\s*(?<rest>.*\p{L}{3}.*)$/u;

/**
 * The page number in a line of words, told by its word or set apart by a sign: `Annual report | 12`, `Draft, page 3`. A
 * number without such a mark (`Invoice 12`) belongs to its words.
 */
export function markedNumber(text: string, pages: number): (Numbered & { readonly rest: string }) | undefined {
  if (text.length > MOST_CHARS) return undefined;
  const found = (AT_END.exec(text) ?? AT_START.exec(text))?.groups;
  const number = found?.number === undefined ? undefined : pageNumber(found.number, pages);
  return number && { ...number, rest: found?.rest ?? '' };
}

const ROMAN = /^m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/u;
const DIGITS: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };

/** The value of a roman numeral in its one proper form: `xiv` is 14, `iiii`, `vivid` and `civil` are words. */
export function romanValue(text: string): number | undefined {
  const lower = text.toLowerCase();
  if (lower === '' || !ROMAN.test(lower)) return undefined;
  let value = 0;
  for (const [i, letter] of [...lower].entries()) {
    const digit = DIGITS[letter]!;
    value += digit < (DIGITS[lower[i + 1] ?? ''] ?? 0) ? -digit : digit;
  }
  return value;
}

/** A number that may be the number of its page. */
export interface NumberOnPage extends Numbered {
  /** Index of the page, from 0. */
  readonly page: number;
  /** Whether the number is a line of its own, the outermost of its page. */
  readonly alone: boolean;
}

/** Candidates of one sequence are as far from the indices of their pages. */
export function sequence({ style, value, page }: NumberOnPage): string {
  return `${style} ${value - page}`;
}

/**
 * The candidates that count pages: the number less the index of its page is the same on three pages or more, which are
 * most pages between the first and the last of them. Where pages are counted so, two neighbours with their numbers
 * alone are enough: a short part that counts from one again.
 */
export function inSequence<T extends NumberOnPage>(candidates: readonly T[], pages: number): Set<T> {
  const groups = new Map<string, T[]>();
  for (const candidate of candidates) {
    const key = sequence(candidate);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(candidate);
  }
  const taken = new Set<T>();
  const short: T[][] = [];
  for (const group of groups.values()) {
    const on = [...new Set(group.map(({ page }) => page))].sort((a, b) => a - b);
    const reach = on.at(-1)! - on[0]! + 1;
    if (on.length >= 3 && on.length >= reach / 2) for (const each of group) taken.add(each);
    else if (on.length === 2 && reach === 2 && group.every(({ alone }) => alone)) short.push(group);
  }
  if (taken.size > 0 || pages === 2) for (const group of short) for (const each of group) taken.add(each);
  return taken;
}

const SLIDE = /^(\d{1,4})\s*[/／]\s*(\d{1,4})$/u;

/** The number of a slide among all: `3/12`. It may stand on several pages, one for each step of the slide. */
export function slideNumber(text: string): { readonly value: number; readonly total: number } | undefined {
  const found = SLIDE.exec(text.trim());
  return found ? { value: Number(found[1]), total: Number(found[2]) } : undefined;
}

/** The candidates that count slides: from 1 to their total, one by one, each on a page or more, with no page between. */
export function slidesInSequence<T extends { readonly page: number; readonly value: number; readonly total: number }>(
  candidates: readonly T[],
): Set<T> {
  const taken = new Set<T>();
  for (const group of Map.groupBy(candidates, ({ total }) => total).values()) {
    const sorted = [...group].sort((a, b) => a.page - b.page);
    const first = sorted[0]!;
    const counts = sorted.every(({ page, value }, i) => {
      const before = sorted[i - 1];
      return !before || (page === before.page + 1 && (value === before.value || value === before.value + 1));
    });
    if (counts && sorted.length > 2 && first.value <= 2 && sorted.at(-1)!.value === first.total)
      for (const each of sorted) taken.add(each);
  }
  return taken;
}
