import { describe, expect, it } from 'vitest';
import type { ResearchEvent, ResearchRun } from '../../../src/wire/search/index.ts';
import { request, run, said } from '../../support/research-run.ts';
import { prepared } from './fake.ts';
import { loopback } from './loopback.ts';

const { harness, service, script } = await loopback({ maxRetries: 2 });

describe('the status of a run', () => {
  it.each([
    [
      { status: 'failed', error: { message: 'no model', type: 'server_error' } },
      'run resp_1 ended as failed: no model',
    ],
    [
      { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      'ended as incomplete: max_output_tokens',
    ],
    [{ status: 'cancelled' }, 'ended as cancelled'],
    [{ status: 'requires_action' }, 'ended as requires_action'],
    [{ status: 'expired' }, 'ended as expired'], // not in the reference, but no reason to wait for ever
  ])('%j is a failure though HTTP says 200', async (fields, message) => {
    const body = run({ ...fields, output: [said('half')] });
    const first = prepared({}, body);
    await expect(first.service.research.create(request)).rejects.toMatchObject({
      code: 'RUN_FAILED',
      message: expect.stringContaining(message),
      partial: { id: 'resp_1', outputText: 'half' },
    });
    const second = prepared({}, body);
    const kept = await second.service.research.create(request, { onFailure: 'return' });
    expect([kept.status, kept.outputText]).toEqual([fields.status, 'half']);
  });

  it.each(['queued', 'in_progress', 'cancelling', 'thinking_hard'])('%s is none', async (status) => {
    const { service } = prepared({}, run({ status, output: null }));
    expect(await service.research.create(request)).toMatchObject({ status, outputText: '' });
  });

  it.each([
    [{}],
    [{ id: 'r' }],
    [{ id: 'r', status: 'completed', output: 'x' }],
    ['text'],
    [{ id: 'r', status: 'completed', output: [{}] }],
    [{ id: 'r', status: 'completed', output: [{ type: 'function_call', name: 'f' }] }],
  ])('of %j is invalid', async (body) => {
    await expect(prepared({}, body).service.research.create(request)).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
    });
  });

  it('keeps unknown items and fields, and the cost the service names', async () => {
    const body = run({
      output: [{ type: 'weather_forecast', days: 3 }, said('Rain.')],
      usage: {
        total_tokens: 3,
        tool_calls_details: { search_web: { invocation: 2 } },
        cost: { currency: 'USD', input_cost: 0.1, tool_calls_cost: 0.2, total_cost: 0.35 },
      },
      novelty: { a: 1 },
    });
    const { response, cost } = await prepared({}, body).service.research.create(request);
    expect(response).toEqual(body);
    expect(cost).toMatchObject({
      usd: 0.35,
      source: 'service',
      parts: [
        { name: 'input', usd: 0.1 },
        { name: 'tool_calls', usd: 0.2 },
      ],
    });
  });

  it('without a total costs its tool calls, by the list', async () => {
    const body = run({
      usage: {
        tool_calls_details: {
          search_web: { invocation: 2 },
          fetch_url: { invocation: 3 },
          other: { invocation: 1, cost_usd: 0.07 },
        },
      },
    });
    const { cost } = await prepared({}, body).service.research.create(request);
    expect(cost.usd).toBeCloseTo(2 * 0.005 + 3 * 0.0005 + 0.07, 12);
    expect(cost.source).toBe('table');
  });

  it('maps annotations and markers to sources', async () => {
    const text = 'Maintained.[1] More.';
    const annotations = [
      { type: 'url_citation', url: 'https://a.example/', title: 'A', start_index: 0, end_index: 10 },
      { type: 'url_citation', url: 'https://a.example/', start_index: 5, end_index: 999 },
    ];
    const body = run({
      output: [
        { type: 'search_results', queries: ['x'], results: [{ id: 1, url: 'https://a.example', title: 'A' }] },
        {
          type: 'message',
          content: [
            { type: 'output_text', text: 'Hm. ' },
            { type: 'output_text', text, annotations },
          ],
        },
      ],
    });
    const { citations, outputText } = await prepared({}, body).service.research.create(request);
    expect(outputText).toBe(`Hm. ${text}`);
    expect(
      citations.map(({ marker, start, end, source }) => [marker, outputText.slice(start, end), source?.number]),
    ).toEqual([
      ['', 'Maintained', 1],
      ['[1]', '[1]', 1],
    ]);
  });
});

describe('research over the loopback service', () => {
  const ask = { preset: 'pro-search', input: 'How tall is the Harbour Tower?' } as const;
  const comparable = ({ response, info: _i, ...rest }: ResearchRun) => ({
    ...rest,
    id: '',
    response: { ...response, id: '', output: response.output.map((item) => ({ ...item, id: '' })) },
  });

  it.each([
    ['plainly', {}],
    ['with named events and an end mark', { namedEvents: true, done: true }],
    ['with unknown items and events', { unknownKinds: true }],
    ['with annotations', { annotations: true }],
    ['citing [web:n]', { markers: 'web' as const }],
    ['citing by links', { markers: 'links' as const }],
  ])('streams %s what comes at once otherwise', async (_, research) => {
    script.research = research;
    const whole = await service.research.create(ask);
    harness.script({ fault: { kind: 'splitRandomly', max: 11, seed: 3 } });
    const stream = await service.research.stream(ask);
    let text = '';
    for await (const event of stream) if (event.type === 'text') text += event.text;
    const streamed = await stream.final();
    expect(comparable(streamed)).toEqual(comparable(whole));
    expect(text).toBe(whole.outputText);
    expect(whole.citations.length).toBeGreaterThan(0);
    expect(whole.citations.every(({ source }) => source !== undefined)).toBe(true);
  });

  it.each(['failed', 'incomplete', 'cancelled', 'requires_action'] as const)(
    'ends a stream that is %s',
    async (status) => {
      script.research = { status };
      const declared =
        status === 'requires_action'
          ? ({ tools: [{ type: 'function', name: 'f', parameters: { type: 'object' } }] } as const)
          : {};
      const events: ResearchEvent[] = [];
      const reading = (async () => {
        for await (const event of await service.research.stream({ ...ask, ...declared })) events.push(event);
      })();
      await expect(reading).rejects.toMatchObject({ code: 'RUN_FAILED', partial: { status } });
      expect(events.map(({ type }) => type)).not.toContain('done');
      const kept = await (await service.research.stream({ ...ask, ...declared }, { onFailure: 'return' })).final();
      expect(kept.status).toBe(status);
    },
  );

  it('keeps what came before an error event or a missing end', async () => {
    script.research = { errorEventAfter: 6 };
    await expect((await service.research.stream(ask)).final()).rejects.toMatchObject({
      partial: { id: expect.stringMatching(/^resp_/) },
    });
    script.research = { withoutTerminal: true };
    const broken = (await service.research.stream(ask)).final();
    await expect(broken).rejects.toMatchObject({
      code: 'STREAM_BROKEN',
      partial: { outputText: expect.stringMatching(/metres tall/) },
    });
  });

  const pieces = (place: object, ...texts: string[]): object[] => [
    ...texts.map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
    { type: 'response.output_text.done', ...place, text: texts.join('') },
  ];
  const streamed = (events: readonly object[]) =>
    prepared({}, { events: events.map((event) => JSON.stringify(event)) }).service.research.stream(ask);

  it('keeps each part of a message of several', async () => {
    const first = pieces({ output_index: 1, content_index: 0 }, 'The tower is ', '330 m tall. ');
    const second = pieces({ output_index: 1, content_index: 1 }, 'It was built ', 'in 1889.');
    const stream = await streamed([...first, ...second, { type: 'response.failed', error: { message: 'late' } }]);
    const whole = 'The tower is 330 m tall. It was built in 1889.';
    await expect(stream.final()).rejects.toMatchObject({ code: 'RUN_FAILED', partial: { outputText: whole } });
    expect(stream.partialText).toBe(whole);
  });

  it('is not held up by an index beyond all measure', async () => {
    const text = pieces({ output_index: 1e12, content_index: -1 }, 'Here.');
    const stream = await streamed([...text, { type: 'response.failed', error: { message: 'late' } }]);
    await expect(stream.final()).rejects.toMatchObject({ partial: { outputText: 'Here.' } });
  });

  it('takes the stream of a background run up again where it broke, without a word twice', async () => {
    const whole = await service.research.create(ask);
    harness.script({ fault: { kind: 'cut', afterEvents: 9 } }, { fault: { kind: 'cut', afterEvents: 3 } });
    const stream = await service.research.stream({ ...ask, background: true });
    let text = '';
    for await (const event of stream) if (event.type === 'text') text += event.text;
    expect(text).toBe(whole.outputText);
    const resumed = harness.requests.filter(({ method }) => method === 'GET');
    expect(resumed).toHaveLength(2);
    expect(
      resumed.every(({ query }) => query.get('stream') === 'true' && Number(query.get('starting_after')) > 0),
    ).toBe(true);
  });

  it('waits for the end of a background run whose events have expired when its stream breaks', async () => {
    script.research = { polls: 1, expiredCursor: true };
    const whole = await service.research.create(ask);
    harness.script({ fault: { kind: 'cut', afterEvents: 9 } });
    const events: ResearchEvent[] = [];
    for await (const event of await service.research.stream({ ...ask, background: true })) events.push(event);
    const run = { status: 'completed', outputText: whole.outputText, cost: { source: 'service' } };
    expect(events.at(-1)).toMatchObject({ type: 'done', run });
    expect(events.filter(({ type }) => type === 'done')).toHaveLength(1);
    expect(harness.ledger.totals('responses').requests).toBe(2); // one each
  });

  it('does not take up a run that bills in the foreground', async () => {
    harness.script({ fault: { kind: 'cut', afterEvents: 4 } });
    await expect((await service.research.stream(ask)).final()).rejects.toMatchObject({ code: 'STREAM_BROKEN' });
    expect(harness.requests).toHaveLength(1);
  });

  it('never sends a run twice that may have begun', async () => {
    harness.script({ fault: { kind: 'reset' } });
    await expect(service.research.create(ask)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(harness.requests).toHaveLength(1);
    expect(harness.ledger.totals('responses').requests).toBe(1);
    harness.clear();
    harness.script({ fault: { kind: 'status', status: 429, retryAfter: { ms: 1 } } });
    expect((await service.research.create(ask)).status).toBe('completed');
    expect(harness.requests).toHaveLength(2);
  });

  it('waits for the result when the events have expired, or says so', async () => {
    script.research = { polls: 1, expiredCursor: true };
    const { id } = await service.research.create({ ...ask, background: true });
    await expect(service.research.resume(id, { startingAfter: 4, onExpired: 'throw' })).rejects.toMatchObject({
      code: 'REQUEST_REJECTED',
    });
    const events: ResearchEvent[] = [];
    for await (const event of await service.research.resume(id, { startingAfter: 4 })) events.push(event);
    expect(events).toMatchObject([{ type: 'done', run: { id, status: 'completed' } }]);
  });

  it('does not hold whoever gives up while the service does not hear of it', async () => {
    const { id } = await service.research.create({ preset: 'deep-research', input: 'tower', background: true });
    harness.script({ match: { path: /\/cancel$/ }, fault: { kind: 'delay', ms: 8_000 } });
    const abort = new AbortController();
    const waiting = service.research.wait(id, { signal: abort.signal, pollMs: 60_000 });
    setTimeout(() => abort.abort(new Error('enough')), 50);
    const begun = performance.now();
    await expect(waiting).rejects.toThrow('enough');
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it('cancels at the service when waiting is aborted, unless told not to', async () => {
    script.research = { polls: 1_000 };
    for (const cancelOnAbort of [undefined, false]) {
      harness.clear();
      const { id } = await service.research.create({ ...ask, background: true });
      const abort = new AbortController();
      const waiting = service.research.wait(id, { signal: abort.signal, pollMs: 5, cancelOnAbort });
      setTimeout(() => abort.abort(new Error('enough')), 30);
      await expect(waiting).rejects.toThrow('enough');
      expect(harness.requests.some(({ path }) => path.endsWith('/cancel'))).toBe(cancelOnAbort !== false);
    }
  });

  it('gives up waiting after timeoutMs and says where the run stands', async () => {
    script.research = { polls: 1_000 };
    const { id } = await service.research.create({ ...ask, background: true });
    const waiting = service.research.wait(id, { pollMs: 5, timeoutMs: 30 });
    await expect(waiting).rejects.toMatchObject({ code: 'TIMEOUT', partial: { id } });
    expect(harness.requests.some(({ path }) => path.endsWith('/cancel'))).toBe(false);
  });

  it('falls back along the chain of models', async () => {
    const { model } = await service.research.create({
      models: ['provider-b/model-down', 'provider-b/model-z'],
      input: 'tower',
    });
    expect(model).toBe('provider-b/model-z');
  });
});
