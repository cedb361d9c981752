import type { ModelLimits, ModelUsage } from '../../answer/language-model.ts';
import { objectOf, wholeOf } from '../../core/arguments.ts';
import { IbidError } from '../../core/errors.ts';
import type { CallOptions } from '../../core/types.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import type { ChatCompletion, ChatRequest, ChatStream, CommonService } from '../../wire/common/index.ts';
import type { Abilities } from './abilities.ts';
import type { ServedModels } from './served-models.ts';

/** USD for a million tokens, of input and output alike or each. */
export type TokenPrice = number | { readonly input: number; readonly output: number };

export interface CommonWriterOptions {
  /** As the server names it. */
  readonly model: string;
  /** Input and output together. @default 32,768, and for a conversation what the server says of the model */
  readonly contextTokens?: number | undefined;
  /** @default 8,192, at most half of `contextTokens` */
  readonly maxOutputTokens?: number | undefined;
  /** @default 0 for a server without a key, else unknown: a budget then needs it */
  readonly usdPerMillionTokens?: TokenPrice | undefined;
  /** From 0 to 2. @default the server's own */
  readonly temperature?: number | undefined;
}

const CONTEXT_TOKENS = 32_768;
const OUTPUT_TOKENS = 8192;
/** Room for what a model thinks before its answer, once it is known to think. */
export const THINKING_TOKENS = 8192;
/** Families that begin with a thought, whose opening tag some servers swallow. */
export const mayBeginInside: RegExp = /(?:^|[^a-z])(?:r1|qwq|thinking|reasoner)(?:[^a-z]|$)/i;

/** The parts that write the answers of one server. */
export interface WriterParts {
  readonly service: CommonService;
  readonly abilities: Abilities;
  readonly served: ServedModels;
  /** Whether a call may cost something. */
  readonly isKeyless: boolean;
  /** Models that were seen thinking. */
  readonly thinkers: Set<string>;
}

/** A model's options with what was not given. */
export interface ResolvedWriter extends ModelLimits {
  readonly model: string;
  readonly temperature: number | undefined;
  /** Undefined when the price is not known. */
  readonly price: { readonly input: number; readonly output: number } | undefined;
}

/** @throws IbidError INVALID_ARGUMENT */
export function resolveWriter(options: CommonWriterOptions, isKeyless: boolean): ResolvedWriter {
  const {
    model,
    contextTokens = CONTEXT_TOKENS,
    temperature,
    usdPerMillionTokens: price,
  } = objectOf(options, 'the options', 'model');
  const { maxOutputTokens = Math.min(OUTPUT_TOKENS, Math.floor(contextTokens / 2)) } = options;
  const invalid = (why: string): IbidError => new IbidError('INVALID_ARGUMENT', `the model cannot be used: ${why}`);
  if (typeof model !== 'string' || model.trim() === '') throw invalid('`model` must be the name of a model');
  for (const [name, value] of Object.entries({ contextTokens, maxOutputTokens }))
    wholeOf(value, `${name} of the model`, 1);
  if (maxOutputTokens > contextTokens) throw invalid('maxOutputTokens must not be more than contextTokens');
  const each = typeof price === 'number' ? { input: price, output: price } : price;
  if (each && !(each.input >= 0 && each.output >= 0)) throw invalid('usdPerMillionTokens must be from 0');
  return { model, contextTokens, maxOutputTokens, temperature, price: each ?? (isKeyless ? noPrice : undefined) };
}

const noPrice = { input: 0, output: 0 };

/** In USD; undefined when the price is not known. */
export function priceOf(
  { price }: ResolvedWriter,
  { inputTokens, outputTokens }: Pick<ModelUsage, 'inputTokens' | 'outputTokens'>,
): number | undefined {
  return price && (inputTokens * price.input + outputTokens * price.output) / 1e6;
}

/** A request without what the model is known not to take. */
export function chatRequest(
  { abilities }: Pick<WriterParts, 'abilities'>,
  { model, temperature }: Pick<ResolvedWriter, 'model' | 'temperature'>,
  request: Omit<ChatRequest, 'model'>,
): ChatRequest {
  const { max_tokens: maxTokens, ...rest } = request;
  const length = abilities.lacks(model, 'max_tokens') ? 'max_completion_tokens' : 'max_tokens';
  return {
    model,
    ...rest,
    ...(maxTokens === undefined ? {} : { [length]: maxTokens }),
    ...(temperature === undefined || abilities.lacks(model, 'temperature') ? {} : { temperature }),
    ...(abilities.lacks(model, 'stream_options') ? {} : { stream_options: { include_usage: true } }),
  };
}

/** A stream that has begun: what the server refuses by its name is left out. The first piece is read already. */
export async function openStream(
  { service, abilities }: Pick<WriterParts, 'service' | 'abilities'>,
  model: string,
  requestOf: () => ChatRequest,
  call: CallOptions,
): Promise<{ readonly stream: ChatStream; readonly pieces: AsyncGenerator<{ text: string; thinking: string }> }> {
  return await abilities.adapt(model, ['stream_options', 'max_tokens', 'temperature'], async () => {
    const stream = service.chat.stream(requestOf(), call);
    const pieces = stream[Symbol.asyncIterator]();
    const first = await pieces.next();
    return { stream, pieces: begunWith(first, pieces) };
  });
}

async function* begunWith<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  try {
    if (!first.done) yield first.value;
    yield* rest;
  } finally {
    await rest.return();
  }
}

/** As the server counts, else as we do. */
export function usageOf({ usage, text, thinking }: ChatCompletion, inputTokens: number): ModelUsage {
  return {
    inputTokens: usage?.prompt_tokens ?? inputTokens,
    outputTokens: usage?.completion_tokens ?? countTokens(text) + countTokens(thinking),
    cacheReadTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    cacheWriteTokens: 0,
  };
}
