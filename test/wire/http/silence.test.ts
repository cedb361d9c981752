import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Silence } from '../../../src/core/types.ts';
import { errorOf, heldClock, noLimits, open, operation, raw, scripted } from './support.ts';

const get = operation('always', 'GET');
const timeouts = { ...noLimits, headersMs: 600_000, idleMs: 90_000 };
const told = (silences: readonly Silence[]): (readonly [number, number])[] =>
  silences.map(({ silentMs, limitMs }) => [silentMs, limitMs]);

describe('a service that says nothing', () => {
  it('in a stream: is told after ten seconds and every ten more, and when it goes on', async () => {
    const runtime = heldClock();
    let held: ServerResponse | undefined;
    await using server = await scripted((response) => {
      held = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    });
    await using transport = open(server, { timeouts, maxRetries: 0 }, { runtime });
    const heard: Silence[] = [];
    const onSilence = (silence: Silence): void => void heard.push(silence);
    const stream = await transport.events(get, { options: { onSilence } });
    const events = stream[Symbol.asyncIterator]();
    expect((await events.next()).value).toEqual({ event: '', data: '1' });
    const second = events.next();
    await runtime.pass(9_999);
    expect(heard).toEqual([]);
    await runtime.pass(1);
    expect(heard).toEqual([{ service: 'search', operation: 'test.do', silentMs: 10_000, limitMs: 90_000 }]);
    await runtime.pass(10_000);
    held!.write('data: 2\n\n');
    expect((await second).value).toEqual({ event: '', data: '2' });
    expect(told(heard.splice(0))).toEqual([
      [10_000, 90_000],
      [20_000, 90_000],
      [0, 90_000],
    ]);
    // and where nobody waits nothing is told
    await runtime.pass(60_000);
    expect(heard).toEqual([]);
    const third = errorOf(events.next());
    await runtime.pass(90_000);
    expect(await third).toMatchObject({ code: 'TIMEOUT' });
    expect(heard.at(-1)).toMatchObject({ silentMs: 0 });
    expect(heard.at(-2)).toMatchObject({ silentMs: 80_000 });
  });

  it('before its answer: is told with the limit of that wait, and an ear that throws breaks nothing', async () => {
    const runtime = heldClock();
    let held: ServerResponse | undefined;
    await using server = await scripted((response) => {
      held = response;
    });
    await using transport = open(server, { timeouts }, { runtime });
    const heard: Silence[] = [];
    const onSilence = (silence: Silence): void => {
      heard.push(silence);
      throw new Error('an ear that breaks');
    };
    const answer = transport.json(get, { options: { onSilence } });
    await expect.poll(() => held !== undefined).toBe(true);
    await runtime.pass(10_000);
    held!.end('{"ok":true}');
    expect((await answer).body).toEqual({ ok: true });
    expect(told(heard)).toEqual([
      [10_000, 600_000],
      [0, 600_000],
    ]);
  });
});

describe('a process', () => {
  it('lives through a connection that ends while its reader rests', async () => {
    let sent: Socket | undefined;
    await using server = await raw((socket) => {
      sent = socket;
      socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n');
      socket.end(Buffer.alloc(2 ** 18));
    });
    await using transport = open(server, { timeouts: noLimits });
    const stream = await transport.bytes(get, {});
    await expect.poll(() => sent?.writableFinished).toBe(true);
    await new Promise((done) => setTimeout(done, 50)); // the end is there, the body is not read
    let size = 0;
    for await (const bytes of stream) size += bytes.length;
    expect(size).toBe(2 ** 18);
  });
});
