import OfficialClient, { toFile } from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import {
  cacheControl,
  clearToolUses,
  createMessagesService,
  type MessageRequest,
  type MessagesService,
  publicProfile,
} from '../../../src/wire/messages/index.ts';
import type { RecordedRequest } from '../service/contract.ts';
import { serve } from '../service/harness.ts';
import { messagesService } from '../service/messages/messages-service.ts';

/** The official client writes its maker's prefix, and the key as a bearer token: both are switches of the profile. */
const headerPrefix = 'anthropic-';
const profile = { ...publicProfile, auth: 'bearer' as const };
const small = 'claude-haiku-4-5';
const question = { role: 'user' as const, content: 'Hello there' };
const tool = {
  name: 'look',
  description: 'Looks.',
  input_schema: { type: 'object' as const, properties: { q: { type: 'string' } } },
};

/** A request that has (nearly) every field, in the spelling both clients share. */
const full = {
  model: 'claude-opus-4-6',
  max_tokens: 3000,
  system: [
    { type: 'text' as const, text: 'Be short.', cache_control: cacheControl('1h') as { type: 'ephemeral'; ttl: '1h' } },
  ],
  messages: [
    {
      role: 'user' as const,
      content: [
        {
          type: 'document' as const,
          source: { type: 'text' as const, media_type: 'text/plain' as const, data: 'Words.' },
          title: 'A',
          context: 'B',
          citations: { enabled: true },
        },
        {
          type: 'search_result' as const,
          source: 'kb://1',
          title: 'One',
          content: [{ type: 'text' as const, text: 'x' }],
          citations: { enabled: true },
        },
        {
          type: 'image' as const,
          source: { type: 'base64' as const, media_type: 'image/png' as const, data: 'iVBORw0KGgo=' },
        },
        { type: 'text' as const, text: 'What is it?' },
      ],
    },
    {
      role: 'assistant' as const,
      content: [{ type: 'tool_use' as const, id: 'toolu_1', name: 'look', input: { q: 'it' } }],
    },
    {
      role: 'user' as const,
      content: [{ type: 'tool_result' as const, tool_use_id: 'toolu_1', content: 'found', is_error: false }],
    },
  ],
  tools: [tool],
  tool_choice: { type: 'auto' as const, disable_parallel_tool_use: true },
  top_k: 5,
  stop_sequences: ['END'],
  metadata: { user_id: 'u-1' },
  service_tier: 'standard_only' as const,
  inference_geo: 'us' as const,
};
const plain = { model: small, max_tokens: 100, messages: [question] };
const answered = { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'Hello.' }] };

type Row = readonly [
  name: string,
  official: (client: OfficialClient, id: string) => Promise<unknown>,
  ours: (service: MessagesService, id: string) => Promise<unknown>,
];

const drain = async (items: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of items);
};

const rows: readonly Row[] = [
  ['create', (client) => client.messages.create(full), (service) => service.create(full)],
  [
    'create with effort',
    (client) => client.messages.create({ ...plain, model: 'claude-opus-4-6', output_config: { effort: 'low' } }),
    (service) => service.create({ ...plain, model: 'claude-opus-4-6', effort: 'low' }),
  ],
  [
    'create with a forced tool',
    (client) => client.messages.create({ ...plain, tools: [tool], tool_choice: { type: 'tool', name: 'look' } }),
    (service) => service.create({ ...plain, tools: [tool], tool_choice: { type: 'tool', name: 'look' } }),
  ],
  [
    'create with thinking',
    (client) =>
      client.messages.create({ ...plain, max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1024 } }),
    (service) => service.create({ ...plain, max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1024 } }),
  ],
  [
    'create going on with an answer',
    (client) => client.messages.create({ ...plain, messages: [question, answered, question] }),
    (service) => service.create({ ...plain, messages: [question, answered, question] }),
  ],
  [
    'create with context editing',
    (client) =>
      client.beta.messages.create({
        ...plain,
        betas: ['context-management-2025-06-27'],
        context_management: { edits: [{ type: 'clear_tool_uses_20250919', keep: { type: 'tool_uses', value: 2 } }] },
      }),
    (service) => service.create({ ...plain, context_management: { edits: [clearToolUses({ keep: 2 })] } }),
  ],
  ['stream', (client) => client.messages.stream(plain).finalMessage(), (service) => service.stream(plain).message()],
  [
    'count_tokens',
    (client) => client.messages.countTokens({ model: small, messages: [question], tools: [tool] }),
    (service) => service.countTokens({ model: small, messages: [question], tools: [tool] }),
  ],
  [
    'batches.create',
    (client) => client.messages.batches.create({ requests: [{ custom_id: 'a', params: plain }] }),
    (service) => service.batches.create([{ custom_id: 'a', params: plain }]),
  ],
  [
    'batches.list',
    async (client) => drain(client.messages.batches.list({ limit: 1 })),
    (service) => drain(service.batches.list({ limit: 1 })),
  ],
  ['batches.get', (client, id) => client.messages.batches.retrieve(id), (service, id) => service.batches.get(id)],
  ['batches.cancel', (client, id) => client.messages.batches.cancel(id), (service, id) => service.batches.cancel(id)],
  [
    'models.list',
    async (client) => drain(client.models.list({ limit: 2 })),
    (service) => drain(service.models.list({ limit: 2 })),
  ],
  ['models.get', (client) => client.models.retrieve(small), (service) => service.models.get(small)],
];

/** What decides how a request is understood. Clients describe themselves in other headers. */
function essence({ method, path, query, headers, body }: RecordedRequest): unknown {
  const names = ['x-api-key', 'authorization', `${headerPrefix}version`, `${headerPrefix}beta`, 'content-type'];
  query.delete('beta'); // the official client's own mark of its beta methods
  return {
    method,
    path,
    query: [...query].sort(),
    headers: Object.fromEntries(names.map((name) => [name, headers[name]])),
    body,
  };
}

describe('what this client sends, beside what the official client sends for the same call', () => {
  it.each(rows)('%s', async (_name, official, ours) => {
    const standIn = messagesService({ dialect: 'public' });
    await using server = await serve([standIn]);
    const client = new OfficialClient({
      apiKey: 'test-key',
      authToken: null,
      baseURL: server.url,
      maxRetries: 0,
      defaultHeaders: { [`${headerPrefix}version`]: '2023-06-01' },
    });
    await using service = createMessagesService({
      apiKey: 'test-key',
      baseUrl: server.url,
      profile,
    });
    const ids = await Promise.all(
      ['a', 'b', 'c'].map((custom_id) => service.batches.create([{ custom_id, params: plain }])),
    );
    const { id } = ids[0]!;
    server.clear();
    const theirs = await official(client, id);
    const expected = server.requests.map(essence);
    server.clear();
    const mine = await ours(service, id);
    expect(server.requests.map(essence)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(0);
    expect(shape(mine)).toEqual(shape(theirs));
  });

  it('files.upload, part by part', async () => {
    await using server = await serve([messagesService({ dialect: 'public' })]);
    const client = new OfficialClient({
      apiKey: 'test-key',
      authToken: null,
      baseURL: server.url,
      defaultHeaders: { [`${headerPrefix}version`]: '2023-06-01' },
    });
    await using service = createMessagesService({
      apiKey: 'test-key',
      baseUrl: server.url,
      profile,
    });
    const bytes = new TextEncoder().encode('The pump.');
    await client.beta.files.upload({ file: await toFile(bytes, 'pump.txt', { type: 'text/plain' }) });
    await service.files.upload({ content: bytes, filename: 'pump.txt', type: 'text/plain' });
    const [theirs, mine] = server.requests.map(({ method, path, parts }) => ({ method, path, parts }));
    expect(mine).toEqual(theirs);
  });

  it('is the same message from both clients, streamed or not', async () => {
    const standIn = messagesService({ dialect: 'public' });
    standIn.model = () => ({
      content: [
        { type: 'text', text: 'Hello 水 you.' },
        { type: 'tool_use', name: 'look', input: { q: '"x"' }, id: 'toolu_1' },
      ],
    });
    await using server = await serve([standIn]);
    const client = new OfficialClient({
      apiKey: 'test-key',
      authToken: null,
      baseURL: server.url,
      defaultHeaders: { [`${headerPrefix}version`]: '2023-06-01' },
    });
    await using service = createMessagesService({
      apiKey: 'test-key',
      baseUrl: server.url,
      profile,
    });
    const request = { ...plain, tools: [tool] } satisfies MessageRequest;
    const plainly = (value: unknown): unknown => ({
      ...JSON.parse(JSON.stringify(value)),
      id: '',
      parsed_output: undefined,
      _request_id: undefined,
    });
    const expected = plainly(await client.messages.create(request));
    expect(plainly(await service.create(request))).toEqual(expected);
    expect(plainly(await service.stream(request).message())).toEqual(expected);
  });
});

/** The keys of an answer, ids and counts aside. The official client adds two of its own. */
function shape(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.entries(value)
    .filter(([key, inner]) => inner !== undefined && key !== '_request_id' && key !== 'parsed_output')
    .map(([key]) => key)
    .sort();
}
