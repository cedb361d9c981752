import { TermNumbers } from '../../text/analysis/analysis.ts';

/**
 * A number for each content term of a text: its key, or its number in a model. Each distinct word is analysed once and
 * each distinct term looked up once, until the tables are full and begin anew.
 */
export class TermValues {
  readonly #numberOf: (term: string) => number;
  #terms = new TermNumbers('content');
  #values: number[] = [];
  #out = new Uint32Array(1024);

  constructor(numberOf: (term: string) => number) {
    this.#numberOf = numberOf;
  }

  /** In order. @returns a view; the next call overwrites it */
  of(text: string): Uint32Array {
    if (this.#terms.isFull) {
      this.#terms = new TermNumbers('content');
      this.#values = [];
    }
    const numbers = this.#terms.of(text);
    const { terms } = this.#terms;
    const values = this.#values;
    for (let term = values.length; term < terms.length; term++) values.push(this.#numberOf(terms[term]!));
    if (numbers.length > this.#out.length) this.#out = new Uint32Array(2 * numbers.length);
    for (let i = 0; i < numbers.length; i++) this.#out[i] = values[numbers[i]!]!;
    return this.#out.subarray(0, numbers.length);
  }
}
