/** A page that begins in a paragraph. */
export interface PageBreak {
  readonly page: number;
  /** Characters of the paragraph behind its beginning. */
  readonly left: number;
}

/** Stands in a text where a page ends; XML cannot hold it. */
export const PAGE_MARK = '\f';

const folded = (text: string): string => text.replace(/[^\S\n]+/gu, ' ').replace(/ ?\n ?/gu, '\n');

/** The text of a paragraph, its blanks folded, and where in it pages begin. */
export function withoutMarks(marked: string, first: number): [text: string, breaks: PageBreak[]] {
  const pieces: string[] = [];
  let last = 0; // of those that are not empty
  for (const [i, part] of marked.split(PAGE_MARK).entries()) {
    const before = pieces[last] ?? '';
    const end = before.at(-1);
    const piece = end === ' ' || end === '\n' ? folded(part).replace(/^ /, '') : folded(part);
    if (end === ' ' && piece.startsWith('\n')) pieces[last] = before.slice(0, -1);
    pieces.push(piece);
    if (piece !== '') last = i;
  }
  const whole = pieces.join('').trimEnd();
  let at = 0;
  const breaks = pieces.slice(0, -1).map((piece, i) => {
    at += piece.length;
    return { page: first + i + 1, left: Math.max(0, whole.length - at) };
  });
  return [whole.trimStart(), breaks];
}
