import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WireError } from '../../../src/wire/http/errors.ts';
import {
  createMessagesService,
  type Message,
  type MessageRequest,
  type MessagesService,
} from '../../../src/wire/messages/index.ts';
import type { Fault } from '../service/faults.ts';
import { type Harness, serve } from '../service/harness.ts';
import { messagesService, type MessagesService as StandIn } from '../service/messages/messages-service.ts';
import type { Draft } from '../service/messages/model.ts';

let standIn: StandIn;
let server: Harness;
let client: MessagesService;
const open = (more: Partial<Parameters<typeof createMessagesService>[0]> = {}): MessagesService =>
  createMessagesService({ apiKey: 'test-key', baseUrl: server.url, ...more });
beforeEach(async () => {
  standIn = messagesService();
  server = await serve([standIn]);
  client = open();
});
afterEach(async () => {
  await client.close();
  await server.close();
});

const request: MessageRequest = {
  model: 'assistant-large-4-6',
  max_tokens: 3000,
  messages: [{ role: 'user', content: 'Grüße 😀' }],
};
const soon = { ms: 5 } as const;

/** An answer of every kind of block, with text that is longer in bytes than in characters. */
const draft: Draft = {
  content: [
    { type: 'thinking', thinking: 'Größer als 1 €? 😀 Ja.' },
    { type: 'text', text: 'Erstens: ' },
    {
      type: 'text',
      text: 'die Pumpe läuft mit 40 bar 😀.',
      citations: [
        {
          type: 'search_result_location',
          cited_text: 'Druck: 40 bar – fest.',
          source: 'kb://1',
          title: 'Pumpe',
          search_result_index: 0,
          start_block_index: 0,
          end_block_index: 1,
        },
      ],
    },
    { type: 'tool_use', name: 'f', input: { größe: '"1"\n', liste: [1, null, { a: '😀' }] } },
    { type: 'tool_use', name: 'f', input: {} },
  ],
};
const full: MessageRequest = {
  ...request,
  thinking: { type: 'adaptive' },
  tools: [{ name: 'f', input_schema: { type: 'object' } }],
  messages: [
    {
      role: 'user',
      content: [
        {
          type: 'search_result',
          source: 'kb://1',
          title: 'Pumpe',
          content: [{ type: 'text', text: 'Druck: 40 bar – fest.' }],
          citations: { enabled: true },
        },
        { type: 'text', text: 'Wie viel?' },
      ],
    },
  ],
};

/** Ids and signatures are new in each answer. */
function plain(message: Message): unknown {
  return JSON.parse(
    JSON.stringify(message, (key, value: unknown) => (key === 'id' || key === 'signature' ? '…' : value)),
  );
}

async function failure(promise: Promise<unknown>): Promise<WireError> {
  const error: unknown = await promise.then(
    (value) => new Error(`resolved to ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(WireError);
  return error as WireError;
}

describe('an answer over a service that misbehaves', () => {
  it.each<[string, Fault | Fault[]]>([
    ['429 with retry-after in ms', { kind: 'status', status: 429, retryAfter: soon }],
    ['429 with retry-after in seconds', { kind: 'status', status: 429, retryAfter: { seconds: 0 } }],
    ['429 with a retry-after date', { kind: 'status', status: 429, retryAfter: { dateInMs: -1000 } }],
    ['429 without a hint', { kind: 'status', status: 429 }],
    ['500', { kind: 'status', status: 500, retryAfter: soon }],
    ['529', { kind: 'status', status: 529, retryAfter: soon }],
    ['a page of a proxy', { kind: 'html', status: 502 }],
    ['an empty 503', { kind: 'empty', status: 503 }],
  ])('comes after %s, and is billed once', async (_, fault) => {
    server.script({ fault });
    const message = await client.create(request);
    expect(message.content).toEqual([{ type: 'text', text: 'You said: Grüße 😀' }]);
    expect(server.requests.map((sent) => sent.status)).toEqual([expect.any(Number), 200]);
    expect(server.requests[0]?.text).toBe(server.requests[1]?.text);
    expect(server.ledger.totals().requests).toBe(1);
  });

  it.each<[string, Fault, string]>([
    ['400', { kind: 'status', status: 400 }, 'REQUEST_REJECTED'],
    ['401', { kind: 'status', status: 401 }, 'KEY_REJECTED'],
    ['402', { kind: 'status', status: 402 }, 'BILLING'],
    ['403', { kind: 'status', status: 403 }, 'PERMISSION_DENIED'],
    ['404', { kind: 'status', status: 404 }, 'REMOTE_NOT_FOUND'],
    ['409', { kind: 'status', status: 409 }, 'CONFLICT'],
    ['413', { kind: 'status', status: 413 }, 'REQUEST_TOO_LARGE'],
    ['413 of an edge, no JSON', { kind: 'html', status: 413 }, 'REQUEST_TOO_LARGE'],
    ['a reset after the request was read', { kind: 'reset' }, 'CONNECTION_FAILED'],
    ['a cut body', { kind: 'cut', afterBytes: 40 }, 'STREAM_BROKEN'],
    ['a cleanly truncated body', { kind: 'end', afterBytes: 40 }, 'RESPONSE_INVALID'],
    ['a page with status 200', { kind: 'html', status: 200 }, 'RESPONSE_INVALID'],
    ['an empty 200', { kind: 'empty', status: 200 }, 'RESPONSE_INVALID'],
    ['damaged gzip', { kind: 'encode', encoding: 'gzip', damaged: true }, 'RESPONSE_INVALID'],
    ['a redirect elsewhere', { kind: 'redirect', to: 'http://127.0.0.1:9/v1/messages' }, 'UNSAFE_ADDRESS'],
  ])('ends in a typed error after %s', async (_, fault, code) => {
    server.script({ fault, times: 10 });
    const error = await failure(client.create(request));
    expect([error.code, error.attempts]).toEqual([code, 1]);
    expect(server.requests).toHaveLength(1);
    if (fault.kind === 'status')
      expect(error).toMatchObject({ retryable: false, requestId: expect.stringMatching(/^req/) });
    expect(JSON.stringify(error) + String(error) + (error.stack ?? '')).not.toContain('test-key');
  });

  it('is not asked for again when it may have been paid for, unless the caller says so', async () => {
    server.script({ fault: { kind: 'reset' } });
    const answer = await client.create(request, { repeatUnanswered: true });
    expect(answer.stop_reason).toBe('end_turn');
    expect(server.ledger.totals().requests).toBe(2);
  });

  it('gives up after the attempts it was given', async () => {
    server.script({ fault: { kind: 'status', status: 529, retryAfter: soon }, times: 10 });
    const error = await failure(client.create(request, { maxRetries: 2 }));
    expect([error.code, error.status, error.attempts]).toEqual(['OVERLOADED', 529, 3]);
    expect(error.requestId).toMatch(/^req_/);
  });

  it.each<[string, Fault | Fault[]]>([
    ['gzip', { kind: 'encode', encoding: 'gzip' }],
    ['br', { kind: 'encode', encoding: 'br' }],
    ['a slow drip', { kind: 'drip', bytes: 97, everyMs: 1 }],
    ['single bytes', { kind: 'split', bytes: 1 }],
  ])('arrives through %s', async (_, fault) => {
    standIn.reply(draft, draft);
    const whole = await client.create(full);
    server.script({ fault });
    expect(plain(await client.create(full))).toEqual(plain(whole));
  });
});

describe('a streamed answer over a service that misbehaves', () => {
  const whole = async (): Promise<unknown> => {
    standIn.reply(draft);
    return plain(await client.create(full));
  };
  const streamed = async (fault: Fault | Fault[]): Promise<unknown> => {
    standIn.reply(draft);
    server.script({ fault });
    return plain(await client.stream(full).message());
  };

  it.each<[string, Fault | Fault[]]>([
    ['single bytes', { kind: 'split', bytes: 1 }],
    ['CRLF', { kind: 'lineEnds', ends: 'crlf' }],
    [
      'CR in single bytes',
      [
        { kind: 'lineEnds', ends: 'cr' },
        { kind: 'split', bytes: 1 },
      ],
    ],
    ['comments, pings and unknown events', { kind: 'noise', pings: true, unknown: true }],
    ['several data lines per event', { kind: 'manyDataLines' }],
    [
      'gzip in pieces of three bytes',
      [
        { kind: 'encode', encoding: 'gzip' },
        { kind: 'split', bytes: 3 },
      ],
    ],
    ['a drip', { kind: 'drip', bytes: 211, everyMs: 1 }],
    ['an event twice that may come twice', { kind: 'duplicate', event: 'ping' }],
  ])('is the whole one through %s', async (_, fault) => {
    expect(await streamed(fault)).toEqual(await whole());
  });

  it('is the whole one however the bytes are cut', async () => {
    const expected = await whole();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 64 }),
        fc.nat(),
        fc.constantFrom('lf', 'crlf', 'cr'),
        async (max, seed, ends) => {
          expect(
            await streamed([
              { kind: 'splitRandomly', max, seed },
              { kind: 'lineEnds', ends },
            ]),
          ).toEqual(expected);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('is broken wherever it ends early, and what came is kept', async () => {
    standIn.reply(draft);
    const events = await Array.fromAsync(client.stream(full));
    // The ping among them is counted by the service as well; the last event is message_stop.
    for (const kind of ['end', 'cut'] as const) {
      for (let at = 0; at < events.length; at += 3) {
        standIn.reply(draft);
        server.script({ fault: { kind, afterEvents: at } });
        const stream = client.stream(full);
        const seen: unknown[] = [];
        const error = await failure(
          (async () => {
            for await (const event of stream) seen.push(event);
          })(),
        );
        expect(error.code, `${kind} after ${at}`).toBe('STREAM_BROKEN');
        expect(seen.length).toBeLessThanOrEqual(at);
      }
    }
  });

  it.each([
    ['overloaded_error', 'OVERLOADED'],
    ['rate_limit_error', 'RATE_LIMITED'],
    ['api_error', 'SERVICE_FAILED'],
    ['invalid_request_error', 'REQUEST_REJECTED'],
  ])('tells %s inside a 200 stream as %s, and is not asked for again', async (type, code) => {
    const event = { event: 'error', data: { type: 'error', error: { type, message: 'mid-stream' } } };
    server.script({ fault: { kind: 'inject', event, afterEvents: 4 } });
    const error = await failure(client.stream(request).message());
    expect([error.code, error.message.includes('mid-stream')]).toEqual([code, true]);
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, Fault, string]>([
    ['without message_stop', { kind: 'drop', event: 'message_stop' }, 'STREAM_BROKEN'],
    ['without message_start', { kind: 'drop', event: 'message_start' }, 'RESPONSE_INVALID'],
    ['a block begins twice', { kind: 'duplicate', event: 'content_block_start', nth: 1 }, 'RESPONSE_INVALID'],
    ['a web page', { kind: 'html', status: 200 }, 'RESPONSE_INVALID'],
  ])('is no answer: %s', async (_, fault, code) => {
    standIn.reply(draft);
    server.script({ fault });
    expect((await failure(client.stream(full).message())).code).toBe(code);
  });

  it('is read to its end without the stops of blocks, and says when no stop reason came', async () => {
    const expected = await whole();
    expect(await streamed({ kind: 'drop', event: 'content_block_stop' })).toEqual(expected);
    const open = (await streamed({ kind: 'drop', event: 'message_delta' })) as Message;
    expect([open.content, open.stop_reason]).toEqual([(expected as Message).content, null]);
  });

  it('stalls no longer than it may', async () => {
    const hasty = open({ timeouts: { idleMs: 150 } });
    server.script({ fault: { kind: 'stall', afterEvents: 3 } });
    const error = await failure(hasty.stream(request).message());
    expect(error.code).toBe('TIMEOUT');
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
    await hasty.close();
  });

  it('starts after refusals, and is billed once', async () => {
    server.script({ fault: { kind: 'status', status: 529, retryAfter: soon }, times: 2 });
    expect((await client.stream(request).message()).stop_reason).toBe('end_turn');
    expect(server.requests.map((sent) => sent.status)).toEqual([529, 529, 200]);
    expect(server.ledger.totals().requests).toBe(1);
  });

  it('ends the connection when the reader leaves', async () => {
    standIn.reply('word '.repeat(5000));
    server.script({ fault: { kind: 'drip', bytes: 64, everyMs: 5 } });
    for await (const event of client.stream({ ...request, max_tokens: 20_000 }))
      if (event.type === 'content_block_delta') break;
    await expect.poll(() => server.requests[0]?.aborted).toBe(true);
  });
});

describe('many callers over a service that fails one request in three', () => {
  it('all get their answer, each billed once', async () => {
    server.script({ fault: { kind: 'status', status: 529, retryAfter: soon }, probability: 1 / 3, seed: 11 });
    const questions = Array.from({ length: 40 }, (_, n) => `question ${n}`);
    const answers = await Promise.all(
      questions.map((content) =>
        client.create({ ...request, messages: [{ role: 'user', content }] }, { maxRetries: 12 }),
      ),
    );
    expect(answers.map((answer) => (answer.content[0] as { text: string }).text)).toEqual(
      questions.map((question) => `You said: ${question}`),
    );
    expect(server.ledger.totals().requests).toBe(40);
    expect(server.requests.length).toBeGreaterThan(45);
  });
});
