/**
 * Pages that are a picture with a stamp over it: a number of a court file, a line of a fax, the name of a program. Their
 * text is in the picture.
 */
import { getResolvedPDFJS } from 'unpdf';
import type { ReadScan } from '../ocr/contract.ts';
import type { Operators } from './glyphs.ts';
import { type Matrix, times } from './matrix.ts';
import type { DrawnText } from './runs.ts';

/** More text is no stamp, in characters. */
const MOST_CHARACTERS = 300;
/** A stamp stands at an edge of the page, within this share of its sides. */
const EDGE = 0.12;
/** Share of the page that the pictures cover. */
const LEAST_COVERED = 0.6;
/** Letters and digits of a line that is known. */
const SHORTEST = 4;
/** Operators that draw nothing: they set how, or mark what is drawn. */
const SETTING =
  /^(?:set|begin(?:Marked|Compat)|end(?:Marked|Compat)|mark|dependency|clip|eoClip|endPath|beginText|endText)/u;

/** Whether all text of a page may be a stamp. @param box [x0, y0, x1, y1] in user space */
export function mayBeStamped(
  items: readonly DrawnText[],
  [x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[],
): boolean {
  const drawn = items.filter(({ str }) => str.trim() !== '');
  const characters = drawn.reduce((sum, { str }) => sum + str.length, 0);
  if (characters === 0 || characters > MOST_CHARACTERS) return false;
  return drawn.every(({ transform: [, , , , x = 0, y = 0] }) => {
    const [across, up] = [(x - x0) / (x1 - x0), (y - y0) / (y1 - y0)];
    return Math.min(up, 1 - up) < EDGE || Math.min(across, 1 - across) < EDGE / 2;
  });
}

/**
 * Whether pictures cover the page. pdf.js leaves out pictures here, so a picture is a place of a size where nothing is
 * drawn.
 */
export async function isPictured(
  operators: Operators,
  [x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[],
): Promise<boolean> {
  let covered = 0;
  try {
    const { OPS } = await getResolvedPDFJS();
    const { fnArray, argsArray } = await operators();
    const names = new Map(Object.entries(OPS).map(([name, code]) => [code as number, name]));
    const saved: Matrix[] = [];
    let matrix: Matrix = [1, 0, 0, 1, 0, 0];
    let isEmpty = true;
    const close = (): void => {
      const [a, b, c, d, e, f] = matrix;
      const [xs, ys] = [
        [e, e + a, e + c, e + a + c],
        [f, f + b, f + d, f + b + d],
      ];
      const width = Math.min(x1, Math.max(...xs)) - Math.max(x0, Math.min(...xs));
      const height = Math.min(y1, Math.max(...ys)) - Math.max(y0, Math.min(...ys));
      if (isEmpty && width > 0 && height > 0) covered += width * height;
      isEmpty = false;
    };
    for (const [i, operator] of fnArray.entries()) {
      const args: unknown = argsArray[i];
      if (operator === OPS.save || operator === OPS.paintFormXObjectBegin) {
        saved.push(matrix);
        isEmpty = false;
        if (operator === OPS.paintFormXObjectBegin) matrix = times(matrix, Array.isArray(args) ? args[0] : undefined);
      } else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) {
        close();
        matrix = saved.pop() ?? matrix;
      } else if (operator === OPS.transform) {
        matrix = times(matrix, args);
        isEmpty = true;
      } else if (!SETTING.test(names.get(operator) ?? '')) isEmpty = false;
    }
    close();
  } catch {
    return false; // the text is known all the same
  }
  return covered >= LEAST_COVERED * (x1 - x0) * (y1 - y0);
}

/** What OCR read besides the page's own text, which it sees too. Shorter lines may be in it by chance. */
export function besides(reading: ReadScan, own: string): ReadScan {
  const known = lettersOf(own);
  const isKnown = (letters: string): boolean => letters.length >= SHORTEST && known.includes(letters);
  const pages = reading.pages.map(({ paragraphs }) => ({
    paragraphs: paragraphs
      .map((lines) => lines.filter(({ text }) => !isKnown(lettersOf(text))))
      .filter(({ length }) => length > 0),
  }));
  return { ...reading, pages };
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
