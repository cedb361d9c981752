import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { runTools, streamTools, type ToolLoopError, type ToolLoopEvent } from '../../../src/modes/tools/loop.ts';
import { defineTool, type Message, type Tool, webSearchTool } from '../../../src/wire/messages/index.ts';
import { asServerEvent, eventsOf, message, straight } from '../../wire/messages/emit.ts';
import { FakeTransport } from '../../wire/messages/fake.ts';
import { clientOver as serve } from '../../wire/messages/support.ts';
import { answers, asks, request, says, text, use } from './tool-calls.ts';

const add: Tool = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  schema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  standardSchema: v.object({ a: v.number(), b: v.number() }),
  run: ({ a, b }) => a + b,
});
const plain = (name: string, run: () => unknown): Tool =>
  defineTool({ name, description: name, schema: { type: 'object' }, run: run as () => string });

describe('the tool loop', () => {
  it('runs the tool, answers, and sends the assistant content back unchanged', async () => {
    const first = asks(
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'redacted_thinking', data: 'r' },
      use('t1'),
    );
    const transport = new FakeTransport(first, says('It is 3.'));
    const run = await runTools(serve(transport), request, { tools: [add] });
    expect(run).toMatchObject({ text: 'It is 3.', steps: 2, usage: { input_tokens: 24, output_tokens: 12 } });
    // small: 24 in at 1, 12 out at 5 USD per million; the answers name the large model: 5 and 25.
    expect(run.cost?.usd).toBeCloseTo((24 * 5 + 12 * 25) / 1e6, 12);
    expect(transport.bodies[0]?.tools).toEqual([
      {
        name: 'add',
        description: 'Adds two numbers.',
        parameters: {
          type: 'object',
          properties: { a: { type: 'number' }, b: { type: 'number' } },
          required: ['a', 'b'],
        },
      },
    ]);
    expect(transport.bodies[1]?.messages).toEqual([
      { role: 'user', content: 'Add.' },
      { role: 'assistant', content: first.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '3' }] },
    ]);
    expect(run.messages.slice(0, 3)).toEqual(transport.bodies[1]?.messages);
    expect(request.messages).toHaveLength(1);
  });

  it('answers every call in one message, in order, whichever is ready first', async () => {
    let release = (): void => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const tools = [
      plain('slow', () => gate.then(() => 'slow')),
      plain('fast', () => {
        release();
        return 'fast';
      }),
    ];
    const transport = new FakeTransport(asks(use('a', 'slow'), use('b', 'fast')), says('ok'));
    await runTools(serve(transport), request, { tools });
    expect(answers(transport, 1)).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: 'slow' },
      { type: 'tool_result', tool_use_id: 'b', content: 'fast' },
    ]);
  });

  it('tells the model of errors, of unknown tools, of wrong input and of late handlers, and goes on', async () => {
    const broken = new Error('no such pump');
    const tools = [
      add,
      plain('fail', () => {
        throw broken;
      }),
      plain('hang', () => new Promise(() => {})),
    ];
    const transport = new FakeTransport(
      asks(use('a', 'fail'), use('b', 'nothing'), use('c', 'add', { a: 1, b: 'two' }), use('d', 'hang'), use('e')),
      says('ok'),
    );
    const run = await runTools(serve(transport), request, { tools, toolTimeoutMs: 20 });
    expect(answers(transport, 1)).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: 'Error: no such pump', is_error: true },
      {
        type: 'tool_result',
        tool_use_id: 'b',
        content: 'There is no tool "nothing". Tools: add, fail, hang',
        is_error: true,
      },
      {
        type: 'tool_result',
        tool_use_id: 'c',
        content: expect.stringMatching(/^The input does not fit: b: /),
        is_error: true,
      },
      { type: 'tool_result', tool_use_id: 'd', content: 'The tool took longer than 20 ms.', is_error: true },
      { type: 'tool_result', tool_use_id: 'e', content: '3' },
    ]);
    expect(run.calls[0]).toMatchObject({ error: broken });
  });

  it('takes a time limit beyond what a timer can be set to for a long one, not for none', async () => {
    const slow = plain('slow', async () => {
      await sleep(20);
      return 'done';
    });
    for (const toolTimeoutMs of [2 ** 31, 2 ** 40]) {
      const transport = new FakeTransport(asks(use('a', 'slow')), says('ok'));
      await runTools(serve(transport), request, { tools: [slow], toolTimeoutMs });
      expect(answers(transport, 1)).toEqual([{ type: 'tool_result', tool_use_id: 'a', content: 'done' }]);
    }
  });

  it('sends blocks as blocks, other values as JSON, nothing as no content; 0 and false are values', async () => {
    const blocks = [{ type: 'search_result', source: 'kb://1', title: 'One', content: [text('x')] }];
    const outputs: Record<string, unknown> = {
      blocks,
      none: undefined,
      empty: '',
      zero: 0,
      no: false,
      list: [],
      data: { a: [1] },
    };
    const tools = Object.entries(outputs).map(([name, value]) => plain(name, () => value));
    const transport = new FakeTransport(asks(...Object.keys(outputs).map((name) => use(name, name))), says('ok'));
    await runTools(serve(transport), { ...request, citations: true }, { tools });
    const sent = answers(transport, 1) as { content?: unknown }[];
    expect(sent.map(({ content }) => content)).toEqual([
      [{ ...blocks[0], citations: { enabled: true } }],
      undefined,
      undefined,
      '0',
      'false',
      '[]',
      '{"a":[1]}',
    ]);
  });

  it('does not run a call that max_tokens cut, and leaves a transcript that can be sent', async () => {
    let ran = 0;
    const transport = new FakeTransport(
      message([text('Let me'), use('t1', 'count', {})], { stop_reason: 'max_tokens' }),
      says('ok'),
    );
    const service = serve(transport);
    const run = await runTools(service, request, {
      tools: [
        plain('count', () => {
          ran += 1;
          return 'x';
        }),
      ],
    });
    expect(ran).toBe(0);
    expect(run.message.stop_reason).toBe('max_tokens');
    expect(run.messages.at(-1)?.content).toMatchObject([{ tool_use_id: 't1', is_error: true }]);
    await service.create({ ...request, tools: [add.definition], messages: run.messages });
  });

  it('goes on after a pause with the content appended unchanged, and joins the turn', async () => {
    const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } };
    const found = { type: 'web_search_tool_result', tool_use_id: 's1', content: [] };
    const transport = new FakeTransport(
      message([text('Looking. '), search], { stop_reason: 'pause_turn' }),
      message([found, text('Found.')]),
    );
    const run = await runTools(serve(transport), { ...request, tools: [webSearchTool()] }, { tools: [] });
    expect(transport.bodies[1]?.messages).toEqual([
      { role: 'user', content: 'Add.' },
      { role: 'assistant', content: [text('Looking. '), search] },
    ]);
    expect(transport.bodies[1]?.tools).toEqual(transport.bodies[0]?.tools);
    expect(run.text).toBe('Looking. Found.');
    expect(run.messages).toEqual([
      { role: 'user', content: 'Add.' },
      { role: 'assistant', content: [text('Looking. '), search, found, text('Found.')] },
    ]);
  });

  it('answers a turn with an unfinished server tool with results only, and keeps its container', async () => {
    const search = { type: 'server_tool_use', id: 's1', name: 'code_execution', input: {} };
    const first = { ...asks(search, use('t1')), container: { id: 'container_7' } };
    const found = { type: 'code_execution_tool_result', tool_use_id: 's1', content: {} };
    const transport = new FakeTransport(first, message([found, text('Done.')]));
    await runTools(serve(transport), request, { tools: [add] });
    expect(answers(transport, 1)).toEqual([{ type: 'tool_result', tool_use_id: 't1', content: '3' }]);
    expect(transport.bodies.map(({ container }) => container)).toEqual([undefined, 'container_7']);
  });

  it('forces a tool for the first step only', async () => {
    const transport = new FakeTransport(asks(use('a')), asks(use('b')), says('ok'));
    await runTools(serve(transport), { ...request, tool_choice: { type: 'tool', name: 'add' } }, { tools: [add] });
    expect(transport.bodies.map(({ tool_choice }) => tool_choice)).toEqual([
      { type: 'tool', name: 'add' },
      'auto',
      'auto',
    ]);
  });

  it('stops at maxSteps with the partial transcript, its open calls answered', async () => {
    const transport = new FakeTransport(asks(use('a')), asks(use('b')), asks(use('c')), says('late'));
    const service = serve(transport);
    const run = runTools(service, request, { tools: [add], maxSteps: 3 });
    const error = (await run.catch((thrown: unknown) => thrown)) as ToolLoopError;
    expect(error).toMatchObject({ code: 'STEPS_EXCEEDED', run: { steps: 3, usage: { output_tokens: 18 } } });
    expect(error.run.messages).toHaveLength(7);
    expect(error.run.messages.at(-1)?.content).toMatchObject([{ tool_use_id: 'c', is_error: true }]);
    expect(transport.sent).toHaveLength(3);
    await service.create({ ...request, messages: error.run.messages });
  });

  it('stops at maxPauses', async () => {
    const paused = message([{ type: 'server_tool_use', id: 's1', name: 'web_search', input: {} }], {
      stop_reason: 'pause_turn',
    });
    const transport = new FakeTransport(paused, paused, paused);
    await expect(
      runTools(serve(transport), { ...request, tools: [webSearchTool()] }, { tools: [], maxPauses: 1 }),
    ).rejects.toMatchObject({ code: 'STEPS_EXCEEDED' });
    expect(transport.sent).toHaveLength(2);
  });

  it('stops before a step that could cost more than is left', async () => {
    // At worst a step costs 100 tokens out: 100 × 5 / 1e6 = 0.0005 USD, and its input.
    const transport = new FakeTransport(asks(use('a')), says('ok'));
    await expect(runTools(serve(transport), request, { tools: [add], maxUsd: 0.0004 })).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
    });
    expect(transport.sent).toHaveLength(0);
    const usage = { input_tokens: 12, output_tokens: 100_000 };
    const dear = new FakeTransport({ ...asks(use('a')), usage }, says('ok'));
    await expect(runTools(serve(dear), request, { tools: [add], maxUsd: 0.5 })).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
      run: { steps: 1 },
    });
    expect(dear.sent).toHaveLength(1);
    const tokens = new FakeTransport(asks(use('a')), says('ok'));
    await expect(runTools(serve(tokens), request, { tools: [add], maxTotalTokens: 18 })).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
    });
    expect(tokens.sent).toHaveLength(1);
  });

  it('ends with the reason of an abort, also while a tool runs', async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    const tools = [
      plain('hang', () => {
        abort.abort(reason);
        return new Promise(() => {});
      }),
    ];
    const transport = new FakeTransport(asks(use('a', 'hang')));
    await expect(runTools(serve(transport), request, { tools, signal: abort.signal })).rejects.toBe(reason);
  });

  it.each([
    ['maxSteps', { maxSteps: 0 }],
    ['maxPauses', { maxPauses: -1 }],
    ['maxUsd', { maxUsd: Number.NaN }],
    ['two tools are named', { tools: [add, add] }],
  ])('refuses %s', async (problem, options) => {
    const transport = new FakeTransport();
    await expect(runTools(serve(transport), request, { tools: [add], ...options })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(problem),
    });
  });

  it('tells of each step as it is done, so that a later failure loses nothing', async () => {
    const failure = new Error('down');
    const transport = new FakeTransport(asks(use('a')), failure);
    const seen: string[] = [];
    const run = runTools(serve(transport), request, { tools: [add], onEvent: ({ type }) => void seen.push(type) });
    await expect(run).rejects.toBe(failure);
    expect(seen).toEqual(['message', 'tool']);
  });

  it('streams: events of each step, its message, its tools, then the run', async () => {
    const sse = (whole: Message): unknown[] => [eventsOf(whole, straight).map(asServerEvent)];
    const transport = new FakeTransport(sse(asks(use('a'))), sse(says('It is 3.')));
    const seen: ToolLoopEvent[] = [];
    for await (const event of streamTools(serve(transport), request, { tools: [add] })) seen.push(event);
    const kinds = seen
      .map((event) => (event.type === 'stream' ? 's' : event.type))
      .join(' ')
      .replaceAll(/s( s)*/g, 's');
    expect(kinds).toBe('s message tool s message done');
    expect(seen.at(-1)).toMatchObject({ run: { text: 'It is 3.', steps: 2 } });
    expect(transport.sent.map(({ kind }) => kind)).toEqual(['events', 'events']);
  });

  it('ends the connection when the streaming form is left', async () => {
    const list = eventsOf(asks(use('a')), straight).map(asServerEvent);
    const transport = new FakeTransport(list.map((event) => [event]));
    for await (const event of streamTools(serve(transport), request, { tools: [add] }))
      if (event.type === 'stream') break;
    expect(transport.cancelled).toBe(1);
  });
});

describe('defining a tool', () => {
  it('refuses names and schemas the service does not take', () => {
    const make = (fields: object) => (): Tool =>
      defineTool({ name: 'a', description: 'd', schema: { type: 'object' }, run: () => '', ...fields });
    expect(make({ name: 'a b' })).toThrow(/1 to 64 letters/);
    expect(make({ schema: { type: 'array' } })).toThrow(/type "object"/);
    expect(make({ schema: undefined })).toThrow(/is missing/);
  });

  it('takes the JSON Schema of a standard schema that can write one', () => {
    const standardSchema = {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: (value: unknown) => ({ value }),
        jsonSchema: { input: () => ({ $schema: 'x', type: 'object', properties: { a: { type: 'number' } } }) },
      },
    };
    expect(defineTool({ name: 'a', description: 'd', standardSchema, run: () => '' }).definition).toEqual({
      name: 'a',
      description: 'd',
      input_schema: { type: 'object', properties: { a: { type: 'number' } } },
    });
  });
});
