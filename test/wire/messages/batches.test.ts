import { describe, expect, it } from 'vitest';
import { WireError } from '../../../src/wire/http/errors.ts';
import {
  type BatchRequest,
  type BatchResult,
  batchError,
  type MessageBatch,
} from '../../../src/wire/messages/index.ts';
import { message } from './emit.ts';
import { FakeTransport } from './fake.ts';
import { clientOver as serve } from './support.ts';

const params = { model: 'assistant-small-4-5', max_tokens: 10, messages: [{ role: 'user' as const, content: 'Hi' }] };
const one = (custom_id: string): BatchRequest => ({ custom_id, params });
const batch = (processing_status: string): MessageBatch => ({
  id: 'msgbatch_1',
  type: 'message_batch',
  processing_status,
  request_counts: { processing: 1, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
  created_at: '2026-03-01T10:00:00Z',
  expires_at: '2026-03-02T10:00:00Z',
  ended_at: null,
  archived_at: null,
  cancel_initiated_at: null,
  results_url: null,
});
const line = (id: string): string =>
  JSON.stringify({ custom_id: id, result: { type: 'succeeded', message: message([]) } });
const cut = (): WireError => new WireError('STREAM_BROKEN', 'cut', {});
const collect = async (source: AsyncIterable<BatchResult>): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { custom_id } of source) ids.push(custom_id);
  return ids;
};

describe('creating a batch', () => {
  it.each([
    ['requests: must be a list of at least one', []],
    ['requests[1].custom_id: "a" is used twice', [one('a'), one('a')]],
    ['requests[0].custom_id: "a b" must be 1 to 64', [one('a b')]],
    ['requests[0].custom_id: "" must be 1 to 64', [one('')]],
    ['requests[0].custom_id', [one('x'.repeat(65))]],
    ['requests[1].params.max_tokens', [one('a'), { custom_id: 'b', params: { ...params, max_tokens: 0 } }]],
    ['requests[0].params.stream: is not set here', [{ custom_id: 'b', params: { ...params, stream: true } }]],
    [
      'requests[0].params.messages[0].content',
      [{ custom_id: 'b', params: { ...params, messages: [{ role: 'user', content: '' }] } }],
    ],
  ])('refuses: %s', async (problem, requests) => {
    const transport = new FakeTransport();
    await expect(serve(transport).batches.create(requests as BatchRequest[])).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(problem),
    });
    expect(transport.sent).toEqual([]);
  });

  it('refuses 100,001 requests', async () => {
    const requests = Array.from({ length: 100_001 }, (_, n) => one(`r${n}`));
    await expect(serve(new FakeTransport()).batches.create(requests)).rejects.toThrow(
      /holds 100001 requests, the limit is 100000/,
    );
  });

  it('writes the dialect in every request and gathers the betas', async () => {
    const transport = new FakeTransport(batch('in_progress'));
    const file = {
      role: 'user' as const,
      content: [{ type: 'document' as const, source: { type: 'file' as const, file_id: 'file_1' } }],
    };
    const tool = { name: 'look', input_schema: { type: 'object' } };
    await serve(transport).batches.create([
      { custom_id: 'a', params: { ...params, tools: [tool] } },
      { custom_id: 'b', params: { ...params, model: 'assistant-large-4-6', max_tokens: 300_000, messages: [file] } },
    ]);
    expect(transport.bodies[0]).toMatchObject({
      requests: [
        { custom_id: 'a', params: { tools: [{ name: 'look', parameters: { type: 'object' } }] } },
        { custom_id: 'b' },
      ],
    });
    expect(transport.sent[0]?.call.headers).toEqual({
      'x-service-beta': 'files-api-2025-04-14,output-300k-2026-03-24',
    });
  });
});

describe('waiting for a batch', () => {
  it('looks again, more and more slowly, until it has ended', async () => {
    const transport = new FakeTransport(batch('in_progress'), batch('canceling'), batch('in_progress'), batch('ended'));
    const seen: number[] = [];
    const states: string[] = [];
    const ended = await serve(transport).batches.wait('msgbatch_1', {
      pollMs: 40,
      maxPollMs: 60,
      onPoll: ({ processing_status }) => {
        seen.push(performance.now());
        states.push(processing_status);
      },
    });
    expect(ended.processing_status).toBe('ended');
    expect(states).toEqual(['in_progress', 'canceling', 'in_progress', 'ended']);
    const waits = seen.slice(1).map((at, n) => at - seen[n]!);
    // 40, 60, 60 ms, a tenth less at most; a timer may fire a millisecond early and much later.
    expect(waits[0]).toBeGreaterThan(34);
    expect(waits[1]).toBeGreaterThan(52);
    expect(waits[2]).toBeGreaterThan(52);
  });

  it('gives up after waitMs, saying that the batch goes on', async () => {
    const transport = new FakeTransport(...Array(100).fill(batch('in_progress')));
    await expect(serve(transport).batches.wait('msgbatch_1', { pollMs: 5, waitMs: 20 })).rejects.toMatchObject({
      code: 'TIMEOUT',
      hint: expect.stringContaining('resume'),
    });
  });

  it('ends with the reason of an abort', async () => {
    const reason = new Error('enough');
    const abort = new AbortController();
    const transport = new FakeTransport(batch('in_progress'));
    const waiting = serve(transport).batches.wait('msgbatch_1', { pollMs: 60_000, signal: abort.signal });
    setTimeout(() => abort.abort(reason), 10);
    await expect(waiting).rejects.toBe(reason);
  });
});

describe('the results of a batch', () => {
  it('come line by line, errors typed', async () => {
    const errored = {
      custom_id: 'b',
      result: {
        type: 'errored',
        error: { type: 'error', error: { type: 'invalid_request_error', message: 'No.' }, request_id: 'req_9' },
      },
    };
    const expired = { custom_id: 'c', result: { type: 'expired' } };
    const transport = new FakeTransport([[line('a'), JSON.stringify(errored)], [JSON.stringify(expired)]]);
    const results: BatchResult[] = [];
    for await (const result of serve(transport).batches.results('msgbatch_1')) results.push(result);
    expect(results.map(batchError)).toMatchObject([
      undefined,
      { code: 'REQUEST_REJECTED', requestId: 'req_9', message: expect.stringContaining('No.') },
      { code: 'RUN_FAILED', type: 'expired' },
    ]);
  });

  it('go on where a cut download broke, nothing twice and nothing lost', async () => {
    const whole = ['a', 'b', 'c', 'd'];
    const upTo = (count: number): unknown[] => [whole.slice(0, count).map(line), ...(count < 4 ? [cut()] : [])];
    for (const counts of [[4], [2, 4], [2, 1, 4], [0, 2, 3, 4], [3, 0, 0, 4], [1, 2, 2, 2, 3, 4]]) {
      const transport = new FakeTransport(...counts.map(upTo));
      expect(await collect(serve(transport).batches.results('msgbatch_1'))).toEqual(whole);
      expect(transport.sent).toHaveLength(counts.length);
    }
  });

  it('stop when three downloads in a row get no further', async () => {
    const transport = new FakeTransport(...Array(9).fill([[line('a')], cut()]));
    await expect(collect(serve(transport).batches.results('msgbatch_1'))).rejects.toMatchObject({
      code: 'STREAM_BROKEN',
    });
    expect(transport.sent).toHaveLength(4);
  });

  it('stop when the second download has another order', async () => {
    const transport = new FakeTransport([[line('a'), line('b')], cut()], [[line('b'), line('a'), line('c')]]);
    await expect(collect(serve(transport).batches.results('msgbatch_1'))).rejects.toMatchObject({
      code: 'RESPONSE_INVALID',
    });
  });

  it('name the line that is damaged', async () => {
    for (const bad of ['{"custom_id":', '{"result":{}}', '3']) {
      const transport = new FakeTransport([[line('a'), bad]]);
      await expect(collect(serve(transport).batches.results('msgbatch_1'))).rejects.toMatchObject({
        code: 'RESPONSE_INVALID',
        message: expect.stringContaining('line 2'),
      });
    }
  });

  it('are NOT_READY while the batch goes on', async () => {
    const gone = new WireError('REMOTE_NOT_FOUND', 'no results', {});
    await expect(
      collect(serve(new FakeTransport(gone, batch('in_progress'))).batches.results('msgbatch_1')),
    ).rejects.toMatchObject({ code: 'NOT_READY' });
    await expect(collect(serve(new FakeTransport(gone, batch('ended'))).batches.results('msgbatch_1'))).rejects.toBe(
      gone,
    );
  });
});

describe('running a batch', () => {
  it('tells the id before it waits, and resumes by it without creating anew', async () => {
    const transport = new FakeTransport(batch('in_progress'), batch('in_progress'), batch('ended'), [[line('a')]]);
    const created: string[] = [];
    const run = serve(transport).batches.run([one('a')], {
      pollMs: 1,
      onCreated: (id) => {
        created.push(id);
        expect(transport.sent).toHaveLength(1);
      },
    });
    expect(await collect(run)).toEqual(['a']);
    expect(created).toEqual(['msgbatch_1']);
    const later = new FakeTransport(batch('ended'), [[line('a')]]);
    expect(await collect(serve(later).batches.resume('msgbatch_1'))).toEqual(['a']);
    expect(later.sent.map(({ operation }) => operation.name)).toEqual([
      'messages.batches.get',
      'messages.batches.results',
    ]);
  });

  it.each(['', ' ', '..'])('refuses %j as an id: it would lead to another operation', async (id) => {
    const { batches } = serve(new FakeTransport());
    await expect(batches.get(id)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(batches.delete(id)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(() => batches.results(id)).toThrow(/^id: must/);
  });
});
