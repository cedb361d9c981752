import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openIndex, type SearchIndex } from '../../src/index.ts';
import { type RunningServer, serve, TokenStore } from '../../src/serve.ts';
import { makeTempFolder, writeFiles } from '../support/temp.ts';
import { call, docs } from './support.ts';

const scopes = ['read', 'ask', 'ingest', 'admin'] as const;
type Scope = (typeof scopes)[number];

/** What each scope may, by the README: the scopes that open a path. */
const readers: readonly Scope[] = ['read', 'ask', 'admin'];
const askers: readonly Scope[] = ['ask', 'admin'];
const writers: readonly Scope[] = ['ingest', 'admin'];
const everybody = 'everybody';

const chat = { messages: [{ role: 'user', content: 'Who is the harbour master?' }] };
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};

type Row = readonly [path: string, who: readonly Scope[] | typeof everybody, body?: object];

const table: readonly Row[] = [
  ['/health', everybody],
  ['/ready', everybody],
  ['/openapi.json', everybody],
  ['/metrics', ['admin']],
  ['/api/search', readers, { query: 'harbour' }],
  ['/api/ask', askers, { question: 'Who is the harbour master?' }],
  ['/api/documents', readers, {}],
  ['/api/document', readers, { uri: 'docs/harbour.txt' }],
  ['/api/show', readers, { ref: 'docs/harbour.txt#4-11' }],
  ['/api/source?ref=docs/harbour.txt', readers],
  ['/api/facets', readers, {}],
  ['/api/status', readers],
  ['/api/add', writers, { documents: [{ uri: 'note:1', text: 'A note.' }] }],
  ['/api/remove', writers, { uris: ['note:1'] }],
  ['/search', readers, { query: 'harbour' }],
  ['/chat/completions', askers, chat],
  ['/v1/chat/completions', askers, chat],
  ['/v1/responses', askers, { input: 'Who is the harbour master?' }],
  ['/v1/embeddings', readers, { input: 'harbour' }],
  ['/v1/models', readers],
  ['/mcp', readers, initialize],
];

const folder = makeTempFolder();
const secrets = new Map<Scope, string>();
let index: SearchIndex;
let server: RunningServer;

beforeAll(async () => {
  writeFiles(folder, docs);
  index = await openIndex(join(folder, '.ibid'), { create: true });
  await index.ingest(folder);
  const tokens = new TokenStore(join(folder, '.ibid/tokens.json'));
  for (const scope of scopes) secrets.set(scope, tokens.create({ name: scope, scopes: [scope] }).secret);
  server = await serve({ indexes: index, port: 0, tokens });
}, 60_000);
afterAll(async () => {
  await server.stop();
  await index.close();
});

const asked = async (path: string, body: object | undefined, secret: string | undefined): Promise<number> => {
  const headers = {
    accept: 'application/json, text/event-stream',
    ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
  };
  return (await call(server, path, { headers, ...(body && { json: body }) })).status;
};

it.each(table.map((row) => ({ path: row[0], row })))('$path is open to whom the README says', async ({ row }) => {
  const [path, who, body] = row;
  const open = who === everybody;
  expect(await asked(path, body, undefined)).toBe(open ? 200 : 401);
  expect(await asked(path, body, 'ibid_wrong')).toBe(open ? 200 : 401);
  for (const scope of scopes)
    expect({ scope, status: await asked(path, body, secrets.get(scope)) }).toEqual({
      scope,
      status: open || who.includes(scope) ? 200 : 403,
    });
});

it('the table has every path of the description', async () => {
  const { json } = await call(server, '/openapi.json');
  const known = new Set(table.map(([path]) => path.replace(/\?.*/, '')));
  const missing = Object.keys(json.paths).filter((path) => !known.has(path));
  expect(missing.filter((path) => path !== '/api/shard')).toEqual([]); // packed, with tests of its own
});

it('bodies that are no JSON, are too large or of another type get a status of their own on each path', async () => {
  const authorization = `Bearer ${secrets.get('admin')}`;
  const sent = async (path: string, type: string | undefined, body: string): Promise<number> => {
    const headers = { authorization, ...(type !== undefined && { 'content-type': type }) };
    return (await fetch(`${server.url}${path}`, { method: 'POST', headers, body })).status;
  };
  for (const [path, , body] of table) {
    if (!body) continue;
    const seen = {
      path,
      text: await sent(path, 'text/plain', JSON.stringify(body)),
      form: await sent(path, 'application/x-www-form-urlencoded', 'query=harbour'),
      broken: await sent(path, 'application/json', '{"query": '),
      large: await sent(path, 'application/json', JSON.stringify({ query: 'x'.repeat(2 ** 20 + 1) })),
      list: await sent(path, 'application/json', '[1]'),
      deep: await sent(path, 'application/json', '['.repeat(100_000)),
    };
    expect(seen).toEqual({ path, text: 415, form: 415, broken: 400, large: 413, list: 400, deep: 400 });
  }
});
