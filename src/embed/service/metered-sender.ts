import { randomUUID } from 'node:crypto';
import { IbidError } from '../../core/errors.ts';
import { affordable, type Meter, type Reservation } from '../../core/meter.ts';
import type { CallOptions } from '../../core/types.ts';
import type { EmbeddingReply, EmbedReceipt, EmbedUsage, SendTexts, ServiceModel } from './contract.ts';

/** Token counts of a request. */
export interface Counted {
  /** The expected count of the service. */
  readonly tokens: number;
  /** The count of our tokenizer. */
  readonly ownTokens: number;
  readonly isQuery?: boolean | undefined;
}

/** The answer to a billed request. */
interface BilledReply {
  readonly vectors: readonly (readonly Int8Array[])[];
  readonly receipt: EmbedReceipt;
}

const keptHint = 'Finished work is kept. Raise the budget and run again: nothing is billed twice.';

/**
 * Sends requests and counts their cost. Money is reserved before a request is sent. An attempt without an answer may be
 * billed: its full price counts against the budget, but not as spent in `costUsd`. It is repeated only when the budget
 * covers both attempts.
 */
export class MeteredSender {
  readonly #model: ServiceModel;
  readonly #send: SendTexts;
  readonly #meter: Meter;
  readonly #run: string = randomUUID();
  readonly #sums = { requests: 0, chunks: 0, tokens: 0, costUsd: 0, filled: 0, fills: 0, attempts: 0, maxUsd: 0 };

  constructor(model: ServiceModel, send: SendTexts, meter: Meter) {
    this.#model = model;
    this.#send = send;
    this.#meter = meter;
  }

  /** @param cachedChunks counted by the caller */
  usage(cachedChunks: number): EmbedUsage {
    const { requests, chunks, tokens, costUsd, filled, fills, attempts, maxUsd } = this.#sums;
    return {
      ...{ requests, chunks, cachedChunks, tokens, costUsd },
      fill: filled === 0 ? 0 : fills / filled,
      unanswered: { attempts, maxUsd },
    };
  }

  /**
   * The price of documents, 0 when unknown; a budget needs a known one. A query is a few tokens: it needs none.
   * @throws IbidError INVALID_ARGUMENT for an unknown price with a budget
   */
  priceOf(tokens: number, isQuery = false): number {
    const { name, usdPerMillionTokens } = this.#model;
    if (tokens === 0) return 0;
    return (tokens * (isQuery ? (usdPerMillionTokens ?? 0) : affordable(usdPerMillionTokens, name, this.#meter))) / 1e6;
  }

  /** @throws IbidError BUDGET_EXCEEDED */
  #reserve(price: number, isQuery: boolean): Reservation {
    try {
      return this.#meter.reserve(price);
    } catch (error) {
      if (isQuery || !(error instanceof IbidError)) throw error;
      throw new IbidError(error.code, error.message, { hint: keptHint, cause: error });
    }
  }

  /** @throws IbidError BUDGET_EXCEEDED and INVALID_ARGUMENT before sending; RESPONSE_INVALID; and the errors of `send` */
  async send(
    texts: readonly (readonly string[])[],
    { tokens, ownTokens, isQuery = false }: Counted,
    { signal }: CallOptions,
  ): Promise<BilledReply> {
    const price = this.priceOf(tokens, isQuery);
    const reservation = this.#reserve(price, isQuery);
    let unanswered = 0;
    const repeats: Reservation[] = [];
    const stop = new AbortController();
    const onUnanswered = (): void => {
      unanswered++;
      try {
        repeats.push(this.#reserve(price, isQuery)); // the first reservation now covers the unanswered attempt
      } catch (error) {
        stop.abort(error); // stops the next attempt
      }
    };
    const sentAt = Date.now();
    const startedAt = performance.now();
    let reply: EmbeddingReply;
    try {
      reply = await this.#send(texts, { signal: eitherOf(signal, stop.signal), onUnanswered, isQuery });
    } catch (error) {
      // an unreadable answer was billed, and an aborted request may be billed
      const isUnreadable = error instanceof IbidError && error.code === 'RESPONSE_INVALID';
      if (isUnreadable || signal?.aborted) unanswered++;
      reservation.settle(unanswered * price);
      this.#leaveOpen(unanswered, price);
      throw error;
    } finally {
      for (const repeat of repeats) repeat.cancel(); // the sum is settled below
    }
    const used = reply.tokens ?? Math.round(tokens);
    const costUsd = reply.costUsd ?? this.priceOf(used, isQuery);
    reservation.settle(costUsd + unanswered * price);
    this.#leaveOpen(unanswered, price);
    this.#count(texts, used, costUsd, isQuery);
    checkShape(reply.vectors, texts, this.#model.dimensions);
    const { name, dimensions } = this.#model;
    const elapsedMs = Math.round(performance.now() - startedAt);
    return {
      vectors: reply.vectors,
      receipt: {
        ...{ run: this.#run, model: `${name}@${dimensions}`, sentAt, elapsedMs },
        ...{ chunks: countChunks(texts), tokens: used, ownTokens, costUsd },
      },
    };
  }

  #count(texts: readonly (readonly string[])[], tokens: number, usd: number, isQuery: boolean): void {
    const { documents, chunks, tokens: most } = this.#model.limits;
    const count = countChunks(texts);
    this.#sums.requests++;
    this.#sums.chunks += count;
    this.#sums.tokens += tokens;
    this.#sums.costUsd += usd;
    if (isQuery) return; // queries are not packed to fill requests
    this.#sums.filled++;
    this.#sums.fills += Math.max(texts.length / documents, count / chunks, tokens / most);
  }

  #leaveOpen(attempts: number, price: number): void {
    this.#sums.attempts += attempts;
    this.#sums.maxUsd += attempts * price;
  }
}

const eitherOf = (signal: AbortSignal | undefined, other: AbortSignal): AbortSignal =>
  signal ? AbortSignal.any([signal, other]) : other;

const countChunks = (texts: readonly (readonly string[])[]): number =>
  texts.reduce((sum, document) => sum + document.length, 0);

/** @throws IbidError RESPONSE_INVALID, because a vector at the wrong chunk is worse than no vector */
function checkShape(
  vectors: readonly (readonly Int8Array[])[],
  texts: readonly (readonly string[])[],
  dimensions: number,
): void {
  const isRight =
    vectors.length === texts.length &&
    vectors.every((rows, i) => rows.length === texts[i]!.length && rows.every((row) => row.length === dimensions));
  if (isRight) return;
  throw new IbidError('RESPONSE_INVALID', 'the embedding service returned vectors that do not match the request', {
    hint: `The request has ${texts.length} documents in ${dimensions} dimensions. Nothing of this answer is stored.`,
  });
}
