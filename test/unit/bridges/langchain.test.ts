import { Document } from '@langchain/core/documents';
import { RunnableLambda } from '@langchain/core/runnables';
import { describe, expect, it } from 'vitest';
import { IbidRetriever, IbidVectorStore } from '../../../src/langchain.ts';
import { passagesChain } from '../../examples/langchain.ts';
import { noteIndex } from './support.ts';

describe('a retriever of LangChain.js', () => {
  it('gives passages as documents, each with a citation that the index proves', async () => {
    const { index } = await noteIndex();
    const documents = await new IbidRetriever({ index }).invoke('when does the ferry leave');
    expect(documents[0]).toBeInstanceOf(Document);
    expect(documents[0]).toMatchObject({
      pageContent: 'The ferry leaves the harbour at seven.',
      metadata: { source: 'note:ferry', title: 'Ferry', team: 'sea' },
    });
    expect((await index.show(documents[0]!.id!)).quote).toContain('leaves the harbour');
    expect(documents[0]!.metadata.reference).toBe(documents[0]!.id);
  });

  it('is a step of a chain, and of a batch', async () => {
    const { index } = await noteIndex();
    const chain = new IbidRetriever({ index, limit: 1 }).pipe(
      RunnableLambda.from((documents: { pageContent: string }[]) => documents.map(({ pageContent }) => pageContent)),
    );
    const found = await chain.batch(['ferry harbour', 'rapeseed lamp']);
    expect(found).toEqual([['The ferry leaves the harbour at seven.'], ['The lamp burns rapeseed oil.']]);
    expect(await passagesChain(index).invoke('rapeseed lamp')).toContain(
      'The lamp burns rapeseed oil. (note:lamp#0-28)',
    );
  });

  it('looks only at what passes its filter', async () => {
    const { index } = await noteIndex();
    const retriever = new IbidRetriever({ index, where: { 'metadata.team': 'land' } });
    expect((await retriever.invoke('the ferry')).map(({ metadata }) => metadata.source)).not.toContain('note:ferry');
  });

  it('ends at a signal and at a timeout of its call, also in a chain and beside other calls', async () => {
    const { index } = await noteIndex();
    let asked = 0;
    const slow = {
      search: async (_query: string, { signal }: { readonly signal?: AbortSignal | undefined } = {}) => {
        asked++;
        return await new Promise<{ hits: [] }>((resolve, reject) => {
          if (signal) signal.addEventListener('abort', () => reject(signal.reason));
          else resolve({ hits: [] });
        });
      },
    };
    const retriever = new IbidRetriever({ index: slow });
    const abort = new AbortController();
    const ended = retriever.invoke('ferry', { signal: abort.signal });
    expect(await retriever.invoke('ferry')).toEqual([]); // has no signal of another call
    const reason = new Error('who asks has left');
    abort.abort(reason);
    await expect(ended).rejects.toBe(reason);
    await expect(retriever.invoke('ferry', { timeout: 20 })).rejects.toMatchObject({ name: 'TimeoutError' });
    const chain = retriever.pipe(RunnableLambda.from((documents: object[]) => documents.length));
    await expect(chain.invoke('ferry', { signal: AbortSignal.timeout(20) })).rejects.toThrow();
    expect(asked).toBe(4);
    const real = new IbidRetriever({ index }).invoke('ferry', { signal: AbortSignal.abort(reason) });
    await expect(real).rejects.toBe(reason);
  });

  it('tells its tracers of a search and of its failure', async () => {
    const { index } = await noteIndex();
    const told: string[] = [];
    const callbacks = [
      {
        handleRetrieverStart: () => void told.push('start'),
        handleRetrieverEnd: () => void told.push('end'),
        handleRetrieverError: () => void told.push('error'),
      },
    ];
    await new IbidRetriever({ index }).invoke('ferry', { callbacks });
    const broken = new IbidRetriever({ index, where: 'no such column = 1' });
    await expect(broken.invoke('ferry', { callbacks })).rejects.toMatchObject({ code: 'INVALID_FILTER' });
    expect(told).toEqual(['start', 'end', 'start', 'error']);
  });
});

describe('a vector store of LangChain.js', () => {
  it('adds, finds, filters and deletes documents by their ids', async () => {
    const { index } = await noteIndex();
    const store = new IbidVectorStore({ index });
    const ids = await store.addDocuments([
      new Document({
        id: 'doc:1',
        pageContent: 'A winch pulls the cable.',
        metadata: { team: 'sea', nested: { a: 1 } },
      }),
      new Document({ pageContent: 'A buoy marks the reef.' }),
    ]);
    expect(ids[0]).toBe('doc:1');
    expect(ids[1]).toMatch(/^langchain:[0-9a-f]{32}$/);
    const [[found, score]] = (await store.similaritySearchWithScore('winch cable', 1)) as [[Document, number]];
    expect([found.metadata.source, found.metadata.team, score > 0]).toEqual(['doc:1', 'sea', true]);
    const ofSea = new IbidVectorStore({ index, where: { 'metadata.team': 'sea' } });
    for (const all of ['true) OR (true', 'true) OR (true --'])
      await expect(ofSea.similaritySearch('winch cable', 5, all)).rejects.toMatchObject({ code: 'INVALID_FILTER' });
    for (const all of ['true -- or', {}]) {
      const found = await ofSea.similaritySearch('winch cable', 5, all);
      expect(found.map(({ metadata }) => metadata.team)).toEqual(found.map(() => 'sea'));
    }
    const land = await store.similaritySearch('winch cable', 5, { 'metadata.team': 'land' });
    expect(land.map(({ metadata }) => metadata.source)).not.toContain('doc:1');
    await store.delete({ ids: ['doc:1'] });
    expect(await index.document('doc:1')).toBeUndefined();
  });

  it('refuses to delete by the id of a passage, and deletes an id that looks like one', async () => {
    const { index } = await noteIndex();
    const store = new IbidVectorStore({ index });
    const [passage] = await store.similaritySearch('rapeseed lamp', 1);
    expect(passage!.id).toBe('note:lamp#0-28');
    await expect(store.delete({ ids: [passage!.id!] })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      hint: expect.stringContaining('"note:lamp"'),
    });
    expect(await index.document('note:lamp')).toBeDefined();
    await store.addDocuments([new Document({ id: 'page#1-2', pageContent: 'The mast is red.' })]);
    await store.delete({ ids: ['page#1-2', 'never:there'] });
    expect(await index.document('page#1-2')).toBeUndefined();
    await store.delete({ ids: [passage!.metadata.source as string] });
    expect(await index.document('note:lamp')).toBeUndefined();
  });

  it('is a retriever too, and keeps its own condition beside that of a search', async () => {
    const { index } = await noteIndex();
    const store = new IbidVectorStore({ index, where: { 'metadata.team': ['sea', 'tower'] } });
    const documents = await store.asRetriever({ k: 5, filter: "metadata.team <> 'sea'" }).invoke('ferry lamp');
    expect(documents.map(({ metadata }) => metadata.source)).toEqual(['note:lamp']);
  });

  it('keeps documents apart whose ids it makes, also where a short hash of their texts is the same', async () => {
    const { index } = await noteIndex();
    const store = new IbidVectorStore({ index });
    // a pair with one 32-bit hash and one length
    const texts = ['The serial number is 2538208508.', 'The serial number is 4289015848.'];
    for (const pageContent of texts) await store.addDocuments([new Document({ pageContent })]);
    for (const text of texts) expect((await store.similaritySearch(text, 1))[0]!.pageContent).toBe(text);
    const footer = { pageContent: 'All rights reserved.' };
    const ids = await store.addDocuments([
      new Document({ ...footer, metadata: { source: 'a.pdf' } }),
      new Document({ ...footer, metadata: { source: 'b.pdf' } }),
      new Document({ ...footer, metadata: { source: 'a.pdf' } }),
    ]);
    expect(ids[2]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(2);
    const twice = [1, 2].map((n) => new Document({ id: 'doc:1', pageContent: `Note ${n}` }));
    await expect(store.addDocuments(twice)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('says which document was not stored', async () => {
    const { index } = await noteIndex();
    const documents = [
      new Document({ id: 'doc:1', pageContent: 'The mast is red.' }),
      new Document({ id: 'doc:2', pageContent: 'a' }),
    ];
    const failed = [{ uri: 'doc:2', code: 'FILE_TOO_LARGE', message: 'too many chunks' }];
    const store = new IbidVectorStore({
      index: { search: index.search.bind(index), remove: async () => {}, add: async () => ({ failed }) },
    });
    await expect(store.addDocuments(documents)).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      message: expect.stringMatching(/1 of 2.*"doc:2": too many chunks/),
    });
  });

  it('leaves out metadata that no index can filter by', async () => {
    const { index } = await noteIndex();
    const store = new IbidVectorStore({ index });
    const metadata = { team: 'bell', depth: Number.NaN, height: Infinity, tags: ['a'] };
    await store.addDocuments([new Document({ id: 'note:bell', pageContent: 'The bell rings at noon.', metadata })]);
    expect((await index.document('note:bell'))?.metadata).toEqual({ team: 'bell' });
  });

  it('is made from texts', async () => {
    const { index } = await noteIndex();
    const config = { index };
    const bells = await IbidVectorStore.fromTexts(
      ['The bell rings.', 'The bell is old.'],
      [{ n: 1 }, { n: 2 }],
      undefined,
      config,
    );
    expect(
      (await bells.similaritySearch('bell', 9, { 'metadata.n': 2 })).map(({ pageContent }) => pageContent),
    ).toEqual(['The bell is old.']);
    await IbidVectorStore.fromTexts(['The horn blows.', 'The horn is new.'], { team: 'horn' }, undefined, config);
    expect(await bells.similaritySearch('horn', 9, { 'metadata.team': 'horn' })).toHaveLength(2);
  });

  it('is made from documents', async () => {
    const { index } = await noteIndex();
    const store = await IbidVectorStore.fromDocuments([new Document({ pageContent: 'The mast is red.' })], undefined, {
      index,
    });
    expect((await store.similaritySearch('mast red', 1))[0]!.pageContent).toBe('The mast is red.');
  });

  it('says that vectors of the caller are not for it', async () => {
    const { index } = await noteIndex();
    const store = new IbidVectorStore({ index });
    await expect(store.addVectors()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(store.similaritySearchVectorWithScore()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(store.delete({})).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
