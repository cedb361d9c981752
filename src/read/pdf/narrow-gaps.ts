/** Gaps between the drawn pieces of a line: which part words, and which part cells though they are narrow. */
import { isMarker, isNumeric } from './cells.ts';

interface Piece {
  readonly text: string;
  readonly x: number;
  readonly width: number;
  readonly size: number;
  readonly lineY: number;
  readonly face: { readonly mono: boolean };
}

export const WORD_GAP = 0.14;
/** Between cells of a column that begins at one place in several lines, in font sizes: Word leaves 0.9 at 12 points. */
const COLUMN_GAP = 0.6;
const SAME_EDGE = 0.7;
/** Lines above and below that are looked at, and how many of them begin the column there. */
const NEAR_LINES = 5;
const FEWEST_LINES = 2;
/** From line to line, in font sizes. */
const FARTHEST = 4;

/**
 * Of each line, where pieces begin that stand below or above the beginnings of several others, behind a gap in each, and
 * most of them behind numbers: those stand at the right edge of their column.
 */
export function columnEdges(lines: readonly (readonly Piece[])[]): Set<number>[] {
  const behindGaps = lines.map(piecesBehindGaps);
  return behindGaps.map((own, at) => {
    const found = new Set<number>();
    for (const { piece, isBehindNumber } of own) {
      const near = behindGaps.flatMap((others, i) => {
        const isNear = i !== at && Math.abs(i - at) <= NEAR_LINES;
        const reach = FARTHEST * Math.abs(i - at) * piece.size;
        return isNear ? others.filter((other) => isBelow(piece, other.piece, reach)) : [];
      });
      const numbers = near.filter((other) => other.isBehindNumber).length + (isBehindNumber ? 1 : 0);
      if (near.length >= FEWEST_LINES && numbers >= FEWEST_LINES && 2 * numbers > near.length) found.add(piece.x);
    }
    return found;
  });
}

function isBelow({ x, lineY }: Piece, other: Piece, reach: number): boolean {
  return Math.abs(other.x - x) < SAME_EDGE && Math.abs(other.lineY - lineY) < reach;
}

interface Behind {
  readonly piece: Piece;
  readonly isBehindNumber: boolean;
}

/** Pieces behind a gap that is wider than those of words; the text behind the mark of an item is one with it. */
function piecesBehindGaps(line: readonly Piece[]): Behind[] {
  const gaps = line.slice(1).map(({ x, size }, i) => (x - line[i]!.x - line[i]!.width) / size);
  const words = gaps.filter((gap) => gap > WORD_GAP && gap <= COLUMN_GAP).sort((a, b) => a - b);
  const least = Math.max(COLUMN_GAP, 1.5 * (words[Math.floor(words.length / 2)] ?? 0));
  return line.flatMap((piece, i) => {
    const before = line[i - 1]?.text.trim() ?? '';
    const isItem = isMarker(before) && (i === 1 || !isNumeric(before));
    if (i === 0 || isItem || piece.face.mono || gaps[i - 1]! <= least) return []; // a blank of fixed pitch is as wide
    return [{ piece, isBehindNumber: isNumeric(before) }];
  });
}

/** Two numbers next to each other are two cells, at half the distance that words need. */
export function columnOfNumbers(a: Piece, b: Piece): boolean {
  return /[\d)%—–]$/u.test(a.text) && /^[$€£(]?[\d—–]/u.test(b.text);
}

/** Factor by which the word gaps of a justified line exceed the usual: even gaps, mostly letters. */
export function stretch(runs: readonly Piece[]): number {
  const gaps: number[] = [];
  for (let i = 1; i < runs.length; i++) {
    const gap = (runs[i]!.x - runs[i - 1]!.x - runs[i - 1]!.width) / runs[i]!.size;
    if (gap > WORD_GAP) gaps.push(gap);
  }
  // Only for text drawn word by word: longer runs next to each other are columns, with gaps just as even.
  const words = runs.reduce((sum, run) => sum + run.text.split(' ').length, 0);
  if (gaps.length < 4 || words > 1.6 * runs.length) return 1;
  gaps.sort((a, b) => a - b);
  const widest = gaps.at(-1)!;
  const even = widest < 1.5 && widest < 1.6 * gaps[0]!;
  const letters = runs.filter((run) => /^\p{L}/u.test(run.text)).length;
  return even && letters > 0.8 * runs.length ? 1.7 : 1;
}
