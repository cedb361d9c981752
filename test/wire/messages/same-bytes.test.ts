import Anthropic, { toFile } from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMessagesService, type MessagesService, publicProfile } from '../../../src/wire/messages/index.ts';
import { type Harness, serve } from '../service/harness.ts';
import { extractiveAnswerer } from '../service/messages/extractive.ts';
import { messagesService } from '../service/messages/messages-service.ts';
import { type Apart, all, compareSent, plain, prefix } from './sent-alike.ts';
import { sharedRequests as requests } from './shared-requests.ts';

const large = 'claude-opus-4-6';
const small = 'claude-haiku-4-5';
const stand = messagesService({ dialect: 'public', batches: { pollsUntilEnd: 1 } });
let harness: Harness;
let ours: MessagesService;
let theirs: Anthropic;
let theirAdmin: Anthropic;
let theirChat: OpenAI;

beforeAll(async () => {
  harness = await serve([stand]);
  // This version of the other client prefers a bearer token; the reference's key header is set by hand.
  const open = (key: string): Anthropic =>
    new Anthropic({
      apiKey: key,
      authToken: null,
      baseURL: harness.url,
      maxRetries: 0,
      defaultHeaders: { [`${prefix}version`]: '2023-06-01', 'x-api-key': key, authorization: null },
    });
  theirs = open('test-key');
  theirAdmin = open('test-admin-key');
  theirChat = new OpenAI({ apiKey: 'test-key', baseURL: `${harness.url}/v1`, maxRetries: 0 });
  ours = createMessagesService({
    apiKey: 'test-key',
    adminKey: 'test-admin-key',
    baseUrl: harness.url,
    profile: 'public',
  });
});
afterAll(async () => {
  await ours.close();
  await harness.close();
});
beforeEach(() => {
  harness.clear();
  stand.model = extractiveAnswerer({ sentences: 2 }).model;
});

const compare = (
  their: () => Promise<unknown>,
  our: () => Promise<unknown>,
  apart: Apart = {},
): Promise<{ their: unknown; our: unknown }> => compareSent(harness, their, our, apart);

const schema = {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
  additionalProperties: false,
};

describe('what the official client sends and what ours sends is the same', () => {
  it.each(Object.entries(requests))('for a message: %s', async (_, request) => {
    const { their, our } = await compare(
      () => theirs.messages.create(request),
      () => ours.create(request),
    );
    expect(plain(our)).toEqual(plain(their));
  });

  it.each(Object.entries(requests))('for a streamed message: %s', async (_, request) => {
    const { their, our } = await compare(
      () => theirs.messages.stream(request).finalMessage(),
      () => ours.stream(request).message(),
    );
    expect(plain(our)).toEqual(plain(their));
    // And streamed equals whole.
    expect(plain(our)).toEqual(plain(await ours.create(request)));
  });

  it.each(Object.entries(requests))('for a token count: %s', async (_, request) => {
    const {
      max_tokens: _most,
      temperature: _t,
      top_k: _k,
      stop_sequences: _s,
      metadata: _m,
      service_tier: _tier,
      inference_geo: _geo,
      ...counted
    } = request;
    const { their, our } = await compare(
      () => theirs.messages.countTokens(counted),
      () => ours.countTokens(counted),
    );
    expect(our).toEqual(plain(their));
  });

  it('with a bearer token', async () => {
    const bearer = new Anthropic({
      apiKey: 'test-key',
      authToken: null,
      baseURL: harness.url,
      maxRetries: 0,
      defaultHeaders: { [`${prefix}version`]: '2023-06-01' },
    });
    await using own = createMessagesService({
      apiKey: 'test-key',
      baseUrl: harness.url,
      profile: { ...publicProfile, auth: 'bearer' },
    });
    await compare(
      () => bearer.messages.create(requests['a string']!),
      () => own.create(requests['a string']!),
    );
  });

  it('for effort and structured output, which ours spells in its own way', async () => {
    const base = { model: large, max_tokens: 50, messages: [{ role: 'user' as const, content: 'Who?' }] };
    const format = { type: 'json_schema' as const, schema };
    stand.model = () => ({ content: [{ type: 'text', text: '{"name":"Ada"}' }] });
    const { their, our } = await compare(
      () => theirs.messages.create({ ...base, output_config: { effort: 'low', format } }),
      () => ours.create({ ...base, effort: 'low', output_config: { format } }),
    );
    expect(plain(our)).toEqual(plain(their));
  });

  it('for context management, beta header included', async () => {
    const base = { model: large, max_tokens: 50, messages: [{ role: 'user' as const, content: 'Hello' }] };
    const compact = { type: 'compact_20260112' as const, trigger: { type: 'input_tokens' as const, value: 60_000 } };
    await compare(
      () =>
        theirs.beta.messages.create({
          ...base,
          betas: ['compact-2026-01-12'],
          context_management: { edits: [compact] },
        }),
      () => ours.create({ ...base, context_management: { edits: [compact] } }),
    );
  });

  it('for batches: create, look, list, results, cancel, delete', async () => {
    const params = requests['search results, cached']!;
    const batch = [
      { custom_id: 'a-1', params },
      { custom_id: 'b_2', params: requests['a string']! },
    ];
    const made = await compare(
      () => theirs.messages.batches.create({ requests: batch }),
      () => ours.batches.create(batch),
    );
    const [first, second] = [(made.their as { id: string }).id, (made.our as { id: string }).id];
    await compare(
      () => theirs.messages.batches.retrieve(first),
      () => ours.batches.get(first),
    );
    await ours.batches.get(second);
    await compare(
      () => all(theirs.messages.batches.list({ limit: 1 })),
      () => all(ours.batches.list({ limit: 1 })),
    );
    // The other client looks at the batch first, for the address of its results; ours knows the path.
    const { their, our } = await compare(
      async () => all(await theirs.messages.batches.results(first)),
      () => all(ours.batches.results(first)),
      { lastOnly: true },
    );
    expect((our as unknown[]).map(plain)).toEqual((their as unknown[]).map(plain));
    const third = (await ours.batches.create(batch)).id;
    await compare(
      () => theirs.messages.batches.cancel(third),
      () => ours.batches.cancel(third),
    );
    await compare(
      () => theirs.messages.batches.delete(first),
      async () => ours.batches.delete(first).catch(() => undefined),
    );
  });

  it('for models', async () => {
    const { their, our } = await compare(
      () => all(theirs.models.list({ limit: 2 })),
      () => all(ours.models.list({ limit: 2 })),
    );
    expect(our).toEqual(their);
    await compare(
      () => theirs.models.retrieve(small),
      () => ours.models.get(small),
    );
  });

  it('for files: upload, list, look, content, delete', async () => {
    const content = Buffer.from('The lamp is red. 😀\n');
    const { their } = await compare(
      async () =>
        theirs.files.upload({
          file: await toFile(content, 'lämp "1".txt'.replaceAll('"', ''), { type: 'text/plain' }),
        }),
      () => ours.files.upload({ content, filename: 'lämp 1.txt', type: 'text/plain' }),
    );
    const { id } = their as { id: string };
    await compare(
      () => all(theirs.files.list({ limit: 1 })),
      () => all(ours.files.list({ limit: 1 })),
    );
    await compare(
      () => theirs.files.retrieveMetadata(id),
      () => ours.files.get(id),
    );
    const made = stand.files.add({
      filename: 'a.bin',
      mimeType: 'application/octet-stream',
      bytes: new Uint8Array([0, 255, 7]),
      downloadable: true,
    });
    const got = await compare(
      async () => Buffer.from(await (await theirs.files.download(made.id)).arrayBuffer()).toString('hex'),
      async () => Buffer.concat(await all(await ours.files.content(made.id))).toString('hex'),
    );
    expect(got).toEqual({ their: '00ff07', our: '00ff07' });
    await compare(
      () => theirs.files.delete(id),
      async () => ours.files.delete(id).catch(() => undefined),
    );
  });

  it('for the administration operations both have', async () => {
    const { organization } = theirAdmin;
    const { admin } = ours;
    const { members } = organization.workspaces;
    const both = async (their: () => Promise<unknown>, our: () => Promise<unknown>): Promise<void> =>
      void (await compare(their, our));
    await both(
      () => organization.retrieve(),
      () => admin.me(),
    );
    await both(
      () => all(organization.users.list({ limit: 1 })),
      () => all(admin.users.list({ limit: 1 })),
    );
    await both(
      () => organization.users.retrieve('user_02'),
      () => admin.users.get('user_02'),
    );
    await both(
      () => organization.users.update('user_02', { role: 'developer' }),
      () => admin.users.update('user_02', { role: 'developer' }),
    );
    await both(
      () => organization.invites.create({ email: 'eve@example.com', role: 'user' }),
      () => admin.invites.create({ email: 'eve@example.com', role: 'user' }),
    );
    await both(
      () => all(organization.invites.list()),
      () => all(admin.invites.list()),
    );
    const invite = stand.admin.invites[0]!.id;
    await both(
      () => organization.invites.retrieve(invite),
      () => admin.invites.get(invite),
    );
    await both(
      () => organization.invites.delete(invite),
      () => admin.invites.delete(invite).catch(() => undefined),
    );
    await both(
      () => organization.workspaces.create({ name: 'W' }),
      () => admin.workspaces.create({ name: 'W' }),
    );
    const workspace = stand.admin.workspaces[0]!.id;
    await both(
      () => organization.workspaces.retrieve(workspace),
      () => admin.workspaces.get(workspace),
    );
    await both(
      () => all(organization.workspaces.list()),
      () => all(admin.workspaces.list()),
    );
    await both(
      () => organization.workspaces.update(workspace, { name: 'V' }),
      () => admin.workspaces.update(workspace, { name: 'V' }),
    );
    const member = { user_id: 'user_02', workspace_role: 'workspace_developer' as const };
    await both(
      () => members.add(workspace, member),
      () => admin.members.create(workspace, member).catch(() => undefined),
    );
    await both(
      () => all(members.list(workspace)),
      () => all(admin.members.list(workspace)),
    );
    await both(
      () => members.retrieve('user_02', { workspace_id: workspace }),
      () => admin.members.get(workspace, 'user_02'),
    );
    const role = { workspace_role: 'workspace_admin' as const };
    await both(
      () => members.update('user_02', { workspace_id: workspace, ...role }),
      () => admin.members.update(workspace, 'user_02', role),
    );
    await both(
      () => members.remove('user_02', { workspace_id: workspace }),
      () => admin.members.delete(workspace, 'user_02').catch(() => undefined),
    );
    await both(
      () => organization.workspaces.archive(workspace),
      () => admin.workspaces.archive(workspace),
    );
    await both(
      () => all(organization.apiKeys.list()),
      () => all(admin.apiKeys.list()),
    );
    await both(
      () => organization.apiKeys.retrieve('apikey_01'),
      () => admin.apiKeys.get('apikey_01'),
    );
    await both(
      () => organization.apiKeys.update('apikey_01', { name: 'K' }),
      () => admin.apiKeys.update('apikey_01', { name: 'K' }),
    );
    await both(
      () => organization.users.remove('user_02'),
      () => admin.users.delete('user_02').catch(() => undefined),
    );
  });

  it('for the compatible chat endpoint, whole and streamed', async () => {
    const tool = {
      type: 'function' as const,
      function: { name: 'f', description: 'F', parameters: { type: 'object' } },
    };
    const chat = {
      model: large,
      max_tokens: 50,
      temperature: 0,
      messages: [
        { role: 'system' as const, content: 'Be brief.' },
        { role: 'user' as const, content: 'Hello' },
      ],
      tools: [tool],
      tool_choice: 'auto' as const,
    };
    // A client of that format knows no version header; the service ignores ours there.
    const version = { header: `${prefix}version` };
    const { their, our } = await compare(
      () => theirChat.chat.completions.create(chat),
      () => ours.chat.create(chat),
      version,
    );
    expect(plain(our)).toEqual(plain(their));
    const options = { include_usage: true };
    const streamed = await compare(
      async () => all(await theirChat.chat.completions.create({ ...chat, stream: true, stream_options: options })),
      () => all(ours.chat.stream({ ...chat, stream_options: options })),
      version,
    );
    expect((streamed.our as unknown[]).map(plain)).toEqual((streamed.their as unknown[]).map(plain));
  });
});
