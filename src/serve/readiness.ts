import { unlessAborted } from '../core/async.ts';
import { IbidError } from '../core/errors.ts';
import type { NamedIndexes } from './indexes.ts';
import { type Problem, problemOf } from './problem.ts';

/** Time for which an answer is kept, in ms: a question each second does not cause work each second. */
const FRESH_MS = 1000;
/** A disk that is away may keep whoever reads it waiting. */
const WAIT_MS = 5000;

/** Time for which the figures wait for an index, in ms: collectors of figures have short time limits. */
const FIGURES_WAIT_MS = 1000;

/** Whether the indexes of a server can be searched now. */
export class Readiness {
  readonly #indexes: NamedIndexes;
  #asked: Promise<Problem | undefined> | undefined;
  #answeredAt = -Infinity;
  /** By name, as of the last look that has ended. */
  readonly #searchable = new Map<string, boolean>();
  #looks: Promise<unknown> = Promise.resolve();

  constructor(indexes: NamedIndexes) {
    this.#indexes = indexes;
  }

  /** Why none of the indexes can be searched; undefined while one can. */
  problem(): Promise<Problem | undefined> {
    if (!this.#asked || performance.now() - this.#answeredAt > FRESH_MS) {
      this.#answeredAt = Infinity; // under way
      this.#asked = this.#ask().finally(() => {
        this.#answeredAt = performance.now();
      });
    }
    return this.#asked;
  }

  /** Which indexes can be searched. One that gives no answer in a second is as it was; at first it cannot be. */
  async searchable(): Promise<ReadonlyMap<string, boolean>> {
    await this.problem();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, FIGURES_WAIT_MS);
    });
    await Promise.race([this.#looks, late]);
    clearTimeout(timer);
    return new Map(this.#indexes.names.map((name) => [name, this.#searchable.get(name) ?? false]));
  }

  async #ask(): Promise<Problem | undefined> {
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new IbidError('STORE_FAILED', `an index gave no answer within ${WAIT_MS / 1000} s`)),
      WAIT_MS,
    );
    const reads = this.#indexes.chosen(undefined).map(async ([name, index]) => {
      try {
        await unlessAborted(() => index.ready(), late.signal);
        this.#searchable.set(name, true);
      } catch (error) {
        this.#searchable.set(name, false);
        throw error;
      }
    });
    this.#looks = Promise.allSettled(reads).finally(() => clearTimeout(timer));
    try {
      await Promise.any(reads);
      return undefined;
    } catch (error) {
      return problemOf(error instanceof AggregateError ? error.errors[0] : error);
    }
  }
}
