import { describe, expect, it } from 'vitest';
import type { RepeatRule } from '../../../src/wire/http/contract.ts';
import type { WireError } from '../../../src/wire/http/errors.ts';
import { createTransport } from '../../../src/wire/http/transport.ts';
import {
  dialect,
  errorOf,
  heldClock,
  KEY,
  noLimits,
  ok,
  open,
  operation,
  raw,
  reply,
  rushing,
  scripted,
} from './support.ts';

const rules: readonly RepeatRule[] = ['always', 'refused', 'unsent', 'never'];

describe('a call', () => {
  it('sends what it was given', async () => {
    await using server = await scripted(reply(200, '{"a":[1]}', { 'x-request-id': 'r-1' }));
    await using transport = open(
      server,
      { headers: { 'X-Trace': 'own' } },
      { dialect: { headers: { 'x-version': '2' } } },
    );
    const answer = await transport.json(operation('always', 'POST', '/v1/voices/{voice_id}/x'), {
      path: { voice_id: 'a/b ü' },
      query: { n: 0, empty: '', list: ['x', 'y'], flag: false, gone: undefined, last: null as never },
      headers: { 'X-Beta': 'one', absent: undefined },
      json: { text: 'ü', zero: 0, gone: undefined },
    });
    expect(answer).toMatchObject({ body: { a: [1] }, status: 200, requestId: 'r-1', attempts: 1 });
    const [seen] = server.seen;
    expect(seen!.method).toBe('POST');
    expect(seen!.path).toBe('/v1/voices/a%2Fb%20%C3%BC/x?n=0&empty=&list=x&list=y&flag=false');
    expect(seen!.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'x-version': '2',
      'x-beta': 'one',
      'x-trace': 'own',
      'content-type': 'application/json',
      'accept-encoding': 'gzip, deflate, br, zstd',
    });
    expect(seen!.headers).not.toHaveProperty('absent');
    expect(Buffer.from(seen!.body, 'latin1').toString('utf8')).toBe('{"text":"ü","zero":0}');
  });

  it('keeps a path of the base address', async () => {
    await using server = await scripted(ok);
    await using transport = open({ baseUrl: `${server.baseUrl}/proxy/v9/` });
    await transport.json(operation('always', 'GET'), {});
    expect(server.seen[0]!.path).toBe('/proxy/v9/v1/do');
  });

  it.each([204, 200])('gives undefined for an empty %i', async (status) => {
    await using server = await scripted((response) => response.writeHead(status).end());
    await using transport = open(server);
    expect((await transport.json(operation('always', 'DELETE'), {})).body).toBeUndefined();
  });

  it('keeps connections for calls in a row', async () => {
    const ports = new Set<number | undefined>();
    await using server = await scripted((response) => {
      ports.add(response.socket?.remotePort);
      response.end('{}');
    });
    await using transport = open(server);
    for (let i = 0; i < 20; i++) await transport.json(operation('always'), { json: {} });
    // Two take turns: undici lets a connection rest for one turn of the event loop.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it.each([
    ['a web page', '<html><title>Sign in</title></html>'],
    ['half of it', '{"a": [1, 2'],
    ['words', 'OK'],
  ])('refuses a 200 that is no JSON: %s', async (_, body) => {
    await using server = await scripted(reply(200, body));
    await using transport = open(server);
    const error = await errorOf(transport.json(operation('always', 'GET'), {}));
    expect(error).toMatchObject({ code: 'RESPONSE_INVALID', status: 200, retryable: false, attempts: 1, body });
    expect(server.seen).toHaveLength(1);
  });

  it('refuses what cannot be sent before anything is', async () => {
    await using server = await scripted(ok);
    await using transport = open(server);
    const path = operation('always', 'GET', '/v1/x/{id}');
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const bad = [
      transport.json(path, {}),
      transport.json(path, { path: { id: '' } }),
      transport.json(path, { path: { id: '..' } }),
      transport.json(operation('always'), { json: circular }),
      transport.json(operation('always'), { json: () => 1 }),
      transport.json(operation('always'), { options: { headers: { Authorization: 'Bearer other' } } }),
      transport.json(operation('always'), { options: { headers: { 'content-length': '3' } } }),
      transport.json(operation('always'), { options: { headers: { 'x-a': 'b\r\nx-c: d' } } }),
      transport.json(operation('always'), { options: { maxRetries: -1 } }),
      transport.json(operation('always'), { options: { timeouts: { idleMs: Number.NaN } } }),
    ];
    for (const promise of bad) expect(await errorOf(promise)).toMatchObject({ code: 'INVALID_ARGUMENT', attempts: 0 });
    expect(server.seen).toHaveLength(0);
  });

  it('refuses to go on after close', async () => {
    await using server = await scripted(ok);
    const transport = open(server);
    await transport.close();
    await transport.close();
    expect(await errorOf(transport.json(operation('always'), {}))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('a refusal', () => {
  it.each([
    ['retry-after', '7', 7000],
    ['retry-after-ms', '120', 120],
    ['retry-after', 'Thu, 01 Jan 2026 00:00:09 GMT', 9000],
  ])('with %s: %s is waited for', async (name, value, expected) => {
    const runtime = rushing();
    await using server = await scripted(reply(429, '{}', { [name]: value }), ok);
    await using transport = open(server, {}, { runtime });
    const answer = await transport.json(operation('unsent'), { json: { n: 1 } });
    expect(answer.attempts).toBe(2);
    expect(server.seen.map(({ body }) => body)).toEqual(['{"n":1}', '{"n":1}']);
    // A date is seen a moment after the clock started; nothing else moves this clock.
    expect(runtime.waits).toEqual([expected]);
  });

  it('without a hint is met with doubling patience, four times', async () => {
    const runtime = rushing();
    await using server = await scripted(reply(429, '{"error":{"type":"rate_limit_error"}}'));
    await using transport = open(server, {}, { runtime });
    const error = await errorOf(transport.json(operation('refused'), {}));
    expect(error).toMatchObject({ code: 'RATE_LIMITED', attempts: 5, retryable: true });
    expect(server.seen).toHaveLength(5);
    expect(runtime.waits.filter((ms) => ms > 0)).toEqual([1000, 2000, 4000, 8000]);
  });

  it('that asks to wait past the ceiling is reported with the time, and stops the others too', async () => {
    await using server = await scripted(reply(429, '{}', { 'retry-after': '3600' }), ok);
    await using transport = open(server);
    const error = await errorOf(transport.json(operation('always'), {}));
    expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 3_600_000, attempts: 1 });
    expect((error as WireError).message).toContain('wait 3600 s');
    expect((error as WireError).hint).toBe('Call again in 3600 s.');
    expect(await errorOf(transport.json(operation('always'), {}))).toMatchObject({ code: 'RATE_LIMITED', attempts: 0 });
    expect(server.seen).toHaveLength(1);
  });

  it('for want of money is not repeated', async () => {
    await using server = await scripted(reply(401, '{"detail":{"status":"quota_exceeded","message":"used up"}}'), ok);
    await using transport = open(server);
    expect(await errorOf(transport.json(operation('always'), {}))).toMatchObject({
      code: 'BILLING',
      attempts: 1,
      status: 401,
    });
    expect(server.seen).toHaveLength(1);
  });

  it('is final when the service says so, and is not when it says so', async () => {
    await using no = await scripted(reply(503, '{}', { 'x-should-retry': 'false' }), ok);
    await using first = open(no);
    expect(await errorOf(first.json(operation('always'), {}))).toMatchObject({ attempts: 1, retryable: false });
    await using yes = await scripted(reply(400, '{}', { 'x-should-retry': 'true' }), ok);
    await using second = open(yes);
    expect(await errorOf(second.json(operation('unsent'), {}))).toMatchObject({ attempts: 1 });
    await using again = await scripted(reply(400, '{}', { 'x-should-retry': 'true' }), ok);
    await using third = open(again);
    expect((await third.json(operation('refused'), {})).attempts).toBe(2);
  });

  it.each(rules)('of load (529) under rule %s', async (rule) => {
    await using server = await scripted(reply(529, '{"error":{"type":"overloaded_error"}}'), ok);
    await using transport = open(server);
    const outcome = await transport.json(operation(rule), {}).then(
      () => 'done',
      (error: WireError) => error.code,
    );
    expect([outcome, server.seen.length]).toEqual(
      rule === 'always' || rule === 'refused' ? ['done', 2] : ['OVERLOADED', 1],
    );
  });

  it('is sent as often as the caller says', async () => {
    await using server = await scripted(reply(500));
    await using transport = open(server, { maxRetries: 3 });
    expect(await errorOf(transport.json(operation('always'), {}))).toMatchObject({ attempts: 4 });
    expect(await errorOf(transport.json(operation('always'), { options: { maxRetries: 0 } }))).toMatchObject({
      attempts: 1,
    });
    expect(server.seen).toHaveLength(5);
  });

  it('by a proxy is told from one by the service', async () => {
    await using server = await scripted(
      reply(502, '<html><head><title>502 Bad Gateway</title></head></html>', { 'content-type': 'text/html' }),
    );
    await using transport = open(server, { maxRetries: 0 });
    const error = await errorOf(transport.json(operation('always'), {}));
    expect(error).toMatchObject({
      code: 'SERVICE_FAILED',
      message: 'test.do: HTTP 502: a web page instead of an answer: 502 Bad Gateway',
    });
  });
});

describe('a connection reset after the request was sent', () => {
  it.each(rules)('under rule %s', async (rule) => {
    for (const repeatUnanswered of [false, true]) {
      await using server = await raw((socket, _, nth) => {
        if (nth === 1) socket.resetAndDestroy();
        else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      });
      await using transport = open(server);
      const outcome = await transport.json(operation(rule), { json: { run: 1 }, options: { repeatUnanswered } }).then(
        () => 'done',
        (error: WireError) => {
          expect([error.attempts, error.unanswered]).toEqual([1, 1]); // carried out, perhaps, and billed
          return error.code;
        },
      );
      const again = rule === 'always' || (rule === 'refused' && repeatUnanswered);
      expect([rule, repeatUnanswered, outcome, server.heads.length]).toEqual([
        rule,
        repeatUnanswered,
        again ? 'done' : 'CONNECTION_FAILED',
        again ? 2 : 1,
      ]);
    }
  });

  it('or cut within a JSON answer is no answer either', async () => {
    await using server = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":');
      setImmediate(() => socket.destroy());
    });
    await using transport = open(server);
    expect(await errorOf(transport.json(operation('refused'), { json: {} }))).toMatchObject({
      code: 'STREAM_BROKEN',
      attempts: 1,
      unanswered: 1,
    });
    expect(await errorOf(transport.json(operation('always', 'GET'), {}))).toMatchObject({
      code: 'STREAM_BROKEN',
      attempts: 3,
      unanswered: 3,
    });
    expect(server.heads).toHaveLength(4);
  });
});

describe('an address where nobody listens', () => {
  it.each(rules)('under rule %s', async (rule) => {
    let baseUrl = '';
    {
      await using server = await scripted(ok);
      baseUrl = server.baseUrl;
    }
    await using transport = open({ baseUrl });
    const error = await errorOf(transport.json(operation(rule), { json: {} }));
    // Nothing arrived, so nothing can be billed: all but `never` try again.
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', attempts: rule === 'never' ? 1 : 3, unanswered: 0 });
    expect((error as WireError).message).toContain('ECONNREFUSED');
  });
});

describe('time limits', () => {
  const real = (server: { baseUrl: string }, timeouts: Partial<typeof noLimits | Record<string, number>>) =>
    createTransport(dialect, {
      apiKey: KEY,
      baseUrl: server.baseUrl,
      timeouts: { ...noLimits, ...timeouts },
      maxRetries: 0,
    });

  it('end a call without an answer', async () => {
    await using server = await raw(() => {});
    await using transport = real(server, { headersMs: 30 });
    const error = await errorOf(transport.json(operation('always'), { json: {} }));
    const message = 'test.do: no answer within 30 ms';
    expect(error).toMatchObject({ code: 'TIMEOUT', attempts: 1, unanswered: 1, message });
  });

  it('end an answer that stalls', async () => {
    await using server = await raw((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{'));
    await using transport = real(server, { idleMs: 30 });
    expect(await errorOf(transport.json(operation('always'), {}))).toMatchObject({ code: 'TIMEOUT', status: 200 });
  });

  it('end the whole call, waits included', async () => {
    await using server = await scripted(reply(429, '{}', { 'retry-after': '50' }));
    const runtime = heldClock();
    let answered = (): void => {};
    const waiting = new Promise<void>((resolve) => {
      answered = resolve;
    });
    await using transport = open(
      server,
      { timeouts: { ...noLimits, totalMs: 40_000 }, maxRetries: 5, onAttempt: () => answered() },
      { runtime },
    );
    const error = errorOf(transport.json(operation('always'), {}));
    await waiting; // the refusal is there, and 50 s are to be waited
    await runtime.pass(40_000);
    const message = 'test.do: not done within 40000 ms';
    expect(await error).toMatchObject({ code: 'TIMEOUT', message, attempts: 1, unanswered: 0 });
    expect(server.seen).toHaveLength(1);
  });

  it('of the whole call leave an attempt under way that may have been carried out', async () => {
    await using server = await raw(() => {});
    await using transport = real(server, { totalMs: 30 });
    const error = await errorOf(transport.json(operation('always'), { json: {} }));
    expect(error).toMatchObject({ code: 'TIMEOUT', attempts: 1, unanswered: 1 });
  });

  it('can be set per call', async () => {
    await using server = await raw(() => {});
    await using transport = real(server, {});
    const call = transport.json(operation('never'), { options: { timeouts: { headersMs: 20 } } });
    expect(await errorOf(call)).toMatchObject({ code: 'TIMEOUT' });
  });
});
