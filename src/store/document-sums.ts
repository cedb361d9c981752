import type { Table } from '@lancedb/lancedb';
import type { CallOptions, StoredChunk } from '../core/types.ts';
import { ChunkReader, chunkColumns, chunkSum, documentSum, type RowSource } from './chunk-rows.ts';
import { listValues } from './columns.ts';
import { scan } from './table-rows.ts';

/** A document as its rows say. */
export interface StoredDocument {
  readonly uri: string;
  /** In the order of their positions. */
  readonly chunks: readonly StoredChunk[];
  /** Absent when the first row could not be read. */
  readonly source?: RowSource | undefined;
  /** Whether chunks and vectors are what was written; undefined for a document from before there were sums. */
  readonly isSound: boolean | undefined;
  /** One for each chunk; on request. */
  readonly vectors?: readonly Int8Array[];
}

interface StoredDocumentsOptions extends CallOptions {
  /** SQL that all rows of a document match, or none. */
  readonly where?: string | undefined;
  /** @default false */
  readonly vectors?: boolean | undefined;
}

interface Rows {
  readonly chunks: StoredChunk[];
  readonly sums: number[];
  readonly vectors: Int8Array[];
  source?: RowSource | undefined;
}

/**
 * All documents of a chunk table, each compared with the sum that its first row carries. One pass, no promised order.
 * @throws IbidError STORE_FAILED when the database cannot read the table
 */
export async function* storedDocuments(
  table: Table,
  dimensions: number,
  { signal, where, vectors: withVectors = false }: StoredDocumentsOptions = {},
): AsyncGenerator<StoredDocument, void, undefined> {
  const open = new Map<string, Rows>();
  let last: string | undefined;
  const finished = function* (next?: string): Generator<StoredDocument> {
    if (last === undefined || last === next) return;
    const rows = open.get(last);
    // Rows of one document nearly always stand together. A document with a sum knows its number of chunks.
    if (rows === undefined || (rows.source?.chunks !== undefined && rows.chunks.length < rows.source.chunks)) return;
    open.delete(last);
    yield documentOf(last, rows);
  };
  for await (const batch of scan(table, { columns: [...chunkColumns, 'source', 'vector'], where })) {
    signal?.throwIfAborted();
    const vectors = listValues(batch, 'vector') as Int8Array; // the schema guarantees this type
    const sources = batch.getChild('source')!;
    const { chunk: chunkAt } = new ChunkReader(batch);
    for (let i = 0; i < batch.numRows; i++) {
      const uri = batch.getChild('uri')!.get(i) as string;
      yield* finished(uri);
      last = uri;
      const rows = open.get(uri) ?? { chunks: [], sums: [], vectors: [] };
      open.set(uri, rows);
      try {
        const chunk = chunkAt(i);
        rows.chunks.push(chunk);
        const vector = vectors.subarray(i * dimensions, (i + 1) * dimensions);
        rows.sums.push(chunkSum(chunk, vector));
        if (withVectors) rows.vectors.push(vector.slice());
        const source = sources.get(i) as string | null;
        if (source !== null) rows.source = JSON.parse(source) as RowSource; // written by `chunkRows`
      } catch {
        // The row is damaged: its JSON does not parse. The sum of the document will not be right without this row.
      }
    }
  }
  yield* finished();
  for (const [uri, rows] of open) yield documentOf(uri, rows);
}

function documentOf(uri: string, { chunks, sums, vectors, source }: Rows): StoredDocument {
  const order = [...chunks.keys()].sort((a, b) => chunks[a]!.position - chunks[b]!.position);
  const stored = {
    ...{ uri, source, chunks: order.map((i) => chunks[i]!) },
    ...(vectors.length > 0 ? { vectors: order.map((i) => vectors[i]!) } : {}),
  };
  if (source === undefined) return { ...stored, isSound: false };
  if (source.sum === undefined) return { ...stored, isSound: undefined };
  const sum = documentSum(
    chunks[0] ?? { title: '', format: '' },
    order.map((i) => sums[i]!),
  );
  return { ...stored, isSound: sum === source.sum };
}
