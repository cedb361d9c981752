/**
 * A range of a document's text that looks different from the rest.
 * @typedef {object} Mark
 * @property {number} start
 * @property {number} end
 * @property {string} kind
 */

/**
 * A run of text with the kinds of all marks that cover it.
 * @typedef {object} Piece
 * @property {number} start
 * @property {string} text
 * @property {readonly string[]} kinds
 */

/**
 * Cuts a text where a mark begins or ends. The pieces joined are the text.
 * @param {string} text
 * @param {number} from offset of the text in its document
 * @param {readonly Mark[]} marks in offsets of the document; may overlap and reach beyond the text
 * @returns {Piece[]}
 */
export function piecesOf(text, from, marks) {
  const to = from + text.length;
  const inside = marks.filter(({ start, end }) => start < end && start < to && end > from);
  const cuts = new Set([from, to]);
  for (const { start, end } of inside) cuts.add(Math.max(start, from)).add(Math.min(end, to));
  const sorted = [...cuts].sort((a, b) => a - b);
  return sorted.slice(0, -1).map((start, i) => {
    const end = sorted[i + 1] ?? to;
    const kinds = inside.filter((mark) => mark.start <= start && mark.end >= end).map(({ kind }) => kind);
    return { start, text: text.slice(start - from, end - from), kinds: [...new Set(kinds)] };
  });
}

/** Scripts that put no blank between words. */
const unspaced = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
const cutter = new Intl.Segmenter(undefined, { granularity: 'word' });

/**
 * Where words of a query stand in a text: whole words, and words that begin with one of four letters or more. Where no
 * blanks stand between them, words of two are long enough.
 * @param {string} text
 * @param {string} query
 * @returns {Mark[]}
 */
export function wordMarks(text, query) {
  const words = new Set(
    wordsOf(query)
      .map(({ word }) => word)
      .filter((word) => word.length >= leastOf(word)),
  );
  const long = [...words].filter((word) => word.length > leastOf(word));
  return wordsOf(text)
    .filter(({ word }) => words.has(word) || long.some((one) => word.startsWith(one)))
    .map(({ start, end }) => ({ start, end, kind: 'word' }));
}

/** @param {string} word */
function leastOf(word) {
  return unspaced.test(word) ? 2 : 3;
}

/** @param {string} text */
function wordsOf(text) {
  const runs = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].flatMap(({ 0: run, index: from }) =>
    unspaced.test(run)
      ? [...cutter.segment(run)].map(({ segment, index }) => ({ found: segment, start: from + index }))
      : [{ found: run, start: from }],
  );
  return runs.map(({ found, start }) => ({ word: found.toLowerCase(), start, end: start + found.length }));
}

/**
 * The part of a text that is shown first, cut at a word.
 * @param {string} text
 * @param {number} length
 */
export function beginningOf(text, length) {
  if (text.length <= length) return text;
  const cut = text.lastIndexOf(' ', length);
  return `${text.slice(0, cut > length / 2 ? cut : length).toWellFormed()} …`;
}
