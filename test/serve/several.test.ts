import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { SpanKind, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openIndex, type SearchIndex } from '../../src/index.ts';
import { statusAnswer } from '../../src/serve/answer-shapes.ts';
import { checkValue } from '../../src/serve/schema.ts';
import { readLayout, shardFolders, shardOf } from '../../src/store/shards/layout.ts';
import { fakeEmbedder } from '../../src/testing.ts';
import { tempFolder } from '../support/temp.ts';
import { call, started } from './support.ts';

async function noted(notes: Readonly<Record<string, string>>): Promise<SearchIndex> {
  const index = await openIndex(join(tempFolder(), 'index'), { create: true, embedder: fakeEmbedder() });
  onTestFinished(() => index.close());
  await index.add(Object.entries(notes).map(([uri, text]) => ({ uri, text })));
  return index;
}

interface ToolData {
  readonly hits?: readonly object[];
  readonly citations?: readonly { readonly ref: string; readonly index: string }[];
}

describe('several indexes in one server', () => {
  const made = async (): Promise<Awaited<ReturnType<typeof started>>> => {
    const handbook = await noted({
      'note:pump': 'The pump is serviced in May by the harbour crew.',
      'note:tea': 'Tea is served at four.',
    });
    const tickets = await noted({
      'note:pump': 'A ticket: the pump leaks.',
      'note:gate': 'The gate was jammed on Monday.',
    });
    return await started({ indexes: { handbook, tickets } });
  };

  it('are searched together, in one ranking that says which is which', async () => {
    const server = await made();
    const hitsOf = async (index?: unknown): Promise<{ index: string; uri: string; score: number; rank: number }[]> =>
      (await call(server, '/api/search', { json: { query: 'pump', ...(index !== undefined && { index }) } })).json.hits;
    const both = await hitsOf();
    expect(new Set(both.map(({ index }) => index))).toEqual(new Set(['handbook', 'tickets']));
    expect(both.map(({ rank }) => rank)).toEqual(both.map((_, i) => i + 1));
    // the oracle: each alone, merged by hand
    const alone = [...(await hitsOf('handbook')), ...(await hitsOf(['tickets']))].sort((a, b) => b.score - a.score);
    expect(both.map(({ index, uri, score }) => [index, uri, score])).toEqual(
      alone.map(({ index, uri, score }) => [index, uri, score]),
    );
    expect(await hitsOf('none')).toBeUndefined();
    for (const list of ['index=handbook&index=tickets', `index=${encodeURIComponent('["handbook","tickets"]')}`])
      expect((await call(server, `/api/search?query=pump&${list}`)).json.hits, list).toHaveLength(both.length);
  });

  it('are asked together: the one with the most support answers', async () => {
    const server = await made();
    const ask = async (question: string): Promise<{ index: string; support: number }> =>
      (await call(server, '/api/ask', { json: { question } })).json;
    expect(await ask('When is the pump serviced?')).toMatchObject({ index: 'handbook' });
    expect(await ask('When was the gate jammed?')).toMatchObject({ index: 'tickets' });
  });

  it('have documents of the same name, which the name of the index tells apart', async () => {
    const server = await made();
    const text = async (index: string): Promise<string> =>
      (await call(server, `/api/document?uri=note:pump&index=${index}`)).json.text;
    expect(await text('tickets')).toContain('leaks');
    expect(await text('handbook')).toContain('serviced');
    expect((await call(server, '/api/document?uri=note:gate')).json.text).toContain('jammed'); // found where it is
    expect((await call(server, '/api/document?uri=note:gate&index=handbook')).status).toBe(404);
    const { json } = await call(server, '/api/documents?limit=3');
    expect(json.total).toBe(4);
    const rest = await call(server, '/api/documents?offset=3');
    expect([...json.documents, ...rest.json.documents].map(({ index, uri }) => `${index} ${uri}`).sort()).toEqual([
      'handbook note:pump',
      'handbook note:tea',
      'tickets note:gate',
      'tickets note:pump',
    ]);
  });

  it('are told apart by an assistant: what it is shown leads to the document that was meant', async () => {
    const server = await made();
    const use = async (name: string, args: object): Promise<{ text: string; data: ToolData }> => {
      const params = { name, arguments: args };
      const { json } = await call(server, '/mcp', { json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } });
      return { text: json.result.content[0].text, data: json.result.structuredContent };
    };
    const asked = await use('ask', { question: 'What leaks?' });
    const [cited] = asked.data.citations!;
    expect(cited).toMatchObject({ quote: expect.stringContaining('leaks'), index: 'tickets' });
    const searched = await use('search', { query: 'ticket leaks', limit: 1 });
    expect(searched.data.hits![0]).toMatchObject({ index: 'tickets' });
    for (const { text } of [asked, searched]) expect(text).toMatch(/note:pump#\d+-\d+ \(index tickets\)/);
    const read = await use('read', { ref: cited!.ref, index: cited!.index });
    expect(read.data).toMatchObject({ text: expect.stringContaining('leaks'), index: 'tickets' });
    expect(read.text).toContain('(index tickets)');
    const listed = (await use('list', {})).text.split('\n').filter((line) => line.startsWith('note:pump'));
    expect(listed.map((line) => /\(index \w+\)/.exec(line)?.[0])).toEqual(['(index handbook)', '(index tickets)']);
  });

  it('are named with each place, so that it can be found again', async () => {
    const server = await made();
    for (const path of ['/api/show?ref=note:gate%230-8', '/api/document?uri=note:gate'])
      expect((await call(server, path)).json, path).toMatchObject({ index: 'tickets' });
  });

  it('say what is in them where a shard of one is gone, whose other documents keep their files', async () => {
    const base = tempFolder(Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`docs/n${i}.md`, `Note ${i}.`])));
    const address = join(base, 'sharded');
    const sharded = await openIndex(address, { create: true, base, shards: 3 });
    await sharded.ingest([join(base, 'docs')]);
    await sharded.close();
    const folders = shardFolders(address, readLayout(address)!);
    rmSync(folders[0]!, { recursive: true });
    const left = Array.from({ length: 12 }, (_, i) => `docs/n${i}.md`).filter((uri) => shardOf(uri, 3) !== 0).length;
    expect(left).toBeLessThan(12); // or else this would try nothing
    const broken = await openIndex(address, { base });
    onTestFinished(() => broken.close());
    const whole = await noted({ 'note:tea': 'Tea is served at four.' });
    const server = await started({ indexes: { broken, whole } });
    const { status, json } = await call(server, '/api/status');
    expect(status).toBe(200);
    expect(() => checkValue(statusAnswer, json)).not.toThrow();
    const shards = { asked: 3, missing: ['INDEX_NOT_FOUND'] };
    expect(json.indexes).toMatchObject([
      { name: 'broken', documents: left, shards },
      { name: 'whole', documents: 1 },
    ]);
    expect(JSON.stringify(json)).not.toContain(base);
    const params = { name: 'status', arguments: {} };
    const told = await call(server, '/mcp', { json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } });
    const lacking = 'Incomplete: 1 of 3 shards could not be read (INDEX_NOT_FOUND)';
    expect(told.json.result.content[0].text).toContain(`broken: ${left} documents`);
    expect(told.json.result.content[0].text).toContain(lacking);
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list', arguments: {} } };
    expect((await call(server, '/mcp', { json: list })).json.result.content[0].text).toContain(lacking);
    const { documents, ...rest } = (await call(server, '/api/documents?index=broken')).json;
    expect(documents).toHaveLength(left);
    expect(rest).toEqual({ total: left, shards });
    for (const { uri } of documents)
      expect((await call(server, `/api/source?index=broken&ref=${encodeURIComponent(uri)}`)).status, uri).toBe(200);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    expect((await call(server, '/api/status?index=broken')).status).toBe(503);
    const both = (await call(server, '/api/status')).json;
    expect(() => checkValue(statusAnswer, both)).not.toThrow();
    expect(both.indexes).toEqual([
      {
        name: 'broken',
        error: {
          code: 'INDEX_NOT_FOUND',
          message: expect.not.stringContaining(base),
          hint: expect.stringContaining('`ibid ingest`'),
        },
      },
      expect.objectContaining({ name: 'whole', documents: 1 }),
    ]);
  });

  it('are refused under names that addresses cannot carry', async () => {
    const index = await noted({ a: 'x' });
    await expect(started({ indexes: { '../x': index } })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(started({ indexes: {} })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

it('each request is a span, with its route and status, and without what was asked', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  onTestFinished(() => trace.disable());
  const server = await started({ indexes: await noted({ 'note:1': 'The pump is serviced in May.' }) });
  await call(server, '/api/ask?question=pump');
  await call(server, '/api/search');
  const spans = exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.SERVER);
  expect(spans.map(({ name, attributes }) => [name, attributes['http.response.status_code']])).toEqual([
    ['GET /api/ask', 200],
    ['GET /api/search', 400],
  ]);
  const all = exporter.getFinishedSpans();
  expect(JSON.stringify(all.map(({ name, attributes, events }) => [name, attributes, events]))).not.toContain('pump');
  const [asked] = spans;
  const below = (parent: string | undefined): unknown[] =>
    all
      .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
      .map((span) => [span.name, below(span.spanContext().spanId)]);
  expect(below(asked!.spanContext().spanId)).toEqual([
    ['search', [['embed query', []]]],
    ['answer', []],
  ]);
});
