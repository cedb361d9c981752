/**
 * Page headers, page footers and page numbers of a plain text that was printed: they stand in the middle of its
 * sentences. Pages end at form feeds, else at lines that count pages (`-2-`, `Page 3 of 9`).
 */
import { oneLine } from '../../text/one-line.ts';
import { inSequence, markedNumber, pageNumber } from '../pdf/page-numbers.ts';

export interface PageLines {
  /** Lines of pages' edges that go, from 0. */
  readonly gone: ReadonlySet<number>;
  /** Those that go where they stand and are said once, at the end: the first of each text. */
  readonly kept: readonly number[];
}

/** Lines at each edge of a page that are looked at. */
const EDGE_LINES = 4;
/** A page has at least this many lines of text: shorter ones are parts of lists. */
const LEAST_LINES = 8;
const LEAST_PAGES = 3;

/** @param source with form feeds, lines end with a line feed */
export function findPageLines(source: string): PageLines | undefined {
  if (!source.includes('\f') && !COUNTED.test(source)) return undefined;
  const lines = source.split('\n');
  const feeds = lines.some((line) => line.includes('\f'));
  const ends = feeds ? new Set<number>() : countedEnds(lines);
  const pages = pagesOf(lines, ends);
  if (pages.length < LEAST_PAGES) return undefined;
  const edges = pages.flatMap((page, number) => edgesOf(page, number, lines));
  const numbers = inSequence(
    edges.flatMap((edge) => {
      const found = pageNumber(edge.text, pages.length) ?? markedNumber(edge.text, pages.length);
      return found ? [{ ...found, rest: restIn(found), edge, page: edge.page, alone: false }] : [];
    }),
    pages.length,
  );
  const restOf = new Map([...numbers].map(({ edge, rest }) => [edge, rest.trim()]));
  const texts = new Map<string, Edge[]>();
  for (const edge of edges) {
    const text = restOf.get(edge) ?? edge.text;
    if (text !== '') texts.set(text, [...(texts.get(text) ?? []), edge]);
  }
  const running = new Set<Edge>();
  for (const same of texts.values()) {
    const on = new Set(same.map(({ page }) => page)).size;
    if (on >= LEAST_PAGES && on > pages.length / 2) for (const edge of same) running.add(edge);
  }
  const isGone = (edge: Edge): boolean => running.has(edge) || restOf.get(edge) === '' || ends.has(edge.line);
  const gone = new Set(edges.filter((edge) => edge.outer.every(isGone) && isGone(edge)).map(({ line }) => line));
  const kept = [...texts.values()].flatMap((same) => {
    const first = same.find((edge) => running.has(edge) && gone.has(edge.line));
    return first ? [first.line] : [];
  });
  return gone.size === 0 ? undefined : { gone, kept: [...new Set(kept)].sort((a, b) => a - b) };
}

function restIn(found: object & { readonly rest?: string }): string {
  return found.rest ?? '';
}

interface Edge {
  readonly page: number;
  /** From 0. */
  readonly line: number;
  readonly text: string;
  /** Lines between this one and the edge of the page. */
  readonly outer: readonly Edge[];
}

const COUNTED =
  /^[^\S\n]*(?:[-–—]+\s?\d{1,4}\s?[-–—]+|(?:page|seite|p\.)\s*\d{1,4}(?:\s*(?:of|von|\/)\s*\d{1,4})?)[^\S\n]*$/imu;

/** Each page as its lines, without blank ones. */
function pagesOf(lines: readonly string[], ends: ReadonlySet<number>): number[][] {
  const pages: number[][] = [[]];
  for (const [i, line] of lines.entries()) {
    const begins = /^\s*\f/u.test(line);
    if (begins) pages.push([]);
    if (line.trim() !== '') pages.at(-1)!.push(i);
    if (ends.has(i) || (!begins && line.includes('\f'))) pages.push([]);
  }
  return pages.filter((page) => page.length > 0);
}

/** The lines that count pages, each one more than the one before (a page may lack its number), with text between. */
function countedEnds(lines: readonly string[]): Set<number> {
  let best: number[] = [];
  const open: { readonly found: number[]; readonly next: number }[] = [];
  for (const [i, line] of lines.entries()) {
    const value = COUNTED.test(line) ? Number(/\d+/u.exec(line)![0]) : undefined;
    if (value === undefined) continue;
    const at = open.findLastIndex(
      ({ next, found }) => value - next >= 0 && value - next < 2 && i - found.at(-1)! >= LEAST_LINES,
    );
    const found = at < 0 ? [i] : [...open.splice(at, 1)[0]!.found, i];
    open.push({ found, next: value + 1 });
    if (open.length > 20) open.shift();
    if (found.length > best.length) best = found;
  }
  return new Set(best.length >= LEAST_PAGES ? best : []);
}

function edgesOf(page: readonly number[], number: number, lines: readonly string[]): Edge[] {
  const most = Math.min(EDGE_LINES, page.length >> 1);
  const inwards = (own: readonly number[]): Edge[] => {
    const found: Edge[] = [];
    for (const line of own) found.push({ page: number, line, text: oneLine(lines[line]!), outer: [...found] });
    return found;
  };
  return [...inwards(page.slice(0, most)), ...inwards(page.slice(-most).reverse())];
}
