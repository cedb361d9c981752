/**
 * The ligature of lam and alef is one glyph of two letters. pdf.js turns the letters of a right-to-left piece one by
 * one, and so it turns those two as well: `األول` for `الأول`. The glyphs of the page tell where they were one.
 */
import type { DrawnText } from './runs.ts';

const LETTERS = /\p{Script=Arabic}/gu;
const LIGATURE = /^\u0644[\u0622\u0623\u0625\u0627\u0671]$/u;
const TURNED = /[\u0622\u0623\u0625\u0627\u0671]\u0644/u;

/** Whether a piece may have such a ligature. */
export function mayHaveLamAlef({ str, dir }: DrawnText): boolean {
  return dir === 'rtl' && TURNED.test(str);
}

/**
 * @param glyphs what each glyph of the page stands for, in the order in which they are drawn
 * @returns the pieces; from where the glyphs tell something else, as they are
 */
export function turnLamAlef(items: readonly DrawnText[], glyphs: readonly string[]): DrawnText[] {
  const arabic = glyphs.filter((text) => text.search(LETTERS) !== -1);
  const out = [...items];
  let next = 0;
  for (const [i, item] of items.entries()) {
    const letters = [...item.str.matchAll(LETTERS)];
    if (letters.length === 0) continue;
    const own: string[] = [];
    for (let length = 0; length < letters.length && next < arabic.length; length += own.at(-1)!.length)
      own.push(arabic[next++]!);
    if (item.dir !== 'rtl') continue;
    // Drawn from the left, read from the right.
    const read = own.reverse();
    const turned = read.map((text) => [...text].reverse().join('')).join('');
    if (turned !== letters.map(([letter]) => letter).join('')) return out;
    const str = item.str.split('');
    let at = 0;
    for (const text of read) {
      if (LIGATURE.test(text)) {
        const [first, second] = [letters[at]!.index, letters[at + 1]!.index];
        [str[first], str[second]] = [str[second]!, str[first]!];
      }
      at += text.length;
    }
    out[i] = { ...item, str: str.join('') };
  }
  return out;
}
