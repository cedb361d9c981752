import { known } from '../../core/known.ts';
/** The numbers that OpenDocument shows before items of lists and headings. The text of the document does not hold them. */
import { type Attributes, attribute } from '../markup/xml.ts';
import { formatNumber, nested } from './docx-numbering.ts';

interface Level {
  /** As `formatNumber` calls it; '' shows no number. */
  readonly format: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly start: number;
  /** Numbers of how many levels are shown: 2 for `3.1`. */
  readonly shown: number;
}

interface ParagraphStyle {
  readonly parent: string;
  /** '' says that no list numbers it; undefined says nothing. */
  readonly list: string | undefined;
  readonly isOutline: boolean;
}

/** The last number of each level; fewer than 11, as a level is at most 10. */
type Counts = number[];

export const FORMATS: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
  '': '',
};
export const LEVELS: RegExp = /^(?:list|outline)-level-style(?:-number)?$/u;
const MAX_LEVEL = 10;
const MAX_PARENTS = 20;

export class OdtNumbering {
  readonly #lists = new Map<string, Map<number, Level>>();
  readonly #outline = new Map<number, Level>();
  readonly #paragraphs = new Map<string, ParagraphStyle>();
  readonly #headings: Counts = [];
  readonly #open: { readonly style: string; readonly counts: Counts }[] = [];
  readonly #byId = new Map<string, Counts>();
  readonly #byStyle = new Map<string, Counts>();
  #reading: Map<number, Level> | undefined;
  #start: number | undefined;
  #isItemStart = false;

  /** Takes an element of the styles, of which a file has some in each of its parts. */
  readStyle(name: string, attributes: Attributes): void {
    const said = (key: string): string => attribute(attributes, key) ?? '';
    if (name === 'style' && said('family') === 'paragraph') {
      this.#paragraphs.set(said('name'), {
        parent: said('parent-style-name'),
        list: attribute(attributes, 'list-style-name'),
        isOutline: said('default-outline-level') !== '',
      });
    } else if (name === 'outline-style') this.#reading = this.#outline;
    else if (name === 'list-style') {
      this.#reading = new Map();
      this.#lists.set(said('name'), this.#reading);
    } else if (LEVELS.test(name)) {
      const format = said('num-format');
      this.#reading?.set(Number(said('level')), {
        format: known(FORMATS, format) ?? 'decimal',
        prefix: said('num-prefix'),
        suffix: said('num-suffix'),
        start: numberOf(attributes, 'start-value') ?? 1,
        shown: numberOf(attributes, 'display-levels') ?? 1,
      });
    }
  }

  /** Whether the reader is inside a list. */
  get inList(): boolean {
    return this.#open.length > 0;
  }

  openList(attributes: Attributes): void {
    const outer = this.#open.at(-1);
    const style = attribute(attributes, 'style-name') ?? outer?.style ?? '';
    const counts = outer?.counts ?? this.#continued(attributes, style) ?? [];
    this.#open.push({ style, counts });
    if (outer) return;
    this.#byStyle.set(style, counts);
    const id = attribute(attributes, 'id');
    if (id !== undefined) this.#byId.set(id, counts);
  }

  /** The numbers of the list that a list says it goes on with. */
  #continued(attributes: Attributes, style: string): Counts | undefined {
    const list = attribute(attributes, 'continue-list');
    if (list !== undefined) return this.#byId.get(list);
    return attribute(attributes, 'continue-numbering') === 'true' ? this.#byStyle.get(style) : undefined;
  }

  closeList(): void {
    this.#open.pop();
    this.#isItemStart = false;
  }

  openItem(attributes: Attributes): void {
    this.#isItemStart = true;
    this.#start = numberOf(attributes, 'start-value');
  }

  /**
   * @returns what stands before a paragraph in a list: a number, `-` for a bullet, further right in an inner list; '' if
   * it does not begin an item
   */
  next(): string {
    const list = this.#open.at(-1);
    if (!list || !this.#isItemStart) return '';
    this.#isItemStart = false;
    const depth = this.#open.length;
    const marker = count(this.#lists.get(list.style), list.counts, depth, this.#start) || '-';
    return nested(marker, depth - 1) + marker;
  }

  /** @returns the number of a heading; '' without one */
  nextHeading(level: number, attributes: Attributes): string {
    if (attribute(attributes, 'is-list-header') === 'true') return '';
    if (this.inList) return this.next().trim().replace(/^-$/u, '');
    if (!this.#isNumbered(attribute(attributes, 'style-name'))) return '';
    return count(this.#outline, this.#headings, level, numberOf(attributes, 'start-value'));
  }

  /** Whether the numbers of the outline are those of a style. */
  #isNumbered(name: string | undefined): boolean {
    if (name === undefined) return true;
    for (let i = 0, next = name; i < MAX_PARENTS; i++) {
      const style = this.#paragraphs.get(next);
      if (style?.list !== undefined) return false;
      if (!style || style.isOutline) return style !== undefined;
      next = style.parent;
    }
    return false;
  }
}

/** Counts one more on a level, which begins those below it anew. @returns how the level shows it */
function count(levels: ReadonlyMap<number, Level> | undefined, counts: Counts, at: number, start?: number): string {
  const own = levels?.get(at);
  if (!own || at > MAX_LEVEL) return '';
  const first = (level: number): number => levels?.get(level)?.start ?? 1;
  counts[at] = start ?? (counts[at] === undefined ? first(at) : counts[at] + 1);
  counts.length = at + 1;
  if (own.format === '') return '';
  const numbers: string[] = [];
  for (let level = Math.max(1, at - own.shown + 1); level <= at; level++) {
    const format = levels?.get(level)?.format ?? '';
    if (format !== '') numbers.push(formatNumber(counts[level] ?? first(level), format));
  }
  return `${own.prefix}${numbers.join('.')}${own.suffix}`.trim();
}

function numberOf(attributes: Attributes, name: string): number | undefined {
  const value = Number.parseInt(attribute(attributes, name) ?? '', 10);
  return Number.isNaN(value) ? undefined : value;
}
