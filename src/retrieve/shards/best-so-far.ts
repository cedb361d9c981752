import { TopScores } from '../../vector/top.ts';
import type { CandidatesReply, CandidatesRequest } from './contract.ts';

/**
 * The best scores of the shards that were asked so far. With them the next shard leaves out what would not be among the
 * best of all: most of its rows, which it would have to score to find its own best.
 */
export class BestSoFar {
  readonly #body: TopScores;
  readonly #window: TopScores;
  readonly #cosines: TopScores;

  constructor({ body, window, dense }: CandidatesRequest['counts']) {
    this.#body = new TopScores(body);
    this.#window = new TopScores(window);
    this.#cosines = new TopScores(dense);
  }

  /** What a row needs to be among the best; 0 while too few are known. */
  get least(): { readonly body: number; readonly window: number; readonly cosine: number | undefined } {
    const cosine = this.#cosines.bar;
    return {
      body: Math.max(0, this.#body.bar),
      window: Math.max(0, this.#window.bar),
      cosine: cosine > 0 ? cosine : undefined,
    };
  }

  add({ lists, features, near }: Pick<CandidatesReply, 'lists' | 'features' | 'near'>): void {
    // scores alone count, not whose they are
    for (const place of lists[0]!) this.#body.add(0, features.body[place]!);
    for (const place of lists[1]!) this.#window.add(0, features.window[place]!);
    for (const cosine of near.cosines) this.#cosines.add(0, cosine);
  }
}
