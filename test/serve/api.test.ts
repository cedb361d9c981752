import { copyFileSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createParser } from 'eventsource-parser';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openIndex } from '../../src/index.ts';
import * as shapes from '../../src/serve/answer-shapes.ts';
import { askRequest } from '../../src/serve/request-shapes.ts';
import { checkValue } from '../../src/serve/schema.ts';
import { type RunningServer, serve } from '../../src/serve.ts';
import { makeTempFolder, tempFolder, writeFiles } from '../support/temp.ts';
import { call, docs, started } from './support.ts';

describe('the API of a server', () => {
  const folder = makeTempFolder();
  let server: RunningServer;
  beforeAll(async () => {
    writeFiles(folder, docs);
    const index = await openIndex(join(folder, '.ibid'), { create: true });
    await index.ingest(folder);
    server = await serve({ indexes: index, port: 0 });
    return async () => {
      await server.stop();
      await index.close();
    };
  }, 60_000);

  it('searches, by body and by address, with the shapes it describes', async () => {
    const posted = await call(server, '/api/search', { json: { query: 'rapeseed oil', limit: 2 } });
    expect(posted.status).toBe(200);
    expect(posted.json.hits[0]).toMatchObject({ rank: 1, uri: 'docs/lighthouse.md', format: 'markdown' });
    expect(() => checkValue(shapes.searchAnswer, posted.json)).not.toThrow();
    const got = await call(server, '/api/search?query=rapeseed+oil&limit=2');
    expect(got.json.hits).toEqual(posted.json.hits);
    const filtered = await call(
      server,
      `/api/search?query=gate+keeper&where=${encodeURIComponent('{"format":"text"}')}`,
    );
    expect(new Set(filtered.json.hits.map(({ uri }: { uri: string }) => uri))).toEqual(new Set(['docs/harbour.txt']));
  });

  it('answers with citations that stand in the documents, and refuses what they do not know', async () => {
    const { json } = await call(server, '/api/ask', { json: { question: 'How long does a full tank last?' } });
    expect(() => checkValue(shapes.answerAnswer, json)).not.toThrow();
    const [first] = json.citations;
    const whole = await call(server, `/api/document?uri=${encodeURIComponent(first.uri)}`);
    expect(() => checkValue(shapes.documentAnswer, whole.json)).not.toThrow();
    expect(whole.json.text.slice(first.span.start, first.span.end)).toBe(first.quote);
    const none = await call(server, '/api/ask', { json: { question: 'Who won the chess olympiad of 1972?' } });
    expect(none.json).toMatchObject({ abstained: true, confidence: 'none', citations: [] });
  });

  it('answers as events, whose last one is the whole answer', async () => {
    const { headers, text } = await call(server, '/api/ask?question=Who+is+the+harbour+master%3F&stream=true');
    expect(headers.get('content-type')).toBe('text/event-stream');
    const events: { event: string | undefined; data: { text?: string; answer?: string } }[] = [];
    createParser({ onEvent: ({ event, data }) => events.push({ event, data: JSON.parse(data) }) }).feed(text);
    expect(events.map(({ event }) => event)).toEqual(['hits', 'citation', 'text', 'done']);
    const words = events.flatMap(({ event, data }) => (event === 'text' ? [data.text] : [])).join('');
    expect(words).toBe(events.at(-1)!.data.answer);
    expect(words).toContain('Ines Okafor');
  });

  it('takes the longest question by address too, in any script', async () => {
    const longest = encodeURIComponent('泵'.repeat(4000));
    for (const path of [`/?q=${longest}`, `/api/search?limit=1&query=${longest}`])
      expect([path.slice(0, 20), (await call(server, path)).status]).toEqual([path.slice(0, 20), 200]);
  });

  it('says of a filter what is wrong with it, not what else it might have been', async () => {
    for (const [where, said] of [
      [{ uri: { like: 5 } }, 'where.uri.like must be a string'],
      [{ uri: { near: 'x' } }, 'where.uri.near is not known; known are not, gt, gte, lt, lte, like'],
      [{ title: { gt: [] } }, 'where.title.gt must be a string, or a number'],
    ] as const) {
      const { status, json } = await call(server, '/api/search', { json: { query: 'oil', where } });
      expect([status, json.error.message.slice(0, said.length)]).toEqual([400, said]);
    }
  });

  it('counts the documents of a site as those of a folder', async () => {
    const index = await openIndex(`${tempFolder()}/.ibid`, { create: true });
    await index.add(
      ['https://a.example/x/1', 'https://a.example/x/2', 'https://a.example/', 'https://b.example', 'note:1'].map(
        (uri) => ({ uri, text: `This is ${uri}.` }),
      ),
    );
    await using other = await serve({ indexes: index, port: 0 });
    const { json } = await call(other, '/api/facets');
    expect(json.folders).toEqual([
      { value: 'https://a.example/', documents: 3 },
      { value: 'https://a.example/x/', documents: 2 },
    ]);
    await index.close();
  });

  it('lists documents in pages, and says what they can be filtered by', async () => {
    const { json } = await call(server, '/api/documents?limit=2');
    expect(json).toMatchObject({ total: 3 });
    const rest = await call(server, '/api/documents?offset=2');
    expect([...json.documents, ...rest.json.documents].map(({ uri }) => uri).sort()).toEqual(Object.keys(docs).sort());
    const { json: facets } = await call(server, '/api/facets');
    expect(facets).toMatchObject({ documents: 3, complete: true, folders: [{ value: 'docs/', documents: 3 }] });
    expect(facets.metadata.find(({ key }: { key: string }) => key === 'team')).toEqual({
      key: 'team',
      documents: 1,
      values: [{ value: 'ops', documents: 1 }],
    });
  });

  it('gives a file under its own name, whatever is in it', async () => {
    const name = `Bücher (1) 'x' * 50%.docx`;
    const own = tempFolder();
    copyFileSync(
      new URL('../../datasets/demo/reports/blade-inspection-2025-04.docx', import.meta.url),
      join(own, name),
    );
    const index = await openIndex(join(own, '.ibid'), { create: true });
    onTestFinished(() => index.close());
    await index.ingest(own);
    const path = `/api/source?ref=${encodeURIComponent(encodeURIComponent(name))}`;
    const { status, headers } = await call(await started({ indexes: index }), path, { method: 'HEAD' });
    expect(status).toBe(200);
    const [, written = ''] =
      /^inline; filename\*=UTF-8''([\w.!#$&+^`|~%-]+)$/.exec(headers.get('content-disposition')!) ?? [];
    expect(decodeURIComponent(written)).toBe(name);
  });

  it('says from when to when of days and numbers, and not of names that begin with a day', async () => {
    const index = await openIndex(join(tempFolder(), 'index'), { create: true });
    onTestFinished(() => index.close());
    await index.add([
      {
        uri: 'n:1',
        text: 'One.',
        metadata: { day: '2025-01-02', at: '2025-01-02T10:00:00Z', n: 5, file: '2025-01-02-a.vtt' },
      },
      {
        uri: 'n:2',
        text: 'Two.',
        metadata: { day: '2024-01-02', at: '2026-01-02 10:00', n: 7, file: '2026-01-02.vtt' },
      },
    ]);
    const { json } = await call(await started({ indexes: index }), '/api/facets');
    const ends = json.metadata.map(({ key, least, most }: Record<string, unknown>) => [key, least, most]);
    expect(Object.fromEntries(ends.map(([key, ...rest]: unknown[]) => [key, rest]))).toEqual({
      ...{ day: ['2024-01-02', '2025-01-02'], at: ['2025-01-02T10:00:00Z', '2026-01-02 10:00'], n: [5, 7] },
      file: [undefined, undefined],
    });
  });

  it('shows a cited passage, and says what became of its file', async () => {
    const { json } = await call(server, `/api/show?ref=${encodeURIComponent('docs/harbour.txt#4-11')}`);
    expect(json).toMatchObject({ quote: 'harbour', source: 'same', place: { lines: [1, 1] } });
    expect(() => checkValue(shapes.showAnswer, json)).not.toThrow();
    expect((await call(server, '/api/show?ref=docs/none.md%231-2')).status).toBe(404);
  });

  it('gives the bytes of a file of the index, whole and in ranges, as a type that runs nothing', async () => {
    const bytes = readFileSync(join(folder, 'docs/page.html'), 'utf8');
    const whole = await call(server, '/api/source?ref=docs/page.html');
    expect(whole.text).toBe(bytes);
    expect(whole.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(whole.headers.get('content-security-policy')).toContain('sandbox');
    const ranges: [string, number, string | undefined][] = [
      ['bytes=4-9', 206, bytes.slice(4, 10)],
      ['bytes=-5', 206, bytes.slice(-5)],
      ['bytes=10-', 206, bytes.slice(10)],
      [`bytes=0-${bytes.length + 50}`, 206, bytes],
      [`bytes=${bytes.length}-`, 416, undefined],
      ['bytes=9-4', 200, bytes],
      ['bytes=0-1,4-5', 200, bytes],
      ['lines=1-2', 200, bytes],
    ];
    for (const [range, status, text] of ranges) {
      const part = await call(server, '/api/source?ref=docs/page.html', { headers: { range } });
      expect([range, part.status]).toEqual([range, status]);
      if (text !== undefined) expect(part.text).toBe(text);
    }
    const head = { method: 'HEAD', headers: { range: 'bytes=4-9' } }; // ranges are of GET alone, by RFC 9110, 14.2
    const { status, headers } = await fetch(`${server.url}/api/source?ref=docs/page.html`, head);
    expect([status, headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    const etag = whole.headers.get('etag')!;
    const kept: [string, number][] = [
      ...[etag, `W/${etag}`, `"other", ${etag}`, `"a,b",W/${etag} , "c"`, '*'].map((one): [string, number] => [
        one,
        304,
      ]),
      ...['"other"', `"x${etag.slice(1)}`, etag.slice(1, -1)].map((one): [string, number] => [one, 200]),
    ];
    for (const [match, expected] of kept) {
      const again = await fetch(`${server.url}/api/source?ref=docs/page.html`, { headers: { 'if-none-match': match } });
      expect([match, again.status]).toEqual([match, expected]);
    }
  });

  it.each([
    '../../etc/passwd',
    '/etc/passwd',
    'docs/../docs/page.html',
    '.ibid/settings.json',
    'docs',
    'docs/page.html%00',
  ])('gives no bytes of %s, which is no document', async (ref) => {
    const { status, text } = await call(server, `/api/source?ref=${encodeURIComponent(ref)}`);
    expect([404, 400]).toContain(status);
    expect(text).not.toContain('root:');
  });

  it('gives no bytes of a file that has changed since it was indexed', async () => {
    writeFileSync(join(folder, 'docs/harbour.txt'), 'Something else.\n');
    expect(await call(server, '/api/source?ref=docs/harbour.txt')).toMatchObject({ status: 409 });
    writeFiles(folder, { 'docs/harbour.txt': docs['docs/harbour.txt']! });
    expect((await call(server, '/api/source?ref=docs/harbour.txt')).status).toBe(409); // the time differs
  });

  it.skipIf(process.platform === 'win32')(
    'gives no file behind a link that has taken the place of a folder',
    async () => {
      const folder = tempFolder({ 'docs/notes/a.txt': 'The harbour opens at six.\n' });
      utimesSync(join(folder, 'docs/notes/a.txt'), 1e9, 1e9);
      const index = await openIndex(join(folder, '.ibid'), { create: true });
      onTestFinished(() => index.close());
      await index.ingest(folder);
      const server = await started({ indexes: index });
      const path = '/api/source?ref=docs/notes/a.txt';
      expect((await call(server, path)).text).toBe('The harbour opens at six.\n');
      const outside = tempFolder({ 'a.txt': 'A secret of the same size\n' });
      utimesSync(join(outside, 'a.txt'), 1e9, 1e9);
      rmSync(join(folder, 'docs/notes'), { recursive: true });
      symlinkSync(outside, join(folder, 'docs/notes'));
      const { status, text } = await call(server, path);
      expect([status, text.includes('secret')]).toEqual([409, false]);
    },
  );

  it.skipIf(process.platform === 'win32')('gives the files of a folder that was itself named by a link', async () => {
    const folder = tempFolder();
    symlinkSync(tempFolder({ 'deep/a.txt': 'The harbour opens at six.\n' }), join(folder, 'docs'));
    const index = await openIndex(join(folder, '.ibid'), { create: true });
    onTestFinished(() => index.close());
    await index.ingest(join(folder, 'docs'));
    const server = await started({ indexes: index });
    expect((await call(server, '/api/source?ref=docs/deep/a.txt')).text).toBe('The harbour opens at six.\n');
  });

  it('tells its state without a path of the machine', async () => {
    const { json, text } = await call(server, '/api/status');
    expect(() => checkValue(shapes.statusAnswer, json)).not.toThrow();
    expect(json.indexes[0]).toMatchObject({ name: 'default', documents: 3 });
    expect(text).not.toContain(folder);
    expect(await call(server, '/health')).toMatchObject({ status: 200 });
    expect((await call(server, '/ready')).json).toEqual({ ready: true });
    const { text: metrics } = await call(server, '/metrics');
    expect(metrics).toMatch(/^ibid_requests_total\{route="\/api\/search",status="200"\} \d+$/m);
    expect(metrics).toMatch(/^ibid_requests_working 0$/m);
  });

  it('describes each of its paths with the schemas that check requests', async () => {
    const { json } = await call(server, '/openapi.json');
    expect(json.openapi).toBe('3.1.0');
    expect(Object.keys(json.paths)).toEqual(
      expect.arrayContaining([
        '/api/search',
        '/api/ask',
        '/api/documents',
        '/api/document',
        '/api/show',
        '/api/source',
      ]),
    );
    const { schema } = json.paths['/api/ask'].post.requestBody.content['application/json'];
    expect(schema).toEqual(askRequest);
    expect(
      json.paths['/api/search'].get.parameters.find(({ name }: { name: string }) => name === 'query').required,
    ).toBe(true);
  });

  it('describes what is no JSON too', async () => {
    const { json } = await call(server, '/openapi.json');
    const typesOf = (path: string): string[] => Object.keys(json.paths[path].get.responses[200].content);
    expect(typesOf('/api/ask')).toEqual(['application/json', 'text/event-stream']);
    expect(typesOf('/api/source')).toEqual(['*/*']);
  });

  it('answers of a recording nothing that is not described, and reads it by its times', async () => {
    const index = await openIndex(join(tempFolder(), 'index'), { create: true });
    onTestFinished(() => index.close());
    await index.ingest(fileURLToPath(new URL('../../datasets/demo/recordings', import.meta.url)));
    const own = await started({ indexes: index });
    const [{ uri }] = (await call(own, '/api/documents')).json.documents.filter((one: { uri: string }) =>
      one.uri.endsWith('foghorn.ogg'),
    );
    const ref = `${uri}#t=11.001,14.212`; // the third caption
    const { json } = await call(own, `/api/show?ref=${encodeURIComponent(ref)}`);
    expect(json.quote).toContain('Then it should stay silent until there is real fog.');
    const { properties } = (await call(own, '/openapi.json')).json.paths['/api/show'].get.responses[200].content[
      'application/json'
    ].schema;
    expect(Object.keys(json).filter((key) => !Object.hasOwn(properties, key))).toEqual([]);
    const params = { name: 'read', arguments: { ref, around: 0 } };
    const read = await call(own, '/mcp', { json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } });
    expect(read.json.result.structuredContent.text).toContain('Then it should stay silent until there is real fog.');
    expect(read.json.result.structuredContent.text).not.toContain('Voice note');
  });

  it.each([
    [{ query: '' }, /query must not be empty/],
    [{ query: 'x', limit: 0 }, /limit must be at least 1/],
    [{ query: 'x', limit: '5' }, /limit must be a whole number/],
    [{ query: 'x', where: "format = 'pdf'" }, /where must be an object/],
    [{ query: 'x', where: { format: { is: 1 } } }, /where\.format/],
    [{ query: 'x', where: { nothing: 1 } }, /there is no column "nothing"/],
    [{ query: 'x', colour: 1 }, /colour is not known/],
    [{ query: 'x'.repeat(5000) }, /allowed are 4000/],
    [[], /must be an object/],
    [{}, /query is missing/],
  ])('refuses %j with a reason', async (json, message) => {
    const { status, json: answered } = await call(server, '/api/search', { json });
    expect(status).toBe(400);
    expect(answered.error.message).toMatch(message);
  });
});
