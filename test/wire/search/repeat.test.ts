import { describe, expect, it } from 'vitest';
import { referenceProfile, searchOperationNames, searchOperations } from '../../../src/wire/search/index.ts';
import type { Fault } from '../service/faults.ts';
import { loopback } from './loopback.ts';

const { harness, service, script } = await loopback({ maxRetries: 1 });

const messages = [{ role: 'user', content: 'How tall is the Harbour Tower?' }] as const;
const calls: Readonly<Record<string, (options?: { repeatUnanswered: boolean }) => Promise<unknown>>> = {
  answer: (options) => service.answers.create({ model: 'answer-base', messages }, options),
  'deep answer': () => service.answers.create({ model: 'answer-deep-research', messages }),
  'queued answer': () => service.answers.async.create({ model: 'answer-deep-research', messages }),
  research: () => service.research.create({ preset: 'fast-search', input: 'tower' }),
  search: () => service.search({ query: 'tower' }),
  embeddings: () => service.embeddings.create({ model: 'embed-v1-0.6b', input: 'tower' }),
};
const reset: Fault = { kind: 'reset' };
const busy: Fault = { kind: 'status', status: 429, retryAfter: { ms: 1 } };
const down: Fault = { kind: 'status', status: 500, retryAfter: { ms: 1 } };

describe('what is sent again, and what it costs', () => {
  it.each<[string, Fault, number, number]>([
    ['answer', reset, 1, 1],
    ['answer', down, 2, 1],
    ['answer', busy, 2, 1],
    ['deep answer', reset, 1, 1],
    ['deep answer', down, 1, 0],
    ['deep answer', busy, 2, 1],
    ['queued answer', reset, 2, 1], // the idempotency key makes it one answer
    ['research', reset, 1, 1],
    ['research', down, 1, 0],
    ['research', busy, 2, 1],
    ['search', reset, 2, 2],
    ['embeddings', reset, 2, 2],
  ])('%s after %j: %d requests, %d billed', async (name, fault, requests, billed) => {
    harness.script({ fault });
    await calls[name]!().catch(() => {});
    expect(harness.requests).toHaveLength(requests);
    expect(harness.ledger.totals().requests).toBe(billed);
    if (name === 'queued answer') {
      const keys = harness.requests.map(({ body }) => (body as { idempotency_key: string }).idempotency_key);
      expect(new Set(keys).size).toBe(1);
    }
  });

  it('an answer after a cut when the caller allows it', async () => {
    harness.script({ fault: reset });
    await calls.answer!({ repeatUnanswered: true });
    expect(harness.requests).toHaveLength(2);
  });

  it('every row has a rule, and nothing that bills without limit repeats by itself', () => {
    const operations = searchOperations(referenceProfile.paths);
    for (const name of searchOperationNames) {
      const { repeat, method } = operations[name];
      if (method === 'GET') expect(repeat).toBe('always');
      if (/^(research\.(create|stream)|sandbox\.(create|execute))$/.test(name)) expect(repeat).toBe('unsent');
      if (/^answers\.(create|stream)$/.test(name)) expect(repeat).toBe('refused');
    }
  });
});

describe('errors of the service', () => {
  it('a refusal with a list of details names the field', async () => {
    script.detailErrors = true;
    const call = service.search({ query: 'tower' }, { extraBody: { colour: 'red' } });
    await expect(call).rejects.toMatchObject({
      code: 'REQUEST_REJECTED',
      status: 422,
      param: expect.stringContaining('colour'),
    });
  });

  it('a queued answer that failed, with its reason', async () => {
    script.answer = { polls: 1, asyncFailure: 'no sources' };
    const { id } = await service.answers.async.create({ model: 'answer-deep-research', messages });
    await expect(service.answers.async.wait(id, { pollMs: 1 })).rejects.toMatchObject({
      code: 'RUN_FAILED',
      message: expect.stringContaining('no sources'),
      partial: { id, status: 'FAILED' },
    });
  });

  it.each<[Fault, string]>([
    [{ kind: 'html', status: 502 }, 'SERVICE_FAILED'],
    [{ kind: 'html', status: 200 }, 'RESPONSE_INVALID'],
    [{ kind: 'empty', status: 200 }, 'RESPONSE_INVALID'],
    [{ kind: 'status', status: 402 }, 'BILLING'],
    [{ kind: 'status', status: 404 }, 'REMOTE_NOT_FOUND'],
    [{ kind: 'json', edit: () => [] }, 'RESPONSE_INVALID'],
  ])('%j', async (fault, code) => {
    harness.script({ fault, times: 2 });
    await expect(service.embeddings.create({ model: 'embed-v1-0.6b', input: 'a' })).rejects.toMatchObject({ code });
  });

  it('a cut stream keeps its text, a stalled one ends by itself', async () => {
    harness.script({ fault: { kind: 'cut', afterEvents: 3 } });
    const cut = await service.answers.stream({ model: 'answer-pro', messages });
    await expect(cut.final()).rejects.toMatchObject({
      code: 'STREAM_BROKEN',
      partial: { text: expect.stringMatching(/\w/) },
    });
    harness.script({ fault: { kind: 'stall', afterEvents: 3 } });
    const stalled = await service.answers.stream({ model: 'answer-pro', messages }, { timeouts: { idleMs: 400 } });
    await expect(stalled.final()).rejects.toMatchObject({ code: 'TIMEOUT', partial: { text: cut.partialText } });
  });

  it('a stream whose service never hangs up ends with its last event, and is hung up on', async () => {
    let count = 0;
    const counting: Fault = {
      kind: 'events',
      edit: (events) => {
        count = events.length;
        return events;
      },
    };
    harness.script({ fault: counting });
    const whole = await (await service.answers.stream({ model: 'answer-pro', messages })).final();
    harness.clear();
    harness.script({ fault: { kind: 'stall', afterEvents: count } });
    const answer = await (await service.answers.stream({ model: 'answer-pro', messages })).final();
    expect(answer.text).toBe(whole.text);
    expect(harness.inFlight).toBe(1);
    await expect.poll(() => harness.requests[0]?.aborted, { timeout: 2_000 }).toBe(true);
    expect(harness.inFlight).toBe(0);
  });
});
