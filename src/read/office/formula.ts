/** Formulas of Word and PowerPoint, written in one line: without that, ¾ would be the number 34. */
import { known } from '../../core/known.ts';
import { bracketed } from '../markup/mathml.ts';
import { type Attributes, attribute } from '../markup/xml.ts';

interface Part {
  readonly name: string;
  readonly start: number;
  /** Of brackets, as the file says them. */
  begin: string;
  end: string;
  /** What parts them, where brackets hold several. */
  between: string;
  /** Where the parts inside begin. */
  readonly starts: number[];
}

const PARTS = new Set(
  ['num', 'den', 'sup', 'sub', 'deg', 'd', 'nary', 'rad', 'e'].concat(['func', 'lim', 'limUpp', 'm', 'mr', 'eqArr']),
);
/** What parts the cells of a row, the rows of a matrix, and equations below each other. */
const BETWEEN: Readonly<Record<string, string>> = { mr: ', ', m: '; ', eqArr: '; ', d: '|' };

/** Follows the elements of a formula, and puts in what its layout says: fractions, powers, indices, roots, brackets. */
export class FormulaReader {
  readonly #open: Part[] = [];

  /** @param qualified element with its prefix; those of formulas have `m` @param text what is written so far */
  open(qualified: string, attributes: Attributes, text: string): void {
    if (!qualified.startsWith('m:')) return;
    const name = qualified.slice(2);
    if (PARTS.has(name)) {
      const around = this.#open.at(-1);
      if (name === 'e' || name === 'mr') around?.starts.push(text.length);
      const between = known(BETWEEN, name) ?? '';
      this.#open.push({ name, start: text.length, begin: '(', end: ')', between, starts: [] });
    }
    const part = this.#open.at(-1);
    if (!part) return;
    const value = attribute(attributes, 'val') ?? '';
    if (name === 'naryPr') part.begin = '∫';
    else if (name === 'chr' && part.name === 'nary') part.begin = value;
    else if (name === 'begChr') part.begin = value;
    else if (name === 'endChr') part.end = value;
    else if (name === 'sepChr') part.between = value;
  }

  /** @returns the text with what the element that ends adds to it */
  close(qualified: string, text: string): string {
    if (this.#open.length === 0 || !qualified.startsWith('m:')) return text;
    const name = qualified.slice(2);
    const last = this.#open.at(-1)!;
    if (name === 'naryPr' && last.name === 'nary') return text + last.begin;
    if (name !== last.name) return text;
    this.#open.pop();
    const before = text.slice(0, last.start);
    const inside = last.between === '' ? text.slice(last.start) : parted(text, last);
    if (inside.trim() === '') return text;
    if (name === 'd') return before + last.begin + inside + last.end;
    if (last.between !== '') return before + inside;
    const around = this.#open.at(-1)?.name;
    if (name === 'e' && around === 'rad') return `${before}√${bracketed(inside)}`;
    if (name === 'e' && (around === 'nary' || around === 'func')) return `${before} ${inside}`;
    const sign = { den: '/', sup: '^', sub: '_', lim: around === 'limUpp' ? '^' : '_' }[name];
    return name === 'num' || sign !== undefined ? before + (sign ?? '') + bracketed(inside) : text;
  }
}

/** What a part holds, with its own parts told apart. */
function parted(text: string, { start, between, starts }: Part): string {
  if (starts.length < 2) return text.slice(start);
  const pieces = starts.map((from, i) => text.slice(from, starts[i + 1]));
  return text.slice(start, starts[0]) + pieces.join(between);
}
