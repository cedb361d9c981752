import { getEventListeners } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ModelEvent, ModelRequest } from '../../src/answer/language-model.ts';
import { type ServiceModelOptions, serviceLanguageModel } from '../../src/services/language-model.ts';
import { createMessagesService, type MessagesServiceOptions } from '../../src/wire/messages/index.ts';
import type { Fault } from '../wire/service/faults.ts';
import { extractiveAnswerer } from '../wire/service/messages/extractive.ts';
import type { MessagesOptions } from '../wire/service/messages/options.ts';
import { type Service, startService } from '../wire/service/service.ts';

const request: ModelRequest = {
  instructions: 'Answer.',
  turns: [{ role: 'user', text: 'How much pressure?' }],
  sources: [{ id: 's1', title: 'Manual', passages: ['The pump is cooled. ', 'Its pressure is 40 bar.'] }],
  maxTokens: 300,
};

async function started(
  messages: MessagesOptions = { model: extractiveAnswerer({ sentences: 1 }).model },
  client: Partial<MessagesServiceOptions> = {},
) {
  const service = await startService({ only: ['messages'], messages });
  const wire = createMessagesService({ apiKey: 'test-key', baseUrl: service.url, ...client });
  onTestFinished(async () => {
    await wire.close();
    await service.close();
  });
  const model = (options?: ServiceModelOptions) => serviceLanguageModel(wire, options);
  return { service, wire, model };
}

async function eventsOf(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const endOf = (events: readonly ModelEvent[]): Extract<ModelEvent, { type: 'stop' }> => {
  const last = events.at(-1)!;
  if (last.type !== 'stop') throw new Error(`ended in ${last.type}`);
  return last;
};
const textOf = (events: readonly ModelEvent[]): string =>
  events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
const spent = (service: Service): number => service.ledger.totals().usd;

describe('a model of the messages service', () => {
  it('cites, tells its usage, and costs what the service says', async () => {
    const { service, model } = await started();
    const events = await eventsOf(model().write(request));
    expect(textOf(events)).toBe('Its pressure is 40 bar.');
    expect(events.flatMap((event) => (event.type === 'citation' ? [event.citation] : []))).toEqual([
      { source: 's1', first: 1, end: 2, quoted: 'Its pressure is 40 bar.' },
    ]);
    const { stop, usage, costUsd } = endOf(events);
    expect(stop).toBe('end');
    expect(usage.inputTokens).toBe(service.ledger.totals().inputTokens);
    expect(costUsd).toBeCloseTo(spent(service), 12);
    expect(model().estimateUsd(request)).toBeGreaterThanOrEqual(costUsd);
  });

  it.each([
    [{ content: [{ type: 'text', text: 'word '.repeat(400) }] }, 'length'],
    [{ content: [{ type: 'text', text: 'No.' }], stopReason: 'refusal' }, 'refusal'],
    [{ content: [{ type: 'text', text: 'So' }], stopReason: 'model_context_window_exceeded' }, 'context'],
    [{ content: [{ type: 'text', text: 'So.' }], stopReason: 'stop_sequence' }, 'end'],
  ] as const)('says why it stopped', async (draft, stop) => {
    const { model } = await started({ model: () => draft });
    expect(endOf(await eventsOf(model().write(request))).stop).toBe(stop);
  });

  it.each<[string, Fault]>([
    ['is cut', { kind: 'cut', afterEvents: 6 }],
    ['ends early', { kind: 'end', afterEvents: 6 }],
    ['loses its end', { kind: 'drop', event: 'message_stop' }],
    [
      'sends an error',
      {
        kind: 'inject',
        event: { event: 'error', data: { type: 'error', error: { type: 'overloaded_error', message: 'busy' } } },
        afterEvents: 6,
      },
    ],
  ])('keeps what came of a stream that %s, and counts it as dear as it can be', async (_how, fault) => {
    const { service, model } = await started();
    service.script({ fault });
    const events = await eventsOf(model().write(request));
    const { stop, error, costUsd, usage } = endOf(events);
    expect(stop).toBe('broken');
    expect(error).toBeInstanceOf(Error);
    expect(textOf(events)).not.toBe('');
    expect(usage.inputTokens).toBe(service.ledger.totals().inputTokens);
    expect(costUsd).toBeGreaterThanOrEqual(spent(service));
    // input as billed, output as much as was allowed
    expect(costUsd).toBeCloseTo((usage.inputTokens * 3 + request.maxTokens * 15) / 1e6, 12);
  });

  it('throws what goes wrong before the first word', async () => {
    const { service, model } = await started();
    service.script({ fault: { kind: 'status', status: 400 } });
    await expect(eventsOf(model().write(request))).rejects.toMatchObject({ status: 400 });
  });

  it("passes the caller's abort through", async () => {
    const { model } = await started({ model: extractiveAnswerer().model, eventMs: 5 });
    const abort = new AbortController();
    const read = async (): Promise<void> => {
      for await (const event of model().write(request, { signal: abort.signal }))
        if (event.type === 'text') abort.abort(new Error('enough'));
    };
    await expect(read()).rejects.toThrow('enough');
  });

  it('thinks beside its answer', async () => {
    const { model } = await started();
    const thinking = { type: 'enabled', budget_tokens: 1024 } as const;
    const events = await eventsOf(model({ thinking }).write(request));
    expect(events.some(({ type }) => type === 'thinking')).toBe(true);
    expect(textOf(events)).toBe('Its pressure is 40 bar.');
  });

  it("uses the client's own prices, and has none for a model nobody named", async () => {
    const prices = { 'assistant-small-4-5': { input: 100, output: 200 } };
    const { service, model } = await started(undefined, { prices, profile: { knownModelsOnly: false } });
    const small = model({ model: 'assistant-small-4-5' });
    const { costUsd, usage } = endOf(await eventsOf(small.write(request)));
    expect(costUsd).toBeCloseTo((usage.inputTokens * 100 + usage.outputTokens * 200) / 1e6, 12);
    expect(model({ model: 'assistant-new-1' }).estimateUsd(request)).toBeUndefined();
    expect(service.requests).toHaveLength(1);
  });
});

describe("a model's limits", () => {
  it('come from the listing, asked for once by all', async () => {
    const { service, model } = await started();
    expect(model().contextTokens).toBe(1_000_000); // the table, without asking
    expect(service.requests).toEqual([]);
    const [one, other] = await Promise.all([
      model().limits!(),
      model({ model: 'assistant-small-4-5-20251001' }).limits!(),
    ]);
    expect(one).toEqual({ contextTokens: 1_000_000, maxOutputTokens: 64_000 });
    expect(other).toEqual({ contextTokens: 200_000, maxOutputTokens: 64_000 });
    expect(service.requests.map(({ path }) => path)).toEqual(['/v1/models']);
  });

  it('are those of the table where the listing fails, and it is asked for again', async () => {
    const { service, model } = await started();
    service.script({ match: { path: '/v1/models' }, fault: { kind: 'status', status: 404 } });
    expect((await model().limits!()).maxOutputTokens).toBe(128_000); // the table's, not the listing's
    expect((await model().limits!()).maxOutputTokens).toBe(64_000);
  });

  it('leave nothing on the signal of who asks', async () => {
    const { model } = await started();
    const { signal } = new AbortController();
    await model().limits!({ signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('are cautious for a model that nobody knows', async () => {
    const { model } = await started(undefined, { profile: { knownModelsOnly: false } });
    expect(await model({ model: 'assistant-new-1' }).limits!()).toEqual({
      contextTokens: 200_000,
      maxOutputTokens: 64_000,
    });
  });
});
