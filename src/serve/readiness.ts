import { unlessAborted } from '../core/async.ts';
import { IbidError } from '../core/errors.ts';
import type { NamedIndexes } from './indexes.ts';
import { type Problem, problemOf } from './problem.ts';

/** How long an answer holds: whoever asks each second makes no work each second. */
const FRESH_MS = 1000;
/** A disk that is away may keep whoever reads it waiting. */
const WAIT_MS = 5000;

/** Whether the indexes of a server can be read now. */
export class Readiness {
  readonly #indexes: NamedIndexes;
  #asked: Promise<Problem | undefined> | undefined;
  #answeredAt = -Infinity;

  constructor(indexes: NamedIndexes) {
    this.#indexes = indexes;
  }

  /** Why none of the indexes can be read; undefined while one can. */
  problem(): Promise<Problem | undefined> {
    if (!this.#asked || performance.now() - this.#answeredAt > FRESH_MS) {
      this.#answeredAt = Infinity; // under way
      this.#asked = this.#ask().finally(() => {
        this.#answeredAt = performance.now();
      });
    }
    return this.#asked;
  }

  async #ask(): Promise<Problem | undefined> {
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new IbidError('STORE_FAILED', `an index gave no answer within ${WAIT_MS / 1000} s`)),
      WAIT_MS,
    );
    const reads = this.#indexes
      .chosen(undefined)
      .map(([, index]) => unlessAborted(() => index.documentPage({ limit: 0 }), late.signal));
    try {
      await Promise.any(reads);
      return undefined;
    } catch (error) {
      return problemOf(error instanceof AggregateError ? error.errors[0] : error);
    } finally {
      clearTimeout(timer);
    }
  }
}
