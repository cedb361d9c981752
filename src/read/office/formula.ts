/** Formulas of Word and PowerPoint, written in one line: without that, ¾ would be the number 34. */
import { bracketed } from '../markup/mathml.ts';
import { type Attributes, attribute } from '../markup/xml.ts';

interface Part {
  readonly name: string;
  readonly start: number;
  /** Of brackets, as the file says them. */
  begin: string;
  end: string;
}

const PARTS = new Set(['num', 'den', 'sup', 'sub', 'deg', 'd', 'nary', 'rad', 'e']);

/** Follows the elements of a formula, and puts in what its layout says: fractions, powers, indices, roots, brackets. */
export class FormulaReader {
  readonly #open: Part[] = [];

  /** @param qualified element with its prefix; those of formulas have `m` @param text what is written so far */
  open(qualified: string, attributes: Attributes, text: string): void {
    if (!qualified.startsWith('m:')) return;
    const name = qualified.slice(2);
    if (PARTS.has(name)) this.#open.push({ name, start: text.length, begin: '(', end: ')' });
    const part = this.#open.at(-1);
    if (!part) return;
    const value = attribute(attributes, 'val') ?? '';
    if (name === 'naryPr') part.begin = '∫';
    else if (name === 'chr' && part.name === 'nary') part.begin = value;
    else if (name === 'begChr') part.begin = value;
    else if (name === 'endChr') part.end = value;
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
    const inside = text.slice(last.start);
    if (inside.trim() === '') return text;
    if (name === 'd') return before + last.begin + inside + last.end;
    const around = this.#open.at(-1)?.name;
    if (name === 'e' && around === 'rad') return `${before}√${bracketed(inside)}`;
    if (name === 'e' && around === 'nary') return `${before} ${inside}`;
    const sign = { den: '/', sup: '^', sub: '_' }[name];
    return name === 'num' || sign !== undefined ? before + (sign ?? '') + bracketed(inside) : text;
  }
}
