import { known } from '../../core/known.ts';
/** The bullets and numbers of OpenDocument's slides: they count paragraphs on, whichever lists of the file they are in. */
import { type Attributes, attribute } from '../markup/xml.ts';
import { formatNumber } from './docx-numbering.ts';
import { FORMATS, LEVELS } from './odt-numbering.ts';

/** A number; without a format it is a bullet, with '' it is nothing. */
interface Level {
  readonly format: string | undefined;
  readonly prefix: string;
  readonly suffix: string;
  readonly start: number;
}

export class OdpNumbering {
  readonly #styles = new Map<string, Map<number, Level>>();
  #reading: Map<number, Level> | undefined;
  /** Of the lists that are open, the outermost first; an inner one has the style of the outer. */
  #lists: (string | undefined)[] = [];
  #starts = false;
  /** By depth: how the last paragraph was numbered. */
  #counts: ({ readonly key: string; count: number } | undefined)[] = [];

  /** Takes an element of the styles. */
  readStyle(name: string, attributes: Attributes): void {
    const said = (key: string): string => attribute(attributes, key) ?? '';
    if (name === 'list-style') {
      this.#reading = new Map();
      this.#styles.set(said('name'), this.#reading);
    } else if (LEVELS.test(name) || name === 'list-level-style-bullet') {
      const format = said('num-format');
      this.#reading?.set(Number(said('level')), {
        format: name.endsWith('bullet') ? undefined : (known(FORMATS, format) ?? 'decimal'),
        prefix: said('num-prefix'),
        suffix: said('num-suffix'),
        start: Number.parseInt(said('start-value') || '1', 10) || 1,
      });
    }
  }

  beginShape(): void {
    this.#lists = [];
    this.#counts = [];
    this.#starts = false;
  }

  /** Takes an element of a shape; others are no matter. */
  open(name: string, attributes: Attributes): void {
    if (name === 'list') this.#lists.push(attribute(attributes, 'style-name') ?? this.#lists.at(-1));
    else if (name === 'list-item') this.#starts = true;
    else if (name === 'list-header') this.#starts = false;
  }

  close(name: string): void {
    if (name === 'list') this.#lists.pop();
  }

  /** The mark of a paragraph that is not empty: `2.`, `-`, '' for none; undefined if the file says nothing. */
  next(): string | undefined {
    const depth = this.#lists.length;
    const level = this.#styles.get(this.#lists.at(-1) ?? '')?.get(depth);
    const begins = this.#starts;
    this.#starts = false;
    if (depth === 0 || !begins) {
      this.#counts.length = Math.min(this.#counts.length, depth);
      return depth === 0 ? undefined : '';
    }
    if (!level?.format) {
      this.#counts.length = Math.min(this.#counts.length, depth);
      return level?.format === '' ? '' : level && '-';
    }
    const { format, prefix, suffix, start } = level;
    this.#counts.length = Math.min(this.#counts.length, depth + 1);
    const key = [format, prefix, suffix, start].join(' ');
    const before = this.#counts[depth];
    const count = before?.key === key ? before.count + 1 : start;
    this.#counts[depth] = { key, count };
    return `${prefix}${formatNumber(count, format)}${suffix}`.trim();
  }
}
