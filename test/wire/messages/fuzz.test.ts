import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';
import { runTools } from '../../../src/modes/tools/loop.ts';
import {
  batchError,
  citationsOf,
  createMessagesService,
  defineTool,
  type MessagesService,
  textOf,
} from '../../../src/wire/messages/index.ts';
import { jsonOf } from '../../support/json-of-words.ts';
import { FakeTransport } from './fake.ts';

const words = fc.constantFrom(
  ...[
    'id',
    'type',
    'role',
    'content',
    'model',
    'usage',
    'stop_reason',
    'text',
    'citations',
    'tool_use',
    'input',
    'name',
  ],
  ...[
    'message',
    'assistant',
    'end_turn',
    'pause_turn',
    'input_tokens',
    'output_tokens',
    'iterations',
    'cache_creation',
  ],
  ...[
    'data',
    'has_more',
    'first_id',
    'last_id',
    'next_page',
    'processing_status',
    'ended',
    'request_counts',
    'results_url',
  ],
  ...['custom_id', 'result', 'succeeded', 'errored', 'error', 'choices', 'delta', 'index', 'content_block', 'thinking'],
  ...['signature', 'capabilities', 'cited_text', 'char_location', 'start_char_index', 'document_index', 'service_tier'],
);
const json = jsonOf(words);

const request = { model: 'assistant-small-4-5', max_tokens: 9, messages: [{ role: 'user' as const, content: 'q' }] };
const look = defineTool({ name: 'look', description: 'Looks.', schema: { type: 'object' }, run: () => 'seen' });
/** The first of a listing whose pages would go on for ever, had the stand-in more than one. */
const some = async (items: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of items) break;
};

const calls: Readonly<Record<string, (service: MessagesService) => Promise<unknown>>> = {
  create: async (service) => {
    const message = await service.create(request);
    return [textOf(message), citationsOf(message), service.costOf(message)];
  },
  count: (service) => service.countTokens({ model: request.model, messages: request.messages }),
  tools: (service) => runTools(service, request, { tools: [look], maxSteps: 1 }),
  chat: (service) => service.chat.create(request),
  batch: (service) => service.batches.create([{ custom_id: 'a', params: request }]),
  'batch get': (service) => service.batches.get('b'),
  'batch list': (service) => some(service.batches.list()),
  models: (service) => some(service.models.list()),
  model: (service) => service.models.get('m'),
  files: (service) => some(service.files.list()),
  me: (service) => service.admin.me(),
  users: (service) => some(service.admin.users.list()),
  usage: (service) => some(service.admin.usageReport({ starting_at: '2026-01-01T00:00:00Z' })),
  costs: (service) => some(service.admin.costReport({ starting_at: '2026-01-01T00:00:00Z' })),
};

/** Bodies that pass the first checks, so that the later readers see the odd values. */
const whole = { id: 'm', type: 'message', role: 'assistant', model: request.model, content: [], usage: {} };
const nearly: Readonly<Record<string, object>> = {
  create: whole,
  tools: { ...whole, stop_reason: 'tool_use', content: [{ type: 'tool_use', id: 't', name: 'look', input: {} }] },
  users: { data: [{}], has_more: false },
  chat: { choices: [{ index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }] },
};

const open = (...answers: unknown[]): MessagesService =>
  createMessagesService({ apiKey: 'k', baseUrl: 'https://a.example', transport: new FakeTransport(...answers) });

/** A result, or one of our own errors; the stand-in's own word that it was asked twice is none. */
async function settles(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof IbidError)) throw error;
    expect(error.code).not.toBe('INVALID_ARGUMENT');
  }
}

describe('any JSON at all gives a result or a typed error', () => {
  it.each(Object.keys(calls))('%s', async (name) => {
    const near = fc.dictionary(words, json, { maxKeys: 4 }).map((more) => ({ ...nearly[name], ...more }));
    await fc.assert(
      fc.asyncProperty(fc.oneof(json, near), (body) => settles(calls[name]!(open(body)))),
      { numRuns: 300 },
    );
  });

  it('as the chunks of a chat', async () => {
    const chunk = fc.oneof(
      json,
      fc.dictionary(words, json).map((more) => ({ choices: [{ index: 0, delta: {} }], ...more })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 6 }), async (chunks) => {
        const events = chunks.map((one) => ({ event: '', data: JSON.stringify(one) }));
        const read = async (): Promise<void> => {
          for await (const _ of open([events]).chat.stream(request));
        };
        await settles(read());
      }),
      { numRuns: 300 },
    );
  });

  it('as the lines of results', async () => {
    const line = fc.oneof(
      json,
      fc.dictionary(words, json).map((more) => ({ custom_id: 'a', result: { type: 'errored', error: {} }, ...more })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 6 }), async (lines) => {
        const read = async (): Promise<void> => {
          for await (const result of open([lines.map((one) => JSON.stringify(one))]).batches.results('b'))
            batchError(result);
        };
        await settles(read());
      }),
      { numRuns: 300 },
    );
  });
});
