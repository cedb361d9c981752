import { setTimeout as delay } from 'node:timers/promises';
import { streamFactsOf } from '../http/answer.ts';
import type { Operation, ReplyInfo, ServerEvent, StreamReply } from '../http/contract.ts';
import { WireError, type WireErrorFacts } from '../http/errors.ts';
import { MessageAccumulator } from './accumulate.ts';
import { parseStreamEvent, settledBy } from './events.ts';
import type { Message, StreamEvent } from './types.ts';

/** How long the end of the connection is waited for after `message_stop`, so that it can be used again. */
const DRAIN_MS = 250;

const noop = (): void => {};

/**
 * A stream that failed after it began: the error as classified, with what had arrived. Not all of `partial` may have
 * been said to the end.
 */
export class MessageStreamError extends WireError {
  readonly partial: Message | undefined;

  constructor(error: WireError, partial: Message | undefined) {
    super(error.code, error.message, { ...error, hint: error.hint, cause: error });
    this.partial = partial;
  }
}

/**
 * An answer as it is made. Read it once: as events, as text, or with `message()` as a whole (also after or during
 * either). Nothing is sent before the first of them is called; leaving the loop ends the connection.
 */
export class MessageStream implements AsyncIterable<StreamEvent>, AsyncDisposable {
  readonly #open: () => Promise<StreamReply<ServerEvent>>;
  readonly #operation: Operation;
  readonly #accumulator: MessageAccumulator = new MessageAccumulator();
  #state: 'new' | 'reading' | 'done' | 'left' | 'failed' = 'new';
  #reply: StreamReply<ServerEvent> | undefined;
  #source: AsyncIterator<readonly ServerEvent[]> | undefined;
  #facts: WireErrorFacts | undefined;
  #batch: readonly ServerEvent[] = [];
  #at = 0;
  #error: unknown;
  #turn: Promise<void> | undefined;
  readonly #waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];

  constructor(operation: Operation, open: () => Promise<StreamReply<ServerEvent>>) {
    this.#operation = operation;
    this.#open = open;
  }

  /** Status, headers and request id, once the answer has begun. */
  get info(): ReplyInfo | undefined {
    return this.#reply;
  }

  /** The message as far as it has arrived. */
  get partial(): Message | undefined {
    return this.#accumulator.message();
  }

  /** Tool inputs that were cut (`max_tokens`) before their JSON was whole, by block index. */
  get unfinishedInputs(): ReadonlyMap<number, string> {
    return this.#accumulator.unfinishedInputs;
  }

  [Symbol.asyncIterator](): AsyncIterator<StreamEvent, undefined> {
    this.#begin();
    return {
      next: () => {
        // What arrived together is handed over without waiting for anything.
        if (this.#turn === undefined && this.#at < this.#batch.length && this.#state === 'reading') return this.#take();
        // Callers that do not wait for each other get their events in the order they asked.
        const turn = (this.#turn ?? Promise.resolve()).then(() => this.#next());
        const settled = turn.then(noop, noop).then(() => {
          if (this.#turn === settled) this.#turn = undefined;
        });
        this.#turn = settled;
        return turn;
      },
      return: async () => {
        await this.cancel();
        return { done: true, value: undefined };
      },
    };
  }

  /** The answer's text as it comes, thinking and tool inputs left out. */
  async *text(): AsyncGenerator<string, void, undefined> {
    for await (const event of this) {
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') yield event.delta.text;
      else if (
        event.type === 'content_block_start' &&
        event.content_block.type === 'text' &&
        event.content_block.text !== ''
      ) {
        yield event.content_block.text;
      }
    }
  }

  /**
   * Reads to the end.
   * @returns the same message as without streaming
   * @throws MessageStreamError STREAM_BROKEN when the stream ends early, the service's error when it sends one; ABORTED
   * after a `break`
   */
  async message(): Promise<Message> {
    if (this.#state === 'new') {
      this.#begin();
      await this.#drain();
    } else if (this.#state === 'reading') {
      await new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    }
    if (this.#state === 'failed') throw this.#error;
    if (this.#state === 'left')
      throw new WireError('ABORTED', `${this.#operation.name}: the stream was left before its end`);
    return this.#accumulator.message()!; // done: message_start and message_stop have come
  }

  /** Ends the connection without reading on; harmless afterwards. */
  async cancel(): Promise<void> {
    if (this.#state !== 'new' && this.#state !== 'reading') return;
    this.#state = 'left';
    this.#settle();
    await this.#reply?.cancel();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cancel();
  }

  #begin(): void {
    if (this.#state !== 'new') {
      throw new WireError('INVALID_ARGUMENT', `${this.#operation.name}: a stream can be read once`, {
        hint: 'Use `message()` for the whole answer beside one loop over the events.',
      });
    }
    this.#state = 'reading';
  }

  /** Takes the next event of the batch at hand. */
  #take(): Promise<IteratorResult<StreamEvent, undefined>> {
    try {
      const value = this.#step(this.#batch[this.#at++]!);
      return Promise.resolve({ done: false, value });
    } catch (error) {
      return this.#fail(error);
    }
  }

  #step(raw: ServerEvent): StreamEvent {
    const event = parseStreamEvent(raw, this.#facts!);
    this.#accumulator.push(event);
    if (event.type === 'message_stop') this.#finish();
    return event;
  }

  async #next(): Promise<IteratorResult<StreamEvent, undefined>> {
    if (this.#state === 'failed') throw this.#error;
    if (this.#state !== 'reading') return { done: true, value: undefined };
    if (this.#at >= this.#batch.length && !(await this.#fill())) return { done: true, value: undefined };
    return this.#take();
  }

  /** To the end, with one wait per read of the socket. */
  async #drain(): Promise<void> {
    while (this.#state === 'reading' && (await this.#fill())) {
      try {
        while (this.#at < this.#batch.length && this.#state === 'reading') this.#step(this.#batch[this.#at++]!);
      } catch (error) {
        await this.#fail(error);
      }
    }
  }

  /** @returns false when there is nothing more to give */
  async #fill(): Promise<boolean> {
    try {
      if (this.#source === undefined) {
        this.#reply = await this.#open();
        this.#facts = streamFactsOf({ operation: this.#operation, info: this.#reply });
        this.#source = this.#reply.batches()[Symbol.asyncIterator]();
      }
      if (this.#left()) {
        await this.#reply?.cancel();
        return false;
      }
      const next = await this.#source.next();
      if (this.#left()) return false;
      if (next.done !== true) {
        this.#batch = next.value;
        this.#at = 0;
        return true;
      }
      throw new WireError(
        'STREAM_BROKEN',
        `${this.#operation.name}: the stream ended before message_stop`,
        this.#facts ?? {},
      );
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** Own method because the state may have changed during a wait, which the compiler does not see. */
  #left(): boolean {
    return this.#state === 'left';
  }

  async #fail(error: unknown): Promise<never> {
    const begun = this.#reply !== undefined;
    this.#state = 'failed';
    this.#error =
      begun && error instanceof WireError ? new MessageStreamError(error, this.#accumulator.message()) : error;
    this.#settle();
    await this.#reply?.cancel();
    throw this.#error;
  }

  #finish(): void {
    this.#state = 'done';
    const reply = this.#reply!;
    const actual = settledBy(this.#accumulator.message());
    if (actual !== undefined) reply.settle(actual);
    this.#settle();
    // The body's own end is waited for a moment: a connection read to its end can be used again.
    const rest = this.#source!.next().catch(() => undefined);
    void Promise.race([rest, delay(DRAIN_MS, undefined, { ref: false })]).then(() => reply.cancel());
  }

  #settle(): void {
    for (const { resolve, reject } of this.#waiting.splice(0)) {
      if (this.#state === 'failed') reject(this.#error);
      else resolve();
    }
  }
}
