/**
 * Places where a text may be cut without breaking a visible character (extended grapheme clusters of UAX 29, in the
 * version of the running ICU). Only the neighbourhood of a cut is read, at the same cost in any text.
 */

let segmenter: Intl.Segmenter | undefined;

/** Opened when a text first needs it: that takes some milliseconds. */
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  return segmenter;
}

/**
 * Code units that always begin a cluster, unless the unit before is in `reachesForward` or both are CR LF: ASCII,
 * Latin, Greek, Cyrillic, Hebrew, Arabic and Thai letters, general punctuation, kana, Han, Hangul syllables, full-width
 * forms.
 */
const startsCluster =
  /[\0-\u00A8\u00AA-\u00AD\u00AF-\u02FF\u0370-\u0482\u048A-\u052F\u05D0-\u05EA\u0620-\u064A\u0E01-\u0E30\u0E40-\u0E46\u2000-\u200A\u2010-\u2027\u3000-\u3029\u3041-\u3096\u30A1-\u30FA\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3\uFF01-\uFF9D]/;
/**
 * Code units that may join the next one: prepended marks, Hangul leading consonants, surrogates (their code point may).
 */
const reachesForward = /[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u0D4E\u1100-\u115F\uA960-\uA97C\uD800-\uDFFF]/;

/** A longer cluster, such as a letter under 10,000 accents, counts as several: a search for its end would read it all. */
const longestCluster = 8192;

function isCertainBoundary(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (isSurrogate(code) || code === 0x200d || (code >= 0x300 && code < 0x370)) return false; // faster than the pattern
  const unit = text[at]!;
  if (!startsCluster.test(unit)) return false;
  const before = text[at - 1]!;
  return !(before === '\r' && unit === '\n') && !reachesForward.test(before);
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xe000;
}

/** `at`, or the offset before it where `at` lies inside a code point. */
function codePointStart(text: string, at: number): number {
  const inside = (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
  return inside ? at - 1 : at;
}

/**
 * The last cluster boundary in `[from, at]`.
 * @param from a cluster boundary of `text`
 */
export function clusterBoundaryAtOrBefore(text: string, from: number, at: number): number {
  if (at >= text.length) return text.length;
  const least = at - from > longestCluster ? codePointStart(text, at - longestCluster) : from;
  let anchor = at;
  while (anchor > least && !isCertainBoundary(text, anchor)) anchor--;
  if (anchor === at) return at;
  let boundary = anchor;
  // The slice ends two code units after `at`: a boundary up to `at` depends on at most one code point after it.
  for (const { index } of graphemes().segment(text.slice(anchor, at + 2))) {
    if (anchor + index > at) break;
    boundary = anchor + index;
  }
  const isEndless = boundary === least && least > from && !isCertainBoundary(text, least);
  return isEndless ? codePointStart(text, at) : boundary;
}

/**
 * The first cluster boundary after `from`.
 * @param from a cluster boundary of `text`, before its end
 */
export function clusterBoundaryAfter(text: string, from: number): number {
  for (let window = 64; window < 2 * longestCluster; window *= 2) {
    const end = Math.min(text.length, from + window);
    const slice = text.slice(from, end === text.length ? end : codePointStart(text, end));
    const [, second] = firstTwo(slice);
    if (second !== undefined) return from + second;
    if (end === text.length) return end;
  }
  return codePointStart(text, from + longestCluster);
}

function firstTwo(slice: string): readonly (number | undefined)[] {
  const starts: number[] = [];
  for (const { index } of graphemes().segment(slice)) {
    starts.push(index);
    if (starts.length === 2) break;
  }
  return starts;
}
