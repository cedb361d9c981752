import type { Table } from '@lancedb/lancedb';
import { calibrate, NeighbourSample, type SignCalibration, sampleRows } from '../vector/calibrate.ts';
import { SignRows } from '../vector/sign-rows.ts';
import { listValues } from './columns.ts';
import { guard, scan } from './database.ts';
import { defaultExactBytes, defaultResidentBytes } from './vector-search.ts';
import { SignCode } from './vectors.ts';

/** Whether an index of so many rows is searched by signs at all, and what is known of them is too old. */
export function needsCalibration(rows: number, dimensions: number, known: SignCalibration | undefined): boolean {
  const from = new SignCode(dimensions).isStored ? defaultExactBytes : defaultResidentBytes;
  return rows * dimensions > from && (known === undefined || rows >= 1.5 * known.rows);
}

/**
 * Measures on stored rows how many candidates the signs of this index must give: one pass over the vectors, with only
 * the signs kept in memory. Undefined where signs are no help.
 */
export async function measure(chunks: Table, dimensions: number): Promise<SignCalibration | undefined> {
  const rows = await guard('cannot count rows', () => chunks.countRows());
  const offsets = sampleRows(rows);
  const taken = await guard('cannot read rows', () => chunks.takeOffsets(offsets).select(['vector']).toArrow());
  const sampled = taken.batches.flatMap((batch) => {
    const values = listValues(batch, 'vector') as Int8Array; // the schema says so
    return Array.from({ length: batch.numRows }, (_, i) => values.slice(i * dimensions, (i + 1) * dimensions));
  });
  const sample = new NeighbourSample(
    dimensions,
    sampled.map((vector, i) => [offsets[i]!, vector] as const),
  );
  const code = new SignCode(dimensions);
  const signs = new SignRows(code.bits);
  const columns = code.isStored ? ['vector', 'signs'] : ['vector'];
  for await (const batch of scan(chunks, { columns, lent: true })) {
    const vectors = listValues(batch, 'vector') as Int8Array; // the schema says so
    const first = signs.count;
    signs.extend(first + batch.numRows);
    signs.write(first, code.isStored ? (listValues(batch, 'signs') as Uint8Array) : code.encode(vectors));
    sample.add(vectors);
  }
  return calibrate(
    sample.finish(),
    signs,
    (vector) => code.encode(vector),
    (vector) => code.components(vector),
  );
}
