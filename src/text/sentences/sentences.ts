import type { Span } from '../../core/types.ts';
import { classifyLine, type Line, opensAsHeading } from '../lines.ts';
import { cutLong, thaiSentences } from './cuts.ts';
import {
  afterOrdinal,
  beforeNumber,
  beforeOrdinal,
  maybeLast,
  nameParticles,
  neverLast,
  onlyBehind,
  starters,
  wordsWhenSmall,
} from './rules.ts';

export interface SentenceOptions {
  /** A longer sentence is cut at clause marks, else between words. @default 600 */
  readonly maxChars?: number | undefined;
}

const latinEnd = 1;
const wideEnd = 2;
const lineEnd = 3;

/** What a code unit may end: 0 nothing; 1 a sentence, before a blank; 2 a sentence, anywhere; 3 a line. */
const ends = new Uint8Array(0x10000);
for (const unit of '.!?…‼⁇⁈⁉‽؟۔܀܁܂') ends[unit.charCodeAt(0)] = latinEnd;
for (const unit of '。．｡！？﹒﹖﹗।॥։።፧፨།༎។៕။᠃᠉᙮᜵᜶᥄᥅') ends[unit.charCodeAt(0)] = wideEnd;
// those of Tai Tham, Balinese, Javanese
for (const unit of '\u1AA8\u1AA9\u1AAA\u1AAB\u1B5E\u1B5F\uA9C9') ends[unit.charCodeAt(0)] = wideEnd;
ends[0x0a] = lineEnd;

const closers = /["'”’»›)\]}）」』】》〉〕＂＇*_]/;
const openers = /["'“‘„«‹([{（「『【《〈¿¡*_`]/;
const lowerCase = /\p{Ll}/u;
const digit = /\p{Nd}/u;
const blank = /[\s\u200B]/;
/** Letters of scripts without capitals whose single letters are initials and titles: Hebrew, Arabic, those of India. */
const caselessInitial = /[\u05D0-\u05EA\u0620-\u064A\u0671-\u06D3\u0904-\u0DFF]/;
const thaiLetter = /[\u0E01-\u0E4E]/;
const tokenChar = /[\p{L}\p{M}\p{N}.’'№-]/u;
const letter = /\p{L}/u;
/** In Greek a semicolon asks. */
const greekLetter = /[\u0370-\u03FF\u1F00-\u1FFF]/;

/**
 * Sentences of a text as trimmed spans, in order, without overlap. A table row is one unit, a heading too, and lines of
 * code up to a blank line. A list item starts a new sentence. Rules decide, not a model: a full stop after an
 * abbreviation or an initial, or inside a number, ends no sentence; full-width and Indic stops always do. Thai has no
 * stops and is cut at blanks.
 * @param text normalised; a single line feed inside a paragraph counts as a blank
 */
export function sentenceSpans(text: string, options: SentenceOptions = {}): Span[] {
  const maxChars = Math.max(1, options.maxChars ?? 600);
  const thai = /[\u0E01-\u0E5B]/.test(text);
  const turkish = /[ğıİ]/.test(text);
  const greek = greekLetter.test(text);
  const out: Span[] = [];
  let start = 0;

  const push = (end: number): void => {
    let from = start;
    let to = end;
    while (from < to && blank.test(text[from]!)) from++;
    while (to > from && blank.test(text[to - 1]!)) to--;
    start = end;
    if (from === to) return;
    if (thai) {
      for (const span of thaiSentences(text, from, to)) cutLong(text, span.start, span.end, maxChars, out);
    } else cutLong(text, from, to, maxChars, out);
  };

  let line: Line = classifyLine(text, 0, undefined);
  let i = line.contentStart;
  for (;;) {
    if (line.kind === 'table' || line.kind === 'code' || line.kind === 'fence') i = line.end;
    while (i < text.length && ends[text.charCodeAt(i)] === 0 && !(greek && text[i] === ';')) i++;
    if (i >= text.length) break;
    const kind = ends[text.charCodeAt(i)]!;
    if (kind === 0) {
      const end = greekLetter.test(text.slice(start, i)) ? latinSentenceEnd(text, i, start, line, false) : -(i + 1);
      if (end > 0) push(end);
      i = Math.abs(end);
      continue;
    }
    if (kind === lineEnd) {
      const next = classifyLine(text, i + 1, line);
      if (lineBreakEnds(text, line, next)) push(i);
      line = next;
      i = Math.max(next.contentStart, i + 1);
      continue;
    }
    const end = kind === latinEnd ? latinSentenceEnd(text, i, start, line, turkish) : wideSentenceEnd(text, i);
    if (end > 0) push(end);
    i = Math.abs(end);
  }
  push(text.length);
  return out;
}

function lineBreakEnds(text: string, line: Line, next: Line): boolean {
  if (next.kind === 'blank' || line.kind === 'blank') return true;
  if (next.kind === 'underline') return false;
  if (line.kind === 'heading' || line.kind === 'table' || line.kind === 'underline') return true;
  if (line.kind === 'code' || line.kind === 'fence' || next.kind === 'code' || next.kind === 'fence') {
    const inCode = line.kind === 'code' || line.kind === 'fence';
    const staysInCode = next.kind === 'code' || next.kind === 'fence';
    return !(inCode && staysInCode) || (next.kind === 'fence' && next.fence !== '');
  }
  // one label alone may stand in the middle of a sentence, unless a line announces it
  if (next.kind === 'label')
    return line.kind === 'label' || line.kind === 'turn' || text.slice(line.start, line.end).trimEnd().endsWith(':');
  if (next.kind !== 'plain') return true; // a list item, a heading, a table row, a speaker's turn
  return opensAsHeading(text, line, next);
}

/** The end of the sentence whose mark is at `at`; the negative offset at which to go on if no sentence ends there. */
function latinSentenceEnd(text: string, at: number, start: number, line: Line, turkish: boolean): number {
  let end = at + 1;
  while (end < text.length && ends[text.charCodeAt(end)] === latinEnd) end++;
  const marks = end - at;
  end = afterClosers(text, end);
  if (end >= text.length) return end;
  if (marks === 1) end = afterFlatFootnote(text, at, end);
  if (!blank.test(text[end]!)) return ends[text.charCodeAt(end)] === wideEnd ? -end : followsWide(text, at, end);
  let next = end;
  while (next < text.length && blank.test(text[next]!)) next++;
  while (next < text.length && openers.test(text[next]!)) next++;
  if (next >= text.length) return end;
  const first = String.fromCodePoint(text.codePointAt(next)!);
  if (lowerCase.test(first) || /[,;:)%.]/.test(first)) return -end;
  if (text[at] !== '.' || marks > 1) return end;
  // `## 1. Scope` is one heading
  if (line.kind === 'heading' && digit.test(text[at - 1] ?? '') && next < line.end) return -end;
  if (isEnumerator(text, start, at, line)) return -end;
  if (turkish && ordinal.test(text.slice(Math.max(0, at - 8), at))) return -end;
  return fullStopEnds(text, at, next) ? end : -end;
}

/** In Turkish a number with a stop stands before what it orders: `25. Osmanlı padişahı`, `IV. Murad`. Verbs end sentences. */
const ordinal = /(?<![\p{L}\p{N}.,])(?:\d{1,3}|[IVX]{1,6})$/u;
const enumerator = /^\s*\(?(?:[\p{Lu}\p{Ll}]|[ivxIVX]{1,5}|\d{1,3}(?:\.\d{1,3})+)$/u;

/** Whether the stop at `at` belongs to `c.` or `4.2.`, with which a sentence and its line begin. */
function isEnumerator(text: string, start: number, at: number, line: Line): boolean {
  return at - Math.max(start, line.start) <= 24 && start <= line.start && enumerator.test(text.slice(start, at));
}

/** A mark before a letter ends a sentence only between letters of scripts without blanks. */
function followsWide(text: string, at: number, end: number): number {
  return /[!?…]/.test(text[at]!) &&
    /[\u3040-\u30FF\u3400-\u9FFF]/.test(text[end]!) &&
    /[\u3040-\u30FF\u3400-\u9FFF]/.test(text[at - 1] ?? '')
    ? end
    : -end;
}

const numberOrLatin = /[\p{Nd}A-Za-z\uFF21-\uFF3A\uFF41-\uFF5A]/u;

function wideSentenceEnd(text: string, at: number): number {
  let end = at + 1;
  // `３．１４`, `１．概要`
  if (text[at] === '．' && numberOrLatin.test(text[at - 1] ?? '')) return -end;
  while (end < text.length && ends[text.charCodeAt(end)]! >= latinEnd && text[end] !== '\n') end++;
  const closed = afterClosers(text, end);
  // 「…。」と言った: the sentence goes on after the quoted speech.
  if (closed > end && /[とっは、，,のが]/.test(text[closed] ?? '')) return -closed;
  return closed;
}

const footnoteMark = /^\[(?:\^[^\]\s]{1,32}|\d[\d,\s–-]{0,39}|[a-z]|(?:note|citation) [a-z\d]{1,8})\]/;
/** As readers write it that know it is raised: `in the pool.^7` */
const writtenMark = /^\^\d{1,3}(?:[,–]\^?\d{1,3})*(?=\s|$)/;
/** The longest one. */
const footnoteChars = 42;
const raisedDigit = /[¹²³⁰⁴-⁹†‡]/;
/** Tokenised text has blanks around quotes and brackets: `. ''`, `. ' Then`, `. )`. */
const detachedCloser = /^ (?:''|[”»]|[')])(?: |$)/;

/** The offset after the number of a footnote as a PDF gives it, `in the pool.7 We`; `end` without one. */
function afterFlatFootnote(text: string, at: number, end: number): number {
  const number = /^\d{1,2}(?= +["“(]?\p{Lu})/u.exec(text.slice(end, end + 6))?.[0] ?? '';
  if (number === '') return end;
  const word = /\p{Ll}{4,}$/u.exec(text.slice(Math.max(0, at - 16), at))?.[0];
  return word === undefined || beforeNumber.has(word) ? end : end + number.length;
}

/** The offset after closing quotes and brackets, footnote marks like `[12]`, and detached closers. */
function afterClosers(text: string, from: number): number {
  let at = from;
  for (;;) {
    const unit = text[at];
    if (unit === undefined) return at;
    if (closers.test(unit) || raisedDigit.test(unit)) at++;
    else if (unit === '^') {
      const mark = writtenMark.exec(text.slice(at, at + footnoteChars));
      if (mark === null) return at;
      at += mark[0].length;
    } else if (unit === '[') {
      const mark = footnoteMark.exec(text.slice(at, at + footnoteChars));
      if (mark === null) return at;
      at += mark[0].length;
    } else if (unit === ' ' && detachedCloser.test(text.slice(at, at + 4))) {
      at += text.startsWith("''", at + 1) ? 3 : 2;
    } else return at;
  }
}

/** Whether the full stop at `at` ends its sentence. A blank follows it, and at `next` no lower-case letter. */
function fullStopEnds(text: string, at: number, next: number): boolean {
  let from = at;
  while (from > 0 && at - from < 16 && tokenChar.test(text[from - 1]!)) from--;
  const token = text.slice(from, at);
  if (token === '') return true;
  if (token.length === 1 && ofUnit.test(text.slice(Math.max(0, from - 2), at))) return true; // "at 30 °C. Flask 2"
  const following = wordAt(text, next);
  const opens = starters.has(following) && text[next + following.length] !== '.';
  if (/^\d{1,3}$/.test(token)) {
    if (isInDate(text, from, next)) return false;
    if (afterOrdinal.has(following)) return false;
    return opens || !beforeOrdinal.test(text.slice(Math.max(0, from - 8), from));
  }
  // an address or a path: `https://a.example/?c=d`, `C:\\Temp\\a.txt`
  if (/[/\\=]/.test(text[from - 1] ?? '') && (token.length === 1 || token.includes('.'))) return true;
  // `8.6절. “복구 모드”`: the number of a Korean section, and its title
  if (/^\d[\d.]*[절장]$/.test(token) && /["“「『《]/.test(text[next - 1]!)) return false;
  // Thai has no stops: this one abbreviates
  if (thaiLetter.test(token.at(-1)!)) return false;
  const known = abbreviationIn(token);
  const lower = known.toLowerCase();
  if (wordsWhenSmall.has(known)) return true;
  if (digit.test(text[next]!) || /^(?:\+\p{Nd}|[§¶])/u.test(text.slice(next, next + 2))) {
    if (beforeNumber.has(lower) || lower.endsWith('str')) return false;
    if (maybeLast.has(lower) && lower.length === 3) return false; // "Jan. 5"
  }
  // "Policy no. NM-77"
  if (beforeNumber.has(known) && known.length > 1 && /^[\p{Lu}\p{Nd}./-]*\p{Nd}/u.test(text.slice(next, next + 16)))
    return false;
  if (onlyBehind.get(lower)?.test(text.slice(Math.max(0, from - 8), from))) return false;
  // "in Gary, MS. The"
  if (neverLast.has(lower)) return /^\p{Lu}{2,}$/u.test(known) && opens;
  if (maybeLast.has(lower)) return opens;
  if (token.length === 1 && letter.test(token)) {
    if (text[from - 1] === '(') return false; // "(b. 1960)"
    // "J. Smith", "vitamin C. The": an upper-case initial ends a sentence only before a word that opens sentences.
    if (token === lower && token !== token.toUpperCase()) return !(following.length === 1 && text[next + 1] === '.');
    if (token === token.toUpperCase() && token !== lower) return opens && !nameParticles.has(following);
    return !caselessInitial.test(token) || digit.test(text[from - 2] ?? '');
  }
  if (token.includes('.') && /^(?:\p{L}{1,3}\.)+\p{L}{1,3}$/u.test(token)) return opens;
  return true;
}

/** `°C`, `5 V` */
const ofUnit = /(?:°[CF]|\p{Nd}[ \u00a0]?[AJKNVW])$/u;
const dayBefore = /(?<!\p{N})\d{1,2}\. ?$/u;
/** Whether the number at `from`, before a stop, is a day or a month: `16. 8. 1993`. */
function isInDate(text: string, from: number, next: number): boolean {
  const behind = text.slice(next, next + 10);
  if (/^\d{1,2}\. ?(?:1\d|20)\d\d(?!\d)/.test(behind)) return true;
  return /^(?:1\d|20)\d\d(?!\d)/.test(behind) && dayBefore.test(text.slice(Math.max(0, from - 4), from));
}

/** The abbreviation that a token ends with: `art` of `dell’art`, `Prof` of `Univ.-Prof`. */
function abbreviationIn(token: string): string {
  if (neverLast.has(token.toLowerCase())) return token;
  return /['’-](\p{L}{2,})$/u.exec(token)?.[1] ?? token;
}

function wordAt(text: string, at: number): string {
  let end = at;
  while (end < text.length && end - at < 24 && letter.test(text[end]!)) end++;
  return text.slice(at, end);
}
