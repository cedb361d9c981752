import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GroundedAsk, type OpenIndexOptions, openIndex, type SearchIndex } from '../../../src/index.ts';
import { fakeEmbedder, fakeLanguageModel, fakeReranker, fakeTranscriber, fakeWebSearch } from '../../../src/testing.ts';
import { pcm, wav } from '../../support/sound.ts';
import { tempFolder } from '../../support/temp.ts';
import { notes, opened } from './own-notes.ts';

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
