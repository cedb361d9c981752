import { describe, expect, it } from 'vitest';
import type { Embedder, Reranker, WebPage, WebSearch } from '../../../src/index.ts';
import {
  type ContractCheck,
  embedderContract,
  fakeEmbedder,
  fakeReranker,
  fakeWebSearch,
  rerankerContract,
  webSearchContract,
} from '../../../src/testing.ts';

/** Names of the checks that a part does not pass. */
async function brokenIn(checks: readonly ContractCheck[]): Promise<string[]> {
  const results = await Promise.allSettled(checks.map(({ run }) => run()));
  return checks.flatMap(({ name }, i) => (results[i]!.status === 'rejected' ? [name] : []));
}

const throws = () => Promise.reject(new Error('no route'));

const embedder = fakeEmbedder();
const documents =
  (change: (rows: readonly (readonly Int8Array[])[]) => unknown): Embedder['embedDocuments'] =>
  async (given, options) =>
    change(await embedder.embedDocuments(given, options)) as Int8Array[][];

describe('an embedder', () => {
  it.each<[string, Partial<Embedder> | object]>([
    ['throws', { embedDocuments: throws }],
    ['throws for a query', { embedQuery: throws }],
    [
      'gives vectors of another length',
      { embedDocuments: documents((all) => all.map((rows) => rows.map((row) => row.slice(1)))) },
    ],
    ['gives a query of another length', { embedQuery: async () => new Int8Array(embedder.dimensions + 1) }],
    [
      'gives floats, with NaN among them',
      {
        embedDocuments: documents((all) =>
          all.map((rows) => rows.map((row) => Float32Array.from(row, () => Number.NaN))),
        ),
      },
    ],
    ['gives too few vectors', { embedDocuments: documents((all) => all.map((rows) => rows.slice(1))) }],
    ['gives too many vectors', { embedDocuments: documents((all) => all.map((rows) => [...rows, ...rows])) }],
    ['gives too few documents', { embedDocuments: documents((all) => all.slice(1)) }],
    ['gives one flat list', { embedDocuments: documents((all) => all.flat()) }],
    ['gives the documents in another order', { embedDocuments: documents((all) => all.toReversed()) }],
    ['gives the chunks in another order', { embedDocuments: documents((all) => all.map((rows) => rows.toReversed())) }],
    [
      'gives the same vector for all',
      {
        embedDocuments: documents((all) =>
          all.map((rows) => rows.map(() => new Int8Array(embedder.dimensions).fill(1))),
        ),
      },
    ],
    ['does not listen to the signal', { embedDocuments: async (given: never) => await embedder.embedDocuments(given) }],
    ['has no id', { id: '' }],
    ['has no dimensions', { dimensions: 0 }],
  ])('that %s does not pass', async (_, wrong) => {
    expect(await brokenIn(embedderContract(() => embedder))).toEqual([]);
    expect(await brokenIn(embedderContract(() => ({ ...embedder, ...wrong })))).not.toEqual([]);
  });
});

const reranker = fakeReranker();
const scores =
  (change: (scores: readonly number[]) => unknown, costUsd: unknown = 0): Reranker['score'] =>
  async (query, passages, options) =>
    ({ scores: change((await reranker.score(query, passages, options)).scores), costUsd }) as never;

describe('a reranker', () => {
  it.each<[string, Partial<Reranker> | object]>([
    ['throws', { score: throws }],
    ['gives too few scores', { score: scores((all) => all.slice(1)) }],
    ['gives too many', { score: scores((all) => [...all, 0.5]) }],
    ['gives NaN', { score: scores((all) => all.map(() => Number.NaN)) }],
    ['gives logits', { score: scores((all) => all.map((score) => 10 * score - 3)) }],
    ['gives them in another order', { score: scores((all) => all.toSorted((a, b) => a - b)) }],
    ['gives nothing', { score: async () => undefined }],
    ['costs NaN', { score: scores((all) => all, Number.NaN) }],
    ['costs more than it says', { score: scores((all) => all, 1), estimateUsd: () => 0.5 }],
    [
      'does not listen to the signal',
      { score: async (query: string, passages: never) => await reranker.score(query, passages) },
    ],
    ['has no id', { id: '' }],
  ])('that %s does not pass', async (_, wrong) => {
    expect(await brokenIn(rerankerContract(() => reranker))).toEqual([]);
    expect(await brokenIn(rerankerContract(() => ({ ...reranker, ...wrong })))).not.toEqual([]);
  });
});

const pages: readonly WebPage[] = ['one', 'two', 'three', 'four'].map((name) => ({
  url: `https://${name}.example/`,
  title: `Harbour tower ${name}`,
  extracts: ['The harbour tower is 61 metres high.'],
}));
const web = fakeWebSearch(pages);
const found =
  (change: (page: WebPage) => object, costUsd: unknown = 0): WebSearch['search'] =>
  async (query, options) => {
    const { lists, failed } = await web.search(query, options);
    return { lists: lists.map((list) => ({ ...list, pages: list.pages.map(change) })), failed, costUsd } as never;
  };

describe('a web search', () => {
  const checksOf = (part: object) => webSearchContract(() => part as WebSearch, 'harbour tower');
  it.each<[string, Partial<WebSearch> | object]>([
    ['throws', { search: throws }],
    ['gives nothing', { search: async () => undefined }],
    ['gives pages without an address', { search: found((page) => ({ ...page, url: 'here' })) }],
    ['gives pages without a title', { search: found((page) => ({ ...page, title: undefined })) }],
    ['gives text for extracts', { search: found((page) => ({ ...page, extracts: 'text' })) }],
    ['gives a date that is none', { search: found((page) => ({ ...page, published: 'in May' })) }],
    [
      'gives more than is asked for',
      { search: async (query: never) => await web.search({ ...(query as object), limit: 9 } as never) },
    ],
    ['costs NaN', { search: found((page) => page, Number.NaN) }],
    ['does not listen to the signal', { search: async (query: never) => await web.search(query) }],
    ['has no id', { id: '' }],
  ])('that %s does not pass', async (_, wrong) => {
    expect(await brokenIn(checksOf(web))).toEqual([]);
    expect(await brokenIn(checksOf({ ...web, ...wrong }))).not.toEqual([]);
  });
});
