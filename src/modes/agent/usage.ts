import type { ModelUsage } from '../../answer/language-model.ts';
import type { ToolModel } from '../../answer/tool-model.ts';
import { IbidError, mayBeBilled } from '../../core/errors.ts';
import type { Meter, Reservation } from '../../core/meter.ts';
import type { CallOptions } from '../../core/types.ts';
import { costOf, countedUsd, priceOf, savedBy, usageOf } from '../../services/language-model.ts';
import {
  addUsage,
  type Message,
  type MessageRequest,
  type StreamEvent,
  type Usage,
} from '../../wire/messages/index.ts';

interface AgentBounds {
  readonly meter: Meter;
  /** For this question; `Infinity`: none. */
  readonly maxUsd: number;
  /** `Infinity`: none. */
  readonly maxTotalTokens: number;
}

/**
 * What one question of an agent has cost and may still cost. Only the call under way is reserved on the meter, so that
 * the agent's tools and other questions can spend from the same budget.
 */
export class UsageTracker {
  readonly #service: ToolModel;
  readonly #request: MessageRequest;
  readonly #bounds: AgentBounds;
  #reservation: (Reservation & { readonly usd: number }) | undefined;
  #usage: Usage | undefined;
  #usd = 0;
  #savedUsd = 0;
  /** An answer is being received; its price is not known yet. */
  #isOpen = false;
  #begunWith: Usage | undefined;

  constructor(service: ToolModel, request: MessageRequest, bounds: AgentBounds) {
    this.#service = service;
    this.#request = request;
    this.#bounds = bounds;
  }

  /**
   * Reserves the highest price of a call that is sent next. Where that is more than is left, the service counts the
   * tokens.
   * @param keptBackUsd what must be left for a later call
   * @throws IbidError BUDGET_EXCEEDED
   */
  async begin(request: MessageRequest, { signal }: CallOptions = {}, keptBackUsd: number = 0): Promise<void> {
    const { meter } = this.#bounds;
    const kept = keptBackUsd === Infinity ? 0 : keptBackUsd;
    const usd = await countedUsd(this.#service, request, this.leftUsd - kept, { signal });
    if (usd + kept > this.leftUsd) {
      const left = Math.max(0, this.leftUsd).toFixed(6);
      throw new IbidError('BUDGET_EXCEEDED', `the next step costs up to ${usd.toFixed(6)} USD; ${left} USD are left`, {
        hint: 'Raise the budget, or ask for a shorter answer.',
      });
    }
    this.#reservation = { ...meter.reserve(usd), usd };
  }

  get hasBegun(): boolean {
    return this.#isOpen || this.#usage !== undefined;
  }

  get leftUsd(): number {
    return Math.min(this.#bounds.maxUsd - this.#usd, this.#bounds.meter.leftUsd);
  }

  get leftTokens(): number {
    const { inputTokens, outputTokens } = usageOf(this.#usage);
    return this.#bounds.maxTotalTokens - inputTokens - outputTokens;
  }

  get total(): { readonly usage: ModelUsage; readonly costUsd: number; readonly savedUsd: number } {
    return { usage: usageOf(this.#usage), costUsd: this.#usd, savedUsd: this.#savedUsd };
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
    this.#savedUsd += savedBy(this.#service, { usage, model }, this.#request);
    this.#settle(costOf(this.#service, { usage, model }, this.#request));
  }

  #settle(usd: number): void {
    this.#usd += usd;
    this.#reservation?.settle(usd);
    this.#reservation = undefined;
  }

  /**
   * A call that broke off: its input is known when it had begun to answer, its output is counted as all that was
   * allowed.
   */
  break(): void {
    if (!this.#isOpen) return;
    const usage = this.#begunWith;
    this.#isOpen = false;
    this.#settle(usage ? priceOf(this.#service, usage, this.#request) : (this.#reservation?.usd ?? 0));
    if (usage) this.#usage = addUsage(this.#usage, usage);
  }

  /** A call that failed. One that was lost counts as all that it may have cost, one that was refused as nothing. */
  fail(error: unknown): void {
    this.break();
    if (!mayBeBilled(error)) this.#reservation?.cancel();
    else if (this.#reservation) this.#settle(this.#reservation.usd);
    this.#reservation = undefined;
  }

  /** What was left while it was under way counts as all that it may have cost. Harmless when called again. */
  close(): void {
    this.break(); // left in the middle of a step
    if (this.#reservation) this.#settle(this.#reservation.usd);
  }
}
