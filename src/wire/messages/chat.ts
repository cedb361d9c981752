import { isRecord } from '../../core/records.ts';
import { streamFactsOf } from '../http/answer.ts';
import { anything, type Fields, fields, integer, list, number, record, required, text } from '../http/check.ts';
import type { Call, ServerEvent, WireCallOptions } from '../http/contract.ts';
import { type EndpointTable, endpoints, type Sent } from '../http/endpoint.ts';
import { errorFromBody, WireError, type WireErrorFacts } from '../http/errors.ts';
import { checkModel } from './check.ts';
import { type MessagesProfile, modelName } from './profile.ts';

/**
 * The common chat-completions wire. Basic chat and tools only: no citations, no caching, no documents; not for grounded
 * answers.
 */
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
  /**
   * Ends after `[DONE]`. @throws WireError STREAM_BROKEN when the stream ends without it and without a finish reason
   */
  stream(request: ChatRequest, options?: WireCallOptions): AsyncGenerator<ChatChunk, void, undefined>;
}

/** The compatible endpoint passes over fields it does not know, so a misspelt one would be billed without effect. */
const chatFields: Fields = {
  model: required(text),
  messages: required(list(record, Number.MAX_SAFE_INTEGER, 1)),
  max_tokens: integer(1),
  temperature: number(0, 1),
  top_p: number(0, 1),
  stop: anything,
  tools: anything,
  tool_choice: anything,
  parallel_tool_calls: anything,
};

const at = 'POST /v1/chat/completions';

export const chatTable: EndpointTable<ChatClient, MessagesProfile> = endpoints<ChatClient, MessagesProfile>(
  { service: 'messages', group: 'messages' },
  {
    create: {
      name: 'messages.chat',
      at,
      genAi: 'chat',
      json: fields(chatFields),
      spell: ([request], profile) => spell(request, profile),
    },
    stream: {
      name: 'messages.chat_stream',
      at,
      genAi: 'chat',
      json: fields({ ...chatFields, stream_options: anything }),
      spell: ([request], profile) => spell({ ...request, stream: true }, profile),
      pages: chunks,
    },
  },
);

function spell(request: ChatRequest & { readonly stream?: true }, profile: MessagesProfile): Partial<Call> {
  const { model } = request;
  checkModel('model', model, profile);
  return { attributes: { 'gen_ai.request.model': model }, json: { ...request, model: modelName(profile, model) } };
}

async function* chunks({ wiring, operation, call }: Sent<MessagesProfile>): AsyncGenerator<ChatChunk, void, undefined> {
  const reply = await wiring.transport.events(operation, call);
  const facts = streamFactsOf({ operation, info: reply });
  let finished = false;
  for await (const batch of reply.batches()) {
    for (const event of batch) {
      if (event.data.trim() === '[DONE]') return;
      const value = parseChunk(event, facts);
      finished ||= value.choices.some((choice) => typeof choice.finish_reason === 'string');
      yield value;
    }
  }
  if (!finished) throw new WireError('STREAM_BROKEN', `${operation.name}: the stream ended before its end`, facts);
}

function parseChunk({ event, data }: ServerEvent, facts: WireErrorFacts): ChatChunk {
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
