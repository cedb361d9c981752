/** Lists of PowerPoint 97 to 2003: which paragraphs of a text have a bullet, and how deep. @see [MS-PPT] 2.9.44 */
import type { Line } from './slides.ts';

/** Kinds of text that are lists unless the file says otherwise: the body of a slide, whole, halved or quartered. */
const BODIES: ReadonlySet<number> = new Set([1, 7, 8]);
const DEEPEST = 4;
/** In the place of a field of a text. */
export const FIELD = '\0';

interface Run {
  readonly characters: number;
  readonly level: number;
  /** Absent where the file does not say. */
  readonly hasBullet: boolean | undefined;
}

/**
 * The paragraphs of a text, each with its mark and its depth.
 * @param text paragraphs end with a line feed, lines in them with a vertical tab
 * @param style what the file says of its paragraphs; undefined for nothing
 */
export function linesOf(text: string, kind: number, style: Buffer | undefined): Line[] {
  const paragraphs = text.split('\n');
  const runs = style ? runsOf(style, text.length + 1) : [];
  const isList = BODIES.has(kind) && paragraphs.filter((line) => line.trim() !== '').length > 1;
  let at = 0;
  return paragraphs.flatMap((paragraph): Line[] => {
    const run = runAt(runs, at);
    at += paragraph.length + 1;
    const said = paragraph.replaceAll(FIELD, '').replaceAll('\v', '\n').trim();
    return said === '' ? [] : [{ text: said, level: run?.level ?? 0, marker: (run?.hasBullet ?? isList) ? '-' : '' }];
  });
}

function runAt(runs: readonly Run[], offset: number): Run | undefined {
  let end = 0;
  return runs.find(({ characters }) => {
    end += characters;
    return offset < end;
  });
}

/** The fields of a paragraph's style behind its mask: the bits that call for each, and its bytes. */
const FIELDS: readonly (readonly [bits: number, bytes: number])[] = [
  [0x80, 2],
  [0x10, 2],
  [0x40, 2],
  [0x20, 4],
  [0x800, 2],
  [0x1000, 2],
  [0x2000, 2],
  [0x4000, 2],
  [0x100, 2],
  [0x400, 2],
  [0x8000, 2],
];
const BULLET_FLAGS = 0xf;
const TAB_STOPS = 0x100000;
const LAST_FIELDS: readonly number[] = [0x10000, 0xe0000, 0x200000];

/** The runs of paragraphs, up to the end of the text, or to what is cut short. */
function runsOf(style: Buffer, characters: number): Run[] {
  const runs: Run[] = [];
  let left = characters;
  for (let at = 0; left > 0 && at + 10 <= style.length; ) {
    const count = style.readUInt32LE(at);
    const level = Math.min(DEEPEST, style.readUInt16LE(at + 4));
    const mask = style.readUInt32LE(at + 6);
    at += 10;
    let hasBullet: boolean | undefined;
    if ((mask & BULLET_FLAGS) !== 0) {
      if (at + 2 > style.length) break;
      if ((mask & 1) !== 0) hasBullet = (style.readUInt16LE(at) & 1) === 1;
      at += 2;
    }
    for (const [bits, bytes] of FIELDS) if ((mask & bits) !== 0) at += bytes;
    if ((mask & TAB_STOPS) !== 0) {
      if (at + 2 > style.length) break;
      at += 2 + 4 * style.readUInt16LE(at);
    }
    for (const bits of LAST_FIELDS) if ((mask & bits) !== 0) at += 2;
    runs.push({ characters: count, level, hasBullet });
    left -= count;
  }
  return runs;
}
