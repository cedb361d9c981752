import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServerEvent } from '../../../src/wire/http/contract.ts';
import { WireError } from '../../../src/wire/http/errors.ts';
import { type MessageRequest, MessageStreamError } from '../../../src/wire/messages/index.ts';
import { anyChoices, anyMessage, asServerEvent, eventsOf, message, straight } from './emit.ts';
import { FakeTransport } from './fake.ts';
import { collect, clientOver as serve } from './support.ts';

const request: MessageRequest = {
  model: 'assistant-large-4-6',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hi' }],
};

const whole = message([
  { type: 'thinking', thinking: 'Let me see.', signature: 'sig' },
  { type: 'text', text: 'It runs ' },
  { type: 'text', text: 'at 40 bar.', citations: [{ type: 'search_result_location', cited_text: '40 bar' }] },
]);
const events = eventsOf(whole, straight).map(asServerEvent);

/** Splits into arrays as reads of a socket would. */
const batched = (list: readonly ServerEvent[], size: number): ServerEvent[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));

describe('a message stream', () => {
  it('gives the whole message, however the events arrive', async () => {
    await fc.assert(
      fc.asyncProperty(anyMessage, anyChoices, fc.integer({ min: 1, max: 9 }), async (value, choices, size) => {
        const transport = new FakeTransport(batched(eventsOf(value, choices).map(asServerEvent), size));
        expect(await serve(transport).stream(request).message()).toEqual(value);
        expect(transport.bodies[0]).toMatchObject({ stream: true, max_tokens: 100 });
      }),
      { numRuns: 100 },
    );
  });

  it('gives the same message beside a loop over the events, and after it', async () => {
    const stream = serve(new FakeTransport(batched(events, 3))).stream(request);
    const early: unknown[] = [];
    let pending: Promise<unknown> | undefined;
    for await (const event of stream) {
      pending ??= stream.message();
      early.push(event.type);
    }
    expect(await pending).toEqual(whole);
    expect(await stream.message()).toEqual(whole);
    expect(early).toEqual(events.map(({ event }) => event));
  });

  it('gives the text without thinking', async () => {
    expect(
      (
        await collect(
          serve(new FakeTransport(batched(events, 2)))
            .stream(request)
            .text(),
        )
      ).join(''),
    ).toBe('It runs at 40 bar.');
  });

  it('gives events of later versions as unknown, with what they hold', async () => {
    const later = { type: 'later_event', level: 3 };
    const list = [events[0]!, asServerEvent(later), asServerEvent({ type: 'ping' }), ...events.slice(1)];
    const seen = await collect(serve(new FakeTransport([list])).stream(request));
    expect(seen[1]).toEqual({ type: 'unknown', name: 'later_event', value: later });
    expect(seen[2]).toEqual({ type: 'ping' });
  });

  it('takes the name of an event whose payload does not repeat it', async () => {
    const list = events.map(({ event, data }) => ({
      event,
      data: JSON.stringify({ ...JSON.parse(data), type: undefined }),
    }));
    expect(
      await serve(new FakeTransport([list]))
        .stream(request)
        .message(),
    ).toEqual(whole);
  });

  it('sends nothing before it is read, and checks the request at once', async () => {
    const transport = new FakeTransport([events]);
    serve(transport).stream(request);
    await Promise.resolve();
    expect(transport.sent).toEqual([]);
    expect(() => serve(transport).stream({ ...request, max_tokens: 0 })).toThrow(/max_tokens/);
  });

  it('can be read once', async () => {
    const stream = serve(new FakeTransport([events])).stream(request);
    await stream.message();
    await expect(collect(stream)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it.each([0, 1, 5, events.length - 1])(
    'is STREAM_BROKEN when it ends after %d events, with what arrived',
    async (count) => {
      const stream = serve(new FakeTransport([events.slice(0, count)])).stream(request);
      const error: unknown = await stream.message().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(MessageStreamError);
      expect(error).toMatchObject({ code: 'STREAM_BROKEN', retryable: true, requestId: 'req_1' });
      const { partial } = error as MessageStreamError;
      if (count === 0) expect(partial).toBeUndefined();
      else expect(partial).toMatchObject({ id: 'msg_01', stop_reason: count >= events.length - 1 ? 'end_turn' : null });
      if (count === events.length - 1) expect(partial?.content).toEqual(whole.content);
    },
  );

  it('keeps what arrived when the connection is cut', async () => {
    const cut = new WireError('STREAM_BROKEN', 'messages.stream: cut', { attempts: 2 });
    const stream = serve(new FakeTransport([events.slice(0, 3), cut])).stream(request);
    await expect(collect(stream)).rejects.toMatchObject({
      code: 'STREAM_BROKEN',
      attempts: 2,
      partial: { id: 'msg_01' },
    });
    await expect(stream.message()).rejects.toMatchObject({ code: 'STREAM_BROKEN' });
  });

  it.each([
    ['overloaded_error', 'OVERLOADED', true],
    ['rate_limit_error', 'RATE_LIMITED', true],
    ['api_error', 'SERVICE_FAILED', true],
    ['invalid_request_error', 'REQUEST_REJECTED', false],
    ['authentication_error', 'KEY_REJECTED', false],
    ['billing_error', 'BILLING', false],
    ['timeout_error', 'TIMEOUT', true],
  ])('classifies the error event %s', async (type, code, retryable) => {
    const error = asServerEvent({ type: 'error', error: { type, message: 'Sorry.' } });
    const stream = serve(new FakeTransport([[...events.slice(0, 4), error]])).stream(request);
    await expect(stream.message()).rejects.toMatchObject({ code, retryable, type, partial: { id: 'msg_01' } });
  });

  it('fails with RESPONSE_INVALID on what is not JSON and on a missing payload', async () => {
    for (const data of [
      '{"type":"content_block_delta"',
      '{"type":"content_block_delta","index":0}',
      '{"type":"message_start"}',
    ]) {
      const stream = serve(new FakeTransport([[{ event: 'content_block_delta', data }]])).stream(request);
      await expect(stream.message()).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
    }
  });

  it('never hangs and never throws anything but a typed error, whatever the bytes say', async () => {
    const noise = fc.oneof(
      fc.constantFrom(...events),
      fc.record({ event: fc.string(), data: fc.string() }),
      fc.record({ event: fc.constantFrom('message_delta', 'content_block_start', 'error', ''), data: fc.json() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(noise, { maxLength: 20 }), async (list) => {
        const outcome: unknown = await serve(new FakeTransport([list]))
          .stream(request)
          .message()
          .catch((thrown: unknown) => thrown);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(MessageStreamError);
        else expect(outcome).toMatchObject({ type: 'message' });
      }),
      { numRuns: 300 },
    );
  });

  it('ends the connection when the loop is left, and says so to who asks for the message', async () => {
    const transport = new FakeTransport(batched(events, 1));
    const stream = serve(transport).stream(request);
    for await (const event of stream) if (event.type === 'content_block_delta') break;
    expect(transport.cancelled).toBe(1);
    await expect(stream.message()).rejects.toMatchObject({ code: 'ABORTED' });
    expect(stream.partial).toMatchObject({ content: [{ type: 'thinking', thinking: 'Let me see.' }] });
  });

  it('passes the abort of the caller through unwrapped', async () => {
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    await expect(
      serve(new FakeTransport([events]))
        .stream(request, { signal })
        .message(),
    ).rejects.toBe(reason);
  });

  it('tells the limiter and the trace what was used, cache reads left out', async () => {
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 1000,
    };
    const transport = new FakeTransport([
      eventsOf(message([{ type: 'text', text: 'x' }], { usage }), straight).map(asServerEvent),
    ]);
    await serve(transport).stream(request).message();
    expect(transport.settled).toEqual([
      { inputTokens: 110, outputTokens: 5, model: 'assistant-large-4-6', id: 'msg_01', finishReasons: ['end_turn'] },
    ]);
  });
});

describe('create', () => {
  it('answers with the body as it came, unknown fields and blocks included', async () => {
    const body = { ...whole, later: 1, content: [...whole.content, { type: 'later_block' }] };
    expect(await serve(new FakeTransport(body)).create(request)).toEqual(body);
  });

  it.each([null, {}, { id: 'x', content: 'text', usage: {} }])(
    'refuses an answer that is no message: %j',
    async (body) => {
      await expect(serve(new FakeTransport(body)).create(request)).rejects.toMatchObject({ code: 'RESPONSE_INVALID' });
    },
  );

  it('streams by itself above 21,333 tokens', async () => {
    const transport = new FakeTransport([events], whole);
    const service = serve(transport);
    expect(await service.create({ ...request, max_tokens: 21_334 })).toEqual(whole);
    expect(await service.create({ ...request, max_tokens: 21_333 })).toEqual(whole);
    expect(transport.sent.map(({ kind }) => kind)).toEqual(['events', 'json']);
    expect(transport.bodies.map(({ stream }) => stream)).toEqual([true, undefined]);
  });
});
