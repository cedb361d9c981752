import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  citationsOf,
  type FileUpload,
  jsonOutput,
  type MessagesService,
  type StandardSchema,
  textOf,
  totalInputTokens,
  type UsageReportParams,
} from '../../../src/wire/messages/index.ts';
import { message } from './emit.ts';
import { FakeTransport } from './fake.ts';
import { collect, clientOver as serve } from './support.ts';

const queries = (transport: FakeTransport): unknown[] =>
  transport.sent.map(({ call }) =>
    Object.fromEntries(Object.entries(call.query ?? {}).filter(([, value]) => value !== undefined)),
  );

it('a count of tokens is a number, or RESPONSE_INVALID', async () => {
  const counted = (answer: unknown): Promise<unknown> =>
    serve(new FakeTransport(answer)).countTokens({
      model: 'assistant-large-4-6',
      messages: [{ role: 'user', content: 'Hi' }],
    });
  expect(await counted({ input_tokens: 0 })).toMatchObject({ input_tokens: 0 });
  for (const wrong of [{}, { input_tokens: null }, { input_tokens: '12' }, []]) {
    await expect(counted(wrong)).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
  }
});

it('a model is asked for by the name that the service has for it', async () => {
  const transport = new FakeTransport({ id: 'live-large' }, { id: 'other' });
  const { models } = serve(transport, { modelNames: { 'assistant-large-4-6': 'live-large' } });
  await models.get('assistant-large-4-6');
  await models.get('other');
  expect(transport.sent.map(({ call }) => call.path)).toEqual([{ id: 'live-large' }, { id: 'other' }]);
});

describe('listings', () => {
  const page = (ids: readonly string[], more: boolean): unknown => ({
    data: ids.map((id) => ({ id })),
    has_more: more,
    first_id: ids[0] ?? null,
    last_id: ids.at(-1) ?? null,
  });

  it('go on after the last id while there is more', async () => {
    const transport = new FakeTransport(page(['a', 'b'], true), page(['c'], true), page([], false));
    expect((await collect(serve(transport).models.list({ limit: 2 }))).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(queries(transport)).toEqual([{ limit: 2 }, { limit: 2, after_id: 'b' }, { limit: 2, after_id: 'c' }]);
  });

  it('go backwards from before_id', async () => {
    const transport = new FakeTransport(page(['c', 'd'], true), page(['a', 'b'], false));
    await collect(serve(transport).batches.list({ before_id: 'e' }));
    expect(queries(transport)).toEqual([{ before_id: 'e' }, { before_id: 'c' }]);
  });

  it('go on by page token where the service gives one', async () => {
    const transport = new FakeTransport(
      { data: [{ id: 'a' }], next_page: 'p=2' },
      { data: [{ id: 'b' }], next_page: null },
    );
    expect(await collect(serve(transport).files.list({ ids: ['a', 'b'] }))).toHaveLength(2);
    expect(queries(transport)).toEqual([{ 'ids[]': ['a', 'b'] }, { 'ids[]': ['a', 'b'], page: 'p=2' }]);
  });

  it('ask for a page only when the one before is used up, and for one only on request', async () => {
    const transport = new FakeTransport(page(['a', 'b'], true), page(['c'], true));
    for await (const { id } of serve(transport).models.list()) if (id === 'b') break;
    expect(transport.sent).toHaveLength(1);
    expect((await serve(transport).models.list().page()).data).toHaveLength(1);
    expect(transport.sent).toHaveLength(2);
  });

  it('end with RESPONSE_INVALID rather than never', async () => {
    const same = new FakeTransport(page(['a'], true), page(['a'], true), page(['a'], true));
    await expect(collect(serve(same).models.list())).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
    const none = new FakeTransport({ data: [{ id: 'a' }], has_more: true, last_id: null });
    await expect(collect(serve(none).models.list())).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
    const odd = new FakeTransport({ items: [] });
    await expect(collect(serve(odd).models.list())).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
  });

  it.each([{ limit: 0 }, { limit: 1001 }, { limit: 1.5 }, { afterId: 'a' }])('refuse %j at once', (params) => {
    expect(() => serve(new FakeTransport()).models.list(params)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    );
  });
});

describe('uploading a file', () => {
  const file: FileUpload = { content: new Uint8Array(3), filename: 'a.pdf', type: 'application/pdf' };
  it.each([
    ['filename: has 0 characters, allowed are 1 to 255', { filename: '' }],
    ['filename: has 256 characters, allowed are 1 to 255', { filename: 'x'.repeat(256) }],
    ['filename: holds "/"; not allowed are < > : " | ? * \\ / and control characters', { filename: 'a/b.pdf' }],
    ['filename: holds "\\n"; not allowed are < > : " | ? * \\ / and control characters', { filename: 'a\n.pdf' }],
    ['content: is empty', { content: new Uint8Array(0) }],
    ['expires_in_seconds: must be a whole number from 3600 to 7776000', { expires_in_seconds: 3599 }],
    ['expiresInSeconds: is not a field of this request', { expiresInSeconds: 3600 }],
  ])('refuses: %s', async (problem, fields) => {
    const transport = new FakeTransport();
    await expect(serve(transport).files.upload({ ...file, ...fields })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(problem),
    });
    expect(transport.sent).toEqual([]);
  });

  it('sends one part, and a second for the expiry', async () => {
    const transport = new FakeTransport({}, {});
    await serve(transport).files.upload(file);
    await serve(transport).files.upload({ ...file, expires_in_seconds: 3600 });
    expect(transport.sent.map(({ call }) => call.form?.map(({ name }) => name))).toEqual([
      ['file'],
      ['file', 'expires_in_seconds'],
    ]);
  });
});

describe('administration', () => {
  it.each([
    ['an empty id', (service: MessagesService) => service.admin.users.get('')],
    ['a change of nothing', (service: MessagesService) => service.admin.apiKeys.update('key', {})],
    [
      'a misspelt filter of a report',
      async (service: MessagesService) =>
        service.admin.usageReport({ starting_at: '2026-03-02T00:00:00Z', groupBy: ['model'] } as UsageReportParams),
    ],
  ])('refuses %s', async (_name, call) => {
    const transport = new FakeTransport();
    await expect(call(serve(transport))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(transport.sent).toEqual([]);
  });
});

describe('the compatible chat endpoint', () => {
  const request = { model: 'assistant-small-4-5', messages: [{ role: 'user' as const, content: 'Hi' }] };
  const chunk = (content: string, finish_reason: string | null = null): { event: string; data: string } => ({
    event: '',
    data: JSON.stringify({
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { content }, finish_reason }],
    }),
  });
  const done = { event: '', data: '[DONE]' };
  const stream = (...events: unknown[]): Promise<unknown[]> =>
    collect(serve(new FakeTransport([events])).chat.stream(request));

  it('ends at [DONE], or without it after a finish reason', async () => {
    expect(await stream(chunk('a'), chunk('b', 'stop'), done, chunk('late'))).toHaveLength(2);
    expect(await stream(chunk('a'), chunk('b', 'stop'))).toHaveLength(2);
  });

  it('fails as a typed error', async () => {
    await expect(stream(chunk('a'))).rejects.toMatchObject({ code: 'STREAM_BROKEN' });
    await expect(stream({ event: '', data: '{' })).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
    await expect(
      stream({ event: '', data: '{"error":{"type":"overloaded_error","message":"Later"}}' }),
    ).rejects.toMatchObject({ code: 'OVERLOADED' });
  });

  it.each([{ model: '' }, { model: 'other' }, { messages: [] }, { max_tokens: 0 }, { temperature: 2 }, { n: 2 }])(
    'refuses %j',
    async (fields) => {
      const transport = new FakeTransport();
      await expect(serve(transport).chat.create({ ...request, ...fields } as typeof request)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
      expect(transport.sent).toEqual([]);
    },
  );
});

describe('structured output', () => {
  const schema = {
    type: 'object',
    properties: { bar: { type: 'number' } },
    required: ['bar'],
    additionalProperties: false,
  };
  const says = (text: string, fields = {}): ReturnType<typeof message> => message([{ type: 'text', text }], fields);

  it('parses the value, 0 included', async () => {
    expect(await jsonOutput(schema).parse(says('{"bar":0}'))).toEqual({ bar: 0 });
  });

  it('is typed and checked by a standard schema', async () => {
    const output = jsonOutput(
      schema,
      v.object({ bar: v.pipe(v.number(), v.minValue(1)) }) as StandardSchema<{ bar: number }>,
    );
    expect((await output.parse(says('{"bar":40}'))).bar).toBe(40);
    await expect(output.parse(says('{"bar":0}'))).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
  });

  it.each([
    [
      'a refusal',
      says('', { stop_reason: 'refusal', stop_details: { type: 'refusal', explanation: 'No.' } }),
      'RUN_FAILED',
    ],
    ['a cut answer', says('{"bar":', { stop_reason: 'max_tokens' }), 'RUN_FAILED'],
    ['an answer that is no JSON', says('forty'), 'RESPONSE_INVALID'],
  ])('fails on %s', async (_name, answer, code) => {
    await expect(jsonOutput(schema).parse(answer)).rejects.toMatchObject({ code });
  });

  it('refuses a schema the service cannot compile when it is made', () => {
    expect(() => jsonOutput({ type: 'object', properties: {} })).toThrow(/additionalProperties/);
  });
});

describe('reading an answer', () => {
  const answer = message(
    [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'text', text: 'It runs at ' },
      { type: 'text', text: '40 bar', citations: [{ type: 'later_location' }] },
      { type: 'text', text: '.', citations: [] },
    ],
    { usage: { input_tokens: 10, output_tokens: 1, cache_creation_input_tokens: 200, cache_read_input_tokens: 3000 } },
  );

  it('joins the text without separators, and cuts the cited pieces out of it', () => {
    expect(textOf(answer)).toBe('It runs at 40 bar.');
    const [span] = citationsOf(answer);
    expect(textOf(answer).slice(span!.start, span!.end)).toBe('40 bar');
    expect(citationsOf(answer)).toHaveLength(1);
  });

  it('adds all input up', () => {
    expect(totalInputTokens(answer.usage)).toBe(3210);
  });
});
