import { basename } from 'node:path';
import { type BeirDataset, groupCorpus, readBeirFolder } from '../../src/eval.ts';
import type { Embedder, Span } from '../../src/index.ts';
import {
  hash32,
  judgedQueryIds,
  type LocalTrainingOptions,
  openLocalEmbedder,
  type Snapshot,
  trainLocalEmbedder,
} from '../../src/internal.ts';
import { type CutDocument, embedDocumentsOf, storedSnapshot } from '../support/stored-snapshot.ts';

export interface Collection {
  readonly name: string;
  /** By ordinal, as the snapshot numbers chunks. */
  readonly ids: readonly string[];
  readonly documents: readonly CutDocument[];
  /** The judged ones. */
  readonly queries: readonly { readonly id: string; readonly text: string }[];
  readonly qrels: Awaited<ReturnType<typeof readBeirFolder>>['qrels'];
  /** By ordinal, as `ids`: where each stands in its whole document. */
  readonly units: readonly { readonly id: string; readonly document: string; readonly span: Span | undefined }[];
  /** Queries are entries of the corpus too: a ranking leaves out the one of the same id. */
  readonly queriesInCorpus: boolean;
  /** Documents whole, by id: as given, or their chunks joined. */
  readonly whole: NonNullable<BeirDataset['documents']>;
}

export interface LoadOptions {
  /** Takes every nth query. @default 1 */
  readonly every?: number;
  /** Replaces titles by numbers. @default false */
  readonly withoutTitles?: boolean;
  /** @default false */
  readonly queriesInCorpus?: boolean;
  /** At most so many queries, evenly spread. @default all */
  readonly maxQueries?: number;
  /** @default 'test' */
  readonly split?: string;
}

export async function loadCollection(
  folder: string,
  { every = 1, withoutTitles = false, queriesInCorpus = false, maxQueries, split }: LoadOptions = {},
): Promise<Collection> {
  const dataset = await readBeirFolder(folder, { split });
  const documents: CutDocument[] = [];
  const ids: string[] = [];
  const units: { id: string; document: string; span: Span | undefined }[] = [];
  const whole = new Map(dataset.documents);
  const groups = [];
  for await (const group of groupCorpus(dataset)) groups.push({ ...group, key: hash32(group.id) });
  // as an ingest reads them: a trained embedder depends a little on the order
  for (const { id, title, chunks } of groups.sort((a, b) => a.key - b.key || (a.id < b.id ? -1 : 1))) {
    documents.push({
      uri: id,
      title: withoutTitles ? `doc-${documents.length}` : title,
      chunks: chunks.map(({ text, heading }) => ({ text, headings: heading === undefined ? [] : [heading] })),
    });
    let joined = '';
    for (const { id: unit, text, span } of chunks) {
      const own = { start: joined.length, end: joined.length + text.length };
      ids.push(unit);
      units.push({ id: unit, document: id, span: dataset.documents ? span : own });
      joined += `${text}\n\n`;
    }
    if (dataset.documents === undefined) whole.set(id, { title, text: joined });
  }
  const judged = judgedQueryIds(dataset.qrels).filter((_, i) => i % every === 0);
  const step = Math.max(1, judged.length / (maxQueries ?? judged.length));
  const taken = new Set(judged.filter((_, i) => i === 0 || Math.floor(i / step) !== Math.floor((i - 1) / step)));
  return {
    name: basename(folder),
    ids,
    documents,
    units,
    queriesInCorpus,
    whole,
    queries: dataset.queries.filter(({ id }) => taken.has(id)),
    qrels: new Map([...dataset.qrels].filter(([id]) => taken.has(id))),
  };
}

export interface IndexOptions {
  /** Of the local embedder that is trained on the collection. */
  readonly training?: Pick<LocalTrainingOptions, 'dimensions' | 'sharpen' | 'seed'>;
  /** Instead of the local one; stays open. */
  readonly embedder?: Embedder;
}

export interface CollectionIndex {
  readonly snapshot: Snapshot;
  readonly embedder: Embedder;
  /** Of the local embedder. */
  readonly model?: Uint8Array;
}

/** The collection in a store of its own, with the local embedder trained on it unless another is given. */
export async function indexCollection(
  { documents }: Pick<Collection, 'documents'>,
  { training, embedder: given }: IndexOptions = {},
): Promise<CollectionIndex> {
  if (given) return { embedder: given, snapshot: await storedSnapshot(documents, given) };
  const model = await trainLocalEmbedder(embedDocumentsOf(documents), training);
  const embedder = openLocalEmbedder(model);
  const snapshot = await storedSnapshot(documents, embedder);
  await embedder.close?.(); // ends its threads; queries are embedded without any
  return { embedder: openLocalEmbedder(model, { threads: 0 }), snapshot, model };
}
