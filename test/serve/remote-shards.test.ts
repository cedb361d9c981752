import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openIndex, openIndexes, type SearchIndex } from '../../src/index.ts';
import { pack, unpack } from '../../src/retrieve/shards/packed.ts';
import { TokenStore } from '../../src/serve.ts';
import { notes, questions, variants } from '../support/sea-notes.ts';
import { tempFolder } from '../support/temp.ts';
import { started } from './support.ts';

async function made(): Promise<SearchIndex> {
  const base = tempFolder(notes(0, 45));
  const index = await openIndex(join(base, '.ibid'), { create: true, base });
  onTestFinished(() => index.close());
  await index.ingest([join(base, 'docs')]);
  return index;
}

describe('indexes that are all on other machines', () => {
  it('are searched with their vectors too', async () => {
    const whole = await made();
    const server = await started({ indexes: whole });
    await using joined = await openIndexes([server.url]);
    for (const query of questions)
      for (const options of variants) {
        const [one, far] = [await whole.search(query, options), await joined.search(query, options)];
        expect({ query, options, hits: far.hits }).toEqual({ query, options, hits: one.hits });
        expect([far.report.mode, far.report.warnings]).toEqual([one.report.mode, []]);
      }
    expect((await whole.search(questions[0]!, { mode: 'dense' })).hits.length).toBeGreaterThan(0);
  });

  it('take a long question, a long quote and a long filter', async () => {
    const whole = await made();
    const server = await started({ indexes: whole });
    await using joined = await openIndexes([server.url]);
    const words = Array.from({ length: 700 }, (_, i) => `anchor${i} buoy${i}`).join(' ');
    const uris = Array.from({ length: 2000 }, (_, i) => `'docs/note-${i * 3}.md'`).join(', ');
    const asked = [
      [words, {}],
      [`"${words}" anchor`, {}],
      [Array.from({ length: 150 }, (_, i) => `"anchor ${i}"`).join(' '), {}],
      ['anchor', { where: `uri IN (${uris})` }],
    ] as const;
    for (const [query, options] of asked) {
      const [one, far] = [await whole.search(query, options), await joined.search(query, options)];
      expect(one.hits.length).toBeGreaterThan(0);
      expect(far.hits).toEqual(one.hits);
    }
  });

  it('are searched by words where none gives its embedder, which is said, and with vectors once one does', async () => {
    const whole = await made();
    const server = await started({ indexes: whole });
    let isBroken = true;
    const front = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const headers = { 'content-type': 'application/json' };
      if (isBroken && JSON.parse(body.toString()).kind === 'model') return response.writeHead(200, headers).end('7');
      const answered = await fetch(`${server.url}${request.url}`, { method: 'POST', body, headers });
      response.writeHead(answered.status, headers).end(await answered.text());
    }).listen(0, '127.0.0.1');
    await once(front, 'listening');
    onTestFinished(() => void front.close().closeAllConnections());
    await using joined = await openIndexes([`http://127.0.0.1:${(front.address() as AddressInfo).port}`]);
    const { report } = await joined.search(questions[0]!);
    expect(report).toMatchObject({ mode: 'lexical', warnings: [{ code: 'RESPONSE_INVALID' }] });
    isBroken = false;
    const { hits, report: next } = await joined.search(questions[0]!);
    expect(next).toMatchObject({ mode: 'hybrid', warnings: [] });
    expect(hits).toEqual((await whole.search(questions[0]!)).hits);
  });

  it('say that a token with a filter gets no embedder', async () => {
    const whole = await made();
    const tokens = new TokenStore(join(tempFolder(), 'tokens.json'));
    const { secret } = tokens.create({ name: 'some', scopes: ['read'], where: { uri: { like: '%3.md' } } });
    const { url } = await started({ indexes: whole, tokens });
    await using joined = await openIndexes([{ url, token: secret }]);
    const { report } = await joined.search(questions[0]!);
    expect(report).toMatchObject({ mode: 'lexical', warnings: [{ code: 'PERMISSION_DENIED' }] });
  });
});

it('arrays travel as what they are, also in a Buffer and out of the middle of one', () => {
  const bytes = Buffer.from([1, 2, 3, 4]).subarray(1, 3);
  const value = { a: [Int8Array.from([-1, 5])], b: bytes, c: Float64Array.from([0.1]), d: 'text' };
  expect(unpack(JSON.parse(pack(value)))).toEqual({ ...value, b: Uint8Array.from([2, 3]) });
});
