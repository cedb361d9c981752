import { MarkParser } from '../../answer/grounded/numbered.ts';
import type { ModelEvent } from '../../answer/language-model.ts';
import type { ToolModel } from '../../answer/tool-model.ts';
import { IbidError } from '../../core/errors.ts';
import { isRecord } from '../../core/records.ts';
import type { ChatCompletion, ChatRequest } from '../../wire/common/index.ts';
import { commonOperations } from '../../wire/common/operations.ts';
import type { ServerEvent, StreamReply } from '../../wire/http/contract.ts';
import { type Cost, costOf } from '../../wire/http/cost.ts';
import { WireError } from '../../wire/http/errors.ts';
import {
  estimateInputTokens,
  type MessageCallOptions,
  type MessageRequest,
  MessageStream,
  referenceProfile,
  type Usage,
} from '../../wire/messages/index.ts';
import {
  chatRequest,
  mayBeginInside,
  openStream,
  type ResolvedWriter,
  THINKING_TOKENS,
  usageOf,
  type WriterParts,
} from './chat.ts';
import { ThoughtFilter } from './thoughts.ts';
import { type FittingRequest, fittingRequest } from './tool-request.ts';

const operation = commonOperations('/v1').chatStream;
/** Tokens by which our count may be below the server's. */
const MARGIN_TOKENS = 512;

/**
 * A model of a server of the common dialect, in the form of the messages service: requests go out as chat, marks come
 * back as citations, calls as calls.
 */
export function commonToolModel(parts: WriterParts, own: ResolvedWriter): ToolModel {
  const stream: ToolModel['stream'] = (request, options = {}) =>
    new MessageStream(operation, async () => replyOf(await openEvents(parts, own, request, options)));
  const cost = (inputTokens: number, outputTokens: number): Cost | undefined =>
    own.price &&
    costOf(
      [
        { name: 'input', quantity: inputTokens, usd: (inputTokens * own.price.input) / 1e6 },
        { name: 'output', quantity: outputTokens, usd: (outputTokens * own.price.output) / 1e6 },
      ],
      'table',
    );
  return {
    // nothing is known of the server's models
    profile: { ...referenceProfile, models: {}, prices: {} },
    stream,
    create: (request, options) => stream(request, options).message(),
    countTokens: async (request) => ({ input_tokens: estimateInputTokens(request) }),
    estimateCost: (request, { inputTokens = estimateInputTokens(request) } = {}) =>
      cost(inputTokens, request.max_tokens + (parts.thinkers.has(own.model) ? THINKING_TOKENS : 0)),
    costOf: ({ usage }) => cost(usage.input_tokens, usage.output_tokens),
  };
}

/** Sends; what is refused is refused before the first event. */
async function openEvents(
  parts: WriterParts,
  own: ResolvedWriter,
  request: MessageRequest,
  { signal, onSilence }: MessageCallOptions,
): Promise<AsyncGenerator<ServerEvent, void>> {
  const room = parts.thinkers.has(own.model) ? THINKING_TOKENS : 0;
  const max_tokens = Math.min(request.max_tokens + room, own.maxOutputTokens);
  const fitting = fittingRequest(request, own.contextTokens - max_tokens - MARGIN_TOKENS);
  const { isShortened: _, ...fields } = fitting;
  const requestOf = (): ChatRequest => chatRequest(parts, own, { ...fields, max_tokens });
  try {
    const { stream, pieces } = await openStream(parts, own.model, requestOf, { signal, onSilence });
    return eventsOf(parts, own, request, fitting, pieces, () => stream.completion);
  } catch (error) {
    if (!isAboutTools(error) || (fields.tools ?? []).length === 0) throw error;
    parts.abilities.note(own.model, 'tools');
    throw new IbidError('REQUEST_REJECTED', `"${own.model}" does not call tools, and mode agent lives by them`, {
      cause: error,
      hint: 'Use a model that calls tools, or ask with mode grounded.',
    });
  }
}

const isAboutTools = (error: unknown): boolean =>
  error instanceof WireError && error.code === 'REQUEST_REJECTED' && /\btools?\b|tool[_-]choice/i.test(error.message);

type Pieces = AsyncGenerator<{ readonly text: string; readonly thinking: string }>;

/** An answer as the events of a message. */
async function* eventsOf(
  parts: WriterParts,
  own: ResolvedWriter,
  request: MessageRequest,
  { isShortened }: FittingRequest,
  pieces: Pieces,
  completion: () => ChatCompletion,
): AsyncGenerator<ServerEvent, void> {
  const inputTokens = estimateInputTokens(request);
  const blocks = new Blocks();
  const parser = request.citations === true ? new MarkParser() : undefined;
  const filter = new ThoughtFilter(mayBeginInside.test(own.model));
  const tell = function* (told: Iterable<{ type: 'text' | 'thinking'; text: string }>): Generator<ServerEvent> {
    for (const { type, text } of told) {
      if (type === 'thinking') {
        parts.thinkers.add(own.model);
        yield* blocks.think(text);
      } else if (parser) for (const event of parser.push(text)) yield* blocks.write(event);
      else yield* blocks.write({ type: 'text', block: 0, text });
    }
  };
  yield eventOf('message_start', {
    message: {
      ...{ id: completion().id ?? 'chat', type: 'message', role: 'assistant', model: own.model, content: [] },
      ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: inputTokens, output_tokens: 0 } },
    },
  });
  try {
    for await (const { text, thinking } of pieces) {
      if (thinking !== '') yield* tell([{ type: 'thinking', text: thinking }]);
      if (text !== '') yield* tell(filter.push(text));
    }
    yield* tell(filter.end());
    if (parser) for (const event of parser.end()) yield* blocks.write(event);
  } finally {
    await pieces.return(undefined);
  }
  yield* blocks.close();
  const whole = completion();
  for (const { id, function: call } of whole.toolCalls) yield* blocks.call(id, call.name, call.arguments);
  const used = usageOf(whole, inputTokens);
  const usage: Usage = { input_tokens: used.inputTokens, output_tokens: used.outputTokens };
  const edits = isShortened ? { context_management: { applied_edits: [{ type: 'clear_tool_uses' }] } } : {};
  yield eventOf('message_delta', { delta: { stop_reason: stopReason(whole) }, usage, ...edits });
  yield eventOf('message_stop', {});
}

function stopReason({ finishReason, toolCalls, refusal }: ChatCompletion): string {
  if (finishReason === 'length') return 'max_tokens';
  if (toolCalls.length > 0) return 'tool_use';
  return finishReason === 'content_filter' || refusal !== undefined ? 'refusal' : 'end_turn';
}

const eventOf = (type: string, rest: object): ServerEvent => ({ event: type, data: JSON.stringify({ type, ...rest }) });

/** The blocks of a message, one open at a time. */
class Blocks {
  #index = -1;
  #open: string | undefined;

  *think(text: string): Generator<ServerEvent> {
    yield* this.#begin('thinking', { type: 'thinking', thinking: '', signature: '' });
    yield this.#delta({ type: 'thinking_delta', thinking: text });
  }

  /** A claim is a block, with its citations. */
  *write(event: ModelEvent): Generator<ServerEvent> {
    if (event.type === 'thinking' || event.type === 'stop') return;
    if (event.type === 'blockEnd') {
      if (this.#open === `text ${event.block}`) yield* this.close();
      return;
    }
    yield* this.#begin(`text ${event.block}`, { type: 'text', text: '' });
    if (event.type === 'text') yield this.#delta({ type: 'text_delta', text: event.text });
    else if (event.type === 'unusable') yield this.#cite({ type: 'mark' });
    else {
      const { source, first, end } = event.citation;
      yield this.#cite({ type: 'search_result_location', source, start_block_index: first, end_block_index: end });
    }
  }

  *call(id: string, name: string, input: string): Generator<ServerEvent> {
    yield* this.#begin(`call ${id}`, { type: 'tool_use', id, name, input: {} });
    yield this.#delta({ type: 'input_json_delta', partial_json: readable(input) });
    yield* this.close();
  }

  *close(): Generator<ServerEvent> {
    if (this.#open === undefined) return;
    this.#open = undefined;
    yield eventOf('content_block_stop', { index: this.#index });
  }

  *#begin(name: string, block: object): Generator<ServerEvent> {
    if (this.#open === name) return;
    yield* this.close();
    this.#open = name;
    this.#index += 1;
    yield eventOf('content_block_start', { index: this.#index, content_block: block });
  }

  #delta(delta: object): ServerEvent {
    return eventOf('content_block_delta', { index: this.#index, delta });
  }

  #cite(citation: object): ServerEvent {
    return this.#delta({ type: 'citations_delta', citation });
  }
}

/** The input of a call; one that is no JSON object goes to the tool as what it is, and the tool tells the model. */
function readable(input: string): string {
  try {
    const value: unknown = JSON.parse(input);
    if (isRecord(value)) return input;
  } catch {
    // told below
  }
  return JSON.stringify({ unreadable: input.slice(0, 200) });
}

/** Events made here, and not read from a connection. */
function replyOf(events: AsyncGenerator<ServerEvent, void>): StreamReply<ServerEvent> {
  const iterable: AsyncIterable<ServerEvent> = { [Symbol.asyncIterator]: () => events };
  return {
    ...{ status: 200, headers: {}, requestId: undefined, attempts: 1, elapsedMs: 0 },
    [Symbol.asyncIterator]: () => events,
    async *batches() {
      for await (const event of iterable) yield [event];
    },
    settle: () => {},
    cancel: async () => {
      await events.return();
    },
  };
}
