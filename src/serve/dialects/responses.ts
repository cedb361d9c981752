import { randomUUID } from 'node:crypto';
import type { Answer } from '../../answer/contract.ts';
import { nameOf } from '../answer-shapes.ts';
import { type Call, type Route, route, type ServerEvent } from '../route.ts';
import { askIndexes } from '../routes/ask.ts';
import type { AnyObjectSchema } from '../schema.ts';
import {
  addressOf,
  dialectEvent,
  dialectProblem,
  lastOf,
  type Message,
  messagesWith,
  questionOf,
  usageOf,
  usualModel,
} from './asking.ts';
import { type DocumentFilterFields, filterSchemas } from './filters.ts';

interface ResponsesRequest extends DocumentFilterFields {
  readonly model?: string;
  readonly input: string | readonly Message[];
  readonly stream?: boolean | null;
}

const responsesRequest: AnyObjectSchema = {
  type: 'object',
  properties: {
    model: { type: 'string', maxLength: 200 },
    input: { anyOf: [{ type: 'string', minLength: 1, maxLength: 100_000 }, messagesWith()] },
    stream: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
    ...filterSchemas,
  },
  required: ['input'],
};

/** The common dialect of responses. */
export const responsesRoute: Route = route<ResponsesRequest>({
  path: '/v1/responses',
  methods: ['POST'],
  summary: 'An answer in the common dialect of responses; citations are annotations.',
  scope: 'ask',
  request: responsesRequest,
  question: ({ input }) => (typeof input === 'string' ? input : lastOf(input)),
  problem: dialectProblem,
  handle: async (call) => {
    const { input, model, stream } = call.input;
    const asked = questionOf(typeof input === 'string' ? [{ role: 'user', content: input }] : input, model, call.input);
    const started = begin(model ?? usualModel);
    if (stream) return { events: eventsOf(call, asked, started), problemOf: dialectEvent };
    for await (const event of askIndexes(asked, call))
      if (event.type === 'done') return { json: completed(call, started, asked.question, event.answer, event.index) };
    throw new Error('the answer has no end');
  },
});

interface Started {
  readonly id: string;
  readonly item: string;
  readonly model: string;
  readonly created_at: number;
}

function begin(model: string): Started {
  return { id: `resp_${randomUUID()}`, item: `msg_${randomUUID()}`, model, created_at: Math.floor(Date.now() / 1000) };
}

/** All fields that the dialect's clients expect to be there. */
function response(
  { id, model, created_at }: Started,
  status: string,
  output: readonly object[],
  more: object = {},
): object {
  return {
    ...{
      id,
      object: 'response',
      created_at,
      status,
      model,
      output,
      error: null,
      incomplete_details: null,
      instructions: null,
    },
    ...{ metadata: {}, parallel_tool_calls: false, temperature: null, tool_choice: 'none', tools: [], top_p: null },
    ...more,
  };
}

function completed(call: Call, started: Started, question: string, answer: Answer, index: string | undefined): object {
  const { input, output } = usageOf(question, answer);
  const usage = {
    ...{ input_tokens: input, output_tokens: output, total_tokens: input + output },
    ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
  };
  return response(started, 'completed', [message(started, 'completed', [part(call, answer, index)])], { usage });
}

function message({ item }: Started, status: string, content: readonly object[]): object {
  return { id: item, type: 'message', role: 'assistant', status, content };
}

/** The text with its citations; each covers the words it proves. */
function part(call: Call, { answer, citations }: Answer, index: string | undefined): object {
  const annotations = citations.map(({ reference, answerSpan, ...one }) => ({
    ...{ type: 'url_citation', url: addressOf(reference, call, index), title: nameOf(one) },
    ...{ start_index: answerSpan.start, end_index: answerSpan.end },
  }));
  return { type: 'output_text', text: answer, annotations, logprobs: [] };
}

async function* eventsOf(
  call: Call<ResponsesRequest>,
  asked: Parameters<typeof askIndexes>[0],
  started: Started,
): AsyncGenerator<ServerEvent> {
  let sequence = 0;
  const event = (type: string, fields: object): ServerEvent => ({
    event: type,
    data: { type, sequence_number: sequence++, ...fields },
  });
  const at = { item_id: started.item, output_index: 0, content_index: 0 };
  const empty = { type: 'output_text', text: '', annotations: [], logprobs: [] };
  let begun = false;
  for await (const one of askIndexes(asked, call)) {
    if (!begun) {
      begun = true;
      yield event('response.created', { response: response(started, 'in_progress', []) });
      yield event('response.in_progress', { response: response(started, 'in_progress', []) });
      yield event('response.output_item.added', { output_index: 0, item: message(started, 'in_progress', []) });
      yield event('response.content_part.added', { ...at, part: empty });
    }
    if (one.type === 'text') yield event('response.output_text.delta', { ...at, delta: one.text, logprobs: [] });
    if (one.type !== 'done') continue;
    const whole = part(call, one.answer, one.index);
    yield event('response.output_text.done', { ...at, text: one.answer.answer, logprobs: [] });
    yield event('response.content_part.done', { ...at, part: whole });
    yield event('response.output_item.done', { output_index: 0, item: message(started, 'completed', [whole]) });
    yield event('response.completed', { response: completed(call, started, asked.question, one.answer, one.index) });
  }
}
