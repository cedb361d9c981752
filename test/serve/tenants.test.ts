import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Embedder, openIndex, type SearchIndex } from '../../src/index.ts';
import { type RunningServer, serve, TokenStore } from '../../src/serve.ts';
import { fakeEmbedder } from '../../src/testing.ts';
import { makeTempFolder, tempFolder, writeFiles } from '../support/temp.ts';
import { type Answered, call } from './support.ts';

/** Documents of one team, each with a word that only this team may see. */
const of = (team: string, word: string): Record<string, string> => ({
  [`${team}/pump.md`]: `---\ntitle: Pump of ${word}\nteam: ${team}\n---\n# The pump\n\nThe pump of ${word} is serviced in May.\n`,
  [`${team}/notes/ferry.md`]: `---\nteam: ${team}\n${word}: yes\n---\nThe ferry to ${word} leaves at seven in the morning.\n`,
  [`${team}/secret-${word}.md`]: `---\nteam: ${team}\n---\nThe password of ${word} is swordfish${word}.\n`,
});

describe('two tenants of one index', () => {
  const folder = makeTempFolder();
  let index: SearchIndex;
  let server: RunningServer;
  let token: { readonly ops: string; readonly garden: string; readonly admin: string; readonly reader: string };

  beforeAll(async () => {
    writeFiles(folder, { ...of('ops', 'quixotal'), ...of('garden', 'zebrine') });
    index = await openIndex(join(folder, '.ibid'), { create: true });
    await index.ingest(folder);
    const tokens = new TokenStore(join(folder, 'tokens.json'));
    const make = (name: string, scopes: ('read' | 'ask' | 'admin')[], team?: string): string =>
      tokens.create({ name, scopes, where: team === undefined ? undefined : { 'metadata.team': team } }).secret;
    token = {
      ops: make('ops', ['read', 'ask'], 'ops'),
      garden: make('garden', ['ask'], 'garden'),
      admin: make('admin', ['admin']),
      reader: make('reader', ['read']),
    };
    server = await serve({ indexes: index, port: 0, tokens });
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await index.close();
  });

  const as = (who: keyof typeof token, path: string, json?: unknown): Promise<Answered> =>
    call(server, path, { headers: { authorization: `Bearer ${token[who]}` }, ...(json !== undefined && { json }) });
  const mcp = (who: keyof typeof token, method: string, params: unknown): Promise<Answered> =>
    call(server, '/mcp', {
      headers: { authorization: `Bearer ${token[who]}`, accept: 'application/json, text/event-stream' },
      json: { jsonrpc: '2.0', id: 1, method, params },
    });
  /** The same in the protocol of 2026. */
  const mcp2026 = (who: keyof typeof token, method: string, name: string, params: object): Promise<Answered> =>
    call(server, '/mcp', {
      headers: {
        ...{ authorization: `Bearer ${token[who]}`, 'mcp-protocol-version': '2026-07-28' },
        ...{ 'mcp-method': method, 'mcp-name': name },
      },
      json: {
        ...{ jsonrpc: '2.0', id: 1, method },
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
    });
  const useTool = (who: keyof typeof token, name: string, args: object): Promise<Answered> =>
    mcp(who, 'tools/call', { name, arguments: args });

  /** Every way to ask, with words of one team, its names, its places. */
  const everyWay = (who: keyof typeof token, word: string, team: string): Promise<readonly Answered[]> => {
    const ref = `${team}/pump.md`;
    return Promise.all([
      as(who, '/api/search', { query: `the pump of ${word}`, limit: 20, explain: true, neighbours: 2 }),
      as(who, '/api/search', { query: `${word.slice(0, 5)}*`, limit: 20 }),
      as(who, '/api/search', { query: `"ferry to ${word}"`, mode: 'lexical' }),
      as(who, '/api/search', { query: `pump ${word}`, mode: 'dense', limit: 100 }),
      as(who, '/api/search', { query: 'pump', where: { 'metadata.team': team } }),
      as(who, '/api/search', { query: 'pump', where: { uri: { like: `${team}%` } } }),
      as(who, '/api/ask', { question: `When is the pump of ${word} serviced?`, sentences: 20, passages: 50 }),
      as(who, '/api/ask', { question: `What is the password of ${word}?`, stream: true }),
      as(who, '/api/documents', {}),
      as(who, '/api/documents', { where: { 'metadata.team': team } }),
      as(who, `/api/document?uri=${ref}`),
      as(who, `/api/show?ref=${ref}`),
      as(who, `/api/source?ref=${ref}`),
      as(who, '/api/facets'),
      as(who, '/api/status'),
      useTool(who, 'search', { query: `pump of ${word}`, limit: 30 }),
      useTool(who, 'ask', { question: `When does the ferry to ${word} leave?` }),
      useTool(who, 'read', { ref }),
      useTool(who, 'list', {}),
      useTool(who, 'status', {}),
      mcp(who, 'resources/list', {}),
      mcp(who, 'resources/read', { uri: `ibid://default/${ref}` }),
      mcp2026(who, 'tools/call', 'read', { name: 'read', arguments: { ref } }),
      mcp2026(who, 'resources/read', `ibid://default/${ref}`, { uri: `ibid://default/${ref}` }),
    ]);
  };

  it('reach all that is theirs, by every way: the planted words can be found', async () => {
    const answers = await everyWay('ops', 'quixotal', 'ops');
    for (const [i, { status }] of answers.entries()) expect([i, status]).toEqual([i, 200]);
    const without = answers.flatMap(({ text }, i) => (text.includes('quixotal') || text.includes('ops/') ? [] : [i]));
    expect(without).toEqual([14, 19]); // the two that only count
  });

  it.each([
    ['ops', 'zebrine', 'garden'],
    ['garden', 'quixotal', 'ops'],
  ] as const)('%s never sees a word, a name or a place of the other', async (who, word, team) => {
    const answers = await everyWay(who, word, team);
    const echoed = new RegExp(`swordfish${word}|${team}/|secret-|serviced in May.*${word}|"${word}"|to ${word} leaves`);
    const own = who === 'ops' ? /secret-quixotal/g : /secret-zebrine/g;
    for (const [i, { text, status }] of answers.entries()) {
      expect(status, String(i)).toBeLessThan(500);
      // the question comes back with the answer, and a path that was asked for may be named in an error
      const said = text
        .replaceAll(own, '')
        .replaceAll(JSON.stringify(`When is the pump of ${word} serviced?`), '')
        .replaceAll(/no document \\?"[^"]*"/g, '')
        .replaceAll(/ibid:\/\/default\/\S*/g, '');
      expect(echoed.exec(said)?.[0], `${i}: ${text.slice(0, 300)}`).toBeUndefined();
    }
    expect(answers[10]!.status).toBe(404);
    expect(answers[12]!.status).toBe(404);
  });

  it('get counts of their own documents alone', async () => {
    for (const who of ['ops', 'garden'] as const) {
      expect((await as(who, '/api/status')).json.indexes[0]).toMatchObject({ documents: 3, chunks: 3, failed: [] });
      expect((await as(who, '/api/documents')).json.total).toBe(3);
      expect((await as(who, '/api/facets')).json.documents).toBe(3);
    }
    expect((await as('admin', '/api/status')).json.indexes[0]).toMatchObject({ documents: 6 });
  });

  // The local embedder learns from all documents: what it knows of the others' words must not show either.
  it('get nothing by vectors for a word that only the other wrote', async () => {
    const dense = async (who: 'ops' | 'garden' | 'admin', query: string): Promise<number> =>
      (await as(who, '/api/search', { query, mode: 'dense' })).json.hits.filter(
        ({ score }: { score: number }) => score > 0,
      ).length;
    expect(await dense('ops', 'zebrine')).toBe(0);
    expect(await dense('ops', 'zebrine swordfishzebrine')).toBe(0);
    expect(await dense('garden', 'zebrine')).toBeGreaterThan(0); // the control: the embedder knows the word
  });

  it('is told the scores of an index that holds nothing else, whatever the others write', async () => {
    const before = (
      await as('ops', '/api/search', { query: 'when is the pump serviced', mode: 'lexical', explain: true })
    ).json.hits;
    await index.add([
      { uri: 'note:1', text: 'The pump is serviced in zebrine September.', metadata: { team: 'garden' } },
      { uri: 'note:2', text: 'Pumps, pumps, pumps. Serviced.', metadata: { team: 'garden' } },
    ]);
    const after = (
      await as('ops', '/api/search', { query: 'when is the pump serviced', mode: 'lexical', explain: true })
    ).json.hits;
    expect(after).toEqual(before);
    expect((await as('admin', '/api/status')).json.indexes[0].documents).toBe(8);
  });

  it('may do what the token says, and no more', async () => {
    expect((await as('reader', '/api/search?query=pump')).status).toBe(200);
    expect((await as('reader', '/api/ask?question=pump')).status).toBe(403);
    expect(await as('reader', '/metrics')).toMatchObject({
      status: 403,
      json: { error: { message: 'the token does not have the scope "admin"' } },
    });
    expect((await as('admin', '/metrics')).status).toBe(200);
    const { json } = await mcp('reader', 'tools/list', {});
    expect(json.result.tools.map(({ name }: { name: string }) => name)).not.toContain('ask');
    expect((await as('ops', '/api/ask', { question: 'pump', mode: 'grounded' })).status).toBe(403);
  });

  it('need a valid token: none, a wrong one, an expired and a revoked one are refused', async () => {
    expect(await call(server, '/api/search?query=pump')).toMatchObject({ status: 401 });
    for (const wrong of ['ibid_x', '', 'Basic abc', token.ops.slice(0, -1)])
      expect(
        (await call(server, '/api/search?query=pump', { headers: { authorization: `Bearer ${wrong}` } })).status,
      ).toBe(401);
    expect((await call(server, '/health')).status).toBe(200);
    const store = new TokenStore(join(folder, 'other.json'));
    const { secret, record } = store.create({
      name: 'short',
      scopes: ['read'],
      expires: new Date(Date.now() + 60_000),
    });
    vi.useFakeTimers({ toFake: ['Date'] });
    expect(store.find(secret)?.id).toBe(record.id);
    vi.setSystemTime(Date.now() + 61_000);
    expect(store.find(secret)).toBeUndefined();
    vi.useRealTimers();
    const lasting = store.create({ name: 'lasting', scopes: ['read'] });
    expect(store.revoke(lasting.record.id)).toBe(true);
    expect(store.find(lasting.secret)).toBeUndefined();
  });

  it('cannot write through a part of the index', async () => {
    const part = index.within({ 'metadata.team': 'ops' });
    // as a rejection: `part.ingest(folder).catch(…)` gets it
    for (const run of [part.ingest(folder), part.add([]), part.reembed({ to: 'local' }), part.repair()])
      await expect(run).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(part.remove('ops')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(part.embed(['zebrine'])).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await expect(index.within("position = 0 OR format = 'x'").search('pump')).resolves.toBeDefined();
    await expect(index.within({ text: { like: '%pump%' } }).search('pump')).resolves.toBeDefined(); // whole documents here
    expect(() => index.within({})).toThrow(expect.objectContaining({ code: 'INVALID_FILTER' }));
  });
});

// The oracle is an index that holds nothing else: not a digit may differ, of scores, support, corrections or counts.
describe('a part of an index', () => {
  it.each([
    'When is the pump of zebrine serviced?',
    'pump zebrin',
    'zebr* serviced',
    '"serviced in May"',
    'swordfishzebrine password',
    'ferry -morning',
    'quixotel pmup',
    'What is the capital of France?',
  ])('answers "%s" as an index of these documents alone', async (question) => {
    const notes = (team: string, word: string): { uri: string; text: string; metadata: { team: string } }[] =>
      Object.entries(of(team, word)).map(([uri, text]) => ({ uri, text, metadata: { team } }));
    const open = async (documents: readonly { uri: string; text: string }[]): Promise<SearchIndex> => {
      const made = await openIndex(join(tempFolder(), 'index'), { create: true, embedder: fakeEmbedder() });
      await made.add(documents);
      onTestFinished(() => made.close());
      return made;
    };
    const ops = notes('ops', 'quixotal');
    const both = (await open([...notes('garden', 'zebrine'), ...ops, ...notes('alien', 'pmup')])).within({
      'metadata.team': 'ops',
    });
    const alone = (await open(ops)).within({ 'metadata.team': 'ops' });
    const told = async (index: SearchIndex): Promise<unknown> => {
      const found = [];
      for (const mode of ['hybrid', 'lexical'] as const) {
        const { hits, report } = await index.search(question, { mode, explain: true, neighbours: 1 });
        found.push(hits, report.corrected);
      }
      const { report: _, ...answer } = await index.ask(question, { mode: 'extractive' });
      const { bytesOnDisk: __, address: ___, ...status } = await index.status();
      return { found, answer, status, documents: (await index.documentPage()).total };
    };
    expect(await told(both)).toEqual(await told(alone));
  });

  // An embedder that was trained elsewhere knows "automobile" and "Wagen" without any document here.
  it('finds by the meaning of words that none of its documents holds, with an embedder of the caller', async () => {
    const subjects = [/car\b|automobile|wagen/i, /ship|vessel/i, /bread|loaf/i];
    const vectorOf = (text: string): Int8Array =>
      Int8Array.from({ length: 8 }, (_, i) => (subjects[i]?.test(text) ? 100 : 0));
    const embedder: Embedder = {
      id: 'subjects-1',
      dimensions: 8,
      embedDocuments: async (documents) => documents.map(({ chunks }) => chunks.map(({ text }) => vectorOf(text))),
      embedQuery: async (query) => vectorOf(query),
    };
    const index = await openIndex(join(tempFolder(), 'index'), { create: true, embedder });
    onTestFinished(() => index.close());
    const metadata = { team: 'ops' };
    await index.add([
      { uri: 'car', text: 'The car stands behind the hall.', metadata },
      { uri: 'ship', text: 'The ship lies in the harbour.', metadata },
      { uri: 'bread', text: 'The bread is baked at five.', metadata },
      { uri: 'other', text: 'An automobile, in German Wagen.', metadata: { team: 'garden' } },
    ]);
    const part = index.within({ 'metadata.team': 'ops' });
    for (const query of ['automobile', 'Wagen'])
      for (const mode of ['dense', 'hybrid'] as const)
        expect((await part.search(query, { mode })).hits[0]?.chunk.uri).toBe('car');
  });
});
