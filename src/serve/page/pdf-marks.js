/**
 * A part of one text item of a page.
 * @typedef {{ readonly item: number, readonly start: number, readonly end: number }} ItemRange
 */

/** Pieces of fewer letters than this say nothing about where they stand. */
const LEAST = 4;
/** But they do where they follow the piece before within so many letters. */
const NEAR = 40;

/**
 * Where the words of a quote stand among the text items of a page. The order of the items is that of the file, which
 * may differ from that of the document: so lines and cells are found one by one, and what is not found is halved.
 * @param {readonly string[]} items
 * @param {string} quote
 * @param {string} [before] the text before the quote, which tells equal words apart
 * @returns {{ ranges: ItemRange[], share: number }} share of the quote's letters that were found
 */
export function quoteOnPage(items, quote, before = '') {
  const page = lettersOf(items);
  const wanted = plain(quote).length;
  /** @type {[start: number, end: number][]} */
  const found = [];
  const whole = plain(quote);
  if (whole === '') return { ranges: [], share: 0 };
  const at = nearest(page.text, whole, plain(before));
  if (at >= 0) found.push([at, at + whole.length]);
  else {
    const last = { at: -1 };
    for (const piece of quote.split(/\n| \| /)) collect(page.text, piece.trim(), last, found);
  }
  const share = found.reduce((sum, [start, end]) => sum + end - start, 0) / wanted;
  return { ranges: rangesOf(page, found), share };
}

/**
 * @param {string} page
 * @param {string} piece a line or cell, or a half of one
 * @param {{ at: number }} last where the piece before ended
 * @param {[number, number][]} found
 * @param {number} least letters that a piece must have to be looked for before the last one, too
 */
function collect(page, piece, last, found, least = LEAST) {
  const letters = plain(piece);
  if (letters === '') return;
  const after = page.indexOf(letters, last.at);
  const isNear = last.at >= 0 && after >= 0 && after - last.at < NEAR;
  const at = isNear || (after >= 0 && letters.length >= LEAST) ? after : -1;
  const start = at < 0 && letters.length >= least ? page.indexOf(letters) : at;
  if (start >= 0) {
    found.push([start, start + letters.length]);
    last.at = start + letters.length;
    return;
  }
  const words = piece.split(/\s+/);
  if (words.length < 2) return;
  const middle = words.length >> 1;
  collect(page, words.slice(0, middle).join(' '), last, found, LEAST * 2);
  collect(page, words.slice(middle).join(' '), last, found, LEAST * 2);
}

/**
 * The place whose text before is most like what should stand there.
 * @param {string} page
 * @param {string} wanted
 * @param {string} before
 */
function nearest(page, wanted, before) {
  let best = -1;
  let most = -1;
  for (let at = page.indexOf(wanted); at >= 0; at = page.indexOf(wanted, at + 1)) {
    let same = 0;
    while (same < before.length && same < at && page[at - 1 - same] === before[before.length - 1 - same]) same++;
    if (same > most) {
      most = same;
      best = at;
    }
  }
  return best;
}

/**
 * All letters of a page, with the item and offset of each.
 * @param {readonly string[]} items
 */
function lettersOf(items) {
  let text = '';
  /** @type {{ item: number, offset: number, length: number }[]} */
  const origin = [];
  for (const [item, own] of items.entries()) {
    let offset = 0;
    for (const c of own) {
      const letters = plain(c);
      text += letters;
      for (let i = 0; i < letters.length; i++) origin.push({ item, offset, length: c.length });
      offset += c.length;
    }
  }
  return { text, origin };
}

/** @param {{ origin: readonly { item: number, offset: number, length: number }[] }} page @param {readonly [number, number][]} found */
function rangesOf({ origin }, found) {
  /** @type {Map<string, ItemRange>} */
  const ranges = new Map();
  for (const [i, [start, end]] of found.entries())
    for (const { item, offset, length } of origin.slice(start, end)) {
      const key = `${i} ${item}`;
      const known = ranges.get(key);
      ranges.set(key, { item, start: known?.start ?? offset, end: offset + length });
    }
  return [...ranges.values()];
}

/**
 * Letters and digits alone: blanks, hyphens, ligatures and how accents are written differ between a page and its text.
 * A text becomes what its characters become one by one: capitals, because a small sigma depends on what follows.
 * @param {string} text
 */
function plain(text) {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
