import { isRecord } from '../../core/records.ts';
import { infoOf, invalidAnswer, streamFactsOf, type Where } from '../http/answer.ts';
import type { Operation, ServerEvent, StreamReply } from '../http/contract.ts';
import { errorFromBody, WireError } from '../http/errors.ts';
import { ChatAccumulator } from './accumulate.ts';
import type { ChatCompletion, ChatDelta } from './types.ts';

export interface OpenedStream {
  readonly operation: Operation;
  readonly reply: StreamReply<ServerEvent>;
}

/** An answer as it is written. Read it once; leaving the loop ends the connection. */
export class ChatStream implements AsyncIterable<ChatDelta> {
  readonly #open: () => Promise<OpenedStream>;
  readonly #answer: ChatAccumulator = new ChatAccumulator();

  constructor(open: () => Promise<OpenedStream>) {
    this.#open = open;
  }

  /** As far as it has arrived. */
  get completion(): ChatCompletion {
    return this.#answer.completion;
  }

  /** @throws WireError STREAM_BROKEN when the stream ends before the model has stopped */
  async *[Symbol.asyncIterator](): AsyncGenerator<ChatDelta, void, undefined> {
    const { operation, reply } = await this.#open();
    const where: Where = { operation, info: infoOf(reply) };
    let isDone = false;
    try {
      for await (const { data } of reply) {
        if (data.trim() === '[DONE]') {
          isDone = true;
          continue; // the end of the connection is awaited, so that it can be used again
        }
        const event = eventOf(where, data);
        const failure = event.error ?? (event.object === 'error' ? event : undefined);
        if (failure !== undefined && failure !== null) throw errorFromBody({ error: failure }, streamFactsOf(where));
        yield this.#answer.add(where, event);
      }
      const { finishReason, usage, id, model } = this.#answer.completion;
      // llama.cpp and others leave the marker out; a reason says as much
      if (finishReason === '' && !isDone) {
        throw new WireError(
          'STREAM_BROKEN',
          `${operation.name}: the stream ended before the answer did`,
          streamFactsOf(where),
        );
      }
      reply.settle({
        inputTokens: usage?.prompt_tokens,
        outputTokens: usage?.completion_tokens,
        ...{ id, model, finishReasons: [finishReason] },
      });
    } finally {
      await reply.cancel();
    }
  }
}

function eventOf(where: Where, data: string): Readonly<Record<string, unknown>> {
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    throw invalidAnswer(where, 'an event is not JSON');
  }
  if (!isRecord(event)) throw invalidAnswer(where, 'an event is not an object');
  return event;
}
