import { objectOf } from './arguments.ts';
import type { Locator, Place, Recognition, Span } from './types.ts';

/** The locators that overlap `[start, end)`, clipped to it. @param locators sorted by start */
export function clipLocators(locators: readonly Locator[], { start, end }: Span): Locator[] {
  const out: Locator[] = [];
  for (let i = firstEndingAfter(locators, start); i < locators.length; i++) {
    const locator = locators[i]!;
    if (locator.start >= end) break;
    out.push({ ...locator, start: Math.max(start, locator.start), end: Math.min(end, locator.end) });
  }
  return out;
}

function firstEndingAfter(locators: readonly Locator[], offset: number): number {
  let low = 0;
  let high = locators.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (locators[middle]!.end > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The fields of a chunk that `locate` reads. */
export interface Locatable {
  readonly text: string;
  readonly span: Span;
  readonly locators: readonly Locator[];
  readonly firstLine?: number;
}

/**
 * The place of a span in the source: the page, sheet, part and speaker of its first locator, and the lines, rows and times of
 * all its locators; of text read by OCR, the region on that page.
 * @param span document offsets inside `chunk.span`
 */
export function locate(chunk: Locatable, span: Span): Place {
  objectOf(chunk, 'the chunk', 'text', 'span', 'locators');
  const touched = clipLocators(chunk.locators, objectOf(span, 'the span', 'start', 'end'));
  const first = touched[0];
  const place: { -readonly [K in keyof Place]: Place[K] } = {};
  if (first?.page !== undefined) place.page = first.page;
  if (first?.sheet !== undefined) place.sheet = first.sheet;
  if (first?.part !== undefined) place.part = first.part;
  if (first?.speaker !== undefined) place.speaker = first.speaker;
  let letters = 0;
  for (const { lines, rows, timeMs } of touched) {
    if (lines) place.lines = hull(place.lines, lines);
    if (rows) place.rows = hull(place.rows, rows);
    if (timeMs) place.timeMs = hull(place.timeMs, timeMs);
  }
  for (const { page, part, ocr, start, end } of touched) {
    if (!ocr || page !== first?.page || part !== first?.part) continue;
    place.ocr = place.ocr ? joinRecognitions(place.ocr, letters, ocr, end - start) : ocr;
    letters += end - start;
  }
  if (chunk.firstLine !== undefined && place.lines === undefined) {
    const before = lineFeeds(chunk.text, 0, span.start - chunk.span.start);
    const within = lineFeeds(chunk.text, span.start - chunk.span.start, span.end - chunk.span.start - 1);
    place.lines = [chunk.firstLine + before, chunk.firstLine + before + within];
  }
  return place;
}

function hull(a: readonly [number, number] | undefined, b: readonly [number, number]): readonly [number, number] {
  return a ? [Math.min(a[0], b[0]), Math.max(a[1], b[1])] : b;
}

/** The region around both, and the mean confidence. @param weightA lengths of the texts */
export function joinRecognitions(a: Recognition, weightA: number, b: Recognition, weightB: number): Recognition {
  const [left, top, right, bottom] = a.region;
  const mean = (a.confidence * weightA + b.confidence * weightB) / (weightA + weightB);
  return {
    region: [
      Math.min(left, b.region[0]),
      Math.min(top, b.region[1]),
      Math.max(right, b.region[2]),
      Math.max(bottom, b.region[3]),
    ],
    confidence: Math.round(mean * 1000) / 1000,
  };
}

/** Line feeds in `text[from, to)`. */
export function lineFeeds(text: string, from: number, to: number): number {
  const part = text.slice(from, to); // a search in the whole text goes to its end where no line feed follows
  let count = 0;
  for (let at = part.indexOf('\n'); at !== -1; at = part.indexOf('\n', at + 1)) count++;
  return count;
}
