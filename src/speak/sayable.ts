import type { Span } from '../core/types.ts';
import { englishWords, type Wording } from './wording.ts';

/** A stretch of the written text and what is said for it. */
export interface SaidPiece {
  readonly written: Span;
  /** Offsets in `Sayable.text`. */
  readonly said: Span;
}

/** A written text as it is said aloud. */
interface Sayable {
  /** '' where there is nothing to say. */
  readonly text: string;
  /** In order; together they cover both texts, apart from what is not said. */
  readonly pieces: readonly SaidPiece[];
}

/**
 * What is said for a written text: without citation marks and marks of Markdown; links by their text, addresses by
 * their host, identifiers in words, numbers without separators. In English also units, currencies, dates, ranges and
 * signs are written out; voices of other languages are left to their own.
 * @param language ISO 639
 */
export function sayable(text: string, language = 'en'): Sayable {
  const rules = language.startsWith('en') ? [...plain, ...englishWords] : plain;
  let said = '';
  /** True when the spoken text so far is empty or ends with a blank. */
  let blankBefore = true;
  const pieces: SaidPiece[] = [];
  const put = (start: number, end: number, words: string): void => {
    const add = blankBefore ? words.replace(/^\s+/u, '') : words;
    if (add === '') return;
    pieces.push({ written: { start, end }, said: { start: said.length, end: said.length + add.length } });
    said += add;
    blankBefore = /\s/u.test(add.at(-1)!);
  };
  // blanks that become one are a piece of their own: the words around them keep their length
  const putPlain = (start: number, end: number): void => {
    for (const { 0: run, index } of text.slice(start, end).matchAll(/\s+|\S+(?:\s\S+)*/gu))
      put(start + index, start + index + run.length, run.trim() === '' ? ' ' : run.replace(/\s/gu, ' '));
  };
  let at = 0;
  let from = 0;
  while (at < text.length) {
    const found = matchAt(text, at, rules);
    if (found === undefined) {
      at++;
      continue;
    }
    putPlain(from, at);
    put(at, at + found.length, found.words);
    at += found.length;
    from = at;
  }
  putPlain(from, at);
  const trimmed = said.trimEnd();
  const last = pieces.at(-1);
  if (last && last.said.end > trimmed.length) {
    pieces[pieces.length - 1] = { ...last, said: { start: last.said.start, end: trimmed.length } };
  }
  return /[\p{L}\p{N}]/u.test(trimmed) ? { text: trimmed, pieces } : { text: '', pieces: [] };
}

function matchAt(
  text: string,
  at: number,
  rules: readonly Wording[],
): { readonly length: number; readonly words: string } | undefined {
  const before = at === 0 ? '' : text[at - 1]!;
  for (const { pattern, words, inWord } of rules) {
    if (!inWord && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(text[at]!)) continue;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match && match[0].length > 0) return { length: match[0].length, words: words(match, before) };
  }
  return undefined;
}

const blank = (): string => ' ';

/** `ERR_MODULE`, `parseUrl`, `PCH-317`: parts as words, long numbers digit by digit. */
function identifier(text: string): string {
  return text
    .replace(/[_\-/.]+/gu, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, '$1$2 ')
    .replace(/\p{N}{3,}|\b0\p{N}+/gu, (digits) => [...digits].join(' '))
    .trim();
}

/** What holds in every language. A pattern for blanks begins with the first of them: it is tried at each place. */
const plain: readonly Wording[] = [
  { pattern: /(?<!\s)\s*\[\d+(?:\s*[,–-]\s*\d+)*\](?!\()/uy, words: () => '', inWord: true },
  // of a link its text is said, as any other
  { pattern: /!?\[(?=[^\]\n]*\]\([^)\s]*\))|(?<=\[[^\]\n]*)\]\([^)\s]*\)/uy, words: () => '', inWord: true },
  { pattern: /^[^\S\n]*(?:(?:#{1,6}\s+|[-*+]\s+|>(?!\d)\s*)|```[^\n]*$)/muy, words: blank },
  { pattern: /^(?=[^\n]*-{3})[\t |:-]+$/muy, words: () => '' },
  {
    pattern: /(?<!\s)\s*\|\s*/uy,
    words: (match, before) => (before === '' || match.index === 0 ? '' : ', '),
    inWord: true,
  },
  { pattern: /(?!(?<=\p{N}\*?)\*{1,2}\p{N}|(?<=\s)\*\s)\*{1,3}|`+|__|~~/uy, words: () => '', inWord: true },
  {
    pattern: /https?:\/\/(?:[^/\s?#@]*@)?(?:www\.)?([^/\s?#)\]]+)[^\s)\]]*?(?=[.,;:!?]*(?:[\s)\]]|$))/uy,
    words: ([, host]) => host!.replace(/:\d+$/u, ''),
  },
  // a code: capitals or small letters joined by _ or with digits, or with a capital inside
  { pattern: /(?=[\p{L}\p{N}]*_)[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)+/uy, words: ([code]) => identifier(code!) },
  { pattern: /\p{Lu}{1,6}-?\d{3,}(?:-\d+)*(?![\p{L}\p{N}])/uy, words: ([code]) => identifier(code!) },
  { pattern: /\p{Ll}+(?:\p{Lu}\p{Ll}+)+(?![\p{L}\p{N}])/uy, words: ([name]) => identifier(name!) },
];
