import { describe, expect, it } from 'vitest';
import type { EmbedDocument } from '../../../../src/embed/contract.ts';
import {
  createLocalTrainer,
  type LocalEmbedder,
  openLocalEmbedder,
  startEmbedThreads,
  trainLocalEmbedder,
} from '../../../../src/embed/local/embedder.ts';
import { modelInfo } from '../../../../src/embed/local/model.ts';
import { randomWords, unit } from '../../../../src/embed/local/random.ts';

const subjects = [
  'planet orbit telescope comet gravity nebula asteroid satellite',
  'flour oven yeast dough butter recipe sugar bakery',
  'violin concerto melody orchestra rhythm choir sonata tempo',
  'goalkeeper penalty stadium referee midfield striker tackle league',
].map((words) => words.split(' '));

/** Documents of `chunks` chunks; document i writes about subject i mod 4. */
function corpus(documents: number, chunks: number, seed = 1): EmbedDocument[] {
  const next = randomWords(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(unit(next) * from.length)]!;
  return Array.from({ length: documents }, (_, i) => {
    const words = subjects[i % subjects.length]!;
    const sentence = (): string =>
      `${Array.from({ length: 6 }, () => pick(words)).join(' ')} ${pick(['here', 'often'])}.`;
    return {
      title: `About ${pick(words)}`,
      chunks: Array.from({ length: chunks }, () => ({
        text: Array.from({ length: 4 }, sentence).join(' '),
        headings: [pick(words)],
      })),
    };
  });
}

const cosine = (a: Int8Array, b: Int8Array): number => {
  const dot = a.reduce((sum, x, i) => sum + x * b[i]!, 0);
  return dot === 0 ? 0 : dot / Math.hypot(...a) / Math.hypot(...b);
};

async function trained(documents: readonly EmbedDocument[], threads = 0): Promise<LocalEmbedder> {
  return openLocalEmbedder(await trainLocalEmbedder(documents), { threads });
}

describe('training', () => {
  it('gives equal bytes for equal input in any order, others for another seed', async () => {
    const documents = corpus(30, 3);
    const model = await trainLocalEmbedder(documents);
    expect(await trainLocalEmbedder(documents)).toEqual(model);
    const ids = new Set([modelInfo(model).id]);
    ids.add(modelInfo(await trainLocalEmbedder(documents, { seed: 2 })).id);
    expect(await trainLocalEmbedder(documents.toReversed())).toEqual(model);
    ids.add(modelInfo(await trainLocalEmbedder(documents, { dimensions: 128 })).id);
    expect(ids.size).toBe(3);
  });

  it('does not depend on how documents arrive', async () => {
    const documents = corpus(40, 5);
    const options = { maxChunks: 60 };
    const model = await trainLocalEmbedder(documents, options);
    await using trainer = createLocalTrainer(options);
    for (const document of documents) await trainer.add([document]);
    expect(await trainer.finish()).toEqual(model);
    expect(modelInfo(model)).toMatchObject({ chunksSeen: 200, trainedOnChunks: 60, maxChunks: 60, dimensions: 256 });
  });

  it('embeds the documents whose chunks are all in the sample, as the embedder does', async () => {
    const tricky = {
      text: 'Run--dry.Orbit of v2.\nOrbit. --dry-run: 彗星。軌道 e\u0301toile? Etoile',
      headings: ['Orbit', 'v2.1'],
    };
    const long = corpus(1, 1500, 3);
    const documents = [
      ...corpus(30, 3),
      { title: 'empty', chunks: [] },
      { title: 'Tricky orbit', chunks: [tricky, tricky] },
      ...long,
      ...corpus(9, 1, 2),
    ];
    for (const maxChunks of [5000, 1550, 800]) {
      await using trainer = createLocalTrainer({ maxChunks });
      for (const document of documents) await trainer.add([document]);
      const { model, vectors } = await trainer.finishAndEmbed();
      expect(model).toEqual(await trainLocalEmbedder(documents, { maxChunks }));
      await using embedder = openLocalEmbedder(model, { threads: 0 });
      const expected = await embedder.embedDocuments(documents);
      expect(vectors.length).toBe(documents.length);
      expect(vectors.map((made, i) => made ?? expected[i])).toEqual(expected);
      const made = vectors.filter((one) => one !== undefined).length;
      if (maxChunks === 5000) expect(made).toBe(documents.length);
      else expect(made).toBeGreaterThan(1); // the empty one, and some of one chunk
      expect(vectors.includes(undefined)).toBe(maxChunks < 5000);
    }
  });

  it('runs beside the event loop', async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await trainLocalEmbedder(corpus(200, 5));
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(20);
  });

  it.each([{ dimensions: 0 }, { dimensions: 100 }, { maxVocabulary: 0 }, { maxChunks: 1.5 }, { seed: Number.NaN }])(
    'refuses %j',
    async (options) => {
      await expect(trainLocalEmbedder([], options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    },
  );

  it('stops on an abort, with its reason', async () => {
    const reason = new Error('enough');
    await expect(trainLocalEmbedder(corpus(4, 1), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const abort = new AbortController();
    const run = trainLocalEmbedder(corpus(2000, 5), { signal: abort.signal });
    setTimeout(() => abort.abort(reason), 100);
    await expect(run).rejects.toBe(reason);
  });
});

const end = (link: ReturnType<typeof startEmbedThreads>[number]): Promise<void> => link.close();

describe('embedding', () => {
  it('keeps nesting and order, with 256 int8 components each', async () => {
    const documents = [...corpus(30, 2), { title: 'empty', chunks: [] }, ...corpus(1, 7)];
    await using embedder = await trained(documents);
    const vectors = await embedder.embedDocuments(documents);
    expect(vectors.map((v) => v.length)).toEqual(documents.map((d) => d.chunks.length));
    expect(vectors.flat().every((v) => v instanceof Int8Array && v.length === 256)).toBe(true);
    for (const [i, document] of documents.entries()) {
      expect(await embedder.embedDocuments([document])).toEqual([vectors[i]]);
    }
  });

  it('gives the same vectors in threads, in one call or many, also for a document longer than a job', async () => {
    const documents = [...corpus(40, 3), ...corpus(1, 300)];
    const model = await trainLocalEmbedder(documents);
    await using inline = openLocalEmbedder(model, { threads: 0 });
    const expected = await inline.embedDocuments(documents);
    for (const threads of [1, 2]) {
      await using embedder = openLocalEmbedder(model, { threads });
      expect(await embedder.embedDocuments(documents)).toEqual(expected);
      expect(await Promise.all(documents.map(async (d) => (await embedder.embedDocuments([d]))[0]))).toEqual(expected);
      const { chunks, tokens, unknown } = embedder.counts();
      const once = inline.counts();
      expect({ chunks, tokens, unknown }).toEqual({
        chunks: 2 * once.chunks,
        tokens: 2 * once.tokens,
        unknown: 2 * once.unknown,
      });
    }
  });

  it('embeds in threads that were started before there was a model, as many as there is work for', async () => {
    expect([0, 16, 17, 128, 129, 9999].map((chunks) => startEmbedThreads(chunks, 2).map(end).length)).toEqual([
      0, 0, 1, 1, 2, 2,
    ]);
    const documents = corpus(100, 3);
    const started = startEmbedThreads(300, 2);
    const model = await trainLocalEmbedder(documents);
    await using inline = openLocalEmbedder(model, { threads: 0 });
    await using embedder = openLocalEmbedder(model, { threads: 2, started });
    expect(await embedder.embedDocuments(documents)).toEqual(await inline.embedDocuments(documents));
    await embedder[Symbol.asyncDispose]();
    await expect(started[0]!.request({})).rejects.toThrow('closed');
  });

  it('brings texts of one subject together that share no word', async () => {
    const documents = corpus(80, 2);
    await using embedder = await trained(documents);
    const about = async (text: string): Promise<Int8Array> => await embedder.embedQuery(text);
    const comet = await about('comet');
    expect(cosine(comet, await about('telescope'))).toBeGreaterThan(cosine(comet, await about('yeast')) + 0.3);
  });

  it('knows the neighbours, the headings and the title, and nothing of other documents', async () => {
    const base = corpus(40, 8);
    await using embedder = await trained(base);
    const embed = async (edit: (d: EmbedDocument) => EmbedDocument, at = 0): Promise<readonly Int8Array[]> => {
      const documents = base.map((d, i) => (i === at ? edit(d) : d));
      return (await embedder.embedDocuments(documents))[0]!;
    };
    const before = await embed((d) => d);
    const alien = { text: 'flour oven yeast dough. Butter recipe sugar bakery.', headings: [] };
    const replaced = await embed((d) => ({ ...d, chunks: d.chunks.with(2, alien) }));
    const similarity = before.map((v, i) => cosine(v, replaced[i]!));
    expect(similarity[2]).toBeLessThan(0.7);
    for (const near of [0, 1, 3, 4, 5]) {
      expect(similarity[near]).toBeLessThan(1);
      expect(similarity[near]).toBeGreaterThan(0.85);
    }
    expect([replaced[6], replaced[7]]).toEqual([before[6], before[7]]); // more than three chunks away
    expect(await embed((d) => ({ ...d, chunks: [alien] }), 1)).toEqual(before);
    expect(await embed((d) => ({ ...d, title: 'sugar' }))).not.toEqual(before);
    const first = (c: EmbedDocument['chunks'][number]): EmbedDocument['chunks'] => [c];
    const only = async (c: EmbedDocument['chunks'][number]): Promise<readonly Int8Array[]> =>
      await embed(() => ({ title: '', chunks: first(c) }));
    const [plain] = await only({ text: 'comet', headings: [] });
    expect(await only({ text: 'comet', headings: ['sugar'] })).not.toEqual([plain]);
    expect(await embedder.embedQuery('comet')).toEqual(plain); // a document of one chunk has no neighbours
  });

  it('gives the zero vector for what it knows nothing of', async () => {
    await using embedder = await trained(corpus(20, 2));
    for (const query of ['', 'zzyzx qwrtp', '!?']) {
      expect((await embedder.embedQuery(query)).every((x) => x === 0)).toBe(true);
    }
    const [vectors] = await embedder.embedDocuments([
      { title: '', chunks: [{ text: '', headings: [] }, ...corpus(1, 1)[0]!.chunks] },
    ]);
    expect(vectors![0]!.every((x) => x === 0)).toBe(true);
    expect(vectors![1]!.some((x) => x !== 0)).toBe(true);
  });

  it('has all its dimensions for a corpus of nothing, or of two chunks', async () => {
    for (const documents of [[], corpus(1, 1), corpus(1, 2), corpus(3, 1)]) {
      await using embedder = await trained(documents);
      expect(await embedder.embedQuery('planet orbit')).toHaveLength(256);
      for (const vector of (await embedder.embedDocuments(documents)).flat()) expect(vector).toHaveLength(256);
    }
  });

  it('fails an aborted or closed call, and goes on after an abort', async () => {
    const documents = corpus(60, 5);
    await using embedder = await trained(documents, 1);
    const abort = new AbortController();
    const run = embedder.embedDocuments(documents, { signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(run).rejects.toThrow('enough');
    expect(await embedder.embedDocuments(documents)).toHaveLength(60);
    const open = embedder.embedDocuments(documents);
    open.catch(() => {});
    await embedder.close?.();
    await expect(open).rejects.toThrow('closed');
    await expect(embedder.embedQuery('x')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
