import type { Span } from '../../../core/types.ts';
import { itemMark } from '../../../text/item-mark.ts';

/** A list, from its first item to the end of its last. */
export interface ItemList extends Span {
  readonly isNumbered: boolean;
  /** Of items of its own indent, from the mark on. */
  readonly items: readonly number[];
}

const item = new RegExp(String.raw`^[ \t]*(?<mark>${itemMark})[ \t]+\S`);
/** `| Keep it dry.`: a notice within an item. */
const notice = /^\|[ \t]/;

/**
 * The lists of a text, without those within an item. A line further in belongs to the item above it, and so does the line
 * straight below it, and a notice behind which the list goes on.
 */
export function itemLists(text: string): ItemList[] {
  const lists: ItemList[] = [];
  let open: { indent: number; isNumbered: boolean; last: number; items: number[]; end: number } | undefined;
  const close = (): void => {
    if (open) lists.push({ start: open.items[0]!, end: open.end, isNumbered: open.isNumbered, items: open.items });
    open = undefined;
  };
  let start = 0;
  let isBlank = true;
  for (const line of text.split('\n')) {
    const end = start + line.trimEnd().length;
    const found = item.exec(line)?.groups;
    const indent = /^[ \t]*/.exec(line)![0].length;
    const number = found ? Number.parseInt(found.mark!, 10) : Number.NaN;
    const isNumbered = !Number.isNaN(number);
    const hangs = indent > (open?.indent ?? 0) || (found === undefined && !isBlank);
    if (open && line.trim() !== '' && hangs) open.end = end;
    else if (found) {
      const goesOn = open?.indent === indent && open.isNumbered === isNumbered && !(number <= open.last);
      if (!goesOn) close();
      open ??= { indent, isNumbered, last: number, items: [], end };
      open.items.push(start);
      open.last = number;
      open.end = end;
    } else if (line.trim() !== '' && !notice.test(line)) close();
    isBlank = line.trim() === '';
    start += line.length + 1;
  }
  close();
  return lists;
}
