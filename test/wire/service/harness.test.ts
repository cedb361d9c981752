import { Agent, request as rawRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { Refusal, type SseEvent, type WireService } from './contract.ts';
import type { Fault, RetryAfter } from './faults.ts';
import { type Harness, serve } from './harness.ts';

/** The smallest service: what the harness does is seen through it. */
function plain(name: WireService['name'] = 'search', keyHeader = 'authorization'): WireService {
  const events: SseEvent[] = Array.from({ length: 5 }, (_, n) => ({
    event: 'tick',
    data: { n, text: `zähl ${n} 😀` },
  }));
  return {
    name,
    claims: (headers) => (headers[keyHeader] === undefined ? 0 : 2),
    fail: (status, message) => ({ status, json: { from: name, message } }),
    headers: () => ({ 'x-from': name }),
    routes: [
      {
        method: 'POST',
        path: '/echo',
        maxBytes: 1000,
        handle: ({ request, ledger }) => {
          ledger.add({ service: name, operation: 'echo', usd: 0.5, items: ['a'] });
          return {
            json: { body: request.body, parts: request.parts.map((part) => [part.name, part.filename, part.text]) },
          };
        },
      },
      { method: 'GET', path: '/things/{id}', handle: ({ params }) => ({ json: params }) },
      { method: 'GET', path: '/stream', handle: () => ({ events }) },
      {
        method: 'GET',
        path: '/refuse',
        handle: () => {
          throw new Refusal({ status: 418, json: 'no' });
        },
      },
      {
        method: 'GET',
        path: '/broken',
        handle: () => {
          throw new Error('defect');
        },
      },
    ],
    sockets: [
      { path: '/socket', open: (_, socket) => socket.onMessage((message) => socket.send(`got ${message.toString()}`)) },
    ],
  };
}

async function stream(harness: Harness, fault: Fault | Fault[]): Promise<string> {
  harness.script({ fault });
  return (await fetch(`${harness.url}/stream`)).text();
}

describe('the loopback harness', () => {
  it('records what was sent and answers by route', async () => {
    await using harness = await serve([plain()]);
    const form = new FormData();
    form.append('name', 'wert');
    form.append('file', new Blob(['in"halt']), 'a "b".txt');
    const answer = await fetch(`${harness.url}/echo?x=1&x=2`, { method: 'POST', body: form });
    expect(await answer.json()).toEqual({
      parts: [
        ['name', null, 'wert'],
        ['file', 'a "b".txt', 'in"halt'],
      ],
    });
    expect(answer.headers.get('x-from')).toBe('search');
    expect(await (await fetch(`${harness.url}/things/a%2Fb`)).json()).toEqual({ id: 'a/b' });
    expect((await fetch(`${harness.url}/things/a/b`)).status).toBe(404);
    expect((await fetch(`${harness.url}/echo`)).status).toBe(405);
    expect((await fetch(`${harness.url}/refuse`)).status).toBe(418);
    expect((await fetch(`${harness.url}/echo`, { method: 'POST', body: 'x'.repeat(1001) })).status).toBe(413);
    expect(harness.requests.map((request) => [request.operation, request.status])).toEqual([
      ['POST /echo', 200],
      ['GET /things/{id}', 200],
      [undefined, 404],
      [undefined, 405],
      ['GET /refuse', 418],
      ['POST /echo', 413],
    ]);
    expect(harness.requests[0]?.query.getAll('x')).toEqual(['1', '2']);
    expect(harness.ledger.totals('echo')).toMatchObject({ requests: 1, usd: 0.5 });
  });

  it('tells services that share a path apart by their key header', async () => {
    await using harness = await serve([plain('search'), plain('messages', 'x-api-key')]);
    const from = async (headers: Record<string, string>): Promise<string | null> =>
      (await fetch(`${harness.url}/things/1`, { headers })).headers.get('x-from');
    expect(await from({ authorization: 'Bearer k' })).toBe('search');
    expect(await from({ 'x-api-key': 'k' })).toBe('messages');
  });

  it('throws a stand-in’s own defects at closing', async () => {
    const harness = await serve([plain()]);
    expect((await fetch(`${harness.url}/broken`)).status).toBe(500);
    await expect(harness.close()).rejects.toThrow('defect');
  });

  it('uses up rules in order, skips, counts and draws by seed', async () => {
    await using harness = await serve([plain()]);
    const status = async (): Promise<number> => (await fetch(`${harness.url}/things/1`)).status;
    const many = async (n: number): Promise<number[]> => {
      const all: number[] = [];
      for (let i = 0; i < n; i++) all.push(await status());
      return all;
    };
    harness.script(
      { fault: { kind: 'status', status: 429, retryAfter: { seconds: 2 } } },
      { fault: { kind: 'html', status: 502 }, times: 2 },
    );
    expect(harness.unusedRules).toBe(2);
    expect(await many(4)).toEqual([429, 502, 502, 200]);
    harness.script({ fault: { kind: 'empty', status: 503 }, every: 3 });
    expect(await many(6)).toEqual([200, 200, 503, 200, 200, 503]);
    harness.clear();
    harness.script({ skip: 1, match: { path: /^\/things/ }, fault: { kind: 'empty', status: 500 } });
    expect(await many(3)).toEqual([200, 500, 200]);
    const drawn: number[][] = [];
    for (let i = 0; i < 2; i++) {
      harness.clear();
      harness.script({ probability: 0.3, seed: 7, fault: { kind: 'empty', status: 500 } });
      drawn.push(await many(60));
    }
    expect(drawn[0]).toEqual(drawn[1]);
    const failed = drawn[0]!.filter((value) => value === 500).length;
    expect(failed).toBeGreaterThan(8);
    expect(failed).toBeLessThan(28);
  });

  it('carries an operation out, or not, before it misbehaves', async () => {
    await using harness = await serve([plain()]);
    const post = async (): Promise<unknown> =>
      fetch(`${harness.url}/echo`, { method: 'POST', body: '{}' }).catch((error: unknown) => error);
    harness.script(
      { fault: { kind: 'status', status: 500 } },
      { fault: { kind: 'status', status: 500, billed: true } },
      { fault: { kind: 'reset', billed: false } },
      { fault: { kind: 'reset' } },
    );
    const paid: number[] = [];
    const answers: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      answers.push(await post());
      paid.push(harness.ledger.entries.length);
    }
    expect(paid).toEqual([0, 1, 1, 2]);
    expect(answers.slice(2).every((answer) => answer instanceof Error)).toBe(true);
    expect(harness.requests.slice(2).map((request) => request.status)).toEqual([0, 0]);
  });

  it('spoils streams as told and leaves the bytes of the rest alone', async () => {
    await using harness = await serve([plain()]);
    const whole = await (await fetch(`${harness.url}/stream`)).text();
    expect(whole.split('\n\n')).toHaveLength(6);
    expect(whole.startsWith('event: tick\ndata: {"n":0,"text":"zähl 0 😀"}\n\n')).toBe(true);
    expect(await stream(harness, { kind: 'split', bytes: 1 })).toBe(whole);
    expect(await stream(harness, { kind: 'splitRandomly', seed: 3, max: 9 })).toBe(whole);
    expect(await stream(harness, { kind: 'encode', encoding: 'gzip' })).toBe(whole);
    expect(
      await stream(harness, [
        { kind: 'encode', encoding: 'br' },
        { kind: 'split', bytes: 3 },
      ]),
    ).toBe(whole);
    expect(await stream(harness, { kind: 'lineEnds', ends: 'crlf' })).toBe(whole.replaceAll('\n', '\r\n'));
    expect(await stream(harness, { kind: 'end', afterEvents: 2 })).toBe(
      `${whole.split('\n\n').slice(0, 2).join('\n\n')}\n\n`,
    );
    expect(await stream(harness, { kind: 'end', afterBytes: 7 })).toBe(whole.slice(0, 7));
    expect(await stream(harness, { kind: 'drop', event: 'tick', nth: 1 })).not.toContain('"n":1');
    expect((await stream(harness, { kind: 'duplicate', event: 'tick', nth: 1 })).match(/"n":1/g)).toHaveLength(2);
    expect(await stream(harness, { kind: 'events', edit: (events) => events.toReversed() })).toMatch(/"n":4.*"n":0/s);
    const injected = await stream(harness, {
      kind: 'inject',
      afterEvents: 1,
      event: { event: 'error', data: { x: 1 } },
    });
    expect(injected).toBe(`${whole.split('\n\n')[0]}\n\nevent: error\ndata: {"x":1}\n\n`);
    const noisy = await stream(harness, { kind: 'noise', pings: true, unknown: true });
    expect(noisy).toContain(': keep-alive');
    expect(noisy.match(/event: ping/g)).toHaveLength(5);
    expect(harness.unusedRules).toBe(0);
  });

  it('cuts, stalls and drips', async () => {
    await using harness = await serve([plain()]);
    await expect(stream(harness, { kind: 'cut', afterEvents: 2 })).rejects.toThrow();
    harness.script({ fault: { kind: 'cut', afterBytes: 4 } });
    await expect(fetch(`${harness.url}/things/1`).then((answer) => answer.text())).rejects.toThrow();
    harness.script({ fault: { kind: 'stall', afterBytes: 60 } });
    const answer = await fetch(`${harness.url}/stream`, { signal: AbortSignal.timeout(200) });
    await expect(answer.text()).rejects.toThrow();
    await expect.poll(() => harness.requests.at(-1)?.aborted).toBe(true);
    const start = performance.now();
    expect(await stream(harness, { kind: 'drip', bytes: 50, everyMs: 20 })).toContain('"n":4');
    expect(performance.now() - start).toBeGreaterThan(60);
  });

  it('redirects, and serves damaged encodings', async () => {
    await using harness = await serve([plain()]);
    harness.script({ fault: { kind: 'redirect', to: 'http://127.0.0.1:9/elsewhere' } });
    const answer = await fetch(`${harness.url}/stream`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([307, 'http://127.0.0.1:9/elsewhere']);
    await expect(stream(harness, { kind: 'encode', encoding: 'gzip', damaged: true })).rejects.toThrow();
  });

  it('says when to come back in every form', async () => {
    await using harness = await serve([plain()]);
    const hint = async (retryAfter: RetryAfter): Promise<(string | null)[]> => {
      harness.script({ fault: { kind: 'status', status: 429, retryAfter } });
      const { headers } = await fetch(`${harness.url}/things/1`);
      return [headers.get('retry-after'), headers.get('retry-after-ms')];
    };
    expect(await hint({ seconds: 3 })).toEqual(['3', null]);
    expect(await hint({ ms: 40 })).toEqual([null, '40']);
    expect(await hint({ raw: 'soon' })).toEqual(['soon', null]);
    const [date] = await hint({ dateInMs: 90_000 });
    expect(date).toMatch(/GMT$/);
    expect(Math.abs(Date.parse(date ?? '') - Date.now() - 90_000)).toBeLessThan(2000);
  });

  it('rewrites bodies and headers, and answers late', async () => {
    await using harness = await serve([plain()]);
    harness.script({
      fault: [
        { kind: 'json', edit: (body) => ({ ...(body as object), extra: 1 }) },
        { kind: 'headers', headers: { 'x-from': null, 'X-Added': 'yes' } },
        { kind: 'delay', ms: 80 },
      ],
    });
    const start = performance.now();
    const answer = await fetch(`${harness.url}/things/7`);
    expect(await answer.json()).toEqual({ id: '7', extra: 1 });
    expect([answer.headers.get('x-from'), answer.headers.get('x-added')]).toEqual([null, 'yes']);
    expect(performance.now() - start).toBeGreaterThan(75);
    const lines = (await stream(harness, { kind: 'manyDataLines' })).split('\n\n')[0]!.split('\n');
    expect(lines).toEqual(['event: tick', 'data: {', 'data:  "n": 0,', 'data:  "text": "zähl 0 😀"', 'data: }']);
  });

  it('counts connections and requests under way', async () => {
    await using harness = await serve([plain()]);
    harness.script({ fault: { kind: 'delay', ms: 50 }, times: 3 });
    await Promise.all([1, 2, 3].map(async (id) => (await fetch(`${harness.url}/things/${id}`)).text()));
    expect(harness.peakInFlight).toBe(3);
    await expect.poll(() => harness.inFlight).toBe(0);
    const before = harness.connections;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const get = (): Promise<void> =>
      new Promise((done) => {
        rawRequest(`${harness.url}/things/1`, { agent }, (answer) => answer.resume().on('end', done)).end();
      });
    await Promise.all([get(), get(), get()]);
    agent.destroy();
    expect(harness.connections).toBe(before + 1);
  });

  it('keeps the promised content-length when a body is cut', async () => {
    await using harness = await serve([plain()]);
    harness.script({ fault: { kind: 'cut', afterBytes: 4 } });
    const got = await new Promise<[string | undefined, string]>((done) => {
      rawRequest(`${harness.url}/things/1`, (answer) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
        answer.on('error', () => undefined);
        answer.on('close', () => done([answer.headers['content-length'], text]));
      }).end();
    });
    expect(got).toEqual([String('{"id":"1"}'.length), '{"id']);
  });

  it('serves WebSockets on the same port, with faults', async () => {
    await using harness = await serve([plain()]);
    const talk = (send: number): Promise<string[]> =>
      new Promise((done) => {
        const seen: string[] = [];
        const ws = new WebSocket(`${harness.url.replace('http', 'ws')}/socket`);
        ws.on('open', () => {
          for (let i = 0; i < send; i++) ws.send(`m${i}`);
        });
        ws.on('message', (data) => {
          seen.push(data.toString());
          if (seen.length === 3) ws.close();
        });
        ws.on('close', (code) => done([...seen, String(code)]));
        ws.on('error', (error) => seen.push(error.message));
      });
    expect(await talk(3)).toEqual(['got m0', 'got m1', 'got m2', '1005']);
    expect(harness.requests[0]?.frames).toEqual(['m0', 'm1', 'm2']);
    harness.script({ fault: { kind: 'closeSocket', afterMessages: 1, code: 1008, reason: 'policy' } });
    expect(await talk(3)).toEqual(['got m0', '1008']);
    harness.script({ fault: { kind: 'dropSocket', afterMessages: 2 } });
    expect(await talk(3)).toEqual(['got m0', 'got m1', '1006']);
    harness.script({ fault: { kind: 'status', status: 403 } });
    expect((await talk(1))[0]).toContain('403');
  });
});
