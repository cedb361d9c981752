import Perplexity from '@perplexity-ai/perplexity_ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, serve } from './harness.ts';
import { searchService } from './search/search-service.ts';

const apiKey = 'test-search-key';
const service = searchService({ dialect: 'public' });
const { script } = service;
let harness: Harness;
let sdk: Perplexity;
let openai: OpenAI;

beforeAll(async () => {
  harness = await serve([service]);
  sdk = new Perplexity({ apiKey, baseURL: harness.url, maxRetries: 0 });
  openai = new OpenAI({ apiKey, baseURL: `${harness.url}/v1`, maxRetries: 0 });
});
afterAll(() => harness.close());
beforeEach(() => {
  for (const key of Object.keys(script)) delete script[key as keyof typeof script];
});

const question = 'How tall is the Harbour Tower?';

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

describe("the search service's own SDK works against the stand-in", () => {
  it('answers a chat completion with sources and cost', async () => {
    const answer = await sdk.chat.completions.create({
      model: 'answer-pro',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: question },
      ],
      web_search_options: { search_context_size: 'medium' },
      return_images: true,
      return_related_questions: true,
    });
    expect(answer.choices[0]?.message.content).toMatch(/330 metres tall\.\[1\]/);
    expect(answer.citations?.[0]).toBe('https://example.org/tower');
    // Input at 3, output at 15 USD per million tokens, and 10 USD per thousand requests of medium context.
    const { prompt_tokens: input = 0, completion_tokens: output = 0, cost } = answer.usage ?? {};
    expect(cost?.total_cost).toBeCloseTo((input * 3 + output * 15) / 1e6 + 0.01, 10);
  });

  it.each(['full', 'concise'] as const)('streams a chat completion in %s mode', async (stream_mode) => {
    const request = {
      model: 'answer-pro',
      messages: [{ role: 'user' as const, content: question }],
      web_search_options: { search_type: 'pro' as const },
      stream_mode,
    };
    const chunks = await collect(await sdk.chat.completions.create({ ...request, stream: true }));
    const text = chunks.map((chunk) => chunk.choices[0]?.delta?.content ?? '').join('');
    expect(text).toMatch(/330 metres tall\.\[1\]/);
    const last = chunks.at(-1);
    expect(last?.choices[0]?.finish_reason).toBe('stop');
    expect(last?.usage?.cost?.total_cost).toBeGreaterThan(0.006);
    const steps = chunks.flatMap((chunk) => chunk.choices[0]?.delta?.reasoning_steps ?? []);
    expect(steps.map(({ type }) => type)).toEqual(stream_mode === 'concise' ? ['web_search', 'fetch_url_content'] : []);
  });

  it('takes an asynchronous chat completion through its states', async () => {
    const request = { model: 'answer-deep-research', messages: [{ role: 'user' as const, content: question }] };
    const created = await sdk.async.chat.completions.create({ request, idempotency_key: 'k1' });
    const again = await sdk.async.chat.completions.create({ request, idempotency_key: 'k1' });
    expect(again.id).toBe(created.id);
    const states = [created.status];
    for (let poll = 0; poll < 2; poll++) states.push((await sdk.async.chat.completions.get(created.id)).status);
    expect(states).toEqual(['CREATED', 'IN_PROGRESS', 'COMPLETED']);
    const done = await sdk.async.chat.completions.get(created.id);
    expect(done.response?.choices[0]?.message.content).toMatch(/^<think>/);
    expect((await sdk.async.chat.completions.list()).requests?.map(({ id }) => id)).toEqual([created.id]);
  });

  it('searches with filters', async () => {
    const found = await sdk.search.create({
      query: 'tower tall',
      max_results: 2,
      search_domain_filter: ['-example.net'],
    });
    expect(found.results.map(({ url }) => url)).toEqual(['https://example.com/heights', 'https://example.org/tower']);
    const several = await sdk.search.create({ query: ['tower tall', 'honey winter'], max_results: 1 });
    expect(several.results.map(({ url }) => url)).toEqual(['https://example.com/heights', 'https://example.org/bees']);
  });

  it('embeds texts and chunks', async () => {
    // The SDK's types list the public model names; the service is configured with neutral ones.
    const plain = await sdk.embeddings.create({ model: 'embed-v1-4b' as never, input: ['a', 'b'], dimensions: 256 });
    expect(plain.data?.map(({ index }) => index)).toEqual([0, 1]);
    expect(Buffer.from(String(plain.data?.[0]?.embedding), 'base64')).toHaveLength(256);
    const nested = await sdk.contextualizedEmbeddings.create({
      model: 'embed-context-v1-0.6b' as never,
      input: [['one', 'two'], ['three']],
      encoding_format: 'base64_binary',
    });
    expect(nested.data?.map(({ data }) => data?.length)).toEqual([2, 1]);
    expect(Buffer.from(String(nested.data?.[1]?.data?.[0]?.embedding), 'base64')).toHaveLength(1024 / 8);
  });

  it('runs research: create, stream, background, cancel, files', async () => {
    script.research = { files: [{ filename: 'table.csv', content: 'a,b\n1,2\n' }], polls: 1 };
    const body = { preset: 'pro-search', input: question, background: true };
    const created = await sdk.responses.create(body);
    expect(created.status).toBe('queued');
    expect((await sdk.responses.retrieve(created.id)).status).toBe('queued');
    const done = await sdk.responses.retrieve(created.id);
    expect(done.output_text).toMatch(/330 metres tall/);
    const files = await sdk.responses.files.list(created.id);
    const id = String(files.data?.[0]?.id);
    const content = await sdk.responses.files.content(id, { response_id: created.id });
    expect(await content.text()).toBe('a,b\n1,2\n');
    const other = await sdk.responses.create(body);
    expect(await sdk.responses.cancel(other.id)).toEqual({ response_id: other.id, status: 'cancelling' });
    await expect(sdk.responses.cancel(created.id)).rejects.toMatchObject({ status: 400 });
    const events = await collect(await sdk.responses.create({ preset: 'fast-search', input: question, stream: true }));
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } });
  });

  it('tells a wrong key, a retired operation and a 404 apart', async () => {
    const stranger = new Perplexity({ apiKey: 'wrong', baseURL: harness.url, maxRetries: 0 });
    await expect(stranger.search.create({ query: 'x' })).rejects.toMatchObject({ status: 401 });
    script.answer = { retired: true };
    await expect(
      sdk.chat.completions.create({ model: 'answer-base', messages: [{ role: 'user', content: 'x' }] }),
    ).rejects.toMatchObject({ status: 403, error: { error: { type: 'chat_completions_not_available' } } });
    await expect(sdk.responses.retrieve('resp_unknown')).rejects.toMatchObject({ status: 404 });
  });
});

describe('a client of the compatible formats works after changing address and key', () => {
  it('chat completions, whole and streamed', async () => {
    const request = { model: 'answer-base', messages: [{ role: 'user' as const, content: question }], max_tokens: 200 };
    const whole = await openai.chat.completions.create(request);
    script.answer = { done: true, pieceLength: 3 };
    const chunks = await collect(await openai.chat.completions.create({ ...request, stream: true }));
    const streamed = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    expect(whole.choices[0]?.message.content).toMatch(/330 metres tall\.\[1\]/);
    expect(streamed).toBe(whole.choices[0]?.message.content);
  });

  it('responses, whole, streamed and with a function round trip', async () => {
    const tool = {
      type: 'function' as const,
      name: 'local_lookup',
      description: 'search local documents',
      strict: true,
      parameters: {
        type: 'object',
        properties: { q: { type: 'string' } },
        required: ['q'],
        additionalProperties: false,
      },
    };
    const message = { type: 'message' as const, role: 'user' as const, content: question };
    const model = 'provider-a/model-x';
    const first = await openai.responses.create({ model, tools: [tool], input: [message] });
    const call = first.output[0];
    if (call?.type !== 'function_call') throw new Error(`expected a function call, got ${call?.type}`);
    expect(JSON.parse(call.arguments)).toEqual({ q: question });
    const { call_id, name, arguments: args } = call;
    const second = await openai.responses.create({
      model,
      tools: [tool],
      input: [
        message,
        { type: 'function_call', call_id, name, arguments: args },
        { type: 'function_call_output', call_id, output: '{"height_m":330}' },
      ],
    });
    expect(second.output_text).toContain('{"height_m":330}');
    // An output nobody asked for, and a call nobody answered.
    const lonely = { type: 'function_call_output' as const, call_id: 'call_x', output: '1' };
    await expect(openai.responses.create({ model, input: [message, lonely] })).rejects.toMatchObject({ status: 400 });
    const unanswered = { type: 'function_call' as const, call_id, name, arguments: args };
    await expect(openai.responses.create({ model, input: [message, unanswered] })).rejects.toMatchObject({
      status: 400,
    });

    const events = await collect(await openai.responses.create({ model, input: question, stream: true }));
    const text = events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('');
    const last = events.at(-1);
    expect(last?.type === 'response.completed' && last.response.status).toBe('completed');
    expect(text).not.toBe('');
  });

  it('refuses the float vectors such clients ask for', async () => {
    const request = { model: 'embed-v1-4b', input: ['a'], encoding_format: 'float' as const };
    await expect(openai.embeddings.create(request)).rejects.toMatchObject({ status: 400, param: 'encoding_format' });
  });

  it('refuses a field of the other dialect by name', async () => {
    // What a client of the reference dialect would send.
    const stray = { max_tokens: 100 } as object;
    await expect(openai.responses.create({ model: 'provider-a/model-x', input: 'x', ...stray })).rejects.toMatchObject({
      status: 400,
      param: 'max_tokens',
    });
  });
});
