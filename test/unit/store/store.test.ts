import { describe, expect, it } from 'vitest';
import type { DocumentRecord, Snapshot } from '../../../src/store/contract.ts';
import { connectDatabase, type IndexWriter, openStore, openWriter, type Store } from '../../../src/store/index.ts';
import { record } from './records.ts';

const fingerprint = { embedder: 'test', dimensions: 16 };

async function memoryIndex(...batches: DocumentRecord[][]): Promise<{ writer: IndexWriter; store: Store }> {
  const database = await connectDatabase('memory://');
  const writer = await openWriter(database, { fingerprint });
  for (const batch of batches) await writer.current.replaceDocuments(batch);
  return { writer, store: await openStore(database) };
}

async function allTexts(snapshot: Snapshot): Promise<string[]> {
  const { ordinals } = await snapshot.filter('position >= 0');
  return (await snapshot.fetch(ordinals)).map((chunk) => `${chunk.uri}#${chunk.position} ${chunk.text}`);
}

describe('a written index', () => {
  it('gives every field of every chunk back', async () => {
    const documents = [
      record('a.md', ['one two', 'three', 'four'], { metadata: { year: 2020, tag: "it's", ok: true, none: null } }),
      record("b's $file `x`.md", ['five']),
    ];
    const { store } = await memoryIndex(documents);
    const snapshot = await store.snapshot();
    expect([snapshot.rows, snapshot.liveRows, snapshot.dimensions]).toEqual([4, 4, 16]);
    const chunks = await snapshot.fetch([3, 0, 1, 2, 0]);
    const [a, b] = documents as [DocumentRecord, DocumentRecord];
    const expected = (document: DocumentRecord, position: number) => ({
      ...document.chunks[position],
      uri: document.uri,
      title: document.title,
      format: document.format,
      metadata: document.metadata,
    });
    expect(chunks).toEqual([expected(b, 0), expected(a, 0), expected(a, 1), expected(a, 2), expected(a, 0)]);
    expect([...(await snapshot.vectorsAt([3, 1]))]).toEqual([...b.vectors[0]!, ...a.vectors[1]!]);
    expect(snapshot.documentRange(1)).toEqual([0, 3]);
    expect(snapshot.documentRange(3)).toEqual([3, 4]);
  });

  it('finds the vector that was asked for, and only inside the filter', async () => {
    const documents = ['a', 'b', 'c', 'd'].map((uri) => record(uri, ['x', 'y']));
    const { store } = await memoryIndex(documents);
    const snapshot = await store.snapshot();
    const query = documents[2]!.vectors[1]!;
    const all = await snapshot.searchVectors(query, 3);
    expect(all.ordinals[0]).toBe(5);
    expect(all.cosines[0]).toBeCloseTo(1, 6);
    const within = await snapshot.filter("uri IN ('a', 'd')");
    const some = await snapshot.searchVectors(query, 10, { within });
    expect([...some.ordinals].sort()).toEqual([0, 1, 6, 7]);
  });

  it('replaces, removes and renames', async () => {
    const { writer, store } = await memoryIndex([record('a', ['a1', 'a2']), record('b', ['b1']), record('c', ['c1'])]);
    const before = await store.snapshot();
    await writer.current.replaceDocuments([record('b', ['b2', 'b3'], { seed: 2 }), record('d', ['d1'])]);
    await writer.current.removeDocuments(['c', 'nowhere']);
    await writer.current.renameDocuments([{ from: 'a', to: "it's a" }]);
    expect(await allTexts(await store.snapshot())).toEqual([
      "it's a#0 a1",
      "it's a#1 a2",
      'b#0 b2',
      'b#1 b3',
      'd#0 d1',
    ]);
    expect((await store.snapshot()).liveRows).toBe(5);
    // the old snapshot still answers for the rows that are left, in its own version
    expect((await before.fetch([0]))[0]!.uri).toBe('a');
    const manifest = await store.manifest();
    expect([...manifest.keys()].sort()).toEqual(['b', 'd', "it's a"]);
    expect(manifest.get('b')).toMatchObject({
      chunks: 2,
      contentHash: 'hash of b 2',
      title: 'Title of b',
      format: 'markdown',
    });
    expect(new Map(await writer.current.manifest())).toEqual(new Map(manifest));
  });

  it('the lexical reader counts live rows only', async () => {
    const { writer, store } = await memoryIndex([record('a', ['apple pear', 'apple']), record('b', ['apple'])]);
    const [first] = await (await store.snapshot()).lexical.terms(['appl']);
    expect([...first!.ordinals]).toEqual([0, 1, 2]);
    await writer.current.replaceDocuments([record('a', ['cherry apple'], { seed: 2 })]);
    const [second] = await (await store.snapshot()).lexical.terms(['appl']);
    expect([...second!.ordinals]).toEqual([2, 3]);
  });
});
