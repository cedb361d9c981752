import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WireError } from '../../../src/wire/http/errors.ts';
import { AnswerAccumulator } from '../../../src/wire/search/answer-stream.ts';
import { type AnswerEvent, referenceProfile, searchOperations } from '../../../src/wire/search/index.ts';
import type { AnswerScript } from '../service/search/script.ts';
import { fakeTransport, prepared } from './fake.ts';
import { loopback } from './loopback.ts';

const { harness, service, script } = await loopback();

const operation = searchOperations(referenceProfile.paths)['answers.stream'];
const user = { role: 'user', content: 'How tall is the Harbour Tower?' } as const;

const chunk = (content: string, more: object = {}, choice: object = {}): string =>
  JSON.stringify({
    id: 'c1',
    model: 'answer-pro',
    created: 1,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null, ...choice }],
    ...more,
  });
const done = (more: object = {}): string =>
  chunk('', { object: 'chat.completion.done', ...more }, { finish_reason: 'stop' });

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const streamOf = (...events: (string | Error)[]) =>
  prepared({}, { events }).service.answers.stream({ model: 'answer-pro', messages: [user] });

describe('a streamed answer', () => {
  it('is the answer that would have come at once, however its text is cut', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.array(fc.nat(60), { maxLength: 8 }), (text, cuts) => {
        const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
        const parts = [0, ...places].map((start, i) => text.slice(start, places[i] ?? text.length));
        const accumulator = new AnswerAccumulator({ operation }, false);
        const usage = { prompt_tokens: 1, completion_tokens: 2, cost: { total_cost: 0.5 } };
        const interim = {
          usage: { prompt_tokens: 1, completion_tokens: 1, cost: { total_cost: 0 } },
          citations: ['https://a.example'],
        };
        for (const part of parts) accumulator.push(chunk(part, interim));
        accumulator.push(done({ usage, search_results: [{ url: 'https://a.example' }] }));
        expect(accumulator.ended).toBe(true);
        expect(accumulator.response()).toEqual({
          id: 'c1',
          model: 'answer-pro',
          created: 1,
          object: 'chat.completion',
          usage,
          citations: ['https://a.example'],
          search_results: [{ url: 'https://a.example' }],
          choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
        });
      }),
    );
  });

  it('tells text, sources when they change, and unknown chunks', async () => {
    const stream = await streamOf(
      chunk('A', { citations: ['https://a.example'] }),
      chunk('B', { citations: ['https://a.example'] }),
      JSON.stringify({ object: 'chat.surprise', hint: 1 }),
      done({ citations: ['https://a.example', 'https://b.example'] }),
    );
    const events = await all(stream);
    expect(events.map(({ type }) => type)).toEqual(['text', 'sources', 'text', 'other', 'sources', 'done']);
    expect(events[3]).toMatchObject({ object: 'chat.surprise', chunk: { hint: 1 } });
    expect((await stream.final()).response).toMatchObject({ hint: 1 });
  });

  it.each([
    ['the done chunk', [chunk('A'), done()]],
    ['the done chunk, whatever follows', [chunk('A'), done(), 'not json', new Error('late')]],
    ['[DONE]', [chunk('A'), '[DONE]', 'not json']],
    ['the end of the body after a finish_reason', [chunk('A', {}, { finish_reason: 'length' })]],
  ])('ends with %s', async (_, events) => {
    expect((await (await streamOf(...events)).final()).text).toBe('A');
  });

  it.each<[string, (string | Error)[]]>([
    ['before a finish_reason', [chunk('Half an an')]],
    ['with nothing but an end mark', ['[DONE]']],
    ['at once', []],
  ])('that ends %s is broken, and keeps what came', async (_, events) => {
    const stream = await streamOf(...events);
    const text = events.length === 1 && events[0] !== '[DONE]' ? 'Half an an' : '';
    await expect(stream.final()).rejects.toMatchObject({
      code: 'STREAM_BROKEN',
      partial: { text },
      requestId: 'request-1',
    });
    expect(stream.partialText).toBe(text);
  });

  it('is whole once its reason to stop has come, though the connection then breaks or stays open', async () => {
    const last = chunk('330 m.', {}, { finish_reason: 'stop' }); // of the older form, which has no last event
    for (const code of ['STREAM_BROKEN', 'TIMEOUT'] as const) {
      const answer = await (await streamOf(last, new WireError(code, 'no more'))).final();
      expect([answer.text, answer.finishReason]).toEqual(['330 m.', 'stop']);
      const before = (await streamOf(chunk('330'), new WireError(code, 'no more'))).final();
      await expect(before).rejects.toMatchObject({ code, partial: { text: '330' } });
    }
  });

  it("ends in the service's own error when one comes inside", async () => {
    const error = { error: { message: 'slow down', type: 'request_rate_limit_exceeded', code: 429 } };
    const stream = await streamOf(chunk('Half'), JSON.stringify(error));
    const events: AnswerEvent[] = [];
    const reading = (async () => {
      for await (const event of stream) events.push(event);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'RATE_LIMITED', partial: { text: 'Half' } });
    expect(events).toEqual([{ type: 'text', text: 'Half' }]);
  });

  it('that is no JSON is invalid', async () => {
    await expect((await streamOf(chunk('A'), '<html>')).final()).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
  });

  it('can be read once', async () => {
    const stream = await streamOf(chunk('A'), chunk('B'), done());
    for await (const event of stream) if (event.type === 'text') break;
    await expect(stream.final()).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('separates reasoning whose tag was missing, in the events too', async () => {
    const { service } = prepared(
      {},
      {
        events: [
          chunk('I think'),
          chunk('…</th'),
          chunk('ink>\n\nYes.[1]'),
          done({ citations: ['https://a.example'] }),
        ],
      },
    );
    const stream = await service.answers.stream({ model: 'answer-reasoning-pro', messages: [user] });
    const events = await all(stream);
    expect(events.filter(({ type }) => type !== 'sources').slice(0, -1)).toEqual([
      { type: 'text', text: 'I think' },
      { type: 'text', text: '…' },
      { type: 'reclassified', reasoning: 'I think…' },
      { type: 'text', text: 'Yes.[1]' },
    ]);
    expect(await stream.final()).toMatchObject({
      text: 'Yes.[1]',
      reasoning: 'I think…',
      citations: [{ start: 4, source: { number: 1 } }],
    });
  });

  it('passes an abort on unchanged', async () => {
    const abort = new AbortController();
    const transport = fakeTransport({ events: [chunk('A'), chunk('B'), done()] });
    const { searchServiceOver } = await import('../../../src/wire/search/index.ts');
    const stream = await searchServiceOver(transport).answers.stream(
      { model: 'answer-pro', messages: [user] },
      { signal: abort.signal },
    );
    const reason = new Error('enough');
    const reading = (async () => {
      for await (const event of stream) if (event.type === 'text') abort.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
    expect(stream.partialText).toBe('A');
  });
});

describe('a streamed answer over the loopback service', () => {
  const scripts: [string, AnswerScript][] = [
    ['as recorded', {}],
    ['with an end mark', { done: true }],
    ['without aggregated messages', { withoutMessage: true }],
    ['with the older ending', { oldEnding: true }],
    ['cut into single characters', { pieceLength: 1 }],
    ['cut into threes, opening tag missing', { pieceLength: 3, openThink: true }],
    ['without usage', { usage: 'absent' }],
    ['without citations', { citations: 'absent' }],
    ['cut off by length', { finishReason: 'length' }],
  ];
  describe.each(['answer-base', 'answer-reasoning-pro', 'answer-deep-research'])('%s', (model) => {
    it.each(scripts)('%s: equals the answer that comes at once', async (_, answer) => {
      script.answer = answer;
      const request = { model, messages: [user], return_images: true } as const;
      const whole = await service.answers.create(request);
      for (const stream_mode of ['full', 'concise'] as const) {
        if (stream_mode === 'concise' && answer.oldEnding === true) continue;
        harness.script({ fault: { kind: 'splitRandomly', max: 9, seed: 7 } });
        const streamed = await (await service.answers.stream({ ...request, stream_mode })).final();
        const comparable = ({ response, info: _i, ...rest }: typeof whole) => ({
          ...rest,
          response: { ...response, id: '', created: 0 },
        });
        expect(comparable(streamed)).toEqual(comparable(whole));
      }
    });
  });

  it('keeps its connection for the next call', async () => {
    const before = harness.connections;
    for (let i = 0; i < 5; i++) {
      await (await service.answers.stream({ model: 'answer-base', messages: [user] })).final();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(harness.connections - before).toBeLessThanOrEqual(1);
  });
});
