import { describe, expect, it } from 'vitest';
import type { IbidError } from '../../../src/core/errors.ts';
import type { AnswerRequest, ResearchRequest, SearchService } from '../../../src/wire/search/index.ts';
import { prepared } from './fake.ts';

/** The error of a call that must be refused before anything is sent. */
async function refusal(call: (service: SearchService) => unknown): Promise<IbidError> {
  const { service, sent } = prepared({ experimental: { sandbox: true } });
  let error: unknown;
  try {
    await call(service);
  } catch (caught) {
    error = caught;
  }
  expect(sent).toEqual([]);
  expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' });
  return error as IbidError;
}

const user = { role: 'user', content: 'q' } as const;
// Requests here are wrong on purpose, also in their types.
const answer = (fields: object): AnswerRequest =>
  ({ model: 'answer-pro', messages: [user], ...fields }) as AnswerRequest;
const ask = (fields: object): ResearchRequest =>
  ({ model: 'provider-a/model-x', input: 'q', ...fields }) as ResearchRequest;

describe('answers are refused before sending', () => {
  it.each<[object, string, string?]>([
    [{ model: undefined }, 'model: is required'],
    [{ model: 'answer-huge' }, 'model: unknown model "answer-huge"'],
    [{ model: 'embed-v1-4b' }, 'model: "embed-v1-4b" is not a model of this operation'],
    [{ messages: [] }, 'messages: must not be empty'],
    [{ messages: 'q' }, 'messages: must be an array'],
    [{ messages: [{ role: 'user', content: '  ' }] }, 'messages[0].content: must not be empty'],
    [{ messages: [{ role: 'robot', content: 'q' }] }, 'messages[0].role: must be one of'],
    [{ messages: [{ role: 'system', content: 's' }] }, 'messages: hold no user message'],
    [{ messages: [user, { role: 'assistant', content: 'a' }] }, 'messages: must end with a user message'],
    [{ messages: [user, { role: 'system', content: 's' }] }, 'messages[1].role: a system message must come before'],
    [{ messages: [{ ...user, name: 'x' }] }, 'messages[0].name: is not a field'],
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://x.example/a.png' } }] }] },
      'messages[0].content[0].image_url: must be an https',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'video', url: 'x' }] }] },
      'messages[0].content[0].type: must be one of',
    ],
    [{ max_tokens: 0 }, 'max_tokens: must be a whole number from 1 to 128000'],
    [{ max_tokens: 1.5 }, 'max_tokens: must be a whole number'],
    [{ temperature: 2.1 }, 'temperature: must be a number from 0 to 2'],
    [{ top_p: Number.NaN }, 'top_p: must be a number from 0 to 1'],
    [{ search_recency_filter: 'decade' }, 'search_recency_filter: must be one of hour, day, week, month, year'],
    [
      { search_recency_filter: 'day', search_after_date_filter: '1/2/2026' },
      'search_recency_filter: cannot be combined with search_after_date_filter',
    ],
    [
      { search_recency_filter: 'day', last_updated_before_filter: '1/2/2026' },
      'search_recency_filter: cannot be combined with last_updated_before_filter',
    ],
    [{ search_after_date_filter: '2026-01-02' }, 'search_after_date_filter: must be a date as MM/DD/YYYY'],
    [{ search_after_date_filter: '13/01/2026' }, 'search_after_date_filter: there is no such day'],
    [{ search_after_date_filter: '02/30/2026' }, 'search_after_date_filter: there is no such day'],
    [
      { search_after_date_filter: '2/1/2026', search_before_date_filter: '1/31/2026' },
      'search_after_date_filter: is later than search_before_date_filter',
    ],
    [{ search_domain_filter: ['a.example', '-b.example'] }, 'search_domain_filter: mixes allowed and denied'],
    [{ search_domain_filter: ['https://a.example'] }, 'search_domain_filter[0]: must not hold a scheme'],
    [{ search_domain_filter: ['a'.repeat(254)] }, 'search_domain_filter[0]: has 254 characters; the limit is 253'],
    [
      { search_domain_filter: new Array(21).fill('a.example') },
      'search_domain_filter: holds 21 entries; the limit is 20',
    ],
    [{ search_domain_filter: [] }, 'search_domain_filter: must not be an empty array'],
    [{ search_language_filter: ['english'] }, 'search_language_filter[0]: must be a two-letter'],
    [{ search_type: 'pro' }, 'search_type: "pro" needs a streamed answer'],
    [{ web_search_options: { search_type: 'pro' } }, 'search_type: "pro" needs a streamed answer'],
    [
      { search_context_size: 'low', web_search_options: { search_context_size: 'high' } },
      'search_context_size: contradicts',
    ],
    [{ search_context_size: 'huge' }, 'search_context_size: must be one of low, medium, high'],
    [
      { web_search_options: { user_location: { latitude: 1, longitude: 2 } } },
      'web_search_options.user_location.country: is required with coordinates',
    ],
    [
      { web_search_options: { user_location: { country: 'DE', latitude: 1 } } },
      'web_search_options.user_location: needs both',
    ],
    [{ reasoning_effort: 'high' }, 'reasoning_effort: is for the deep research model only'],
    [{ image_format_filter: ['png'] }, 'image_format_filter: has no effect without return_images'],
    [{ return_images: true, image_format_filter: ['bmp'] }, 'image_format_filter[0]: must be one of'],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'has space', schema: {} } } },
      'response_format.json_schema.name: must be',
    ],
    [{ response_format: { type: 'regex' } }, 'response_format.type: must be one of'],
    [{ stop: [''] }, 'stop: must be'],
    [{ stream: true }, 'stream: is true, but this method sends false'],
    [{ stream_mode: 'concise' }, 'stream_mode: is for streams only'],
    [{ searchRecency: 'day' }, 'searchRecency: is not a field of this request'],
  ])('%j', async (fields, message) => {
    expect((await refusal((service) => service.answers.create(answer(fields)))).message).toContain(message);
  });

  it('refuses two messages of one role when told to, else joins and says so', async () => {
    const messages = [user, { role: 'user', content: 'r' }] as const;
    const error = await refusal((service) => service.answers.create(answer({ messages }), { neighbours: 'reject' }));
    expect(error.message).toContain('messages[1].role: "user" follows "user"');
    const { service, sent } = prepared({}, { choices: [{ message: { content: 'a' } }] });
    const { notes } = await service.answers.create(answer({ messages }));
    expect(sent[0]?.body.messages).toEqual([{ role: 'user', content: 'q\n\nr' }]);
    expect(notes).toEqual([expect.stringContaining('messages[1] was joined')]);
  });

  it("refuses more than the model's context, by estimate or by the caller's count", async () => {
    const messages = [{ role: 'user', content: 'word '.repeat(127_000) }] as const;
    const error = await refusal((service) => service.answers.create({ model: 'answer-base', messages }));
    expect(error.message).toBe('messages: hold about 127004 tokens; answer-base takes 127000');
    expect(error.hint).toContain('countTokens');
    const counted = await refusal((service) => service.answers.create(answer({}), { countTokens: () => 200_000 }));
    expect(counted.message).toBe('messages: hold 200004 tokens; answer-pro takes 200000');
    const { service, sent } = prepared({}, { choices: [{ message: { content: 'a' } }] });
    await service.answers.create({ model: 'answer-base', messages }, { countTokens: () => 5 });
    expect(sent).toHaveLength(1);
  });

  it('refuses an attachment over 50 MB', async () => {
    const url = 'A'.repeat(66_666_672); // base64 of 50,000,004 bytes
    const messages = [{ role: 'user', content: [{ type: 'file_url', file_url: { url } }] }];
    const error = await refusal((service) => service.answers.create(answer({ messages })));
    expect(error.message).toContain('messages[0].content[0].file_url: holds 50000004 bytes; the limit is 50000000');
  });

  it('counts attachments', async () => {
    const part = { type: 'file_url', file_url: { url: 'https://x.example/a.pdf' } };
    const messages = [{ role: 'user', content: [...new Array(31).fill(part), { type: 'text', text: 'q' }] }];
    expect((await refusal((service) => service.answers.create(answer({ messages })))).message).toContain(
      'the limit is 30',
    );
  });
});

describe('research is refused before sending', () => {
  it.each<[object, string]>([
    [{ model: undefined }, 'model: is required without models and preset'],
    [{ model: 'model-x' }, 'model: must have the form <provider>/<model>'],
    [{ models: ['a/b', 'a/b', 'a/b', 'a/b', 'a/b', 'a/b'] }, 'models: holds 6 entries; the limit is 5'],
    [{ models: ['nope'] }, 'models[0]: must have the form'],
    [{ input: '' }, 'input: must not be empty'],
    [{ input: [] }, 'input: must not be empty'],
    [
      { input: [{ type: 'function_call_output', call_id: 'c', output: '' }] },
      'input[0].call_id: answers no function_call',
    ],
    [{ input: [{ type: 'message', role: 'tool', content: 'x' }] }, 'input[0].role: must be one of'],
    [{ max_steps: 101 }, 'max_steps: must be a whole number from 1 to 100'],
    [{ max_steps: 0 }, 'max_steps: must be a whole number from 1 to 100'],
    [{ max_tokens: 5, max_output_tokens: 6 }, 'max_tokens: contradicts max_output_tokens'],
    [
      { tools: [{ type: 'web_search', config: { search_domain_filter: ['a.example', '-b.example'] } }] },
      'tools[0].config.search_domain_filter: mixes',
    ],
    [
      { tools: [{ type: 'web_search', config: { search_after_date_filter: '2026-01-01' } }] },
      'tools[0].config.search_after_date_filter: must be a date',
    ],
    [{ tools: [{ type: 'web_search', config: {}, filters: {} }] }, 'tools[0].config: and filters are two spellings'],
    [{ tools: [{ type: 'web_search', max_results: 51 }] }, 'tools[0].max_results: must be a whole number from 1 to 50'],
    [{ tools: [{ type: 'fetch_url', max_urls: 11 }] }, 'tools[0].max_urls: must be a whole number from 1 to 10'],
    [{ tools: [{ type: 'fetch_url', total_budget_tokens: 120_001 }] }, 'tools[0].total_budget_tokens'],
    [{ tools: [{ type: 'function', name: 'search_web', parameters: {} }] }, 'tools[0].name: "search_web" is reserved'],
    [{ tools: [{ type: 'function', name: 'has space', parameters: {} }] }, 'tools[0].name: must be 1 to 64'],
    [{ tools: [{ type: 'function', function: { name: 'x' } }] }, 'tools[0].function: is not a field'],
    [{ tools: new Array(2).fill({ type: 'function', name: 'f', parameters: {} }) }, 'tools[1].name: is declared twice'],
    [{ tools: [{ type: 'browser' }] }, 'tools[0].type: must be one of'],
    [{ tool_choice: { name: 'f' } }, 'tool_choice.name: names no function'],
    [{ tool_choice: 'maybe' }, 'tool_choice: must be one of'],
    [{ text: { format: {} } }, 'text: is not taken here'],
    [{ response_format: { type: 'json_schema', json_schema: { schema: {} } } }, 'response_format.json_schema.name'],
    [{ reasoning: { effort: 'huge' } }, 'reasoning.effort: must be one of'],
    [
      { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, 'v'])) },
      'metadata: has 17 keys; the limit is 16',
    ],
  ])('%j', async (fields, message) => {
    expect((await refusal((service) => service.research.create(ask(fields)))).message).toContain(message);
    expect((await refusal((service) => service.research.stream(ask(fields)))).message).toContain(message);
  });

  it('a body over 32 MiB', async () => {
    const input = 'é'.repeat(16 * 1024 * 1024);
    const error = await refusal((service) => service.research.create(ask({ input })));
    expect(error.message).toMatch(/^input: makes a body of 335\d{5} bytes; the limit is 33554432$/);
  });
});

describe('searches are refused before sending', () => {
  it.each<[object, string]>([
    [{ query: ' ' }, 'query: must not be empty'],
    [{ query: [] }, 'query: must not be an empty array'],
    [{ query: ['a', ''] }, 'query[1]: must not be empty'],
    [{ max_results: 21 }, 'max_results: must be a whole number from 1 to 20'],
    [{ max_tokens: 1_000_001 }, 'max_tokens: must be a whole number from 1 to 1000000'],
    [{ max_tokens_per_page: 0 }, 'max_tokens_per_page: must be'],
    [{ max_tokens: 5, search_context_size: 'low' }, 'search_context_size: cannot be combined with max_tokens'],
    [{ max_tokens_per_page: 5, search_context_size: 'low' }, 'cannot be combined with max_tokens_per_page'],
    [{ country: 'Germany' }, 'country: must be a two-letter'],
    [{ search_mode: 'academic' }, 'search_mode: is refused by the service'],
    [
      { search_recency_filter: 'day', search_before_date_filter: '01/01/2026' },
      'search_recency_filter: cannot be combined',
    ],
  ])('%j', async (fields, message) => {
    const error = await refusal((service) => service.search({ query: 'q', ...fields } as never));
    expect(error.message).toContain(message);
  });
  it('takes five queries in one request, not six', async () => {
    const error = await refusal((service) =>
      service.search({ query: ['a', 'b', 'c', 'd', 'e', 'f'] }, { several: 'together' }),
    );
    expect(error.message).toContain('query: holds 6 entries; the limit is 5');
  });
});

describe('embeddings are refused before sending', () => {
  it.each<[object, string]>([
    [{ model: 'embed-context-v1-4b' }, 'model: "embed-context-v1-4b" is not a model of this operation'],
    [{ input: [] }, 'input: must not be an empty array'],
    [{ input: ['a', ''] }, 'input[1]: must not be empty'],
    [{ input: ['a', 3] }, 'input[1]: must be a string, got 3'],
    [{ input: new Array(513).fill('a') }, 'input: holds 513 texts; the limit is 512'],
    [{ dimensions: 127 }, 'dimensions: must be a whole number from 128 to 1024'],
    [{ dimensions: 1025 }, 'dimensions: must be a whole number from 128 to 1024'],
    [{ encoding_format: 'float' }, 'encoding_format: must be one of base64_int8, base64_binary'],
    [{ dimensions: 129, encoding_format: 'base64_binary' }, 'dimensions: must be a multiple of 8'],
    [{ input: ['word '.repeat(32_001)] }, 'input[0]: holds about 32001 tokens; the limit is 32000 per text'],
    [
      { input: new Array(5).fill('word '.repeat(24_001)) },
      'input: holds about 120005 tokens; the limit is 120000 per request',
    ],
    [{ user: 'me' }, 'user: is not a field'],
  ])('standard %#', async (fields, message) => {
    const request = { model: 'embed-v1-0.6b', input: ['a'], ...fields };
    expect((await refusal((service) => service.embeddings.create(request as never))).message).toContain(message);
  });

  it.each<[unknown, string]>([
    [['flat'], 'input[0]: must be an array of chunks'],
    [[['a'], []], 'input[1]: must not be an empty array'],
    [[['a', ' ']], 'input[0][1]: must not be empty'],
    [new Array(513).fill(['a']), 'input: holds 513 documents; the limit is 512'],
    [[new Array(16_001).fill('a')], 'input: holds 16001 chunks; the limit is 16000'],
    [
      [['word '.repeat(20_000), 'word '.repeat(12_001)]],
      'input[0]: holds about 32001 tokens; the limit is 32000 per document',
    ],
  ])('contextual %#', async (input, message) => {
    const request = { model: 'embed-context-v1-4b', input };
    expect((await refusal((service) => service.embeddings.contextual(request as never))).message).toContain(message);
  });

  it("believes the caller's own token counter", async () => {
    const request = { model: 'embed-v1-0.6b', input: ['abc'] };
    const error = await refusal((service) => service.embeddings.create(request, { countTokens: () => 32_001 }));
    expect(error.message).toBe('input[0]: holds 32001 tokens; the limit is 32000 per text');
    const { service, sent } = prepared({}, { data: [{ index: 0, embedding: Buffer.alloc(1024).toString('base64') }] });
    await service.embeddings.create({ ...request, input: ['word '.repeat(40_000)] }, { countTokens: () => 10 });
    expect(sent).toHaveLength(1);
  });
});

describe('the sandbox', () => {
  it('needs its flag', async () => {
    const { service, sent } = prepared({});
    await expect(service.sandbox.create()).rejects.toMatchObject({
      message: expect.stringContaining('experimental.sandbox'),
    });
    expect(sent).toEqual([]);
  });
  it.each<[(service: SearchService) => unknown, string]>([
    [(service) => service.sandbox.get(''), 'session_id: must not be empty'],
    [(service) => service.sandbox.execute('s', { code: '', language: 'bash' }), 'code: must not be empty'],
    [(service) => service.sandbox.execute('s', { code: 'x', language: 'ruby' as never }), 'language: must be one of'],
    [
      (service) => service.sandbox.execute('s', { code: 'x', language: 'bash', execution_timeout: 121 }),
      'execution_timeout',
    ],
    [(service) => service.sandbox.writeFile('s', 'p', 3 as never), 'content: must be a string or bytes'],
  ])('refuses %#', async (call, message) => expect((await refusal(call)).message).toContain(message));
});
