/** @import { Place } from '../../core/types.ts' */

/**
 * A place in words: `page 3`, `lines 1–8`, `14:03–14:11`.
 * @param {Place} place
 */
export function placeText({ page, lines, timeMs, speaker, sheet, rows, part, ocr }) {
  return [
    part,
    sheet === undefined ? undefined : `sheet ${sheet}`,
    page === undefined ? undefined : `page ${page}`,
    timeMs ? `${timeText(timeMs[0])}–${timeText(timeMs[1])}` : undefined,
    speaker,
    rows ? rangeText('row', rows) : undefined,
    lines && !rows && !timeMs ? rangeText('line', lines) : undefined,
    ocr ? `read from a picture, ${Math.round(ocr.confidence * 100)} % sure` : undefined,
  ]
    .filter((text) => text !== undefined)
    .join(', ');
}

/**
 * @param {string} word
 * @param {readonly [number, number]} range
 */
function rangeText(word, [first, last]) {
  return first === last ? `${word} ${first}` : `${word}s ${first}–${last}`;
}

/**
 * `14:03`, `1:02:07`.
 * @param {number} ms
 */
export function timeText(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/**
 * What a document is called: where it has no title, its address.
 * @param {{ readonly title: string, readonly uri: string }} document
 */
export function nameOf({ title, uri }) {
  return title.trim() === '' ? uri : title;
}

/**
 * `1 document`, `2,004 documents`.
 * @param {number} count
 * @param {string} word
 */
export function counted(count, word) {
  return `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
}

/** @param {number} bytes */
export function sizeText(bytes) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let size = bytes;
  let unit = 0;
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1000;
  return `${size.toLocaleString('en', { maximumSignificantDigits: 3 })} ${units[unit]}`;
}

/** What the server says, as a sentence. @param {string} message */
export function sentence(message) {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?…]$/.test(message) ? '' : '.'}`;
}
