import { basename } from 'node:path';
import { hash32 } from '../../src/core/hash.ts';
import type { EmbedDocument, Embedder } from '../../src/embed/contract.ts';
import { openLocalEmbedder, trainLocalEmbedder } from '../../src/embed/local-embedder.ts';
import { groupCorpus, readBeirFolder } from '../../src/eval/beir.ts';
import { judgedQueryIds } from '../../src/eval/evaluate.ts';
import type { Snapshot } from '../../src/store/contract.ts';
import { type MemoryDocument, memorySnapshot } from '../../test/support/memory-snapshot.ts';

export interface Collection {
  readonly name: string;
  /** By ordinal, as the snapshot numbers chunks. */
  readonly ids: readonly string[];
  readonly documents: readonly MemoryDocument[];
  /** The judged ones. */
  readonly queries: readonly { readonly id: string; readonly text: string }[];
  readonly qrels: Awaited<ReturnType<typeof readBeirFolder>>['qrels'];
}

export interface LoadOptions {
  /** Takes every nth query. @default 1 */
  readonly every?: number;
  /** Replaces titles by numbers. @default false */
  readonly withoutTitles?: boolean;
}

export async function loadCollection(
  folder: string,
  { every = 1, withoutTitles = false }: LoadOptions = {},
): Promise<Collection> {
  const dataset = await readBeirFolder(folder);
  const documents: MemoryDocument[] = [];
  const ids: string[] = [];
  const groups = [];
  for await (const group of groupCorpus(dataset)) groups.push({ ...group, key: hash32(group.id) });
  // as an ingest reads them: a trained embedder depends a little on the order
  for (const { id, title, chunks } of groups.sort((a, b) => a.key - b.key || (a.id < b.id ? -1 : 1))) {
    documents.push({
      uri: id,
      title: withoutTitles ? `doc-${documents.length}` : title,
      chunks: chunks.map(({ text, heading }) => ({ text, headings: heading === undefined ? [] : [heading] })),
    });
    ids.push(...chunks.map((chunk) => chunk.id));
  }
  const taken = new Set(judgedQueryIds(dataset.qrels).filter((_, i) => i % every === 0));
  return {
    name: basename(folder),
    ids,
    documents,
    queries: dataset.queries.filter(({ id }) => taken.has(id)),
    qrels: new Map([...dataset.qrels].filter(([id]) => taken.has(id))),
  };
}

/** The collection as an index in memory, with the local embedder trained on it. */
export async function indexInMemory({
  documents,
}: Collection): Promise<{ readonly snapshot: Snapshot; readonly embedder: Embedder }> {
  const plain: EmbedDocument[] = documents.map(({ title, chunks }) => ({
    title,
    chunks: chunks.map(({ text, headings = [] }) => ({ text, headings })),
  }));
  const embedder = openLocalEmbedder(await trainLocalEmbedder(plain));
  return { embedder, snapshot: await memorySnapshot(documents, { embedder }) };
}
