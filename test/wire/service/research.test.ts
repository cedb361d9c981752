import { describe, expect, it } from 'vitest';
import { drive } from './search/drive.ts';
import type { Fields } from './shape.ts';

interface Run {
  readonly id: string;
  readonly status: string;
  readonly model: string;
  readonly output: readonly { readonly type: string; readonly [key: string]: unknown }[];
  readonly usage: Fields | null;
  readonly error: { readonly message?: string; readonly param?: string; readonly code?: unknown } | null;
  readonly incomplete_details: { readonly reason: string } | null;
}

interface Event {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index?: number;
  readonly item?: Fields;
  readonly delta?: string;
  readonly response?: Run;
}

async function start() {
  const { send, events, ...driven } = await drive();
  return {
    ...driven,
    send: (method: string, path: string, body?: unknown) => send<Run>(method, path, body),
    events: (method: string, path: string, body?: unknown) => events<Event>(method, path, body),
    run: (body: Fields) => send<Run>('POST', '/v1/responses', body),
  };
}

const question = 'How tall is the Harbour Tower?';
const model = 'provider-a/model-x';
const lookup = {
  type: 'function',
  name: 'local_lookup',
  parameters: { type: 'object', properties: { q: { type: 'string' } } },
};
const asked = { type: 'message', role: 'user', content: question };

describe('the stand-in research operation', () => {
  it('searches only when it is given the means', async () => {
    const { run } = await start();
    const kinds = async (body: Fields) => (await run({ input: question, ...body })).body.output.map(({ type }) => type);
    expect(await kinds({ model })).toEqual(['message']);
    expect(await kinds({ preset: 'fast-search' })).toEqual(['search_results', 'message']);
    expect(await kinds({ preset: 'deep-research' })).toEqual(['search_results', 'search_results', 'message']);
    expect(await kinds({ model, tools: [{ type: 'web_search' }, { type: 'fetch_url' }] })).toEqual([
      'search_results',
      'fetch_url_results',
      'message',
    ]);
    // A list of tools takes the place of the preset's.
    expect(await kinds({ preset: 'fast-search', tools: [{ type: 'fetch_url' }] })).toEqual(['message']);
    expect(await kinds({ preset: 'fast-search', max_tool_calls: 0 })).toEqual(['message']);
  });

  it('answers 200 for every status, and bills what was used', async () => {
    const { run, service, harness } = await start();
    for (const status of ['failed', 'incomplete', 'cancelled'] as const) {
      service.script.research = { status };
      const answer = await run({ preset: 'fast-search', input: question });
      expect([answer.status, answer.body.status]).toEqual([200, status]);
    }
    service.script.research = {};
    harness.ledger.clear();
    const { body } = await run({ preset: 'fast-search', input: question });
    const {
      input_tokens: input,
      output_tokens: output,
      cost,
    } = body.usage as { input_tokens: number; output_tokens: number; cost: { total_cost: number } };
    // 1 and 3 USD per million tokens, and one search at half a cent.
    expect(cost.total_cost).toBeCloseTo((input + 3 * output) / 1e6 + 0.005, 10);
    expect(harness.ledger.totals('responses').usd).toBe(cost.total_cost);
  });

  it('leaves nothing of an answer when the limit is tiny', async () => {
    const { run } = await start();
    const { body } = await run({ model, input: question, max_tokens: 1, tools: [{ type: 'web_search' }] });
    expect([body.status, body.incomplete_details?.reason]).toEqual(['incomplete', 'max_output_tokens']);
    expect(body.output.map(({ type }) => type)).toEqual(['search_results']);
  });

  it('falls back along the chain, and fails when nothing is left', async () => {
    const { run } = await start();
    const down = 'provider-b/model-down';
    expect((await run({ models: [down, model], input: 'x' })).body.model).toBe(model);
    expect((await run({ models: [down], input: 'x' })).body).toMatchObject({
      status: 'failed',
      error: { code: 'model_unavailable' },
    });
    expect((await run({ models: ['nobody/nothing'], input: 'x' })).status).toBe(400);
    const six = await run({ models: Array.from({ length: 6 }, () => model), input: 'x' });
    expect([six.status, six.body.error?.param]).toEqual([400, 'models']);
  });

  it.each<[string, unknown[], string | undefined]>([
    [
      'an output without a call',
      [asked, { type: 'function_call_output', call_id: 'c1', output: '' }],
      'input[1].call_id',
    ],
    [
      'a call without an output',
      [asked, { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' }],
      'input',
    ],
    [
      'a message between call and output',
      [
        asked,
        { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
        asked,
        { type: 'function_call_output', call_id: 'c1', output: '' },
      ],
      'input',
    ],
    [
      'an id in an echoed call',
      [{ type: 'function_call', id: 'fc', call_id: 'c', name: 'f', arguments: '' }],
      'input[0].id',
    ],
    ['a message without a type', [{ role: 'user', content: 'x' }], 'input[0].type'],
  ])('refuses %s', async (_, input, param) => {
    const { run } = await start();
    const { status, body } = await run({ model, input });
    expect([status, body.error?.param]).toEqual([400, param]);
  });

  it.each(['web_search', 'search_web', 'sandbox'])('refuses a function named %s', async (name) => {
    const { run } = await start();
    const { status, body } = await run({ model, input: 'x', tools: [{ ...lookup, name }] });
    expect([status, body.error?.param]).toEqual([400, 'tools[0].name']);
  });

  it('wants the thought signature back where it gave one', async () => {
    const { run } = await start();
    const signing = { model: 'provider-b/model-z', tools: [lookup] };
    const first = await run({ ...signing, input: [asked] });
    const { call_id, name, arguments: given, thought_signature } = first.body.output[0] as Record<string, unknown>;
    const call = { type: 'function_call', call_id, name, arguments: given };
    const output = { type: 'function_call_output', call_id, output: '330 m' };
    const bare = await run({ ...signing, input: [asked, call, output] });
    expect([bare.status, bare.body.error?.param]).toEqual([400, 'input[1].thought_signature']);
    const signed = await run({ ...signing, input: [asked, { ...call, thought_signature }, output] });
    expect(JSON.stringify(signed.body.output)).toContain('330 m');
  });

  it('goes on from an earlier run, but not from one that did not complete', async () => {
    const { run, service } = await start();
    const first = await run({ model, input: [asked], tools: [lookup] });
    const { call_id } = first.body.output[0] as { call_id?: string };
    const next = {
      model,
      previous_response_id: first.body.id,
      input: [{ type: 'function_call_output', call_id, output: 'far' }],
    };
    expect(JSON.stringify((await run(next)).body.output)).toContain('far');
    service.script.research = { status: 'incomplete' };
    const cut = await run({ model, input: 'x' });
    expect((await run({ ...next, previous_response_id: cut.body.id })).body.error?.message).toBe('invalid request');
  });

  it('calls for ever, unknown functions, and broken arguments by script', async () => {
    const { run, service } = await start();
    const body = { model, input: [asked], tools: [lookup] };
    const call = async () => (await run(body)).body.output[0];
    service.script.research = { unknownFunction: true };
    expect(await call()).toMatchObject({ name: 'launch_rocket' });
    service.script.research = { brokenArguments: true };
    const broken = String((await call())?.arguments);
    expect(() => JSON.parse(broken)).toThrow();
    service.script.research = { endlessCalls: true };
    const again = [
      asked,
      { type: 'function_call', call_id: 'c', name: 'local_lookup', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: '' },
    ];
    expect((await run({ ...body, input: again })).body.output.map(({ type }) => type)).toEqual(['function_call']);
  });
});

describe('the stand-in event stream', () => {
  it('has the recorded quirks, and says at the end what the whole answer says', async () => {
    const { run, events } = await start();
    const body = { preset: 'fast-search', input: question };
    const stream = await events('POST', '/v1/agent', { ...body, stream: true });
    const numbers = stream.map((event) => event.sequence_number);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.at(-1)).toBeGreaterThan(numbers.length);
    const first = stream.filter((event) => event.output_index === 0);
    expect(first.map(({ type, item }) => [type, item?.type, item?.name])).toEqual([
      ['response.output_item.added', 'function_call', 'search_web'],
      ['response.output_item.done', 'search_results', undefined],
    ]);
    expect(stream.find(({ item }) => item?.type === 'message')?.item?.content).toBeNull();
    const whole = (await run(body)).body;
    const text = stream.map(({ delta }) => delta ?? '').join('');
    expect(whole.output.at(-1)?.content).toEqual([{ type: 'output_text', text, annotations: [] }]);
    expect(stream.at(-1)?.response?.usage).toEqual(whole.usage);
  });

  it('is named, ended, broken off or endless by script', async () => {
    const { send, events, service } = await start();
    const body = { model, input: 'x', stream: true };
    service.script.research = { namedEvents: true, done: true };
    const { text } = await send('POST', '/v1/responses', body);
    expect(text).toMatch(/^event: response\.created\n/);
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
    service.script.research = { errorEventAfter: 3 };
    const broken = await events('POST', '/v1/responses', body);
    expect([broken.length, broken.at(-1)?.type]).toEqual([4, 'error']);
    service.script.research = { withoutTerminal: true };
    expect((await events('POST', '/v1/responses', body)).at(-1)?.type).toBe('response.output_item.done');
    for (const status of ['failed', 'incomplete', 'cancelled'] as const) {
      service.script.research = { status };
      expect((await events('POST', '/v1/responses', body)).at(-1)?.type).toBe(`response.${status}`);
    }
  });
});

describe('stand-in background runs', () => {
  it('are queued, in progress, then done; the id is the request id', async () => {
    const { run, send } = await start();
    const queued = await run({ preset: 'pro-search', input: question, background: true });
    const { id } = queued.body;
    expect([queued.body.status, queued.body.output, queued.body.model]).toEqual(['queued', [], 'pro-search']);
    expect(queued.headers.get('x-request-id')).toBe(id.replace('resp_', ''));
    const seen: string[] = [];
    for (let poll = 0; poll < 3; poll++) {
      seen.push((await send('GET', `/v1/responses/${id}`)).body.status);
    }
    expect(seen).toEqual(['queued', 'in_progress', 'completed']);
  });

  it('are taken up again after an event, unless the cursor has expired', async () => {
    const { run, events, send, service } = await start();
    const { id } = (await run({ preset: 'pro-search', input: question, background: true })).body;
    const all = await events('GET', `/v1/responses/${id}?stream=true`);
    const cursor = all[4]!.sequence_number;
    const rest = await events('GET', `/v1/responses/${id}?stream=true&starting_after=${cursor}`);
    expect(rest).toEqual(all.slice(5));
    service.script.research = { expiredCursor: true };
    expect((await send('GET', `/v1/responses/${id}?stream=true&starting_after=${cursor}`)).status).toBe(400);
  });

  it('are cancelled after a while; a finished and an unknown run are refused alike', async () => {
    const { run, send } = await start();
    const { id } = (await run({ preset: 'pro-search', input: question, background: true })).body;
    expect((await send('POST', `/v1/responses/${id}/cancel`)).body).toEqual({
      response_id: id,
      status: 'cancelling',
    });
    const after = (await send('GET', `/v1/responses/${id}`)).body;
    expect([after.status, after.usage, after.output]).toEqual(['cancelled', null, []]);
    const done = (await run({ model, input: 'x' })).body;
    const refusals = await Promise.all(
      [done.id, 'resp_nobody'].map((other) => send('POST', `/v1/responses/${other}/cancel`)),
    );
    expect(refusals.map(({ status }) => status)).toEqual([400, 400]);
    expect(refusals[0]?.text).toBe(refusals[1]?.text);
  });

  it('are hidden when not stored, yet good as a previous run', async () => {
    const { run, send } = await start();
    const { id } = (await run({ model, input: 'x', store: false })).body;
    expect((await send('GET', `/v1/responses/${id}`)).status).toBe(404);
    expect((await run({ model, input: 'y', previous_response_id: id })).status).toBe(200);
  });
});
