import { TermNumbers } from '../../text/analysis/analysis.ts';
import { termKey } from './term-table.ts';

/** The keys of the content terms of texts. Each distinct word is analysed and hashed once, until the tables are full. */
export class ContentKeys {
  #terms = new TermNumbers('content');
  #keys: number[] = [];
  #out = new Uint32Array(1024);

  /** In order. @returns a view; the next call overwrites it */
  of(text: string): Uint32Array {
    if (this.#terms.isFull) {
      this.#terms = new TermNumbers('content');
      this.#keys = [];
    }
    const numbers = this.#terms.of(text);
    const { terms } = this.#terms;
    const keys = this.#keys;
    for (let term = keys.length; term < terms.length; term++) keys.push(termKey(terms[term]!));
    if (numbers.length > this.#out.length) this.#out = new Uint32Array(2 * numbers.length);
    for (let i = 0; i < numbers.length; i++) this.#out[i] = keys[numbers[i]!]!;
    return this.#out.subarray(0, numbers.length);
  }
}
