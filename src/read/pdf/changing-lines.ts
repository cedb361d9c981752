/**
 * Running headers and footers that change from page to page, as a version or a date does. They are text and stay, but
 * the text of the pages goes on across them. So do those of two pages that say the same: that may be chance, so nothing
 * is left out.
 */

import { byHeight, type EdgeLine, MAX_LINES, oneWordLess, textOf, withoutNumber } from './edge-lines.ts';

/** Distance from the text of the page, in font sizes: rows of a table and lines of a paragraph are nearer. */
const APART = 1.6;

/** @param lines of each page, near its edges */
export function changingLines(lines: readonly (readonly EdgeLine[])[]): Set<EdgeLine> {
  const groups = new Map<string, EdgeLine[]>();
  for (const line of lines.flat()) {
    if (!line.inMargin || !/\p{L}/u.test(textOf(withoutNumber(line)))) continue;
    for (const form of formsOf(line)) {
      const group = groups.get(form) ?? [];
      groups.set(form, group);
      group.push(line);
    }
  }
  const changing = new Set<EdgeLine>();
  for (const all of groups.values()) {
    for (const group of byHeight(all)) {
      const on = new Set(group.map(({ page }) => page));
      const isSame = new Set(group.map(({ text }) => text)).size < 2;
      if (on.size < 2 || on.size <= lines.length / 2 || (isSame && lines.length > 2)) continue;
      for (const line of group) if (isApart(line, lines[line.page]!)) changing.add(line);
    }
  }
  return changing;
}

/** The text without what may change: its numbers, and one word more. */
function formsOf({ side, text }: EdgeLine): string[] {
  const form = `${side} ${text.replace(/\d+/gu, '#')}`;
  return [form, ...oneWordLess(form)];
}

/** Whether the line stands apart from the next one towards the text, which does not go on in its form. */
export function isApart(line: EdgeLine, page: readonly EdgeLine[]): boolean {
  const inner = innerOf(line, page);
  if (!inner) return line.depth < MAX_LINES - 1; // lines further in are not known
  const size = Math.max(...[line, inner].flatMap(({ parts }) => parts.map((part) => part.size)));
  if (Math.abs(inner.y - line.y) < APART * size) return false;
  const forms = new Set(formsOf(line));
  return !formsOf(inner).some((form) => forms.has(form));
}

/** In font sizes. */
const LINES_APART = 1.5;
const SAME_WIDTH = 0.75;

/** Whether the line is one of the paragraph that goes on with the next line towards the text: as long, and as near. */
export function isOfParagraph(line: EdgeLine, inner: EdgeLine): boolean {
  const [own, other] = [line.parts[0]!, inner.parts[0]!];
  if (line.parts.length > 1 || inner.parts.length > 1 || line.numbers.size > 0) return false;
  const isAlike = Math.abs(own.size - other.size) < 0.1 && own.bold === other.bold && Math.abs(own.x0 - other.x0) < 1;
  const isNear = Math.abs(inner.y - line.y) < LINES_APART * own.size;
  const [upper, lower] = line.side === 'top' ? [own, other] : [other, own];
  return isAlike && isNear && upper.x1 - upper.x0 > SAME_WIDTH * (lower.x1 - lower.x0) && upper.text.includes(' ');
}

/** The next line towards the text of the page. */
export function innerOf({ side, depth }: EdgeLine, page: readonly EdgeLine[]): EdgeLine | undefined {
  return page.find((line) => line.side === side && line.depth === depth + 1);
}
