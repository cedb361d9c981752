import type { Table } from '@lancedb/lancedb';
import { calibrate, NeighbourSample, type SignCalibration, sampleRows } from '../vector/calibrate.ts';
import { SignCode } from '../vector/sign-code.ts';
import { SignRows } from '../vector/sign-rows.ts';
import { listValues } from './columns.ts';
import { guard } from './failure.ts';
import { scan } from './table-rows.ts';
import { defaultExactBytes, defaultResidentBytes } from './vector-search.ts';

/** True when an index of this size is searched by signs and its calibration is missing or too old. */
export function needsCalibration(rows: number, dimensions: number, known: SignCalibration | undefined): boolean {
  const from = new SignCode(dimensions).isStored ? defaultExactBytes : defaultResidentBytes;
  return rows * dimensions > from && (known === undefined || rows >= 1.5 * known.rows);
}

/**
 * Measures how many candidates a search by signs needs in this index. Reads all vectors once and keeps only the signs
 * in memory.
 * @returns undefined when signs do not help
 */
export async function measure(chunks: Table, dimensions: number): Promise<SignCalibration | undefined> {
  const rows = await guard('cannot count rows', () => chunks.countRows());
  const offsets = sampleRows(rows);
  const taken = await guard('cannot read rows', () => chunks.takeOffsets(offsets).select(['vector']).toArrow());
  const sampled = taken.batches.flatMap((batch) => {
    const values = listValues(batch, 'vector') as Int8Array; // the schema guarantees this type
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
    const vectors = listValues(batch, 'vector') as Int8Array; // the schema guarantees this type
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
