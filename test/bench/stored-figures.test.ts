import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { indexCollection, loadCollection } from '../../bench/quality/collections.ts';
import { type CutDocument, storedSnapshot } from '../../bench/support/stored-snapshot.ts';
import type { DemoQuestion } from '../../datasets/make-demo.ts';
import type { StoredChunk } from '../../src/core/types.ts';
import { openIndex } from '../../src/index.ts';
import { MODEL_BLOB, openLocalEmbedder, openStore, type Snapshot, search } from '../../src/internal.ts';
import { memorySnapshot } from '../support/memory-snapshot.ts';

const modes = ['lexical', 'dense', 'hybrid'] as const;
const datasets = join(import.meta.dirname, '../../datasets');
const cranfield = join(process.env.IBID_SHARED ?? join(import.meta.dirname, '../../../shared'), 'data/cranfield');
const folder = mkdtempSync(join(tmpdir(), 'ibid-test-figures-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Found = readonly { readonly chunk: Pick<StoredChunk, 'uri' | 'position'>; readonly score: number }[];
const ranking = (hits: Found): unknown[] => hits.map(({ chunk, score }) => [chunk.uri, chunk.position, score]);

/** The documents as they were cut, in the order of their rows. */
function documentsOf(chunks: readonly StoredChunk[]): CutDocument[] {
  const documents = new Map<string, { uri: string; title: string; chunks: StoredChunk[] }>();
  for (const chunk of chunks) {
    const { uri, title } = chunk;
    const document = documents.get(uri) ?? { uri, title, chunks: [] };
    documents.set(uri, document);
    document.chunks.push(chunk);
  }
  return [...documents.values()];
}

/**
 * Ranks and scores of the figures: from the index of a user, the store of the benches, and the brute force of the
 * tests.
 */
describe('scores are equal to the last digit', () => {
  it('for the demo: an index in a folder, the store of the benches, brute force in memory', async () => {
    const place = join(folder, 'index');
    const demo = join(datasets, 'demo');
    await using index = await openIndex(place, { create: true, base: demo });
    await index.ingest([demo]);
    await using store = await openStore(place);
    const own = await store.snapshot();
    const documents = documentsOf(await own.fetch(Array.from({ length: own.rows }, (_, row) => row)));
    expect(own.rows).toBeGreaterThan(documents.length); // some documents have several chunks
    const embedder = openLocalEmbedder((await store.getBlob(MODEL_BLOB))!);
    const [stored, brute] = [await storedSnapshot(documents, embedder), await memorySnapshot(documents, { embedder })];
    const questions = readFileSync(join(datasets, 'demo-questions/questions.jsonl'), 'utf8').trimEnd().split('\n');
    expect(questions.length).toBeGreaterThan(20);
    for (const line of questions) {
      const { question } = JSON.parse(line) as DemoQuestion; // our own file; test/unit/datasets checks its fields
      for (const mode of modes) {
        const expected = ranking((await index.search(question, { mode, limit: 20 })).hits);
        expect(ranking(await search(stored, embedder, question, { mode, limit: 20 })), question).toEqual(expected);
        expect(ranking(await search(brute, embedder, question, { mode, limit: 20 })), question).toEqual(expected);
      }
    }
    await embedder.close?.();
  });

  it.skipIf(!existsSync(cranfield))(
    'for a judged collection: the store of the benches, brute force in memory (skipped: IBID_SHARED has no data/cranfield)',
    async () => {
      const collection = await loadCollection(cranfield, { every: 8 });
      const { snapshot, embedder } = await indexCollection(collection);
      const brute: Snapshot = {
        ...(await memorySnapshot(collection.documents, { embedder })),
        sample: snapshot.sample, // which rows stand for all is noted, not found by brute force
      };
      expect(collection.queries.length).toBeGreaterThan(20);
      for (const { text } of collection.queries) {
        for (const mode of modes) {
          const [a, b] = [
            await search(snapshot, embedder, text, { mode, limit: 100, distinct: false }),
            await search(brute, embedder, text, { mode, limit: 100, distinct: false }),
          ];
          expect(a.length).toBeGreaterThan(0);
          expect(ranking(a), text).toEqual(ranking(b));
        }
      }
      await embedder.close?.();
    },
  );
});
