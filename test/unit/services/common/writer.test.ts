import { describe, expect, it } from 'vitest';
import { answerGrounded, collectAnswer } from '../../../../src/answer/grounded/grounded.ts';
import type { ModelEvent, ModelRequest } from '../../../../src/answer/language-model.ts';
import { rewriteQuery } from '../../../../src/answer/query-rewriting.ts';
import { Meter } from '../../../../src/core/meter.ts';
import type { ChatDraft, SentChat } from '../../../wire/service/common/chat-model.ts';
import { chunkOf, hitOf } from '../../answer/hits.ts';
import { ownModels } from './support.ts';

const request: ModelRequest = {
  instructions: 'Answer from the sources.',
  turns: [{ role: 'user', text: 'When does the ferry leave?' }],
  sources: [],
  maxTokens: 50,
};

async function eventsOf(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const textOf = (events: readonly ModelEvent[], type: 'text' | 'thinking' = 'text'): string =>
  events.map((event) => (event.type === type ? event.text : '')).join('');
const stopOf = (events: readonly ModelEvent[]) => {
  const last = events.at(-1);
  return last?.type === 'stop' ? last : undefined;
};
const sent = ({ requests }: { readonly requests: readonly { readonly body: unknown }[] }): SentChat[] =>
  requests.map(({ body }) => body as SentChat);

describe('a writer of an own server', () => {
  it('sends the rules as the system, and says what was used by the count of the server', async () => {
    const { server, standIn, models } = await ownModels();
    standIn.chat = () => ({ content: 'At seven.' });
    const events = await eventsOf(
      models.writer({ model: 'writer', usdPerMillionTokens: { input: 1, output: 10 } }).write(request),
    );
    expect(textOf(events)).toBe('At seven.');
    const [entry] = server.ledger.entries;
    const stop = stopOf(events)!;
    expect(stop.usage).toMatchObject({ inputTokens: entry!.inputTokens, outputTokens: entry!.outputTokens });
    expect(stop.costUsd).toBeCloseTo((entry!.inputTokens! + 10 * entry!.outputTokens!) / 1e6, 12);
    expect(sent(server)[0]).toMatchObject({
      messages: [
        { role: 'system', content: 'Answer from the sources.' },
        { role: 'user', content: 'When does the ferry leave?' },
      ],
      max_tokens: 50,
      stream_options: { include_usage: true },
    });
  });

  it.each<[string, ChatDraft]>([
    ['between tags', { content: '<think>It may be seven.</think>At seven.' }],
    ['apart from its text', { thinking: 'It may be seven.', content: 'At seven.' }],
  ])('keeps what a model thinks %s out of its answer', async (_name, draft) => {
    const { standIn, models } = await ownModels();
    standIn.chat = () => draft;
    const events = await eventsOf(models.writer({ model: 'writer' }).write(request));
    expect([textOf(events), textOf(events, 'thinking')]).toEqual(['At seven.', 'It may be seven.']);
  });

  it('gives a model room when it used up its tokens for thinking, once it is known', async () => {
    const { server, standIn, models } = await ownModels();
    standIn.chat = ({ max_tokens = 0 }) =>
      max_tokens <= 50
        ? { content: '<think>It may', finish_reason: 'length' }
        : { content: '<think>It may be seven.</think>At seven.' };
    const writer = models.writer({ model: 'writer' });
    expect(textOf(await eventsOf(writer.write(request)))).toBe('At seven.');
    expect(textOf(await eventsOf(writer.write(request)))).toBe('At seven.');
    expect(sent(server).map(({ max_tokens }) => max_tokens)).toEqual([50, 50 + 8192, 50 + 8192]);
  });

  it('bills what a model used up for thinking beside the answer it was asked for once more', async () => {
    const { server, standIn, models } = await ownModels();
    standIn.chat = ({ max_tokens = 0 }) =>
      max_tokens <= 50
        ? { content: '<think>It may', finish_reason: 'length' }
        : { content: '<think>It may be seven.</think>At seven.' };
    const events = await eventsOf(
      models.writer({ model: 'writer', usdPerMillionTokens: { input: 1, output: 10 } }).write(request),
    );
    const { requests, inputTokens, outputTokens } = server.ledger.totals();
    expect(requests).toBe(2);
    const stop = stopOf(events)!;
    expect(stop.usage).toMatchObject({ inputTokens, outputTokens });
    expect(stop.costUsd).toBeCloseTo((inputTokens + 10 * outputTokens) / 1e6, 12);
  });

  it.each(['an answer', 'a rewritten question'])('is not asked once more where the budget of %s ends', async (what) => {
    const firstUsd = 100 * 6e-6; // at most, and room for the question
    const budgetUsd = 1.5 * firstUsd;
    const run = async (meter: Meter): Promise<{ requests: number; usd: number }> => {
      const { server, standIn, models } = await ownModels();
      standIn.chat = ({ max_tokens = 0 }) =>
        max_tokens <= 150
          ? { content: '<think>It may', finish_reason: 'length' }
          : { content: `<think>${'It may be seven. '.repeat(600)}</think>At seven.` };
      const model = models.writer({ model: 'writer', usdPerMillionTokens: { input: 0, output: 6 } });
      if (what === 'an answer') {
        const hits = [hitOf(chunkOf('The ferry leaves at seven.', {}))];
        const options = { meter, maxTokens: 100 };
        await collectAnswer(answerGrounded('When?', hits, { confidence: 'high', support: 1 }, model, options));
      } else await rewriteQuery('And when?', [{ role: 'user', text: 'Where is the ferry?' }], { model, meter });
      const { requests, outputTokens } = server.ledger.totals();
      return { requests, usd: outputTokens * 6e-6 };
    };
    const poor = new Meter(budgetUsd);
    const once = await run(poor);
    expect(once.requests).toBe(1);
    expect(poor.spentUsd).toBeCloseTo(once.usd, 9);
    const rich = new Meter(1);
    const twice = await run(rich);
    expect(twice.requests).toBe(2);
    expect(twice.usd).toBeGreaterThan(budgetUsd);
    expect(rich.spentUsd).toBeCloseTo(twice.usd, 9);
    expect(rich.leftUsd).toBeCloseTo(1 - twice.usd, 9); // nothing stays reserved
  });

  it('leaves out what the server refuses by its name, once for each model, and says so', async () => {
    const { server, standIn, models } = await ownModels({ refuses: ['stream_options', 'max_tokens', 'temperature'] });
    standIn.chat = () => ({ content: 'At seven.' });
    const writer = models.writer({ model: 'writer', temperature: 0 });
    const first = await eventsOf(writer.write(request));
    await eventsOf(writer.write(request));
    expect(server.requests.map(({ status }) => status)).toEqual([400, 400, 400, 200, 200]);
    expect(sent(server).at(-1)).toMatchObject({ max_completion_tokens: 50 });
    expect(stopOf(first)!.usage.inputTokens).toBeGreaterThan(5); // counted here, as the server does not
    expect(models.unable).toHaveLength(3);
  });

  it.each([
    ['stop', 'end'],
    ['length', 'length'],
    ['content_filter', 'refusal'],
  ])('tells why it stopped: %s is %s', async (finish_reason, stop) => {
    const { standIn, models } = await ownModels();
    standIn.chat = () => ({ content: 'At seven.', finish_reason });
    expect(stopOf(await eventsOf(models.writer({ model: 'writer' }).write(request)))?.stop).toBe(stop);
  });

  it('says when the server read only a part of what it was sent', async () => {
    const { standIn, models } = await ownModels({ windowTokens: 2048 });
    standIn.chat = () => ({ content: 'At seven.' });
    const long = { ...request, turns: [{ role: 'user' as const, text: 'ferry '.repeat(5000) }] };
    const stop = stopOf(await eventsOf(models.writer({ model: 'writer' }).write(long)));
    expect(stop).toMatchObject({ stop: 'context', error: { code: 'REQUEST_TOO_LARGE' } });
    expect(stop?.error?.message).toMatch(/read 2048 of about 50\d\d tokens/);
  });

  it('keeps what was written when the stream breaks off, and throws before the first word', async () => {
    const { server, standIn, models } = await ownModels();
    standIn.chat = () => ({ content: 'At seven o’clock in the morning.' });
    const writer = models.writer({ model: 'writer' });
    server.script({ fault: { kind: 'cut', afterEvents: 4 } });
    const events = await eventsOf(writer.write(request));
    expect(textOf(events).length).toBeGreaterThan(3);
    expect(stopOf(events)).toMatchObject({ stop: 'broken', error: { code: 'STREAM_BROKEN' } });
    server.script({ fault: { kind: 'status', status: 503 }, times: 9 });
    await expect(eventsOf(writer.write(request))).rejects.toMatchObject({ code: 'OVERLOADED' });
  }, 60_000);

  it('learns the window of a model for a conversation from the server, in the names of several', async () => {
    const listed = [
      { id: 'vllm', max_model_len: 4096 },
      { id: 'router', context_length: 8192 },
      { id: 'llama', meta: { n_ctx: 2048 } },
      { id: 'silent' },
    ];
    const { server, models } = await ownModels({ models: listed });
    const windows = await Promise.all(
      listed.map(async ({ id }) => (await models.writer({ model: id }).limits!()).contextTokens),
    );
    expect(windows).toEqual([4096, 8192, 2048, 32_768]);
    expect(server.requests).toHaveLength(1);
    expect((await models.models()).map(({ contextTokens }) => contextTokens)).toEqual([4096, 8192, 2048, undefined]);
  });

  it('has a price only where one is known', async () => {
    const free = (await ownModels()).models.writer({ model: 'writer' });
    const gateway = (await ownModels({ apiKey: 'k' })).models.writer({ model: 'writer' });
    const priced = (await ownModels({ apiKey: 'k' })).models.writer({ model: 'writer', usdPerMillionTokens: 2 });
    expect([free.estimateUsd(request), gateway.estimateUsd(request)]).toEqual([0, undefined]);
    expect(priced.estimateUsd(request)).toBeGreaterThan((50 * 2) / 1e6);
  });
});

describe('a reranker of an own server', () => {
  const passages = [
    { title: 'Garden', text: 'Prune the roses.' },
    { title: 'Ferries', text: 'The ferry leaves the harbour.' },
  ];

  it('gives shares, from shares and from raw numbers', async () => {
    const shares = (await ownModels()).models.reranker({ model: 'reranker' });
    const raw = (await ownModels({ rawScores: true })).models.reranker({ model: 'reranker' });
    expect((await shares.score('ferry harbour', passages)).scores).toEqual([0, 1]);
    const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
    expect((await raw.score('ferry harbour', passages)).scores).toEqual([logistic(-4), logistic(4)]);
  });

  it('cuts long passages, and has a price only where one is known', async () => {
    const { server, models } = await ownModels({ apiKey: 'k' });
    const reranker = models.reranker({ model: 'reranker', maxTokens: 10 });
    await reranker.score('ferry', [{ title: '', text: 'word '.repeat(100) }, passages[1]!]);
    const { documents } = server.requests[0]!.body as { documents: string[] };
    expect(documents[0]!.length).toBe(60);
    expect(reranker.estimateUsd('ferry', passages)).toBeUndefined();
    const priced = models.reranker({ model: 'reranker', usdPerMillionTokens: 1 });
    expect((await priced.score('ferry', passages)).costUsd).toBeCloseTo(7e-6, 12); // what the stand-in counts
  });
});
