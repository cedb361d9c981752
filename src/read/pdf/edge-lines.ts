/** The lines near the upper and lower edges of pages, and what those of several pages have in common. */
import type { Segment } from './runs.ts';

export interface PageSegments {
  /** Upper and lower edge of the page, in the coordinates of `Segment.y`. */
  readonly top: number;
  readonly bottom: number;
  readonly segments: readonly Segment[];
}

/** A line near the upper or lower edge of its page. */
export interface EdgeLine {
  /** Index of the page, from 0. */
  readonly page: number;
  readonly side: 'top' | 'bottom';
  /** Lines between this one and the edge of the page. */
  readonly depth: number;
  readonly inMargin: boolean;
  readonly y: number;
  readonly parts: readonly Segment[];
  /** Parts that are the page number. */
  readonly numbers: Set<Segment>;
  /** The words of the line without the page number, in lower case. */
  text: string;
}

/** Share of the height of a page at its top and its bottom. */
const MARGIN = 0.16;
export const MAX_LINES = 4;
/** A scanned or scaled page moves its lines a little, in points. */
export const SAME_HEIGHT = 4;

/** The first and last lines of a page, from its edges inwards. */
export function edgeLines({ top, bottom, segments }: PageSegments, page: number): EdgeLine[] {
  const sorted = [...segments].sort((a, b) => a.y - b.y || a.x0 - b.x0);
  const lines: Segment[][] = [];
  for (const s of sorted) {
    const line = lines.at(-1);
    if (line && s.y - line[0]!.y < 0.4 * s.size) line.push(s);
    else lines.push([s]);
  }
  const toEdge =
    (side: 'top' | 'bottom') =>
    (unsorted: readonly Segment[], depth: number): EdgeLine => {
      const parts = [...unsorted].sort((a, b) => a.x0 - b.x0);
      const { y } = parts[0]!;
      const fromEdge = (side === 'top' ? y - top : bottom - y) / (bottom - top);
      return { page, side, depth, y, parts, inMargin: fromEdge <= MARGIN, numbers: new Set(), text: textOf(parts) };
    };
  // A line of a short page may be near both edges.
  return [...lines.slice(0, MAX_LINES).map(toEdge('top')), ...lines.slice(-MAX_LINES).reverse().map(toEdge('bottom'))];
}

export function textOf(parts: readonly Segment[]): string {
  return parts
    .map((part) => part.text)
    .join(' ')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim();
}

export function withoutNumber({ parts, numbers }: EdgeLine): Segment[] {
  return parts.filter((part) => !numbers.has(part));
}

export function gather<K, V>(pairs: readonly (readonly [K, V])[]): Map<K, Set<V>> {
  const sets = new Map<K, Set<V>>();
  for (const [key, value] of pairs) {
    const set = sets.get(key) ?? new Set();
    sets.set(key, set.add(value));
  }
  return sets;
}

/**
 * The texts that change from page to page: they share a form with another text. Texts of one form differ in their
 * numbers alone (`Total EUR 12`), or in one word of several (`Answer: B`).
 */
export function sharedForms(texts: Iterable<string>, formsOf: (text: string) => readonly string[]): Set<string> {
  const alike = gather([...texts].flatMap((text) => formsOf(text).map((form) => [form, text] as const)));
  return new Set([...alike.values()].filter((each) => each.size > 1).flatMap((each) => [...each]));
}

export function oneWordLess(text: string): string[] {
  const [side = '', ...words] = text.split(' ');
  return words.length < 2 ? [] : words.map((_, i) => `${side} ${words.with(i, '*').join(' ')}`);
}

/** Groups entries at one height. */
export function byHeight<T extends { readonly y: number }>(list: readonly T[]): T[][] {
  const groups: T[][] = [];
  for (const entry of [...list].sort((a, b) => a.y - b.y)) {
    const group = groups.at(-1);
    if (group && entry.y - group.at(-1)!.y <= SAME_HEIGHT) group.push(entry);
    else groups.push([entry]);
  }
  return groups;
}
