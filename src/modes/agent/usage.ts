import type { ModelUsage } from '../../answer/language-model.ts';
import type { Meter, Reservation } from '../../core/meter.ts';
import { costOf, priceOf, usageOf } from '../../services/language-model.ts';
import {
  addUsage,
  type Message,
  type MessageRequest,
  type MessagesService,
  type StreamEvent,
  type Usage,
} from '../../wire/messages/index.ts';

export interface AgentBounds {
  readonly meter: Meter;
  /** `Infinity`: none. */
  readonly maxUsd: number;
  /** `Infinity`: none. */
  readonly maxTotalTokens: number;
}

/**
 * What one question of an agent has cost and may still cost. Its bound is set aside while it runs, so that two cannot
 * spend the same money.
 */
export class UsageTracker {
  readonly #service: MessagesService;
  readonly #request: MessageRequest;
  readonly #bounds: AgentBounds;
  readonly #reservation: Reservation;
  #usage: Usage | undefined;
  #usd = 0;
  /** A call is under way whose price is not known yet. */
  #isOpen = false;
  #begunWith: Usage | undefined;

  /** @throws IbidError BUDGET_EXCEEDED */
  constructor(service: MessagesService, request: MessageRequest, bounds: AgentBounds) {
    this.#service = service;
    this.#request = request;
    this.#bounds = bounds;
    this.#reservation = bounds.meter.reserve(bounds.maxUsd === Infinity ? 0 : bounds.maxUsd);
  }

  get hasBegun(): boolean {
    return this.#isOpen || this.#usage !== undefined;
  }

  get leftUsd(): number {
    return this.#bounds.maxUsd - this.#usd;
  }

  get leftTokens(): number {
    const { inputTokens, outputTokens } = usageOf(this.#usage);
    return this.#bounds.maxTotalTokens - inputTokens - outputTokens;
  }

  get total(): { readonly usage: ModelUsage; readonly costUsd: number } {
    return { usage: usageOf(this.#usage), costUsd: this.#usd };
  }

  /** @param event of the answer's stream; the first one tells its input */
  hear(event: StreamEvent): void {
    this.#isOpen = true;
    if (event.type === 'message_start') this.#begunWith = event.message.usage;
  }

  add({ usage, model }: Pick<Message, 'usage' | 'model'>): void {
    this.#isOpen = false;
    this.#begunWith = undefined;
    this.#usage = addUsage(this.#usage, usage);
    this.#usd += costOf(this.#service, { usage, model }, this.#request.model);
  }

  /**
   * A call that broke off: its input is known when it had begun to answer, its output is counted as all that was
   * allowed.
   */
  break(): void {
    if (!this.#isOpen) return;
    const usage = this.#begunWith;
    this.#isOpen = false;
    this.#usd += priceOf(this.#service, usage, this.#request);
    if (usage) this.#usage = addUsage(this.#usage, usage);
  }

  /** Harmless when called again. */
  close(): void {
    this.break(); // left in the middle of a step
    this.#reservation.settle(this.#usd);
  }
}
