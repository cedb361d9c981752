import { describe, expect, it } from 'vitest';
import { cacheControl, createMessagesService, type MessageRequest } from '../../../src/wire/messages/index.ts';
import { openService as open } from './support.ts';

const plain: MessageRequest = {
  model: 'assistant-small-4-5',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hi' }],
};
describe('a stream over the network', () => {
  it('takes signatures that come as events of their own, and gives them back', async () => {
    await using given = await open({ signatureEvents: true });
    const request: MessageRequest = {
      ...plain,
      max_tokens: 3000,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object', properties: {} } }],
    };
    given.standIn.model = () => ({
      content: [
        { type: 'thinking', thinking: 'Überlegen … 🤔' },
        { type: 'tool_use', name: 'look', input: { wo: 'Prüfstand' }, id: 'toolu_fixed' },
      ],
    });
    const message = await given.service.stream(request).message();
    expect(message.content[0]).toMatchObject({ type: 'thinking', signature: expect.stringMatching(/./) });
    await given.service.create({
      ...request,
      messages: [
        ...request.messages,
        { role: 'assistant', content: message.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_fixed' }] },
      ],
    });
  });

  it('uses the connection again after a whole stream', async () => {
    await using given = await open();
    for (let n = 0; n < 4; n += 1) await given.service.stream(plain).message();
    await given.service.create(plain);
    expect(given.server.connections).toBeLessThanOrEqual(2);
  });
});

describe('the results of a batch over the network', () => {
  it('are complete after two cuts', async () => {
    await using given = await open({ batches: { pollsUntilEnd: 1 } });
    const ids = Array.from({ length: 200 }, (_, n) => `r-${n}`);
    given.server.script(
      { match: { path: /results$/ }, fault: { kind: 'cut', afterBytes: 20_000 } },
      { match: { path: /results$/ }, fault: { kind: 'cut', afterBytes: 50_000 } },
    );
    const seen: string[] = [];
    for await (const { custom_id, result } of given.service.batches.run(
      ids.map((custom_id) => ({ custom_id, params: plain })),
      { pollMs: 1 },
    )) {
      expect(result.type).toBe('succeeded');
      seen.push(custom_id);
    }
    expect(given.server.unusedRules).toBe(0);
    expect(seen).toHaveLength(200);
    expect(new Set(seen)).toEqual(new Set(ids));
  });

  it('keep the failures of single requests typed', async () => {
    const outcome = (id: string): 'expired' | 'canceled' | { type: string; message: string } | undefined =>
      ({ e: 'expired' as const, c: 'canceled' as const, x: { type: 'overloaded_error', message: 'Later.' } })[id];
    await using given = await open({ batches: { pollsUntilEnd: 1, outcome } });
    const types: Record<string, string> = {};
    const requests = ['a', 'e', 'c', 'x'].map((custom_id) => ({ custom_id, params: plain }));
    for await (const { custom_id, result } of given.service.batches.run(requests, { pollMs: 1 }))
      types[custom_id] = result.type;
    expect(types).toEqual({ a: 'succeeded', e: 'expired', c: 'canceled', x: 'errored' });
  });
});

describe('what the service bills is what this client says it costs', () => {
  const long = 'The pump is water cooled and rated at forty bar. '.repeat(900);
  const cached: MessageRequest = {
    ...plain,
    system: [{ type: 'text', text: long, cache_control: cacheControl('1h') }],
  };
  it.each([
    ['a plain answer', plain],
    ['an answer in the US', { ...plain, model: 'assistant-large-4-6', inference_geo: 'us' as const }],
    ['cache writes', cached],
    ['short-lived cache writes', { ...plain, cache_control: cacheControl(), system: long }],
  ])('%s, and the same again', async (_name, one) => {
    await using given = await open();
    let usd = 0;
    for (let n = 0; n < 2; n += 1) {
      const message = await given.service.create(one);
      const cost = given.service.costOf(message)!;
      usd += cost.usd;
      expect(cost.usd).toBeLessThanOrEqual(given.service.estimateCost(one)!.usd);
      expect(given.server.ledger.totals('messages.create').usd).toBeCloseTo(usd, 12);
      if (one === cached)
        expect(message.usage[n === 0 ? 'cache_creation_input_tokens' : 'cache_read_input_tokens']).toBeGreaterThan(
          5000,
        );
    }
  });

  it('a batch', async () => {
    await using given = await open({ batches: { pollsUntilEnd: 1 } });
    let usd = 0;
    for await (const { result } of given.service.batches.run(
      [
        { custom_id: 'a', params: plain },
        { custom_id: 'b', params: cached },
      ],
      { pollMs: 1 },
    )) {
      if (result.type === 'succeeded') usd += given.service.costOf(result.message)!.usd;
    }
    expect(usd).toBeGreaterThan(0);
    expect(given.server.ledger.totals().usd).toBeCloseTo(usd, 12);
  });
});

describe('opening the service', () => {
  const make = (options: object) => (): unknown =>
    createMessagesService({ apiKey: 'k', baseUrl: 'https://api.example.com', ...options });
  it.each([
    ['KEY_MISSING', { apiKey: ' ' }],
    ['UNSAFE_ADDRESS', { baseUrl: 'http://api.example.com' }],
    ['INVALID_ARGUMENT', { profile: 'other' }],
    ['INVALID_ARGUMENT', { profile: { headerPrefix: 'X-Service' } }],
  ])('refuses with %s: %j', (code, options) => {
    expect(make(options)).toThrow(expect.objectContaining({ code }));
  });

  it('writes every header under the prefix of the profile', async () => {
    await using given = await open(
      { headerPrefix: 'x-other-', filesBeta: true },
      { profile: { headerPrefix: 'x-other-' } },
    );
    const { id } = given.standIn.files.add({ filename: 'a.txt', mimeType: 'text/plain', bytes: 'words' });
    const content = [{ type: 'document' as const, source: { type: 'file' as const, file_id: id } }];
    await given.service.create({ ...plain, messages: [{ role: 'user', content }] });
    const { headers } = given.server.requests[0]!;
    expect(headers).toMatchObject({ 'x-other-version': '2023-06-01', 'x-other-beta': 'files-api-2025-04-14' });
    expect(Object.keys(headers).filter((name) => name.startsWith('x-service-'))).toEqual([]);
  });
});
