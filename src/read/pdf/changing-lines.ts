/**
 * Running headers and footers that change from page to page, as a version or a date does. They are text and stay, but
 * the text of the pages goes on across them. So do those of two pages that say the same: that may be chance, so nothing
 * is left out.
 */

import { byHeight, type EdgeLine, oneWordLess, textOf, withoutNumber } from './edge-lines.ts';

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
  const inner = page.find(({ side, depth }) => side === line.side && depth === line.depth + 1);
  if (!inner) return true;
  const size = Math.max(...[line, inner].flatMap(({ parts }) => parts.map((part) => part.size)));
  if (Math.abs(inner.y - line.y) < APART * size) return false;
  const forms = new Set(formsOf(line));
  return !formsOf(inner).some((form) => forms.has(form));
}
