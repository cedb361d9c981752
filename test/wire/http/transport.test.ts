import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { AttemptEvent, RepeatRule } from '../../../src/wire/http/contract.ts';
import { WireError } from '../../../src/wire/http/errors.ts';
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

describe("the caller's abort", () => {
  it('passes through as it is, before, while waiting for an answer, and while backing off', async () => {
    const reason = { mine: true };
    await using silent = await raw(() => {});
    await using first = open(silent);
    expect(await errorOf(first.json(operation('always'), { options: { signal: AbortSignal.abort(reason) } }))).toBe(
      reason,
    );
    expect(silent.heads).toHaveLength(0);

    const abort = new AbortController();
    const call = errorOf(first.json(operation('always'), { options: { signal: abort.signal } }));
    while (silent.heads.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    abort.abort(reason);
    expect(await call).toBe(reason);

    const later = new AbortController();
    await using busy = await scripted((response) => {
      reply(429, '{}', { 'retry-after': '50' })(response, busy.seen[0]!);
      response.on('finish', () => setTimeout(() => later.abort(reason), 5));
    });
    await using second = createTransport(dialect, { apiKey: KEY, baseUrl: busy.baseUrl });
    expect(await errorOf(second.json(operation('always'), { options: { signal: later.signal } }))).toBe(reason);
    expect(busy.seen).toHaveLength(1);
  });

  it('leaves no listener behind on a signal that lives on', async () => {
    await using server = await scripted(ok);
    await using transport = open(server);
    let listening = 0;
    const { signal } = new AbortController();
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listening++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listening--;
      remove(...args);
    };
    for (let i = 0; i < 3; i++) await transport.json(operation('always'), { options: { signal } });
    expect(listening).toBe(0);
  });
});

describe('the attempt hook', () => {
  it('hears of every attempt, without key, query or text, and cannot break the call', async () => {
    const events: AttemptEvent[] = [];
    await using server = await scripted(
      reply(500, '{}', { 'x-request-id': 'first' }),
      reply(200, '{}', { 'x-request-id': 'second' }),
    );
    await using transport = open(server, {
      onAttempt: (event) => {
        events.push(event);
        throw new Error('a meter that breaks');
      },
    });
    await transport.json(operation('refused', 'POST', '/v1/{id}'), {
      path: { id: 'p' },
      query: { secret: 'q' },
      json: { text: 'private' },
    });
    expect(events).toMatchObject([
      { attempt: 1, status: 500, requestId: 'first', errorCode: 'SERVICE_FAILED', retryInMs: 500 },
      { attempt: 2, status: 200, requestId: 'second', address: `${server.baseUrl}/v1/{id}` },
    ]);
    expect(events[1]).not.toHaveProperty('errorCode');
    expect(JSON.stringify(events)).not.toMatch(/secret|private|sk-very/);
  });
});

describe('the key', () => {
  it('is in no error, though the service echoes it in every spelling', async () => {
    const spellings = [KEY, encodeURIComponent(KEY), JSON.stringify(KEY)];
    const body = JSON.stringify({ error: { message: `bad key ${spellings.join(' ')}`, type: `t-${KEY}`, param: KEY } });
    for (const status of [200, 400, 500]) {
      await using server = await scripted(reply(status, status === 200 ? `<${body}` : body, { 'x-request-id': KEY }));
      const events: AttemptEvent[] = [];
      await using transport = open(server, { maxRetries: 1, onAttempt: (event) => events.push(event) });
      const error = await errorOf(transport.json(operation('always'), {}));
      expect(server.seen[0]!.headers.authorization).toBe(`Bearer ${KEY}`);
      const shown = [
        inspect(error, { depth: 9, showHidden: true }),
        JSON.stringify(error),
        String(error),
        JSON.stringify(events),
        inspect(transport, { depth: 9, showHidden: true }),
      ].join('\n');
      for (const spelling of [KEY, encodeURIComponent(KEY)]) expect(shown).not.toContain(spelling);
      expect(shown).toContain('[key]');
    }
  });

  it('is in no cause of a broken connection', async () => {
    await using server = await raw((socket, head) =>
      socket.end(`HTTP/1.1 200 OK\r\nbad header ${/Bearer (\S+)/.exec(head)?.[1]}\r\n\r\n`),
    );
    await using transport = open(server, { maxRetries: 0 });
    const error = await errorOf(transport.json(operation('always'), {}));
    expect(error).toBeInstanceOf(WireError);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(KEY);
  });

  it('never follows a redirect to elsewhere', async () => {
    await using thief = await scripted(ok);
    for (const status of [301, 302, 303, 307, 308]) {
      await using server = await scripted(reply(status, '', { location: `${thief.baseUrl}/take` }));
      await using transport = open(server);
      for (const method of ['GET', 'POST'] as const) {
        const error = await errorOf(transport.json(operation('always', method), {}));
        expect(error).toMatchObject({ code: 'UNSAFE_ADDRESS', attempts: 1 });
        expect((error as WireError).message).toContain(thief.baseUrl);
      }
    }
    expect(thief.seen).toHaveLength(0);
  });

  it('follows a read within the service, and no write', async () => {
    await using server = await scripted(reply(307, '', { location: '/moved?x=1' }), ok);
    await using transport = open(server);
    expect((await transport.json(operation('always', 'GET'), {})).body).toEqual({ ok: true });
    expect(server.seen.map(({ path }) => path)).toEqual(['/v1/do', '/moved?x=1']);
    await using other = await scripted(reply(307, '', { location: '/moved' }));
    await using second = open(other);
    expect(await errorOf(second.json(operation('always', 'POST'), { json: {} }))).toMatchObject({
      code: 'UNSAFE_ADDRESS',
    });
    expect(other.seen).toHaveLength(1);
  });

  it('does not go round in circles', async () => {
    await using server = await scripted(reply(302, '', { location: '/again' }));
    await using transport = open(server);
    expect(await errorOf(transport.json(operation('always', 'GET'), {}))).toMatchObject({ code: 'RESPONSE_INVALID' });
    expect(server.seen).toHaveLength(6);
  });
});

describe('limits', () => {
  it('are shared by the transports of one key', async () => {
    let running = 0;
    let most = 0;
    await using server = await scripted((response) => {
      most = Math.max(most, ++running);
      setTimeout(() => {
        running--;
        response.end('{}');
      }, 5);
    });
    const options = { apiKey: KEY, baseUrl: server.baseUrl, limits: { tests: { concurrency: 2 } } };
    await using a = createTransport(dialect, options);
    await using b = createTransport(dialect, options);
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? a : b).json(operation('always'), { json: {} })),
    );
    expect(most).toBe(2);
  });

  it('learn from answers, and take back what a failed call set aside', async () => {
    const runtime = rushing();
    await using server = await scripted(reply(500), reply(200, '{"used":10}'), ok);
    await using transport = open(
      server,
      { limits: { tests: { inputTokensPerMinute: 60 } }, maxRetries: 1 },
      { runtime },
    );
    const settle = (body: unknown) => ({ inputTokens: (body as { used: number }).used });
    await transport.json(operation('always'), { estimate: { inputTokens: 60 }, settle });
    await transport.json(operation('always'), { estimate: { inputTokens: 50 } });
    // Only the back-off was waited for: the failed 60 came back, and 10 of the second 60 were used.
    expect(runtime.waits).toEqual([500]);
  });

  it('hold a place until a stream has ended', async () => {
    await using server = await scripted(reply(200, 'data: 1\n\n', { 'content-type': 'text/event-stream' }));
    const runtime = heldClock();
    await using transport = open(server, { limits: { tests: { concurrency: 1 } } }, { runtime });
    const first = await transport.events(operation('always'), {});
    const second = transport.events(operation('always'), {});
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(server.seen).toHaveLength(1);
    await first.cancel();
    await (await second).cancel();
    expect(server.seen).toHaveLength(2);
  });

  it('take a refusal for too many at once as a lesson', async () => {
    const runtime = rushing();
    let running = 0;
    await using server = await scripted((response) => {
      running++;
      setTimeout(() => {
        const crowded = running > 2;
        running--;
        if (crowded)
          reply(429, '{"detail":{"type":"rate_limit_error","code":"concurrent_limit_exceeded","message":"x"}}')(
            response,
            server.seen[0]!,
          );
        else response.end('{}');
      }, 5);
    });
    await using transport = open(server, {}, { runtime });
    await Promise.all(
      Array.from({ length: 12 }, () => transport.json(operation('refused'), { options: { maxRetries: 9 } })),
    );
    expect(server.seen.length).toBeLessThan(40);
  });
});
