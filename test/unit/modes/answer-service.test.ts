import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../../../src/answer/contract.ts';
import { IbidError } from '../../../src/core/errors.ts';
import { Meter } from '../../../src/core/meter.ts';
import { answerByService } from '../../../src/modes/answer-service.ts';
import {
  referenceProfile,
  type SearchService,
  type AnswerEvent as Told,
  type Answer as WebAnswer,
} from '../../../src/wire/search/index.ts';

const done = (text: string): Told => ({
  type: 'done',
  answer: {
    text,
    sources: [],
    usage: { prompt_tokens: 3, completion_tokens: 4 },
    cost: { usd: 0.007, parts: [] },
    model: 'answer-reasoning-pro',
    notes: [],
    images: [],
    relatedQuestions: [],
  } as unknown as WebAnswer, // the fields that are read
});

/** A service that tells these events, then fails if it is to. */
function service(events: readonly Told[], failure?: Error): SearchService {
  const stream = async () => ({
    async *[Symbol.asyncIterator]() {
      yield* events;
      if (failure) throw failure;
    },
    cancel: async () => {},
  });
  return {
    profile: referenceProfile,
    answers: { stream, estimateCost: () => ({ usd: 0.01, parts: [], maxUsd: 0.02 }) },
  } as unknown as SearchService; // what answerByService uses of it
}

async function run(from: SearchService, model: string, meter = new Meter()) {
  const events: AnswerEvent[] = await Array.fromAsync(answerByService('q?', from, { model, meter }));
  const last = events.at(-1)!;
  if (last.type !== 'done') throw new Error('no end');
  return { events, answer: last.answer };
}

describe('an answer of the answer service', () => {
  it('takes reasoning without its opening tag back before anyone has seen it as an answer', async () => {
    const told: Told[] = [
      { type: 'text', text: 'Let me see. ' },
      { type: 'text', text: 'I compare.' },
      { type: 'reclassified', reasoning: 'Let me see. I compare.' },
      { type: 'text', text: 'It is ' },
      { type: 'text', text: 'tall.' },
      done('It is tall.'),
    ];
    const { events, answer } = await run(service(told), 'answer-reasoning-pro');
    expect(answer.answer).toBe('It is tall.');
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')).toBe('It is tall.');
    expect(events).toContainEqual({ type: 'thinking', text: 'Let me see. I compare.' });
  });

  it('a reasoning model that does not reason is still answered in full', async () => {
    const { answer } = await run(service([{ type: 'text', text: 'Tall.' }, done('Tall.')]), 'answer-reasoning-pro');
    expect(answer.answer).toBe('Tall.');
  });

  it('sets the worst case aside and settles what it cost; nothing for a refusal', async () => {
    const meter = new Meter(0.05);
    await run(service([{ type: 'text', text: 'Tall.' }, done('Tall.')]), 'answer-base', meter);
    expect(meter.spentUsd).toBe(0.007);
    const refused = service([], new IbidError('OVERLOADED', 'no'));
    await expect(run(refused, 'answer-base', meter)).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(meter.spentUsd).toBe(0.007);
    expect(meter.leftUsd).toBeCloseTo(0.043, 9);
    await expect(run(refused, 'answer-base', new Meter(0.019))).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
  });

  it('counts what may have been billed though no word of it came', async () => {
    const meter = new Meter(1);
    const silent = service([], new IbidError('TIMEOUT', 'nothing arrived'));
    await expect(run(silent, 'answer-base', meter)).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(meter.spentUsd).toBe(0.02);
  });

  it('keeps a broken beginning, reckoned at the worst where the service did not say', async () => {
    const meter = new Meter(1);
    const broken = service([{ type: 'text', text: 'It is' }], new IbidError('STREAM_BROKEN', 'cut'));
    const { answer } = await run(broken, 'answer-base', meter);
    expect(answer).toMatchObject({ answer: 'It is', grounding: { stop: 'broken', costUsd: 0.02 } });
    expect(meter.spentUsd).toBe(0.02);
  });
});
