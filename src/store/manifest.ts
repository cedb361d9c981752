import type { Table } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import { buildTable, textBytes, wholeNumbers } from './columns.ts';
import type { DocumentEntry } from './contract.ts';
import { guard } from './failure.ts';
import { LineBytes, lineTexts } from './manifest-line.ts';
import { ManifestMap } from './manifest-map.ts';
import type { PageOptions } from './manifest-pages.ts';
import { documentsSchema } from './schema.ts';
import { sqlIn } from './sql.ts';
import { scan } from './table-rows.ts';

const columns = documentsSchema.fields.map((field) => field.name);

export async function readManifest(table: Table, pages?: PageOptions): Promise<ManifestMap> {
  const entries = new ManifestMap([], pages);
  for await (const batch of scan(table, { columns })) readLines(batch, entries);
  return entries;
}

/** Copies the texts as bytes, without decoding. */
function readLines(batch: RecordBatch, into: ManifestMap): void {
  const numbers = (name: string): ArrayLike<number> => batch.getChild(name)!.toArray();
  const texts = lineTexts.map((name) => textBytes(batch, name));
  const chunks = numbers('chunks');
  const sizes = numbers('sizeBytes');
  const times = numbers('mtimeMs');
  const firsts = wholeNumbers(batch, 'first', -1);
  const line = new LineBytes();
  for (let i = 0; i < batch.numRows; i++) {
    for (let t = 0; t < texts.length; t++) {
      const { bytes, ends, isThere } = texts[t]!;
      line.bytes[t] = bytes;
      line.from[t] = isThere(i) ? ends[i]! : -1;
      line.to[t] = ends[i + 1]!;
    }
    line.chunks = chunks[i]!;
    line.sizeBytes = sizes[i]!;
    line.mtimeMs = times[i]!;
    line.first = firsts[i]!;
    into.setLine(line);
  }
}

/** Inserts or replaces lines in one commit. @param areNew no line has one of these uris yet */
export async function writeEntries(table: Table, entries: readonly DocumentEntry[], areNew: boolean): Promise<void> {
  if (entries.length === 0) return;
  const rows = buildTable(documentsSchema, entries.length, {
    uri: entries.map((entry) => entry.uri),
    title: entries.map((entry) => entry.title ?? null),
    format: entries.map((entry) => entry.format ?? null),
    chunks: Int32Array.from(entries, (entry) => entry.chunks),
    first: {
      values: BigInt64Array.from(entries, (entry) => BigInt(entry.first ?? 0)),
      valid: entries.map((entry) => entry.first !== undefined),
    },
    sizeBytes: Float64Array.from(entries, (entry) => entry.sizeBytes),
    mtimeMs: Float64Array.from(entries, (entry) => entry.mtimeMs),
    contentHash: entries.map((entry) => entry.contentHash),
    failureCode: entries.map((entry) => entry.failure?.code ?? null),
    failureMessage: entries.map((entry) => entry.failure?.message ?? null),
    warnings: entries.map((entry) => (entry.warnings?.length ? JSON.stringify(entry.warnings) : null)),
  });
  await guard('cannot write the manifest', async () => {
    if (areNew) await table.add(rows);
    else await table.mergeInsert('uri').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows);
  });
}

export async function deleteEntries(table: Table, uris: readonly string[]): Promise<void> {
  if (uris.length === 0) return;
  await guard('cannot write the manifest', () => table.delete(sqlIn('uri', uris)));
}
