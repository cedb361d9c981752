/**
 * The numbers that Word prints before numbered paragraphs and headings. The text of the document does not hold them.
 */
import { attribute, type XmlHandler } from '../markup/xml.ts';

interface Level {
  format: string;
  /** For example `%1.%2`, where `%n` is the number of level n. */
  text: string;
  start: number;
}

export interface Numbering {
  /** Reads `word/numbering.xml`. */
  readonly handler: XmlHandler;
  /**
   * Counts the next paragraph of a list and returns its marker: `-` for a bullet, `2.1` or `(a)` for a number, '' for
   * none.
   */
  next(list: string, level: number): string;
}

export function createNumbering(): Numbering {
  const abstracts = new Map<string, Map<number, Level>>();
  const lists = new Map<string, string>();
  const starts = new Map<string, number>();
  const counters = new Map<string, number[]>();
  let abstract: Map<number, Level> | undefined;
  let level: Level | undefined;
  let list = '';
  let override = 0;
  const handler: XmlHandler = {
    open(name, attributes) {
      const value = attribute(attributes, 'val') ?? '';
      if (name === 'abstractNum') {
        abstract = new Map();
        abstracts.set(attribute(attributes, 'abstractNumId') ?? '', abstract);
      } else if (name === 'lvl') {
        level = { format: 'decimal', text: '', start: 1 };
        abstract?.set(Number(attribute(attributes, 'ilvl') ?? 0), level);
      } else if (name === 'numFmt' && level) level.format = value;
      else if (name === 'lvlText' && level) level.text = value;
      else if (name === 'start' && level) level.start = Number(value) || 0;
      else if (name === 'num') {
        list = attribute(attributes, 'numId') ?? '';
        abstract = undefined;
      } else if (name === 'abstractNumId') lists.set(list, value);
      else if (name === 'lvlOverride') override = Number(attribute(attributes, 'ilvl') ?? 0);
      else if (name === 'startOverride') starts.set(`${list} ${override}`, Number(value) || 0);
    },
    close(name) {
      if (name === 'lvl') level = undefined;
    },
  };
  return {
    handler,
    next(id, depth) {
      const base = lists.get(id) ?? '';
      const levels = abstracts.get(base);
      const own = levels?.get(depth);
      if (!own || own.format === 'none') return '';
      if (own.format === 'bullet') return '-';
      // Lists of one abstract definition share a counter, unless a list restarts the level.
      const key = starts.has(`${id} ${depth}`) ? `list ${id}` : `abstract ${base}`;
      const counts = counters.get(key) ?? [];
      counters.set(key, counts);
      const first = (at: number): number => starts.get(`${id} ${at}`) ?? levels?.get(at)?.start ?? 1;
      counts[depth] = (counts[depth] ?? first(depth) - 1) + 1;
      counts.length = depth + 1;
      return own.text
        .replace(/%(\d)/gu, (_, digit: string) => {
          const at = Number(digit) - 1;
          return formatNumber(counts[at] ?? first(at), levels?.get(at)?.format ?? 'decimal');
        })
        .trim();
    },
  };
}

/** What moves an item of an inner list to the right: nothing where its number says that of the outer one, `2.1`. */
export function nested(marker: string, depth: number): string {
  return marker === '' || /[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(marker) ? '' : '  '.repeat(depth);
}

/** Larger numbers are written in digits: a letter is repeated for each 26. */
const MOST_LETTERS = 3999;

export function formatNumber(n: number, format: string): string {
  if (n < 1 || n > MOST_LETTERS) return String(n);
  if (format === 'lowerLetter' || format === 'upperLetter') {
    const letter = String.fromCharCode(97 + ((n - 1) % 26)).repeat(Math.floor((n - 1) / 26) + 1);
    return format === 'lowerLetter' ? letter : letter.toUpperCase();
  }
  if (format === 'lowerRoman') return roman(n).toLowerCase();
  if (format === 'upperRoman') return roman(n);
  if (format === 'decimalZero') return String(n).padStart(2, '0');
  return String(n);
}

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

function roman(n: number): string {
  let left = n;
  let out = '';
  for (const [value, letters] of ROMAN) {
    while (left >= value && out.length < 20) {
      out += letters;
      left -= value;
    }
  }
  return out;
}
