import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Meter, openIndex, type SearchIndex } from '../../../src/index.ts';
import { fakeEmbedder, fakeLanguageModel, fakeReranker, fakeWebSearch } from '../../../src/testing.ts';
import { ownEmbedder } from '../../examples/own-embedder.ts';
import { ownModel } from '../../examples/own-model.ts';
import { makeTempFolder, tempFolder } from '../../support/temp.ts';

const notes = [
  {
    uri: 'note:1',
    title: 'Ferry',
    text: 'The ferry leaves the harbour at seven.',
    metadata: { team: 'ops', year: 2024 },
  },
  { uri: 'note:2', title: 'Roses', text: 'Prune the roses in March.', metadata: { team: 'garden', year: 2025 } },
  { uri: 'note:3', title: 'Tea', text: 'Tea is served at four.', metadata: { team: "o'hara" } },
];

async function opened(options: Parameters<typeof openIndex>[1] = {}, folder = tempFolder()): Promise<SearchIndex> {
  const index = await openIndex(join(folder, 'index'), { create: true, embedder: fakeEmbedder(), ...options });
  await index.add(notes);
  return index;
}

describe('documents that are not files', () => {
  it('are added, replaced where they differ, listed, read, shown and removed', async () => {
    await using index = await opened();
    expect(await index.add(notes)).toMatchObject({ added: 0, updated: 0, unchanged: 3 });
    const changed = { ...notes[0]!, text: 'The ferry leaves the harbour at eight.' };
    expect(await index.add([changed])).toMatchObject({ updated: 1, documents: 3 });
    const listed = await Array.fromAsync(index.documents({ where: { 'metadata.team': 'ops' } }));
    expect(listed).toEqual([
      { uri: 'note:1', title: 'Ferry', format: 'text', metadata: { team: 'ops', year: 2024 }, chunks: 1 },
    ]);
    expect(await index.document('note:1')).toMatchObject({ text: changed.text, chunks: 1 });
    expect(await index.document('note:9')).toBeUndefined();
    const passage = await index.show('note:1#4-9');
    expect(passage).toMatchObject({ quote: 'ferry', source: 'was given as text, there is no file' });
    // each is named: no guard asks whether that was meant
    expect((await index.remove(['note:1', 'note:2'])).removed.toSorted()).toEqual(['note:1', 'note:2']);
    expect((await index.status()).documents).toBe(1);
  });

  it('are left alone by an ingest of a folder, and leave its files alone', async () => {
    const folder = tempFolder({ 'docs/a.md': '# A\n\nBoats stay in the harbour.' });
    await using index = await openIndex(join(folder, '.ibid'), { create: true, embedder: fakeEmbedder() });
    await index.ingest(folder);
    await index.add(notes);
    expect(await index.ingest(folder)).toMatchObject({ unchanged: 1, removed: 0, documents: 4 });
  });

  it('are read as their format says', async () => {
    await using index = await opened();
    await index.add([{ uri: 'page:1', text: '# Moorings\n\nA mooring is *paid* by the day.', format: 'markdown' }]);
    const { hits } = await index.search('who pays for a mooring', { limit: 1 });
    expect(hits[0]!.chunk).toMatchObject({ uri: 'page:1', title: 'Moorings', format: 'markdown' });
  });
});

describe('half a character', () => {
  it('is U+FFFD in metadata as it is in a text, in keys and in values', async () => {
    await using index = await openIndex('memory://', { create: true });
    const given = {
      uri: 'note:1',
      text: 'pump \ud800 one',
      title: 'a \udc00',
      metadata: { 'k\udc00': 'x\ud800y', n: 1 },
    };
    await index.add([given, { uri: 'note:2', text: '---\nkey: "a\\uD800b"\n---\nvalve', format: 'markdown' }]);
    expect(await index.document('note:1')).toMatchObject({
      title: 'a \ufffd',
      text: 'pump \ufffd one',
      metadata: { 'k\ufffd': 'x\ufffdy', n: 1 },
    });
    expect((await index.document('note:2'))?.metadata).toEqual({ key: 'a\ufffdb' });
    expect((await index.search('pump', { where: { 'metadata.k\ufffd': 'x\ufffdy' } })).hits).toHaveLength(1);
    expect((await index.add([given])).unchanged).toBe(1);
  });
});

describe('what must leave an index as it was', () => {
  const folder = makeTempFolder();
  let index: SearchIndex;
  beforeAll(async () => {
    index = await opened({}, folder);
  });
  afterAll(() => index.close());

  it.each([
    [{ uri: '', text: 'a' }, 'no `uri`'],
    [{ uri: 'note:1' }, '`text` of "note:1"'],
    [{ uri: 'note:1', text: 'a', format: 'docx' }, 'format "docx"'],
    [{ uri: 'note:1', text: 'a', metadata: { tags: ['a'] } }, 'metadata.tags'],
    [
      { uri: 'note:1', text: 'a', metadata: { due: new Date(0) } },
      '`metadata.due` of "note:1" is a value of type Date',
    ],
    [{ uri: 'note:1', text: 'a', metadata: new Map([['a', 1]]) }, 'the `metadata` of "note:1" is a value of type Map'],
    [{ uri: 'note:1', text: 'a', metadata: ['a'] }, 'the `metadata` of "note:1" is a value of type Array'],
    [{ uri: 'note:1', text: 'a', metadata: 'a' }, 'the `metadata` of "note:1" is a value of type String'],
    [{ uri: 'note:1', text: 'a', metadata: new Date(0) }, 'the `metadata` of "note:1" is a value of type Date'],
    [{ uri: 'note:1', text: 'a', metadata: { wind: Number.NaN } }, '`metadata.wind` of "note:1" is NaN'],
    [{ uri: 'note:1', text: 'a', metadata: { wind: -Infinity } }, '`metadata.wind` of "note:1" is -Infinity'],
    [undefined, 'no `uri`'],
  ])('a document that is wrong is named: %j', async (wrong, message) => {
    const add = index.add([wrong as never]);
    await expect(add).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringContaining(message) });
    expect((await index.status()).documents).toBe(3);
  });

  it.each([
    [{ 'metadata.team': 'ops' }, ['note:1']],
    [{ 'metadata.team': "x' OR '1'='1" }, []],
    [{ 'metadata.team': "o'hara" }, ['note:3']],
    [{ 'metadata.team': ['ops', 'garden'] }, ['note:1', 'note:2']],
    [{ 'metadata.team': [] }, []],
    [{ 'metadata.year': { gte: 2024, lt: 2025 } }, ['note:1']],
    [{ 'metadata.year': null }, ['note:3']],
    [{ 'metadata.team': { not: 'ops' } }, ['note:2', 'note:3']],
    [{ uri: { like: 'note:%' }, title: 'Tea' }, ['note:3']],
    [{}, ['note:1', 'note:2', 'note:3']],
    [{ 'metadata.year': { not: 2024 } }, ['note:2', 'note:3']],
    [{ 'metadata.year': ['2024', 2025, null] }, ['note:1', 'note:2', 'note:3']],
    ["metadata.team = 'ops'", ['note:1']],
    ["metadata.team = 'ops' -- no others", ['note:1']],
  ])('a filter with bound values: %j', async (where, uris) => {
    const { hits } = await index.search('ferry roses tea', { where });
    expect(hits.map(({ chunk }) => chunk.uri).sort()).toEqual(uris);
    expect((await index.documentPage({ where })).documents.map(({ uri }) => uri).sort()).toEqual(uris);
  });

  it.each([
    [{ colour: 'red' }, 'no column "colour"'],
    [{ 'metadata.year': { above: 3 } }, '"above"'],
    [{ 'metadata.year': Number.NaN }, 'NaN'],
    [{ 'metadata.team': { toString: 1 } }, '"toString"'],
    [{ 'metadata.year': {} }, '"metadata.year" is compared with nothing'],
    [{ uri: 'note:1', 'metadata.team': undefined }, '"metadata.team" is compared with nothing'],
    [{ 'metadata.team': new Set(['ops']) }, 'Set'],
    [[], 'SQL text or an object'],
    ['true) OR (true', 'a ")" closes nothing'],
  ])('a filter that cannot be used says why: %j', async (where, message) => {
    const found = index.search('ferry', { where: where as never });
    const refused = { code: 'INVALID_FILTER', message: expect.stringContaining(message) };
    await expect(found).rejects.toMatchObject(refused);
    await expect(index.documentPage({ where: where as never })).rejects.toMatchObject(refused);
  });
});

describe('parts of the caller’s own', () => {
  it('an embedder and a model: the answer is cited and proven', async () => {
    await using index = await opened({ embedder: ownEmbedder, models: { writer: ownModel } });
    expect((await index.status()).embedder).toBe(ownEmbedder.id);
    const answer = await index.ask('When does the ferry leave the harbour?');
    expect(answer).toMatchObject({ mode: 'grounded', abstained: false });
    expect(answer.citations[0]).toMatchObject({ uri: 'note:1', verified: true, quote: notes[0]!.text });
  });

  it('a writer, a reranker and a web search', async () => {
    const page = {
      url: 'https://example.org/ferry',
      title: 'Ferries',
      extracts: ['The ferry of the harbour is blue.'],
    };
    const models = { writer: fakeLanguageModel(), reranker: fakeReranker(), web: fakeWebSearch([page]) };
    await using index = await opened({ models });
    const { hits, report } = await index.search('harbour ferry', { web: true, rerank: true, budget: 1 });
    expect(new Set(hits.map(({ origin }) => origin))).toEqual(new Set(['local', 'web']));
    expect(report).toMatchObject({ mode: 'hybrid', warnings: [], web: { status: 'ok', pages: 1 }, costUsd: 0 });
    const answer = await index.ask('What colour is the ferry?', { mode: 'grounded', web: true });
    expect(answer.report).toMatchObject({ web: { status: 'ok' } });
  });

  it('an embedder must be given again: without it words decide, and nothing is added', async () => {
    const address = join(tempFolder(), 'index');
    await using made = await openIndex(address, { create: true, embedder: ownEmbedder });
    await made.add(notes);
    await using bare = await openIndex(address);
    const { hits, report } = await bare.search('ferry');
    expect(hits[0]!.chunk.uri).toBe('note:1');
    expect(report).toMatchObject({ mode: 'lexical', warnings: [{ code: 'INDEX_MISMATCH' }] });
    await expect(bare.add([{ uri: 'note:4', text: 'Four.' }])).rejects.toMatchObject({ code: 'INDEX_MISMATCH' });
    expect(await bare.remove('note:3')).toEqual({ removed: ['note:3'] });
    await using other = await openIndex(address, { embedder: fakeEmbedder() });
    await expect(other.add(notes)).rejects.toMatchObject({ code: 'INDEX_MISMATCH' });
    expect(await other.reembed({ to: fakeEmbedder(), switch: 'always' })).toMatchObject({ switched: true });
    expect(await other.add([{ uri: 'note:4', text: 'Four.' }])).toMatchObject({ added: 1 });
  });

  it('an embedder that fails for a query costs no hit; one that breaks its contract is named', async () => {
    const fake = fakeEmbedder();
    await using index = await opened({
      embedder: { ...fake, embedQuery: () => Promise.reject(new Error('no route to the model')) },
    });
    const { hits, report } = await index.search('ferry');
    expect(hits[0]!.chunk.uri).toBe('note:1');
    expect(report.warnings).toMatchObject([{ code: 'SERVICE_FAILED', message: expect.stringContaining('no route') }]);
    const wrong = { ...fake, id: 'wrong', embedDocuments: async () => [[new Int8Array(3)]] };
    await using broken = await openIndex(join(tempFolder(), 'index'), { create: true, embedder: wrong });
    await expect(broken.add(notes)).rejects.toMatchObject({ code: 'CONTRACT_BROKEN' });
    await expect(openIndex('x', { embedder: { id: 'half' } as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('dimensions'),
    });
  });
});

describe('a run', () => {
  it('gives its result when awaited, and its events when iterated, once', async () => {
    await using index = await openIndex(join(tempFolder(), 'index'), { create: true, embedder: fakeEmbedder() });
    const run = index.add(notes);
    const types: string[] = [];
    for await (const event of run) types.push(event.type);
    expect(types.at(-1)).toBe('done');
    expect(await run).toMatchObject({ added: 3 });
    expect(() => run[Symbol.asyncIterator]()).toThrow(/begun already/);
    const events = await Array.fromAsync(index.ask('When does the ferry leave?'));
    expect(events.at(-1)).toMatchObject({ type: 'done' });
  });

  it('that is left ends, and says so to who awaits it', async () => {
    await using index = await opened();
    const run = index.add([{ uri: 'note:7', text: 'Seven.' }]);
    for await (const _ of run) break;
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' });
    const unread = index.add([{ uri: 'note:7', text: 'Seven.' }]);
    await unread[Symbol.asyncIterator]().return();
    await expect(unread).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await index.add([{ uri: 'note:8', text: 'Eight.' }])).toMatchObject({ documents: expect.any(Number) }); // the lock is free
  });
});

describe('an aborted run', () => {
  it('does not wait for a source that gives nothing, and frees the lock', async () => {
    await using index = await openIndex(join(tempFolder(), 'index'), { create: true, embedder: fakeEmbedder() });
    const abort = new AbortController();
    const stuck = Promise.withResolvers<void>();
    const source = async function* () {
      yield notes[0]!;
      abort.abort(new Error('enough'));
      await stuck.promise;
    };
    await expect(index.add(source(), { signal: abort.signal })).rejects.toThrow('enough');
    expect(await index.add(notes)).toMatchObject({ added: 3 });
    stuck.resolve();
  });
});

describe('a dry run', () => {
  it('knows what the same handle has written, and has repaired', async () => {
    await using index = await opened(); // it makes the index, and has not read it yet
    expect(await index.add(notes, { dryRun: true })).toMatchObject({ added: 0, unchanged: 3 });
    await index.repair();
    expect(await index.add(notes, { dryRun: true })).toMatchObject({ added: 0, unchanged: 3 });
  });
});

describe('an abort', () => {
  it('ends a page of documents, and a repair', async () => {
    await using index = await opened();
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(index.documentPage({ signal })).rejects.toThrow('enough');
    await expect(index.repair({ signal })).rejects.toThrow('enough');
  });
});

describe('arguments that JavaScript lets through', () => {
  it('are named', async () => {
    await using index = await opened();
    const wrong: [() => Promise<unknown>, string][] = [
      [() => index.search(undefined as never), 'the query must be a string'],
      [() => index.ask(null as never), 'the question must be a string, not null'],
      [() => index.ask('  '), 'the question is empty'],
      [() => index.ask('why?', { history: [{ role: 'user', content: 'a' } as never] }), 'history[0] is no turn'],
      [() => index.ask('why?', { history: [null as never] }), 'history[0] is no turn'],
      [() => index.ingest([]), 'no path to ingest'],
      [() => index.ingest(undefined as never), 'no path to ingest'],
      [() => index.add(notes[0] as never), 'no list of documents'],
      [() => index.add(undefined as never), 'no list of documents'],
      [() => index.add(notes, { concurrency: 0 }), 'concurrency must be a whole number from 1, not 0'],
      [() => index.add(notes, { concurrency: Number.NaN }), 'concurrency must be'],
      [() => index.add(notes, { commit: { chunks: 0 } }), 'commit.chunks must be a number above 0, not 0'],
      [() => index.add(notes, { commit: { characters: Number.NaN } }), 'commit.characters must be'],
      [() => index.add(notes, { commit: { ageMs: -1 } }), 'commit.ageMs must be'],
      [() => index.remove([]), 'no uri to remove'],
      [() => index.embed('ferry' as never), 'the texts must be a list of strings'],
      [() => index.embed([7 as never]), 'the texts must be a list of strings'],
      [() => index.removeWebPages('2025-01-01' as never), 'the date is not valid'],
      [() => index.show(7 as never), 'the citation must be a string'],
      [() => index.search('a', { budget: 'much' as never }), 'a budget must be'],
      [() => openIndex('x', { create: true, waitMs: Number.NaN }), 'waitMs must be a number from 0, not NaN'],
      [() => openIndex(undefined as never), 'the address of the index must be a string'],
      [() => index.ask('a question', { mode: 'oracle' } as never), 'no mode "oracle"'],
    ];
    for (const [call, message] of wrong)
      await expect((async () => await call())(), message).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining(message),
      });
  });
});

describe('a budget', () => {
  it('is a number, or a meter that calls share; a child spends its parent’s money', () => {
    const meter = new Meter(1);
    const child = meter.child();
    child.reserve(0.6).settle(0.5);
    expect([child.spentUsd, meter.spentUsd, child.leftUsd, child.budgetUsd]).toEqual([0.5, 0.5, 0.5, 1]);
    expect(() => child.reserve(0.6)).toThrow(/0.500000 of 1 USD are left/);
    const other = meter.child().reserve(0.5);
    expect(() => child.reserve(0.1)).toThrow(/BUDGET|left/);
    other.cancel();
    expect(child.leftUsd).toBe(0.5);
    expect(Meter.of(meter)).toBe(meter);
    expect(Meter.of(0).leftUsd).toBe(0);
  });
});
