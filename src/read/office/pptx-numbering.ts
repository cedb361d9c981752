/** The bullets of PowerPoint, and the numbers that it prints before paragraphs: their text does not hold them. */
import { type Attributes, attribute } from '../markup/xml.ts';
import { formatNumber } from './docx-numbering.ts';

/** How a list is numbered; `none` and `bullet` stand before no number. */
type Bullet = { readonly type: string; readonly start: number } | 'none' | 'bullet';

const FORMATS: readonly (readonly [prefix: string, format: string])[] = [
  ['alphaLc', 'lowerLetter'],
  ['alphaUc', 'upperLetter'],
  ['romanLc', 'lowerRoman'],
  ['romanUc', 'upperRoman'],
];

/** Counts the paragraphs of one text. */
export class ListNumbers {
  /** By level: the list that is open, and its last number. */
  #open: ({ readonly key: string; count: number } | undefined)[] = [];
  /** What the style of the text says for a level. */
  readonly #styles = new Map<number, Bullet>();
  #styleLevel: number | undefined;
  #own: Bullet | undefined;

  /** Takes what the file says about bullets; other elements are no matter. */
  open(name: string, attributes: Attributes): void {
    const level = /^lvl([1-9])pPr$/u.exec(name)?.[1];
    if (level !== undefined) this.#styleLevel = Number(level) - 1;
    else if (name === 'p') {
      this.#own = undefined;
      this.#styleLevel = undefined;
    }
    const bullet = bulletOf(name, attributes);
    if (bullet === undefined) return;
    if (this.#styleLevel === undefined) this.#own = bullet;
    else this.#styles.set(this.#styleLevel, bullet);
  }

  /** The marker of the paragraph that ends, which is not empty: `2.`, `-`, '' for none; undefined if nothing is said. */
  next(level: number): string | undefined {
    const bullet = this.#own ?? this.#styles.get(level);
    if (typeof bullet !== 'object') {
      this.#open.length = Math.min(this.#open.length, level);
      return bullet === undefined ? undefined : bullet === 'none' ? '' : '-';
    }
    this.#open.length = Math.min(this.#open.length, level + 1);
    const key = `${bullet.type} ${bullet.start}`;
    const before = this.#open[level];
    const count = before?.key === key ? before.count + 1 : bullet.start;
    this.#open[level] = { key, count };
    return written(count, bullet.type);
  }
}

function bulletOf(name: string, attributes: Attributes): Bullet | undefined {
  if (name === 'buNone') return 'none';
  if (name === 'buChar' || name === 'buBlip') return 'bullet';
  if (name !== 'buAutoNum') return undefined;
  const start = Number(attribute(attributes, 'startAt') ?? 1);
  return {
    type: attribute(attributes, 'type') ?? 'arabicPeriod',
    start: Number.isInteger(start) && start > 0 ? start : 1,
  };
}

/** Numbers in other scripts, and those in circles, are written in digits. */
function written(count: number, type: string): string {
  const number = formatNumber(count, FORMATS.find(([prefix]) => type.startsWith(prefix))?.[1] ?? 'decimal');
  if (type.endsWith('ParenBoth')) return `(${number})`;
  if (type.endsWith('ParenR')) return `${number})`;
  return type.endsWith('Period') ? `${number}.` : number;
}
