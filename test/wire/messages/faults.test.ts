import { describe, expect, it } from 'vitest';
import {
  cacheControl,
  createMessagesService,
  type MessageRequest,
  type MessagesService,
  type MessagesServiceOptions,
} from '../../../src/wire/messages/index.ts';
import type { Fault, Rule } from '../service/faults.ts';
import { type Harness, serve } from '../service/harness.ts';
import { messagesService, type MessagesService as StandIn } from '../service/messages/messages-service.ts';
import type { MessagesOptions } from '../service/messages/options.ts';

interface Open extends AsyncDisposable {
  readonly server: Harness;
  readonly standIn: StandIn;
  readonly service: MessagesService;
}

async function open(options: MessagesOptions = {}, own: Partial<MessagesServiceOptions> = {}): Promise<Open> {
  const standIn = messagesService(options);
  const server = await serve([standIn]);
  const service = createMessagesService({ apiKey: 'test-key', baseUrl: server.url, profile: options.dialect, ...own });
  return {
    server,
    standIn,
    service,
    [Symbol.asyncDispose]: async () => {
      await service.close();
      await server.close();
    },
  };
}

const request: MessageRequest = {
  model: 'assistant-large-4-6',
  max_tokens: 3000,
  thinking: { type: 'enabled', budget_tokens: 1024 },
  citations: true,
  tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object', properties: {} } }],
  messages: [
    {
      role: 'user',
      content: [
        {
          type: 'search_result',
          source: 'kb://7',
          title: 'Handbuch',
          content: [{ type: 'text', text: 'Der Prüfdruck beträgt 40 bar. 水冷' }],
        },
        { type: 'text', text: 'Wie hoch ist der Druck?' },
      ],
    },
  ],
};
const plain: MessageRequest = {
  model: 'assistant-small-4-5',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hi' }],
};
const draft = {
  content: [
    { type: 'thinking' as const, thinking: 'Überlegen … 🤔' },
    { type: 'text' as const, text: 'Es sind ' },
    {
      type: 'text' as const,
      text: '40 bar 💧',
      citations: [
        {
          type: 'search_result_location' as const,
          cited_text: 'Der Prüfdruck beträgt 40 bar. 水冷',
          source: 'kb://7',
          title: 'Handbuch',
          search_result_index: 0,
          start_block_index: 0,
          end_block_index: 1,
        },
      ],
    },
    {
      type: 'tool_use' as const,
      name: 'look',
      input: { wo: 'Prüfstand "3"', tief: { n: [1, 2, null] } },
      id: 'toolu_fixed',
    },
  ],
};
/** Ids and signatures are new in every answer. */
const comparable = (message: { readonly content: readonly object[] }): unknown => ({
  ...message,
  id: '',
  content: message.content.map((block) => ({ ...block, ...('signature' in block ? { signature: '' } : {}) })),
});

describe('a stream over the network', () => {
  const harmless: readonly (readonly [string, Fault | readonly Fault[]])[] = [
    ['whole', []],
    ['in single bytes', { kind: 'split', bytes: 1 }],
    ['in pieces of 3 bytes', { kind: 'split', bytes: 3 }],
    ...[1, 2, 3, 4, 5].map(
      (seed) => [`in random pieces, seed ${seed}`, { kind: 'splitRandomly', max: 40, seed }] as const,
    ),
    [
      'with CRLF',
      [
        { kind: 'lineEnds', ends: 'crlf' },
        { kind: 'split', bytes: 7 },
      ],
    ],
    [
      'with CR',
      [
        { kind: 'lineEnds', ends: 'cr' },
        { kind: 'split', bytes: 7 },
      ],
    ],
    ['with pings, comments and events of later versions', { kind: 'noise', pings: true, unknown: true }],
    ['in many data lines', { kind: 'manyDataLines' }],
  ];

  it.each(harmless)('gives the message that is not streamed: %s', async (_name, fault) => {
    await using given = await open();
    given.standIn.model = () => draft;
    const whole = await given.service.create(request);
    given.server.script({ fault });
    expect(comparable(await given.service.stream(request).message())).toEqual(comparable(whole));
    expect(whole.content).toHaveLength(4);
  });

  it('takes signatures that come as events of their own', async () => {
    await using given = await open({ signatureEvents: true });
    given.standIn.model = () => draft;
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

  const overloaded = {
    event: 'error',
    data: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  };
  it.each([
    ['without message_stop', { kind: 'drop', event: 'message_stop' }, 'STREAM_BROKEN'],
    ['cut in the middle', { kind: 'cut', afterEvents: 6 }, 'STREAM_BROKEN'],
    ['ended in the middle', { kind: 'end', afterEvents: 6 }, 'STREAM_BROKEN'],
    ['with a block that begins twice', { kind: 'duplicate', event: 'content_block_start', nth: 1 }, 'RESPONSE_INVALID'],
    ['with an error inside', { kind: 'inject', event: overloaded, afterEvents: 4 }, 'OVERLOADED'],
    ['stalled', { kind: 'stall', afterEvents: 5 }, 'TIMEOUT'],
    ['a web page', { kind: 'html', status: 200 }, 'RESPONSE_INVALID'],
  ] as const)('fails as a typed error: %s', async (_name, fault, code) => {
    await using given = await open({}, { timeouts: { idleMs: fault.kind === 'stall' ? 300 : 0 } });
    given.standIn.model = () => draft;
    given.server.script({ fault });
    await expect(given.service.stream(request).message()).rejects.toMatchObject({ code });
    expect(given.server.requests).toHaveLength(1); // once text may have been shown, nothing is repeated
  });

  it('uses the connection again after a whole stream', async () => {
    await using given = await open();
    for (let n = 0; n < 4; n += 1) await given.service.stream(plain).message();
    await given.service.create(plain);
    expect(given.server.connections).toBeLessThanOrEqual(2);
  });

  it('lets go of the connection when the loop is left', async () => {
    await using given = await open({ eventMs: 5 });
    for await (const text of given.service.stream(plain).text()) if (text !== '') break;
    await expect.poll(() => given.server.requests[0]?.aborted).toBe(true);
    expect(given.server.inFlight).toBe(0);
  });
});

describe('repeating', () => {
  const once = (fault: Fault): Rule => ({ fault, times: 1 });
  it.each([
    ['429 with retry-after', { kind: 'status', status: 429, retryAfter: { ms: 20 } }],
    ['529', { kind: 'status', status: 529 }],
    ['500', { kind: 'status', status: 500 }],
  ] as const)('an answer refused with %s is asked for again', async (_name, fault) => {
    await using given = await open();
    given.server.script(once(fault));
    await given.service.create(plain);
    expect(given.server.requests.map(({ status }) => status)).toEqual([fault.status, 200]);
    expect(given.server.ledger.totals('messages.create').usd).toBeGreaterThan(0);
  });

  it('an answer that may have been billed is not asked for again unless allowed', async () => {
    await using given = await open();
    given.server.script(once({ kind: 'reset' }));
    await expect(given.service.create(plain)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(given.server.requests).toHaveLength(1);
    given.server.script(once({ kind: 'reset' }));
    await given.service.create(plain, { repeatUnanswered: true });
    expect(given.server.requests).toHaveLength(3);
  });

  it.each([400, 401, 403, 404, 413])('a refusal with %d is final', async (status) => {
    await using given = await open();
    given.server.script(once({ kind: 'status', status }));
    await expect(given.service.create(plain)).rejects.toMatchObject({
      status,
      retryable: false,
      requestId: expect.stringMatching(/^req/),
    });
    expect(given.server.requests).toHaveLength(1);
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
