/**
 * A string grown from many small pieces: joined in groups, so that neither memory nor the final read depends on their
 * number.
 */
export class Pieces {
  #text: string;
  #tail: string[] = [];
  #tailLength = 0;

  constructor(text: string = '') {
    this.#text = text;
  }

  /** In UTF-16 code units. */
  get length(): number {
    return this.#text.length + this.#tailLength;
  }

  add(piece: string): void {
    this.#tailLength += piece.length;
    if (this.#tail.push(piece) === 512) this.#fold();
  }

  #fold(): void {
    this.#text += this.#tail.join('');
    this.#tail = [];
    this.#tailLength = 0;
  }

  toString(): string {
    if (this.#tail.length > 0) this.#fold();
    return this.#text;
  }
}
