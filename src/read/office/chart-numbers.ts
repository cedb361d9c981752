/** The numbers that a chart keeps of its cells, as their number format shows them. */
import { type Attributes, attribute } from '../markup/xml.ts';
import { CellFormats } from './xlsx-values.ts';

/** Takes all elements of a chart. */
export class ChartNumbers {
  readonly #formats = new Map<string, CellFormats>();
  /** The format of the numbers that are open; undefined outside of numbers. */
  #code: string | undefined;
  /** The format of the current point, where it has one of its own. */
  #own: string | undefined;
  #inCode = false;
  #from1904 = false;

  open(name: string, attributes: Attributes): void {
    if (name === 'date1904') this.#from1904 = !/^(?:0|false)$/u.test(attribute(attributes, 'val') ?? '1');
    else if (name === 'numCache' || name === 'numLit') this.#code = '';
    else if (name === 'pt') this.#own = attribute(attributes, 'formatCode');
    this.#inCode = name === 'formatCode';
  }

  text(text: string): void {
    if (this.#inCode && this.#code !== undefined) this.#code += text;
  }

  close(name: string): void {
    this.#inCode = false;
    if (name === 'numCache' || name === 'numLit') this.#code = undefined;
  }

  /** @param value of a point @returns it as it is, where it is no number of a cell */
  show(value: string): string {
    if (this.#code === undefined) return value;
    const code = this.#own ?? this.#code;
    let formats = this.#formats.get(code);
    if (!formats) {
      formats = new CellFormats();
      formats.addCode(0, code);
      formats.addStyle(0);
      this.#formats.set(code, formats);
    }
    return formats.show(value, 0, this.#from1904);
  }
}
