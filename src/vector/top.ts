/**
 * The `limit` best of a stream of (ordinal, score): higher score first, then lower ordinal. A binary heap with the
 * worst entry at the root.
 */
export class TopScores {
  readonly #limit: number;
  readonly #ordinals: Uint32Array;
  readonly #scores: Float64Array;
  #count = 0;
  /** A score at or below this value cannot enter, except an equal score with a lower ordinal than the worst entry. */
  bar: number = -Infinity;

  constructor(limit: number) {
    this.#limit = limit;
    this.#ordinals = new Uint32Array(limit);
    this.#scores = new Float64Array(limit);
  }

  add(ordinal: number, score: number): void {
    if (this.#count < this.#limit) {
      this.#rise(this.#count++, ordinal, score);
      if (this.#count === this.#limit) this.bar = this.#scores[0]!;
    } else if (this.#limit > 0 && worse(this.#ordinals[0]!, this.#scores[0]!, ordinal, score)) {
      this.#sink(ordinal, score);
      this.bar = this.#scores[0]!;
    }
  }

  finish(): { ordinals: Uint32Array; scores: Float64Array } {
    const order = Array.from({ length: this.#count }, (_, i) => i).sort(
      (a, b) => this.#scores[b]! - this.#scores[a]! || this.#ordinals[a]! - this.#ordinals[b]!,
    );
    return {
      ordinals: Uint32Array.from(order, (i) => this.#ordinals[i]!),
      scores: Float64Array.from(order, (i) => this.#scores[i]!),
    };
  }

  #put(at: number, ordinal: number, score: number): void {
    this.#ordinals[at] = ordinal;
    this.#scores[at] = score;
  }

  #rise(from: number, ordinal: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!worse(ordinal, score, this.#ordinals[parent]!, this.#scores[parent]!)) break;
      this.#put(at, this.#ordinals[parent]!, this.#scores[parent]!);
      at = parent;
    }
    this.#put(at, ordinal, score);
  }

  #sink(ordinal: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#count) break;
      const right = child + 1;
      if (
        right < this.#count &&
        worse(this.#ordinals[right]!, this.#scores[right]!, this.#ordinals[child]!, this.#scores[child]!)
      ) {
        child = right;
      }
      if (!worse(this.#ordinals[child]!, this.#scores[child]!, ordinal, score)) break;
      this.#put(at, this.#ordinals[child]!, this.#scores[child]!);
      at = child;
    }
    this.#put(at, ordinal, score);
  }
}

/** True when (ordinal, score) ranks after (otherOrdinal, otherScore). */
function worse(ordinal: number, score: number, otherOrdinal: number, otherScore: number): boolean {
  return score < otherScore || (score === otherScore && ordinal > otherOrdinal);
}
