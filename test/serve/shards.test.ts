import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answerToJson, openIndex, openIndexes, type SearchIndex } from '../../src/index.ts';
import { serve, TokenStore } from '../../src/serve.ts';
import { nameOf, readLayout, shardFolder, shardOf } from '../../src/store/shards/layout.ts';
import { notes, questions, variants } from '../support/sea-notes.ts';
import { tempFolder } from '../support/temp.ts';
import { call, started } from './support.ts';

interface Made {
  /** The whole index, without shards. */
  readonly whole: SearchIndex;
  /** Folders of its three shards. */
  readonly shards: readonly [string, string, string];
  readonly base: string;
}

async function made(): Promise<Made> {
  const base = tempFolder(notes(0, 45));
  const open = async (name: string, shards?: number): Promise<SearchIndex> => {
    const index = await openIndex(join(base, name), { create: true, base, shards });
    onTestFinished(() => index.close());
    await index.ingest([join(base, 'docs')]);
    return index;
  };
  const whole = await open('whole.ibid');
  const { address } = await open('sharded.ibid', 3);
  const { set } = readLayout(address)!;
  const [a, b, c] = [0, 1, 2].map((shard) => shardFolder(address, set, shard)) as [string, string, string];
  return { whole, shards: [a, b, c], base };
}

async function opened(address: string): Promise<SearchIndex> {
  const index = await openIndex(address);
  onTestFinished(() => index.close());
  return index;
}

/** A server before another one, which may change what that one answers. */
async function inFrontOf(url: string, change: (kind: string, answer: unknown) => unknown): Promise<string> {
  const front = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const headers = { 'content-type': 'application/json' };
    const answered = await fetch(`${url}${request.url}`, { method: 'POST', body, headers });
    const answer: unknown = await answered.json();
    const said = answered.ok ? change(JSON.parse(body.toString()).kind, answer) : answer;
    response.writeHead(answered.status, headers).end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => void front.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void front.close().closeAllConnections());
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
}

describe('shards on other machines', () => {
  it('rank with those of this one as one index', async () => {
    const { whole, shards, base } = await made();
    const tokens = new TokenStore(join(base, 'tokens.json'));
    const { secret } = tokens.create({ name: 'coordinator', scopes: ['read'] });
    const first = await started({ indexes: await opened(shards[0]), tokens });
    const second = await started({ indexes: { notes: await opened(shards[1]), other: whole } });
    const members = [{ url: first.url, token: secret }, { url: second.url, index: 'notes' }, shards[2]];
    await using joined = await openIndexes(members, { base });
    expect(joined.address).toBe(`${first.url}, ${second.url} notes, ${shards[2]}`); // and no token
    for (const query of questions)
      for (const options of variants) {
        const [one, many] = [await whole.search(query, options), await joined.search(query, options)];
        expect({ query, options, hits: many.hits }).toEqual({ query, options, hits: one.hits });
        expect(many.report.corrected).toBe(one.report.corrected);
        expect(many.report.shards).toEqual({ asked: 3, missing: [] });
      }
    const question = 'which anchor holds the diver?';
    expect((await joined.ask(question)).answer).toBe((await whole.ask(question)).answer);
    const { uri, span } = (await whole.search('anchor')).hits[0]!.chunk;
    const citation = `${uri}#${span.start}-${span.end}`;
    const { source: _, ...passage } = await joined.show(citation);
    expect(await whole.show(citation)).toMatchObject(passage);
    expect(await joined.status()).toMatchObject({ documents: 45, chunks: (await whole.status()).chunks });
    await expect(joined.search('rope', { where: 'no_such = 1' })).rejects.toMatchObject({ code: 'INVALID_FILTER' });
    await using remote = await openIndexes([members[0]!]);
    await expect(remote.search('rope', { where: 'no_such = 1' })).rejects.toMatchObject({ code: 'INVALID_FILTER' });
    await expect(joined.ingest(base)).rejects.toThrow('can only be read');
  });

  it('follow a shard that changes', async () => {
    const { shards } = await made();
    const served = await opened(shards[0]);
    const server = await started({ indexes: served });
    await using joined = await openIndexes([server.url, shards[1]]);
    expect((await joined.search('zeppelin', { mode: 'lexical' })).hits).toEqual([]);
    await served.add([{ uri: 'note:new', text: 'A zeppelin over the harbour.' }]);
    // what was opened stays valid until the coordinator looks again
    expect((await joined.search('anchor')).hits.length).toBeGreaterThan(0);
    await expect
      .poll(async () => (await joined.search('zeppelin')).hits[0]?.chunk.uri, { timeout: 20_000, interval: 500 })
      .toBe('note:new');
  });

  it('are opened again after a restart of their server, and named without an address when they are late', async () => {
    const { shards } = await made();
    let going = await serve({ indexes: await opened(shards[0]), port: 0 });
    onTestFinished(() => going.stop(0));
    const { url, port } = going;
    await using joined = await openIndexes([url, shards[1]], { shardTimeoutMs: 2000 });
    const server = await started({ indexes: joined });
    const { total } = (await call(server, '/api/documents')).json;
    for (const path of ['/api/search?query=anchor', '/api/documents', '/api/ask?question=which+anchor+holds']) {
      await call(server, path); // the state that is kept for some seconds is of the process before
      await going.stop(0);
      going = await serve({ indexes: await opened(shards[0]), port }); // it keeps nothing of the one before
      const { status, json } = await call(server, path);
      const { missing = [] } = json.report?.shards ?? json.shards ?? {};
      expect({ path, status, missing, total: json.total ?? total }).toEqual({ path, status: 200, missing: [], total });
    }
    await going.stop(0);
    const silent = createServer(() => {}).listen(port, '127.0.0.1');
    onTestFinished(() => void silent.close().closeAllConnections());
    const { report } = (await call(server, '/api/search?query=anchor')).json;
    expect(report.warnings).toMatchObject([{ code: 'TIMEOUT' }]);
    expect(report.warnings[0].message).not.toContain('127.0.0.1');
  }, 60_000);

  it('make one search wait when they are silent, and take part again once they answer', async () => {
    const { shards } = await made();
    const served = await opened(shards[0]);
    const going = await serve({ indexes: served, port: 0 });
    const { url, port } = going;
    await using joined = await openIndexes([url, shards[1]], { shardTimeoutMs: 3000 });
    const missing = async (): Promise<number> => (await joined.search('anchor')).report.shards!.missing.length;
    expect(await missing()).toBe(0);
    await going.stop(0);
    const silent = createServer(() => {}).listen(port, '127.0.0.1');
    onTestFinished(() => void silent.close().closeAllConnections());
    expect(await missing()).toBe(1);
    const from = performance.now();
    for (let i = 0; i < 5; i++) expect(await missing()).toBe(1);
    expect(performance.now() - from).toBeLessThan(3000); // one of them alone would wait as long
    silent.close().closeAllConnections();
    const again = await serve({ indexes: await opened(shards[0]), port });
    onTestFinished(() => again.stop(0));
    await expect.poll(missing, { timeout: 30_000, interval: 500 }).toBe(0);
  }, 60_000);

  it('make two searches wait when they are gone, and take part again soon after they are back', async () => {
    const { shards } = await made();
    const going = await serve({ indexes: await opened(shards[0]), port: 0 });
    const { url, port } = going;
    await using joined = await openIndexes([url, shards[1]]);
    const missing = async () => (await joined.search('anchor')).report.shards!.missing;
    expect(await missing()).toEqual([]);
    await going.stop(0);
    let attempts = 0;
    const broken = createServer((_, response) => {
      attempts++;
      response.socket!.destroy();
    });
    broken.listen(port, '127.0.0.1');
    onTestFinished(() => void broken.close());
    const gone = [{ name: url, code: 'CONNECTION_FAILED' }];
    for (let i = 0; i < 2; i++) expect(await missing()).toEqual(gone);
    const before = attempts;
    for (let i = 0; i < 20; i++) expect(await missing()).toEqual(gone);
    expect(attempts - before).toBeLessThanOrEqual(2); // behind the searches
    broken.close().closeAllConnections();
    const again = await serve({ indexes: await opened(shards[0]), port });
    onTestFinished(() => again.stop(0));
    await expect.poll(missing, { timeout: 4000, interval: 200 }).toEqual([]);
  }, 60_000);

  it('are named when they are gone, refuse the token, or answer nonsense', async () => {
    const { shards, base } = await made();
    const tokens = new TokenStore(join(base, 'tokens.json'));
    tokens.create({ name: 'another', scopes: ['read'] });
    const closed = await started({ indexes: await opened(shards[0]), tokens });
    const going = await started({ indexes: await opened(shards[1]) });
    const { url } = going;
    const nonsense = createServer((_, response) => response.setHeader('content-type', 'application/json').end('{}'));
    await new Promise<void>((resolve) => void nonsense.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void nonsense.close());
    const strange = `http://127.0.0.1:${(nonsense.address() as AddressInfo).port}`;
    const members = [{ url: closed.url, token: 'wrong' }, url, strange, shards[2]];
    await using joined = await openIndexes(members);
    const search = async () => (await joined.search('which anchor holds the ladder?', { limit: 100 })).report;
    const missing = [
      { name: closed.url, code: 'KEY_REJECTED' },
      { name: strange, code: 'RESPONSE_INVALID' },
    ];
    expect(await search()).toMatchObject({ shards: { asked: 4, missing } });
    const question = 'which anchor holds the ladder?';
    expect(answerToJson(await joined.ask(question)).shards).toEqual({ asked: 4, missing });
    const server = await started({ indexes: joined });
    const answered = (await call(server, '/api/ask', { json: { question } })).json;
    expect(answered.shards).toEqual({ asked: 4, missing: ['KEY_REJECTED', 'RESPONSE_INVALID'] });
    expect(answered.warnings).toMatchObject([{ code: 'KEY_REJECTED' }, { code: 'RESPONSE_INVALID' }]);
    expect(JSON.stringify([answered.shards, answered.warnings])).not.toContain('127.0.0.1');
    for (const [name, input] of [
      ['ask', { question }],
      ['search', { query: 'anchor' }],
    ] as const) {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
      const { result } = (await call(server, '/mcp', { json: message })).json;
      expect(result.structuredContent.warnings).toMatchObject(answered.warnings);
      expect(result.content[0].text).toContain('2 of 4 shards could not be read (KEY_REJECTED, RESPONSE_INVALID)');
      expect(JSON.stringify(result)).not.toContain('127.0.0.1');
    }
    await going.stop(0);
    const { shards: report, warnings } = await search();
    expect(report?.missing.map(({ name }) => name).sort()).toEqual([closed.url, strange, url].sort());
    expect(warnings.map(({ message }) => message).join()).toContain(url);
    const answer = answerToJson(await joined.ask(question));
    expect(answer.shards?.missing.map(({ name }) => name).sort()).toEqual([closed.url, strange, url].sort());
    expect(answer.citations.length + (answer.related?.length ?? 0)).toBeGreaterThan(0);
    const { hits } = await joined.search('anchor', { limit: 100 });
    expect(new Set(hits.map(({ chunk }) => nameOf(shardOf(chunk.uri, 3))))).toEqual(new Set([nameOf(2)]));
    await expect(openIndexes([closed.url])).rejects.toMatchObject({ code: 'KEY_REJECTED' });
    await expect(openIndexes([])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it.each([
    ['rows', 'silent', 'TIMEOUT'],
    ['rows', 'broken', 'SERVICE_FAILED'],
    ['model', 'silent', undefined],
  ] as const)(
    'are left out while their %s are %s, although they answered before',
    async (kind, how, code) => {
      const { shards } = await made();
      const { url } = await started({ indexes: await opened(shards[0]) });
      const front = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const body = Buffer.concat(chunks);
        if (JSON.parse(body.toString()).kind === kind) {
          if (how === 'broken') response.writeHead(500).end('{}');
          return;
        }
        const headers = { 'content-type': 'application/json' };
        const answered = await fetch(`${url}${request.url}`, { method: 'POST', body, headers });
        response.writeHead(answered.status, headers).end(await answered.text());
      });
      await new Promise<void>((resolve) => void front.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void front.close().closeAllConnections());
      const through = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
      await using joined = await openIndexes([through, shards[1], shards[2]], { shardTimeoutMs: 1500 });
      const { hits, report } = await joined.search('which anchor holds the ladder?', { limit: 100 });
      expect(hits.length).toBeGreaterThan(0);
      expect(report.shards?.missing).toEqual(code ? [{ name: through, code }] : []);
    },
    20_000,
  );

  it('are left out when an answer is not what a shard says, whatever is wrong with it', async () => {
    const { shards } = await made();
    const { url } = await started({ indexes: await opened(shards[0]) });
    let lie: { readonly kind: string; readonly change: object } | undefined;
    const through = await inFrontOf(url, (kind, answer) => {
      if (kind !== lie?.kind) return answer;
      const { chunk, ...rest } = lie.change as { readonly chunk?: object };
      if (kind === 'rows') {
        const rows = answer as { readonly chunk: object }[];
        return rows.map((row) => ({ ...row, ...rest, chunk: { ...row.chunk, ...chunk } }));
      }
      return Array.isArray(answer) ? answer.map((one) => ({ ...one, ...rest })) : { ...(answer as object), ...rest };
    });
    const question = 'which anchor holds the ladder?';
    const lies = [
      { kind: 'open', change: { rows: 2 ** 32 } },
      { kind: 'open', change: { liveRows: 2 ** 40 } },
      { kind: 'open', change: { dead: [[0, 2 ** 40]] } },
      { kind: 'open', change: { sample: [{ key: 1 }] } },
      { kind: 'open', change: { sample: [{ key: 1, ordinal: 2 ** 20 }] } },
      { kind: 'terms', change: { rows: 2 ** 40 } },
      ...[
        { range: [0, 2 ** 40] },
        { range: [1000, 1003] },
        ...[{ headings: [null] }, { headings: [{}] }, { locators: [null] }, { locators: [{ start: 5, end: 1 }] }].map(
          (chunk) => ({ chunk }),
        ),
        ...[{ metadata: null }, { metadata: { date: {} } }, { span: { start: 0 } }, { text: 'another' }].map(
          (chunk) => ({ chunk }),
        ),
      ].map((change) => ({ kind: 'rows', change })),
    ];
    for (lie of lies) {
      await using joined = await openIndexes([through, shards[1], shards[2]]);
      const { hits, report } = await joined.search(question, { limit: 100 });
      const missing = [{ name: through, code: 'RESPONSE_INVALID' }];
      expect({ ...lie, missing: report.shards?.missing }).toEqual({ ...lie, missing });
      const others = new Set(hits.map(({ chunk }) => nameOf(shardOf(chunk.uri, 3))));
      expect(others).toEqual(new Set([nameOf(1), nameOf(2)]));
      expect((await joined.ask(question)).hits.length).toBeGreaterThan(0);
    }
  }, 60_000);

  it('must have the same embedder', async () => {
    const { whole, shards } = await made();
    const other = await openIndex(join(tempFolder(), '.ibid'), { create: true });
    onTestFinished(() => other.close());
    await other.add([{ uri: 'a', text: 'Another text, and so another model.' }]);
    await expect(openIndexes([shards[0], other.address])).rejects.toMatchObject({ code: 'INDEX_MISMATCH' });
    expect(whole.address).not.toBe(other.address);
  });

  it('give a token with a filter its own documents only', async () => {
    const { shards, base } = await made();
    const tokens = new TokenStore(join(base, 'tokens.json'));
    const { secret } = tokens.create({ name: 'some', scopes: ['read'], where: { uri: { like: '%3.md' } } });
    const server = await started({ indexes: await opened(shards[0]), tokens });
    const headers = { authorization: `Bearer ${secret}` };
    const ask = async (json: object) => (await call(server, '/api/shard', { json, headers })).json;
    const { view, liveRows, rows, dead } = await ask({ kind: 'open' });
    const found = await ask({ kind: 'find', view, request: { where: 'true' } });
    expect(Buffer.from(found['base64:uint32'], 'base64').length / 4).toBe(liveRows);
    // numbered as if nothing else were there
    expect([rows, dead]).toEqual([liveRows, []]);
    const ordinals = [...Array(rows).keys()];
    const read = await ask({ kind: 'rows', view, request: { ordinals } });
    for (const [i, { chunk, range }] of read.entries()) {
      expect(chunk.uri).toMatch(/3\.md$/);
      expect(read[range[0]].chunk.uri).toBe(chunk.uri);
      expect(range[0] + chunk.position).toBe(i);
      expect(read[range[1]]?.chunk.uri).not.toBe(chunk.uri);
    }
    expect((await ask({ kind: 'rows', view, request: { ordinals: [rows] } })).error.code).toBe('INVALID_ARGUMENT');
    expect((await ask({ kind: 'model' })).error.code).toBe('PERMISSION_DENIED');
    expect((await ask({ kind: 'rows', view, request: { ordinals: [-1] } })).error.code).toBe('INVALID_ARGUMENT');
    expect((await ask({ kind: 'rows', view: 'none', request: { ordinals: [0] } })).error.code).toBe('CONFLICT');
    expect((await ask({ kind: 'open', more: 1 })).error.code).toBe('INVALID_ARGUMENT');
  });

  it('take no filter from another machine that could fill the memory of this one', async () => {
    const { whole } = await made();
    const server = await started({ indexes: whole });
    const ask = (json: object) => call(server, '/api/shard', { json });
    const { view } = (await ask({ kind: 'open' })).json;
    for (const where of [
      "repeat('a', 2000000000) = 'b'",
      "REPEAT /* */ ('a', 2000000000) = 'b'",
      `"lpad"(uri, 2000000000) = 'b'`,
      'array_length(range(0, 2000000000)) > 1',
      "uri || uri = 'b'",
    ]) {
      const { status, json } = await ask({ kind: 'find', view, request: { where } });
      expect([where, status, json.error?.code]).toEqual([where, 400, 'INVALID_FILTER']);
    }
    await using joined = await openIndexes([server.url]);
    const asks = [
      "(lower(uri) LIKE 'DOCS/%3.md' OR starts_with(uri, 'docs/')) AND position IN (0)",
      "metadata.year IS NULL AND NOT (uri = 'a') AND (CAST(position AS DOUBLE) BETWEEN (0) AND (1))",
    ];
    for (const where of asks) {
      const [one, far] = await Promise.all(
        [whole, joined].map((index) => index.search('anchor', { where, limit: 50 })),
      );
      expect(far!.hits).toEqual(one!.hits);
      expect(one!.hits.length).toBeGreaterThan(0);
    }
    const refused = joined.search('anchor', { where: "repeat(uri, 2) = 'b'" });
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_FILTER' });
  });

  it('answer a token with a filter as an index of its documents would, word for word', async () => {
    const { whole, base } = await made();
    const where = { uri: { like: '%3.md' } };
    const tokens = new TokenStore(join(base, 'tokens.json'));
    const { secret } = tokens.create({ name: 'some', scopes: ['read'], where });
    const server = await started({ indexes: whole, tokens });
    const part = whole.within(where);
    await using joined = await openIndexes([{ url: server.url, token: secret }], { base });
    for (const query of questions) {
      const [one, far] = [
        await part.search(query, { mode: 'lexical' }),
        await joined.search(query, { mode: 'lexical' }),
      ];
      expect({ query, hits: far.hits }).toEqual({ query, hits: one.hits });
      expect(far.report.corrected).toBe(one.report.corrected);
    }
    const headers = { authorization: `Bearer ${secret}` };
    const ask = async (json: object) => (await call(server, '/api/shard', { json, headers })).json;
    const { view } = await ask({ kind: 'open' });
    const dictionary = await ask({ kind: 'dictionary', view, request: { start: '', mostBlocks: 1024 } });
    const alone = await openIndex(join(tempFolder(), '.ibid'), { create: true });
    onTestFinished(() => alone.close());
    const { documents } = await part.documentPage({ limit: 100 });
    expect(documents.length).toBeGreaterThan(1);
    await alone.ingest(documents.map(({ uri }) => join(base, uri)));
    const only = await started({ indexes: alone });
    const opened = (await call(only, '/api/shard', { json: { kind: 'open' } })).json;
    const request = { start: '', mostBlocks: 1024 };
    const words = (await call(only, '/api/shard', { json: { kind: 'dictionary', view: opened.view, request } })).json;
    expect(new Map(dictionary)).toEqual(new Map(words));
  });
});
