/** Regions of a picture as it is seen: a camera stores it as it was held, and says how it is turned. */
import type { Recognition } from '../../core/types.ts';
import type { ReadPage } from '../ocr/contract.ts';

type Region = Recognition['region'];

/** Places as stored → as seen, by the tag Orientation. @see CIPA DC-008 (Exif 2.32), 4.6.4 */
const seen: Readonly<Record<number, (region: Region) => Region>> = {
  2: ([x0, y0, x1, y1]) => [1 - x1, y0, 1 - x0, y1],
  3: ([x0, y0, x1, y1]) => [1 - x1, 1 - y1, 1 - x0, 1 - y0],
  4: ([x0, y0, x1, y1]) => [x0, 1 - y1, x1, 1 - y0],
  5: ([x0, y0, x1, y1]) => [y0, x0, y1, x1],
  6: ([x0, y0, x1, y1]) => [1 - y1, x0, 1 - y0, x1],
  7: ([x0, y0, x1, y1]) => [1 - y1, 1 - x1, 1 - y0, 1 - x0],
  8: ([x0, y0, x1, y1]) => [y0, 1 - x1, y1, 1 - x0],
};

export function asSeen(page: ReadPage, orientation: number): ReadPage {
  const turn = seen[orientation];
  if (turn === undefined) return page;
  const round = (region: Region): Region => {
    const [x0, y0, x1, y1] = region.map((share) => Math.round(share * 1000) / 1000) as [number, number, number, number];
    return [x0, y0, x1, y1];
  };
  const paragraphs = page.paragraphs.map((lines) =>
    lines.map((line) => ({ ...line, region: round(turn(line.region)) })),
  );
  return { paragraphs };
}
