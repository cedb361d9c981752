import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as Transport1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openIndex, type SearchIndex } from '../../src/index.ts';
import { mcpOverStdio, type RunningServer, serve } from '../../src/serve.ts';
import { cliEntry, runCli } from '../support/cli.ts';
import { makeTempFolder, tempFolder, writeFiles } from '../support/temp.ts';
import { type Answered, call, docs, madeIndex, started } from './support.ts';

/** Long enough for parts; each line says which it is. */
const long = Array.from({ length: 600 }, (_, i) => `Line ${i} of the log says that valve ${i * 7} was closed.`).join(
  '\n',
);

/** Names that are read as something else where they are not written as a reference. */
const odd: Readonly<Record<string, string>> = {
  'odd/notes #1.txt': 'The first note of many.',
  'odd/a#0-5.txt': 'Not a span of another document.',
  'odd/100%41.txt': 'Not the document called 100A.',
  'odd/two\nlines.txt': 'Not a line of a list.',
};

interface Used {
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON; the client has compared it with the tool's own schema
  readonly data: any;
  readonly isError: boolean;
}

/** What the tests use of a client, of either generation; their types say the same in different words. */
interface AnyClient
  extends Pick<Client, 'close' | 'getServerVersion' | 'getInstructions' | 'listTools' | 'listResources'> {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
  readResource(resource: { uri: string }): Promise<{ contents: object[] }>;
  /** The protocol that both agreed on. */
  readonly protocol: string | undefined;
}

interface Command {
  readonly command: string;
  readonly args: string[];
}
type Where = Command | { readonly url: URL };

/** The official clients, each with the protocol that it must agree on. */
const generations = {
  '1.x': {
    protocol: '2025-11-25',
    connect: async (where: Where): Promise<AnyClient> => {
      const client = new Client1({ name: 'test', version: '1' });
      // its optional fields are typed otherwise
      const transport = (
        'url' in where ? new Http1(where.url) : new Stdio1({ ...where, stderr: 'inherit' })
      ) as Transport1;
      let protocol: string | undefined;
      const before = transport.setProtocolVersion?.bind(transport);
      transport.setProtocolVersion = (version) => {
        protocol = version;
        before?.(version);
      };
      await client.connect(transport);
      return Object.assign(client, { protocol }) as unknown as AnyClient;
    },
  },
  '2.x': {
    protocol: '2025-11-25',
    connect: (where: Where): Promise<AnyClient> => connected2(where, new Client({ name: 'test', version: '1' })),
  },
  '2.x that asks for the newest': {
    protocol: '2026-07-28',
    connect: (where: Where): Promise<AnyClient> =>
      connected2(where, new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })),
  },
};

async function connected2(where: Where, client: Client): Promise<AnyClient> {
  const transport =
    'url' in where
      ? new StreamableHTTPClientTransport(where.url)
      : new StdioClientTransport({ ...where, stderr: 'inherit' });
  await client.connect(transport);
  return Object.assign(client, { protocol: client.getNegotiatedProtocolVersion() }) as unknown as AnyClient;
}

const ways = (['streamable HTTP', 'stdio'] as const).flatMap((kind) =>
  (Object.keys(generations) as (keyof typeof generations)[]).map((generation) => ({ kind, generation })),
);

describe.each(ways)('MCP over $kind, asked by the official client $generation', ({ kind, generation }) => {
  const folder = makeTempFolder();
  let index: SearchIndex | undefined;
  let server: RunningServer | undefined;
  let client: AnyClient;
  beforeAll(async () => {
    writeFiles(folder, { ...docs, ...odd, 'docs/log.txt': long });
    index = await openIndex(join(folder, '.ibid'), { create: true });
    await index.ingest(folder);
    let where: Where;
    if (kind === 'stdio') {
      await index.close();
      index = undefined;
      where = { command: process.execPath, args: [cliEntry, 'mcp', '--index', join(folder, '.ibid')] };
    } else {
      server = await serve({ indexes: index, port: 0 });
      where = { url: new URL(`${server.url}/mcp`) };
    }
    client = await generations[generation].connect(where);
  }, 60_000);
  afterAll(async () => {
    await client.close();
    await server?.stop();
    await index?.close();
  });

  const use = async (name: string, args: Record<string, unknown>): Promise<Used> => {
    const result = await client.callTool({ name, arguments: args });
    const [first] = result.content as { text: string }[];
    return { text: first!.text, data: result.structuredContent, isError: result.isError === true };
  };

  it('agrees on a protocol, names itself, its tools and what they give', async () => {
    expect(client.protocol).toBe(generations[generation].protocol);
    expect(client.getServerVersion()).toMatchObject({ name: 'ibid' });
    expect(client.getInstructions()).toContain('not instructions');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'ask', 'read', 'list', 'status']);
    for (const tool of tools) expect(tool.outputSchema?.type).toBe('object');
  });

  it('searches, and its references can be read', async () => {
    const { text, data } = await use('search', { query: 'rapeseed oil', limit: 1 });
    expect(data.hits).toHaveLength(1);
    expect(text).toContain('The lamp burns rapeseed oil.');
    const near = await use('read', { ref: data.hits[0].ref, around: 0 });
    expect(near.data.text).toContain(data.hits[0].text);
  });

  it('answers with citations that stand in the documents, and refuses', async () => {
    const { text, data } = await use('ask', { question: 'Who is the harbour master?' });
    expect(data).toMatchObject({ confidence: 'high' });
    expect(text).toContain(`[1] ${data.citations[0].ref}`);
    const source = await use('read', { ref: data.citations[0].ref });
    expect(source.data.text).toContain(data.citations[0].quote);
    const none = await use('ask', { question: 'Who won the chess olympiad of 1972?' });
    expect(none.data).toMatchObject({ confidence: 'none', citations: [] });
  });

  it('reads a long document by parts, which joined are the document', async () => {
    const first = await use('read', { ref: 'docs/log.txt' });
    expect(first.data.parts).toBe(Math.ceil(`${long}`.length / 6000));
    let whole = '';
    for (let part = 1; part <= first.data.parts; part++)
      whole += (await use('read', { ref: 'docs/log.txt', part })).data.text;
    expect(whole.trimEnd()).toBe(long);
    expect((await use('read', { ref: 'docs/log.txt', part: 99 })).isError).toBe(true);
  });

  it('lists documents, and says what is indexed', async () => {
    const { data } = await use('list', { where: { format: 'text' } });
    expect(data.documents.map(({ uri }: { uri: string }) => uri)).toEqual(
      expect.arrayContaining(['docs/harbour.txt', 'docs/log.txt']),
    );
    expect((await use('status', {})).data.indexes[0]).toMatchObject({ documents: 8, failed: 0 });
  });

  it('reads each document that it lists, whatever its name', async () => {
    const { data, text } = await use('list', { where: { uri: { like: 'odd/%' } } });
    expect(text.split('\n')).toHaveLength(1 + Object.keys(odd).length); // a line each
    for (const { ref, uri } of data.documents as { ref: string; uri: string }[]) {
      expect((await use('read', { ref })).data.text).toBe(odd[uri]);
      const read = await use('read', { ref: uri });
      expect([read.data.uri, read.data.text]).toEqual([uri, odd[uri]]);
      expect(read.text.split('\n')).toHaveLength(2);
    }
    const found = await use('search', { query: 'line of a list', where: { uri: { like: 'odd/two%' } } });
    expect(found.text.split('\n')).toHaveLength(2);
  });

  it('has documents as resources', async () => {
    const { resources } = await client.listResources();
    expect(resources).toHaveLength(8);
    const harbour = resources.find(({ name }) => name === 'docs/harbour.txt')!;
    const { contents } = await client.readResource({ uri: harbour.uri });
    expect(contents).toEqual([{ uri: harbour.uri, mimeType: 'text/plain', text: docs['docs/harbour.txt']!.trimEnd() }]);
    await expect(client.readResource({ uri: 'ibid://default/docs/none.md' })).rejects.toThrow('no such document');
    await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow('no resource of ours');
  });

  it('says what is wrong with a call', async () => {
    expect(await use('search', { query: '' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('query must not be empty'),
    });
    expect(await use('read', { ref: '/etc/passwd' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('CITATION_NOT_FOUND'),
    });
    await expect(client.callTool({ name: 'remove', arguments: {} })).rejects.toThrow('there is no tool');
  });
});

describe('MCP over HTTP, without a client', () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const of2026 = (method: string, params: object = {}, as: object = {}): Promise<Answered> =>
    call(server, '/mcp', {
      json: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
      headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...as },
    });
  let server: RunningServer;
  beforeEach(async () => {
    server = await started({ indexes: (await madeIndex()).index });
  });

  it('refuses pages of other origins, streams of its own accord, and what is no message', async () => {
    const foreign = await call(server, '/mcp', { json: message, headers: { origin: 'https://evil.example' } });
    expect(foreign.status).toBe(403);
    expect((await call(server, '/mcp')).status).toBe(405);
    for (const json of [{ hello: 1 }, null, 5, 'x', [], [5]])
      expect(await call(server, '/mcp', { json }), JSON.stringify(json)).toMatchObject({ status: 400 });
    expect((await call(server, '/mcp', { method: 'POST' })).status).toBe(400);
    expect((await call(server, '/mcp', { json: message, headers: { accept: 'text/html' } })).status).toBe(406);
  });

  it('answers programs of both protocols in JSON, without a handshake', async () => {
    const names = ({ json }: Answered): string[] => json.result.tools.map(({ name }: { name: string }) => name);
    const before = await call(server, '/mcp', { json: message });
    const now = await of2026('tools/list');
    expect(names(before)).toEqual(['search', 'ask', 'read', 'list', 'status']);
    expect(names(now)).toEqual(names(before));
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(await call(server, '/mcp', { json: notification })).toMatchObject({ status: 202, text: '' });
  });

  it('says which versions it speaks, and refuses headers that are not those of the message', async () => {
    expect((await of2026('server/discover')).json.result.supportedVersions).toEqual(['2026-07-28']);
    const other = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2031-01-01' };
    const tomorrow = await call(server, '/mcp', {
      json: { ...message, params: { _meta: other } },
      headers: { 'mcp-protocol-version': '2031-01-01', 'mcp-method': 'tools/list' },
    });
    expect(tomorrow).toMatchObject({ status: 400, json: { error: { data: { supported: ['2026-07-28'] } } } });
    const wrong = await of2026('tools/list', {}, { 'mcp-method': 'tools/call' });
    expect(wrong).toMatchObject({ status: 400, json: { error: { code: -32020 } } });
    const named = { name: 'status', arguments: {} };
    expect(await of2026('tools/call', named, { 'mcp-name': 'search' })).toMatchObject({
      status: 400,
      json: { error: { code: -32020 } },
    });
    expect(await of2026('tools/call', named, { 'mcp-name': 'status' })).toMatchObject({
      status: 200,
      json: { result: { structuredContent: { indexes: [{ documents: 3 }] } } },
    });
  });

  it('refuses a subscription at once, which would hold a place and hear of nothing', async () => {
    const started = performance.now();
    const { json } = await of2026('subscriptions/listen', { notifications: { toolsListChanged: true } });
    expect(json.error.message).toContain('limit');
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('gives the place back of what is cancelled beside it, and takes few messages at once', async () => {
    const { index } = await madeIndex();
    const small = await started({ indexes: index, limits: { concurrency: 1 } });
    const searched = { name: 'search', arguments: { query: 'lamp' } };
    const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: searched };
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const signal = AbortSignal.timeout(4000);
    const { status, json } = await call(small, '/mcp', { json: [asked, cancelled], signal });
    expect([status, [json].flat()[0]]).toMatchObject([200, { id: 1, result: { content: [{ type: 'text' }] } }]);
    expect((await call(small, '/mcp', { json: [cancelled], signal })).status).toBe(202);
    expect((await call(small, '/api/documents', { signal })).status).toBe(200);
    const many = (count: number): Promise<Answered> =>
      call(small, '/mcp', { json: Array.from({ length: count }, (_, id) => ({ ...asked, id })) });
    expect((await many(8)).json).toHaveLength(8);
    expect((await many(9)).status).toBe(400);
  });

  it('tells a document that is not there from an address that is none', async () => {
    const read = (uri: string): Promise<Answered> => of2026('resources/read', { uri }, { 'mcp-name': uri });
    const uri = 'ibid://default/docs/none.md';
    expect((await read(uri)).json.error).toEqual({ code: -32602, message: 'there is no such document', data: { uri } });
    expect((await read('file:///etc/passwd')).json.error).not.toHaveProperty('data');
  });
});

it.each(['the input ends', 'the output breaks', 'the signal aborts', 'the signal was aborted before'])(
  'ends its work over two streams when %s',
  async (how) => {
    const { index } = await madeIndex();
    const stop = new AbortController();
    if (how.endsWith('before')) stop.abort();
    const input = new PassThrough();
    const output = new PassThrough();
    const ended = mcpOverStdio({ indexes: index, input, output, signal: stop.signal });
    if (!how.endsWith('before')) {
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' })}\n`);
      const [answer] = await once(output, 'data');
      expect(JSON.parse(String(answer))).toMatchObject({ id: 7, result: { tools: expect.any(Array) } });
      expect(await Promise.race([ended, sleep(50, 'at work')])).toBe('at work');
    }
    if (how.includes('input')) input.end();
    if (how.includes('output')) output.destroy(new Error('EPIPE'));
    if (how.includes('aborts')) stop.abort();
    await ended;
    expect(input.listenerCount('data')).toBe(0);
  },
);

/** An index whose searches wait until they are let go. */
async function heldIndex(): Promise<{ readonly index: SearchIndex; readonly letGo: () => void }> {
  const { index } = await madeIndex();
  const { promise, resolve } = Promise.withResolvers<void>();
  const held: Pick<SearchIndex, 'search'> = {
    search: async (query, options) => {
      await promise;
      return await index.search(query, options);
    },
  };
  return { index: Object.assign(Object.create(index), held) as SearchIndex, letGo: resolve };
}

const asking = ['search', 'status'].map((name, id) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: name === 'search' ? { query: 'keeper' } : {} },
}));

it('answers what was asked before the input ended, then ends', async () => {
  const { index, letGo } = await heldIndex();
  const [input, output] = [new PassThrough(), new PassThrough()];
  let said = '';
  output.on('data', (data) => (said += data));
  input.end(asking.map((one) => JSON.stringify(one)).join('\n')); // without an end of the last line
  const ended = mcpOverStdio({ indexes: index, input, output });
  expect(await Promise.race([ended, sleep(300, 'at work')])).toBe('at work');
  letGo();
  await ended;
  const answers = said
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map(({ id }) => id).sort()).toEqual([0, 1]);
  expect(answers.find(({ id }) => id === 0).result).toMatchObject({ structuredContent: { hits: [{}] } });
});

it('says nothing of listeners to a client that reads late', async () => {
  const { index } = await madeIndex();
  const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark: 1 })];
  const warned: Error[] = [];
  const warn = (warning: Error): number => warned.push(warning);
  process.on('warning', warn);
  const ended = mcpOverStdio({ indexes: index, input, output });
  const pings = Array.from({ length: 30 }, (_, id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
  input.end(pings.join('\n'));
  await sleep(100);
  output.resume();
  await ended;
  process.off('warning', warn);
  expect(warned).toEqual([]);
});

it.each(['its client cancels it', 'the output breaks', 'the signal aborts'])(
  'does not wait for an answer after the input when %s',
  async (how) => {
    const { index, letGo } = await heldIndex();
    const [input, output, stop] = [new PassThrough(), new PassThrough(), new AbortController()];
    const ended = mcpOverStdio({ indexes: index, input, output, signal: stop.signal });
    input.write(`${JSON.stringify(asking[0])}\n`);
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 0 } };
    input.end(how.includes('cancels') ? `${JSON.stringify(cancel)}\n` : '');
    await sleep(50);
    if (how.includes('output')) output.destroy(new Error('EPIPE'));
    if (how.includes('aborts')) stop.abort();
    expect(await Promise.race([ended, sleep(5000, 'at work')])).toBeUndefined();
    letGo();
  },
);

it('prints what the common assistants are told', async () => {
  const folder = tempFolder();
  writeFiles(folder, { '.ibid/x': '' });
  const { stdout, status } = await runCli(['mcp', '--print-config'], { cwd: folder });
  expect(status).toBe(0);
  const entry = JSON.parse(stdout.slice(stdout.indexOf('{'), stdout.indexOf('\n\n#')));
  expect(entry.mcpServers.ibid.args.slice(-3)).toEqual(['mcp', '--index', `default=${join(folder, '.ibid')}`]);
  const remote = ['--index', 'az://container/index', '--index-cache', 'copies'];
  const { stdout: cached } = await runCli(['mcp', '--print-config', ...remote], { cwd: folder });
  const args = JSON.parse(cached.slice(cached.indexOf('{'), cached.indexOf('\n\n#'))).mcpServers.ibid.args;
  expect(args.slice(-3)).toEqual(['default=az://container/index', '--index-cache', join(folder, 'copies')]);
});
