import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IbidError } from '../../../src/core/errors.ts';
import type { SearchService } from '../../../src/wire/search/index.ts';
import { jsonOf } from '../../support/json-of-words.ts';
import { prepared } from './fake.ts';

const messages = [{ role: 'user', content: 'q' }] as const;
const words = fc.constantFrom(
  ...['choices', 'message', 'delta', 'content', 'citations', 'search_results', 'usage', 'cost', 'total_cost', 'object'],
  ...['output', 'status', 'id', 'type', 'results', 'data', 'index', 'embedding', 'response', 'item', 'annotations'],
  ...['chat.completion.done', 'completed', 'failed', 'message', 'output_text', 'function_call', 'call_id', 'error'],
  ...['response.completed', 'response.output_item.done', 'response.output_text.delta', 'output_index', 'arguments'],
  ...['url', 'finish_reason', 'stop', 'text', 'https://a.example', '<think>', 'reasoning_steps', 'tool_calls_details'],
  ...['prompt_tokens', 'completion_tokens', 'total_tokens', 'invocation', 'cost_usd', 'search_web', 'input_cost'],
);
const json = jsonOf(words);

const calls: Readonly<Record<string, (service: SearchService) => Promise<unknown>>> = {
  answers: (service) => service.answers.create({ model: 'answer-reasoning-pro', messages }),
  async: (service) => service.answers.async.create({ model: 'answer-base', messages }),
  list: (service) => service.answers.async.list(),
  research: (service) => service.research.create({ preset: 'fast-search', input: 'q' }),
  get: (service) => service.research.get('resp_1'),
  cancel: (service) => service.research.cancel('resp_1'),
  files: (service) => service.research.files('resp_1'),
  search: (service) => service.search({ query: ['a', 'b'] }, { several: 'together' }),
  embeddings: (service) => service.embeddings.create({ model: 'embed-v1-0.6b', input: ['a', 'b'] }),
  contextual: (service) => service.embeddings.contextual({ model: 'embed-context-v1-4b', input: [['a']] }),
  models: (service) => service.models(),
  sandbox: (service) => service.sandbox.create(),
  readFile: (service) => service.sandbox.readFile('s', 'p'),
  execute: (service) => service.sandbox.execute('s', { code: 'x', language: 'bash' }),
};

/** Bodies that pass the first checks, so that the later readers see the odd values. */
const nearly: Readonly<Record<string, object>> = {
  answers: { choices: [{ message: { content: 'a' } }] },
  research: { id: 'r', status: 'completed', output: [] },
  embeddings: { data: [0, 1].map((index) => ({ index, embedding: Buffer.alloc(1024).toString('base64') })) },
  search: { results: [{ url: 'https://a.example' }] },
};

/** A result, or one of our own errors. */
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
    const usage = fc.record({ usage: fc.dictionary(words, json, { maxKeys: 8 }) });
    const near = fc
      .tuple(usage, fc.dictionary(words, json, { maxKeys: 3 }))
      .map(([a, b]) => ({ ...a, ...nearly[name], ...b }));
    await fc.assert(
      fc.asyncProperty(fc.oneof(json, near), (body) =>
        settles(calls[name]!(prepared({ experimental: { sandbox: true } }, body).service)),
      ),
      { numRuns: 400 },
    );
  });

  it.each(['answers', 'research'] as const)('as the events of a stream: %s', async (room) => {
    const near = {
      answers: {
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }],
      },
      research: { type: 'response.created', sequence_number: 1, response: { id: 'r', status: 'in_progress' } },
    };
    const event = fc.oneof(
      json,
      fc.dictionary(words, json).map((more) => ({ ...near[room], ...more })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 6 }), async (events) => {
        const { service } = prepared({}, { events: events.map((one) => JSON.stringify(one)) });
        const open = async (): Promise<unknown> => {
          const stream =
            room === 'answers'
              ? await service.answers.stream({ model: 'answer-reasoning-pro', messages })
              : await service.research.stream({ preset: 'fast-search', input: 'q' });
          return stream.final();
        };
        await settles(open());
      }),
      { numRuns: 1_000 },
    );
  });
});
