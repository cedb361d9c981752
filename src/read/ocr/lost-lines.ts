/** Parts of a page that tesseract takes for pictures, as it does with a framed table of few dots. */
import type { ReadLine, ReadPage } from './contract.ts';

/** Height of a gap between two lines, in usual heights of lines. */
const LEAST_GAP = 4;
/** Lines of a second reading below this confidence may be grain of a picture. */
const LEAST_SURE = 0.75;

type Gap = readonly [top: number, bottom: number];

/** Whether between two lines of the page there is something that was not read. */
export function mayLackLines(page: ReadPage): boolean {
  return gapsOf(page).length > 0;
}

/** The page with the sure lines that a reading line by line has in such places. */
export function withLostLines(page: ReadPage, byLine: ReadPage): ReadPage {
  const paragraphs = [...page.paragraphs];
  for (const [top, bottom] of gapsOf(page)) {
    const found = byLine.paragraphs
      .map((lines) => lines.filter((line) => middle(line) > top && middle(line) < bottom))
      .filter((lines) => lines.length > 0 && lines.every(isSure));
    const at = paragraphs.findIndex(([first]) => first !== undefined && first.region[1] >= bottom);
    if (found.length > 0) paragraphs.splice(at < 0 ? paragraphs.length : at, 0, ...found);
  }
  return { ...page, paragraphs };
}

/** Gaps of a page of one column with something in it that has no words. */
function gapsOf({ paragraphs, pictures = [] }: ReadPage): Gap[] {
  if (pictures.length === 0) return [];
  const lines = paragraphs.flat().toSorted((a, b) => a.region[1] - b.region[1]);
  const heights = lines.map(({ region: [, top, , bottom] }) => bottom - top).sort((a, b) => a - b);
  const height = heights[Math.floor(heights.length / 2)] ?? 0;
  const gaps: Gap[] = [];
  let end = Number.POSITIVE_INFINITY;
  for (const { region } of lines) {
    const [, top, , bottom] = region;
    if (top - end > LEAST_GAP * height && pictures.some((at) => at > end && at < top)) gaps.push([end, top]);
    end = end === Number.POSITIVE_INFINITY ? bottom : Math.max(end, bottom);
  }
  return gaps;
}

function middle({ region: [, top, , bottom] }: ReadLine): number {
  return (top + bottom) / 2;
}

function isSure({ text, confidence }: ReadLine): boolean {
  return confidence >= LEAST_SURE && /[\p{L}\p{N}]/u.test(text);
}
