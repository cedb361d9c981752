import type { ServerEvent, WireCallOptions } from '../http/contract.ts';
import { errorFromBody, WireError } from '../http/errors.ts';
import { factsOf } from './events.ts';
import { operation } from './operations.ts';
import { type MessagesProfile, modelRules } from './profile.ts';
import { isRecord, mustBeInteger, mustBeNumber, mustBeOneOf, mustBeText, mustKnow, refuse } from './refuse.ts';
import { callForObject, type Wiring } from './wiring.ts';

/** The common chat-completions wire. Basic chat and tools only: no citations, no caching, no documents; not for grounded answers. */
export interface ChatRequest {
  readonly model: string;
  /** System messages are joined and put first by the service. */
  readonly messages: readonly ChatMessage[];
  readonly max_tokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  readonly stop?: string | readonly string[] | undefined;
  readonly tools?: readonly {
    readonly type: 'function';
    readonly function: { readonly name: string; readonly description?: string; readonly parameters?: unknown };
  }[];
  readonly tool_choice?: 'auto' | 'none' | 'required' | Readonly<Record<string, unknown>> | undefined;
  readonly parallel_tool_calls?: boolean | undefined;
  readonly stream_options?: { readonly include_usage?: boolean } | undefined;
}

export interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly content?: string | readonly Readonly<Record<string, unknown>>[] | null | undefined;
  readonly tool_calls?: readonly ChatToolCall[] | undefined;
  readonly tool_call_id?: string | undefined;
}

export interface ChatToolCall {
  readonly id: string;
  readonly type: 'function';
  /** `arguments` is JSON text. */
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface ChatUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

export interface ChatCompletion {
  readonly id: string;
  readonly object: 'chat.completion';
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly message: {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls?: readonly ChatToolCall[];
    };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: ChatUsage | null;
}

export interface ChatChunk {
  readonly id: string;
  readonly object: 'chat.completion.chunk';
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly delta: {
      readonly role?: string;
      readonly content?: string | null;
      readonly tool_calls?: readonly {
        readonly index: number;
        readonly id?: string;
        readonly type?: string;
        readonly function?: { readonly name?: string; readonly arguments?: string };
      }[];
    };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: ChatUsage | null;
}

export interface ChatClient {
  create(request: ChatRequest, options?: WireCallOptions): Promise<ChatCompletion>;
  /** Ends after `[DONE]`. @throws WireError STREAM_BROKEN when the stream ends without it and without a finish reason */
  stream(request: ChatRequest, options?: WireCallOptions): AsyncGenerator<ChatChunk, void, undefined>;
}

const fields = new Set([
  'model',
  'messages',
  'max_tokens',
  'temperature',
  'top_p',
  'stop',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'stream_options',
]);

export function chatClient(wiring: () => Wiring): ChatClient {
  const create: ChatClient['create'] = async (request, options) => {
    checkChat(request, wiring().profile);
    if (request.stream_options !== undefined) refuse('stream_options', 'belongs to `stream`');
    const attributes = { 'gen_ai.request.model': request.model };
    return callForObject<ChatCompletion>(wiring(), 'messages.chat', { json: request, attributes, options });
  };
  async function* chunks(
    request: ChatRequest,
    options: WireCallOptions | undefined,
  ): AsyncGenerator<ChatChunk, void, undefined> {
    const name = 'messages.chat_stream';
    const { transport } = wiring();
    const attributes = { 'gen_ai.request.model': request.model };
    const reply = await transport.events(operation(name), { json: { ...request, stream: true }, attributes, options });
    const facts = factsOf(name, reply);
    let finished = false;
    for await (const batch of reply.batches()) {
      for (const event of batch) {
        if (event.data.trim() === '[DONE]') return;
        const value = parseChunk(event, facts);
        finished ||= value.choices.some((choice) => typeof choice.finish_reason === 'string');
        yield value;
      }
    }
    if (!finished) throw new WireError('STREAM_BROKEN', `${name}: the stream ended before its end`, facts);
  }
  return {
    create,
    stream: (request, options) => {
      checkChat(request, wiring().profile);
      return chunks(request, options);
    },
  };
}

function parseChunk({ event, data }: ServerEvent, facts: ReturnType<typeof factsOf>): ChatChunk {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (cause) {
    throw new WireError('RESPONSE_INVALID', `${facts.operation}: an event is not JSON`, {
      ...facts,
      body: data.slice(0, 2000),
      cause,
    });
  }
  if (isRecord(value) && (event === 'error' || isRecord(value.error))) throw errorFromBody(value, facts);
  if (!isRecord(value) || !Array.isArray(value.choices) || !value.choices.every(isRecord)) {
    throw new WireError('RESPONSE_INVALID', `${facts.operation}: an event is not a chunk`, {
      ...facts,
      body: data.slice(0, 2000),
    });
  }
  return value as unknown as ChatChunk; // its list of choices is one
}

function checkChat(request: ChatRequest, profile: MessagesProfile): void {
  if (!isRecord(request)) refuse('request', 'must be an object');
  mustKnow(request, '', fields);
  mustBeText(request.model, 'model');
  if (profile.knownModelsOnly && modelRules(profile, request.model) === undefined) {
    refuse('model', `"${request.model}" is not a model of this service (${Object.keys(profile.models).join(', ')})`);
  }
  if (!Array.isArray(request.messages) || request.messages.length === 0)
    refuse('messages', 'must be a list of at least one message');
  request.messages.forEach((message: unknown, at) => {
    if (!isRecord(message)) refuse(`messages[${at}]`, 'must be { role, content }');
    mustBeOneOf(message.role, `messages[${at}].role`, ['system', 'developer', 'user', 'assistant', 'tool']);
    const calls = message.role === 'assistant' && Array.isArray(message.tool_calls) && message.tool_calls.length > 0;
    if (typeof message.content === 'string' && !(calls && message.content === ''))
      mustBeText(message.content, `messages[${at}].content`);
    else if (!Array.isArray(message.content) && !calls)
      refuse(`messages[${at}].content`, 'must be a string or a list of parts');
  });
  if (request.max_tokens !== undefined) mustBeInteger(request.max_tokens, 'max_tokens', 1);
  if (request.temperature !== undefined) mustBeNumber(request.temperature, 'temperature', 0, 1);
  if (request.top_p !== undefined) mustBeNumber(request.top_p, 'top_p', 0, 1);
}
