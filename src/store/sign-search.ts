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
  const first = calibration?.first;
  const { ordinals } = signs.search(code.encode(query), count, {
    ...options,
    first: first === undefined ? undefined : Math.max(first, 2 * count),
  });
  if (kept.vectors) return ordinals.sort();
  // The calibration is measured for ten hits. A larger limit gets at least ten rows per hit.
  const measured = calibration?.kept ?? Infinity;
  const read = limit <= 10 ? measured : Math.max(measured, 10 * limit);
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
