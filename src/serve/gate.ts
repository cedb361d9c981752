import { Refusal } from './problem.ts';

/** Lets so many requests work at a time and so many wait; refuses the others at once. */
export class Gate {
  readonly #concurrency: number;
  readonly #places: number;
  readonly #waiting: (() => void)[] = [];
  #working = 0;

  constructor(concurrency: number, places: number) {
    this.#concurrency = concurrency;
    this.#places = places;
  }

  get working(): number {
    return this.#working;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Waits for a turn. @returns ends the turn; harmless when repeated
   * @throws Refusal 429 when too many wait; the signal's reason
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#working >= this.#concurrency) await this.#wait(signal);
    else this.#working++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = this.#waiting.shift();
      if (next)
        next(); // hands the turn on
      else this.#working--;
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.length >= this.#places)
      throw new Refusal(429, 'OVERLOADED', 'too many requests are waiting', {
        hint: 'Ask again in a moment.',
        headers: { 'retry-after': '1' },
      });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const enter = (): void => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = (): void => {
      this.#waiting.splice(this.#waiting.indexOf(enter), 1);
      reject(signal.reason);
    };
    this.#waiting.push(enter);
    signal.addEventListener('abort', leave, { once: true });
    return promise;
  }
}
