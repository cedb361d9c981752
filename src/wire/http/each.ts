/**
 * The items of arrays one by one, in the order they are asked for. What stands in one array is handed over without
 * waiting for anything, which an async generator cannot do.
 */
export class ItemsOf<T> implements AsyncIterableIterator<T, undefined> {
  readonly #arrays: AsyncIterator<readonly T[], unknown>;
  #ready: readonly T[] = [];
  #at = 0;
  #turn: Promise<unknown> | undefined;

  constructor(arrays: AsyncIterator<readonly T[], unknown>) {
    this.#arrays = arrays;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#turn === undefined && this.#at < this.#ready.length) {
      return Promise.resolve({ done: false, value: this.#ready[this.#at++]! });
    }
    const fill = (): Promise<IteratorResult<T, undefined>> => this.#fill();
    const mine = this.#turn === undefined ? fill() : this.#turn.then(fill, fill);
    this.#turn = mine;
    const clear = (): void => {
      if (this.#turn === mine) this.#turn = undefined;
    };
    mine.then(clear, clear);
    return mine;
  }

  async #fill(): Promise<IteratorResult<T, undefined>> {
    while (this.#at >= this.#ready.length) {
      const next = await this.#arrays.next();
      if (next.done === true) return { done: true, value: undefined };
      this.#ready = next.value;
      this.#at = 0;
    }
    return { done: false, value: this.#ready[this.#at++]! };
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.#ready = [];
    await this.#arrays.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
