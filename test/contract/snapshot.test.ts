import { describe, expect, it, onTestFinished } from 'vitest';
import type { Snapshot } from '../../src/store/contract.ts';
import { connectDatabase, openStore, openWriter } from '../../src/store/index.ts';
import { PrefetchedSnapshot } from '../../src/store/prefetched-snapshot.ts';
import { fakeEmbedder } from '../../src/testing.ts';
import { OverlaySnapshot } from '../../src/web/overlay.ts';
import { type MemoryDocument, memorySnapshot } from '../support/memory-snapshot.ts';
import { record, texts } from '../unit/store/records.ts';
import { randomSource } from '../unit/vector/random.ts';

const random = randomSource(20_261_122);
const documents: readonly MemoryDocument[] = Array.from({ length: 30 }, (_, i) => ({
  uri: `docs/${i % 3}/${i}.md`,
  title: `Title ${i}`,
  chunks: texts(random, 1 + (i % 5)).map((text) => ({ text })),
}));
const embedder = fakeEmbedder(16);

/** The documents in the store, written, with one replaced and one removed: some ordinals are dead. */
async function stored(residency?: 'none') {
  const database = await connectDatabase('memory://');
  const fingerprint = { embedder: embedder.id, dimensions: embedder.dimensions };
  const writer = await openWriter(database, { fingerprint });
  const vectors = await embedder.embedDocuments(
    documents.map(({ title, chunks }) => ({ title, chunks: chunks.map(({ text }) => ({ text, headings: [] })) })),
  );
  const records = documents.map(({ uri, title, chunks }, i) => ({
    ...record(
      uri,
      chunks.map(({ text }) => text),
      { title },
    ),
    vectors: vectors[i]!,
  }));
  await writer.current.replaceDocuments(records);
  await writer.current.replaceDocuments([records[4]!]);
  await writer.current.removeDocuments([records[7]!.uri]);
  await writer.close();
  const store = await openStore(database, residency ? { residency } : {});
  onTestFinished(() => store.close());
  return await store.snapshot();
}

const implementations: Readonly<Record<string, () => Promise<Snapshot>>> = {
  'of the store, in memory': () => stored(),
  'of the store, read as it is needed': () => stored('none'),
  'that is told its queries beforehand': async () => {
    const snapshot = new PrefetchedSnapshot(await stored('none'));
    await snapshot.prefetch([await embedder.embedQuery(documents[0]!.chunks[0]!.text)], 5);
    return snapshot;
  },
  'with pages of the web laid over it': async () => new OverlaySnapshot(await stored(), []),
  'in plain arrays, for tests': () => memorySnapshot(documents, { embedder, filters: { true: () => true } }),
};

/** What retrieval asks of a `Snapshot`, against brute force. */
describe.each(Object.entries(implementations))('a snapshot %s', (_, make) => {
  it('gives its live rows, each document’s together and in order', async () => {
    const snapshot = await make();
    const { ordinals, size } = await snapshot.filter('true');
    expect([size, ordinals.length]).toEqual([snapshot.liveRows, snapshot.liveRows]);
    expect([...ordinals]).toEqual([...ordinals].sort((a, b) => a - b));
    const chunks = await snapshot.fetch(ordinals);
    for (const [i, ordinal] of ordinals.entries()) {
      const [first, end] = snapshot.documentRange(ordinal);
      expect(ordinal - first).toBe(chunks[i]!.position);
      expect(end - first).toBe(chunks.filter(({ uri }) => uri === chunks[i]!.uri).length);
    }
  });

  it('fetches rows in the order asked for, whole and as far as they are read', async () => {
    const snapshot = await make();
    const { ordinals } = await snapshot.filter('true');
    const some = [ordinals.at(-1)!, ordinals[0]!, ordinals[5]!, ordinals[0]!];
    const chunks = await snapshot.fetch(some);
    expect(chunks[1]).toEqual(chunks[3]);
    expect((await snapshot.rowsAt(some)).map(({ chunk, text }) => [chunk, text])).toEqual(
      chunks.map((chunk) => [chunk, chunk.text]),
    );
    expect(await snapshot.fetch([])).toEqual([]);
  });

  it('finds the nearest live rows by exact cosine', async () => {
    const snapshot = await make();
    const { ordinals } = await snapshot.filter('true');
    const query = await embedder.embedQuery(documents[0]!.chunks[0]!.text);
    const found = await snapshot.searchVectors(query, 5);
    const vectors = await snapshot.vectorsAt(ordinals);
    const scored = [...ordinals].map((ordinal, i) => {
      const row = vectors.subarray(i * snapshot.dimensions, (i + 1) * snapshot.dimensions);
      const dot = (a: Int8Array, b: Int8Array): number => a.reduce((sum, x, at) => sum + x * b[at]!, 0);
      const lengths = Math.sqrt(dot(query, query) * dot(row, row));
      return { ordinal, cosine: lengths === 0 ? 0 : dot(query, row) / lengths };
    });
    scored.sort((a, b) => b.cosine - a.cosine || a.ordinal - b.ordinal);
    expect([...found.ordinals]).toEqual(scored.slice(0, 5).map(({ ordinal }) => ordinal));
    for (const [i, cosine] of found.cosines.entries()) expect(cosine).toBeCloseTo(scored[i]!.cosine, 5);
  });

  it('finds a word where brute force finds it', async () => {
    const snapshot = await make();
    const { ordinals } = await snapshot.filter('true');
    const chunks = await snapshot.fetch(ordinals);
    const word = documents[0]!.chunks[0]!.text.split(' ')[0]!;
    const [postings] = await snapshot.lexical.terms([word]);
    const wanted = [...ordinals].filter((_, i) => chunks[i]!.text.split(' ').includes(word));
    expect([...postings!.ordinals]).toEqual(wanted);
  });

  it('refuses a filter that is none', async () => {
    const snapshot = await make();
    await expect((async () => await snapshot.filter('no such column = 1'))()).rejects.toMatchObject({
      code: 'INVALID_FILTER',
    });
  });
});
