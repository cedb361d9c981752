import { describe, expect, it } from 'vitest';
import {
  answerCall,
  type ResearchFunction,
  researchFunction,
  runResearch,
} from '../../../src/modes/tools/research-loop.ts';
import type { StandardSchema } from '../../../src/wire/search/index.ts';
import { request, run, said } from '../../support/research-run.ts';
import { prepared } from '../../wire/search/fake.ts';

const call = (name: string, args: string, id = 'call_1', more: object = {}): object => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: args,
  status: 'completed',
  ...more,
});

describe('the loop of function calls', () => {
  const lookup = researchFunction<{ q: string }>({
    description: 'search local docs',
    parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
    handler: ({ q }) => ({ hits: [`${q}: 512 texts`] }),
  });

  const looped = (functions: Record<string, ResearchFunction>, ...bodies: object[]) => {
    const { service, sent } = prepared({}, ...bodies);
    return { result: runResearch(service, request, { functions }), sent };
  };

  it('does not wait beyond an abort for a function that does not listen to it', async () => {
    const abort = new AbortController();
    const hangs = researchFunction({ handler: () => new Promise<never>(() => {}) });
    const asked = { type: 'function_call', call_id: 'call_1', name: 'hangs', arguments: '{}' } as const;
    const answered = answerCall({ hangs }, asked, { callId: 'call_1', round: 1, signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(answered).rejects.toThrow('enough');
  });

  it('echoes each call with its output, signature and name', async () => {
    const { result, sent } = looped(
      { lookup },
      run({
        output: [
          said('Let me see. '),
          call('lookup', '{"q":"limit"}', 'call_1', { thought_signature: 'sig' }),
          call('lookup', '{"q":"max"}', 'call_2'),
        ],
        usage: { cost: { total_cost: 0.25 } },
      }),
      run({ output: [said('512.')], usage: { cost: { total_cost: 0.5 } } }),
    );
    expect(await result).toMatchObject({ outputText: '512.', cost: { usd: 0.75, source: 'service' } });
    const tool = { type: 'function', name: 'lookup', description: 'search local docs', parameters: lookup.parameters };
    expect(sent[0]?.body).toEqual({ ...request, tools: [tool] });
    expect(sent[1]?.body).toEqual({
      model: request.model,
      tools: [tool],
      input: [
        { type: 'message', role: 'user', content: 'Find the limit' },
        { type: 'message', role: 'assistant', content: 'Let me see. ' },
        {
          type: 'function_call',
          call_id: 'call_1',
          name: 'lookup',
          arguments: '{"q":"limit"}',
          thought_signature: 'sig',
        },
        {
          type: 'function_call_output',
          call_id: 'call_1',
          name: 'lookup',
          output: '{"hits":["limit: 512 texts"]}',
          thought_signature: 'sig',
        },
        { type: 'function_call', call_id: 'call_2', name: 'lookup', arguments: '{"q":"max"}' },
        { type: 'function_call_output', call_id: 'call_2', name: 'lookup', output: '{"hits":["max: 512 texts"]}' },
      ],
    });
    expect(sent.every(({ operation }) => operation.repeat === 'unsent')).toBe(true);
  });

  const schema: StandardSchema<{ n: number }> = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) => {
        const n = Number((value as { n?: unknown }).n);
        return Number.isInteger(n) ? { value: { n } } : { issues: [{ message: 'must be whole', path: ['n'] }] };
      },
    },
  };
  let ran = 0;
  const functions = {
    fails: researchFunction({ handler: () => Promise.reject(new Error('disk full')) }),
    parsed: researchFunction({ parse: schema, handler: ({ n }) => n + 1 }),
    converted: researchFunction({
      parse: (value: unknown) => String((value as { x: unknown }).x),
      handler: (x) => `got ${x}`,
    }),
    nothing: researchFunction({ handler: () => void ran++ }),
    circular: researchFunction({
      handler: () => {
        const loop: Record<string, unknown> = {};
        loop.self = loop;
        return loop;
      },
    }),
  };

  it.each([
    ['fails', '{}', '{"error":"disk full"}'],
    ['unheard_of', '{}', '{"error":"There is no function \\"unheard_of\\"."}'],
    ['constructor', '{}', '{"error":"There is no function \\"constructor\\"."}'],
    ['parsed', '{"n":"41"}', '42'],
    ['parsed', '{"n":1.5}', '{"error":"n: must be whole"}'],
    ['converted', '{"x":7}', 'got 7'],
    ['nothing', '', 'null'],
    ['nothing', '{oops', '{"error":"The arguments are not JSON."}'],
    ['nothing', '[1]', '{"error":"The arguments must be a JSON object, got a list."}'],
    ['circular', '{}', expect.stringContaining('circular')],
  ])('answers %s(%s) with %s', async (name, args, output) => {
    const before = ran;
    const { result, sent } = looped(functions, run({ output: [call(name, args)] }), run({ output: [said('ok')] }));
    expect((await result).outputText).toBe('ok');
    const input = sent[1]!.body.input as { output: string }[];
    expect(input.at(-1)?.output).toEqual(output);
    expect(ran - before).toBe(name === 'nothing' && args === '' ? 1 : 0);
  });

  it("leaves the service's own calls alone", async () => {
    const { result, sent } = looped(functions, run({ output: [call('search_web', '{}'), said('found')] }));
    expect((await result).outputText).toBe('found');
    expect(sent).toHaveLength(1);
  });

  it('goes on from requires_action, but not from a failure', async () => {
    const { result } = looped(
      functions,
      run({ status: 'requires_action', output: [call('nothing', '{}')] }),
      run({ output: [said('done')] }),
    );
    expect((await result).outputText).toBe('done');
    const failing = looped(functions, run({ status: 'incomplete', output: [call('nothing', '{}')] }));
    await expect(failing.result).rejects.toMatchObject({ code: 'RUN_FAILED' });
    const empty = looped(functions, run({ status: 'requires_action' }));
    await expect(empty.result).rejects.toMatchObject({ code: 'RUN_FAILED' });
  });

  it('ends after maxRounds requests', async () => {
    const { service, sent } = prepared({}, ...new Array(3).fill(run({ output: [call('nothing', '{}')] })));
    const result = runResearch(service, request, { functions, maxRounds: 3 });
    await expect(result).rejects.toMatchObject({ code: 'STEPS_EXCEEDED', partial: { length: 3 } });
    expect(sent).toHaveLength(3);
  });

  it("passes the caller's abort into the handler and out of the loop", async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    let told: unknown;
    const waits = researchFunction({
      handler: (_, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            told = signal.reason;
            reject(told);
          });
          abort.abort(reason);
        }),
    });
    const { service, sent } = prepared({}, run({ output: [call('waits', '{}')] }));
    await expect(runResearch(service, request, { functions: { waits }, signal: abort.signal })).rejects.toBe(reason);
    expect(told).toBe(reason);
    expect(sent).toHaveLength(1);
  });

  it.each<[object, number, string]>([
    [{ f: { handler: () => 1, params: {} } }, 8, 'functions.f.params: is not a field'],
    [{ f: {} }, 8, 'functions.f.handler: is required'],
    [{ f: { handler: 1 } }, 8, 'functions.f.handler: must be a function'],
    [{ f: { handler: () => 1 } }, 0, 'maxRounds: must be a whole number from 1 to 100'],
  ])('refuses %j in %d rounds before sending', async (wrong, maxRounds, message) => {
    const { service, sent } = prepared({});
    const result = runResearch(service, request, { functions: wrong as never, maxRounds });
    await expect(result).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(message),
    });
    expect(sent).toEqual([]);
  });
});
