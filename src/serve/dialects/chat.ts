import { randomUUID } from 'node:crypto';
import type { Answer } from '../../answer/contract.ts';
import { type Call, type Route, route, type ServerEvent } from '../route.ts';
import { askIndexes } from '../routes/ask.ts';
import type { AnyObjectSchema } from '../schema.ts';
import {
  dialectEvent,
  dialectProblem,
  lastOf,
  type Message,
  messagesWith,
  questionOf,
  sourcesOf,
  usageOf,
  usualModel,
} from './asking.ts';
import { type DocumentFilterFields, filterSchemas } from './filters.ts';

interface ChatRequest extends DocumentFilterFields {
  readonly model?: string;
  readonly messages: readonly Message[];
  readonly stream?: boolean | null;
  readonly stream_options?: { readonly include_usage?: boolean | null } | null;
}

/** Fields that are not read are let through: they belong to models. */
const chatRequest: AnyObjectSchema = {
  type: 'object',
  properties: {
    model: { type: 'string', maxLength: 200 },
    messages: messagesWith('role'),
    stream: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
    stream_options: {
      anyOf: [
        { type: 'object', properties: { include_usage: { anyOf: [{ type: 'boolean' }, { type: 'null' }] } } },
        { type: 'null' },
      ],
    },
    ...filterSchemas,
  },
  required: ['messages'],
};

/** The dialect of the search service, and the common one, which has fewer fields and another end of a stream. */
export const chatRoutes: readonly Route[] = [
  chatRoute('/chat/completions', true),
  chatRoute('/v1/chat/completions', false),
];

function chatRoute(path: string, isReference: boolean): Route {
  return route<ChatRequest>({
    path,
    methods: ['POST'],
    summary: 'An answer in the common dialect of chats; the model is a mode of ours.',
    scope: 'ask',
    request: chatRequest,
    question: ({ messages: said }) => lastOf(said),
    problem: dialectProblem,
    handle: async (call) => {
      const head = {
        id: `chatcmpl-${randomUUID()}`,
        created: Math.floor(Date.now() / 1000),
        model: call.input.model ?? usualModel,
      };
      const { messages: said, model, stream } = call.input;
      const asked = questionOf(said, model, call.input);
      if (stream) return { events: chunks(call, asked, head, isReference), problemOf: dialectEvent };
      for await (const event of askIndexes(asked, call)) {
        if (event.type !== 'done') continue;
        const { answer } = event.answer;
        const choices = [
          {
            index: 0,
            message: { role: 'assistant', content: answer, refusal: null },
            logprobs: null,
            finish_reason: 'stop',
          },
        ];
        return {
          json: {
            ...head,
            object: 'chat.completion',
            choices,
            ...ending(call, asked.question, event.answer, event.index),
          },
        };
      }
      throw new Error('the answer has no end');
    },
  });
}

type Head = { readonly id: string; readonly created: number; readonly model: string };

async function* chunks(
  call: Call<ChatRequest>,
  asked: Parameters<typeof askIndexes>[0],
  head: Head,
  isReference: boolean,
): AsyncGenerator<ServerEvent> {
  const chunk = (delta: object, finish: string | null, more: object = {}): ServerEvent => {
    const object = isReference && finish !== null ? 'chat.completion.done' : 'chat.completion.chunk';
    return { data: { ...head, object, choices: [{ index: 0, delta, finish_reason: finish }], ...more } };
  };
  let begun = false;
  for await (const event of askIndexes(asked, call)) {
    if (event.type === 'text') {
      yield chunk({ ...(begun ? {} : { role: 'assistant' }), content: event.text }, null);
      begun = true;
    }
    if (event.type !== 'done') continue;
    const { usage, ...rest } = ending(call, asked.question, event.answer, event.index);
    // whoever asks for it in the common dialect looks for it in a chunk of its own
    const isApart = !isReference && call.input.stream_options?.include_usage === true;
    yield chunk({}, 'stop', isApart ? rest : { usage, ...rest });
    if (isApart) yield { data: { ...head, object: 'chat.completion.chunk', choices: [], usage } };
    yield { data: '[DONE]' };
  }
}

function ending(call: Call, question: string, answer: Answer, index: string | undefined) {
  const sources = sourcesOf(answer, call, index);
  const { input, output } = usageOf(question, answer);
  return {
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    citations: sources.map(({ url }) => url),
    search_results: sources.map(({ n: _, ...source }) => source),
  };
}
