import type { EmbedUsage } from '../embed/service/contract.ts';

export type BilledEvent = { readonly type: 'billed'; readonly embedding: EmbedUsage };

/** Tells the events of a run when vectors that cost money have arrived. */
export class Billing {
  #wake: (() => void) | undefined;
  #latest: EmbedUsage | undefined;

  /** Called by the embedder whenever an answered request has been kept. */
  readonly onAnswered = (usage: EmbedUsage): void => {
    this.#latest = usage;
    this.#wake?.();
  };

  /**
   * Passes events on, and between them what has been billed so far. When the events end in an error, the last of these
   * comes first.
   * @param usage what the run has been billed
   */
  async *withUsage<E>(
    events: AsyncGenerator<E, void, undefined>,
    usage: () => EmbedUsage | undefined,
  ): AsyncGenerator<E | BilledEvent, void, undefined> {
    let next = events.next();
    next.catch(() => {}); // thrown where it is waited for
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
