import type { CandidatesReply, CandidatesRequest } from './contract.ts';

/**
 * The best scores of the shards that were asked so far. With them the next shard leaves out what would not be among the
 * best of all: most of its rows, which it would have to score to find its own best.
 */
export class BestSoFar {
  readonly #body: BestScores;
  readonly #window: BestScores;
  readonly #cosines: BestScores;

  constructor({ body, window, dense }: CandidatesRequest['counts']) {
    this.#body = new BestScores(body);
    this.#window = new BestScores(window);
    this.#cosines = new BestScores(dense);
  }

  /** What a row needs to be among the best; 0 while too few are known. */
  get least(): { readonly body: number; readonly window: number; readonly cosine: number | undefined } {
    const cosine = this.#cosines.least;
    return { body: this.#body.least, window: this.#window.least, cosine: cosine > 0 ? cosine : undefined };
  }

  add({ lists, features, near }: Pick<CandidatesReply, 'lists' | 'features' | 'near'>): void {
    this.#body.add(Float64Array.from(lists[0]!, (place) => features.body[place]!));
    this.#window.add(Float64Array.from(lists[1]!, (place) => features.window[place]!));
    this.#cosines.add(Float64Array.from(near.cosines));
  }
}

/** The greatest of some scores. */
class BestScores {
  readonly #limit: number;
  /** Descending, at most `#limit`. */
  #scores = new Float64Array(0);

  constructor(limit: number) {
    this.#limit = limit;
  }

  get least(): number {
    return this.#scores.length < this.#limit ? 0 : this.#scores[this.#limit - 1]!;
  }

  add(scores: Float64Array): void {
    this.#scores = Float64Array.of(...this.#scores, ...scores)
      .sort()
      .reverse()
      .subarray(0, this.#limit);
  }
}
