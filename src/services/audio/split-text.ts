import { wholeOf } from '../../core/arguments.ts';
import type { Span } from '../../core/types.ts';

/** A part of a text that is spoken in one request. */
export interface TextSegment extends Span {
  /** `text.slice(start, end)`, without white space around it. */
  readonly text: string;
}

/** Places to cut, best first. A cut comes after the match. */
const seams: readonly RegExp[] = [
  /\n[ \t\r]*\n\s*/g, // paragraph
  /[.!?…]+["'”’»)\]]*\s+|[。！？｡]+["'”’」』）]*|\n+/g, // sentence
  /[,;:–—]["'”’»)\]]*\s+|[、，；：]/g, // clause
  /\s+/g, // word
];

const tag = /\[[^[\]\n]{1,120}\]/g;

/**
 * Cuts a text into pieces of at most `maxLength` UTF-16 units, at the best seam in the second half of each piece:
 * between paragraphs, sentences, clauses, words; only where there is none, between characters. A surrogate pair, a
 * combining mark's base and an audio tag (`[whispers]`) stay whole. White space at the cuts is left out; nothing else
 * is.
 * @throws IbidError INVALID_ARGUMENT for a `maxLength` below 130, which could not hold a tag
 */
export function splitText(text: string, maxLength: number): TextSegment[] {
  wholeOf(maxLength, 'maxLength', 130);
  const segments: TextSegment[] = [];
  let at = 0;
  while (at < text.length) {
    while (at < text.length && /\s/.test(text[at]!)) at++;
    if (at === text.length) break;
    const cut = text.length - at <= maxLength ? text.length : findCut(text, at, maxLength);
    const piece = text.slice(at, cut).trimEnd();
    segments.push({ start: at, end: at + piece.length, text: piece });
    at = cut;
  }
  return segments;
}

function findCut(text: string, start: number, maxLength: number): number {
  const window = text.slice(start, start + maxLength);
  const tags = [...text.slice(start, start + maxLength + 120).matchAll(tag)].map((match) => [
    match.index,
    match.index + match[0].length,
  ]);
  const insideTag = (at: number): boolean => tags.some(([from, to]) => at > from! && at < to!);
  let fallback = 0;
  for (const seam of seams) {
    let best = 0;
    for (const match of window.matchAll(seam)) {
      const at = match.index + match[0].length;
      if (!insideTag(at)) best = at;
    }
    if (best >= maxLength / 2) return start + best;
    fallback = Math.max(fallback, best);
  }
  if (fallback > 0) return start + fallback;
  for (let at = maxLength; at > 0; at--) {
    const low = text.charCodeAt(start + at);
    const splitsPair = (low & 0xfc00) === 0xdc00;
    if (!splitsPair && !insideTag(at) && !/^(?:\p{M}|\u200d)/u.test(text.slice(start + at, start + at + 2))) {
      return start + at;
    }
  }
  return start + maxLength; // thousands of marks on one letter: there is nothing that a cut could spoil
}
