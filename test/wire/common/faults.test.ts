import { describe, expect, it } from 'vitest';
import type { CommonService } from '../../../src/wire/common/index.ts';
import { WireError } from '../../../src/wire/index.ts';
import type { Fault } from '../service/faults.ts';
import { served } from './support.ts';

const embed = (client: CommonService) => client.embeddings({ model: 'embedder', input: ['ferry', 'roses'] });
const question = { model: 'writer', messages: [{ role: 'user' as const, content: 'When does the ferry leave?' }] };
const write = async (client: CommonService): Promise<string> => {
  let text = '';
  for await (const delta of client.chat.stream(question)) text += delta.text;
  return text;
};
/** The parts of an answer with vectors that are spoiled here. */
interface Vectors {
  readonly data: readonly { readonly index: number; readonly embedding: unknown }[];
}
const json = (edit: (body: Vectors) => unknown): Fault => ({ kind: 'json', edit: (body) => edit(body as Vectors) });
const entries = (...embeddings: unknown[]): Fault =>
  json((body) => ({ ...body, data: embeddings.map((embedding, index) => ({ index, embedding })) }));

const failureOf = async (call: Promise<unknown>): Promise<WireError | undefined> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
  return undefined;
};

describe('vectors that are not to be trusted are refused', () => {
  const float32 = (values: readonly number[]): string =>
    Buffer.from(Float32Array.from(values).buffer).toString('base64');
  const rows: readonly (readonly [string, Fault, RegExp])[] = [
    ['one too few', json((body) => ({ ...body, data: body.data.slice(1) })), /holds no index 0; 1 of 2/],
    ['one twice', json((body) => ({ ...body, data: [body.data[0], body.data[0]] })), /holds index 0 twice/],
    ['no such index', json((body) => ({ ...body, data: body.data.map((one) => ({ ...one, index: 7 })) })), /is 7/],
    ['no list', json((body) => ({ ...body, data: null })), /data is null/],
    [
      'NaN as base64',
      entries(float32([1, Number.NaN]), float32([1, 2])),
      /\[0\]\.embedding\[1\] is not a finite number/,
    ],
    ['null among numbers', entries([1, null], [1, 2]), /\[1\] is not a finite number/],
    ['two lengths', entries([1, 2], [1, 2, 3]), /has 3 numbers, the first 2/],
    ['no length', entries([], []), /has 0 numbers/],
    ['half a number', entries('AAAAAAA=', 'AAAAAAA='), /not base64 of 32-bit/],
    ['text that is no base64', entries('****', '****'), /not base64|has 0 numbers/],
  ];
  it.each(rows)('%s', async (_name, fault, message) => {
    const { server, client } = await served();
    server.script({ fault });
    const error = await failureOf(embed(client));
    expect(error?.code).toBe('RESPONSE_INVALID');
    expect(error?.message).toMatch(message);
    expect((await embed(client)).vectors).toHaveLength(2); // the control: the same call without the fault
  });

  it('and shuffled ones are put in order, listed or as base64 alike', async () => {
    const { server, client } = await served();
    const plain = await client.embeddings({ model: 'embedder', input: ['ferry', 'roses'], encoding_format: 'float' });
    server.script({ fault: json((body) => ({ ...body, data: body.data.toReversed() })) });
    const turned = await embed(client);
    expect(turned.vectors).toEqual(plain.vectors);
  });

  it('and a missing usage is no zero', async () => {
    const { server, client } = await served();
    server.script({ fault: json(({ data }) => ({ data })) });
    expect((await embed(client)).tokens).toBeUndefined();
  });
});

describe('a server in trouble', () => {
  it('is waited for as it says, and asked again', async () => {
    const { server, client } = await served();
    server.script({ fault: { kind: 'status', status: 429, retryAfter: { ms: 30 } }, times: 2 });
    expect((await embed(client)).vectors).toHaveLength(2);
    expect(server.requests).toHaveLength(3);
    expect(server.requests[1]!.atMs - server.requests[0]!.atMs).toBeGreaterThanOrEqual(29);
  });

  it('with a 500 is asked again for what costs nothing twice, and ends typed', async () => {
    const { server, client } = await served();
    server.script({ fault: { kind: 'status', status: 500 }, times: 9 });
    const error = await failureOf(embed(client));
    expect(error).toMatchObject({
      code: 'SERVICE_FAILED',
      service: 'common',
      operation: 'common.embeddings',
      attempts: 3,
    });
  });

  it('that answers with broken JSON, or a page, is RESPONSE_INVALID', async () => {
    const { server, client } = await served();
    server.script({ fault: { kind: 'end', afterBytes: 40 } }, { fault: { kind: 'html', status: 200 } });
    expect((await failureOf(embed(client)))?.code).toMatch(/RESPONSE_INVALID|STREAM_BROKEN/);
    expect((await failureOf(embed(client)))?.code).toBe('RESPONSE_INVALID');
  });
});

describe('a streamed answer', () => {
  const shape = async (fault: Fault) => {
    const { server, client } = await served({}, { timeouts: { idleMs: 400 } });
    const whole = await write(client);
    server.script({ fault });
    let text = '';
    const stream = client.chat.stream(question);
    const error = await failureOf(
      (async () => {
        for await (const delta of stream) text += delta.text;
      })(),
    );
    return { whole, text, error, stream };
  };

  it.each<Fault>([
    { kind: 'splitRandomly', seed: 5 },
    { kind: 'split', bytes: 1 },
    { kind: 'noise', pings: true },
    { kind: 'lineEnds', ends: 'crlf' },
    { kind: 'encode', encoding: 'gzip' },
  ])('is whole whatever its cutting: %o', async (fault) => {
    const { whole, text, error } = await shape(fault);
    expect(error).toBeUndefined();
    expect(text).toBe(whole);
    expect(whole.length).toBeGreaterThan(20);
  });

  it.each<readonly [Fault, string]>([
    [{ kind: 'cut', afterEvents: 3 }, 'STREAM_BROKEN'],
    [{ kind: 'end', afterEvents: 3 }, 'STREAM_BROKEN'],
    [{ kind: 'stall', afterEvents: 3 }, 'TIMEOUT'],
    [{ kind: 'inject', afterEvents: 2, event: { data: '{"half' } }, 'RESPONSE_INVALID'],
    [
      {
        kind: 'inject',
        afterEvents: 2,
        event: { data: { error: { message: 'out of memory', type: 'server_error' } } },
      },
      'SERVICE_FAILED',
    ],
    [
      { kind: 'inject', afterEvents: 2, event: { data: { error: { message: 'busy', type: 'overloaded' } } } },
      'OVERLOADED',
    ],
  ])('that breaks off keeps what had come: %o', async (fault, code) => {
    const { whole, text, error, stream } = await shape(fault);
    expect(error?.code).toBe(code);
    expect(whole.startsWith(text)).toBe(true);
    expect(stream.completion.text).toBe(text);
  });

  it('without the last marker ends by its reason', async () => {
    const { server, client } = await served();
    server.script({ fault: { kind: 'events', edit: (events) => events.filter(({ data }) => data !== '[DONE]') } });
    expect(await write(client)).not.toBe('');
  });

  it('of calls is put together from halves; a server may give no number, no id, or an object', async () => {
    const call = (id: string, name: string, input: unknown) =>
      ({ id, type: 'function', function: { name, arguments: input } }) as never; // some servers do
    const { server, client, standIn } = await served();
    standIn.chat = () => ({ tool_calls: [call('a', 'one', '{"q":"ferry"}'), call('b', 'two', '{"q":"x"}')] });
    const stream = client.chat.stream(question);
    for await (const _ of stream);
    expect(stream.completion.toolCalls.map((one) => [one.id, one.function.arguments])).toEqual([
      ['a', '{"q":"ferry"}'],
      ['b', '{"q":"x"}'],
    ]);
    const delta = (tool_calls: unknown) => ({ data: { choices: [{ index: 0, delta: { tool_calls } }] } });
    server.script({
      fault: {
        kind: 'events',
        edit: () => [
          delta([{ function: { name: 'one', arguments: { q: 'ferry' } } }]),
          delta([{ function: { name: 'two', arguments: '{}' } }]),
          { data: { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] } },
        ],
      },
    });
    const odd = client.chat.stream(question);
    for await (const _ of odd);
    expect(odd.completion.toolCalls.map(({ id, function: { name, arguments: input } }) => [id, name, input])).toEqual([
      ['call_0', 'one', '{"q":"ferry"}'],
      ['call_1', 'two', '{}'],
    ]);
  });

  it('ends with the caller', async () => {
    const { server, client } = await served();
    server.script({ fault: { kind: 'stall', afterEvents: 3 } });
    const abort = new AbortController();
    const reason = new Error('left');
    const read = async (): Promise<void> => {
      for await (const _ of client.chat.stream(question, { signal: abort.signal })) abort.abort(reason);
    };
    await expect(read()).rejects.toBe(reason);
  });
});
