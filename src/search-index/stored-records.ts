import type { CallOptions } from '../core/types.ts';
import type { EmbedDocument } from '../embed/contract.ts';
import { toEmbedDocument } from '../ingest/batch.ts';
import { urisInReadingOrder } from '../ingest/reading-order.ts';
import type { DocumentRecord } from '../store/contract.ts';
import type { IndexWriter } from '../store/index.ts';
import { SAMPLE_CHUNKS } from './local-vectors.ts';

const RECORDS_PER_BATCH = 256;

/**
 * The documents of an index, in batches, in the reading order of ingest: a sample does not depend on the history of the
 * index.
 * @param options `chunks`: approximate number per batch; absent: batches by number of documents
 */
export async function* storedRecords(
  index: IndexWriter,
  { signal, chunks }: CallOptions & { readonly chunks?: number | undefined },
): AsyncGenerator<DocumentRecord[]> {
  const uris = await urisInOrder(index);
  let batch: DocumentRecord[] = [];
  let held = 0;
  for (let at = 0; at < uris.length; at += RECORDS_PER_BATCH) {
    signal?.throwIfAborted();
    for (const record of await index.current.readDocuments(uris.slice(at, at + RECORDS_PER_BATCH))) {
      batch.push(record);
      held += record.chunks.length;
      if (chunks === undefined || held < chunks) continue;
      yield batch;
      batch = [];
      held = 0;
    }
    if (chunks !== undefined) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function urisInOrder(index: IndexWriter): Promise<string[]> {
  const uris: string[] = [];
  for (const { uri, chunks } of (await index.current.manifest()).values()) if (chunks > 0) uris.push(uri);
  return urisInReadingOrder(uris);
}

/** The documents on which a local embedder is trained. */
export async function* storedSample(index: IndexWriter, options: CallOptions): AsyncGenerator<EmbedDocument> {
  let chunks = 0;
  for await (const records of storedRecords(index, options)) {
    for (const record of records) {
      yield toEmbedDocument(record.title, record.chunks);
      chunks += record.chunks.length;
      if (chunks >= SAMPLE_CHUNKS) return;
    }
  }
}
