import * as v from 'valibot';
import type { Reply, Route, SseEvent } from '../contract.ts';
import { strictly } from '../strict.ts';
import { enter } from './door.ts';
import type { Answer, Engine } from './engine.ts';
import { refuseField } from './errors.ts';
import type { AnswerBlock } from './finish.ts';
import type { ResolvedOptions } from './options.ts';

const textPart = v.strictObject({ type: v.literal('text'), text: v.string() });
const imagePart = v.strictObject({
  type: v.literal('image_url'),
  image_url: v.strictObject({ url: v.string(), detail: v.optional(v.string()) }),
});
const parts = v.lazy(
  (input): v.GenericSchema<unknown, string | unknown[]> =>
    Array.isArray(input) ? v.array(v.variant('type', [textPart, imagePart])) : v.string(),
);
const call = v.strictObject({
  id: v.string(),
  type: v.literal('function'),
  function: v.strictObject({ name: v.string(), arguments: v.string() }),
});
const chatMessage = v.variant('role', [
  v.strictObject({ role: v.picklist(['system', 'developer']), content: parts, name: v.optional(v.string()) }),
  v.strictObject({ role: v.literal('user'), content: parts, name: v.optional(v.string()) }),
  v.strictObject({
    role: v.literal('assistant'),
    content: v.optional(v.nullable(parts)),
    tool_calls: v.optional(v.array(call)),
    refusal: v.optional(v.nullable(v.string())),
  }),
  v.strictObject({ role: v.literal('tool'), tool_call_id: v.string(), content: parts }),
]);
const chatBody = v.strictObject({
  model: v.string(),
  messages: v.pipe(v.array(chatMessage), v.minLength(1)),
  max_tokens: v.optional(v.number()),
  max_completion_tokens: v.optional(v.number()),
  temperature: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(2))),
  top_p: v.optional(v.number()),
  stop: v.optional(v.union([v.string(), v.array(v.string())])),
  stream: v.optional(v.boolean()),
  stream_options: v.optional(v.strictObject({ include_usage: v.optional(v.boolean()) })),
  n: v.optional(v.literal(1)),
  tools: v.optional(
    v.array(
      v.strictObject({
        type: v.literal('function'),
        function: v.strictObject({
          name: v.string(),
          description: v.optional(v.string()),
          parameters: v.optional(v.record(v.string(), v.unknown())),
          strict: v.optional(v.nullable(v.boolean())),
        }),
      }),
    ),
  ),
  tool_choice: v.optional(
    v.union([
      v.picklist(['auto', 'none', 'required']),
      v.strictObject({ type: v.literal('function'), function: v.strictObject({ name: v.string() }) }),
    ]),
  ),
  parallel_tool_calls: v.optional(v.boolean()),
  user: v.optional(v.string()),
  // Ignored, as the endpoint does.
  response_format: v.optional(v.unknown()),
  seed: v.optional(v.number()),
  frequency_penalty: v.optional(v.number()),
  presence_penalty: v.optional(v.number()),
});
type ChatBody = v.InferOutput<typeof chatBody>;

/**
 * The chat-completions endpoint: basic chat, streaming and tools over the same engine; system texts are hoisted and
 * joined by a line feed.
 */
export function chatRoute(engine: Engine, options: ResolvedOptions): Route {
  return {
    method: 'POST',
    path: '/v1/chat/completions',
    handle: async (exchange) => {
      const caller = enter(exchange, options, { body: 'json', bearerOnly: true });
      const checked = strictly(chatBody, exchange.request.body);
      if (checked.issue !== undefined) return refuseField(checked.issue.path, checked.issue.message);
      const chat = checked.value;
      const { body, model } = engine.check(messagesBody(chat, options), caller.betas, false);
      const answer = await engine.answer(body, model, engine.plan(body, model, caller.key), 'standard');
      engine.bill(exchange.ledger, 'chat.completions', model, answer, 'standard');
      return chat.stream === true ? { events: chunks(answer, chat, options.now()) } : completion(answer, options.now());
    },
  };
}

function messagesBody(chat: ChatBody, options: ResolvedOptions): Record<string, unknown> {
  const reference = options.dialect === 'reference';
  const system: string[] = [];
  const messages: { role: string; content: unknown[] }[] = [];
  const put = (role: string, blocks: unknown[]): void => {
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else messages.push({ role, content: blocks });
  };
  for (const message of chat.messages) {
    if (message.role === 'assistant') {
      const said = message.content == null || message.content === '' ? [] : blocks(message.content);
      const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: json } }) => ({
        type: 'tool_use',
        id,
        name,
        input: argumentsOf(json),
      }));
      put('assistant', [...said, ...calls]);
    } else if (message.role === 'tool') {
      put('user', [{ type: 'tool_result', tool_use_id: message.tool_call_id, content: plain(message.content) }]);
    } else if (message.role === 'user') put('user', blocks(message.content));
    else system.push(plain(message.content));
  }
  const choice = chat.tool_choice;
  const named = typeof choice === 'object' ? { type: 'tool', name: choice.function.name } : undefined;
  const kind = choice === 'required' ? 'any' : choice;
  return {
    model: chat.model,
    max_tokens: chat.max_completion_tokens ?? chat.max_tokens ?? 4096,
    messages,
    ...(system.length === 0 ? {} : { system: system.join('\n') }),
    ...(chat.temperature === undefined ? {} : { temperature: Math.min(1, chat.temperature) }),
    ...(chat.top_p === undefined ? {} : { top_p: chat.top_p }),
    ...(chat.stop === undefined ? {} : { stop_sequences: [chat.stop].flat() }),
    ...(chat.tools === undefined
      ? {}
      : {
          tools: chat.tools.map(({ function: tool }) => ({
            name: tool.name,
            ...(tool.description === undefined ? {} : { description: tool.description }),
            [reference ? 'parameters' : 'input_schema']: tool.parameters ?? { type: 'object' },
          })),
        }),
    ...(choice === undefined ? {} : { tool_choice: named ?? (reference ? kind : { type: kind }) }),
  };
}

function plain(content: string | unknown[]): string {
  return typeof content === 'string' ? content : content.map((part) => (part as { text?: string }).text ?? '').join('');
}

function blocks(content: string | unknown[]): unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((part) => {
    const { type, text, image_url: image } = part as { type: string; text?: string; image_url?: { url: string } };
    if (type === 'text') return { type: 'text', text };
    const data = /^data:([^;]+);base64,(.*)$/.exec(image?.url ?? '');
    return {
      type: 'image',
      source: data === null ? { type: 'url', url: image?.url } : { type: 'base64', media_type: data[1], data: data[2] },
    };
  });
}

function argumentsOf(json: string): unknown {
  try {
    return json === '' ? {} : JSON.parse(json);
  } catch {
    return refuseField('messages.tool_calls.function.arguments', 'is not valid JSON');
  }
}

const reasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

function usage(answer: Answer): Record<string, number> {
  const output = answer.finished.outputTokens;
  return { prompt_tokens: answer.plan.total, completion_tokens: output, total_tokens: answer.plan.total + output };
}

function toolCalls(answer: Answer): Record<string, unknown>[] {
  const content = answer.message.content as readonly AnswerBlock[];
  return content
    .filter((block) => block.type === 'tool_use')
    .map((block) => ({
      id: block.id,
      type: 'function',
      function: { name: block.name, arguments: JSON.stringify(block.input) },
    }));
}

function textOf(answer: Answer): string {
  const content = answer.message.content as readonly AnswerBlock[];
  return content.map((block) => (block.type === 'text' ? String(block.text) : '')).join('');
}

function completion(answer: Answer, now: number): Reply {
  const calls = toolCalls(answer);
  const text = textOf(answer);
  return {
    json: {
      id: answer.message.id,
      object: 'chat.completion',
      created: Math.floor(now / 1000),
      model: answer.message.model,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: text === '' && calls.length > 0 ? null : text,
            refusal: null,
            ...(calls.length > 0 ? { tool_calls: calls } : {}),
          },
          finish_reason: reasons[answer.finished.stopReason] ?? 'stop',
          logprobs: null,
        },
      ],
      usage: usage(answer),
    },
  };
}

function* chunks(answer: Answer, chat: ChatBody, now: number): Generator<SseEvent> {
  const chunk = (choices: unknown[], extra: Record<string, unknown> = {}): SseEvent => ({
    data: {
      id: answer.message.id,
      object: 'chat.completion.chunk',
      created: Math.floor(now / 1000),
      model: answer.message.model,
      choices,
      ...extra,
    },
  });
  const delta = (value: unknown, finish: string | null = null): SseEvent =>
    chunk([{ index: 0, delta: value, finish_reason: finish, logprobs: null }]);
  yield delta({ role: 'assistant', content: '' });
  for (const piece of textOf(answer).match(/.{1,12}/gsu) ?? []) yield delta({ content: piece });
  for (const [index, entry] of toolCalls(answer).entries()) {
    const { arguments: json, name } = entry.function as { arguments: string; name: string };
    yield delta({ tool_calls: [{ index, id: entry.id, type: 'function', function: { name, arguments: '' } }] });
    for (const piece of json.match(/.{1,9}/gsu) ?? [])
      yield delta({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  yield delta({}, reasons[answer.finished.stopReason] ?? 'stop');
  if (chat.stream_options?.include_usage === true) yield chunk([], { usage: usage(answer) });
  yield { data: '[DONE]' };
}
