import type { Table } from '@lancedb/lancedb';
import { buildTable } from './columns.ts';
import { guard } from './failure.ts';
import { blobsSchema } from './schema.ts';
import { sqlString } from './sql.ts';
import { scan } from './table-rows.ts';

const PART_BYTES = 8 * 2 ** 20;

/** Stores bytes under a name, in parts. Replaces the bytes that have this name. One commit. */
export async function writeBlob(table: Table, name: string, bytes: Uint8Array): Promise<void> {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += PART_BYTES) parts.push(bytes.subarray(at, at + PART_BYTES));
  if (parts.length === 0) parts.push(bytes);
  const rows = buildTable(blobsSchema, parts.length, {
    name: parts.map(() => name),
    part: Int32Array.from(parts.keys()),
    bytes: parts,
  });
  await guard(`cannot write ${name}`, () =>
    table
      .mergeInsert(['name', 'part'])
      .whenMatchedUpdateAll()
      .whenNotMatchedInsertAll()
      .whenNotMatchedBySourceDelete({ where: `name = ${sqlString(name)}` })
      .execute(rows),
  );
}

/** The bytes under a name; undefined when the name is unknown. */
export async function readBlob(table: Table, name: string): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  for await (const batch of scan(table, { columns: ['part', 'bytes'], where: `name = ${sqlString(name)}` })) {
    for (let i = 0; i < batch.numRows; i++) {
      parts[batch.getChild('part')!.get(i) as number] = batch.getChild('bytes')!.get(i) as Uint8Array;
    }
  }
  return parts.length === 0 ? undefined : Buffer.concat(parts);
}

/** The names of all blobs, each once. */
export async function blobNames(blobs: Table): Promise<readonly string[]> {
  const names = new Set<string>();
  for await (const batch of scan(blobs, { columns: ['name'] })) {
    for (const name of batch.getChild('name')!) names.add(String(name));
  }
  return [...names];
}
