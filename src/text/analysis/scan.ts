import { isApostrophe, isUnseen } from './fold.ts';

/** Classes of UTF-16 code units. */
const OTHER = 1;
export const WORD = 2; // letter, mark, number, underscore
const UNSPACED = 3; // a letter of a script written without spaces between words
const SURROGATE = 4;
const APOSTROPHE = 5;
export const UNSEEN = 6; // inside a word as if it were not there

const wordPattern = /[\p{L}\p{M}\p{N}_]/u;
const unspacedPattern =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3099\u309a\u30fc\uff70\uff9e\uff9f\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Filled on first use of a code unit; 0 = not classified yet. */
const classes = new Uint8Array(0x10000);

function classify(character: string): number {
  if (isApostrophe(character.charCodeAt(0))) return APOSTROPHE;
  if (isUnseen(character)) return UNSEEN;
  if (!wordPattern.test(character)) return OTHER;
  return unspacedPattern.test(character) && !/\p{Nd}/u.test(character) ? UNSPACED : WORD;
}

/** The class of the character that begins at an index. */
export function classOf(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  let found = classes[unit]!;
  if (found === 0) {
    found = unit >= 0xd800 && unit <= 0xdfff ? SURROGATE : classify(String.fromCharCode(unit));
    classes[unit] = found;
  }
  if (found !== SURROGATE) return found;
  const point = text.codePointAt(at)!;
  return point > 0xffff ? classify(String.fromCodePoint(point)) : OTHER; // a lone surrogate separates
}

/** A run of word characters `[start, end)`; `unspaced`: in a script without spaces. */
type OnRun = (start: number, end: number, unspaced: boolean) => void;

const lineEnd = /[ \t]*\n[ \t]*/y;
/** Shorter lines of a script without spaces are items, each a word of its own. */
const shortestLine = 14;

/** Where a run of an unspaced script goes on that ends with its line at `at`; -1 where it does not. */
function nextLine(text: string, at: number): number {
  lineEnd.lastIndex = at;
  if (!lineEnd.test(text)) return -1;
  const next = lineEnd.lastIndex;
  return at - text.lastIndexOf('\n', at - 1) > shortestLine && next < text.length && classOf(text, next) === UNSPACED
    ? next
    : -1;
}

/**
 * Finds the runs of word characters in a text, left to right. An apostrophe between two word characters belongs to the
 * run, and so does what is not seen. A run never mixes spaced and unspaced scripts. One of an unspaced script goes on in
 * the next line: no blank and no hyphen shows where a line cuts a word.
 */
export function scanWords(text: string, onRun: OnRun): void {
  const { length } = text;
  let at = 0;
  while (at < length) {
    const kind = classOf(text, at);
    if (kind !== WORD && kind !== UNSPACED) {
      at++;
      continue;
    }
    const start = at;
    at += width(text, at);
    let end = at;
    while (at < length) {
      const next = classOf(text, at);
      if (next === kind) end = at += width(text, at);
      else if (next === UNSEEN) at += width(text, at);
      else if (kind === WORD && next === APOSTROPHE && at + 1 < length && classOf(text, at + 1) === WORD) at++;
      else {
        const below = kind === UNSPACED ? nextLine(text, at) : -1;
        if (below < 0) break;
        at = below;
      }
    }
    onRun(start, end, kind === UNSPACED);
  }
}

function width(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff && at + 1 < text.length ? 2 : 1;
}
