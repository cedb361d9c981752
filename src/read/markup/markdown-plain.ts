import type { Block } from '../../core/types.ts';
import { plainInline } from './markdown-inline.ts';

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;
const HASH = 0x23;

/** ASCII characters that can begin only a paragraph: letters, digits (except in `1.` and `1)`), quotes, `(`. */
const prose = new Uint8Array(128);
for (let unit = 0; unit < 128; unit++) if (/[A-Za-z0-9"'(]/.test(String.fromCharCode(unit))) prose[unit] = 1;
const listNumber = /\d{1,9}[.)]/y;

/**
 * Finds the blocks of Markdown that has only headings (`# …`) and paragraphs, line by line, in a fraction of the
 * parser's time. Any other mark shows in the first character of some line; there the function stops.
 * @param blocks receives the blocks, moved by `offset`
 * @returns false when the parser must decide; `blocks` is then unchanged
 */
export function pushPlainBlocks(text: string, offset: number, blocks: Block[]): boolean {
  const before = blocks.length;
  const giveUp = (): false => {
    blocks.length = before;
    return false;
  };
  let first = -1;
  let last = -1;
  const endParagraph = (): void => {
    if (first >= 0) blocks.push({ start: first + offset, end: last + offset, kind: 'paragraph' });
    first = -1;
  };
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    const unit = text.charCodeAt(start);
    if (unit === LINE_FEED) {
      endParagraph();
    } else if (unit === HASH) {
      const heading = headingOf(text, start, end);
      if (heading === undefined) return giveUp();
      endParagraph();
      blocks.push({ start: start + offset, end: trimmedEnd(text, start, end) + offset, kind: 'heading', ...heading });
    } else {
      if (unit < 128 && prose[unit] === 0) return giveUp();
      listNumber.lastIndex = start;
      if (unit < 0x3a && listNumber.test(text)) return giveUp();
      if (first < 0) first = start;
      last = trimmedEnd(text, start, end);
    }
    start = end + 1;
  }
  endParagraph();
  return true;
}

/** A simple heading: one blank after its marks, text, no marks at its end. Else `undefined`. */
function headingOf(text: string, start: number, end: number): { level: number; label: string } | undefined {
  let level = 1;
  while (text.charCodeAt(start + level) === HASH) level++;
  if (level > 6 || text.charCodeAt(start + level) !== SPACE) return undefined;
  const content = text.slice(start + level + 1, end).trim();
  return content === '' || content.includes('#') ? undefined : { level, label: plainInline(content) };
}

function trimmedEnd(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && (text.charCodeAt(last - 1) === SPACE || text.charCodeAt(last - 1) === TAB)) last--;
  return last;
}
