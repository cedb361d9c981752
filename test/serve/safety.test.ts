import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { IbidError, openIndex, type SearchIndex } from '../../src/index.ts';
import { type LogEntry, type RunningServer, serve, TokenStore } from '../../src/serve.ts';
import { fakeEmbedder, fakeLanguageModel } from '../../src/testing.ts';
import { tempFolder } from '../support/temp.ts';
import { call, started } from './support.ts';

async function small(options: Parameters<typeof openIndex>[1] = {}): Promise<SearchIndex> {
  const index = await openIndex(join(tempFolder(), 'index'), { create: true, embedder: fakeEmbedder(), ...options });
  await index.add([{ uri: 'note:1', text: 'The pump is serviced in May.' }]);
  return index;
}

async function freePort(): Promise<number> {
  await using server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A request with headers that `fetch` would not send. */
async function raw(
  url: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<{ status: number; headers: object }> {
  const sent = httpRequest(url, { method, headers });
  sent.end();
  const [response] = await once(sent, 'response');
  response.resume();
  return { status: response.statusCode, headers: response.headers };
}

/** An index whose searches end when they are told to, or when they are aborted. */
function slowIndex(index: SearchIndex): {
  readonly index: SearchIndex;
  readonly seen: AbortSignal[];
  readonly release: () => void;
} {
  const seen: AbortSignal[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const { search } = index;
  index.search = async (query, options = {}) => {
    seen.push(options.signal!);
    await Promise.race([promise, once(options.signal!, 'abort')]);
    options.signal!.throwIfAborted();
    return await search.call(index, query, options);
  };
  return { index, seen, release: resolve };
}

describe('a server', () => {
  it('goes on asking for a token when the last one is revoked or their file is lost', async () => {
    await using index = await small();
    const path = join(tempFolder(), 'tokens.json');
    const { secret, record } = new TokenStore(path).create({ name: 'reader', scopes: ['read'] });
    const server = await started({ indexes: index, tokens: new TokenStore(path) });
    const asked = async (headers: Record<string, string>): Promise<number> =>
      (await call(server, '/api/search?query=pump', { headers })).status;
    new TokenStore(path).revoke(record.id);
    await sleep(1100); // it looks at the file once a second
    for (const headers of [{}, { authorization: `Bearer ${secret}` }]) expect(await asked(headers)).toBe(401);
    rmSync(path);
    await sleep(1100);
    expect(await asked({})).toBe(401);
  });

  it('says that a broken file of tokens is its own fault, and whoever runs it is told', async () => {
    await using index = await small();
    const log: LogEntry[] = [];
    const path = join(tempFolder(), 'tokens.json');
    const tokens = new TokenStore(path);
    const { secret } = tokens.create({ name: 'keeper', scopes: ['read'] });
    const server = await started({ indexes: index, tokens, log: (entry) => log.push(entry) });
    writeFileSync(path, '{"tokens": [');
    const asked = () => call(server, '/api/search?query=pump', { headers: { authorization: `Bearer ${secret}` } });
    await expect
      .poll(asked, { timeout: 3000 })
      .toMatchObject({ status: 503, json: { error: { code: 'FILE_DAMAGED' } } });
    expect(log.find(({ event }) => event === 'failed')?.error).toContain('the file of tokens');
  });

  it('does not listen for an index that it does not have', async () => {
    await using index = await small();
    const port = await freePort();
    await expect(serve({ indexes: index, port, watch: { other: ['docs'] } })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
  });

  it('with tokens lets nobody in while there are none, unless it is open until the first one', async () => {
    await using index = await small();
    const path = join(tempFolder(), 'tokens.json');
    const asked = async (server: RunningServer, secret?: string): Promise<number> =>
      (await call(server, '/api/search?query=pump', { headers: secret ? { authorization: `Bearer ${secret}` } : {} }))
        .status;
    const closed = await started({ indexes: index, tokens: new TokenStore(path) });
    const open = await started({ indexes: index, tokens: new TokenStore(path), openWithoutTokens: true });
    expect([await asked(closed), await asked(open)]).toEqual([401, 200]);
    expect((await call(closed, '/health')).status).toBe(200);
    const { secret } = new TokenStore(path).create({ name: 'reader', scopes: ['read'] });
    await sleep(1100); // it looks at the file once a second
    for (const server of [closed, open]) expect([await asked(server), await asked(server, secret)]).toEqual([401, 200]);
  });

  it('says that a port is none', async () => {
    await using index = await small();
    for (const port of [65_536, -1, 1.5, Number.NaN])
      await expect(serve({ indexes: index, port })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('says that an address to listen on or an origin of pages is none', async () => {
    await using index = await small();
    const refused = (options: object, hint?: string): Promise<void> =>
      expect(serve({ indexes: index, port: 0, ...options })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        ...(hint && { hint: expect.stringContaining(hint) }),
      });
    await refused({ host: '' });
    await refused({ host: 'nosuch.invalid', insecure: true }, '`host`');
    for (const origin of ['foo', '*', 'https://a.example/', 'https://a.example/page'])
      await refused({ origins: [origin] }, 'https://');
    await started({ indexes: index, origins: ['https://a.example', 'http://localhost:3000', 'null'] });
  });

  it('answers to its own names alone: a name that a stranger leads here is refused', async () => {
    await using index = await small();
    const server = await started({ indexes: index, hosts: ['search.example'] });
    const { port } = server;
    const asked = async (host: string): Promise<number> =>
      (await raw(`${server.url}/api/search?query=pump`, { host })).status;
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      'localhost',
      `[::1]:${port}`,
      'search.example',
      `SEARCH.example:${port}`,
    ])
      expect([host, await asked(host)]).toEqual([host, 200]);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '10.0.0.1',
      '127.0.0.1.evil.example',
      'localhost.evil.example',
    ])
      expect([host, await asked(host)]).toEqual([host, 421]);
  });

  it('answers a link of another site with the page alone, and never in a frame', async () => {
    await using index = await small();
    const server = await started({ indexes: index });
    const asked = async (path: string, site: string, dest: string): Promise<number> =>
      (
        await raw(`${server.url}${path}`, {
          ...{ 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': dest },
        })
      ).status;
    for (const site of ['cross-site', 'same-site']) {
      for (const path of ['/', '/?q=pump&mode=grounded', '/source?ref=a']) {
        expect([path, await asked(path, site, 'document')]).toEqual([path, 200]);
        expect([path, await asked(path, site, 'iframe')]).toEqual([path, 403]);
      }
      for (const path of ['/api/ask?question=pump', '/api/search?query=pump&rerank=true'])
        for (const dest of ['document', 'iframe'])
          expect([path, dest, await asked(path, site, dest)]).toEqual([path, dest, 403]);
    }
    expect(await asked('/api/search?query=pump', 'none', 'document')).toBe(200); // typed, or of a bookmark
  });

  it('lets no page of another origin call, unless it is named', async () => {
    await using index = await small();
    const server = await started({ indexes: index, origins: ['https://intranet.example'] });
    const asked = (headers: Record<string, string>, method?: string): ReturnType<typeof raw> =>
      raw(`${server.url}/api/search?query=pump`, headers, method);
    expect((await asked({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await asked({ origin: 'null' })).status).toBe(403);
    expect((await asked({ origin: 'https://intranet.example.evil.example' })).status).toBe(403);
    expect((await asked({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).status).toBe(403);
    expect((await asked({ origin: server.url })).status).toBe(200);
    const named = await asked({ origin: 'https://intranet.example' });
    expect(named).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': 'https://intranet.example' },
    });
    const preflight = await asked(
      { origin: 'https://intranet.example', 'access-control-request-method': 'POST' },
      'OPTIONS',
    );
    expect(preflight).toMatchObject({ status: 204, headers: { 'access-control-allow-methods': 'GET, POST, DELETE' } });
    // as browsers compare: a star stands for every name but this one
    const allowed = new Headers(preflight.headers as Record<string, string>)
      .get('access-control-allow-headers')!
      .split(/, ?/);
    const mcp = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];
    const ofClients = ['x-api-key', 'x-stainless-lang', 'x-stainless-retry-count', 'range'];
    for (const sent of ['authorization', 'content-type', ...mcp, ...ofClients])
      expect(allowed.includes(sent) || (allowed.includes('*') && sent !== 'authorization'), sent).toBe(true);
    expect((await asked({ origin: 'https://evil.example' }, 'OPTIONS')).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
    // a form of another site can post text, which a browser sends without asking
    const form = await call(server, '/api/search', {
      method: 'POST',
      body: '{"query":"pump"}',
      headers: { 'content-type': 'text/plain' },
    });
    expect(form.status).toBe(415);
  });

  it('listens beyond this machine with a token, or when told to', async () => {
    await using index = await small();
    await expect(serve({ indexes: index, host: '0.0.0.0', port: 0 })).rejects.toMatchObject({ code: 'UNSAFE_ADDRESS' });
    const open = await started({ indexes: index, host: '0.0.0.0', insecure: true });
    expect((await call(open, '/health')).status).toBe(200);
    const tokens = new TokenStore(join(tempFolder(), 'tokens.json'));
    tokens.create({ name: 'x', scopes: ['read'] });
    const guarded = await started({ indexes: index, host: '0.0.0.0', tokens });
    expect((await call(guarded, '/api/search?query=pump')).status).toBe(401);
  });

  it('refuses with 429 what would wait behind a full queue, and answers those that wait', async () => {
    await using own = await small();
    const { index, seen, release } = slowIndex(own);
    const server = await started({ indexes: index, limits: { concurrency: 1, queue: 2 } });
    const asked = Array.from({ length: 3 }, () => call(server, '/api/search?query=pump'));
    await expect.poll(async () => (await call(server, '/metrics')).text).toContain('ibid_requests_waiting 2');
    const refused = await call(server, '/api/search?query=pump');
    expect(refused).toMatchObject({ status: 429, json: { error: { code: 'OVERLOADED' } } });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await call(server, '/health')).status).toBe(200);
    expect(seen).toHaveLength(1);
    release();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('ends the work of a client that goes away, working or waiting', async () => {
    await using own = await small();
    const { index, seen } = slowIndex(own);
    const server = await started({ indexes: index, limits: { concurrency: 1, queue: 2 } });
    const leaving = new AbortController();
    const asked = [1, 2].map(() =>
      call(server, '/api/search?query=pump', { signal: leaving.signal }).catch(() => 'left'),
    );
    await expect.poll(() => seen.length).toBe(1);
    leaving.abort();
    await Promise.all(asked);
    await expect.poll(() => seen[0]!.aborted).toBe(true);
    await expect.poll(async () => (await call(server, '/metrics')).text).toMatch(/working 0\n[\s\S]*waiting 0\n/);
    // the one that waited may have had its turn for a moment
    expect(seen.filter(({ aborted }) => !aborted)).toEqual([]);
  });

  it('gives up what takes too long, with a status of its own', async () => {
    await using own = await small();
    const server = await started({ indexes: slowIndex(own).index, limits: { requestMs: 100 } });
    expect(await call(server, '/api/search?query=pump')).toMatchObject({
      status: 504,
      json: { error: { code: 'TIMEOUT' } },
    });
  });

  it('bounds bodies, said or unsaid, and clients that send slowly', async () => {
    await using index = await small();
    const server = await started({ indexes: index, limits: { bodyBytes: 1000, receiveMs: 300 } });
    const large = { query: 'pump', where: { title: 'x'.repeat(2000) } };
    expect((await call(server, '/api/search', { json: large })).status).toBe(413);
    const chunked = new ReadableStream({
      start: (controller) => {
        for (let i = 0; i < 40; i++) controller.enqueue(new TextEncoder().encode('x'.repeat(100)));
        controller.close();
      },
    });
    const sent = fetch(`${server.url}/api/search`, {
      method: 'POST',
      body: chunked,
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    } as RequestInit);
    expect(
      await sent.then(
        ({ status }) => status,
        () => 413,
      ),
    ).toBe(413);
    const socket = connect(server.port, '127.0.0.1');
    let answered = '';
    socket.on('data', (piece) => {
      answered += piece;
    });
    socket.on('error', () => {});
    socket.write(
      'POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"qu',
    );
    await once(socket, 'close');
    expect(answered).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  it('says nothing of this machine, of keys or of stacks when something breaks', async () => {
    await using index = await small();
    const log: LogEntry[] = [];
    const server = await started({ indexes: index, log: (entry) => log.push(entry) });
    const broken: [Error, number, string][] = [
      [new Error('/home/keeper/.ibid sk-secret broke'), 500, 'UNEXPECTED'],
      [
        new IbidError('STORE_FAILED', 'cannot read /home/keeper/.ibid', {
          hint: 'Free space',
          cause: new Error('no space'),
        }),
        503,
        'STORE_FAILED',
      ],
      [new IbidError('KEY_REJECTED', 'the service says: sk-secret is wrong'), 502, 'KEY_REJECTED'],
    ];
    for (const [error, status, code] of broken) {
      index.search = async () => {
        throw error;
      };
      const told = await call(server, '/api/search?query=pump');
      expect(told).toMatchObject({ status, json: { error: { code } } });
      expect(told.text + JSON.stringify([...told.headers])).not.toMatch(/home|keeper|secret|at .*\.ts/);
    }
    const told = log.flatMap(({ event, error }) => (event === 'failed' ? [error] : [])); // whoever runs the server
    expect(told).toEqual([
      expect.stringMatching(/sk-secret broke\n +at /), // where nobody expects it, its place
      'cannot read /home/keeper/.ibid. Free space. Cause: no space',
      'the service says: sk-secret is wrong',
    ]);
    const lines = log.filter(({ event }) => event === 'request');
    expect(lines[0]).toMatchObject({ route: '/api/search', method: 'GET', status: 500, code: 'UNEXPECTED' });
    expect(JSON.stringify(lines)).not.toContain('pump');
  });

  it('asks a model only within a budget of the day, which all questions of a token share', async () => {
    await using index = await small({ models: { writer: fakeLanguageModel() } });
    const json = { question: 'When is the pump serviced?', mode: 'grounded' };
    const free = await started({ indexes: index });
    expect(await call(free, '/api/ask', { json })).toMatchObject({
      status: 403,
      json: { error: { code: 'PERMISSION_DENIED' } },
    });
    expect((await call(free, '/api/search', { json: { query: 'pump', rerank: true } })).status).toBe(403);
    expect((await call(free, '/api/search', { json: { query: 'pump', web: true } })).status).toBe(403);
    expect((await call(free, '/api/status')).json.modes).toEqual(['extractive']);
    const paid = await started({ indexes: index, dailyBudgetUsd: 1 });
    expect(await call(paid, '/api/ask', { json })).toMatchObject({ status: 200, json: { mode: 'grounded' } });
  });

  it('stops: new requests are refused, those under way end, and the port is free', async () => {
    await using own = await small();
    const { index, seen, release } = slowIndex(own);
    const server = await serve({ indexes: index, port: 0 });
    const asked = call(server, '/api/search?query=pump');
    await expect.poll(() => seen.length).toBe(1);
    const { port, url } = server;
    const stopped = server.stop();
    await expect(fetch(`${url}/health`)).rejects.toThrow();
    release();
    expect((await asked).status).toBe(200);
    await stopped;
    const again = await started({ indexes: index, port });
    expect(again.port).toBe(port);
  });

  it('says of a request that had not come when it stopped that it was cut off, not that something failed', async () => {
    await using own = await small();
    const log: LogEntry[] = [];
    const server = await serve({ indexes: own, port: 0, log: (entry) => log.push(entry) });
    const half = connect(server.port, '127.0.0.1').on('error', () => undefined);
    half.write(
      'POST /api/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    await sleep(100);
    await server.stop(50);
    expect(log.filter(({ event }) => event === 'failed')).toEqual([]);
    expect(log.find(({ event }) => event === 'request')).toMatchObject({ code: 'ABORTED', status: 503 });
  });

  it('cuts off what has not ended after the grace', async () => {
    await using own = await small();
    const { index, seen } = slowIndex(own);
    const server = await serve({ indexes: index, port: 0 });
    const asked = call(server, '/api/search?query=pump').catch(() => ({ status: 0 }));
    await expect.poll(() => seen.length).toBe(1);
    await server.stop(50);
    expect([0, 503]).toContain((await asked).status);
    expect(seen[0]!.aborted).toBe(true);
    await sleep(1);
  });
});
