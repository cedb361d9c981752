/** Running heads, running feet and page numbers: lines at the same place on many pages. */
import type { Segment } from './runs.ts';

export interface PageSegments {
  /** Lowest and highest y of the text frame of the page, in the coordinates of `Segment.y`. */
  readonly top: number;
  readonly bottom: number;
  readonly segments: readonly Segment[];
}

interface Entry {
  readonly page: number;
  readonly parts: readonly Segment[];
  readonly y: number;
}

/** Only a page number, after its digits are masked. */
const BARE = /^(?:page)?[#\W]*(?:of|\/|von|de)?[#\W]*$/u;
const MARGIN = 0.13;
const MAX_LINES = 4;

/**
 * @returns for each page, the repeated segments to leave out. The first page with a running head keeps it, because it
 * may be the only text that names the document. Page numbers and browser addresses are left out on all pages.
 */
export function findFurniture(pages: readonly PageSegments[]): ReadonlySet<Segment>[] {
  const marks = pages.map(() => new Set<Segment>());
  if (pages.length < 2) return marks;
  const seen = new Map<string, Entry[]>();
  for (const [page, { top, bottom, segments }] of pages.entries()) {
    const height = bottom - top;
    for (const { line, outermost } of edgeLines(segments)) {
      const fromTop = (line[0]!.y - top) / height;
      const inMargin = fromTop <= MARGIN || fromTop >= 1 - MARGIN;
      const side = fromTop < 0.5 ? 't' : 'b';
      const add = (text: string, parts: readonly Segment[]): void => {
        const masked = mask(text);
        if (BARE.test(masked) ? !outermost : !inMargin) return;
        const key = side + masked;
        const list = seen.get(key) ?? [];
        seen.set(key, list);
        list.push({ page, parts, y: line[0]!.y });
      };
      add(line.map((s) => s.text).join(' '), line);
      // One half of a head may repeat while the other names the section. Shorter parts could be table cells.
      if (outermost && line.length > 1) {
        for (const part of line) if ((part.text.match(/\p{L}/gu)?.length ?? 0) >= 12) add(part.text, [part]);
      }
    }
  }
  for (const [key, list] of seen) {
    const bare = BARE.test(key.slice(1));
    // A page number may follow the end of the text; other lines must be at one height.
    for (const group of bare ? [list] : byHeight(list)) {
      const onPages = new Set(group.map((entry) => entry.page)).size;
      const enough = bare ? 2 : Math.min(pages.length, 3);
      if (onPages < Math.max(2, enough)) continue;
      const stamped = bare || /https?:|file:|www\./u.test(key);
      const first = Math.min(...group.map((entry) => entry.page));
      for (const { page, parts } of group) {
        if (stamped || page !== first) for (const part of parts) marks[page]!.add(part);
      }
    }
  }
  return marks;
}

/** The first and last lines of a page, where running heads and feet are. */
function edgeLines(segments: readonly Segment[]): { readonly line: readonly Segment[]; readonly outermost: boolean }[] {
  const sorted = [...segments].sort((a, b) => a.y - b.y || a.x0 - b.x0);
  const lines: Segment[][] = [];
  for (const s of sorted) {
    const line = lines.at(-1);
    if (line && s.y - line[0]!.y < 0.4 * s.size) line.push(s);
    else lines.push([s]);
  }
  return lines
    .map((line, i) => ({ line, outermost: i === 0 || i === lines.length - 1 }))
    .filter((_, i) => i < MAX_LINES || i >= lines.length - MAX_LINES);
}

function mask(text: string): string {
  const lower = text.toLowerCase().replace(/\s+/gu, ' ').trim();
  if (/^[-–— ]*[ivxlcdm]{1,7}[-–— ]*$/u.test(lower)) return '#';
  if (/^[a-z]{1,2}-\d{1,3}$/u.test(lower)) return '#';
  return lower.replace(/\d+/gu, '#');
}

/** Groups entries at one height, within 4 points: a foot moves a little on scaled pages. */
function byHeight<T extends { readonly y: number }>(list: readonly T[]): T[][] {
  const groups: T[][] = [];
  for (const entry of [...list].sort((a, b) => a.y - b.y)) {
    const group = groups.at(-1);
    if (group && entry.y - group.at(-1)!.y <= 4) group.push(entry);
    else groups.push([entry]);
  }
  return groups;
}
