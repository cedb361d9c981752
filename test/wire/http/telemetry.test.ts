import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/wire/http/contract.ts';
import { collect, errorOf, KEY, open, operation, raw, reply, scripted } from './support.ts';

const exporter = new InMemorySpanExporter();
beforeAll(
  () =>
    void trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    ),
);
beforeEach(() => exporter.reset());
afterAll(() => {
  trace.disable();
  context.disable();
});

const chat: Operation = { ...operation('refused', 'POST', '/v1/chat'), name: 'answers.create', genAi: 'chat' };
const span = () => {
  const spans = exporter.getFinishedSpans();
  expect(spans).toHaveLength(1);
  return spans[0]!;
};

describe('the trace of a call', () => {
  it('is one client span over all attempts, with the conventions of generative AI', async () => {
    await using server = await scripted(
      reply(503, '{}'),
      reply(200, '{"model":"m-1","usage":{"in":7,"out":3}}', { 'x-request-id': 'r' }),
    );
    await using transport = open(server, {}, { dialect: { provider: 'some-provider' } });
    await transport.json(chat, {
      json: { text: 'private words' },
      query: { q: 'private query' },
      attributes: { 'gen_ai.request.model': 'm', 'gen_ai.request.max_tokens': 5 },
      settle: () => ({ inputTokens: 7, outputTokens: 3, model: 'm-1', id: 'x', finishReasons: ['stop'] }),
    });
    const { name, kind, attributes, events, status, ended } = span();
    expect({ name, kind, status: status.code, ended }).toEqual({
      name: 'chat m',
      kind: SpanKind.CLIENT,
      status: SpanStatusCode.UNSET,
      ended: true,
    });
    expect(attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'some-provider',
      'gen_ai.request.model': 'm',
      'gen_ai.request.max_tokens': 5,
      'gen_ai.response.model': 'm-1',
      'gen_ai.response.id': 'x',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 3,
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(server.baseUrl).port),
      'http.request.method': 'POST',
      'http.request.resend_count': 1,
      'http.response.status_code': 200,
      'url.template': '/v1/chat',
      'ibid.operation': 'answers.create',
      'ibid.request_id': 'r',
    });
    expect(events.map((event) => [event.name, event.attributes])).toEqual([
      ['ibid.retry', { 'http.request.resend_count': 1, 'error.type': 'OVERLOADED', 'ibid.wait_ms': 1000 }],
    ]);
    expect(JSON.stringify([attributes, events])).not.toMatch(/private|sk-very/);
  });

  it('lasts as long as the stream, and hears what was used before its end', async () => {
    await using server = await scripted(reply(200, 'data: 1\n\ndata: 2\n\n', { 'content-type': 'text/event-stream' }));
    await using transport = open(server);
    const stream = await transport.events(chat, {});
    expect(exporter.getFinishedSpans()).toHaveLength(0);
    for await (const { data } of stream) if (data === '2') stream.settle({ outputTokens: 9 });
    expect(span().attributes).toMatchObject({ 'gen_ai.usage.output_tokens': 9 });
  });

  it('of a failed call says which failure, and not what the service said', async () => {
    await using server = await scripted(
      reply(400, JSON.stringify({ error: { message: `your text was ${KEY}`, type: 'invalid_request' } })),
    );
    await using transport = open(server);
    await errorOf(transport.json(chat, {}));
    const { attributes, status, events } = span();
    expect(attributes).toMatchObject({ 'error.type': 'REQUEST_REJECTED', 'http.response.status_code': 400 });
    expect(status).toEqual({ code: SpanStatusCode.ERROR, message: 'REQUEST_REJECTED' });
    expect(events).toEqual([]);
  });

  it('ends once when the stream is cut, left or aborted', async () => {
    await using cut = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n');
      setTimeout(() => socket.destroy(), 5);
    });
    await using first = open(cut);
    const stream = await first.events(chat, {});
    await errorOf(collect(stream));
    await stream.cancel();
    expect(span().attributes).toMatchObject({ 'error.type': 'STREAM_BROKEN' });
    exporter.reset();
    await using whole = await scripted(reply(200, 'data: 1\n\ndata: 2\n\n'));
    await using second = open(whole);
    for await (const _ of await second.events(chat, {})) break;
    expect(span().status.code).toBe(SpanStatusCode.UNSET);
  });

  it('says so when the caller went away', async () => {
    await using silent = await raw(() => {});
    await using transport = open(silent);
    await errorOf(transport.json(chat, { options: { signal: AbortSignal.abort() } }));
    expect(span().attributes).toMatchObject({ 'error.type': 'ABORTED' });
  });
});
