import { describe, expect, it } from 'vitest';
import type { EmbedDocument, Embedder } from '../../../src/embed/contract.ts';
import { EmbeddingAhead } from '../../../src/ingest/embedding-ahead.ts';

/** A vector is the number in the text; counts its calls. */
function embedderOf(fail: (text: string) => boolean = () => false) {
  const seen = { calls: 0, running: 0, most: 0 };
  const embedder: Embedder = {
    id: 'counting',
    dimensions: 1,
    limits: { documents: 512, chunks: 1024, tokens: 1e6, tokensPerDocument: 1e6 },
    async embedDocuments(documents) {
      seen.calls++;
      seen.most = Math.max(seen.most, ++seen.running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.running--;
      return documents.map(({ chunks }) =>
        chunks.map(({ text }) => {
          if (fail(text)) throw new Error(`cannot embed ${text}`);
          return Int8Array.of(Number(text));
        }),
      );
    },
    embedQuery: async () => Int8Array.of(0),
  };
  return { embedder, seen };
}

const documentOf = (n: number, chunks: number): EmbedDocument => ({
  title: '',
  chunks: Array.from({ length: chunks }, () => ({ text: String(n), headings: [] })),
});

describe('embedding ahead', () => {
  it('gives the vectors in the order of the documents, one call at a time, begun before they are taken', async () => {
    const { embedder, seen } = embedderOf();
    const ahead = new EmbeddingAhead(async () => embedder, {});
    for (let n = 0; n < 30; n++) ahead.add(documentOf(n, 100));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(seen.calls).toBeGreaterThan(0);
    const first = ahead.take();
    ahead.add(documentOf(99, 2));
    const second = ahead.take();
    expect((await first).map((vectors) => [vectors.length, vectors[0]![0]])).toEqual(
      Array.from({ length: 30 }, (_, n) => [100, n]),
    );
    expect((await second).map((vectors) => vectors.length)).toEqual([2]);
    expect(await ahead.take()).toEqual([]);
    expect(seen.most).toBe(1);
  });

  it('throws where the vectors are taken, and nowhere else', async () => {
    const { embedder } = embedderOf((text) => text === '7');
    const ahead = new EmbeddingAhead(async () => embedder, {});
    for (let n = 0; n < 30; n++) ahead.add(documentOf(n, 100));
    await ahead.idle();
    await expect(ahead.take()).rejects.toThrow('cannot embed 7');
    await ahead.idle();
  });

  it('an abort before a commit awaits the vectors is no unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): number => unhandled.push(reason);
    const { embedder } = embedderOf((text) => text === '7');
    process.prependListener('unhandledRejection', onUnhandled);
    try {
      const ahead = new EmbeddingAhead(async () => embedder, {});
      ahead.add(documentOf(7, 1));
      const vectors = ahead.take();
      await ahead.idle();
      await new Promise((resolve) => setTimeout(resolve, 10)); // as a commit that awaits something else
      await expect(vectors).rejects.toThrow('cannot embed 7');
      expect(unhandled).toEqual([]);
    } finally {
      process.removeListener('unhandledRejection', onUnhandled);
    }
  });
});
