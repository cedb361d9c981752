import { leastReordered, type SignCalibration } from '../vector/calibrate.ts';
import { Int8Rows, type Nearest, type ScanOptions } from '../vector/int8-rows.ts';
import type { HeldVectors } from './held-vectors.ts';

/**
 * The rows that are to be compared exactly with a query, ascending: the nearest by their signs. Where vectors are not
 * in memory, they are fewer, the best by the query's full precision.
 */
export function rowsBySigns(
  { signs, code, kept }: HeldVectors,
  calibration: SignCalibration | undefined,
  query: Int8Array,
  limit: number,
  options: ScanOptions,
): Uint32Array {
  const count = Math.max(calibration?.candidates ?? 0, 5 * limit, kept.vectors ? 0 : leastReordered);
  // The calibration is measured for ten hits. A larger limit gets more rows by their first bits, and ten exact ones per hit.
  const isMeasured = limit <= 10;
  const first = calibration?.first && Math.max(calibration.first, isMeasured ? count : 2 * count);
  const ordinals = signs.nearest(code.encode(query), count, { ...options, first });
  if (kept.vectors) return ordinals;
  const measured = calibration?.kept ?? Infinity;
  const read = isMeasured ? measured : Math.max(measured, 10 * limit);
  return signs.reorder(code.components(query), ordinals, read).sort();
}

/** Vectors that were read for one query; the next query takes their memory. */
export class ReadVectors {
  readonly #rows: Int8Rows;

  constructor(dimensions: number) {
    this.#rows = new Int8Rows(dimensions);
  }

  /**
   * The nearest `limit` of some rows, exactly.
   * @param ordinals ascending
   * @param vectors of these rows, row after row
   */
  nearest(query: Int8Array, limit: number, ordinals: Uint32Array, vectors: Int8Array): Nearest {
    this.#rows.extend(ordinals.length);
    this.#rows.write(0, vectors);
    const found = this.#rows.search(query, limit, { rows: ordinals.length });
    return { ordinals: found.ordinals.map((row) => ordinals[row]!), cosines: found.cosines };
  }
}
