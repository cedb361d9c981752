import { inspect } from 'node:util';
import type { LanguageModel as AiLanguageModel, Tool } from 'ai';
import { formatCitation } from '../answer/citation.ts';
import type { LanguageModel, ModelEvent, ModelRequest, ModelStop, ModelUsage } from '../answer/language-model.ts';
import { type KnownOptions, objectOf, optionsOf } from '../core/arguments.ts';
import { describePath } from '../core/describe-place.ts';
import { IbidError } from '../core/errors.ts';
import { locate } from '../core/location.ts';
import type { CallOptions, Hit, Place } from '../core/types.ts';
import { countTokens } from '../text/tokens/tokens.ts';
import { type BridgedIndex, type BridgeSearch, LIMIT, searchNames } from './contract.ts';

/** A model of a provider of the AI SDK: `openai('…')`, `mistral('…')`. */
export type AiModel = Exclude<AiLanguageModel, string>;

/** A passage as a model reads it. */
export interface FoundPassage {
  /** The citation that `index.show` proves. */
  readonly reference: string;
  readonly title: string;
  readonly text: string;
  readonly place: Place;
  readonly score: number;
}

export interface SearchToolOptions extends BridgeSearch {
  /** What the model is told that the documents are about. */
  readonly description?: string | undefined;
}

const toolOptions: KnownOptions<SearchToolOptions> = {
  of: 'searchTool',
  names: { ...searchNames, description: 'text' },
};

/** A tool of the AI SDK that searches an index: `tools: { search: searchTool(index) }`. */
export function searchTool(
  index: BridgedIndex,
  options: SearchToolOptions = {},
): Tool<{ query: string; limit?: number }, readonly FoundPassage[]> {
  const { description = "Searches the user's own documents. Short keyword queries find most.", ...search } = optionsOf(
    options,
    toolOptions,
  );
  objectOf(index, 'the index', 'search');
  const { limit: most = LIMIT } = search;
  const jsonSchema = {
    type: 'object',
    properties: { query: { type: 'string' }, limit: { type: 'integer', minimum: 1, maximum: most } },
    required: ['query'],
    additionalProperties: false,
  };
  const validate = (value: unknown) => {
    const { query, limit = most } = (value ?? {}) as { query?: unknown; limit?: unknown };
    const isRight =
      typeof query === 'string' && query.trim() !== '' && Number.isSafeInteger(limit) && Number(limit) >= 1;
    if (isRight) return { success: true, value: { query, limit: Math.min(most, Number(limit)) } };
    return { success: false, error: new IbidError('INVALID_ARGUMENT', 'query must be words, limit a number from 1') };
  };
  // the mark by which the AI SDK knows a schema that was not made by its own function
  const inputSchema = { [Symbol.for('vercel.ai.schema')]: true, _type: undefined, jsonSchema, validate };
  const tool = {
    description,
    inputSchema,
    execute: async (
      { query, limit = most }: { query: string; limit?: number },
      { abortSignal }: { readonly abortSignal?: AbortSignal } = {},
    ): Promise<readonly FoundPassage[]> => {
      const { hits } = await index.search(query, { ...search, limit, signal: abortSignal });
      return hits.map(passageOf);
    },
  };
  return tool as unknown as ReturnType<typeof searchTool>; // the mark is a symbol that only the AI SDK can name
}

function passageOf({ chunk, score, web }: Hit): FoundPassage {
  const { uri, span, text } = chunk;
  const reference = formatCitation({ uri, span, ...(web ? { snapshot: web.snapshot } : {}) });
  return { reference, title: describePath(chunk) || uri, text, place: locate(chunk, span), score };
}

export interface AiWriterOptions {
  /** Input and output together. @default 32,768 */
  readonly contextTokens?: number | undefined;
  /** @default 8,192 */
  readonly maxOutputTokens?: number | undefined;
  /** For a million tokens. @default unknown: a budget then needs it */
  readonly usdPerMillionTokens?: { readonly input: number; readonly output: number } | undefined;
}

const writerOptions: KnownOptions<AiWriterOptions> = {
  of: 'aiWriter',
  names: { contextTokens: true, maxOutputTokens: true, usdPerMillionTokens: true },
};

/**
 * A model of the AI SDK as the writer of answers: `models: { writer: aiWriter(openai('…')) }`. It cites by marks, which
 * are proven as any citation.
 * @throws IbidError INVALID_ARGUMENT for the name of a model
 */
export function aiWriter(model: AiModel, options: AiWriterOptions = {}): LanguageModel {
  const {
    contextTokens = 32_768,
    maxOutputTokens = 8192,
    usdPerMillionTokens: price,
  } = optionsOf(options, writerOptions);
  if (typeof model?.doStream !== 'function') {
    throw new IbidError('INVALID_ARGUMENT', 'aiWriter needs a model of the AI SDK, not its name', {
      hint: 'Write aiWriter(openai("…")) with a provider of the AI SDK.',
    });
  }
  const cost = ({ inputTokens, outputTokens }: Pick<ModelUsage, 'inputTokens' | 'outputTokens'>): number | undefined =>
    price && (inputTokens * price.input + outputTokens * price.output) / 1e6;
  return {
    id: `${model.provider}:${model.modelId}`,
    contextTokens,
    maxOutputTokens,
    citesPassages: false,
    estimateUsd: (request) => cost({ inputTokens: inputOf(request), outputTokens: request.maxTokens }),
    write: (request, call) => write(model, request, cost, call),
  };
}

const inputOf = ({ instructions, turns }: ModelRequest): number =>
  [instructions, ...turns.map(({ text }) => text)].reduce((sum, text) => sum + countTokens(text) + 8, 0);

/** A part of a stream of any version of the AI SDK's models; what is not named is passed over. */
interface AiPart {
  readonly type: string;
  readonly delta?: string;
  readonly error?: unknown;
  /** A word, or since version 3 an object with one. */
  readonly finishReason?: string | { readonly unified: string };
  readonly usage?: { readonly inputTokens?: AiCount; readonly outputTokens?: AiCount };
}

/** A number, or since version 3 an object with the sum. */
type AiCount = number | { readonly total?: number | undefined; readonly cacheRead?: number | undefined } | undefined;

async function* write(
  model: AiModel,
  request: ModelRequest,
  cost: (usage: ModelUsage) => number | undefined,
  { signal }: CallOptions = {},
): AsyncGenerator<ModelEvent, void, undefined> {
  signal?.throwIfAborted();
  const prompt = [
    { role: 'system' as const, content: request.instructions },
    ...request.turns.map(({ role, text }) => ({ role, content: [{ type: 'text' as const, text }] })),
  ];
  let end: AiPart | undefined;
  let length = 0;
  let [isOpen, wrote] = [false, false];
  const stopWith = (stop: ModelStop, error?: IbidError): ModelEvent => {
    const usage = usageOf(end?.usage, inputOf(request), Math.ceil(length / 4));
    return { type: 'stop', stop, usage, costUsd: cost(usage) ?? 0, ...(error ? { error } : {}) };
  };
  try {
    const { stream } = await model.doStream({
      prompt,
      maxOutputTokens: request.maxTokens,
      ...(signal ? { abortSignal: signal } : {}),
    });
    isOpen = true;
    for await (const part of stream as AsyncIterable<AiPart>) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'finish') end = part;
      const { delta = '' } = part;
      if (part.type === 'reasoning-delta') yield { type: 'thinking', text: delta };
      else if (part.type === 'text-delta' && delta !== '') {
        wrote = true;
        length += delta.length;
        yield { type: 'text', block: 0, text: delta };
      }
    }
  } catch (cause) {
    signal?.throwIfAborted();
    const error = failureOf(model, cause, isOpen);
    if (!wrote) throw error;
    yield stopWith('broken', error);
    return;
  }
  yield { type: 'blockEnd', block: 0 };
  const reason = typeof end?.finishReason === 'object' ? end.finishReason.unified : end?.finishReason;
  const broken = end === undefined ? 'the stream ended before the answer did' : 'the answer ended with an error';
  if (end === undefined || reason === 'error') yield stopWith('broken', failureOf(model, new Error(broken), true));
  else yield stopWith(reason === 'length' ? 'length' : reason === 'content-filter' ? 'refusal' : 'end');
}

function usageOf(usage: AiPart['usage'], inputTokens: number, outputTokens: number): ModelUsage {
  const total = (count: AiCount): number | undefined => (typeof count === 'object' ? count.total : count);
  const { inputTokens: input, outputTokens: output } = usage ?? {};
  return {
    inputTokens: total(input) ?? inputTokens,
    outputTokens: total(output) ?? outputTokens,
    cacheReadTokens: (typeof input === 'object' ? input.cacheRead : undefined) ?? 0,
    cacheWriteTokens: 0,
  };
}

/**
 * Gives errors of a provider an error code, so that another mode can answer instead.
 * @param isOpen the answer had begun: what was read and thought is billed
 */
function failureOf({ provider, modelId }: AiModel, cause: unknown, isOpen: boolean): IbidError {
  if (cause instanceof IbidError) return cause;
  const status = typeof cause === 'object' && cause !== null && 'statusCode' in cause ? cause.statusCode : undefined;
  const code =
    status === 401
      ? 'KEY_REJECTED'
      : status === 429
        ? 'RATE_LIMITED'
        : isOpen && status === undefined
          ? 'STREAM_BROKEN'
          : 'SERVICE_FAILED';
  return new IbidError(code, `the model "${provider}:${modelId}" failed: ${messageOf(cause)}`, { cause });
}

/** Errors in a stream are what the provider sent, often a plain object. */
function messageOf(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null) return String(cause);
  return 'message' in cause && typeof cause.message === 'string'
    ? cause.message
    : inspect(cause, { breakLength: Infinity });
}
