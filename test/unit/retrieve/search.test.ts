import { describe, expect, it } from 'vitest';
import type { Embedder } from '../../../src/embed/contract.ts';
import { type SearchOptions, search, searchWithPredictors } from '../../../src/retrieve/search.ts';
import { ScopedSnapshot } from '../../../src/store/scoped-snapshot.ts';
import { type MemoryDocument, memorySnapshot } from '../../support/memory-snapshot.ts';

const fillers: MemoryDocument[] = Array.from({ length: 60 }, (_, i) => ({
  uri: `filler-${i}.md`,
  title: `Filler ${i}`,
  chunks: [
    {
      text: `Notes about gardens, weather and trains, number ${i}. Nothing here is of any consequence to anyone at all.`,
    },
    { text: `More on rivers and bread from place ${i * 7}, with a module that was found and an error here and there.` },
  ],
}));

const manual: MemoryDocument = {
  uri: 'manual.md',
  title: 'Tide gauge manual',
  chunks: [
    { text: 'The tide gauge measures the height of the sea.', headings: ['Purpose'] },
    { text: 'Open the valve slowly. Run the tool with --dry-run first.', headings: ['Maintenance'] },
    { text: 'Leave it alone in a storm.', headings: ['When not to use it'] },
    {
      text: 'Error [ERR_MODULE_NOT_FOUND] means that a file is missing. Needs Node 22.18 or later.',
      headings: ['Errors'],
    },
    { text: '満潮と干潮の差は潮位表で確認する。', headings: ['日本語'] },
  ],
};

const documents = [...fillers.slice(0, 30), manual, ...fillers.slice(30)];

/** Knows three subjects and nothing else: one dimension each. */
const embedder: Embedder = {
  id: 'three-subjects',
  dimensions: 3,
  limits: { documents: 1e3, chunks: 1e3, tokens: 1e9, tokensPerDocument: 1e9 },
  embedDocuments: async (documents) => documents.map(({ chunks }) => chunks.map(({ text }) => subjects(text))),
  embedQuery: async (query) => subjects(query),
  close: async () => {},
};

function subjects(text: string): Int8Array {
  const counts = [/sea|ocean|tide/gi, /river|bread/gi, /garden|train/gi].map((words) => text.match(words)?.length ?? 0);
  return Int8Array.from(counts, (count) => Math.min(127, 40 * count));
}

describe('search', () => {
  it.each([
    ['ERR_MODULE_NOT_FOUND', 3],
    ['--dry-run', 1],
    ['22.18', 3],
    ['"run the tool"', 1],
    ['干潮', 4],
    ['When should I not use the tide gauge?', 2],
    ['height of the sea', 0],
  ])('finds %s at its place', async (query, position) => {
    const snapshot = await memorySnapshot(documents, { embedder });
    for (const mode of ['hybrid', 'lexical'] as const) {
      const [first] = await search(snapshot, embedder, query, { mode });
      expect(first?.chunk).toMatchObject({ uri: 'manual.md', position });
    }
  });

  it('puts a chunk that holds the quoted words in order before chunks that hold them often', async () => {
    const often = {
      uri: 'often.md',
      title: 'Often',
      chunks: [{ text: 'valve open valve open slowly valve open slowly the open' }],
    };
    const snapshot = await memorySnapshot([...documents, often]);
    const [first] = await search(snapshot, undefined, '"open the valve slowly"');
    expect(first?.chunk.uri).toBe('manual.md');
  });

  it('finds by meaning what shares no word, and says so in the trace', async () => {
    const snapshot = await memorySnapshot(documents, { embedder });
    const hits = await search(snapshot, embedder, 'ocean', { mode: 'dense', limit: 1, explain: true });
    expect(hits[0]?.chunk).toMatchObject({ uri: 'manual.md', position: 0 });
    expect(hits[0]?.trace).toEqual([{ list: 'cosine', rank: 1, value: expect.closeTo(1, 6), weight: 1 }]);
    expect((await search(snapshot, embedder, 'ocean', { limit: 3 })).map(({ chunk }) => chunk.uri)).toContain(
      'manual.md',
    );
  });

  it('gives traces whose contributions order the hits as their scores do', async () => {
    const snapshot = await memorySnapshot(documents, { embedder });
    const hits = await search(snapshot, embedder, 'errors of the tide gauge module', { explain: true, limit: 20 });
    const sums = hits.map(({ trace }) => trace.reduce((sum, { value, weight }) => sum + value * weight, 0));
    expect(sums).toEqual([...sums].sort((a, b) => b - a));
    // one factor leads from sums to scores
    hits.forEach(({ score }, i) => {
      expect(score).toBeCloseTo((sums[i]! / sums[0]!) * hits[0]!.score, 6);
    });
    expect((await search(snapshot, embedder, 'errors', {}))[0]?.trace).toEqual([]);
  });

  it('scores what it knows high, what it half knows lower, and nonsense near 0', async () => {
    const snapshot = await memorySnapshot(documents, { embedder });
    const best = async (query: string): Promise<number> => (await search(snapshot, embedder, query))[0]?.score ?? 0;
    expect(await best('ERR_MODULE_NOT_FOUND')).toBeGreaterThan(0.8);
    expect(await best('zorbulating quixotic flimflams')).toBeLessThan(0.05);
    expect(await best('how do zorbulating flimflams affect number theory conferences')).toBeLessThan(0.3);
    expect(await best('')).toBe(0);
  });

  it('looks only at rows that a filter lets through, on every path', async () => {
    const filters = { 'not manual': ({ uri }: { uri: string }) => uri !== 'manual.md', none: () => false };
    const snapshot = await memorySnapshot(documents, { embedder, filters });
    for (const mode of ['hybrid', 'lexical', 'dense'] as const) {
      const hits = await search(snapshot, embedder, 'height of the sea "the tide gauge"', {
        mode,
        where: 'not manual',
        limit: 200,
      });
      expect(hits.filter(({ chunk }) => chunk.uri === 'manual.md')).toEqual([]);
      expect(await search(snapshot, embedder, 'sea', { mode, where: 'none' })).toEqual([]);
    }
    await expect(search(snapshot, embedder, 'sea', { where: 'no such' })).rejects.toMatchObject({
      code: 'INVALID_FILTER',
    });
  });

  it('leaves out copies, unless told to keep them', async () => {
    const text = 'The harbour master keeps the only key to the old lighthouse on the northern pier of the town.';
    const copies = ['a', 'b', 'c'].map((name) => ({
      uri: name,
      title: 'Harbour',
      chunks: [{ text: `${text}${name === 'c' ? ' Really.' : ''}` }],
    }));
    const snapshot = await memorySnapshot([...documents, ...copies]);
    const uris = async (distinct: boolean): Promise<string[]> =>
      (await search(snapshot, undefined, 'key to the lighthouse', { distinct })).map(({ chunk }) => chunk.uri);
    expect((await uris(true)).filter((uri) => uri.length === 1)).toHaveLength(1);
    expect((await uris(false)).filter((uri) => uri.length === 1)).toHaveLength(3);
  });

  it('brings as many copies with other claims as are asked for, and refuses what is no number of them', async () => {
    const text =
      'The harbour master keeps the only key to the old lighthouse on the northern pier of the town, under number ';
    const copies = [1, 2, 3, 4, 5].map((n) => ({ uri: `${n}`, title: 'Harbour', chunks: [{ text: `${text}${n}.` }] }));
    const snapshot = await memorySnapshot([...documents, ...copies]);
    const found = async (options: SearchOptions): Promise<number> =>
      (await search(snapshot, undefined, 'key to the lighthouse', { limit: 2, ...options })).length;
    expect(await Promise.all([{}, { variants: 2 }, { variants: 9 }].map(found))).toEqual([1, 3, 5]); // one and its copies
    for (const name of ['variants', 'opening', 'neighbours'])
      for (const wrong of [-1, 1.5, Number.NaN])
        await expect(found({ [name]: wrong })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('brings neighbours of the same document, in order, when asked', async () => {
    const snapshot = await memorySnapshot(documents);
    const [hit] = await search(snapshot, undefined, '--dry-run', { neighbours: 2, limit: 1 });
    expect(hit?.before?.map(({ position }) => position)).toEqual([0]);
    expect(hit?.after?.map(({ position }) => position)).toEqual([2, 3]);
    expect((await search(snapshot, undefined, '--dry-run', { limit: 1 }))[0]).not.toHaveProperty('before');
  });

  it('brings the first chunks of a long document that the query names, behind the hits', async () => {
    const filters = { 'position > 0': ({ position }: { position: number }) => position > 0 };
    const snapshot = await memorySnapshot(documents, { filters });
    const positions = async (query: string, where?: string): Promise<number[]> => {
      const hits = await search(snapshot, undefined, query, { limit: 2, opening: 3, where });
      const own = hits.filter(({ chunk }) => chunk.uri === 'manual.md');
      expect(hits.length - own.length).toBe(0);
      expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
      return own.map(({ chunk }) => chunk.position);
    };
    const [first, second, ...opening] = await positions('tide gauge valve storm dry-run');
    expect([first, second].sort()).toEqual([1, 2]);
    expect(opening).toEqual([0]); // those found are not repeated
    expect(await positions('tide gauge valve storm dry-run', 'position > 0')).toHaveLength(2);
    expect(await positions('valve storm dry-run')).toHaveLength(2); // does not name it
  });

  it('knows a document by what its title calls it, without what the title says of its site', async () => {
    const chunks = ['It holds a rope.', 'The winch has a drum.', 'A drum of the winch has teeth.'].map((text) => ({
      text,
    }));
    const opened = async (title: string): Promise<number> => {
      const snapshot = await memorySnapshot([...documents, { uri: 'winch.html', title, chunks }]);
      const hits = await search(snapshot, undefined, 'winch drum', { limit: 2, opening: 3 });
      return hits.filter(({ chunk }) => chunk.uri === 'winch.html').length;
    };
    expect(await opened('Winch (Quay API reference)')).toBe(3);
    expect(await opened('Winch - Quay machines - Manual')).toBe(3);
    expect(await opened('Quay (Winch API reference)')).toBe(2);
  });

  it('answers alike however the rows are spread over segments', async () => {
    const [whole, spread] = await Promise.all([
      memorySnapshot(documents),
      memorySnapshot(documents, { segmentDocuments: 7 }),
    ]);
    for (const query of ['tide gauge errors', 'rivers and bread', '"module that was found"']) {
      expect(await search(spread, undefined, query, { limit: 50 })).toEqual(
        await search(whole, undefined, query, { limit: 50 }),
      );
    }
  });

  it('scores a small part of an index as an index of its own', async () => {
    const others = Array.from({ length: 20 }, (_, turn) =>
      fillers.map((filler) => ({ ...filler, uri: `${turn}/${filler.uri}` })),
    ).flat();
    const own = [manual, ...fillers.slice(0, 10)];
    const whole = await memorySnapshot([...others.slice(0, 500), ...own, ...others.slice(500)], {
      filters: { own: ({ uri }) => own.some((document) => document.uri === uri) },
    });
    const scoped = await ScopedSnapshot.open(whole, 'own');
    const alone = await memorySnapshot(own);
    for (const query of ['tide gauges', 'maintenence of a module', 'river bread weather'])
      expect(await search(scoped, undefined, query)).toEqual(await search(alone, undefined, query));
  });

  it('searches many at once as well as one by one', async () => {
    const snapshot = await memorySnapshot(documents, { embedder });
    const queries = ['sea', 'bread', 'gardens and trains', 'ERR_MODULE_NOT_FOUND', 'valve'];
    const alone = [];
    for (const query of queries) alone.push(await search(snapshot, embedder, query));
    expect(await Promise.all(queries.map((query) => search(snapshot, embedder, query)))).toEqual(alone);
  });

  it.each([1, 2, 5])('serves an index of %i chunks', async (count) => {
    const tiny = { uri: 't', title: 't', chunks: manual.chunks.slice(0, count) };
    const snapshot = await memorySnapshot([tiny], { embedder });
    expect((await search(snapshot, embedder, 'sea height', { limit: 3 }))[0]?.chunk.position).toBe(0);
  });

  it('serves an empty index', async () => {
    const { hits, predictors } = await searchWithPredictors(await memorySnapshot([]), undefined, 'anything');
    expect(hits).toEqual([]);
    expect(predictors).toMatchObject({ coverage: 0, strength: 0, unknown: 1 });
  });

  it('says what it knows of the query', async () => {
    const snapshot = await memorySnapshot(documents, { embedder });
    const known = (await searchWithPredictors(snapshot, embedder, 'tide gauge height')).predictors;
    expect(known).toMatchObject({
      terms: 3,
      unknown: 0,
      coverage: expect.closeTo(1, 6),
      firstCoverage: expect.closeTo(1, 6),
    });
    const half = (await searchWithPredictors(snapshot, embedder, 'gauge zorbulator')).predictors;
    expect(half.unknown).toBeGreaterThan(0.4);
    expect(half.coverage + half.unknown).toBeCloseTo(1, 6);
  });

  it.each([{ limit: 0 }, { limit: 1.5 }, { neighbours: -1 }, { mode: 'dense' as const }, { mode: 'fuzzy' as never }])(
    'refuses %j',
    async (options) => {
      await expect(search(await memorySnapshot([]), undefined, 'x', options)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
    },
  );

  it('stops at an abort', async () => {
    const snapshot = await memorySnapshot(documents);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(search(snapshot, undefined, 'sea', { signal })).rejects.toThrow('enough');
  });
});

it('gives what vectors alone have found a place behind the hits that were read', async () => {
  // words and vectors name different chunks, and the vectors are not trusted
  const rows = Array.from({ length: 240 }, (_, i) => ({
    uri: String(i),
    title: '',
    chunks: [{ text: i < 120 ? `lighthouse ${'stone '.repeat(i + 1)}` : `harbour ${'sea ocean '.repeat(i % 3)}${i}` }],
  }));
  const snapshot = await memorySnapshot(rows, { embedder });
  const hits = await search(snapshot, embedder, 'lighthouse tide', { limit: 100, distinct: false });
  const tail = hits.slice(50).map(({ chunk }) => Number(chunk.uri));
  expect(hits).toHaveLength(100);
  // the words had the places before
  expect(tail.filter((row) => row >= 120).length).toBeGreaterThan(10);
  const scores = hits.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
});
