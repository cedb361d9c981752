import { describe, expect, it } from 'vitest';
import { Meter } from '../../src/core/meter.ts';
import { answerAsAgent } from '../../src/modes/agent/agent.ts';
import type { AgentIndex } from '../../src/modes/agent/tools.ts';
import { answerer, chunks, FakeIndex, model, run, search, started, stepsOf } from '../support/agent-runs.ts';
import { hitOf } from '../unit/answer/hits.ts';
import type { Rule } from '../wire/service/faults.ts';

describe('the bounds of an agent', () => {
  it('stops at its tokens, and answers from what it has with what was kept back', async () => {
    const { service, messages } = await started(answerer({ rounds: [[search('valve')]], forever: true }));
    const ran = await run(messages, { preset: 'advanced-deep-research', maxTotalTokens: 20_000 });
    const { inputTokens, outputTokens } = ran.answer.grounding!.usage;
    expect(ran.answer.grounding!.stop).toBe('budget');
    expect(inputTokens + outputTokens).toBeLessThanOrEqual(20_000);
    expect(ran.answer.citations).toHaveLength(1);
    expect(service.requests.length).toBeLessThan(20);
  });

  it('never spends more than its money, and answers with what was kept back', async () => {
    for (const usd of [0.08, 0.1, 0.15, 0.3]) {
      const { service, messages } = await started(answerer({ rounds: [[search('valve')]], forever: true }));
      const meter = new Meter(usd);
      const ran = await run(messages, { preset: 'advanced-deep-research', meter });
      expect(ran.answer.grounding!.costUsd).toBeCloseTo(service.ledger.totals().usd, 9);
      expect(meter.spentUsd).toBeCloseTo(service.ledger.totals().usd, 8);
      expect(meter.spentUsd).toBeLessThanOrEqual(usd);
      expect(['budget', 'steps']).toContain(ran.answer.grounding!.stop);
      expect(ran.answer.citations).toHaveLength(1);
    }
  });

  it('leaves the budget to its tools: what pays for a search of the web is not set aside', async () => {
    const { messages } = await started(answerer({ rounds: [[{ name: 'search_web', input: { query: 'valve' } }]] }));
    const meter = new Meter(1);
    const paying: AgentIndex = {
      search: async () => [],
      read: async () => [],
      searchWeb: async () => {
        meter.reserve(0.005).settle(0.005);
        return [hitOf(chunks[2]!)];
      },
    };
    const ran = await run(messages, { meter }, paying);
    expect(stepsOf(ran)).toEqual([['search_web', 1]]);
    expect(ran.answer.grounding!.stop).toBe('end');
    expect(ran.answer.citations).toHaveLength(1);
    expect(meter.spentUsd).toBeCloseTo(ran.answer.grounding!.costUsd + 0.005, 8);
  });

  it('shares one budget with another: both answer, and together they never go over it', async () => {
    const { service, messages } = await started(answerer({ rounds: [[search('valve')]] }));
    const meter = new Meter(0.5);
    const both = await Promise.all([run(messages, { meter }), run(messages, { meter })]);
    expect(both.map(({ answer }) => answer.grounding!.stop)).toEqual(['end', 'end']);
    expect(meter.spentUsd).toBeCloseTo(service.ledger.totals().usd, 8);
    expect(meter.leftUsd).toBeCloseTo(0.5 - meter.spentUsd, 8);
  });

  it('asks nothing when the first step is beyond the budget, and gives the money back', async () => {
    const { service, messages } = await started(answerer({ rounds: [] }));
    const meter = new Meter(0.001);
    await expect(run(messages, { meter })).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    expect(service.requests).toEqual([]);
    expect(meter.leftUsd).toBe(0.001);
  });

  it.each([{ maxSteps: 0 }, { maxSteps: 1.5 }, { preset: 'toString' as never }, { preset: 'slow' as never }])(
    'refuses %j',
    async (options) => {
      const { messages } = await started(answerer({ rounds: [] }));
      await expect(run(messages, options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    },
  );
});

describe('an agent whose service fails', () => {
  const onCall = (n: number, fault: Rule['fault']): Rule => ({ match: { path: '/v1/messages' }, fault, skip: n - 1 });

  it('throws before anything was answered', async () => {
    const { messages } = await started(answerer({ rounds: [[search('valve')]] }), [
      onCall(1, { kind: 'status', status: 400 }),
    ]);
    await expect(run(messages)).rejects.toMatchObject({ status: 400 });
  });

  it('keeps what its tools found when a later step fails', async () => {
    const { service, messages } = await started(answerer({ rounds: [[search('valve')]] }), [
      onCall(2, { kind: 'status', status: 400 }),
    ]);
    const meter = new Meter();
    const { answer } = await run(messages, { meter });
    expect(answer.grounding).toMatchObject({ stop: 'broken', error: { status: 400 } });
    expect(answer.hits).toHaveLength(1);
    expect(answer).toMatchObject({ abstained: true, citations: [] });
    expect(answer.answer).toContain('broke off');
    expect(meter.spentUsd).toBeCloseTo(service.ledger.totals().usd, 9);
  });

  it('keeps the part of an answer that was written when its stream is cut', async () => {
    const { service, messages } = await started(answerer({ rounds: [[search('valve'), search('pressure')]] }), [
      onCall(2, { kind: 'cut', afterEvents: 12 }),
    ]);
    const meter = new Meter();
    const { answer } = await run(messages, { meter });
    expect(answer.grounding).toMatchObject({ stop: 'broken', error: { code: 'STREAM_BROKEN' } });
    expect(answer.answer).not.toBe('');
    expect(meter.spentUsd).toBeGreaterThanOrEqual(service.ledger.totals().usd);
  });

  it('counts what was spent when its reader leaves', async () => {
    const { service, messages } = await started(answerer({ rounds: [[search('valve')]] }));
    const meter = new Meter();
    for await (const event of answerAsAgent('Which pressure?', new FakeIndex(), messages, { model, meter }))
      if (event.type === 'step') break;
    expect(meter.spentUsd).toBeCloseTo(service.ledger.totals().usd, 9);
    expect(meter.spentUsd).toBeGreaterThan(0);
  });

  it("passes the caller's own abort through", async () => {
    const abort = new AbortController();
    const { messages } = await started(answerer({ rounds: [[search('valve')]] }));
    const work = async (): Promise<void> => {
      const options = { model, signal: abort.signal };
      for await (const event of answerAsAgent('Which pressure?', new FakeIndex(), messages, options))
        if (event.type === 'step') abort.abort(new Error('enough'));
    };
    await expect(work()).rejects.toThrow('enough');
  });
});
