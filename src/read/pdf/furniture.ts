/**
 * Running headers, running footers and page numbers: lines in the margin that say the same on most pages. What changes
 * from page to page is text, unless it is the number of the page.
 */
import { type Candidate, inSequence, markedNumber, pageNumber } from './page-numbers.ts';
import type { Segment } from './runs.ts';

export interface PageSegments {
  /** Upper and lower edge of the page, in the coordinates of `Segment.y`. */
  readonly top: number;
  readonly bottom: number;
  readonly segments: readonly Segment[];
}

export interface Furniture {
  /** Left out. */
  readonly gone: ReadonlySet<Segment>;
  /** The first of its kind, which stays: it may be the only text that names the document. */
  readonly kept: ReadonlySet<Segment>;
  /** Number of lines of which something is left out. */
  readonly lines: number;
}

/** A line near the upper or lower edge of its page. */
interface EdgeLine {
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
const MAX_LINES = 4;
/** A scanned or scaled page moves its lines a little, in points. */
const SAME_HEIGHT = 4;
/** A shorter text beside a high number may be its label: `Customer   10017`. */
const HEAD_LETTERS = 12;

export function findFurniture(pages: readonly PageSegments[]): Furniture[] {
  const lines = pages.map((page, i) => (pages.length < 2 ? [] : edgeLines(page, i)));
  takeNumbers(lines.flat(), pages.length);
  const running = findRunning(lines);
  const first = new Map<EdgeLine[], number>();
  return pages.map(({ segments }, page) => {
    const edges = (['top', 'bottom'] as const).flatMap((side) => outermost(lines[page]!, side, running));
    let words: EdgeLine[] = [];
    const kept = new Set<Segment>();
    for (const line of edges) {
      const group = running.get(line);
      if (!group) continue;
      if ((first.get(group) ?? page) !== page) words.push(line);
      else for (const part of withoutNumber(line)) kept.add(part);
      if (!first.has(group)) first.set(group, page);
    }
    const numbers = edges.filter((line) => line.numbers.size > 0);
    const gone = new Set([...numbers.flatMap((line) => [...line.numbers]), ...words.flatMap(withoutNumber)]);
    const left = weight(segments.filter((s) => !gone.has(s)));
    if (left < weight(words.flatMap(withoutNumber))) {
      // The page has hardly any other text, so these lines are its text.
      for (const part of words.flatMap(withoutNumber)) gone.delete(part);
      words = [];
    }
    if (segments.every((s) => gone.has(s))) return { gone: new Set(), kept, lines: 0 };
    return { gone, kept, lines: new Set([...numbers, ...words]).size };
  });
}

function withoutNumber({ parts, numbers }: EdgeLine): Segment[] {
  return parts.filter((part) => !numbers.has(part));
}

/** Letters and digits. */
function weight(segments: readonly Segment[]): number {
  return segments.reduce((sum, s) => sum + (s.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
}

/** The first and last lines of a page, from its edges inwards. */
function edgeLines({ top, bottom, segments }: PageSegments, page: number): EdgeLine[] {
  const sorted = [...segments].sort((a, b) => a.y - b.y || a.x0 - b.x0);
  const lines: Segment[][] = [];
  for (const s of sorted) {
    const line = lines.at(-1);
    if (line && s.y - line[0]!.y < 0.4 * s.size) line.push(s);
    else lines.push([s]);
  }
  const middle = lines.findIndex(([s]) => s!.y - top >= (bottom - top) / 2);
  const upper = middle === -1 ? lines : lines.slice(0, middle);
  const lower = middle === -1 ? [] : lines.slice(middle).reverse();
  const toEdge =
    (side: 'top' | 'bottom') =>
    (unsorted: readonly Segment[], depth: number): EdgeLine => {
      const parts = [...unsorted].sort((a, b) => a.x0 - b.x0);
      const { y } = parts[0]!;
      const fromEdge = (side === 'top' ? y - top : bottom - y) / (bottom - top);
      return { page, side, depth, y, parts, inMargin: fromEdge <= MARGIN, numbers: new Set(), text: textOf(parts) };
    };
  return [...upper.slice(0, MAX_LINES).map(toEdge('top')), ...lower.slice(0, MAX_LINES).map(toEdge('bottom'))];
}

function textOf(parts: readonly Segment[]): string {
  return parts
    .map((part) => part.text)
    .join(' ')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim();
}

interface LineNumber extends Candidate {
  readonly line: EdgeLine;
  /** The part of the line that is a number and nothing else. */
  readonly part?: Segment;
  /** The words of the line without the number. */
  readonly rest: string;
}

/** Finds the page numbers among the lines and takes them out of `text`. */
function takeNumbers(lines: readonly EdgeLine[], pages: number): void {
  const candidates: LineNumber[] = [];
  for (const line of lines) {
    const { page, parts, depth, inMargin } = line;
    if (!inMargin && (depth > 0 || parts.length > 1)) continue;
    const alone = parts.length === 1 && depth === 0;
    for (const part of parts) {
      const bare = pageNumber(part.text, pages);
      const rest = textOf(parts.filter((other) => other !== part));
      if (bare) candidates.push({ ...bare, page, alone, line, part, rest });
      const marked = bare ? undefined : markedNumber(line.text, pages);
      if (marked && part === parts[0]) candidates.push({ ...marked, page, alone: false, line });
      // A printer's line of many parts counts its pages with a word of its own: `Jkt 250001  Frm 00002  Fmt 4702`.
      const slug = parts.length > 3 ? /^\p{L}+ 0*(\d+)$/u.exec(part.text) : null;
      if (slug && Number(slug[1]) === page + 1)
        candidates.push({ style: 'slug', value: page + 1, page, alone: false, line, part, rest });
    }
  }
  const shared = repeated(candidates);
  const likely = candidates.filter(({ rest, value, page }) => {
    if (rest === '') return true;
    const letters = rest.match(/\p{L}/gu)?.length ?? 0;
    return shared.has(rest) && (value < page + 100 || letters >= HEAD_LETTERS);
  });
  for (const { line, part, rest } of inSequence(likely, pages)) {
    if (part) line.numbers.add(part);
    line.text = part ? textOf(withoutNumber(line)) : rest;
  }
}

/** The words that stand beside a number on two pages or more: a row of a table differs from page to page. */
function repeated(candidates: readonly LineNumber[]): Set<string> {
  const on = new Map<string, Set<number>>();
  for (const { rest, page } of candidates) on.set(rest, (on.get(rest) ?? new Set()).add(page));
  return new Set([...on].filter(([, each]) => each.size > 1).map(([rest]) => rest));
}

/** @returns the lines of words that are a running header or footer, each with all lines of its kind */
function findRunning(lines: readonly (readonly EdgeLine[])[]): Map<EdgeLine, EdgeLine[]> {
  const worded = lines.flat().filter(({ inMargin, text }) => inMargin && /\p{L}/u.test(text));
  const groups = new Map<string, EdgeLine[]>();
  for (const line of worded) {
    const key = `${line.side} ${line.text}`;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(line);
  }
  const changing = changingTexts(groups.keys());
  const running = new Map<EdgeLine, EdgeLine[]>();
  for (const [key, all] of groups) {
    if (changing.has(key)) continue;
    for (const group of byHeight(all)) {
      if (runs(group, lines)) for (const line of group) running.set(line, group);
    }
  }
  return running;
}

/** Texts that differ in their numbers alone, or in one word of several: `Total EUR 12`, `Answer: B`. */
function changingTexts(texts: Iterable<string>): Set<string> {
  const alike = new Map<string, Set<string>>();
  for (const text of texts) {
    const words = text.split(' ');
    const forms = words.length < 3 ? [] : words.map((_, i) => words.with(i, '*').join(' ')).slice(1); // 0 is the side
    for (const form of new Set([...forms, text.replace(/\d+/gu, '#')])) {
      alike.set(form, (alike.get(form) ?? new Set()).add(text));
    }
  }
  return new Set([...alike.values()].filter((each) => each.size > 1).flatMap((each) => [...each]));
}

/** Whether lines of one text at one height are a running header or footer. */
function runs(group: readonly EdgeLine[], lines: readonly (readonly EdgeLine[])[]): boolean {
  const on = new Set(group.map(({ page }) => page));
  if (on.size < 2) return false;
  if (group.filter(({ text, parts }) => text !== textOf(parts)).length > group.length / 2) return true;
  if (on.size < (lines.length > 5 ? 4 : 3)) return false;
  // Left and right pages may have headers of their own.
  const from = Math.min(...on);
  const to = Math.max(...on);
  const step = [...on].every((page) => (page - from) % 2 === 0) ? 2 : 1;
  if (on.size < (to - from) / step / 2) return false;
  const { side, y } = group[0]!;
  let others = 0;
  for (let page = from; page < to; page += step) {
    const here = lines[page]!.some((line) => line.side === side && Math.abs(line.y - y) <= SAME_HEIGHT);
    if (here && !on.has(page)) others++;
  }
  return on.size > 4 * others;
}

/** Groups entries at one height. */
function byHeight<T extends { readonly y: number }>(list: readonly T[]): T[][] {
  const groups: T[][] = [];
  for (const entry of [...list].sort((a, b) => a.y - b.y)) {
    const group = groups.at(-1);
    if (group && entry.y - group.at(-1)!.y <= SAME_HEIGHT) group.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

/** The lines of one side from the edge of the page to the first one that is text. */
function outermost(own: readonly EdgeLine[], side: string, running: ReadonlyMap<EdgeLine, unknown>): EdgeLine[] {
  const lines = own.filter((line) => line.side === side).sort((a, b) => a.depth - b.depth);
  const end = lines.findIndex((line) => !running.has(line) && line.numbers.size === 0);
  return end === -1 ? lines : lines.slice(0, end);
}
