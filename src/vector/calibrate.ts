import type { Int8Rows } from './int8-rows.ts';
import type { SignRows } from './sign-rows.ts';

export interface Calibration {
  /** How many candidates by Hamming distance an exact search over them needs. */
  readonly candidates: number;
  /** Share of true ten nearest neighbours among so many candidates, over the rows it was measured with. */
  readonly recall: number;
  /** Live rows when it was measured. */
  readonly rows: number;
}

export interface CalibrateOptions {
  readonly live?: Uint8Array | undefined;
  /** Stored rows used as queries. @default 64 */
  readonly samples?: number | undefined;
  /** Above this many candidates the exact scan is the better search. @default 2048 */
  readonly most?: number | undefined;
}

const neighbours = 10;

/**
 * Measures how far down the Hamming ranking the true neighbours stand, with stored rows as queries, instead of guessing:
 * twice the 99th percentile of their ranks, at least 100. Undefined when that is more than `most`: then bits are no help here.
 * @param signsOf the bits of a vector
 */
export function calibrate(
  vectors: Int8Rows,
  signs: SignRows,
  signsOf: (vector: Int8Array) => Uint8Array,
  { live, samples = 64, most = 2048 }: CalibrateOptions = {},
): Calibration | undefined {
  const rows: number[] = [];
  for (let i = 0; i < vectors.count; i++) if (live === undefined || live[i] !== 0) rows.push(i);
  const ranks: number[] = [];
  for (const row of spread(rows, samples)) {
    const query = vectors.row(row).slice();
    if (query.every((component) => component === 0)) continue;
    const exact = vectors.search(query, neighbours + 1, { live, rows: signs.count });
    const near = signs.search(signsOf(query), most + 1, { live });
    const places = new Map(Array.from(near.ordinals, (ordinal, place) => [ordinal, place]));
    const worst = exact.cosines.at(-1) ?? 0;
    for (const [i, ordinal] of exact.ordinals.entries()) {
      // the row itself is no neighbour, and among rows of equal cosine any will do
      if (ordinal !== row && (exact.cosines[i]! > worst || i === exact.ordinals.length - 1)) {
        ranks.push(places.get(ordinal) ?? Number.POSITIVE_INFINITY);
      }
    }
  }
  if (ranks.length === 0) return undefined;
  ranks.sort((a, b) => a - b);
  const percentile = ranks[Math.min(ranks.length - 1, Math.ceil(0.99 * ranks.length))]!;
  const candidates = Math.max(100, 2 * (percentile + 1));
  if (!(candidates <= most)) return undefined;
  return { candidates, recall: ranks.filter((rank) => rank < candidates).length / ranks.length, rows: rows.length };
}

/** At most `count` items at equal distances. */
function spread(items: readonly number[], count: number): number[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, i) => items[Math.floor(((i + 0.5) * items.length) / count)]!);
}
