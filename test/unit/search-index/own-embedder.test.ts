import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Embedder, openIndex } from '../../../src/index.ts';
import { fakeEmbedder } from '../../../src/testing.ts';
import { countTokens } from '../../../src/text/tokens/tokens.ts';
import { tempFolder } from '../../support/temp.ts';
import { notes, opened } from './own-notes.ts';

describe('an embedder of the caller', () => {
  it.each<[object, string]>([
    [{ id: '' }, '`id` must be a text'],
    [{ dimensions: '64' }, 'not string'],
    [{ dimensions: Number.NaN }, 'not NaN'],
    [{ embedDocuments: undefined }, '`embedDocuments`'],
    [{ embedQuery: undefined }, '`embedQuery`'],
    [{ identify: 5 }, '`identify`'],
    [{ embedQueries: 5 }, '`embedQueries`'],
    [{ withMeter: 5 }, '`withMeter`'],
    [{ limits: { tokens: Number.NaN } }, '`limits.tokens`'],
    [{ limits: { chunks: 0 } }, '`limits.chunks`'],
  ])('with %j is refused when the index is opened', async (part, message) => {
    const embedder = { ...fakeEmbedder(), ...part } as never;
    await expect(openIndex(join(tempFolder(), 'index'), { create: true, embedder })).rejects.toMatchObject({
      ...{ code: 'INVALID_ARGUMENT', message: expect.stringContaining(message) },
      hint: expect.stringContaining('embedderContract'),
    });
  });

  it.each<[string, unknown, string]>([
    ['throws', () => Promise.reject(new Error('no price')), 'CONTRACT_BROKEN'],
    [
      'throws at once',
      () => {
        throw new Error('no price');
      },
      'SERVICE_FAILED',
    ],
    ['gives nothing', () => undefined, 'CONTRACT_BROKEN'],
    ['gives another', () => fakeEmbedder(32), 'CONTRACT_BROKEN'],
  ])('whose `withMeter` %s is named, and calls that it might not count are not made', async (_, withMeter, code) => {
    const fake = fakeEmbedder();
    let calls = 0;
    const embedDocuments: Embedder['embedDocuments'] = (documents) => {
      calls++;
      return fake.embedDocuments(documents);
    };
    const embedder = { ...fake, embedDocuments, withMeter } as never;
    await using index = await openIndex(join(tempFolder(), 'index'), { create: true, embedder });
    await expect(index.add(notes, { budget: 1 })).rejects.toMatchObject({ code });
    expect(calls).toBe(0);
  });

  it('that never says what it is holds up nobody who leaves, and no close', async () => {
    const address = join(tempFolder(), 'index');
    {
      await using made = await openIndex(address, { create: true, embedder: fakeEmbedder() });
      await made.add(notes);
    }
    const silent = { ...fakeEmbedder(), identify: () => new Promise<never>(() => {}) };
    const index = await openIndex(address, { embedder: silent });
    const left = (reason: string) => {
      const caller = new AbortController();
      setImmediate(() => caller.abort(new Error(reason)));
      return { signal: caller.signal };
    };
    await expect(index.search('ferry', left('from the search'))).rejects.toThrow('from the search');
    await expect(index.ask('When does the ferry leave?', left('from the answer'))).rejects.toThrow('from the answer');
    const waiting = expect(index.search('ferry')).rejects.toThrow('the index is closed');
    await index.close();
    await waiting;
  });

  it('gets no call above its limits, and every chunk once, in order', async () => {
    const limits = { documents: 2, chunks: 3, tokens: 40, tokensPerDocument: 25 };
    const fake = fakeEmbedder();
    const calls: string[][][] = [];
    const embedDocuments: Embedder['embedDocuments'] = (documents) => {
      calls.push(documents.map(({ chunks }) => chunks.map(({ text }) => text)));
      return fake.embedDocuments(documents);
    };
    const text = (of: number): string =>
      Array.from({ length: of }, (_, i) => `Buoy ${of}-${i} lies north of the pier.`).join('\n\n');
    const documents = [4, 1, 2, 1, 1, 7].map((of) => ({ uri: `note:${of}-${Math.random()}`, text: text(of) }));
    const chunking = { maxTokens: 14, minTokens: 0 };
    await using index = await opened({ embedder: { ...fake, limits, embedDocuments }, chunking });
    calls.length = 0;
    await index.add(documents);
    for (const call of calls) {
      expect(call.length).toBeLessThanOrEqual(limits.documents);
      expect(call.flat().length).toBeLessThanOrEqual(limits.chunks);
      for (const chunks of call)
        if (chunks.length > 1) expect(countTokens(chunks.join(''))).toBeLessThanOrEqual(limits.tokensPerDocument);
      if (call.flat().length > 1) expect(countTokens(call.flat().join(''))).toBeLessThanOrEqual(limits.tokens);
    }
    const given = calls.map((call) => call.flat().join('')).join('');
    expect(given.length).toBe(documents.reduce((sum, document) => sum + document.text.length, 0));
    for (const document of documents) expect(given).toContain(document.text);
    expect(calls.some((call) => call.length > 1)).toBe(true); // the control: calls are not just small
    const { hits } = await index.search('Buoy 7-6 lies north of the pier.', { mode: 'dense', limit: 1 });
    expect(hits[0]!.chunk.text).toContain('Buoy 7-6');
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['more lists than documents', Array.from({ length: 4 }, () => [new Int8Array(64)])],
    ['no list for a document', [undefined, undefined, undefined]],
    ['a list that was never filled in', [new Array(1), new Array(1), new Array(1)]],
  ])('that gives %s is named', async (_, vectors) => {
    const embedder = { ...fakeEmbedder(), embedDocuments: async () => vectors } as never;
    await using index = await openIndex(join(tempFolder(), 'index'), { create: true, embedder });
    await expect(index.add(notes)).rejects.toMatchObject({ code: 'CONTRACT_BROKEN' });
  });

  it('may write each call into the same memory, as a runtime with a heap of its own does', async () => {
    const fake = fakeEmbedder();
    const heap = new Int8Array(64 * 64);
    const placed = (vector: Int8Array, at: number): Int8Array => {
      heap.set(vector, at * 64);
      return heap.subarray(at * 64, (at + 1) * 64);
    };
    const embedder: Embedder = {
      ...fake,
      limits: { documents: 1 },
      embedDocuments: async (documents) => {
        const vectors = await fake.embedDocuments(documents);
        return vectors.map((rows) => rows.map(placed));
      },
      embedQuery: async (query) => placed(await fake.embedQuery(query), 0),
    };
    await using index = await opened({ embedder });
    for (const { uri, text } of notes) {
      const { hits } = await index.search(text, { mode: 'dense', limit: 1 });
      expect(hits).toMatchObject([{ chunk: { uri }, score: expect.closeTo(1, 2) }]);
    }
    const [first, second] = await index.embed(['ferry', 'roses']);
    expect(first).not.toEqual(second);
  });

  it('that an open index was reembedded with searches and embeds from then on, as any other', async () => {
    await using index = await opened({ embedder: fakeEmbedder(32) });
    const again = async (): Promise<unknown> => [
      (await index.search('ferry')).report,
      await index.add([{ uri: 'note:again', text: `Added at ${performance.now()}.` }]),
    ];
    const works = [{ mode: 'hybrid', warnings: [] }, { failed: [] }];
    for (const to of [fakeEmbedder(64), 'local', fakeEmbedder(32)]) {
      expect(await index.reembed({ to, switch: 'always' })).toMatchObject({ switched: true });
      expect(await again()).toMatchObject(works);
    }
    await index.reembed({ to: fakeEmbedder(64), switch: 'never' });
    expect(await again()).toMatchObject(works);
  });

  it('whose server is away when it is asked what it is is named, and asked again', async () => {
    const address = join(tempFolder(), 'index');
    let isAway = false;
    const known = fakeEmbedder();
    const identify = async () => {
      if (isAway) throw new Error('no route');
      return known;
    };
    const embedder: Embedder = { ...known, id: 'fake', dimensions: 0, identify };
    const made = await openIndex(address, { create: true, embedder });
    await made.add(notes);
    await made.close();
    isAway = true;
    await using index = await openIndex(address, { embedder });
    const { report } = await index.search('ferry');
    expect(report.mode).toBe('lexical');
    expect(report.warnings).toMatchObject([{ code: 'SERVICE_FAILED', message: expect.stringContaining('no route') }]);
    isAway = false;
    expect((await index.search('ferry')).report).toMatchObject({ mode: 'hybrid', warnings: [] });
  });
});

it.each([
  ...['cache', 'chunking', 'embedder', 'models', 'reader', 'services', 'storageOptions', 'tuning'],
  ...['services.search', 'services.messages', 'services.audio', 'services.unavailable'],
  ...['models.writer', 'models.reranker', 'models.web', 'models.transcriber'],
])('null for %s is named', async (name) => {
  const [option = '', part] = name.split('.');
  const given = { [option]: part === undefined ? null : { [part]: null } };
  await expect(openIndex(join(tempFolder(), 'index'), { create: true, ...given })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: `${name} must be an object, not null`,
  });
});
