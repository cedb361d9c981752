import type {
  LanguageModel,
  ModelEvent,
  ModelRequest,
  ModelStop,
  ModelUsage,
  ModelWriteOptions,
} from '../../answer/language-model.ts';
import { noUsage, sumOfUsage } from '../../answer/model-usage.ts';
import { IbidError } from '../../core/errors.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import type { ChatCompletion, ChatRequest } from '../../wire/common/index.ts';
import {
  type CommonWriterOptions,
  chatRequest,
  mayBeginInside,
  openStream,
  priceOf,
  type ResolvedWriter,
  resolveWriter,
  THINKING_TOKENS,
  usageOf,
  type WriterParts,
} from './chat.ts';
import { ThoughtFilter } from './thoughts.ts';
import { commonToolModel } from './tool-model.ts';

/** A prompt of which the server read less than this share was cut, if what it read fills a window to the brim. */
const READ_SHARE = 0.6;
const WINDOW_STEP = 1024;
const BRIM = 32;
const TOKENS_PER_MESSAGE = 8;
/**
 * A model of a server of the common dialect behind the `LanguageModel` contract. It cites by marks, which are proven as
 * any citation.
 * @throws IbidError INVALID_ARGUMENT
 */
export function commonWriter(parts: WriterParts, options: CommonWriterOptions): LanguageModel {
  const own = resolveWriter(options, parts.isKeyless);
  return {
    id: own.model,
    contextTokens: own.contextTokens,
    maxOutputTokens: own.maxOutputTokens,
    limits: async (call) => {
      const window = options.contextTokens ?? (await parts.served.contextTokens(own.model, call)) ?? own.contextTokens;
      return { contextTokens: window, maxOutputTokens: Math.min(own.maxOutputTokens, window) };
    },
    citesPassages: false,
    tools: commonToolModel(parts, own),
    estimateUsd: (request) => estimateOf(parts, own, request),
    write: (request, call = {}) => write(parts, own, request, call),
  };
}

const inputOf = ({ instructions, turns }: ModelRequest): number =>
  [instructions, ...turns.map(({ text }) => text)].reduce(
    (sum, text) => sum + countTokens(text) + TOKENS_PER_MESSAGE,
    0,
  );

function estimateOf(parts: WriterParts, own: ResolvedWriter, request: ModelRequest): number | undefined {
  const room = parts.thinkers.has(own.model) ? THINKING_TOKENS : 0;
  return priceOf(own, { inputTokens: inputOf(request), outputTokens: request.maxTokens + room });
}

async function* write(
  parts: WriterParts,
  own: ResolvedWriter,
  request: ModelRequest,
  { pays = () => true, ...call }: ModelWriteOptions,
): AsyncGenerator<ModelEvent, void, undefined> {
  const messages = [
    { role: 'system' as const, content: request.instructions },
    ...request.turns.map(({ role, text }) => ({ role, content: text })),
  ];
  const inputTokens = inputOf(request);
  let before = noUsage; // of a first attempt
  const used = (completion: ChatCompletion): ModelUsage => sumOfUsage(before, usageOf(completion, inputTokens));
  for (;;) {
    const knownThinker = parts.thinkers.has(own.model);
    const room = knownThinker ? THINKING_TOKENS : 0;
    const max_tokens = Math.min(request.maxTokens + room, Math.max(1, own.contextTokens - inputTokens));
    const requestOf = (): ChatRequest => chatRequest(parts, own, { messages, max_tokens });
    const { stream, pieces } = await openStream(parts, own.model, requestOf, call);
    const filter = new ThoughtFilter(mayBeginInside.test(own.model));
    let wrote = false;
    const tell = function* (told: Iterable<{ type: 'text' | 'thinking'; text: string }>): Generator<ModelEvent> {
      for (const { type, text } of told) {
        if (type === 'thinking') parts.thinkers.add(own.model);
        else wrote = true;
        yield type === 'thinking' ? { type, text } : { type, block: 0, text };
      }
    };
    try {
      for await (const { text, thinking } of pieces) {
        if (thinking !== '') yield* tell([{ type: 'thinking', text: thinking }]);
        if (text !== '') yield* tell(filter.push(text));
      }
      yield* tell(filter.end());
    } catch (error) {
      call.signal?.throwIfAborted();
      if (!wrote || !(error instanceof IbidError)) throw error;
      const usage = used(stream.completion);
      yield { type: 'stop', stop: 'broken', usage, costUsd: priceOf(own, usage) ?? 0, error };
      return;
    }
    const { completion } = stream;
    // a model that was not known to think may have used up its tokens for that: it is asked once more, with room
    const isOutOfRoom =
      !wrote && !knownThinker && completion.finishReason === 'length' && parts.thinkers.has(own.model);
    if (isOutOfRoom && pays(estimateOf(parts, own, request) ?? 0)) {
      before = used(completion);
      continue;
    }
    const usage = used(completion);
    const costUsd = priceOf(own, usage) ?? 0;
    const cut = cutPrompt(own, usageOf(completion, inputTokens).inputTokens, inputTokens);
    yield { type: 'blockEnd', block: 0 };
    yield cut
      ? { type: 'stop', stop: 'context', usage, costUsd, error: cut }
      : { type: 'stop', stop: stopOf(completion), usage, costUsd };
    return;
  }
}

/** A server with a small window drops the beginning of a longer prompt without a word, the rules first. */
function cutPrompt({ model }: ResolvedWriter, read: number, sent: number): IbidError | undefined {
  // less may also have been counted because the rest was read before
  const isFull = read > 0 && (WINDOW_STEP - (read % WINDOW_STEP)) % WINDOW_STEP <= BRIM;
  if (read >= sent * READ_SHARE || !isFull) return undefined;
  return new IbidError(
    'REQUEST_TOO_LARGE',
    `the server read ${read} of about ${sent} tokens that "${model}" was sent`,
    {
      hint: 'Raise the window of the server (Ollama: OLLAMA_CONTEXT_LENGTH), or give the model its `contextTokens`.',
    },
  );
}

function stopOf({ finishReason, refusal }: ChatCompletion): ModelStop {
  if (finishReason === 'length') return 'length';
  return finishReason === 'content_filter' || refusal !== undefined ? 'refusal' : 'end';
}
