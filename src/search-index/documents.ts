import type { CallOptions, Metadata, StoredChunk } from '../core/types.ts';
import type { Snapshot } from '../store/contract.ts';
import { sqlString } from '../store/sql.ts';

/** A document of the index, without its text. */
export interface IndexedDocument {
  readonly uri: string;
  readonly title: string;
  readonly format: string;
  readonly metadata: Metadata;
  readonly chunks: number;
}

/** A document of the index with its text. */
export interface DocumentText extends IndexedDocument {
  /** The joined texts of the chunks; spans of citations are offsets in this text. */
  readonly text: string;
}

const BATCH_DOCUMENTS = 256;

/**
 * Every document with chunks, in the order of the index. Memory does not grow with their number.
 * @throws IbidError INVALID_FILTER
 */
export async function* listDocuments(
  snapshot: Snapshot,
  where: string | undefined,
  { signal }: CallOptions,
): AsyncGenerator<IndexedDocument, void, undefined> {
  const { ordinals } = await snapshot.filter(where === undefined ? 'position = 0' : `position = 0 AND (${where})`);
  for (let at = 0; at < ordinals.length; at += BATCH_DOCUMENTS) {
    signal?.throwIfAborted();
    const some = ordinals.subarray(at, at + BATCH_DOCUMENTS);
    const firsts = await snapshot.fetch(some);
    for (const [i, first] of firsts.entries()) yield summaryOf(first, snapshot.documentRange(some[i]!));
  }
}

/** One document; undefined when the index has no document with this uri. */
export async function readDocument(snapshot: Snapshot, uri: string): Promise<DocumentText | undefined> {
  const { ordinals } = await snapshot.filter(`uri = ${sqlString(uri)}`);
  const chunks = await snapshot.fetch(ordinals);
  const first = chunks[0];
  if (!first) return undefined;
  return { ...summaryOf(first, [0, chunks.length]), text: chunks.map(({ text }) => text).join('') };
}

function summaryOf(
  { uri, title, format, metadata }: StoredChunk,
  [from, to]: readonly [first: number, end: number],
): IndexedDocument {
  return { uri, title, format, metadata, chunks: to - from };
}
