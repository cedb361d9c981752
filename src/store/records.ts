import type { Table } from '@lancedb/lancedb';
import type { StoredChunk } from '../core/types.ts';
import { chunkColumns, plainChunk, readChunks } from './chunk-rows.ts';
import { listValues } from './columns.ts';
import type { DocumentEntry, DocumentRecord } from './contract.ts';
import type { ManifestMap } from './manifest-map.ts';
import { sqlIn } from './sql.ts';
import { scan } from './table-rows.ts';

/**
 * The records of stored documents, in the order of `uris`; documents without chunks are left out.
 * @param dimensions of a vector
 */
export async function readRecords(
  chunks: Table,
  manifest: ManifestMap,
  dimensions: number,
  uris: readonly string[],
): Promise<DocumentRecord[]> {
  const found = new Map<string, { readonly stored: StoredChunk; readonly vector: Int8Array }[]>();
  const columns = [...chunkColumns, 'vector'];
  for await (const batch of scan(chunks, { columns, where: sqlIn('uri', uris) })) {
    const vectors = listValues(batch, 'vector') as Int8Array; // the schema guarantees this type
    for (const [i, stored] of readChunks(batch).entries()) {
      const row = { stored, vector: vectors.slice(i * dimensions, (i + 1) * dimensions) };
      const rows = found.get(stored.uri);
      if (rows) rows.push(row);
      else found.set(stored.uri, [row]);
    }
  }
  return uris.flatMap((uri) => {
    const entry = manifest.get(uri);
    const rows = found.get(uri)?.sort((a, b) => a.stored.position - b.stored.position);
    if (!entry || !rows) return [];
    const { title, format, metadata } = rows[0]!.stored;
    const { sizeBytes, mtimeMs, contentHash, warnings = [] } = entry;
    return {
      ...{ uri, title, format, metadata, warnings },
      source: { sizeBytes, mtimeMs, contentHash },
      chunks: rows.map(({ stored }) => plainChunk(stored)),
      vectors: rows.map(({ vector }) => vector),
    };
  });
}

/** The manifest lines of records; `seq` is that of their first chunk. */
export function documentLines(records: readonly DocumentRecord[], seq: number): DocumentEntry[] {
  let next = seq;
  return records.map(({ uri, title, format, source, chunks, warnings }) => {
    const first = chunks.length === 0 ? undefined : next;
    next += chunks.length;
    const { sizeBytes, mtimeMs, contentHash } = source;
    return {
      uri,
      title,
      format,
      sizeBytes,
      mtimeMs,
      contentHash,
      chunks: chunks.length,
      first,
      warnings: warnings.length > 0 ? warnings : undefined,
    };
  });
}
