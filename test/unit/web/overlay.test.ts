import { describe, expect, it } from 'vitest';
import { openLocalEmbedder, trainLocalEmbedder } from '../../../src/embed/local/embedder.ts';
import { generateCandidates } from '../../../src/retrieve/candidates.ts';
import { searchWithPredictors } from '../../../src/retrieve/search.ts';
import { analyseQuery } from '../../../src/text/analysis/query.ts';
import { type WebDocument, WebPages } from '../../../src/web/documents.ts';
import { mergedSearch } from '../../../src/web/merged-search.ts';
import { OverlaySnapshot } from '../../../src/web/overlay.ts';
import { mergePages } from '../../../src/web/pages.ts';
import { type MemoryDocument, memorySnapshot } from '../../support/memory-snapshot.ts';

const subjects = 'harbour tower lantern anchor rope gull barge crane pilot tide mole quay buoy chart'.split(' ');

/** Sentences that share words, none like another. */
function written(count: number, offset: number): MemoryDocument[] {
  return Array.from({ length: count }, (_, i) => {
    const word = (n: number): string => subjects[(i * 5 + offset + n * (1 + (i % 4))) % subjects.length]!;
    return {
      uri: `d${offset + i}`,
      title: `${word(0)} ${offset + i}`,
      chunks: [0, 1].map((c) => ({
        text: `The ${word(c)} and the ${word(c + 2)} number ${offset + i}${c} near the ${word(c + 4)}.`,
      })),
    };
  });
}

function pagesOf(documents: readonly MemoryDocument[]): WebDocument[] {
  const pages = documents.map(({ uri, title, chunks }) => ({
    url: `https://${uri}.example/p`,
    title,
    extracts: chunks.map(({ text }) => text),
  }));
  return new WebPages().add(mergePages([{ query: 'q', pages }], { nowMs: 0 }), '2026-01-01T00:00:00.000Z');
}

async function setting(localCount: number, webCount: number) {
  const local = written(localCount, 0);
  const web = written(webCount, 1000);
  const embedder = openLocalEmbedder(
    await trainLocalEmbedder(
      local.map(({ title, chunks }) => ({ title, chunks: chunks.map(({ text }) => ({ text, headings: [] })) })),
    ),
  );
  const documents = pagesOf(web);
  const vectors = await embedder.embedDocuments(
    documents.map(({ snapshot, chunks }) => ({ title: snapshot.title, chunks })),
  );
  const overlays = documents.map((document, i) => ({ document, vectors: vectors[i]! }));
  // the same rows as one index: passages end in the blank line that parts them, as they do in a snapshot
  const one = await memorySnapshot(
    [...local, ...documents.map(({ snapshot, chunks }) => ({ uri: snapshot.url, title: snapshot.title, chunks }))],
    { embedder },
  );
  return { local: await memorySnapshot(local, { embedder }), embedder, overlays, one };
}

const rounded = (values: Float64Array | undefined) => values && Array.from(values, (value) => value.toFixed(4));

describe('pages behind the rows of an index', () => {
  it('are scored exactly as rows of one index are, where all rows make the statistics', async () => {
    const { local, embedder, overlays, one } = await setting(30, 8);
    const overlay = new OverlaySnapshot(local, overlays, Number.POSITIVE_INFINITY);
    expect(overlay.rows).toBe(one.rows);
    for (const query of ['harbour tower', 'Where does the pilot keep his rope?', '"gull and the"', 'number 10051']) {
      const analysed = analyseQuery(query);
      const options = { mode: 'hybrid' as const };
      const [a, b] = await Promise.all(
        [one, overlay].map((snapshot) => generateCandidates(snapshot, embedder, analysed, options)),
      );
      expect(b!.ordinals).toEqual(a!.ordinals);
      for (const list of ['body', 'window', 'title', 'length', 'coverage', 'cosine'] as const) {
        expect(rounded(b![list]), `${list} of ${query}`).toEqual(rounded(a![list]));
      }
      const all = { limit: 20, distinct: false };
      const [x, y] = await Promise.all(
        [one, overlay].map((snapshot) => searchWithPredictors(snapshot, embedder, query, all)),
      );
      expect(y!.hits.map(({ chunk }) => chunk.text)).toEqual(x!.hits.map(({ chunk }) => chunk.text));
    }
    await embedder.close?.();
  });

  it('do not change what the index scores its own rows by, where the index decides', async () => {
    const { local, embedder, overlays } = await setting(30, 8);
    const overlay = new OverlaySnapshot(local, overlays, 1);
    const query = 'harbour tower lantern';
    const options = { mode: 'lexical' as const };
    const own = await generateCandidates(local, undefined, analyseQuery(query), options);
    const both = await generateCandidates(overlay, undefined, analyseQuery(query), options);
    expect(both.ordinals.length).toBeGreaterThan(own.ordinals.length);
    expect(both.terms.map(({ idf }) => idf)).toEqual(own.terms.map(({ idf }) => idf));
    expect(own.ordinals.filter((ordinal) => both.ordinals.includes(ordinal)).length).toBeGreaterThan(20);
    own.ordinals.forEach((ordinal, i) => {
      const at = both.ordinals.indexOf(ordinal);
      if (at < 0) return; // pages took its place
      expect(both.body[at]).toBeCloseTo(own.body[i]!, 5);
      expect(both.window[at]).toBeCloseTo(own.window[i]!, 5);
    });
    await embedder.close?.();
  });

  it('are let through by every condition, and can be searched alone', async () => {
    const { local, embedder, overlays } = await setting(10, 3);
    const overlay = new OverlaySnapshot(local, overlays);
    const rows = overlay.pageRows();
    expect([...rows.ordinals]).toEqual([20, 21, 22, 23, 24, 25]);
    const { ordinals } = await overlay.searchVectors(await embedder.embedQuery('harbour tower'), 50, { within: rows });
    expect([...ordinals].sort()).toEqual([...rows.ordinals]);
    const mixed = [24, 3, 20, 19];
    const fetched = await overlay.fetch(mixed);
    expect(fetched.map(({ uri }) => uri.replace(/\d+/, ''))).toEqual([
      'https://d.example/p',
      'd',
      'https://d.example/p',
      'd',
    ]);
    expect((await overlay.rowsAt(mixed)).map(({ chunk }) => chunk)).toEqual(fetched);
    const vectors = await overlay.vectorsAt(mixed);
    expect(vectors.slice(embedder.dimensions, 2 * embedder.dimensions)).toEqual(await local.vectorsAt([3]));
    await embedder.close?.();
  });

  it('rank in an index that holds nothing', async () => {
    const { overlays } = await setting(10, 3);
    const empty = await memorySnapshot([]);
    const bare = overlays.map(({ document }) => ({ document }));
    const { hits } = await mergedSearch(empty, undefined, 'harbour', bare, { limit: 5 });
    expect(hits.length).toBeGreaterThan(0);
    expect(hits.every(({ origin, score }) => origin === 'web' && score >= 0 && score <= 1)).toBe(true);
  });
});

describe('what is left out of the one list', () => {
  const text = 'The harbour tower of the old town is painted white every seven years by the same family of painters.';
  const page = (url: string, ...extracts: string[]) => ({ url, title: 'Harbour tower', extracts });
  const found = (...pages: ReturnType<typeof page>[]) =>
    new WebPages()
      .add(mergePages([{ query: 'q', pages }], { nowMs: 0 }), '2026-01-01T00:00:00.000Z')
      .map((document) => ({ document }));
  const snapshot = () =>
    memorySnapshot([
      { uri: 'tower.md', title: 'Tower', chunks: [{ text }] },
      {
        uri: 'https://www.example.org/Guide/?utm_source=x',
        title: 'Guide',
        chunks: [{ text: 'A guide to the harbour tower, kept here.' }],
      },
    ]);

  it('a page that repeats a document nearly word for word, however it ranks', async () => {
    const pages = found(
      page('https://copy.example/', `${text} `),
      page('https://other.example/', 'Another harbour tower, of brick, stands inland.'),
    );
    const { hits } = await mergedSearch(await snapshot(), undefined, 'harbour tower painted white', pages);
    expect(hits.map(({ chunk }) => chunk.uri)).not.toContain('https://copy.example/');
    expect(hits.map(({ chunk }) => chunk.uri)).toContain('https://other.example/');
    expect(hits[0]!.chunk.uri).toBe('tower.md');
  });

  it('a page that is in the index under another spelling of its address', async () => {
    const pages = found(page('https://example.org/Guide', 'The newest guide to the harbour tower, with other words.'));
    const { hits } = await mergedSearch(await snapshot(), undefined, 'guide harbour tower', pages);
    expect(hits.every(({ origin }) => origin === 'local')).toBe(true);
  });

  it('more hits of one site than it may have', async () => {
    const pages = found(
      ...['a', 'b', 'c', 'd'].map((host, i) =>
        page(`https://${host}.site.example/`, `Harbour tower report ${i} by ${subjects[i]}.`),
      ),
    );
    const sites = async (perSite: number) =>
      (await mergedSearch(await snapshot(), undefined, 'harbour tower report', pages, { perSite })).hits.filter(
        ({ origin }) => origin === 'web',
      ).length;
    expect(await sites(2)).toBe(2);
    expect(await sites(4)).toBe(4);
  });
});
