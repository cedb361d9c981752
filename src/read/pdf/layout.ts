/**
 * Reading order of one page. Finds the gutters between columns of prose and reads column by column. Tables, whose cells
 * share baselines, stay together and are read by row.
 */
import { beginsWithBullets, isList, withBullets } from './bullets.ts';
import { levelLabels } from './centred-labels.ts';
import type { Segment } from './runs.ts';
import { findWordTable } from './word-tables.ts';
import { findWrappedTables } from './wrapped-tables.ts';

/** A line of a region: segments on one baseline, in reading order. */
export interface Row {
  readonly segments: readonly Segment[];
  readonly x0: number;
  readonly x1: number;
  readonly y: number;
  readonly size: number;
  readonly text: string;
  readonly bold: boolean;
  readonly italic: boolean;
  /** Fixed pitch. */
  readonly mono: boolean;
}

/** Rows from top to bottom. A list of regions is in reading order. */
export type Region = readonly Row[];

export interface PageRegions {
  /** From 1. */
  readonly page: number;
  readonly regions: readonly Region[];
  /** A running header and a running footer that stay: the page is the first that has them, or they change. */
  readonly head?: Region;
  /** Whether other pages have the same header. */
  readonly isHeadRepeated?: boolean;
  readonly foot?: Region;
  /** Text in another direction than most of the page, such as a line along its margin. */
  readonly turned?: readonly Region[];
  /** Reviewers' comments on the page. */
  readonly comments: readonly string[];
}

interface Gutter {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
  readonly score: number;
}

const MIN_LINES = 3;
const MAX_DEPTH = 12;
const MOST_TITLE_LINES = 2;
const MOST_UNEVEN = 2;

export function readingOrder(given: readonly Segment[]): Region[] {
  const segments = withBullets(levelLabels(given));
  const regions: Region[] = [];
  const rows = toRows(segments);
  const segmentsOf = (from: number, to: number): Segment[] => rows.slice(from, to).flatMap((row) => row.segments);
  let at = 0;
  for (const [start, end] of findWrappedTables(rows)) {
    split(segmentsOf(at, start), 0, regions);
    regions.push(rows.slice(start, end));
    at = end;
  }
  split(at === 0 ? segments : segmentsOf(at, rows.length), 0, regions);
  return regions.filter((region) => region.length > 0);
}

function split(segments: readonly Segment[], depth: number, out: Region[]): void {
  const gutter = depth < MAX_DEPTH ? findGutter(segments) : undefined;
  if (!gutter) {
    out.push(toRows(segments));
    return;
  }
  const { x, top } = gutter;
  const above = segments.filter((s) => s.y <= top);
  const strip = segments.filter((s) => s.y > top && s.y < gutter.bottom);
  const rows = toRows(strip);
  const table = findWordTable(rows);
  if (table) {
    const [start, end] = [rows[table[0]]!, rows[table[1] - 1]!].map((row) => row.segments.map(({ y }) => y));
    const [from, to] = [Math.min(...start!), Math.max(...end!)];
    split(
      segments.filter((s) => s.y < from),
      depth + 1,
      out,
    );
    out.push(rows.slice(...table));
    split(
      segments.filter((s) => s.y > to),
      depth + 1,
      out,
    );
    return;
  }
  const bottom = Math.min(gutter.bottom, titleBelow(strip, x) ?? Infinity);
  const below = segments.filter((s) => s.y >= bottom);
  const between = strip.filter((s) => s.y < bottom);
  const left = between.filter((s) => (s.x0 + s.x1) / 2 < x);
  const right = between.filter((s) => (s.x0 + s.x1) / 2 >= x);
  const [first, second] = mostlyRtl(between) ? [right, left] : [left, right];
  if (above.length > 0) split(above, depth + 1, out);
  split(first, depth + 1, out);
  split(second, depth + 1, out);
  if (below.length > 0) split(below, depth + 1, out);
}

/** Where the title of what follows begins: below both columns, in larger or bold letters, at the left edge. */
function titleBelow(strip: readonly Segment[], x: number): number | undefined {
  const left = strip.filter((s) => (s.x0 + s.x1) / 2 < x);
  const right = strip.filter((s) => (s.x0 + s.x1) / 2 >= x);
  const last = Math.max(...right.map(({ y }) => y));
  const size = Math.max(usualSize(left), usualSize(right));
  const isBold = right.filter(({ bold }) => bold).length > right.length / 2;
  const isTitle = (s: Segment): boolean => s.y > last + size && (s.size > 1.1 * size || (s.bold && !isBold));
  const lines = left.toSorted((a, b) => a.y - b.y);
  const at = lines.findLastIndex((s) => !isTitle(s)) + 1;
  const count = lines.length - at;
  // Columns of a page end at about one height; a picture beside a text does not.
  const isLevel = Math.abs((lines[at - 1]?.y ?? Infinity) - last) < MOST_UNEVEN * size;
  return count > 0 && count <= MOST_TITLE_LINES && isLevel ? lines[at]!.y : undefined;
}

function usualSize(segments: readonly Segment[]): number {
  const sizes = segments.map(({ size }) => size).sort((a, b) => a - b);
  return sizes[sizes.length >> 1] ?? 0;
}

export function mostlyRtl(segments: readonly Segment[]): boolean {
  return segments.filter((s) => s.rtl).length > segments.length / 2;
}

/** The tallest vertical strip that no segment crosses, with columns of text on both sides. */
function findGutter(segments: readonly Segment[]): Gutter | undefined {
  if (segments.length < 2 * MIN_LINES) return undefined;
  const sorted = [...segments].sort((a, b) => a.y - b.y);
  const candidates = new Set<number>();
  for (const s of sorted) candidates.add(Math.round(s.x1) + 1).add(Math.round(s.x0) - 1);
  let best: Gutter | undefined;
  for (const x of candidates) {
    let strip: Segment[] = [];
    let top = -Infinity;
    const close = (bottom: number): void => {
      if (strip.length >= 2 * MIN_LINES && strip.length > (best?.score ?? 0)) {
        const score = scoreGutter(strip, x);
        if (score > (best?.score ?? 0)) best = { x, top, bottom, score };
      }
    };
    for (const s of sorted) {
      if (s.x0 < x - 0.5 && s.x1 > x + 0.5) {
        close(s.y);
        strip = [];
        top = s.y;
      } else {
        strip.push(s);
      }
    }
    close(Infinity);
  }
  return best;
}

interface Side {
  readonly lines: readonly number[];
  /** Share of characters in segments of prose: four words or more, mostly letters. */
  readonly prose: number;
  /** Share of segments that are numbers. */
  readonly numbers: number;
  readonly edge: number;
  readonly top: number;
  readonly bottom: number;
}

/** @returns the number of segments on both sides of the gutter; 0 when it is no gutter */
function scoreGutter(strip: readonly Segment[], x: number): number {
  const leftOf: Segment[] = [];
  const rightOf: Segment[] = [];
  let size = 0;
  for (const s of strip) {
    (s.x1 <= x + 0.5 ? leftOf : rightOf).push(s);
    size += s.size;
  }
  if (leftOf.length < MIN_LINES || rightOf.length < MIN_LINES) return 0;
  size /= strip.length;
  const left = side(leftOf, Math.max(...leftOf.map((s) => s.x1)));
  const right = side(rightOf, Math.min(...rightOf.map((s) => s.x0)));
  if (left.lines.length < MIN_LINES || right.lines.length < MIN_LINES) return 0;
  if (right.edge - left.edge < 0.8 * size) return 0;
  // The two sides must be next to each other, not one above the other.
  const shared = Math.min(left.bottom, right.bottom) - Math.max(left.top, right.top);
  if (shared < 1.5 * size) return 0;
  if (areContents(leftOf, rightOf)) return strip.length;
  if (Math.max(left.numbers, right.numbers) > 0.5) return 0;
  const both = left.prose >= 0.5 && right.prose >= 0.5;
  const aside =
    Math.max(left.prose, right.prose) >= 0.6 &&
    Math.min(left.lines.length, right.lines.length) >= MIN_LINES + 1 &&
    alignment(left.lines, right.lines, size) < 0.4;
  const lists = isList(leftOf, MIN_LINES) && isList(rightOf, MIN_LINES) && beginsWithBullets(rightOf);
  return both || aside || lists ? strip.length : 0;
}

const FEWEST_DOTTED = 3;

/** Whether both sides are titles with their pages, with dots between title and page on each. */
function areContents(left: readonly Segment[], right: readonly Segment[]): boolean {
  const dotted = [left, right].map((segments) => {
    const rows = toRows(segments).filter(({ text }) => /\p{L}{2}/u.test(text));
    const paged = rows.filter(({ text }) => /\d$/u.test(text));
    const isMostly = rows.length > segments.length / 4 && paged.length >= rows.length / 2;
    return isMostly ? paged.filter(({ text }) => /(?:[.·]\s?){3}|…/u.test(text)).length : 0;
  });
  return dotted.every((n) => n > 0) && dotted[0]! + dotted[1]! >= FEWEST_DOTTED;
}

function side(segments: readonly Segment[], edge: number): Side {
  let prose = 0;
  let all = 0;
  let numbers = 0;
  const lines: number[] = [];
  for (const s of [...segments].sort((a, b) => a.y - b.y)) {
    if (lines.length === 0 || s.y - lines.at(-1)! > 0.3 * s.size) lines.push(s.y);
    all += s.text.length;
    if (isProse(s.text)) prose += s.text.length;
    else if (!/\p{L}{3}/u.test(s.text)) numbers++;
  }
  return {
    lines,
    prose: prose / Math.max(all, 1),
    numbers: numbers / segments.length,
    edge,
    top: lines[0] ?? 0,
    bottom: lines.at(-1) ?? 0,
  };
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

function isProse(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 0.6 * text.replace(/\s/gu, '').length) return false;
  const unspaced = text.match(UNSPACED)?.length ?? 0;
  return text.split(/\s+/u).length + unspaced / 2 >= 4;
}

/** Share of the lines of the shorter side that share a baseline with a line of the other side. */
function alignment(a: readonly number[], b: readonly number[], size: number): number {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  const hits = few.filter((y) => many.some((other) => Math.abs(other - y) < 0.12 * size)).length;
  return hits / few.length;
}

/** Groups segments into rows by baseline. */
export function toRows(segments: readonly Segment[]): Row[] {
  const sorted = [...segments].sort((a, b) => a.y - b.y || a.x0 - b.x0);
  const rows: Row[] = [];
  let current: Segment[] = [];
  for (const s of sorted) {
    const first = current[0];
    if (first && (s.ruled || first.ruled || s.y - first.y > 0.3 * Math.min(s.size, first.size))) {
      rows.push(toRow(current));
      current = [];
    }
    current.push(s);
  }
  if (current.length > 0) rows.push(toRow(current));
  return rows;
}

export function toRow(parts: readonly Segment[]): Row {
  const segments = [...parts].sort((a, b) => a.x0 - b.x0);
  if (mostlyRtl(segments)) segments.reverse();
  const total = segments.reduce((sum, s) => sum + s.text.length, 0);
  const share = (test: (s: Segment) => boolean): boolean =>
    segments.reduce((sum, s) => sum + (test(s) ? s.text.length : 0), 0) > 0.6 * total;
  const longest = segments.reduce((a, b) => (b.text.length > a.text.length ? b : a));
  return {
    segments,
    x0: Math.min(...segments.map((s) => s.x0)),
    x1: Math.max(...segments.map((s) => s.x1)),
    y: longest.y,
    size: longest.size,
    text: segments.map((s) => s.text).join(' '),
    bold: share((s) => s.bold),
    italic: share((s) => s.italic),
    mono: share((s) => s.mono),
  };
}
