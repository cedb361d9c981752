import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, serve } from './harness.ts';
import { neutralNames } from './messages/catalogue.ts';
import { type MessagesService, messagesService } from './messages/messages-service.ts';
import type { MessagesOptions } from './messages/options.ts';
import { ask, assistant, hi, refused, refusedPublic, result, taken, text, tools, user } from './messages-bodies.ts';

const small = 'assistant-small-4-5';
const headers = { 'x-api-key': 'test-key', 'x-service-version': '2023-06-01', 'content-type': 'application/json' };

let messages: MessagesService;
let harness: Harness;
const start = async (options: MessagesOptions = {}): Promise<void> => {
  await harness?.close();
  messages = messagesService(options);
  harness = await serve([messages]);
};
beforeEach(() => start());
afterEach(() => harness.close());

interface Answered {
  readonly status: number;
  // What comes back is looked at field by field in each test.
  readonly body: Record<string, unknown>;
  readonly error: string;
}

async function post(
  body: unknown,
  extra: Record<string, string | undefined> = {},
  path = '/v1/messages',
): Promise<Answered> {
  const sent = Object.fromEntries(
    Object.entries({ ...headers, ...extra }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const answer = await fetch(harness.url + path, {
    method: 'POST',
    headers: sent,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const json = (await answer.json()) as {
    type: string;
    error?: { type: string; message: string };
    request_id?: string;
  };
  if (!answer.ok) {
    expect(json.type).toBe('error');
    expect(json.request_id).toBe(answer.headers.get('request-id'));
  }
  return {
    status: answer.status,
    body: json as unknown as Record<string, unknown>,
    error: json.error === undefined ? '' : `${json.error.type}: ${json.error.message}`,
  };
}

describe('the stand-in messages service looks at the door', () => {
  it.each([
    ['no key', { 'x-api-key': undefined }, 401, 'authentication_error: x-api-key header is required'],
    ['a wrong key', { 'x-api-key': 'other' }, 401, 'authentication_error: invalid x-api-key'],
    ['an admin key', { 'x-api-key': 'test-admin-key' }, 401, 'authentication_error'],
    ['both kinds of key', { authorization: 'Bearer test-key' }, 400, 'only one of'],
    ['no version', { 'x-service-version': undefined }, 400, 'x-service-version: header is required'],
    ['a wrong version', { 'x-service-version': '2024-01-01' }, 400, 'not a valid version'],
    [
      'another prefix',
      { 'x-service-version': undefined, 'anthropic-version': '2023-06-01' },
      400,
      'x-service-version: header is required',
    ],
    ['an unknown beta', { 'x-service-beta': 'files-api-2025-04-14, nonsense' }, 400, '`nonsense`'],
    ['a wrong content type', { 'content-type': 'text/plain' }, 400, 'content-type'],
  ])('refuses %s', async (_, extra, status, error) => {
    const answer = await post(ask(), extra);
    expect(answer.status).toBe(status);
    expect(answer.error).toContain(error);
    expect(harness.ledger.entries).toEqual([]);
  });

  it('takes a bearer token in place of the key', async () => {
    expect((await post(ask(), { 'x-api-key': undefined, authorization: 'Bearer test-key' })).status).toBe(200);
  });

  it('refuses damaged JSON, a query it does not know, an unknown path and method', async () => {
    expect((await post('{"model":')).error).toContain('not valid JSON');
    expect((await post(ask(), {}, '/v1/messages?colour=red')).error).toContain('query.colour');
    expect((await post(ask(), {}, '/v1/nowhere')).status).toBe(404);
    expect((await fetch(`${harness.url}/v1/messages`, { headers })).status).toBe(405);
  });
});

describe('the stand-in messages service is strict', () => {
  it.each(refused)('refuses %s', async (_, body, status, error) => {
    const answer = await post(body);
    expect(answer.error).toContain(error);
    expect(answer.status).toBe(status);
    expect(harness.ledger.entries).toEqual([]);
  });

  it.each(refusedPublic)('refuses %s in the public dialect', async (_, body, error) => {
    await start({ dialect: 'public', ...neutralNames });
    const answer = await post(body);
    expect(answer.error).toContain(error);
    expect(answer.status).toBe(400);
  });

  it.each(taken)('takes %s', async (_, body, dialect) => {
    await start({ dialect, ...neutralNames });
    const answer = await post(body);
    expect(answer.error).toBe('');
  });

  it('refuses what is longer than the window', async () => {
    const answer = await post(ask({ model: small, messages: [user(text('word '.repeat(210_000)))] }));
    expect(answer.error).toMatch(/prompt is too long: 2100\d\d tokens > 200000 maximum/);
  });

  it('notices a thought that was dropped from a tool loop, and a native result that was changed', async () => {
    messages.reply(
      {
        content: [
          { type: 'thinking', thinking: 'Hm.' },
          { type: 'tool_use', name: 'f', input: {} },
        ],
      },
      {
        content: [
          {
            type: 'raw',
            block: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
          },
          { type: 'raw', block: { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] } },
        ],
        stopReason: 'pause_turn',
      },
    );
    const thinking = { type: 'enabled', budget_tokens: 1024 };
    const content = ((await post(ask({ tools, thinking }))).body.content ?? []) as { type: string; id: string }[];
    const id = content[1]!.id;
    const next = (echo: unknown[]): Promise<Answered> =>
      post(ask({ tools, thinking, messages: [...hi, assistant(...echo), user(result(id))] }));
    expect((await next(content.slice(1))).error).toContain('Expected `thinking`');
    const native = ((await next(content)).body.content ?? []) as { type: string; content?: unknown }[];
    expect((await post(ask({ messages: [...hi, assistant(...native)] }))).status).toBe(200);
    expect(
      (await post(ask({ messages: [...hi, assistant(native.at(-2), { ...native.at(-1), content: [{ a: 1 }] })] })))
        .error,
    ).toContain('is not the one that was returned');
  });
});

describe('the stand-in messages service ends answers where it should', () => {
  const stop = async (body: Record<string, unknown>): Promise<unknown[]> => {
    const { body: answer } = await post(body);
    return [
      answer.content,
      answer.stop_reason,
      answer.stop_sequence,
      (answer.usage as { output_tokens: number }).output_tokens,
    ];
  };

  it('at max_tokens, at a stop sequence, in a tool call', async () => {
    messages.reply('one two three four five', 'before END after', {
      content: [{ type: 'tool_use', name: 'f', input: { long: 'x '.repeat(100) } }],
    });
    expect(await stop(ask({ max_tokens: 3 }))).toEqual([[text('one two three')], 'max_tokens', null, 3]);
    expect(await stop(ask({ stop_sequences: ['later', 'END'] }))).toEqual([
      [text('before ')],
      'stop_sequence',
      'END',
      2,
    ]);
    expect((await stop(ask({ max_tokens: 20, tools }))).slice(1)).toEqual(['max_tokens', null, 20]);
  });

  it('bills thinking as output though it is not shown', async () => {
    messages.reply({
      content: [
        { type: 'thinking', thinking: 'one two three four' },
        { type: 'text', text: 'five' },
      ],
    });
    const answer = await post(ask({ thinking: { type: 'enabled', budget_tokens: 1024, display: 'omitted' } }));
    expect(answer.body.content).toMatchObject([{ type: 'thinking', thinking: '' }, text('five')]);
    expect(answer.body.usage).toMatchObject({ output_tokens: 5, output_tokens_details: { thinking_tokens: 4 } });
  });

  it('at the end of the window', async () => {
    await start({
      models: [
        {
          ...messages.received[0]?.model,
          id: 'tiny',
          displayName: 'Tiny',
          createdAt: '2026-01-01T00:00:00Z',
          inputUsd: 1,
          outputUsd: 1,
          window: 10,
          maxOutput: 100,
          minCacheTokens: 1,
          efforts: [],
          adaptive: false,
          prefill: true,
          inferenceGeo: false,
          compaction: false,
          referenceCompaction: false,
        },
      ],
    });
    messages.reply('one two three four five six seven');
    // 4 tokens of the turn and 1 of its word leave 5.
    expect(await stop({ model: 'tiny', max_tokens: 50, messages: hi })).toEqual([
      [text('one two three four five')],
      'model_context_window_exceeded',
      null,
      5,
    ]);
  });
});

describe('the stand-in messages service limits rates', () => {
  it('by requests and tokens, says when to come back, and fills up with time', async () => {
    let now = Date.parse('2026-03-01T10:00:00Z');
    await start({
      now: () => now,
      limits: { requestsPerMinute: 2, inputTokensPerMinute: 60_000, outputTokensPerMinute: 8000 },
    });
    const send = async (): Promise<[number, string | null, string | null]> => {
      const answer = await fetch(`${harness.url}/v1/messages`, {
        method: 'POST',
        headers,
        body: JSON.stringify(ask()),
      });
      return [
        answer.status,
        answer.headers.get('retry-after'),
        answer.headers.get('x-service-ratelimit-requests-remaining'),
      ];
    };
    expect(await send()).toEqual([200, null, '1']);
    expect(await send()).toEqual([200, null, '0']);
    // A request every 30 s.
    expect(await send()).toEqual([429, '30', '0']);
    now += 29_000;
    expect((await send()).slice(0, 2)).toEqual([429, '1']);
    now += 1_000;
    expect((await send())[0]).toBe(200);
    const answer = await fetch(`${harness.url}/v1/models`, { headers });
    expect(answer.headers.get('x-service-ratelimit-input-tokens-limit')).toBe('60000');
    expect(answer.headers.get('x-service-ratelimit-requests-reset')).toBe('2026-03-01T10:01:30Z');
  });
});
