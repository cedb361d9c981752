import { unlessAborted } from '../../core/async.ts';
import { isServiceFailure } from '../../core/errors.ts';
import type { CallOptions } from '../../core/types.ts';

/** The vectors of the last queries. Callers that ask for the same at once share one request. */
export class QueryVectors {
  readonly #most: number;
  readonly #vectors = new Map<string, Promise<Int8Array>>();

  constructor(most: number) {
    this.#most = most;
  }

  has(query: string): boolean {
    return this.#vectors.has(query);
  }

  /** The vector of a query, from `ask` where it is not known. A failed call is not kept. */
  async get(query: string, ask: () => Promise<Int8Array>, { signal }: CallOptions): Promise<Int8Array> {
    for (let known = this.#vectors.get(query); known; known = this.#vectors.get(query)) {
      const vector = known;
      try {
        return await unlessAborted(() => vector, signal);
      } catch (error) {
        // that who asked first gave up, or had no money left, is nobody else's failure
        const isOfAsker = !isServiceFailure(error) || error.code === 'BUDGET_EXCEEDED';
        if (signal?.aborted || !isOfAsker) throw error;
      }
    }
    const asked = ask();
    this.keep(query, asked);
    asked.catch(() => this.#vectors.delete(query));
    return await asked;
  }

  keep(query: string, vector: Promise<Int8Array>): void {
    this.#vectors.set(query, vector);
    if (this.#vectors.size > this.#most) this.#vectors.delete(this.#vectors.keys().next().value!);
  }

  clear(): void {
    this.#vectors.clear();
  }
}
