import OpenAI, { toFile } from 'openai';
import { describe, expect, it } from 'vitest';
import { type CommonService, createCommonService } from '../../../src/wire/common/index.ts';
import { commonService } from '../service/common/common-service.ts';
import type { RecordedRequest } from '../service/contract.ts';
import { serve } from '../service/harness.ts';

const messages = [
  { role: 'system' as const, content: 'Be brief.' },
  { role: 'user' as const, content: 'When does the ferry leave?' },
];
const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'search_index',
      description: 'Searches.',
      parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    },
  },
];
const plain = { model: 'writer', messages };
const full = {
  model: 'writer',
  messages: [
    ...messages,
    {
      role: 'assistant' as const,
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function' as const, function: { name: 'search_index', arguments: '{"query":"ferry"}' } },
      ],
    },
    { role: 'tool' as const, tool_call_id: 'call_1', content: '[s1.1] The ferry leaves at seven.' },
    {
      role: 'user' as const,
      content: [
        { type: 'text' as const, text: 'And on this picture?' },
        { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      ],
    },
  ],
  tools,
  tool_choice: 'auto' as const,
  parallel_tool_calls: false,
  max_tokens: 300,
  temperature: 0,
  top_p: 0.5,
  seed: 3,
  stop: ['END'],
  response_format: {
    type: 'json_schema' as const,
    json_schema: { name: 'times', schema: { type: 'object', properties: { at: { type: 'string' } } }, strict: true },
  },
};
const sound = new TextEncoder().encode('the ferry leaves at seven');

type Row = readonly [
  name: string,
  official: (client: OpenAI) => Promise<unknown>,
  ours: (client: CommonService) => Promise<unknown>,
];

const drain = async (items: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of items);
};

const rows: readonly Row[] = [
  [
    'embeddings of one text',
    (client) => client.embeddings.create({ model: 'embedder', input: 'ferry' }),
    (client) => client.embeddings({ model: 'embedder', input: 'ferry' }),
  ],
  [
    'embeddings as numbers, with dimensions',
    (client) =>
      client.embeddings.create({ model: 'embedder', input: ['a', 'b'], dimensions: 8, encoding_format: 'float' }),
    (client) => client.embeddings({ model: 'embedder', input: ['a', 'b'], dimensions: 8, encoding_format: 'float' }),
  ],
  ['chat', (client) => client.chat.completions.create(plain), (client) => client.chat.create(plain)],
  ['chat with every field', (client) => client.chat.completions.create(full), (client) => client.chat.create(full)],
  [
    'chat with a forced tool',
    (client) =>
      client.chat.completions.create({
        ...plain,
        tools,
        tool_choice: { type: 'function', function: { name: 'search_index' } },
      }),
    (client) =>
      client.chat.create({ ...plain, tools, tool_choice: { type: 'function', function: { name: 'search_index' } } }),
  ],
  [
    'chat, streamed',
    async (client) =>
      drain(await client.chat.completions.create({ ...plain, stream: true, stream_options: { include_usage: true } })),
    (client) => drain(client.chat.stream({ ...plain, stream_options: { include_usage: true } })),
  ],
  ['models', async (client) => drain(client.models.list()), (client) => client.models()],
  [
    'speech',
    async (client) =>
      (
        await client.audio.speech.create({ model: 'writer', input: 'Hello.', voice: 'alloy', response_format: 'wav' })
      ).arrayBuffer(),
    async (client) =>
      drain(await client.speech({ model: 'writer', input: 'Hello.', voice: 'alloy', response_format: 'wav' })),
  ],
];

/** What decides how a request is understood. Clients describe themselves in other headers. */
const essence = ({ method, path, query, headers, body }: RecordedRequest): unknown => ({
  ...{ method, path, query: [...query], body },
  headers: [headers.authorization, headers['content-type']],
});

describe('what this client sends, beside what the official client of the dialect sends for the same call', () => {
  it.each(rows)('%s', async (_name, official, mine) => {
    await using server = await serve([commonService({ apiKey: 'test-key-of-a-gateway' })]);
    const client = new OpenAI({ apiKey: 'test-key-of-a-gateway', baseURL: `${server.url}/v1`, maxRetries: 0 });
    await using ours = createCommonService({ apiKey: 'test-key-of-a-gateway', baseUrl: server.url });
    await official(client);
    const expected = server.requests.map(essence);
    server.clear();
    await mine(ours);
    expect(server.requests.map(essence)).toEqual(expected);
    expect(expected).toHaveLength(1);
  });

  it('a transcription, part by part', async () => {
    await using server = await serve([commonService({ apiKey: 'k' })]);
    const client = new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1`, maxRetries: 0 });
    await using ours = createCommonService({ apiKey: 'k', baseUrl: server.url });
    const theirs = await client.audio.transcriptions.create({
      file: await toFile(sound, 'ferry.wav', { type: 'audio/wav' }),
      model: 'writer',
      language: 'en',
      response_format: 'verbose_json',
      timestamp_granularities: ['segment', 'word'],
    });
    const mine = await ours.transcribe({
      ...{ file: sound, filename: 'ferry.wav', type: 'audio/wav', model: 'writer', language: 'en' },
    });
    const parts = server.requests.map((request) =>
      request.parts
        .map(({ name, filename, contentType, text }) => ({ name, filename, contentType, text }))
        .sort(byName),
    );
    expect(parts[1]).toEqual(parts[0]);
    expect(mine.words).toEqual(theirs.words);
    expect(mine.segments[0]).toMatchObject({ text: 'the ferry leaves at seven', start: 0, end: 2.4 });
  });

  it('is read alike: vectors, text, calls, usage', async () => {
    await using server = await serve([commonService({ apiKey: 'k' })]);
    const client = new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1`, maxRetries: 0 });
    await using ours = createCommonService({ apiKey: 'k', baseUrl: server.url });
    const theirs = await client.embeddings.create({ model: 'embedder', input: ['ferry', 'roses'] });
    const mine = await ours.embeddings({ model: 'embedder', input: ['ferry', 'roses'] });
    expect(mine.vectors.map((vector) => [...vector])).toEqual(
      theirs.data.map(({ embedding }) => [...Float32Array.from(embedding)]),
    );
    expect(mine.tokens).toBe(theirs.usage.total_tokens);
    const called = await client.chat.completions.create({ ...plain, tools });
    const calledToo = await ours.chat.create({ ...plain, tools });
    expect(calledToo.toolCalls).toEqual(called.choices[0]!.message.tool_calls);
    expect(calledToo.usage).toMatchObject(called.usage as object);
    const stream = ours.chat.stream({ ...plain, tools, stream_options: { include_usage: true } });
    await drain(stream);
    expect(stream.completion).toEqual(calledToo);
  });
});

const byName = (a: { readonly name: string; readonly text: string }, b: typeof a): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : a.text < b.text ? -1 : 1;
