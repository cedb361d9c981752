import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../../../src/answer/contract.ts';
import { answerGrounded, collectAnswer } from '../../../../src/answer/grounded/grounded.ts';
import { recentTurns } from '../../../../src/answer/grounded/request.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../../../../src/answer/language-model.ts';
import { IbidError } from '../../../../src/core/errors.ts';
import { Meter } from '../../../../src/core/meter.ts';
import type { Hit } from '../../../../src/core/types.ts';

const text = 'The pump is water cooled. Its rated pressure is 40 bar.';
const hit: Hit = {
  chunk: {
    position: 0,
    span: { start: 0, end: text.length },
    text,
    headings: ['Data'],
    tokens: 12,
    locators: [],
    uri: 'manual.md',
    title: 'Manual',
    format: 'markdown',
    metadata: {},
  },
  score: 1,
  origin: 'local',
  trace: [],
};
const usage = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 };
const good = { confidence: 'high', support: 0.9 } as const;

/** A model that says what it is told to, and remembers what it was asked. */
class ScriptedModel implements LanguageModel {
  readonly id = 'scripted';
  readonly contextTokens = 10_000;
  readonly maxOutputTokens = 500;
  readonly asked: ModelRequest[] = [];
  readonly citesPassages: boolean;
  readonly #script: readonly (ModelEvent | Error)[];

  constructor(script: readonly (ModelEvent | Error)[], citesPassages: boolean = true) {
    this.#script = script;
    this.citesPassages = citesPassages;
  }

  estimateUsd(): number {
    return 0.01;
  }

  async *write(request: ModelRequest): AsyncGenerator<ModelEvent> {
    this.asked.push(request);
    for (const event of this.#script) {
      if (event instanceof Error) throw event;
      yield event;
    }
  }
}

const stop = (how: 'end' | 'length' | 'refusal' | 'broken' = 'end'): ModelEvent => ({
  type: 'stop',
  stop: how,
  usage,
  costUsd: 0.004,
});

async function eventsOf(model: LanguageModel, options = {}, judged: Parameters<typeof answerGrounded>[2] = good) {
  const events: AnswerEvent[] = [];
  for await (const event of answerGrounded('How much pressure?', [hit], judged, model, options)) events.push(event);
  const last = events.at(-1)!;
  if (last.type !== 'done') throw new Error('no answer');
  return { events, answer: last.answer };
}

const cited: ModelEvent[] = [
  { type: 'citation', block: 0, citation: { source: 's1', first: 1, end: 2, quoted: 'Its rated pressure is 40 bar.' } },
  { type: 'text', block: 0, text: 'It runs at 40 ' },
  { type: 'text', block: 0, text: 'bar.' },
  { type: 'blockEnd', block: 0 },
];

describe('a grounded answer', () => {
  it('is what its events say, with proven citations', async () => {
    const { events, answer } = await eventsOf(new ScriptedModel([...cited, stop()]));
    expect(answer.answer).toBe('It runs at 40 bar. [1]');
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')).toBe(answer.answer);
    expect(answer.citations).toMatchObject([
      { n: 1, uri: 'manual.md', quote: 'Its rated pressure is 40 bar.', verified: true },
    ]);
    expect(answer.grounding).toMatchObject({
      model: 'scripted',
      stop: 'end',
      unsupported: [],
      dropped: [],
      costUsd: 0.004,
    });
    expect(
      await collectAnswer(answerGrounded('How much pressure?', [hit], good, new ScriptedModel([...cited, stop()]))),
    ).toEqual(answer);
  });

  it('comes out the same from a model that can only write marks', async () => {
    const marks: ModelEvent[] = ['It runs at 40', ' bar [s1', '.2].'].map((piece) => ({
      type: 'text',
      block: 0,
      text: piece,
    }));
    const model = new ScriptedModel([...marks, stop()], false);
    const { answer } = await eventsOf(model);
    const { answer: other } = await eventsOf(new ScriptedModel([...cited, stop()]));
    expect(answer).toEqual(other);
    expect(model.asked[0]!.sources).toEqual([]);
    expect(model.asked[0]!.turns.at(-1)!.text).toContain('[s1.2] Its rated pressure is 40 bar.');
    expect(model.asked[0]!.instructions).not.toContain('40 bar');
  });

  it('asks nothing, and pays nothing, when the support is too weak', async () => {
    const model = new ScriptedModel([...cited, stop()]);
    const meter = new Meter(0);
    const { answer } = await eventsOf(model, { meter }, { confidence: 'none', support: 0.01 });
    expect(model.asked).toEqual([]);
    expect(answer).toMatchObject({ abstained: true, confidence: 'none', citations: [] });
  });

  it('keeps what was written when the stream breaks, and says so', async () => {
    const error = new IbidError('STREAM_BROKEN', 'cut');
    const broken: ModelEvent = { type: 'stop', stop: 'broken', usage, costUsd: 0.001, error };
    const { answer } = await eventsOf(new ScriptedModel([...cited.slice(0, 2), broken]));
    expect(answer.answer).toBe('It runs at 40 [1]');
    expect(answer.grounding).toMatchObject({ stop: 'broken', error });
  });

  it('is a refusal when the model refuses, and offers an uncited one only as closest', async () => {
    const bare: ModelEvent = { type: 'text', block: 0, text: 'Perhaps 40 bar.' };
    expect((await eventsOf(new ScriptedModel([bare, stop('refusal')]))).answer).toMatchObject({
      abstained: true,
      citations: [],
    });
    const { answer } = await eventsOf(new ScriptedModel([bare, stop()]));
    expect(answer).toMatchObject({ abstained: false, confidence: 'low', citations: [] });
    expect(answer.grounding!.unsupported).toEqual([{ start: 0, end: bare.text.length }]);
  });

  it('does not blame the documents when the model says nothing', async () => {
    const blank: ModelEvent = { type: 'text', block: 0, text: ' \n' };
    const meter = new Meter();
    for (const script of [[stop()], [blank, stop()]])
      await expect(eventsOf(new ScriptedModel(script), { meter })).rejects.toMatchObject({
        code: 'RESPONSE_INVALID',
        message: 'the model "scripted" ended without a word of an answer',
      });
    expect(meter.spentUsd).toBe(0.008);
    const { answer } = await eventsOf(new ScriptedModel([stop('refusal')]));
    expect(answer).toMatchObject({ abstained: true, answer: 'The model refused to answer.' });
  });

  it('keeps the places of its marks when the model cites and then refuses', async () => {
    const { answer } = await eventsOf(new ScriptedModel([...cited, stop('refusal')]));
    expect(answer).toMatchObject({ answer: 'It runs at 40 bar. [1]', abstained: true, confidence: 'none' });
    expect(answer.citations).toMatchObject([{ n: 1, quote: 'Its rated pressure is 40 bar.' }]);
  });

  it('counts and leaves out what is false', async () => {
    const wrong: ModelEvent = {
      type: 'citation',
      block: 0,
      citation: { source: 's1', first: 0, end: 1, quoted: 'It is air cooled.' },
    };
    const { answer } = await eventsOf(new ScriptedModel([wrong, ...cited, stop()]));
    expect(answer.citations).toHaveLength(1);
    expect(answer.grounding!.dropped).toEqual(['s1 does not say "It is air cooled." there']);
  });

  it('spends within the budget, and nothing for a call that failed', async () => {
    const meter = new Meter(0.02);
    await eventsOf(new ScriptedModel([...cited, stop()]), { meter });
    expect(meter.spentUsd).toBe(0.004);
    await expect(eventsOf(new ScriptedModel([...cited, stop()]), { meter: new Meter(0.009) })).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
    });
    await expect(eventsOf(new ScriptedModel([new Error('503')]), { meter })).rejects.toThrow('503');
    expect(meter.spentUsd).toBe(0.004);
  });

  it('counts a stream that was stopped midway as its estimate: never too little', async () => {
    const meter = new Meter(1);
    await expect(eventsOf(new ScriptedModel([cited[1]!, new Error('gone')]), { meter })).rejects.toThrow('gone');
    expect(meter.spentUsd).toBe(0.01);
  });

  it('gives the model rules, history and question, and the sources apart from them', async () => {
    const model = new ScriptedModel([...cited, stop()]);
    const history = [
      { role: 'user', text: 'What is it?' },
      { role: 'assistant', text: 'A pump.' },
    ] as const;
    await eventsOf(model, { history });
    expect(model.asked[0]!.turns).toEqual([...history, { role: 'user', text: 'How much pressure?' }]);
    expect(model.asked[0]!.sources[0]!.passages.join('')).toBe(text);
  });

  it.each([
    ['sourceTokens', 0],
    ['maxTokens', 1.5],
  ])('refuses %s %s', async (name, value) => {
    await expect(eventsOf(new ScriptedModel([stop()]), { [name]: value })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });
});

describe('a window that no hit fits', () => {
  const small = (): ScriptedModel => Object.assign(new ScriptedModel([stop()]), { contextTokens: 1500 });

  it('is an error: the documents may well answer', async () => {
    const told = { code: 'INVALID_ARGUMENT', message: expect.stringContaining('1500 tokens') };
    await expect(eventsOf(small())).rejects.toMatchObject(told);
    await expect(eventsOf(new ScriptedModel([stop()]), { sourceTokens: 5 })).rejects.toThrow('no passage fits');
  });

  it('is none where the model is not asked', async () => {
    const { answer } = await eventsOf(small(), {}, { confidence: 'none', support: 0.1 });
    expect(answer.abstained).toBe(true);
  });
});

describe('the history', () => {
  const turns = [
    { role: 'user', text: 'one two three' },
    { role: 'assistant', text: ' ' },
    { role: 'assistant', text: 'four five six' },
    { role: 'user', text: 'seven eight nine' },
    { role: 'assistant', text: 'ten' },
  ] as const;

  it('keeps the newest turns that fit, from one of the user on, without blank ones', () => {
    expect(recentTurns(turns, 1000).map(({ text: said }) => said)).toEqual([
      'one two three',
      'four five six',
      'seven eight nine',
      'ten',
    ]);
    expect(recentTurns(turns, 35).map(({ text: said }) => said)).toEqual(['seven eight nine', 'ten']);
    expect(recentTurns(turns, 10)).toEqual([]);
    expect(recentTurns(turns, -5)).toEqual([]);
  });
});
