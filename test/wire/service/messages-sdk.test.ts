import Anthropic, { toFile } from '@anthropic-ai/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, serve } from './harness.ts';
import { extractiveAnswerer } from './messages/extractive.ts';
import { type MessagesService, messagesService } from './messages/messages-service.ts';
import { toolUser } from './messages/tool-user.ts';

/** The official client sends a newer version than the reference has. */
const version = { 'anthropic-version': '2023-06-01' };
const model = 'claude-opus-4-6';
const small = 'claude-haiku-4-5';

let messages: MessagesService;
let harness: Harness;
let client: Anthropic;
let admin: Anthropic;

beforeEach(async () => {
  messages = messagesService({ dialect: 'public' });
  harness = await serve([messages]);
  client = new Anthropic({
    apiKey: 'test-key',
    authToken: null,
    baseURL: harness.url,
    maxRetries: 0,
    defaultHeaders: version,
  });
  admin = new Anthropic({
    apiKey: 'test-admin-key',
    authToken: null,
    baseURL: harness.url,
    maxRetries: 0,
    defaultHeaders: version,
  });
});
afterEach(() => harness.close());

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const user = (content: string): Anthropic.MessageParam => ({ role: 'user', content });
const manual: Anthropic.SearchResultBlockParam = {
  type: 'search_result',
  source: 'kb://manual/7#chunk-3',
  title: 'Pump manual, chapter 7',
  content: [
    { type: 'text', text: 'The pump is water cooled.' },
    { type: 'text', text: 'Rated pressure is 40 bar.' },
  ],
  citations: { enabled: true },
};
const weather: Anthropic.Tool = {
  name: 'get_weather',
  description: 'The weather of a place.',
  input_schema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
};

describe("the messages service's official client works against the stand-in", () => {
  it('creates a message', async () => {
    const message = await client.messages.create({ model, max_tokens: 100, messages: [user('Hello there')] });
    expect(message.content).toEqual([{ type: 'text', text: 'You said: Hello there' }]);
    expect(message.stop_reason).toBe('end_turn');
    // 4 tokens for the turn and 2 for its words; at 5 and 25 USD per million tokens.
    expect(message.usage.input_tokens).toBe(6);
    expect(harness.ledger.totals('messages.create').usd).toBeCloseTo(
      (6 * 5 + message.usage.output_tokens * 25) / 1e6,
      12,
    );
    expect(message._request_id).toMatch(/^req_/);
  });

  it('streams what it would have answered at once', async () => {
    messages.reply({
      content: [
        { type: 'thinking', thinking: 'Größe prüfen: 😀 und dann rechnen' },
        { type: 'text', text: 'Zwölf 😀 Grad, sagt der Dienst.' },
        { type: 'tool_use', name: 'get_weather', input: { place: 'Köln "am" Rhein\n', list: [1, { a: null }] } },
        { type: 'tool_use', name: 'get_weather', input: {} },
      ],
    });
    const stream = client.messages.stream({
      model,
      max_tokens: 4000,
      thinking: { type: 'adaptive' },
      tools: [weather],
      messages: [user('Weather?')],
    });
    const events = await collect(stream);
    const message = await stream.finalMessage();
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'Größe prüfen: 😀 und dann rechnen', signature: expect.stringMatching(/./) },
      { type: 'text', text: 'Zwölf 😀 Grad, sagt der Dienst.' },
      { type: 'tool_use', name: 'get_weather', input: { place: 'Köln "am" Rhein\n', list: [1, { a: null }] } },
      { type: 'tool_use', name: 'get_weather', input: {} },
    ]);
    expect(message.stop_reason).toBe('tool_use');
    expect(message.usage.output_tokens).toBe(harness.ledger.totals('messages.create').outputTokens);
    expect(events.filter((event) => event.type === 'content_block_delta').length).toBeGreaterThan(8);
  });

  it.each([
    ['bytes one by one', { kind: 'split', bytes: 1 }],
    ['CRLF', { kind: 'lineEnds', ends: 'crlf' }],
    ['comments and pings', { kind: 'noise', pings: true }],
    ['gzip', { kind: 'encode', encoding: 'gzip' }],
  ] as const)('streams through %s', async (_, fault) => {
    harness.script({ fault });
    const message = await client.messages
      .stream({ model, max_tokens: 100, messages: [user('Grüße 😀')] })
      .finalMessage();
    expect(message.content).toEqual([{ type: 'text', text: 'You said: Grüße 😀' }]);
  });

  it('cites search results and documents, streamed and not', async () => {
    messages.model = extractiveAnswerer({ sentences: 1 }).model;
    const request: Anthropic.MessageCreateParamsNonStreaming = {
      model,
      max_tokens: 300,
      messages: [{ role: 'user', content: [manual, { type: 'text', text: 'What is the rated pressure?' }] }],
    };
    const expected = [
      {
        type: 'text',
        text: 'Rated pressure is 40 bar.',
        citations: [
          {
            type: 'search_result_location',
            cited_text: 'Rated pressure is 40 bar.',
            source: 'kb://manual/7#chunk-3',
            title: 'Pump manual, chapter 7',
            search_result_index: 0,
            start_block_index: 1,
            end_block_index: 2,
          },
        ],
      },
    ];
    expect((await client.messages.create(request)).content).toEqual(expected);
    expect((await client.messages.stream(request).finalMessage()).content).toEqual(expected);
  });

  it('runs a tool loop with thinking kept, by the client’s own runner', async () => {
    messages.model = toolUser({
      rounds: [
        [
          { name: 'get_weather', input: { place: 'Bonn' } },
          { name: 'get_weather', input: { place: 'Kiel' } },
        ],
        [{ name: 'get_weather' }],
      ],
      say: 'Let me look.',
      think: 'I should ask the tool.',
    });
    const seen: unknown[] = [];
    const runner = client.beta.messages.toolRunner({
      // Without the threads of a version newer than the reference.
      thread: false,
      model: small,
      max_tokens: 4000,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      messages: [{ role: 'user', content: 'Weather in Bonn and Kiel?' }],
      tools: [
        {
          ...weather,
          type: 'custom',
          parse: (input: unknown) => input,
          run: (input: unknown) => {
            seen.push(input);
            return 'sunny';
          },
        },
      ],
    });
    const last = await runner.runUntilDone();
    expect(last.content.at(-1)).toMatchObject({ type: 'text', text: 'Done after 2 rounds of tools.' });
    expect(seen).toEqual([{ place: 'Bonn' }, { place: 'Kiel' }, { place: 'text' }]);
    expect(harness.requests.map((request) => request.status)).toEqual([200, 200, 200]);
  });

  it('counts tokens as the answer bills them', async () => {
    const request = { model, messages: [user('How many tokens is this?')], tools: [weather], system: 'Be brief.' };
    const counted = await client.messages.countTokens(request);
    const message = await client.messages.create({ ...request, max_tokens: 10 });
    expect(counted.input_tokens).toBe(message.usage.input_tokens);
    expect(counted.input_tokens).toBeGreaterThan(500);
  });

  it('caches a prompt prefix: written once, then read', async () => {
    const system: Anthropic.TextBlockParam[] = [
      { type: 'text', text: 'All work and no play. '.repeat(1200), cache_control: { type: 'ephemeral' } },
    ];
    const usages: Anthropic.Usage[] = [];
    for (const question of ['One?', 'Two?'])
      usages.push((await client.messages.create({ model, max_tokens: 10, system, messages: [user(question)] })).usage);
    expect(usages[0]!.cache_creation_input_tokens).toBeGreaterThan(4096);
    expect(usages[1]!.cache_read_input_tokens).toBe(usages[0]!.cache_creation_input_tokens);
    expect(usages[1]!.cache_creation_input_tokens).toBe(0);
  });

  it('answers by schema', async () => {
    const schema = {
      type: 'object',
      properties: { age: { type: 'integer' }, name: { type: 'string' } },
      required: ['name', 'age'],
      additionalProperties: false,
    };
    const message = await client.messages.parse({
      model,
      max_tokens: 100,
      messages: [user('Who?')],
      output_config: { format: { type: 'json_schema', schema }, effort: 'low' },
    });
    expect(JSON.parse((message.content[0] as Anthropic.TextBlock).text)).toEqual({ age: 1, name: 'text' });
  });

  it('submits, polls, reads, lists, cancels and deletes batches', async () => {
    const requests = Array.from({ length: 5 }, (_, n) => ({
      custom_id: `q-${n}`,
      params: { model: small, max_tokens: n === 3 ? 1_000_000 : 20, messages: [user(`Question ${n}`)] },
    }));
    const batch = await client.messages.batches.create({ requests });
    expect(batch.processing_status).toBe('in_progress');
    await expect(client.messages.batches.delete(batch.id)).rejects.toMatchObject({ status: 400 });
    let state = batch;
    while (state.processing_status !== 'ended') state = await client.messages.batches.retrieve(batch.id);
    expect(state.request_counts).toEqual({ processing: 0, succeeded: 4, errored: 1, canceled: 0, expired: 0 });
    const lines = await collect(await client.messages.batches.results(batch.id));
    expect(lines.map((line) => line.custom_id).toSorted()).toEqual(['q-0', 'q-1', 'q-2', 'q-3', 'q-4']);
    expect(lines.map((line) => line.custom_id)).not.toEqual(['q-0', 'q-1', 'q-2', 'q-3', 'q-4']);
    const failed = lines.find((line) => line.custom_id === 'q-3');
    expect(failed?.result).toMatchObject({
      type: 'errored',
      error: { type: 'error', error: { type: 'invalid_request_error' } },
    });
    const paid = harness.ledger.timesPaid('batches.request');
    expect([...paid].toSorted()).toEqual([
      ['q-0', 1],
      ['q-1', 1],
      ['q-2', 1],
      ['q-4', 1],
    ]);

    const second = await client.messages.batches.create({ requests });
    expect((await client.messages.batches.cancel(second.id)).processing_status).toBe('canceling');
    expect((await client.messages.batches.retrieve(second.id)).request_counts.canceled).toBe(5);
    expect((await collect(client.messages.batches.list({ limit: 1 }))).map((entry) => entry.id)).toEqual([
      second.id,
      batch.id,
    ]);
    expect(await client.messages.batches.delete(batch.id)).toEqual({ id: batch.id, type: 'message_batch_deleted' });
    await expect(client.messages.batches.retrieve(batch.id)).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  });

  it('lists models page by page and knows one', async () => {
    const ids = (await collect(client.models.list({ limit: 2 }))).map((entry) => entry.id);
    expect(ids).toEqual([model, 'claude-sonnet-4-6', small]);
    expect(harness.requests).toHaveLength(2);
    const one = await client.models.retrieve(small);
    expect([one.max_input_tokens, one.capabilities?.citations.supported]).toEqual([200_000, true]);
    await expect(client.models.retrieve('nobody')).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  });

  it('uploads, lists, uses, downloads and deletes files', async () => {
    const file = await client.files.upload({
      file: await toFile(Buffer.from('The pump runs at 40 bar.'), 'pump "7".txt'.replaceAll('"', ''), {
        type: 'text/plain',
      }),
    });
    expect([file.filename, file.mime_type, file.size_bytes]).toEqual(['pump 7.txt', 'text/plain', 24]);
    messages.model = extractiveAnswerer({ sentences: 1 }).model;
    const message = await client.messages.create({
      model,
      max_tokens: 100,
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              source: { type: 'file', file_id: file.id },
              title: 'Pump',
              citations: { enabled: true },
            },
            { type: 'text', text: 'What does the pump run at?' },
          ],
        },
      ],
    });
    expect(message.content[0]).toMatchObject({
      text: 'The pump runs at 40 bar.',
      citations: [
        { type: 'char_location', start_char_index: 0, end_char_index: 24, document_title: 'Pump', file_id: file.id },
      ],
    });
    const made = messages.files.add({ filename: 'plot.png', mimeType: 'image/png', bytes: 'PNG', downloadable: true });
    expect(await (await client.files.download(made.id)).text()).toBe('PNG');
    await expect(client.files.download(file.id)).rejects.toMatchObject({ status: 400 });
    expect((await collect(client.files.list({ limit: 1 }))).map((entry) => entry.id)).toEqual([made.id, file.id]);
    expect((await client.files.retrieveMetadata(file.id)).id).toBe(file.id);
    expect(await client.files.delete(file.id)).toEqual({ id: file.id, type: 'file_deleted' });
    await expect(client.files.retrieveMetadata(file.id)).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  });

  it('administers users, invites, workspaces, members and keys', async () => {
    const { organization } = admin;
    expect((await organization.retrieve()).type).toBe('organization');
    expect((await collect(organization.users.list())).map((entry) => entry.id)).toEqual(['user_01', 'user_02']);
    expect((await organization.users.update('user_02', { role: 'billing' })).role).toBe('billing');
    const invite = await organization.invites.create({ email: 'eve@example.com', role: 'user' });
    expect((await organization.invites.retrieve(invite.id)).email).toBe('eve@example.com');
    expect((await collect(organization.invites.list())).length).toBe(1);
    await organization.invites.delete(invite.id);
    const workspace = await organization.workspaces.create({ name: 'Second' });
    expect((await organization.workspaces.update(workspace.id, { name: 'Renamed' })).name).toBe('Renamed');
    await organization.workspaces.members.add(workspace.id, {
      user_id: 'user_02',
      workspace_role: 'workspace_developer',
    });
    expect((await collect(organization.workspaces.members.list(workspace.id))).map((entry) => entry.user_id)).toEqual([
      'user_02',
    ]);
    await organization.workspaces.archive(workspace.id);
    expect((await collect(organization.workspaces.list())).map((entry) => entry.id)).toEqual(['wrkspc_01']);
    expect((await organization.apiKeys.update('apikey_01', { status: 'inactive' })).status).toBe('inactive');
    await organization.users.remove('user_02');
    expect((await collect(organization.users.list())).length).toBe(1);
    await expect(client.organization.retrieve()).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
  });

  it.each([
    [400, Anthropic.BadRequestError],
    [401, Anthropic.AuthenticationError],
    [403, Anthropic.PermissionDeniedError],
    [404, Anthropic.NotFoundError],
    [409, Anthropic.ConflictError],
    [429, Anthropic.RateLimitError],
    [500, Anthropic.InternalServerError],
    [529, Anthropic.InternalServerError],
  ])('tells status %i as the client expects it', async (status, error) => {
    harness.script({ fault: { kind: 'status', status } });
    await expect(client.messages.create({ model, max_tokens: 10, messages: [user('Hi')] })).rejects.toBeInstanceOf(
      error,
    );
    expect(harness.ledger.entries).toEqual([]);
  });

  it('is retried after the time the service names, and billed once', async () => {
    const patient = client.withOptions({ maxRetries: 2 });
    harness.script(
      { fault: { kind: 'status', status: 429, retryAfter: { ms: 30 } } },
      { fault: { kind: 'status', status: 529, retryAfter: { ms: 10 } } },
    );
    await patient.messages.create({ model, max_tokens: 10, messages: [user('Hi')] });
    expect(harness.requests.map((request) => request.status)).toEqual([429, 529, 200]);
    expect(harness.ledger.totals().requests).toBe(1);
  });

  it('ends a stream with an error event in the client’s error', async () => {
    harness.script({
      fault: {
        kind: 'inject',
        afterEvents: 4,
        event: { event: 'error', data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } },
      },
    });
    await expect(
      client.messages.stream({ model, max_tokens: 10, messages: [user('Hi')] }).finalMessage(),
    ).rejects.toThrow('Overloaded');
  });
});
