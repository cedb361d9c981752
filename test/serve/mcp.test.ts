import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openIndex, type SearchIndex } from '../../src/index.ts';
import { type RunningServer, serve } from '../../src/serve.ts';
import { cliEntry, runCli } from '../support/cli.ts';
import { makeTempFolder, writeFiles } from '../support/temp.ts';
import { call, docs } from './support.ts';

/** Long enough for parts; each line says which it is. */
const long = Array.from({ length: 600 }, (_, i) => `Line ${i} of the log says that valve ${i * 7} was closed.`).join(
  '\n',
);

interface Used {
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON; the client has compared it with the tool's own schema
  readonly data: any;
  readonly isError: boolean;
}

describe.each(['streamable HTTP', 'stdio'])('MCP over %s, asked by the official client', (kind) => {
  const folder = makeTempFolder();
  let index: SearchIndex | undefined;
  let server: RunningServer | undefined;
  let client: Client;
  beforeAll(async () => {
    writeFiles(folder, { ...docs, 'docs/log.txt': long });
    index = await openIndex(join(folder, '.ibid'), { create: true });
    await index.ingest(folder);
    let transport: Transport;
    if (kind === 'stdio') {
      await index.close();
      index = undefined;
      const args = [cliEntry, 'mcp', '--index', join(folder, '.ibid')];
      transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' });
    } else {
      server = await serve({ indexes: index, port: 0 });
      transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)) as Transport;
    }
    client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
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

  it('names itself, its tools and what they give', async () => {
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
    expect(data.documents.map(({ uri }: { uri: string }) => uri).sort()).toEqual(['docs/harbour.txt', 'docs/log.txt']);
    expect((await use('status', {})).data.indexes[0]).toMatchObject({ documents: 4, failed: 0 });
  });

  it('has documents as resources', async () => {
    const { resources } = await client.listResources();
    expect(resources).toHaveLength(4);
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

  it.skipIf(kind === 'stdio')(
    'refuses pages of other origins, streams of its own accord, and what is no message',
    async () => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
      const foreign = await call(server!, '/mcp', { json: message, headers: { origin: 'https://evil.example' } });
      expect(foreign.status).toBe(403);
      expect((await call(server!, '/mcp')).status).toBe(405);
      expect((await call(server!, '/mcp', { json: { hello: 1 } })).status).toBe(400);
      expect((await call(server!, '/mcp', { json: message, headers: { accept: 'text/html' } })).status).toBe(406);
    },
  );
});

it('prints what the common assistants are told', async () => {
  const folder = makeTempFolder();
  writeFiles(folder, { '.ibid/x': '' });
  const { stdout, status } = await runCli(['mcp', '--print-config'], { cwd: folder });
  expect(status).toBe(0);
  const entry = JSON.parse(stdout.slice(stdout.indexOf('{'), stdout.indexOf('\n\n#')));
  expect(entry.mcpServers.ibid.args.slice(-3)).toEqual(['mcp', '--index', `default=${join(folder, '.ibid')}`]);
});
