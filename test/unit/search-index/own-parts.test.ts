import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Embedder,
  type GroundedAsk,
  type OpenIndexOptions,
  openIndex,
  type SearchIndex,
} from '../../../src/index.ts';
import { fakeEmbedder, fakeLanguageModel, fakeReranker, fakeTranscriber, fakeWebSearch } from '../../../src/testing.ts';
import { countTokens } from '../../../src/text/tokens/tokens.ts';
import { pcm, wav } from '../../support/sound.ts';
import { tempFolder } from '../../support/temp.ts';

const notes = [
  { uri: 'note:1', text: 'The ferry leaves the harbour at seven.' },
  { uri: 'note:2', text: 'The ferry to the island leaves at nine.' },
  { uri: 'note:3', text: 'Prune the roses in March.' },
];

async function opened(options: OpenIndexOptions = {}): Promise<SearchIndex> {
  const index = await openIndex(join(tempFolder(), 'index'), { create: true, embedder: fakeEmbedder(), ...options });
  await index.add(notes);
  return index;
}

describe('a part of the caller that does not listen to the signal', () => {
  const never = () => new Promise<never>(() => {});
  const ask = { mode: 'grounded' } as const;
  it.each<[string, OpenIndexOptions, (index: SearchIndex, signal: AbortSignal) => PromiseLike<unknown>]>([
    [
      'an embedder of queries',
      { embedder: { ...fakeEmbedder(), embedQuery: never } },
      (index, signal) => index.search('ferry', { signal }),
    ],
    [
      'an embedder of documents',
      { embedder: { ...fakeEmbedder(), embedDocuments: never } },
      (index, signal) => index.add([{ uri: 'note:4', text: 'Tea is served at four.' }], { signal }),
    ],
    [
      'a reranker',
      { models: { reranker: { ...fakeReranker(), score: never } } },
      (index, signal) => index.search('ferry', { rerank: true, signal }),
    ],
    [
      'a model',
      {
        models: {
          writer: {
            ...fakeLanguageModel(),
            async *write() {
              yield await never();
            },
          },
        },
      },
      (index, signal) => index.ask('When does the ferry leave?', { ...ask, signal }),
    ],
  ])('is not waited for after the abort: %s', async (_, options, call) => {
    const address = join(tempFolder(), 'index');
    const made = await openIndex(address, { create: true, embedder: fakeEmbedder() });
    await made.add(notes);
    await made.close();
    await using index = await openIndex(address, { embedder: fakeEmbedder(), ...options });
    const abort = new AbortController();
    const stopped = new Error('stopped');
    setTimeout(() => abort.abort(stopped), 200);
    await expect((async () => await call(index, abort.signal))()).rejects.toBe(stopped);
    await using again = await openIndex(address, { embedder: fakeEmbedder() });
    expect(await again.add([{ uri: 'note:5', text: 'The lock is free.' }])).toMatchObject({ added: 1 });
  });
});

it('an abort between two events ends an answer without a model', async () => {
  await using index = await opened();
  const abort = new AbortController();
  const stopped = new Error('stopped');
  const types: string[] = [];
  const reading = async (): Promise<void> => {
    for await (const { type } of index.ask('When does the ferry leave?', { signal: abort.signal })) {
      types.push(type);
      abort.abort(stopped);
    }
  };
  await expect(reading()).rejects.toBe(stopped);
  expect(types).toEqual(['hits']);
});

describe('a transcriber of the caller', () => {
  const words = (...given: unknown[]) => ({ transcribe: async () => ({ transcript: { words: given } }) });
  it.each<[string, object, string]>([
    ['throws', { transcribe: () => Promise.reject(new Error('no route')) }, 'SERVICE_FAILED'],
    ['gives nothing', { transcribe: async () => undefined }, 'CONTRACT_BROKEN'],
    ['gives words without times', words({ text: 'anchor' }), 'CONTRACT_BROKEN'],
    ['gives words that are no texts', words({ text: 7, startMs: 0, endMs: 5 }), 'CONTRACT_BROKEN'],
    ['gives null for a speaker', words({ text: 'a', startMs: 0, endMs: 5, speaker: null }), 'CONTRACT_BROKEN'],
    ['gives times without end', words({ text: 'a', startMs: 0, endMs: Infinity }), 'CONTRACT_BROKEN'],
  ])('that %s fails the recording alone, and is named', async (_, part, code) => {
    const transcriber = { ...fakeTranscriber(), ...part } as never;
    const folder = tempFolder({ 'talk.wav': wav(pcm(500)), 'note.md': 'The ferry leaves at seven.' });
    const place = { create: true, base: folder, embedder: fakeEmbedder(), models: { transcriber } };
    await using index = await openIndex(join(folder, '.ibid'), place);
    const { added, failed } = await index.ingest(folder);
    expect(added).toBe(1);
    expect(failed).toMatchObject([{ uri: 'talk.wav', code, message: expect.stringContaining('the transcriber "') }]);
  });
});

it.each<[string, object]>([
  ['transcriber', { id: '' }],
  ['transcriber', { limits: { bytes: 1e9, seconds: Number.NaN } }],
  ['transcriber', { transcribe: undefined }],
  ['web', { id: '' }],
  ['web', { estimateUsd: 5 }],
  ['web', { search: undefined }],
])('a %s with %j is refused', async (name, part) => {
  const fake = name === 'web' ? fakeWebSearch([]) : fakeTranscriber();
  const folder = tempFolder({ 'talk.wav': wav(pcm(500)), 'note.md': 'The ferry leaves at seven.' });
  const models = { [name]: { ...fake, ...part } } as never;
  await using index = await openIndex(join(folder, '.ibid'), { create: true, base: folder, models });
  const used = async () => await (name === 'web' ? index.search('ferry', { web: true }) : index.ingest(folder));
  await expect(used()).rejects.toMatchObject({
    ...{ code: 'INVALID_ARGUMENT', message: expect.stringContaining('cannot be used') },
    hint: expect.stringContaining('Contract'),
  });
});

it('a recording is heard once its transcriber is repaired', async () => {
  const folder = tempFolder({ 'talk.wav': wav(pcm(500)) });
  const fake = fakeTranscriber();
  const broken = async () => ({ transcript: { words: [{ text: 'a', startMs: 0, endMs: 5, speaker: null }] } });
  for (const [transcriber, added] of [[{ ...fake, transcribe: broken } as never, 0] as const, [fake, 1] as const]) {
    const place = { create: true, base: folder, embedder: fakeEmbedder(), models: { transcriber } };
    await using index = await openIndex(join(folder, '.ibid'), place);
    expect(await index.ingest(folder)).toMatchObject({ added });
  }
});

describe('a reranker of the caller', () => {
  const score = (scores: unknown, costUsd: unknown = 0) => ({ score: async () => ({ scores, costUsd }) });
  it.each<[string, object, string]>([
    ['gives too few scores', score([0.5]), 'CONTRACT_BROKEN'],
    ['gives too many', score([1, 1, 1, 1, 1]), 'CONTRACT_BROKEN'],
    ['gives NaN', score([0.1, Number.NaN, 0.3]), 'CONTRACT_BROKEN'],
    ['gives logits', score([-4, 7, 2]), 'CONTRACT_BROKEN'],
    ['gives nothing', { score: async () => undefined }, 'CONTRACT_BROKEN'],
    ['gives a price that is no number', score([0.1, 0.2, 0.3], Number.NaN), 'CONTRACT_BROKEN'],
    ['throws', { score: () => Promise.reject(new Error('no route')) }, 'SERVICE_FAILED'],
    ['estimates NaN', { ...score([0.1, 0.2, 0.3]), estimateUsd: () => Number.NaN }, 'CONTRACT_BROKEN'],
    ['promises a price', { estimateUsd: () => Promise.reject(new Error('no route')) }, 'CONTRACT_BROKEN'],
    ['gives symbols', score([Symbol('a'), 1, 1]), 'CONTRACT_BROKEN'],
  ])('that %s costs no hit, and is named', async (_, part, code) => {
    const reranker = { ...fakeReranker(), ...part } as never;
    await using index = await opened({ models: { reranker } });
    const { hits } = await index.search('ferry');
    const { hits: same, report } = await index.search('ferry', { rerank: { candidates: 3 } });
    expect(same.map(({ chunk, score }) => [chunk.uri, score])).toEqual(
      hits.map(({ chunk, score }) => [chunk.uri, score]),
    );
    expect(report.warnings).toMatchObject([{ code, message: expect.stringContaining('reranker') }]);
  });

  it.each([{ id: '' }, { estimateUsd: undefined }, { score: 5 }])('with %j is refused', async (part) => {
    await using index = await opened({ models: { reranker: { ...fakeReranker(), ...part } as never } });
    await expect(index.search('ferry', { rerank: true })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('orders the hits, and leaves what comes along with them behind them', async () => {
    const policy = (years: number) => ({
      uri: `policy:${years}`,
      title: 'Tapes',
      text: `Raw data are kept for ${years} years on tape in the archive room. It is dry, locked, and checked by the officer of the day each Monday; tapes carry labels with the name of the cruise, the vessel, the instrument and the responsible scientist, whose telephone number stands on the door beside the extinguisher.`,
    });
    await using index = await opened({ models: { reranker: fakeReranker() } });
    await index.add([policy(5), policy(10)]);
    const options = { limit: 2, variants: 1, mode: 'lexical' } as const;
    const query = 'raw data kept on tape in the archive room, and the ferry';
    const plain = await index.search(query, options);
    const reranked = await index.search(query, { ...options, rerank: true });
    expect(plain.hits).toHaveLength(3);
    expect(reranked.hits).toHaveLength(3);
    expect(reranked.hits[2]!.chunk).toEqual(plain.hits[2]!.chunk);
    const scores = reranked.hits.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });
});

describe('a web search of the caller', () => {
  const search = (answer: unknown) => ({ search: async () => answer });
  it.each<[string, object, string]>([
    ['gives nothing', search(undefined), 'CONTRACT_BROKEN'],
    ['gives lists without pages', search({ lists: [{ query: 'x' }], failed: [], costUsd: 0 }), 'CONTRACT_BROKEN'],
    [
      'gives pages without text',
      search({ lists: [{ query: 'x', pages: [{ url: 'https://a.example/', title: 'A' }] }], failed: [], costUsd: 0 }),
      'CONTRACT_BROKEN',
    ],
    ['gives no price', search({ lists: [], failed: [] }), 'CONTRACT_BROKEN'],
    ['throws', { search: () => Promise.reject(new Error('no route')) }, 'SERVICE_FAILED'],
  ])('that %s costs no hit of the index, and is named', async (_, part, code) => {
    await using index = await opened({ models: { web: { ...fakeWebSearch([]), ...part } as never } });
    const { hits, report } = await index.search('ferry', { web: true });
    expect(hits).not.toEqual([]);
    expect(report.web).toMatchObject({ status: 'failed', error: { code } });
  });
});

describe('a model of the caller', () => {
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const stop = { type: 'stop', stop: 'end', usage, costUsd: 0 };
  const text = { type: 'text', block: 0, text: 'The ferry leaves at seven.' };
  const writing = (events: readonly unknown[], error?: Error) => ({
    citesPassages: true,
    async *write() {
      yield* events;
      if (error) throw error;
    },
  });
  const asked = async (part: object, options: Pick<GroundedAsk, 'fallback' | 'budget' | 'history'> = {}) => {
    await using index = await opened({ models: { writer: { ...fakeLanguageModel(), ...part } as never } });
    return await index.ask('When does the ferry leave?', { mode: 'grounded', ...options });
  };

  it.each<[string, object, string]>([
    ['throws', writing([], new Error('no route')), 'SERVICE_FAILED'],
    ['throws what is no error', writing([], { status: 500, message: 'no route' } as never), 'SERVICE_FAILED'],
    ['throws what has no text', writing([], Object.create(null)), 'SERVICE_FAILED'],
    ['has tools that are none', { ...writing([text, stop]), tools: {} }, 'INVALID_ARGUMENT'],
    ['says nothing', writing([]), 'CONTRACT_BROKEN'],
    ['ends without a word', writing([stop]), 'RESPONSE_INVALID'],
    ['gives null for an event', writing([null, text, stop]), 'CONTRACT_BROKEN'],
    ['gives text without a text', writing([{ type: 'text', block: 0 }, stop]), 'CONTRACT_BROKEN'],
    ['promises and fails', { write: () => Promise.reject(new Error('no route')) }, 'CONTRACT_BROKEN'],
    ['promises events', { write: async () => [text, stop] }, 'CONTRACT_BROKEN'],
    ['has no id', { id: '' }, 'INVALID_ARGUMENT'],
    ['cannot write', { write: undefined }, 'INVALID_ARGUMENT'],
    ['cannot estimate', { estimateUsd: undefined }, 'INVALID_ARGUMENT'],
    ['promises a price', { estimateUsd: () => Promise.reject(new Error('no route')) }, 'CONTRACT_BROKEN'],
    ['estimates NaN', { ...writing([text, stop]), estimateUsd: () => Number.NaN }, 'CONTRACT_BROKEN'],
    ['has no limits', { ...writing([text, stop]), contextTokens: undefined }, 'INVALID_ARGUMENT'],
  ])('that %s before its first word is named', async (_, part, code) => {
    await expect(asked(part)).rejects.toMatchObject({ code, message: expect.stringContaining('model') });
  });

  it('that threw what is no error is told in its words', async () => {
    const asking = asked(writing([], { status: 500, message: 'no route' } as never));
    await expect(asking).rejects.toMatchObject({ message: expect.stringMatching(/failed: no route$/) });
  });

  it('that calls no tools is named where an agent is asked for', async () => {
    await using index = await opened({ models: { writer: fakeLanguageModel() } });
    await expect(index.ask('When does the ferry leave?', { mode: 'agent' })).rejects.toMatchObject({
      code: 'KEY_MISSING',
      message: expect.stringContaining('" calls no tools)'),
    });
  });

  it.each([{ tools: {} }, { tools: 5 }])('carries no agent with %j', async (part) => {
    await using index = await opened({ models: { writer: { ...fakeLanguageModel(), ...part } as never } });
    await expect(index.ask('When does the ferry leave?', { mode: 'agent' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('`tools`'),
    });
  });

  it.each<[string, object, string]>([
    ['says nothing', writing([]), 'CONTRACT_BROKEN'],
    ['ends without a word', writing([stop]), 'RESPONSE_INVALID'],
  ])('that %s makes way for another mode', async (_, part, code) => {
    const { mode, skipped, citations } = await asked(part, { fallback: ['extractive'] });
    expect({ mode, skipped }).toMatchObject({ mode: 'extractive', skipped: [{ mode: 'grounded', code }] });
    expect(citations).not.toEqual([]);
  });

  it.each<[string, object, string]>([
    ['throws', writing([text], new Error('no route')), 'SERVICE_FAILED'],
    ['ends without a stop', writing([text]), 'CONTRACT_BROKEN'],
    ['gives no price', writing([text, { type: 'stop', stop: 'end', usage }]), 'CONTRACT_BROKEN'],
    ['stops for a reason of its own', writing([text, { ...stop, stop: 'eos' }]), 'CONTRACT_BROKEN'],
    ['counts tokens in halves', writing([text, { ...stop, usage: { inputTokens: 0.5 } }]), 'CONTRACT_BROKEN'],
  ])('that %s after its first word has written a broken answer, which counts in full', async (_, part, code) => {
    const { answer, grounding } = await asked({ ...part, estimateUsd: () => 0.25 });
    expect(answer).toBe(text.text);
    expect(grounding).toMatchObject({ stop: 'broken', costUsd: 0.25, error: { code } });
  });

  it.each<[string, object, string]>([
    ['throws', { countedUsd: () => Promise.reject(new Error('no route')) }, 'SERVICE_FAILED'],
    ['gives NaN', { countedUsd: async () => Number.NaN }, 'CONTRACT_BROKEN'],
  ])('that %s for a price it counts is named, and makes way for another mode', async (_, part, code) => {
    const model = { ...writing([text, stop]), estimateUsd: () => 5, ...part };
    const { mode, skipped } = await asked(model, { fallback: ['extractive'], budget: 1 });
    expect({ mode, skipped }).toMatchObject({ mode: 'extractive', skipped: [{ mode: 'grounded', code }] });
  });

  it.each<[string, object, string]>([
    ['throws', { limits: () => Promise.reject(new Error('no route')) }, 'SERVICE_FAILED'],
    ['gives nothing', { limits: async () => undefined }, 'CONTRACT_BROKEN'],
    ['gives no numbers', { limits: async () => ({ contextTokens: 'all' }) }, 'CONTRACT_BROKEN'],
  ])('that %s for its limits is named, and makes way for another mode', async (_, part, code) => {
    const history = [{ role: 'user', text: 'When does the ferry leave the harbour?' }] as const;
    const { mode, skipped } = await asked({ ...writing([text, stop]), ...part }, { fallback: ['extractive'], history });
    expect({ mode, skipped }).toMatchObject({ mode: 'extractive', skipped: [{ mode: 'grounded', code }] });
  });

  it('that cites, and does not know all it used, has its citation proven', async () => {
    const citation = { type: 'citation', block: 0, citation: { source: 's1', first: 0, end: 1 } };
    const used = { ...stop, usage: { inputTokens: 7, outputTokens: undefined } };
    const { citations, grounding } = await asked(writing([text, citation, used]));
    expect(citations).toHaveLength(1);
    expect(grounding).toMatchObject({ stop: 'end', usage: { inputTokens: 7, outputTokens: 0, cacheReadTokens: 0 } });
  });

  it('that gives citations nobody can read has them dropped', async () => {
    const citations = [undefined, { source: 1, first: 0, end: 1 }, { source: 's1', first: 0, end: 1, quoted: null }];
    const events = citations.map((citation) => ({ type: 'citation', block: 0, citation }));
    const { citations: proven, grounding } = await asked(writing([text, ...events, stop]));
    expect(proven).toEqual([]);
    expect(grounding!.dropped).toHaveLength(3);
  });
});

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

describe('null in a call', () => {
  const named = (message: string) => ({ code: 'INVALID_ARGUMENT', message });

  it('is named where a list or an object is wanted', async () => {
    await using index = await opened();
    const given = (name: string): object => ({ [name]: null });
    for (const name of ['history', 'fallback'])
      await expect(index.ask('When is the pump serviced?', given(name))).rejects.toMatchObject(
        named(`${name} must be a list, not null`),
      );
    const object = (what: string) => named(`${what} must be an object, not null`);
    await expect(index.search('pump', given('weights'))).rejects.toMatchObject(object('weights'));
    await expect(index.search('pump', given('candidates'))).rejects.toMatchObject(object('candidate counts'));
    await expect(index.ingest('.', given('transcribe'))).rejects.toMatchObject(
      named('transcribe must be true, false or an object, not null'),
    );
  });
});
