/** Lines of right-to-left scripts: pdf.js gives each piece in reading order, and the pieces as they stand on the page. */

/** A piece of a line; pieces of numbers and Latin words are not `rtl`. */
export interface Piece {
  readonly text: string;
  readonly x: number;
  readonly width: number;
  readonly rtl: boolean;
  /** Whether a blank is drawn beside it. */
  readonly spaceLeft: boolean;
  readonly spaceRight: boolean;
}

const RTL_LETTER = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu;
const LETTER = /\p{L}/gu;

/** Letters that are written from right to left less those of other scripts; 0 where there are none. */
export function leaning(pieces: readonly { readonly text: string }[]): number {
  let sum = 0;
  for (const { text } of pieces) sum += 2 * (text.match(RTL_LETTER)?.length ?? 0) - (text.match(LETTER)?.length ?? 0);
  return sum;
}

export function hasRtlLetters(text: string): boolean {
  return text.search(RTL_LETTER) !== -1;
}

/** Signs beside a number or a Latin word that belong to the line: `.` ends the sentence on the left of `28/02/2026`. */
const NEUTRAL = /[\s()[\]{}«»"'.,:;!?…،؛؟–—-]/u;

/**
 * The pieces of a line in reading order. Neighbouring numbers and Latin words keep their own order; the signs around
 * them are read from right to left.
 * @param pieces from left to right
 */
export function rightToLeft<T extends Piece>(pieces: readonly T[]): T[] {
  const out: T[] = [];
  let group: T[] = [];
  const flush = (): void => {
    const left: T[] = [];
    const right: T[] = [];
    while (group.length > 0) {
      const [signs, rest] = cutSigns(group[0]!, 'left');
      left.push(...signs);
      if (rest) group[0] = rest;
      if (rest) break;
      group.shift();
    }
    while (group.length > 0) {
      const [signs, rest] = cutSigns(group.at(-1)!, 'right');
      right.unshift(...signs);
      if (rest) group[group.length - 1] = rest;
      if (rest) break;
      group.pop();
    }
    out.push(...right.reverse(), ...group, ...left.reverse());
    group = [];
  };
  for (const piece of pieces.toReversed()) {
    if (!piece.rtl) {
      group.unshift(piece);
      continue;
    }
    flush();
    out.push(piece);
  }
  flush();
  return out;
}

/** Cuts the signs at one end off a piece, each a piece that is read from right to left. A minus stays at its number. */
function cutSigns<T extends Piece>(piece: T, end: 'left' | 'right'): [signs: T[], rest: T | undefined] {
  const letters = [...piece.text];
  const each = piece.width / Math.max(piece.text.length, 1);
  const isSign = (at: number): boolean =>
    NEUTRAL.test(letters[at]!) && !(end === 'left' && /[-–—]/u.test(letters[at]!) && /\d/u.test(letters[at + 1] ?? ''));
  let from = 0;
  let to = letters.length;
  if (end === 'left') while (from < to && isSign(from)) from++;
  else while (to > from && isSign(to - 1)) to--;
  const part = (start: number, stop: number, rtl: boolean): T => {
    const text = letters.slice(start, stop).join('');
    const x = piece.x + each * letters.slice(0, start).join('').length;
    const spaceLeft = start === 0 && piece.spaceLeft;
    const spaceRight = stop === letters.length && piece.spaceRight;
    return { ...piece, text, x, width: each * text.length, rtl, spaceLeft, spaceRight };
  };
  const [first, last] = end === 'left' ? [0, from] : [to, letters.length];
  const signs = Array.from({ length: last - first }, (_, i) => part(first + i, first + i + 1, true));
  return [signs, from < to ? part(from, to, false) : undefined];
}

const MIRRORED: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '«': '»',
  '»': '«',
};
const BRACKET = /[()[\]{}«»]/gu;
/** Brackets that open towards a blank, or close after one. */
const ASKEW = /[([{«](?=\s|$)|(?<=[\p{L}\p{N}])[([{«]|(?<=\s|^)[)\]}»]|[)\]}»](?=[\p{L}\p{N}])/gu;

/** Whether a line shows its brackets as they are drawn, `)so(`, and not as they are written. */
export function isMirrored(text: string): boolean {
  const wrong = (line: string): number => line.match(ASKEW)?.length ?? 0;
  return wrong(mirror(text)) < wrong(text);
}

export function mirror(text: string): string {
  return text.replace(BRACKET, (bracket) => MIRRORED[bracket]!);
}
