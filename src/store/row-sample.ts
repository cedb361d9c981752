import { avalanche } from '../core/hash.ts';
import { CHUNKS_AT, FIRST_AT, HASH, hashBytes, lengthOf, TEXTS_AT, URI } from './manifest-line.ts';
import type { SeqMap } from './runs.ts';

/** Rows that stand for an index: those with the lowest keys. */
export const SAMPLED_ROWS = 250;

/** Key of the note with the sample. */
export const sampleKey = 'store: sampled rows';

/**
 * The sample as it is noted: the key and the seq of each row, lowest key first. A key depends on the content of a
 * document and the place of the row in it, so that an index and its shards choose the same rows, in whatever order
 * they came to be stored.
 */
export type SampleNote = readonly (readonly [key: number, seq: number])[];

/** A row of the sample, in a snapshot. */
export interface SampledRow {
  readonly key: number;
  readonly ordinal: number;
}

/** @param lines of a manifest, as bytes */
export function sampleRows(lines: Iterable<readonly [bytes: Buffer, hash: number]>): SampleNote {
  const kept: [number, number][] = [];
  let bar = Number.POSITIVE_INFINITY;
  for (const [line] of lines) {
    const chunks = line.readInt32LE(CHUNKS_AT);
    if (chunks === 0) continue;
    const uriEnd = TEXTS_AT + lengthOf(line, 0, URI);
    const hashEnd = uriEnd + lengthOf(line, 0, HASH);
    // a document without a hash has its uri
    const content = hashEnd > uriEnd ? hashBytes(line, uriEnd, hashEnd) : hashBytes(line, TEXTS_AT, uriEnd);
    const first = line.readDoubleLE(FIRST_AT);
    for (let position = 0; position < chunks; position++) {
      const key = avalanche(content ^ Math.imul(position + 1, 0x9e3779b1)); // two places of a document are far apart
      if (key >= bar) continue;
      kept.push([key, first + position]);
      if (kept.length === 4 * SAMPLED_ROWS) bar = cut(kept);
    }
  }
  cut(kept);
  return kept;
}

/** @returns the highest key that is left, where no more fit */
function cut(kept: [number, number][]): number {
  kept.sort(([a], [b]) => a - b);
  kept.length = Math.min(kept.length, SAMPLED_ROWS);
  return kept.at(-1)?.[0] ?? 0;
}

/** Rows that were removed since are left out. */
export function sampleIn(note: SampleNote | undefined, map: SeqMap, live: Uint8Array): SampledRow[] | undefined {
  return note?.map(([key, seq]) => ({ key, ordinal: map.ordinalOf(seq) })).filter(({ ordinal }) => live[ordinal] === 1);
}
