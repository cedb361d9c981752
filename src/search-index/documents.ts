import { wholeOf } from '../core/arguments.ts';
import type { ShardsReport } from '../core/report.ts';
import type { CallOptions, Locator, Metadata, StoredChunk } from '../core/types.ts';
import { shardsReport } from '../passages/find.ts';
import { chunksOfDocument } from '../passages/named-document.ts';
import type { Snapshot } from '../store/contract.ts';
import { everyFilter } from '../store/filter.ts';
import { sqlString } from '../store/sql.ts';
import type { Where } from '../store/where.ts';

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
  /** Where its parts stand in the source: pages, lines, rows, times. */
  readonly locators: readonly Locator[];
}

export interface DocumentPageOptions extends CallOptions {
  /** Only documents that match. */
  readonly where?: Where | undefined;
  /** Documents that are left out at the beginning. @default 0 */
  readonly offset?: number | undefined;
  /** @default 50 */
  readonly limit?: number | undefined;
}

/** A part of the list of documents. */
export interface DocumentPage {
  /** Of all documents that match. */
  readonly total: number;
  readonly documents: readonly IndexedDocument[];
  /** Present for an index that consists of shards: documents of those that are missing are not among these. */
  readonly shards?: ShardsReport;
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
  const ordinals = await firstRows(snapshot, where);
  for (let at = 0; at < ordinals.length; at += BATCH_DOCUMENTS) {
    signal?.throwIfAborted();
    const some = ordinals.subarray(at, at + BATCH_DOCUMENTS);
    yield* await documentsAt(snapshot, some);
  }
}

/** @throws IbidError INVALID_FILTER, INVALID_ARGUMENT */
export async function pageOfDocuments(
  snapshot: Snapshot,
  where: string | undefined,
  { offset = 0, limit = 50, signal }: DocumentPageOptions,
): Promise<DocumentPage> {
  for (const [name, value] of Object.entries({ offset, limit })) wholeOf(value, name, 0);
  signal?.throwIfAborted();
  const ordinals = await firstRows(snapshot, where);
  signal?.throwIfAborted();
  const documents = await documentsAt(snapshot, ordinals.subarray(offset, offset + limit));
  const { shards } = snapshot;
  return { total: ordinals.length, documents, ...(shards && { shards: shardsReport(shards) }) };
}

async function firstRows(snapshot: Snapshot, where: string | undefined): Promise<Uint32Array> {
  return (await snapshot.filter(everyFilter(['position = 0', where])!)).ordinals;
}

async function documentsAt(snapshot: Snapshot, ordinals: Uint32Array): Promise<IndexedDocument[]> {
  const firsts = await snapshot.fetch(ordinals);
  return firsts.map((first, i) => summaryOf(first, snapshot.documentRange(ordinals[i]!)));
}

/** The first chunk of a document; undefined when the index has no document with this uri. */
export async function firstChunk(snapshot: Snapshot, uri: string): Promise<StoredChunk | undefined> {
  const { ordinals } = await snapshot.filter(`position = 0 AND uri = ${sqlString(uri)}`);
  return (await snapshot.fetch(ordinals))[0];
}

/** One document; undefined when the index has no document with this uri. */
export async function readDocument(snapshot: Snapshot, uri: string): Promise<DocumentText | undefined> {
  const chunks = await chunksOfDocument(snapshot, uri);
  const first = chunks[0];
  if (!first) return undefined;
  return {
    ...summaryOf(first, [0, chunks.length]),
    text: chunks.map(({ text }) => text).join(''),
    locators: chunks.flatMap(({ locators }) => locators),
  };
}

function summaryOf(
  { uri, title, format, metadata }: StoredChunk,
  [from, to]: readonly [first: number, end: number],
): IndexedDocument {
  return { uri, title, format, metadata, chunks: to - from };
}
