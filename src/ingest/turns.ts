/**
 * So many turns at a time; who waits gets one in the order of asking, and the item that is wanted next at once: those
 * behind it may hold all turns until it is there. A turn lasts until it is given back.
 */
export class Turns {
  #free: number;
  #next = 0;
  readonly #waiting = new Map<number, () => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** @param item its number in the order in which items are wanted @throws the reason of the signal, while it waits */
  async take(item: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0 || item === this.#next) {
      this.#free--;
      return;
    }
    let onAbort: (() => void) | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        onAbort = () => reject(signal.reason);
        signal.addEventListener('abort', onAbort, { once: true });
        this.#waiting.set(item, resolve);
      });
    } finally {
      if (onAbort) signal.removeEventListener('abort', onAbort);
    }
  }

  giveBack(): void {
    this.#free++;
    const [first] = this.#waiting.keys();
    if (this.#free > 0 && first !== undefined) this.#let(first);
  }

  /** Tells which item is wanted next. */
  wants(item: number): void {
    this.#next = item;
    this.#let(item);
  }

  #let(item: number): void {
    const go = this.#waiting.get(item);
    if (!go) return;
    this.#waiting.delete(item);
    this.#free--;
    go();
  }
}
