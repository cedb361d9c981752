/** The text of a tagged page, each piece with its cell, and with a mark before items of lists whose mark is drawn. */
import type { DrawnText } from './runs.ts';
import type { PageTags } from './tags.ts';

interface Mark {
  readonly type: string;
  readonly id?: string;
}

/** How far, in font sizes, a mark is set before its item: near enough to be of one line with it. */
const BEFORE = 1.2;
const WIDTH = 0.35;
/** What a mark looks like that is text. */
const MARKED = /^\s*(?:[^\p{L}\s]{1,3}|\(?[\p{L}\p{N}]{1,6}[.)])(?:\s|$)/u;

/** @param items what pdf.js gives, with the bounds of marked contents */
export function withTags(items: readonly (DrawnText | Mark)[], { cells, unmarked }: PageTags): DrawnText[] {
  const out: DrawnText[] = [];
  const open: (string | undefined)[] = [];
  const begun = new Set<symbol>();
  for (const item of items) {
    if (!('str' in item)) {
      if (item.type === 'endMarkedContent') open.pop();
      else open.push(item.id);
      continue;
    }
    const id = open.findLast((one) => one !== undefined);
    const cell = id === undefined ? undefined : cells.get(id);
    const begins = id === undefined ? undefined : unmarked.get(id);
    if (begins !== undefined && !begun.has(begins) && item.str.trim() !== '') {
      begun.add(begins);
      if (!MARKED.test(item.str)) out.push({ ...markBefore(item), ...(cell && { cell }) });
    }
    out.push(cell ? { ...item, cell } : item);
  }
  return out;
}

function markBefore(item: DrawnText): DrawnText {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = item.transform;
  const length = Math.hypot(a, b) || 1;
  const size = Math.hypot(c, d) || item.height;
  const shift = item.dir === 'rtl' ? item.width + (BEFORE - WIDTH) * size : -BEFORE * size;
  const transform = [a, b, c, d, e + (shift * a) / length, f + (shift * b) / length];
  return { ...item, str: '•', width: WIDTH * size, transform };
}
