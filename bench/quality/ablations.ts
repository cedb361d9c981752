/**
 * Variants of the main hybrid with one thing changed: the context of a chunk, the merging of lists, the precision of
 * vectors, the size of chunks, the embedder.
 */

import type { Embedder, Weights } from '../../src/index.ts';
import { Composer, countTokens, decodeModel } from '../../src/internal.ts';
import { Stopped } from '../support/stop.ts';
import type { CutDocument } from '../support/stored-snapshot.ts';
import {
  budgetTokens,
  cannotCut,
  chunkSizes,
  evidenceWithin,
  rankByChunks,
  relevantStretches,
} from './chunk-variants.ts';
import type { IndexOptions } from './collections.ts';
import { reciprocalRankFusion, type ScoredList, weightedSum } from './fusion.ts';
import type { Measurement } from './measurement.ts';
import { vectorVariants } from './vector-variants.ts';

export interface RemoteEmbedder {
  readonly name: string;
  open(): Embedder;
}

/** Share of the relevant text in the first 1,000 tokens shown. */
export const evidenceMetric: string = `evidence@${budgetTokens}t`;

export async function context(measurement: Measurement): Promise<void> {
  const { documents } = measurement.collection;
  const { grouped } = measurement;
  const hasTitles = documents.some(({ title }) => title !== '');
  const hasHeadings = documents.some(({ chunks }) => chunks.some(({ headings = [] }) => headings.length > 0));
  /** Every chunk a document of its own: nothing stands around it. */
  const alone = (title: boolean, headings: boolean): CutDocument[] =>
    documents.flatMap(({ uri, title: own, chunks }) =>
      chunks.map((chunk, i) => ({
        uri: `${uri}\n${i}`,
        title: title ? own : '',
        chunks: [headings ? chunk : { text: chunk.text }],
      })),
    );
  const titled = (name: (own: string, i: number) => string): CutDocument[] =>
    documents.map((document, i) => ({ ...document, title: name(document.title, i) }));
  const add = async (name: string, changed: () => readonly CutDocument[], missing: string | undefined) => {
    if (missing !== undefined) {
      measurement.skip(name, missing);
      return;
    }
    const rank = await measurement.build({ documents: changed() });
    await measurement.score(name, 'context', async (query) => (await rank(query)).rows);
  };
  const noTitles = hasTitles ? undefined : 'the collection has no titles';
  const onlyTitles = !grouped && !hasHeadings;
  const noHeadings = hasHeadings ? undefined : 'the collection has no headings';
  await add(
    'hybrid, no windows or neighbours',
    () => alone(true, true),
    grouped ? undefined : 'every document is one chunk',
  );
  await add(
    'hybrid, no headings',
    () => documents.map((one) => ({ ...one, chunks: one.chunks.map(({ text }) => ({ text })) })),
    noHeadings,
  );
  await add(
    'hybrid, no titles',
    () => titled(() => ''),
    noTitles ?? (onlyTitles ? 'the same as no context' : undefined),
  );
  // a title that says nothing must not cost more than the title was worth
  await add('hybrid, titles are numbers', () => titled((_, i) => `doc-${i}`), noTitles);
  const anything = grouped || hasTitles || hasHeadings;
  await add('hybrid, no context', () => alone(false, false), anything ? undefined : 'chunks have no context here');
}

export async function fusion(measurement: Measurement): Promise<void> {
  const half = (lists: readonly ScoredList[]): number[] => weightedSum(lists, [0.5, 0.5]);
  const merged = [
    ['RRF of BM25 and dense', ['BM25', 'dense'], reciprocalRankFusion],
    ['RRF of lexical and dense', ['lexical', 'dense'], reciprocalRankFusion],
    ['half BM25, half dense', ['BM25', 'dense'], half],
    ['half lexical, half dense', ['lexical', 'dense'], half],
  ] as const;
  for (const [name, of, merge] of merged) {
    const lists = of.map((list) => measurement.lists.get(list));
    if (lists.some((list) => list === undefined)) {
      measurement.skip(name, 'needs the families baseline and main');
      continue;
    }
    await measurement.score(name, 'fusion', (_, id) =>
      merge(lists.map((list) => list!.get(id) ?? { rows: [], scores: [] })),
    );
  }
}

/** The hybrid under weights that have not seen this collection. */
export async function otherWeights(measurement: Measurement, weights: Weights): Promise<void> {
  const { documents } = measurement.collection;
  const index = await measurement.open();
  await measurement.score('hybrid, weights fitted on the others', 'fusion', async (query) => {
    return (await measurement.search(index, documents, query, { weights })).rows;
  });
}

export async function vectors(measurement: Measurement): Promise<void> {
  const { model } = await measurement.open();
  if (model === undefined) {
    measurement.skip('vectors', 'the index has no local embedder');
    return;
  }
  const opened = decodeModel(model);
  const variants = vectorVariants(measurement.collection, new Composer(opened), opened.info.dimensions);
  for (const { name, rank } of variants) await measurement.score(name, 'vectors', (query) => rank(query));
}

export async function chunks(measurement: Measurement): Promise<void> {
  const { collection } = measurement;
  const reason = cannotCut(collection);
  if (reason !== undefined) {
    measurement.skip('chunks', reason);
    return;
  }
  const { units, documents, ids } = collection;
  const tokens = documents.flatMap((document) => document.chunks.map(({ text }) => countTokens(text)));
  const index = await measurement.open();
  const evidence = new Map<string, number>();
  const add = (name: string, rank: Parameters<Measurement['score']>[2], own: ReadonlyMap<string, number>) =>
    measurement.score(name, 'chunks', rank, { [evidenceMetric]: own });
  await add(
    'hybrid, chunks as given',
    async (query, id) => {
      const { rows } = await measurement.search(index, documents, query, {});
      const shown = rows.flatMap((row) => {
        const { document, span } = units[row]!;
        return span ? [{ document, ...span, tokens: tokens[row]! }] : [];
      });
      evidence.set(id, evidenceWithin(shown, relevantStretches(collection, id)));
      return rows.map((row) => ids[row]!);
    },
    evidence,
  );
  for (const maxTokens of chunkSizes) {
    const { rank } = await rankByChunks(collection, maxTokens);
    const own = new Map<string, number>();
    await add(
      `hybrid, chunks of ${maxTokens} tokens`,
      async (query, id) => {
        const { ids: named, shown } = await rank(query);
        own.set(id, evidenceWithin(shown, relevantStretches(collection, id)));
        return named;
      },
      own,
    );
  }
}

export async function embedders(measurement: Measurement, remote: readonly RemoteEmbedder[]): Promise<void> {
  const { documents } = measurement.collection;
  const add = async (name: string, index: IndexOptions): Promise<void> => {
    const rank = await measurement.build({ documents, index });
    for (const mode of ['dense', 'hybrid'] as const)
      await measurement.score(`${mode}, ${name}`, 'embedder', async (query) => (await rank(query, { mode })).rows);
  };
  await add('local of 128 dimensions', { training: { dimensions: 128 } });
  await add('local of 512 dimensions', { training: { dimensions: 512 } });
  await add('local, not sharpened', { training: { sharpen: false } });
  for (const { name, open } of remote) {
    const embedder = open();
    try {
      await add(name, { embedder });
    } catch (error) {
      if (error instanceof Stopped) throw error;
      measurement.skip(name, error instanceof Error ? error.message : String(error));
    } finally {
      await embedder.close?.();
    }
  }
}
