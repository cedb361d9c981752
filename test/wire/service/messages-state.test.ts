import { afterEach, describe, expect, it } from 'vitest';
import type { MultipartPart } from './contract.ts';
import { type Harness, serve } from './harness.ts';
import { neutralNames } from './messages/catalogue.ts';
import { type MessagesService, messagesService } from './messages/messages-service.ts';
import type { MessagesOptions } from './messages/options.ts';
import { parseMultipart } from './multipart.ts';
import { startService } from './service.ts';

const large = 'assistant-large-4-6';
const key = { 'x-api-key': 'test-key', 'x-service-version': '2023-06-01' };
const adminKey = { ...key, 'x-api-key': 'test-admin-key' };

let messages: MessagesService;
let harness: Harness;
const start = async (options: MessagesOptions = {}): Promise<void> => {
  messages = messagesService(options);
  harness = await serve([messages]);
};
afterEach(() => harness?.close());

/** The fields the tests below look at; each is there only in the answers it belongs to. */
interface Json {
  readonly status: number;
  readonly id: string;
  readonly error: { readonly message: string };
  readonly processing_status: string;
  readonly request_counts: Readonly<Record<string, number>>;
  readonly results_url: string | null;
  readonly cancel_initiated_at: string | null;
  readonly expires_at: string;
  readonly stop_reason: string;
  readonly content: readonly { readonly type: string }[];
  readonly usage: {
    readonly input_tokens: number;
    readonly cache_read_input_tokens: number;
    readonly iterations: readonly { readonly type: string }[];
  };
  readonly has_more: boolean;
  readonly data: readonly { readonly starting_at: string; readonly results: readonly { readonly amount: string }[] }[];
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = key,
): Promise<Json> {
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await fetch(harness.url + path, { method, headers: { ...headers, ...type }, ...json });
  return { status: answer.status, ...((await answer.json()) as object) } as Json; // see Json
}

const ask = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  model: large,
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hi' }],
  ...more,
});

describe('batches of the stand-in', () => {
  const entries = (count: number): unknown[] =>
    Array.from({ length: count }, (_, n) => ({ custom_id: `c${n}`, params: ask() }));
  const results = async (id: string): Promise<Map<string, { type: string; error?: unknown }>> => {
    const answer = await fetch(`${harness.url}/v1/messages/batches/${id}/results`, { headers: key });
    expect(answer.headers.get('content-type')).toBe('application/x-jsonl');
    const lines = (await answer.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { custom_id: string; result: { type: string } });
    return new Map(lines.map((line) => [line.custom_id, line.result]));
  };

  it('end after so many looks, with the outcomes told, billed at half price and once', async () => {
    await start({
      batches: {
        pollsUntilEnd: 3,
        outcome: (id) =>
          id === 'c1' ? 'expired' : id === 'c2' ? { type: 'api_error', message: 'Internal' } : undefined,
      },
    });
    const made = await call('POST', '/v1/messages/batches', { requests: entries(5) });
    const states: unknown[] = [];
    let batch = made;
    for (let look = 0; look < 3; look++) {
      batch = await call('GET', `/v1/messages/batches/${made.id}`);
      states.push([
        batch.processing_status,
        batch.request_counts.processing,
        batch.request_counts.succeeded,
        batch.results_url === null,
      ]);
    }
    expect(states).toEqual([
      ['in_progress', 5, 0, true],
      ['in_progress', 5, 0, true],
      ['ended', 0, 3, false],
    ]);
    expect(batch.results_url).toBe(`${harness.url}/v1/messages/batches/${made.id}/results`);
    const byId = await results(made.id);
    expect([...byId.keys()]).not.toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
    expect(byId.get('c1')).toEqual({ type: 'expired' });
    expect(byId.get('c2')).toMatchObject({ type: 'errored', error: { type: 'error', error: { type: 'api_error' } } });
    expect([...harness.ledger.timesPaid('batches.request').values()]).toEqual([1, 1, 1]);
    // 5 tokens in ("Hi" and the turn), 4 out, at half of 5 and 25 USD per million.
    expect(harness.ledger.entries[0]).toMatchObject({ inputTokens: 5, outputTokens: 4 });
    expect(harness.ledger.entries[0]?.usd).toBeCloseTo((5 * 2.5 + 4 * 12.5) / 1e6, 15);
    // A second reading costs nothing.
    await results(made.id);
    expect(harness.ledger.entries).toHaveLength(3);
  });

  it('keep what was done when they are cancelled', async () => {
    await start({ batches: { pollsUntilEnd: 4 } });
    const { id } = await call('POST', '/v1/messages/batches', { requests: entries(8) });
    await call('GET', `/v1/messages/batches/${id}`);
    const cancelled = await call('POST', `/v1/messages/batches/${id}/cancel`);
    expect([cancelled.processing_status, typeof cancelled.cancel_initiated_at]).toEqual(['canceling', 'string']);
    const ended = await call('GET', `/v1/messages/batches/${id}`);
    // One look of four had passed: a quarter of eight is done.
    expect(ended.request_counts).toEqual({ processing: 0, succeeded: 2, errored: 0, canceled: 6, expired: 0 });
    expect((await results(id)).get('c7')).toEqual({ type: 'canceled' });
  });

  it.each([
    ['no requests', { requests: [] }, 'requests'],
    ['a bad custom_id', { requests: [{ custom_id: 'a b', params: {} }] }, 'requests.0.custom_id'],
    ['a long custom_id', { requests: [{ custom_id: 'a'.repeat(65), params: {} }] }, 'requests.0.custom_id'],
    [
      'a custom_id twice',
      {
        requests: [
          { custom_id: 'a', params: {} },
          { custom_id: 'a', params: {} },
        ],
      },
      'requests.1.custom_id',
    ],
    ['an unknown key', { requests: [{ custom_id: 'a', params: {}, priority: 1 }] }, 'requests.0.priority'],
  ])('are refused for %s', async (_, body, path) => {
    await start();
    const answer = await call('POST', '/v1/messages/batches', body);
    expect(answer.status).toBe(400);
    expect(answer.error.message).toContain(path);
  });

  it('check their requests late, streams and warm-ups included', async () => {
    await start({ dialect: 'public', ...neutralNames, batches: { pollsUntilEnd: 1 } });
    const requests = [
      { custom_id: 'stream', params: ask({ stream: true }) },
      { custom_id: 'zero', params: ask({ max_tokens: 0 }) },
      { custom_id: 'unknown', params: ask({ colour: 'red' }) },
      { custom_id: 'good', params: ask() },
    ];
    const { id } = await call('POST', '/v1/messages/batches', { requests });
    await call('GET', `/v1/messages/batches/${id}`);
    const byId = await results(id);
    expect(['stream', 'zero', 'unknown', 'good'].map((name) => byId.get(name)?.type)).toEqual([
      'errored',
      'errored',
      'errored',
      'succeeded',
    ]);
  });
});

describe('files of the stand-in', () => {
  const upload = async (name: string, parts: Record<string, string> = {}): Promise<Json> => {
    const form = new FormData();
    form.append('file', new Blob(['text'], { type: 'text/plain' }), name);
    for (const [field, value] of Object.entries(parts)) form.append(field, value);
    const answer = await fetch(`${harness.url}/v1/files`, { method: 'POST', headers: key, body: form });
    return { status: answer.status, ...((await answer.json()) as object) } as Json;
  };

  it('need their beta header in the reference dialect, in messages too', async () => {
    await start();
    expect((await upload('a.txt')).error.message).toContain('files-api-2025-04-14');
    const file = messages.files.add({ filename: 'a.txt', mimeType: 'text/plain', bytes: 'Words.' });
    const body = ask({
      messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: file.id } }] }],
    });
    expect((await call('POST', '/v1/messages', body)).status).toBe(400);
    expect(
      (await call('POST', '/v1/messages', body, { ...key, 'x-service-beta': 'files-api-2025-04-14' })).status,
    ).toBe(200);
  });

  it('have names, lives and parts that are checked', async () => {
    await start({ filesBeta: false, now: () => Date.parse('2026-03-01T00:00:00Z') });
    expect((await upload('a<b.txt')).error.message).toContain('file:');
    expect((await upload('a.txt', { expires_in_seconds: '3599' })).error.message).toContain('between 3600');
    expect((await upload('a.txt', { colour: 'red' })).error.message).toContain('colour');
    expect((await upload('a.txt', { expires_in_seconds: '3600' })).expires_at).toBe('2026-03-01T01:00:00.000Z');
  });
});

describe('the rest of the stand-in', () => {
  it('compacts past the trigger, counts it apart, and reads on from the summary', async () => {
    await start();
    const beta = { ...key, 'x-service-beta': 'compact-2026-01-12' };
    const edits = (more: object = {}): object => ({
      context_management: {
        edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 50_000 }, ...more }],
      },
    });
    const long = { role: 'user', content: 'word '.repeat(60_000) };
    const answer = await call('POST', '/v1/messages', ask({ messages: [long], ...edits() }), beta);
    expect(answer.content.map((block) => block.type)).toEqual(['compaction', 'text']);
    expect(answer.usage.iterations.map((entry) => entry.type)).toEqual(['compaction', 'message']);
    const paused = await call(
      'POST',
      '/v1/messages',
      ask({ messages: [long], ...edits({ pause_after_compaction: true }) }),
      beta,
    );
    expect(paused.stop_reason).toBe('compaction');
    const next = [long, { role: 'assistant', content: paused.content }, { role: 'user', content: 'And now?' }];
    const after = await call('POST', '/v1/messages', ask({ messages: next, ...edits() }), beta);
    expect(after.usage.input_tokens).toBeLessThan(100);
    expect(
      (await call('POST', '/v1/messages', ask({ model: 'assistant-medium-4-6', ...edits() }), beta)).error.message,
    ).toContain('does not support compaction');
  });

  it('sends the signature as an event of its own when told', async () => {
    await start({ signatureEvents: true });
    const body = ask({ max_tokens: 2000, stream: true, thinking: { type: 'enabled', budget_tokens: 1024 } });
    const answer = await fetch(`${harness.url}/v1/messages`, {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const events = (await answer.text()).split('\n\n').map((event) => event.split('\n')[0]);
    expect(events).toContain('event: signature_delta');
    expect(events[0]).toBe('event: message_start');
    expect(events.at(-2)).toBe('event: message_stop');
  });

  it('reports usage and cost from what was billed', async () => {
    const at = Date.parse('2026-03-01T10:30:30Z');
    await start({ now: () => at });
    for (let n = 0; n < 3; n++)
      await call('POST', '/v1/messages', ask(n === 2 ? { model: 'assistant-small-4-5' } : {}));
    const report = (query: string): Promise<Json> => call('GET', `/v1/organizations/${query}`, undefined, adminKey);
    const minutes = await report(
      'usage_report/messages?starting_at=2026-03-01T10:29:00Z&ending_at=2026-03-01T10:32:00Z&bucket_width=1m&group_by[]=model',
    );
    const buckets = minutes.data;
    expect(buckets.map((bucket) => [bucket.starting_at, bucket.results.length])).toEqual([
      ['2026-03-01T10:29:00Z', 0],
      ['2026-03-01T10:30:00Z', 2],
      ['2026-03-01T10:31:00Z', 0],
    ]);
    expect(buckets[1]?.results[0]).toMatchObject({ model: large, uncached_input_tokens: 10, output_tokens: 8 });
    const paged = await report(
      'usage_report/messages?starting_at=2026-03-01T10:29:00Z&ending_at=2026-03-01T10:32:00Z&bucket_width=1m&limit=2',
    );
    expect([paged.has_more, paged.data.length]).toEqual([true, 2]);
    const cost = await report('cost_report?starting_at=2026-03-01T00:00:00Z');
    const amount = cost.data[0]!.results[0]!.amount;
    // In cents: two large answers of 5 in and 4 out, one small.
    expect(Number(amount)).toBeCloseTo(100 * ((2 * (5 * 5 + 4 * 25) + (5 * 1 + 4 * 5)) / 1e6), 6);
    expect((await call('GET', '/v1/organizations/me', undefined, key)).status).toBe(401);
  });

  it('answers once the cache entry is there, not before: parallel first requests do not read each other', async () => {
    await start({ thinkMs: 60 });
    const body = ask({ system: [{ type: 'text', text: 'word '.repeat(5000), cache_control: { type: 'ephemeral' } }] });
    const usages = await Promise.all([1, 2, 3].map(async () => (await call('POST', '/v1/messages', body)).usage));
    expect(usages.map((usage) => usage.cache_read_input_tokens)).toEqual([0, 0, 0]);
    expect((await call('POST', '/v1/messages', body)).usage.cache_read_input_tokens).toBeGreaterThan(5000 - 1);
  });
});

describe('all services on one port', () => {
  it('tell a shared path apart by the key', async () => {
    await using service = await startService();
    const of = async (headers: Record<string, string>): Promise<string | undefined> => {
      const from = service.requests.length;
      await fetch(`${service.url}/v1/models`, { headers });
      return service.requests[from]?.service;
    };
    expect(await of({ authorization: 'Bearer test-search-key' })).toBe('search');
    expect(await of(key)).toBe('messages');
    expect(await of({ 'x-audio-api-key': 'k' })).toBe('audio');
    // Both know the chat endpoint and both take a bearer token there: the key itself decides.
    const chat = async (bearer: string): Promise<string | undefined> => {
      const from = service.requests.length;
      await fetch(`${service.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}` },
        body: '{}',
      });
      return service.requests[from]?.service;
    };
    expect(await chat('test-search-key')).toBe('search');
    expect(await chat('test-key')).toBe('messages');
  });

  it('can be started one at a time', async () => {
    await using service = await startService({ only: ['messages'], dialect: 'public' });
    expect((await fetch(`${service.url}/v1/embeddings`, { method: 'POST' })).status).toBe(404);
  });
});

describe('multipart bodies', () => {
  const parse = (lines: string[]): MultipartPart[] | undefined =>
    parseMultipart('multipart/form-data; boundary=b', Buffer.from(lines.join('\r\n')));

  it('are read part by part, empty and binary-looking ones included', () => {
    const parts = parse([
      '--b',
      'Content-Disposition: form-data; name="a"',
      '',
      '',
      '--b',
      'content-disposition: form-data; name="f"; filename="x%22y.txt"',
      'Content-Type: text/plain',
      '',
      '--x\r\n--',
      '--b--',
      '',
    ]);
    expect(parts?.map((part) => [part.name, part.filename, part.contentType, part.text])).toEqual([
      ['a', undefined, undefined, ''],
      ['f', 'x"y.txt', 'text/plain', '--x\r\n--'],
    ]);
  });

  it.each([
    ['no end', ['--b', 'Content-Disposition: form-data; name="a"', '', 'x']],
    ['no name', ['--b', 'Content-Disposition: form-data', '', 'x', '--b--']],
    ['another boundary', ['--c', '', 'x', '--c--']],
  ])('with %s are an error', (_, lines) => {
    expect(() => parse(lines)).toThrow();
  });
});
