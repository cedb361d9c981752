import { describe, expect, it } from 'vitest';
import type { IbidError } from '../../../src/core/errors.ts';
import type { AnswerRequest, ResearchRequest, SearchService } from '../../../src/wire/search/index.ts';
import { prepared } from './fake.ts';
import { loopback } from './loopback.ts';

const stand = await loopback({ experimental: { sandbox: true } });

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
const image = (url: string): object => ({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] });
const answer = (fields: object): AnswerRequest =>
  ({ model: 'answer-pro', messages: [user], ...fields }) as AnswerRequest;
const ask = (fields: object): ResearchRequest =>
  ({ model: 'provider-a/model-x', input: 'q', ...fields }) as ResearchRequest;

describe('answers are refused before sending', () => {
  it.each<[object, string]>([
    [{ model: undefined }, 'model: is required'],
    [{ model: 'answer-huge' }, 'model: unknown model "answer-huge"'],
    [{ model: 'embed-v1-4b' }, 'model: "embed-v1-4b" is not a model of this operation'],
    [{ messages: [] }, 'messages: must end with a user message'],
    [{ messages: 'q' }, 'messages: must be a list of {role, content}, got "q"'],
    [{ messages: [{ role: 'user' }] }, 'messages[0].content: is required'],
    [{ messages: [{ role: 'user', content: '  ' }] }, 'messages[0].content: must not be empty'],
    [{ messages: [{ role: 'user', content: [] }] }, 'messages[0].content: holds 0 entries'],
    [{ messages: [{ role: 'system', content: 's' }] }, 'messages: must end with a user message'],
    [{ messages: [user, { role: 'assistant', content: 'a' }] }, 'messages: must end with a user message'],
    [{ messages: [{ ...user, name: 'x' }] }, 'messages[0].name: is not a field'],
    [{ messages: [image('http://x.example/a.png')] }, 'messages[0].content[0].image_url: must be an https'],
    [{ messages: [{ role: 'user', content: [{ type: 'video', url: 'x' }] }] }, 'messages[0].content[0].type: must be'],
    [{ search_recency_filter: 'decade' }, 'search_recency_filter: must be one of "hour", "day", "week", "month"'],
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
    [{ search_domain_filter: ['a b'] }, 'search_domain_filter[0]: is not a domain'],
    [{ search_domain_filter: ['a'.repeat(254)] }, 'search_domain_filter[0]: has 254 characters; the limit is 253'],
    [{ search_domain_filter: new Array(21).fill('a.example') }, 'holds 21 entries; the limit is 20'],
    [{ search_domain_filter: [] }, 'search_domain_filter: holds 0 entries, at least 1 needed'],
    [{ search_language_filter: ['english'] }, 'search_language_filter[0]: must be a two-letter'],
    [{ search_type: 'pro' }, 'search_type: "pro" needs a streamed answer'],
    [{ web_search_options: { search_type: 'pro' } }, 'search_type: "pro" needs a streamed answer'],
    [
      { search_context_size: 'low', web_search_options: { search_context_size: 'high' } },
      'search_context_size: contradicts',
    ],
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
    [{ stop: [''] }, 'stop[0]: must not be empty'],
    [{ stream: true }, 'stream: is not a field of this request'],
    [{ stream_mode: 'concise' }, 'stream_mode: is for streams only'],
    [{ searchRecencyFilter: 'day' }, 'searchRecencyFilter: is not a field of this request'],
  ])('%j', async (fields, message) => {
    expect((await refusal((service) => service.answers.create(answer(fields)))).message).toContain(message);
  });

  it('suggests the field that was meant', async () => {
    const { hint } = await refusal((service) => service.answers.create(answer({ searchRecencyFilter: 'day' })));
    expect(hint).toBe('Did you mean "search_recency_filter"?');
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
    [{ input: undefined }, 'input: is required'],
    [{ input: '' }, 'input: must not be empty'],
    [{ input: [] }, 'input: holds 0 entries'],
    [{ input: [{ type: 'function_call_output', call_id: 'c' }] }, 'input[0].output: is required'],
    [{ input: [{ type: 'message', role: 'user', content: [{ type: 'text' }] }] }, 'input[0].content[0].type: must be'],
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
    [
      {
        tools: [
          { type: 'web_search', filters: { search_recency_filter: 'day', search_after_date_filter: '1/1/2026' } },
        ],
      },
      'tools[0].filters.search_recency_filter: cannot be combined',
    ],
    [{ tools: [{ type: 'web_search', config: {}, filters: {} }] }, 'tools[0].config: and filters are two spellings'],
    [{ tools: [{ type: 'web_search', max_results: 51 }] }, 'tools[0].max_results: must be a whole number from 1 to 50'],
    [{ tools: [{ type: 'fetch_url', max_urls: 11 }] }, 'tools[0].max_urls: must be a whole number from 1 to 10'],
    [{ tools: [{ type: 'fetch_url', total_budget_tokens: 120_001 }] }, 'tools[0].total_budget_tokens'],
    [{ tools: [{ type: 'function', function: { name: 'x' } }] }, 'tools[0].function: is not a field'],
    [{ tools: [{ type: 'browser' }] }, 'tools[0].type: must be one of'],
    [{ text: { format: {} } }, 'text: is not a field'],
  ])('%j', async (fields, message) => {
    expect((await refusal((service) => service.research.create(ask(fields)))).message).toContain(message);
    expect((await refusal((service) => service.research.stream(ask(fields)))).message).toContain(message);
  });
});

describe('searches are refused before sending', () => {
  it.each<[object, string, object?]>([
    [{ query: undefined }, 'query: is required'],
    [{ query: ' ' }, 'query: must not be empty'],
    [{ query: [] }, 'query: holds 0 entries'],
    [{ query: ['a', ''] }, 'query[1]: must not be empty'],
    [{ country: 'Germany' }, 'country: must be a two-letter'],
    [{ search_mode: 'academic' }, 'search_mode: is not a field'],
    [{ search_recency_filter: 'day', search_before_date_filter: '01/01/2026' }, 'cannot be combined'],
    [{ query: [...'abcdef'] }, 'query: holds 6 entries; the limit is 5', { several: 'together' }],
    [{ query: new Array(1_001).fill('a') }, 'query: holds 1001 entries; the limit is 1000'],
    [{}, 'several: must be one of "split", "together"', { several: 'both' }],
  ])('%j: %s', async (fields, message, options) => {
    const error = await refusal((service) => service.search({ query: 'q', ...fields } as never, options));
    expect(error.message).toContain(message);
  });
});

describe('embeddings are refused before sending', () => {
  it.each<[object, string]>([
    [{ model: 'embed-context-v1-4b' }, 'model: "embed-context-v1-4b" is not a model of this operation'],
    [{ input: [] }, 'input: holds 0 entries'],
    [{ input: ['a', ''] }, 'input[1]: must not be empty'],
    [{ input: ['a', 3] }, 'input[1]: must be a string, got 3'],
    [{ input: new Array(513).fill('a') }, 'input: holds 513 entries; the limit is 512'],
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
    [['flat'], 'input[0]: must be a list of chunks'],
    ['flat', 'input: must be a list'],
    [[['a'], []], 'input[1]: must not be an empty list'],
    [[['a', ' ']], 'input[0][1]: must not be empty'],
    [new Array(513).fill(['a']), 'input: holds 513 entries; the limit is 512'],
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
    [(service) => service.sandbox.get('..'), 'session_id: must be an id'],
    [(service) => service.sandbox.process('s', 1.5), 'pid: must be a string, got 1.5'],
    [(service) => service.sandbox.execute('s', { code: '', language: 'bash' }), 'code: must not be empty'],
    [(service) => service.sandbox.execute('s', { code: 'x', lang: 'bash' } as never), 'lang: is not a field'],
    [(service) => service.sandbox.writeFile('s', '', 'x'), 'path: must not be empty'],
    [(service) => service.sandbox.readFile('s', ''), 'path: must not be empty'],
  ])('refuses %#', async (call, message) => expect((await refusal(call)).message).toContain(message));
});

it('takes the number of a process as it came', async () => {
  const { service, sent } = prepared({ experimental: { sandbox: true } }, {});
  await service.sandbox.process('s', 7);
  expect(sent[0]?.call.path).toEqual({ session_id: 's', pid: '7' });
});

describe('what is left to the service is refused by it at once, with the field named', () => {
  const { service } = stand;

  it.each<[object, string]>([
    [{ messages: [{ role: 'robot', content: 'q' }, user] }, 'messages[0].role'],
    [{ messages: [user, { role: 'system', content: 's' }, user] }, 'messages'],
    [{ messages: [{ role: 'assistant', content: 'a' }, user] }, 'messages'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ max_tokens: 1.5 }, 'max_tokens'],
    [{ temperature: 2.1 }, 'temperature'],
    [{ top_p: Number.NaN }, 'top_p'],
    [{ search_context_size: 'huge' }, 'search_context_size'],
    [{ return_images: true, image_format_filter: ['bmp'] }, 'image_format_filter[0]'],
    [{ response_format: { type: 'regex' } }, 'response_format.type'],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'has space', schema: {} } } },
      'response_format.json_schema.name',
    ],
  ])('an answer with %j', async (fields, param) => {
    await expect(service.answers.create(answer(fields))).rejects.toMatchObject({ code: 'REQUEST_REJECTED', param });
  });

  it.each<[object, string]>([
    [{ model: undefined }, 'model'],
    [{ model: 'model-x' }, 'model'],
    [{ models: new Array(6).fill('provider-a/model-x') }, 'models'],
    [{ models: ['nope'] }, 'models'],
    [{ input: [{ type: 'function_call_output', call_id: 'c', output: '' }] }, 'input[0].call_id'],
    [{ input: [{ type: 'message', role: 'tool', content: 'x' }] }, 'input[0].role'],
    [{ tools: [{ type: 'function', name: 'search_web', parameters: {} }] }, 'tools[0].name'],
    [{ tools: [{ type: 'function', name: 'has space', parameters: {} }] }, 'tools[0].name'],
    [{ tools: new Array(2).fill({ type: 'function', name: 'f', parameters: { type: 'object' } }) }, 'tools[1].name'],
    [{ tool_choice: { name: 'f' } }, 'tool_choice'],
    [{ tool_choice: 'maybe' }, 'tool_choice'],
    [{ response_format: { type: 'json_schema', json_schema: { schema: {} } } }, 'response_format.json_schema.name'],
    [{ reasoning: { effort: 'huge' } }, 'reasoning.effort'],
    [{ metadata: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, 'v'])) }, 'metadata'],
  ])('research with %j', async (fields, param) => {
    await expect(service.research.create(ask(fields))).rejects.toMatchObject({ code: 'REQUEST_REJECTED', param });
  });

  it.each<[object, string]>([
    [{ max_results: 21 }, 'max_results'],
    [{ max_tokens: 1_000_001 }, 'max_tokens'],
    [{ max_tokens_per_page: 0 }, 'max_tokens_per_page'],
    [{ max_tokens: 5, search_context_size: 'low' }, 'search_context_size'],
    [{ max_tokens_per_page: 5, search_context_size: 'low' }, 'search_context_size'],
  ])('a search with %j', async (fields, param) => {
    const call = service.search({ query: 'q', ...fields } as never);
    await expect(call).rejects.toMatchObject({ code: 'REQUEST_REJECTED', param });
  });

  it.each<[object, string]>([
    [{ dimensions: 127 }, 'dimensions'],
    [{ dimensions: 1025 }, 'dimensions'],
    [{ encoding_format: 'float' }, 'encoding_format'],
  ])('embeddings with %j', async (fields, param) => {
    const call = service.embeddings.create({ model: 'embed-v1-0.6b', input: ['a'], ...fields } as never);
    await expect(call).rejects.toMatchObject({ code: 'REQUEST_REJECTED', param });
  });

  it.each<[object, string]>([
    [{ language: 'ruby' }, 'language'],
    [{ execution_timeout: 121 }, 'execution_timeout'],
  ])('code with %j', async (fields, param) => {
    const { session_id } = await service.sandbox.create();
    const call = service.sandbox.execute(session_id, { code: 'x', language: 'bash', ...fields } as never);
    await expect(call).rejects.toMatchObject({ code: 'REQUEST_REJECTED', param });
  });

  it('a body over 32 MiB', async () => {
    const input = 'é'.repeat(16 * 1024 * 1024);
    await expect(service.research.create(ask({ input }))).rejects.toMatchObject({ code: 'REQUEST_TOO_LARGE' });
  });
});
