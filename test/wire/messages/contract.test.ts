import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { messagesOperations } from '../../../src/wire/messages/index.ts';
import { catalogue, liveCatalogue } from '../service/messages/catalogue.ts';
import type { ScriptedReply } from '../service/messages/engine.ts';
import type { MessagesOptions } from '../service/messages/options.ts';
import { examples } from './examples.ts';
import { recipes } from './recipes.ts';
import { type Open, openService } from './support.ts';

/** The clock of the reports stands in the range the examples ask for. */
const now = Date.parse('2026-03-02T12:00:00Z');

const open = (dialect: 'reference' | 'public', options: MessagesOptions = {}): Promise<Open> =>
  openService({ dialect, filesBeta: dialect === 'reference', ...options }, { maxRetries: 0 });

interface Expected {
  /** Makes what the example works on; gives its id. */
  readonly before?: (given: Open) => Promise<string> | string;
  readonly result: unknown;
  /** Requests of the example when it is not one. */
  readonly requests?: number;
}

const question = {
  model: 'assistant-small-4-5',
  max_tokens: 300,
  messages: [{ role: 'user' as const, content: 'Hi there' }],
};
const newBatch = async ({ service }: Open): Promise<string> =>
  (
    await service.batches.create([
      { custom_id: 'a', params: question },
      { custom_id: 'b', params: question },
    ])
  ).id;
const endedBatch = async (given: Open): Promise<string> =>
  (await given.service.batches.wait(await newBatch(given), { pollMs: 1 })).id;
const newFile = ({ standIn }: Open): string =>
  standIn.files.add({ filename: 'made.csv', mimeType: 'text/csv', bytes: 'a,b', downloadable: true }).id;
const newInvite = async ({ service }: Open): Promise<string> =>
  (await service.admin.invites.create({ email: 'dan@example.com', role: 'user' })).id;
const workspace = (): string => 'wrkspc_01';
const member = async ({ service }: Open): Promise<string> => {
  await service.admin.members.create('wrkspc_01', { user_id: 'user_02', workspace_role: 'workspace_developer' });
  return 'wrkspc_01';
};
const key = (): string => 'apikey_01';
const answered = async ({ service }: Open): Promise<string> => {
  await service.create(question);
  return '';
};
const text = expect.stringMatching(/\S/);
/** As the dialect of the test has it. */
const oneOf = (...values: unknown[]): unknown =>
  expect.toSatisfy((value) => values.some((one) => isDeepStrictEqual(one, value)));
const small = ['assistant-small-4-5', 'claude-haiku-4-5'];
const positive = expect.toSatisfy((value: unknown) => typeof value === 'number' && value > 0);

const expected: Readonly<Record<string, Expected>> = {
  'messages.create': { result: { answer: text, message: { stop_reason: 'end_turn', model: oneOf(...small) } } },
  'messages.stream': { result: { shown: text, message: { stop_reason: 'end_turn' } } },
  'messages.count_tokens': { result: positive },
  'messages.chat': { result: text },
  'messages.chat_stream': { result: text },
  'messages.batches.create': { result: { processing_status: 'in_progress', request_counts: { processing: 2 } } },
  'messages.batches.list': { before: newBatch, result: [expect.stringMatching(/^msgbatch_/)] },
  'messages.batches.get': {
    before: newBatch,
    result: { processing_status: 'in_progress', request_counts: { processing: 2 } },
  },
  'messages.batches.cancel': { before: newBatch, result: { processing_status: 'canceling' } },
  'messages.batches.delete': { before: endedBatch, result: 'message_batch_deleted' },
  'messages.batches.results': { before: endedBatch, result: { a: text, b: text }, requests: 2 },
  'messages.models.list': {
    result: oneOf(
      catalogue.map(({ id }) => id),
      liveCatalogue.map(({ id }) => id),
    ),
  },
  'messages.models.get': { result: 1_000_000 },
  'messages.files.upload': {
    result: { file: { filename: 'pump.txt', size_bytes: 25, mime_type: 'text/plain' }, message: { type: 'message' } },
    requests: 2,
  },
  'messages.files.list': { before: newFile, result: ['made.csv'] },
  'messages.files.get': { before: newFile, result: { filename: 'made.csv', size_bytes: 3 } },
  'messages.files.content': { before: newFile, result: 'a,b' },
  'messages.files.delete': { before: newFile, result: 'file_deleted' },
  'messages.admin.me': { result: 'Loopback' },
  'messages.admin.users.list': { result: ['ada@example.com: admin', 'bob@example.com: developer'] },
  'messages.admin.users.get': { result: { id: 'user_02', email: 'bob@example.com' } },
  'messages.admin.users.update': { result: { id: 'user_02', role: 'developer' } },
  'messages.admin.users.delete': { result: 'user_deleted' },
  'messages.admin.invites.create': { result: { email: 'cleo@example.com', role: 'user', status: 'pending' } },
  'messages.admin.invites.list': { before: newInvite, result: ['dan@example.com'] },
  'messages.admin.invites.get': { before: newInvite, result: 'pending' },
  'messages.admin.invites.delete': { before: newInvite, result: 'invite_deleted' },
  'messages.admin.workspaces.create': { result: { name: 'Manuals', archived_at: null } },
  'messages.admin.workspaces.list': { result: ['First'] },
  'messages.admin.workspaces.get': { before: workspace, result: 'First' },
  'messages.admin.workspaces.update': { before: workspace, result: 'Handbooks' },
  'messages.admin.workspaces.archive': { before: workspace, result: expect.stringMatching(/^2026-03-02T12/) },
  'messages.admin.members.create': {
    before: workspace,
    result: { user_id: 'user_02', workspace_id: 'wrkspc_01', workspace_role: 'workspace_user' },
  },
  'messages.admin.members.list': { before: member, result: ['user_02'] },
  'messages.admin.members.get': { before: member, result: 'workspace_developer' },
  'messages.admin.members.update': { before: member, result: { workspace_role: 'workspace_admin' } },
  'messages.admin.members.delete': { before: member, result: 'workspace_member_deleted' },
  'messages.admin.api_keys.list': { result: ['First key'] },
  'messages.admin.api_keys.get': { before: key, result: 'active' },
  'messages.admin.api_keys.update': { before: key, result: 'inactive' },
  // 48 buckets of an hour in pages of 24.
  'messages.admin.usage_report.messages': { before: answered, result: positive, requests: 2 },
  'messages.admin.usage_report.tool': { result: [{ results: [] }, { results: [] }] },
  'messages.admin.cost_report': { before: answered, result: positive },
};

describe('the operations of the messages service', () => {
  it('are all in the table of examples and in the table of this test', () => {
    const names = messagesOperations.map(({ name }) => name);
    expect(Object.keys(examples).sort()).toEqual([...names].sort());
    expect(Object.keys(expected).sort()).toEqual([...names].sort());
  });

  it('count 25 of administration', () => {
    expect(messagesOperations.filter(({ group }) => group === 'admin')).toHaveLength(25);
  });

  for (const dialect of ['reference', 'public'] as const) {
    const prefix = dialect === 'public' ? 'anthropic-' : 'x-service-';
    it.each(messagesOperations.map((row) => [row.name, row] as const))(`${dialect} %s`, async (name, row) => {
      await using given = await open(dialect, { now: () => now });
      const { before, result, requests = 1 } = expected[name]!;
      const id = before === undefined ? '' : await before(given);
      given.server.clear();
      const answer = await examples[name]!({ service: given.service, id, userId: 'user_02' });
      expect({ value: answer }).toMatchObject({ value: result });
      const sent = given.server.requests;
      expect(sent).toHaveLength(requests);
      const last = name === 'messages.files.upload' ? sent[0]! : sent.at(-1)!;
      expect(last.operation).toBe(`${row.method} ${row.path}`);
      const { headers } = last;
      if (name.startsWith('messages.chat')) {
        expect(headers.authorization).toBe('Bearer test-key');
        expect(headers['x-api-key']).toBeUndefined();
      } else {
        expect(headers['x-api-key']).toBe(row.group === 'admin' ? 'test-admin-key' : 'test-key');
        expect(headers.authorization).toBeUndefined();
        expect(headers[`${prefix}version`]).toBe('2023-06-01');
      }
      const files = dialect === 'reference' && row.group === 'files';
      expect(headers[`${prefix}beta`]).toBe(files ? 'files-api-2025-04-14' : undefined);
    });
  }
});

/** What the stand-in is told to answer, and what the recipe gives back. */
const cooked: Readonly<Record<string, { readonly replies?: readonly ScriptedReply[]; readonly result: unknown }>> = {
  tools: {
    replies: [
      {
        content: [
          { type: 'thinking', thinking: 'Rome.' },
          { type: 'tool_use', name: 'weather', input: { city: 'Rome' } },
        ],
      },
      'It is 21 degrees.',
    ],
    result: {
      text: 'It is 21 degrees.',
      cost: { usd: positive },
      run: { steps: 2, calls: [{ result: { content: '{"city":"Rome","celsius":21}' } }] },
    },
  },
  'tools streamed': {
    replies: [
      {
        content: [
          { type: 'tool_use', name: 'weather', input: {} },
          { type: 'tool_use', name: 'weather', input: {} },
        ],
      },
      'Sunny.',
    ],
    result: [expect.stringMatching(/^weather took/), expect.stringMatching(/^weather took/)],
  },
  'tools of an MCP server': {
    replies: [{ content: [{ type: 'tool_use', name: 'docs_search', input: {} }] }, 'By water.'],
    result: 'By water.',
  },
  'native tools': { result: { type: 'message' } },
  citations: {
    replies: [
      {
        content: [
          { type: 'text', text: 'It is ' },
          {
            type: 'text',
            text: '40 bar',
            citations: [
              {
                type: 'search_result_location',
                cited_text: 'Rated pressure is 40 bar.',
                source: 'kb://manual/7',
                title: 'Pump manual',
                search_result_index: 0,
                start_block_index: 0,
                end_block_index: 1,
              },
            ],
          },
        ],
      },
    ],
    result: { message: { stop_reason: 'end_turn' }, sources: ['kb://manual/7'] },
  },
  caching: { result: { cached: 0, usage: { input_tokens: positive } } },
  'structured output': { result: { name: expect.any(String), bar: expect.any(Number) } },
  thinking: {
    replies: [
      {
        content: [
          { type: 'thinking', thinking: 'Vapour.' },
          { type: 'text', text: 'Bubbles.' },
        ],
      },
    ],
    result: { content: [{ type: 'thinking', thinking: 'Vapour.' }, { text: 'Bubbles.' }] },
  },
  'batch with resumption': { result: { saved: expect.stringMatching(/^msgbatch_/), ids: ['q-1', 'q-2'] } },
};

describe('the recipes', () => {
  it('are all in this table', () => {
    expect(Object.keys(cooked)).toEqual(Object.keys(recipes));
  });

  for (const dialect of ['reference', 'public'] as const) {
    it.each(Object.entries(cooked))(`${dialect} %s`, async (name, { replies = [], result }) => {
      await using given = await open(dialect);
      given.standIn.reply(...replies);
      expect({ value: await recipes[name]!(given) }).toMatchObject({ value: result });
      expect(given.server.requests.filter(({ status }) => status !== 200)).toEqual([]);
    });
  }
});
