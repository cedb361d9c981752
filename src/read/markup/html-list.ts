import { formatNumber } from '../office/docx-numbering.ts';
import type { HtmlElement } from './html-tree.ts';

/** Values of the style `list-style-type` → those of the attribute `type`. */
const STYLES: Readonly<Record<string, string>> = {
  'lower-alpha': 'a',
  'lower-latin': 'a',
  'upper-alpha': 'A',
  'upper-latin': 'A',
  'lower-roman': 'i',
  'upper-roman': 'I',
};

/** A list while it is written: what stands before each item, as the page shows it. */
export class HtmlList {
  readonly #ordered: boolean;
  readonly #step: 1 | -1;
  readonly #type: string;
  readonly #hasTasks: boolean;
  #next: number;

  constructor({ tag, attributes, children }: HtmlElement) {
    this.#ordered = tag === 'ol';
    this.#step = attributes.reversed === undefined ? 1 : -1;
    const style = /list-style(?:-type)?\s*:\s*([a-z]+-[a-z]+)/i.exec(attributes.style ?? '')?.[1]?.toLowerCase();
    this.#type = STYLES[style ?? ''] ?? attributes.type ?? '1';
    this.#hasTasks = /(?:^|\s)inline-task-list(?:\s|$)/.test(attributes.class ?? ''); // of Confluence
    const items = children.filter((child) => typeof child !== 'string' && child.tag === 'li').length;
    this.#next = numberOf(attributes.start) ?? (this.#step === 1 ? 1 : items);
  }

  marker({ attributes }: HtmlElement): string {
    if (this.#hasTasks) return /(?:^|\s)checked(?:\s|$)/.test(attributes.class ?? '') ? '- ☒ ' : '- ☐ ';
    if (!this.#ordered) return '- ';
    const number = numberOf(attributes.value) ?? this.#next;
    this.#next = number + this.#step;
    return `${countedAs(number, this.#type)}. `;
  }
}

function numberOf(value: string | undefined): number | undefined {
  const number = Number.parseInt(value ?? '', 10);
  return Number.isSafeInteger(number) ? number : undefined;
}

function countedAs(number: number, type: string): string {
  if (number < 1 || number > 3999 || !/^[aAiI]$/.test(type)) return String(number);
  const text = /i/i.test(type) ? formatNumber(number, 'lowerRoman') : letters(number);
  return type === type.toUpperCase() ? text.toUpperCase() : text;
}

function letters(number: number): string {
  let text = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26))
    text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
  return text;
}
