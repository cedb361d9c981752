import type { Span } from '../../core/types.ts';
import { clusterBoundaryAfter, clusterBoundaryAtOrBefore } from '../graphemes.ts';

const blank = /[\s\u200B]/;
const clauseMark = /[;:,、，；：،؛—–]/;
const continua = /[\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u3400-\u9FFF]/;
let wordSegmenter: Intl.Segmenter | undefined;

/** Cuts `[start, end)` into trimmed spans of at most `maxChars`; only a single visible character may be longer. */
export function cutLong(text: string, start: number, end: number, maxChars: number, out: Span[]): void {
  let from = start;
  while (end - from > maxChars) {
    const cut = cutPoint(text, from, from + maxChars, end);
    let to = cut;
    while (to > from && blank.test(text[to - 1]!)) to--;
    if (to > from) out.push({ start: from, end: to });
    from = cut;
    while (from < end && blank.test(text[from]!)) from++;
  }
  if (from < end) out.push({ start: from, end });
}

/**
 * The best cut in `(from, limit]`: after the last clause mark in its second half, else after the last blank, else
 * between words of a script without spaces, else between visible characters.
 * @param from a cluster boundary
 * @param end end of the text to cut, after `limit`
 */
export function cutPoint(text: string, from: number, limit: number, end: number): number {
  const middle = from + ((limit - from) >> 1);
  let space = -1;
  for (let at = limit; at > middle; at--) {
    const unit = text[at - 1]!;
    if (
      clauseMark.test(unit) &&
      (blank.test(text[at] ?? ' ') || continua.test(text[at]!)) &&
      isBoundary(text, from, at)
    )
      return at;
    if (space === -1 && blank.test(unit) && !blank.test(text[at] ?? '') && isBoundary(text, from, at)) space = at;
  }
  if (space !== -1) return space;
  for (let at = middle; at > from + 1; at--) {
    if (blank.test(text[at - 1]!) && isBoundary(text, from, at)) return at;
  }
  if (continua.test(text[limit - 1]!)) {
    const word = wordBoundary(text, from, limit, end);
    if (word > from) return word;
  }
  const cluster = clusterBoundaryAtOrBefore(text, from, limit);
  return cluster > from ? cluster : Math.min(end, clusterBoundaryAfter(text, from));
}

function isBoundary(text: string, from: number, at: number): boolean {
  return clusterBoundaryAtOrBefore(text, from, at) === at;
}

/** The last boundary between dictionary words, up to `limit`, within a window; -1 without one. */
function wordBoundary(text: string, from: number, limit: number, end: number): number {
  wordSegmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  const windowStart = clusterBoundaryAtOrBefore(text, from, Math.max(from, limit - 80));
  const window = text.slice(windowStart, Math.min(end, limit + 40));
  const words: number[] = [];
  for (const { index } of wordSegmenter.segment(window)) {
    if (windowStart + index > limit) break;
    if (index > 0) words.push(windowStart + index);
  }
  return words.findLast((at) => isBoundary(text, from, at)) ?? -1;
}

/** Thai letters, marks and digits. */
const thai = /[\u0E01-\u0E5B]/;
/** A shorter run between blanks is a clause or a name, not a sentence. */
const thaiSentenceChars = 50;
/** A bracket that is not closed so soon is none. */
const longestInset = 150;

/** What goes on with the sentence before it: `and`, `which`, `is`, a province, `พ.ศ.`; what a sentence does not end with. */
const thaiGoesOn = /^(?:และ|หรือ|กับ|คือ|ได้แก่|เช่น|โดย|ซึ่ง|ที่|ว่า|ของ|เป็น|จังหวัด|อำเภอ|ตำบล|เขต|แขวง|ประเทศ|ณ |[ก-ฮ]{1,4}\.)/;
const thaiStaysOpen = /(?:^|\s)ณ$|(?:คือ|ได้แก่|เช่น|และ|หรือ|กับ|ว่า|ชื่อ|โดย|ของ|ที่|ใน|เมื่อ|จาก|ถึง|[ก-ฮ]\.)$/;
const opening = /[([“"]/;
const closing = /[)\]”"]/;

/**
 * Thai ends a sentence with a blank, but not every blank ends one: runs are joined up to the length of a sentence, and
 * where a word, a bracket or a quotation holds them together. Thai words in a sentence of another language end nothing.
 */
export function* thaiSentences(text: string, start: number, end: number): Generator<Span> {
  let from = start;
  if (!isMostlyThai(text, start, end)) {
    yield { start, end };
    return;
  }
  let open = opening.test(text[start]!) ? start : -1;
  for (let at = start + 1; at < end; at++) {
    if (open >= 0 && (closing.test(text[at]!) || at - open > longestInset)) open = -1;
    else if (opening.test(text[at]!)) open = at;
    if (open >= 0) continue;
    if (text[at] !== ' ' && text[at] !== '\n') continue;
    if (at - from < thaiSentenceChars || end - at <= 20) continue;
    if (!thai.test(text[at - 1]!) || !thai.test(text[at + 1] ?? '') || text[at + 1] === 'ๆ') continue;
    if (thaiGoesOn.test(text.slice(at + 1, at + 12)) || thaiStaysOpen.test(text.slice(Math.max(from, at - 8), at)))
      continue;
    yield { start: from, end: at };
    from = at + 1;
  }
  if (from < end) yield { start: from, end };
}

function isMostlyThai(text: string, start: number, end: number): boolean {
  let count = 0;
  for (let at = start; at < end; at++) if (thai.test(text[at]!)) count++;
  return 2 * count > end - start;
}
