/**
 * One part of a document as it is shown. Parts follow each other without gap; joined they are the text.
 * @typedef {object} Part
 * @property {'text' | 'heading' | 'code' | 'table' | 'headers' | 'cues'} kind
 * @property {number} start offset in the document
 * @property {string} text with the line feeds after it
 * @property {number} [level] of a heading, from 1
 */

const tables = new Set(['csv', 'xlsx', 'xls', 'parquet', 'arrow', 'sqlite']);
const wholes = new Map([
  ...['code', 'json', 'jsonl', 'yaml', 'xml'].map((format) => /** @type {const} */ ([format, 'code'])),
  ...['subtitles', 'recording'].map((format) => /** @type {const} */ ([format, 'cues'])),
]);

/**
 * How a text is shown, by its format.
 * @param {string} text
 * @param {number} from offset of the text in its document
 * @param {string} format
 * @returns {Part[]}
 */
export function layoutOf(text, from, format) {
  const whole = wholes.get(format);
  if (whole) return text === '' ? [] : [{ kind: whole, start: from, text }];
  const paragraphs = format === 'markdown' ? fencedParagraphs(text) : paragraphsIn(text);
  const parts = paragraphs.flatMap(({ start, text: own }) => partsOf(own, from + start, format));
  return joined(parts);
}

/** @param {string} text */
function paragraphsIn(text) {
  let start = 0;
  return text.split(/(?<=\n\n)(?=[^\n])/).flatMap((own) => {
    const paragraph = { start, text: own };
    start += own.length;
    return own === '' ? [] : [paragraph];
  });
}

/** Paragraphs; a fence of code with the blank lines in it is one. @param {string} text */
function fencedParagraphs(text) {
  /** @type {{ start: number, text: string }[]} */
  const found = [];
  let fence = '';
  for (const paragraph of paragraphsIn(text)) {
    const last = found.at(-1);
    if (fence !== '' && last) last.text += paragraph.text;
    else found.push(paragraph);
    for (const line of paragraph.text.split('\n')) fence = fenceAfter(fence, line);
  }
  return found;
}

/** The fence that is open after a line; '' for none. @param {string} fence @param {string} line */
function fenceAfter(fence, line) {
  const own = /^(?:`{3,}|~{3,})/.exec(line)?.[0] ?? '';
  if (fence === '') return own;
  return own.startsWith(fence) && line.trim() === own ? '' : fence;
}

/**
 * @param {string} text
 * @param {number} start
 * @param {string} format
 * @returns {Part[]}
 */
function partsOf(text, start, format) {
  const lines = text.trimEnd().split('\n');
  if (format === 'markdown') {
    if (/^(?:`{3}|~{3}|\||\s{4})/.test(text)) return [{ kind: 'code', start, text }];
    const heading = /^(#{1,6}) [^\n]*\n*/.exec(text);
    if (!heading) return [{ kind: 'text', start, text }];
    const length = heading[0].length;
    const first = /** @type {Part} */ ({ kind: 'heading', start, text: heading[0], level: heading[1]?.length ?? 1 });
    return length < text.length ? [first, ...partsOf(text.slice(length), start + length, format)] : [first];
  }
  if (isMail(format) && /^(?:From|Subject|Date|To): /m.test(text) && lines.every((line) => /^[A-Z][\w-]*: /.test(line)))
    return [{ kind: 'headers', start, text }];
  const rows = lines.filter((line) => line.includes(' | ')).length;
  if (rows === 0) return [{ kind: 'text', start, text }];
  if (tables.has(format) || rows === lines.length) return [{ kind: 'table', start, text }];
  return [{ kind: 'text', start, text }];
}

/** @param {string} format */
function isMail(format) {
  return format === 'eml' || format === 'mbox' || format === 'msg';
}

/** Parts of code that follow each other are one. @param {readonly Part[]} parts */
function joined(parts) {
  /** @type {Part[]} */
  const out = [];
  for (const part of parts) {
    const last = out.at(-1);
    if (last?.kind === 'code' && part.kind === 'code') out[out.length - 1] = { ...last, text: last.text + part.text };
    else out.push(part);
  }
  return out;
}

/**
 * Lines of a text, with the offset of each; a line feed at the end begins no line.
 * @param {string} text
 * @param {number} from
 */
export function linesOf(text, from) {
  return [...text.matchAll(/[^\n]*\n|[^\n]+$/g)].map(({ 0: line, index }) => ({
    start: from + index,
    text: line.endsWith('\n') ? line.slice(0, -1) : line,
  }));
}

/**
 * Cells of a line of a table, with the offset of each.
 * @param {string} line
 * @param {number} from
 */
export function cellsOf(line, from) {
  let at = from;
  return line.split(' | ').map((text) => {
    const cell = { start: at, text };
    at += text.length + 3;
    return cell;
  });
}
