import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../src/store/contract.ts';
import { connectDatabase, type Database, openStore, openWriter } from '../../../src/store/index.ts';
import { Meta, type StoreState } from '../../../src/store/state.ts';
import { GenerationWriter } from '../../../src/store/writer.ts';
import { randomSource } from '../vector/random.ts';
import { record, texts } from './records.ts';

const fingerprint = { embedder: 'test', dimensions: 16 };
const root = mkdtempSync(join(tmpdir(), 'ibid-store-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const generation = { number: 1, fingerprint };

async function uris(snapshot: Snapshot): Promise<string[]> {
  const chunks = await snapshot.fetch((await snapshot.filter('true')).ordinals);
  return chunks.map((chunk) => `${chunk.uri}#${chunk.position} ${chunk.text}`);
}

/** An index of a and b, and a writer that fails at the given table the next time it writes there. */
async function failing(table: 'lexical' | 'documents'): Promise<{ database: Database; writer: GenerationWriter }> {
  const database = await connectDatabase('memory://');
  const first = await openWriter(database, { fingerprint });
  await first.current.replaceDocuments([record('a', ['apple', 'pear']), record('b', ['plum'])]);
  await first.close();
  const writer = await GenerationWriter.open(database, generation, false);
  const { add, mergeInsert } = writer.tables[table];
  const fail = (): never => {
    Object.assign(writer.tables[table], { add, mergeInsert });
    throw new Error('the power went out');
  };
  Object.assign(writer.tables[table], { add: fail, mergeInsert: fail });
  return { database, writer };
}

it('a merge that fails before its header leaves the index as it was, and its blocks go with the next change', async () => {
  const database = await connectDatabase('memory://');
  const first = await openWriter(database, { fingerprint });
  await first.current.replaceDocuments([record('a', ['apple', 'pear'])]);
  await first.current.replaceDocuments([record('b', ['plum'])]);
  await first.current.replaceDocuments([record('c', ['fig'])]);
  await first.current.replaceDocuments([record('d', ['lime'])]);
  const writer = await GenerationWriter.open(database, generation, false);
  const { lexical } = writer.tables;
  const { mergeInsert } = lexical;
  Object.assign(lexical, {
    mergeInsert: () => {
      Object.assign(lexical, { mergeInsert });
      throw new Error('the power went out');
    },
  });
  await expect(writer.finish()).rejects.toThrow('the power went out');
  const segmentsThere = async (): Promise<number[]> => {
    const rows = await (await database.open('lexical_1')).query().select(['segment']).toArray();
    return [...new Set(rows.map((row) => (row as { segment: number }).segment))].sort();
  };
  expect(await segmentsThere()).toEqual([1, 2, 3, 4, 5]); // 5 has blocks and no header
  const store = await openStore(database);
  expect(await uris(await store.snapshot())).toEqual(['a#0 apple', 'a#1 pear', 'b#0 plum', 'c#0 fig', 'd#0 lime']);
  expect(Array.from((await (await store.snapshot()).lexical.terms(['plum']))[0]!.ordinals)).toEqual([2]);
  await writer.settle();
  expect(await segmentsThere()).toEqual([1, 2, 3, 4]);
  await writer.finish();
  expect(await segmentsThere()).toHaveLength(1);
  expect(Array.from((await (await store.snapshot()).lexical.terms(['plum']))[0]!.ordinals)).toEqual([2]);
});

describe.each(['lexical', 'documents'] as const)('stopped before the commit to the %s table', (table) => {
  const change = [record('a', ['cherry'], { seed: 2 }), record('c', ['grape', 'melon'])];

  it('a reader sees the new documents whole, searchable by word', async () => {
    const { database, writer } = await failing(table);
    await expect(writer.replaceDocuments(change)).rejects.toThrow(/power went out/);
    const snapshot = await (await openStore(database)).snapshot();
    expect((await uris(snapshot)).sort()).toEqual(['a#0 cherry', 'b#0 plum', 'c#0 grape', 'c#1 melon']);
    const [grape, apple] = await snapshot.lexical.terms(['grape', 'appl']);
    const [found] = await snapshot.fetch(grape!.ordinals);
    expect(found).toMatchObject({ uri: 'c', position: 0 });
    expect(apple!.ordinals.length).toBe(0);
    expect(snapshot.documentRange(grape!.ordinals[0]!)).toEqual([grape!.ordinals[0]!, grape!.ordinals[0]! + 2]);
  });

  it('the same writer repairs before it goes on', async () => {
    const { database, writer } = await failing(table);
    await expect(writer.replaceDocuments(change)).rejects.toThrow();
    await writer.removeDocuments(['b']);
    expect(new Set((await writer.manifest()).keys())).toEqual(new Set(['a', 'c']));
    const store = await openStore(database);
    expect((await uris(await store.snapshot())).sort()).toEqual(['a#0 cherry', 'c#0 grape', 'c#1 melon']);
    expect((await store.manifest()).get('a')).toMatchObject({
      contentHash: 'hash of a 2',
      chunks: 1,
      title: 'Title of a',
    });
    expect((await store.manifest()).get('a')!.warnings).toEqual([{ code: 'W', message: 'warning about a' }]);
  });

  it('the next writer repairs when it opens', async () => {
    const { database, writer } = await failing(table);
    await expect(writer.replaceDocuments(change)).rejects.toThrow();
    const next = await GenerationWriter.open(database, generation, true);
    await next.settle();
    expect((await next.manifest()).get('c')).toMatchObject({ contentHash: 'hash of c 1', chunks: 2 });
    expect(await next.readDocument('c')).toEqual(change[1]);
  });
});

it('a manifest that is lost altogether comes back as it was, more lines than one commit writes', async () => {
  const database = await connectDatabase('memory://');
  const writer = await openWriter(database, { fingerprint });
  const name = (i: number): string => `document ${i}`;
  for (let at = 0; at < 5000; at += 2500) {
    await writer.current.replaceDocuments(Array.from({ length: 2500 }, (_, i) => record(name(at + i), ['one', 'two'])));
  }
  await writer.current.replaceDocuments([record(name(7), ['three'], { seed: 2 })]);
  const before = [...(await writer.current.manifest()).values()];
  await (await database.open('documents_1')).delete('true');
  const next = await GenerationWriter.open(database, generation, true);
  await next.settle();
  const byUri = (a: { uri: string }, b: { uri: string }): number => (a.uri < b.uri ? -1 : 1);
  expect([...(await next.manifest()).values()].sort(byUri)).toEqual(before.sort(byUri));
}, 60_000);

describe('opening', () => {
  it('nothing is INDEX_NOT_FOUND, in every kind of place', async () => {
    await expect(openStore(join(root, 'nowhere'))).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND', hint: /ingest/ });
    await expect(openStore(await connectDatabase('memory://'))).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' });
    const started = join(root, 'started');
    await (await openWriter(started)).close();
    await expect(openStore(started)).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' });
    await expect(openStore('')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('with another embedder is INDEX_MISMATCH, saying what differs', async () => {
    const database = await connectDatabase('memory://');
    await (await openWriter(database, { fingerprint: { ...fingerprint, chunker: 'x' } })).close();
    const wanted = { ...fingerprint, embedder: 'other' };
    const mismatch = { code: 'INDEX_MISMATCH', message: expect.stringMatching(/embedder "test".*"other"/) };
    await expect(openStore(database, { fingerprint: wanted })).rejects.toMatchObject(mismatch);
    await expect(openWriter(database, { fingerprint: wanted })).rejects.toMatchObject(mismatch);
    await expect(openWriter(database, { fingerprint: { chunker: 'y' } })).rejects.toMatchObject({
      code: 'INDEX_MISMATCH',
    });
    const writer = await openWriter(database, { fingerprint: { chunker: 'x' } }); // the failed ones gave the lock back
    expect(writer.fingerprint).toMatchObject({ ...fingerprint, chunker: 'x' });
    await writer.close();
  });

  it('with another analysis of words is INDEX_MISMATCH; a writer may still build the next generation', async () => {
    const database = await connectDatabase('memory://');
    await (await openWriter(database, { fingerprint })).close();
    const meta = new Meta(await database.open('meta'), database);
    const state = (await meta.get('state')) as StoreState;
    const old = { ...state.current.fingerprint, analysisVersion: 0 };
    await meta.writeState({ ...state, current: { ...state.current, fingerprint: old } });
    const mismatch = { code: 'INDEX_MISMATCH', message: /analysisVersion 0/, hint: /rebuild: true/ };
    const store = await openStore(database);
    await expect(store.snapshot()).rejects.toMatchObject(mismatch);
    await expect(openWriter(database, { fingerprint })).rejects.toMatchObject(mismatch);
    const writer = await openWriter(database);
    await writer.switchGeneration(await writer.beginGeneration(fingerprint));
    await writer.close();
    expect((await store.snapshot()).rows).toBe(0);
  });

  it('another schema version is INDEX_SCHEMA, an unreadable state INDEX_DAMAGED', async () => {
    const database = await connectDatabase('memory://');
    await (await openWriter(database, { fingerprint })).close();
    const meta = new Meta(await database.open('meta'), database);
    const state = await meta.get('state');
    await meta.put('state', { ...(state as object), schema: 99 });
    await expect(openStore(database)).rejects.toMatchObject({ code: 'INDEX_SCHEMA', hint: /Update ibid/ });
    await meta.put('state', { schema: 1, current: { number: 'x' } });
    await expect(openStore(database)).rejects.toMatchObject({ code: 'INDEX_DAMAGED' });
    await expect(openWriter(database)).rejects.toMatchObject({ code: 'INDEX_DAMAGED' });
  });

  it('without one of its tables is INDEX_DAMAGED', async () => {
    const place = join(root, 'damaged');
    const writer = await openWriter(place, { fingerprint });
    await writer.current.replaceDocuments([record('a', ['x'])]);
    await writer.close();
    rmSync(join(place, 'lance', 'lexical_1.lance'), { recursive: true });
    const store = await openStore(place);
    await expect(store.snapshot()).rejects.toMatchObject({
      code: 'INDEX_DAMAGED',
      message: /lexical_1/,
      hint: /ingest/,
    });
    await expect(openWriter(place)).rejects.toMatchObject({ code: 'INDEX_DAMAGED' });
  });

  it('a second writer is INDEX_LOCKED until the first is closed', async () => {
    const place = join(root, 'locked');
    const first = await openWriter(place, { fingerprint });
    await expect(openWriter(place)).rejects.toMatchObject({ code: 'INDEX_LOCKED' });
    await first.close();
    await (await openWriter(place)).close();
  });
});

describe('a next generation', () => {
  const other = { embedder: 'better', dimensions: 8 };

  it('is unseen until the switch, and then all there is', async () => {
    const place = join(root, 'generations');
    const writer = await openWriter(place, { fingerprint });
    await writer.current.replaceDocuments([record('a', ['old'])]);
    await writer.putMeta('note', 'first');
    await writer.current.putBlob('model', new Uint8Array([1, 2, 3]));
    const store = await openStore(place);
    const before = await store.snapshot();
    const next = await writer.beginGeneration(other);
    await next.writer.replaceDocuments([record('a', ['new'], { dimensions: 8 })]);
    await next.writer.putBlob('model', new Uint8Array(9 * 2 ** 20).fill(7)); // more than one part
    await next.putMeta('note', 'second');
    expect(await uris(await store.snapshot())).toEqual(['a#0 old']);
    expect(await store.getMeta('note')).toBe('first');
    await writer.switchGeneration(next);
    const after = await store.snapshot();
    expect([await uris(after), after.dimensions, await store.getMeta('note')]).toEqual([['a#0 new'], 8, 'second']);
    const model = (await store.getBlob('model'))!;
    expect([model.length, model.every((byte) => byte === 7)]).toEqual([9 * 2 ** 20, true]);
    expect(await uris(before)).toEqual(['a#0 old']);
    await writer.current.replaceDocuments([record('b', ['more'], { dimensions: 8 })]);
    await writer.close();
    const database = await connectDatabase(place);
    expect([...(await database.names())].sort()).toEqual(['blobs_2', 'chunks_2', 'documents_2', 'lexical_2', 'meta']);
    expect((await uris(await store.snapshot())).sort()).toEqual(['a#0 new', 'b#0 more']);
  });

  it('that was never switched to is cleaned away by the next writer', async () => {
    const place = join(root, 'abandoned');
    const writer = await openWriter(place, { fingerprint });
    await writer.current.replaceDocuments([record('a', ['old'])]);
    await (await writer.beginGeneration(other)).putMeta('note', 'left behind');
    await writer.close();
    const again = await openWriter(place, { fingerprint });
    const database = await connectDatabase(place);
    expect([...(await database.names())].sort()).toEqual(['blobs_1', 'chunks_1', 'documents_1', 'lexical_1', 'meta']);
    expect((await again.current.manifest()).size).toBe(1);
    const next = await again.beginGeneration(other); // the way is free again
    await again.switchGeneration(next);
    expect(await again.getMeta('note')).toBeUndefined();
    await again.close();
    expect([...(await database.names())].sort()).toEqual(['blobs_3', 'chunks_3', 'documents_3', 'lexical_3', 'meta']);
  });
});

describe('records and entries', () => {
  it('contradictory records are refused before anything is written', async () => {
    const database = await connectDatabase('memory://');
    const writer = await openWriter(database, { fingerprint });
    const good = record('a', ['x']);
    const bad = { code: 'INVALID_ARGUMENT' };
    await expect(writer.current.replaceDocuments([{ ...good, vectors: [] }])).rejects.toMatchObject(bad);
    await expect(writer.current.replaceDocuments([{ ...good, vectors: [new Int8Array(15)] }])).rejects.toMatchObject(
      bad,
    );
    await expect(writer.current.replaceDocuments([good, good])).rejects.toMatchObject(bad);
    await expect(writer.current.replaceDocuments([{ ...good, uri: '' }])).rejects.toMatchObject(bad);
    await expect(writer.current.renameDocuments([{ from: 'a', to: 'b' }])).rejects.toMatchObject(bad);
    expect((await (await openStore(database)).snapshot()).rows).toBe(0);
    expect(await writer.current.readDocument('a')).toBeUndefined();
  });

  it('a document without chunks is remembered; a failure leaves nothing of the older version', async () => {
    const database = await connectDatabase('memory://');
    const writer = await openWriter(database, { fingerprint });
    await writer.current.replaceDocuments([record('empty', []), record('a', ['x']), record('b', ['y'])]);
    const failure = { code: 'FILE_DAMAGED', message: "it's cut short" };
    const state = { sizeBytes: 0, mtimeMs: 5.5, contentHash: '' };
    await writer.current.recordEntries([
      { uri: 'a', chunks: 0, ...state, failure },
      { uri: 'b', chunks: 1, sizeBytes: 1, mtimeMs: 77, contentHash: 'hash of b 1' },
      { uri: 'new', chunks: 0, ...state, failure },
    ]);
    const store = await openStore(database);
    expect(await uris(await store.snapshot())).toEqual(['b#0 y']);
    const manifest = await store.manifest();
    expect(manifest.get('a')).toEqual({ uri: 'a', chunks: 0, ...state, failure });
    expect(manifest.get('new')).toEqual({ uri: 'new', chunks: 0, ...state, failure });
    expect(manifest.get('b')).toMatchObject({ mtimeMs: 77, title: 'Title of b', first: 1 });
    expect(manifest.get('empty')).toMatchObject({ chunks: 0, title: 'Title of empty' });
    expect(new Map(await writer.current.manifest())).toEqual(new Map(manifest));
  });

  it('documents trade names, and take names of documents that stand in the way', async () => {
    const database = await connectDatabase('memory://');
    const writer = await openWriter(database, { fingerprint });
    await writer.current.replaceDocuments([
      record('a', ['A']),
      record('b', ['B1', 'B2']),
      record('c', ['C']),
      record('d', ['D']),
    ]);
    await writer.current.renameDocuments([
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a', mtimeMs: 99 },
      { from: 'c', to: 'd' },
    ]);
    const store = await openStore(database);
    expect((await uris(await store.snapshot())).sort()).toEqual(['a#0 B1', 'a#1 B2', 'b#0 A', 'd#0 C']);
    const manifest = await store.manifest();
    expect(manifest.get('a')).toMatchObject({ chunks: 2, mtimeMs: 99, contentHash: 'hash of b 1' });
    expect([...manifest.keys()].sort()).toEqual(['a', 'b', 'd']);
  });
});

describe('places', () => {
  it.each(["a folder's name", '100%20 #1 ?x=1', '日本 [é] $HOME `x`', '-dash'])('%s', async (name) => {
    const place = join(root, name);
    const writer = await openWriter(place, { fingerprint });
    await writer.current.replaceDocuments([record('a', ['x'])]);
    await writer.finish();
    await writer.close();
    expect(readdirSync(place).sort()).toEqual(['.gitignore', 'checksums', 'copies', 'lance', 'locks']);
    expect(readFileSync(join(place, '.gitignore'), 'utf8')).toBe('*\n');
    const store = await openStore(place);
    expect(await uris(await store.snapshot())).toEqual(['a#0 x']);
    await expect(openStore(`${place}/other`)).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' });
  });

  it('an object store works like a folder, with a lease in place of lock files', async () => {
    const place = `file-object-store://${join(root, 'object-store')}`;
    const storageOptions = { some_option: 'passed through' };
    const writer = await openWriter(place, { fingerprint, storageOptions });
    await writer.current.replaceDocuments([record('a', ['x']), record('b', ['y'])]);
    await expect(openWriter(place)).rejects.toMatchObject({ code: 'INDEX_LOCKED' });
    const store = await openStore(place, { refreshMs: 0 });
    expect(await uris(await store.snapshot())).toEqual(['a#0 x', 'b#0 y']);
    await writer.current.replaceDocuments([record('a', ['z'], { seed: 2 })]);
    expect(await uris(await store.snapshot())).toEqual(['b#0 y', 'a#0 z']);
    await writer.finish();
    await writer.close();
    await (await openWriter(place)).close();
    await expect(openStore(`${place}/other`)).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' });
  });
});

it('a snapshot taken before compaction and pruning still answers', async () => {
  const place = join(root, 'pruned');
  const writer = await openWriter(place, { fingerprint });
  const all = Array.from({ length: 40 }, (_, i) => record(`d${i}`, [`text ${i}`, 'more']));
  for (const one of all) await writer.current.replaceDocuments([one]); // a fragment each: `finish` compacts
  const before = await (await openStore(place)).snapshot();
  await writer.finish();
  const database = await connectDatabase(place);
  expect((await (await database.open('chunks_1')).listVersions()).length).toBeLessThan(5);
  const query = all[17]!.vectors[1]!;
  const { ordinals } = await before.searchVectors(query, 1);
  expect((await before.fetch(ordinals))[0]).toMatchObject({ uri: 'd17', position: 1 });
  expect([...(await before.filter("uri = 'd17'")).ordinals]).toEqual([34, 35]);
  const [postings] = await before.lexical.terms(['text']);
  expect(postings!.ordinals.length).toBe(40);
  await writer.close();
});

it('after many small changes segments and fragments are few, and everything is still found', async () => {
  const place = join(root, 'upkeep');
  const writer = await openWriter(place, { fingerprint });
  const random = randomSource(4);
  const truth = new Map<string, string[]>();
  for (let round = 0; round < 30; round++) {
    const records = Array.from({ length: 3 }, () =>
      record(`d${random.integer(0, 25)}`, texts(random, 3), { seed: round + 1 }),
    );
    const unique = [...new Map(records.map((one) => [one.uri, one])).values()];
    await writer.current.replaceDocuments(unique);
    for (const { uri, chunks } of unique)
      truth.set(
        uri,
        chunks.map((chunk) => chunk.text),
      );
    if (round % 10 === 9) await writer.finish();
  }
  const store = await openStore(place);
  const snapshot = await store.snapshot();
  const expected = [...truth].flatMap(([uri, of]) => of.map((text, i) => `${uri}#${i} ${text}`)).sort();
  expect((await uris(snapshot)).sort()).toEqual(expected);
  const database = await connectDatabase(place);
  const stats = await (await database.open('chunks_1')).stats();
  expect(stats.fragmentStats.numFragments).toBeLessThanOrEqual(16);
  expect(await (await database.open('lexical_1')).countRows('block = -1')).toBeLessThan(6);
  expect(await writer.current.readDocument([...truth.keys()][0]!)).toBeDefined();
  await writer.close();
}, 30_000);
