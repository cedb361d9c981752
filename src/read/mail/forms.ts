/** Which form of a message is read, where it has its text in several. */
import { Parser } from 'htmlparser2';
import { decodeBytes } from '../encoding.ts';
import type { MimePart } from './mime.ts';

/** Longer plain forms are what they should be. */
const LONGEST_STUB = 1000;
const NOT_SHOWN = /^(?:style|script|title)$/;

/**
 * The plain form unless it is empty, only says that the mail is HTML, or is short and has only words of the last form,
 * which has further ones; else the last one. Both, where a short plain form has other words than the last one: neither
 * says what the other does.
 */
export function chooseForm(forms: readonly (readonly MimePart[])[]): readonly MimePart[] {
  const plain = forms.find((list) => list.every((part) => part.type.value === 'text/plain' && hasText(part)));
  const last = forms.at(-1) ?? [];
  if (plain === undefined || plain === last) return last;
  const said = shownText(plain);
  const size = wordChars(said);
  if (size >= LONGEST_STUB) return plain;
  const shown = shownText(last);
  const other = wordChars(shown);
  if (size * 3 < other) return last;
  if (saysMore(shown, said)) return last;
  return other === 0 || sharesWords(said, shown) ? plain : [...plain, ...last];
}

/** Further words that make a form the fuller one: one may be that of a button. */
const FEWEST_FURTHER = 2;

/** Whether a text has all words of another and further ones, as a page has whose tables the plain form leaves out. */
function saysMore(text: string, other: string): boolean {
  const words = wordsOf(text);
  const known = wordsOf(other);
  return [...known].every((word) => words.has(word)) && words.size >= known.size + FEWEST_FURTHER;
}

/** Mail that is HTML often has a plain form of blanks alone. */
function hasText(part: MimePart): boolean {
  const { text } = decodeBytes(part.content.subarray(0, 4096), part.type.parameters.charset);
  return /[^\s\p{Cf}\ufffd]/u.test(text);
}

/** Letters and digits. */
function wordChars(text: string): number {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').length;
}

/** Whether a third of the words of one text stand in the other; signs of scripts without blanks count as words. */
function sharesWords(text: string, other: string): boolean {
  const words = wordsOf(text);
  const known = wordsOf(other);
  return [...words].filter((word) => known.has(word)).length * 3 >= words.size;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]|[\p{L}\p{N}]+/gu));
}

/** The text without addresses. */
function shownText(parts: readonly MimePart[]): string {
  const texts: string[] = [];
  for (const { content, type } of parts) {
    const { text } = decodeBytes(content, type.parameters.charset);
    if (type.value === 'text/html') readShown(text, (piece) => texts.push(piece));
    else texts.push(text, ' ');
  }
  return texts.join('').replace(/https?:\/\/\S+/gu, '');
}

/** Gives the text in pieces: words are parted by tags, and not by an entity. */
function readShown(html: string, take: (text: string) => void): void {
  let hidden = 0;
  const parser = new Parser(
    {
      onopentagname: (name) => {
        take(' ');
        if (NOT_SHOWN.test(name)) hidden++;
      },
      ontext: (text) => {
        if (hidden === 0) take(text);
      },
      onclosetag: (name) => {
        take(' ');
        if (NOT_SHOWN.test(name)) hidden--;
      },
    },
    { recognizeSelfClosing: true },
  );
  parser.end(html);
}
