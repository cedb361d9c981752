import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { AttemptEvent } from '../../../src/wire/http/contract.ts';
import { WireError } from '../../../src/wire/http/errors.ts';
import { createTransport } from '../../../src/wire/http/transport.ts';
import { dialect, errorOf, heldClock, KEY, ok, open, operation, raw, reply, rushing, scripted } from './support.ts';

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
