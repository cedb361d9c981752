/**
 * Running headers, running footers and page numbers: lines in the margin that say the same on most pages. What changes
 * from page to page is text, unless it is the number of the page.
 */

import { over } from './cells.ts';
import { changingLines, innerOf, isApart, isOfParagraph } from './changing-lines.ts';
import {
  byHeight,
  type EdgeLine,
  edgeLines,
  gather,
  MAX_LINES,
  oneWordLess,
  type PageSegments,
  SAME_HEIGHT,
  sharedForms,
  textOf,
  withoutNumber,
} from './edge-lines.ts';
import {
  inSequence,
  markedNumber,
  type NumberOnPage,
  pageNumber,
  sequence,
  slideNumber,
  slidesInSequence,
} from './page-numbers.ts';
import type { Segment } from './runs.ts';
import { isAboveRows } from './table-head.ts';

interface Furniture {
  /** Left out. */
  readonly gone: ReadonlySet<Segment>;
  /** What stays, apart from the text: the first of its kind, as it may name the document, and what changes. */
  readonly kept: ReadonlySet<Segment>;
  /** Of these, what other pages repeat. */
  readonly repeated: ReadonlySet<Segment>;
  /** Number of lines of which something is left out. */
  readonly lines: number;
}

/** Fewer letters beside a number may be its label: `Question   7`; beside a number far from the page's: `Customer …`. */
const HEAD_LETTERS = 12;
const FAR_HEAD_LETTERS = 20;
const FAR = 100;

export function findFurniture(pages: readonly PageSegments[]): Furniture[] {
  const lines = pages.map((page, i) => (pages.length < 2 ? [] : edgeLines(page, i)));
  const titled = takeNumbers(lines, pages.length);
  const running = findRunning(lines, pages);
  withoutParagraphs(running, lines);
  const changing = new Set([...changingLines(lines), ...titled]);
  const first = new Map<EdgeLine[], number>();
  return pages.map(({ segments }, page) => {
    const edges = (['top', 'bottom'] as const).flatMap((side) => outermost(lines[page]!, side, running));
    let words: EdgeLine[] = [];
    const kept = new Set<Segment>();
    const repeated = new Set<Segment>();
    for (const line of edges) {
      const group = running.get(line);
      if (!group) continue;
      if ((first.get(group) ?? page) !== page) words.push(line);
      else
        for (const part of withoutNumber(line)) {
          kept.add(part);
          repeated.add(part);
        }
      if (!first.has(group)) first.set(group, page);
    }
    const known = new Map([...running, ...[...changing].map((line) => [line, undefined] as const)]);
    for (const line of (['top', 'bottom'] as const).flatMap((side) => outermost(lines[page]!, side, known)))
      if (changing.has(line)) for (const part of withoutNumber(line)) kept.add(part);
    const numbers = edges.filter((line) => line.numbers.size > 0);
    const gone = new Set([...numbers.flatMap((line) => [...line.numbers]), ...words.flatMap(withoutNumber)]);
    const left = weight(segments.filter((s) => !gone.has(s)));
    if (left < weight(words.flatMap(withoutNumber))) {
      // The page has hardly any other text, so these lines are its text.
      for (const part of words.flatMap(withoutNumber)) {
        gone.delete(part);
        if (left > 0) continue;
        kept.add(part);
        repeated.add(part);
      }
      words = [];
    }
    if (segments.every((s) => gone.has(s))) return { gone: new Set(), kept, repeated, lines: 0 };
    return { gone, kept, repeated, lines: new Set([...numbers, ...words].map(({ parts }) => parts[0])).size };
  });
}

/** Letters and digits. */
function weight(segments: readonly Segment[]): number {
  return segments.reduce((sum, s) => sum + (s.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
}

interface SlideNumber {
  readonly page: number;
  readonly value: number;
  readonly total: number;
  readonly part: Segment;
}

interface LineNumber extends NumberOnPage {
  readonly line: EdgeLine;
  /** The part of the line that is a number and nothing else. */
  readonly part?: Segment;
  /** The words of the line without the number. */
  readonly rest: string;
}

/**
 * Finds the page numbers among the lines and takes them out of `text`.
 * @returns lines that say with the number what no other page says, as the title of its section
 */
function takeNumbers(edges: readonly (readonly EdgeLine[])[], pages: number): EdgeLine[] {
  const lines = edges.flat();
  const candidates: LineNumber[] = [];
  const slides = new Map<Segment, SlideNumber>();
  for (const line of lines) {
    const { page, parts, depth, inMargin } = line;
    if (!inMargin && (depth > 0 || parts.length > 1)) continue;
    const alone = parts.length === 1 && depth === 0;
    for (const part of parts) {
      const bare = pageNumber(part.text, pages);
      const rest = textOf(parts.filter((other) => other !== part));
      const slide = slideNumber(part.text);
      if (slide) slides.set(part, { ...slide, page, part });
      if (bare) candidates.push({ ...bare, page, alone, line, part, rest });
      const marked = bare ? undefined : markedNumber(line.text, pages);
      if (marked && part === parts[0]) candidates.push({ ...marked, page, alone: false, line });
      // A printer's line of many parts counts its pages with a word of its own: `Jkt 250001  Frm 00002  Fmt 4702`.
      const slug = parts.length > 3 ? /^\p{L}+ 0*(\d+)$/u.exec(part.text) : null;
      if (slug && Number(slug[1]) === page + 1)
        candidates.push({ style: 'slug', value: page + 1, page, alone: false, line, part, rest });
    }
  }
  const pagesOf = gather(candidates.map(({ rest, page }) => [rest, page]));
  const restsOf = gather(
    candidates.flatMap((each) => (pagesOf.get(each.rest)!.size > 1 ? [[sequence(each), each.rest]] : [])),
  );
  const likely = candidates.filter((candidate) => {
    const { rest, value, page } = candidate;
    if (rest === '') return true;
    // A row of a table differs from page to page, and a label ends in a colon.
    if (pagesOf.get(rest)!.size < 2 || rest.endsWith(':')) return false;
    if (candidate.total === pages && value === page + 1) return true;
    const letters = rest.match(/\p{L}/gu)?.length ?? 0;
    if (value > page + FAR) return letters >= FAR_HEAD_LETTERS;
    return letters >= HEAD_LETTERS || [...restsOf.get(sequence(candidate))!].filter((each) => each !== '').length > 1;
  });
  const sure = [...inSequence(likely, pages)];
  const titled = besideTitles(candidates, sure, edges);
  for (const { line, part, rest } of [...sure, ...titled]) {
    if (part) line.numbers.add(part);
    line.text = part ? textOf(withoutNumber(line)) : rest;
  }
  const counted = new Set([...slidesInSequence([...slides.values()])].map(({ part }) => part));
  for (const line of lines) {
    const numbers = line.parts.filter((part) => counted.has(part) && !line.numbers.has(part));
    for (const part of numbers) line.numbers.add(part);
    if (numbers.length > 0) line.text = textOf(withoutNumber(line));
  }
  return titled.map(({ line }) => line);
}

/**
 * Numbers of the sequence that count most pages at their height, beside a title that stands on no other page:
 * `4.3. Mooring …… 27`.
 */
function besideTitles(
  candidates: readonly LineNumber[],
  sure: readonly LineNumber[],
  edges: readonly (readonly EdgeLine[])[],
): LineNumber[] {
  const taken = new Set(sure.map(({ line }) => line));
  const place = (each: LineNumber): string => `${sequence(each)} ${each.line.side}`;
  const known = new Map<string, LineNumber[]>();
  for (const each of sure) known.set(place(each), [...(known.get(place(each)) ?? []), each]);
  return candidates.filter((candidate) => {
    const { line, part, rest, page } = candidate;
    const { parts, inMargin, depth, y } = line;
    if (!part || taken.has(line) || !inMargin || depth > 0 || parts.length !== 2 || rest.endsWith(':')) return false;
    if ((rest.match(/\p{L}/gu)?.length ?? 0) < HEAD_LETTERS || !isApart(line, edges[page]!)) return false;
    const near = (known.get(place(candidate)) ?? []).filter((each) => Math.abs(each.line.y - y) <= SAME_HEIGHT);
    return near.length > edges.length / 2;
  });
}

/** @returns the lines of words that are a running header or footer, each with all lines of its kind */
function findRunning(
  lines: readonly (readonly EdgeLine[])[],
  pages: readonly PageSegments[],
): Map<EdgeLine, EdgeLine[]> {
  const candidates = lines
    .flatMap((page, i) => page.filter((line) => !isTableHead(line, page) && !isAboveRows(line, pages[i]!.segments)))
    .filter(({ inMargin, text }) => inMargin && /\p{L}/u.test(text));
  const groups = new Map<string, EdgeLine[]>();
  for (const line of candidates) {
    const key = `${line.side} ${line.text}`;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(line);
  }
  const numbered = sharedForms(groups.keys(), (text) => [text.replace(/\d+/gu, '#')]);
  const worded = sharedForms(groups.keys(), oneWordLess);
  const counted = [...groups].filter(([, group]) => besideNumbers(group)).map(([key]) => key);
  const wordedBeside = sharedForms(counted, oneWordLess);
  const running = new Map<EdgeLine, EdgeLine[]>();
  for (const [key, all] of groups) {
    if (numbered.has(key)) continue;
    for (const group of byHeight(all)) {
      if (besideNumbers(group) ? !wordedBeside.has(key) : !worded.has(key) && runs(group, lines))
        for (const line of group) running.set(line, group);
    }
  }
  return running;
}

/** Takes out what says the same on many pages, and goes on there with text that is none of that: pages of one form. */
function withoutParagraphs(running: Map<EdgeLine, EdgeLine[]>, lines: readonly (readonly EdgeLine[])[]): void {
  const isText = (line: EdgeLine): boolean => {
    const inner = innerOf(line, lines[line.page]!);
    return inner !== undefined && !running.has(inner) && isOfParagraph(line, inner);
  };
  const groups = new Set(running.values());
  for (let depth = 0; depth < MAX_LINES; depth++)
    for (const group of groups) {
      if (2 * group.filter(isText).length <= group.length) continue;
      groups.delete(group);
      for (const line of group) running.delete(line);
    }
}

/** Whether a line is the head of a table that goes on over pages: the line straight below has cells under its parts. */
function isTableHead(line: EdgeLine, page: readonly EdgeLine[]): boolean {
  if (line.side === 'bottom' || line.parts.length < 2 || line.numbers.size > 0) return false;
  const below = page.find(({ side, depth }) => side === line.side && depth === line.depth + 1);
  if (!below || below.y - line.y > 1.7 * line.parts[0]!.size) return false;
  const under = (part: Segment): Segment | undefined => below.parts.find((cell) => over(part, cell) > 0.5);
  return (
    new Set(line.parts.map(under)).size >= line.parts.length && line.parts.every((part) => under(part) !== undefined)
  );
}

/** Whether lines of one text stand on two pages or more, most of them in one line with the number of the page. */
function besideNumbers(group: readonly EdgeLine[]): boolean {
  const pages = new Set(group.map(({ page }) => page)).size;
  return pages > 1 && group.filter(({ text, parts }) => text !== textOf(parts)).length > group.length / 2;
}

/** Whether lines of one text at one height are a running header or footer. */
function runs(group: readonly EdgeLine[], lines: readonly (readonly EdgeLine[])[]): boolean {
  const on = new Set(group.map(({ page }) => page));
  // Left and right pages may have headers of their own.
  const from = Math.min(...on);
  const to = Math.max(...on);
  const step = [...on].every((page) => (page - from) % 2 === 0) ? 2 : 1;
  if (on.size < (step === 1 && lines.length > 5 ? 4 : 3) || on.size < (to - from) / step / 2) return false;
  const { side, y } = group[0]!;
  let others = 0;
  for (let page = from; page < to; page += step) {
    const here = lines[page]!.some((line) => line.side === side && Math.abs(line.y - y) <= SAME_HEIGHT);
    if (here && !on.has(page)) others++;
  }
  return on.size > 4 * others;
}

/** The lines of one side from the edge of the page to the first one that is text. */
function outermost(own: readonly EdgeLine[], side: string, running: ReadonlyMap<EdgeLine, unknown>): EdgeLine[] {
  const lines = own.filter((line) => line.side === side).sort((a, b) => a.depth - b.depth);
  const end = lines.findIndex((line) => !running.has(line) && line.numbers.size === 0);
  return end === -1 ? lines : lines.slice(0, end);
}
