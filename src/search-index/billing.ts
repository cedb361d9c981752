import type { EmbedUsage } from '../embed/service/contract.ts';

/** What embedding has used and cost so far in this run. */
export type BilledEvent = { readonly type: 'billed'; readonly embedding: EmbedUsage };

/** Adds `billed` events to the events of a run. */
export class Billing {
  #wake: (() => void) | undefined;
  #latest: EmbedUsage | undefined;

  /** The embedder calls this when the vectors of an answered request are stored. */
  readonly onAnswered = (usage: EmbedUsage): void => {
    this.#latest = usage;
    this.#wake?.();
  };

  /**
   * Passes events on, and inserts `billed` events with the usage so far. When the events end in an error, a last
   * `billed` event comes before the error.
   * @param usage the billed usage of the run
   */
  async *withUsage<E>(
    events: AsyncGenerator<E, void, undefined>,
    usage: () => EmbedUsage | undefined,
  ): AsyncGenerator<E | BilledEvent, void, undefined> {
    let next = events.next();
    next.catch(() => {}); // thrown where it is awaited
    try {
      for (;;) {
        const arrived = new Promise<undefined>((resolve) => {
          this.#wake = () => resolve(undefined);
          if (this.#latest) resolve(undefined);
        });
        const event = await Promise.race([next, arrived]);
        const embedding = this.#latest;
        this.#latest = undefined;
        if (embedding) yield { type: 'billed', embedding };
        if (event === undefined) continue;
        if (event.done) return;
        yield event.value;
        next = events.next();
        next.catch(() => {});
      }
    } catch (error) {
      const embedding = usage();
      if (embedding && embedding.requests + embedding.unanswered.attempts > 0) yield { type: 'billed', embedding };
      throw error;
    } finally {
      this.#wake = undefined;
      await events.return();
    }
  }
}
