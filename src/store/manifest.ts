import type { Table } from '@lancedb/lancedb';
import type { RecordBatch } from 'apache-arrow';
import { buildTable, textValues } from './columns.ts';
import type { ManifestEntry } from './contract.ts';
import { guard, scan } from './database.ts';
import { documentsSchema } from './schema.ts';
import { sqlIn } from './sql.ts';

export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** A manifest line with what the documents table knows beyond the contract. */
export interface DocumentEntry extends ManifestEntry {
  readonly title?: string | undefined;
  readonly format?: string | undefined;
  readonly warnings?: readonly Warning[] | undefined;
  /** `seq` of the first chunk; absent when there are none. */
  readonly first?: number | undefined;
}

const columns = documentsSchema.fields.map((field) => field.name);

export async function readManifest(table: Table): Promise<Map<string, DocumentEntry>> {
  const entries = new Map<string, DocumentEntry>();
  for await (const batch of scan(table, { columns })) readEntries(batch, entries);
  return entries;
}

function readEntries(batch: RecordBatch, into: Map<string, DocumentEntry>): void {
  const strings = (name: string): (string | null)[] => textValues(batch, name);
  const numbers = (name: string): ArrayLike<number> => batch.getChild(name)!.toArray();
  const uris = strings('uri');
  const titles = strings('title');
  const formats = strings('format');
  const hashes = strings('contentHash');
  const codes = strings('failureCode');
  const messages = strings('failureMessage');
  const warnings = strings('warnings');
  const chunks = numbers('chunks');
  const sizes = numbers('sizeBytes');
  const times = numbers('mtimeMs');
  const firsts = batch.getChild('first')!;
  for (let i = 0; i < uris.length; i++) {
    const uri = uris[i]!;
    const code = codes[i];
    const first = firsts.get(i) as bigint | null;
    const entry: { -readonly [K in keyof DocumentEntry]: DocumentEntry[K] } = {
      uri,
      chunks: chunks[i]!,
      sizeBytes: sizes[i]!,
      mtimeMs: times[i]!,
      contentHash: hashes[i]!,
    };
    if (code != null) entry.failure = { code, message: messages[i] ?? '' };
    if (titles[i] != null) entry.title = titles[i]!;
    if (formats[i] != null) entry.format = formats[i]!;
    if (warnings[i] != null) entry.warnings = JSON.parse(warnings[i]!) as Warning[]; // written below
    if (first !== null) entry.first = Number(first);
    into.set(uri, entry);
  }
}

/** Inserts or replaces lines; one commit. */
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
