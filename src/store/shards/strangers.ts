import { IbidError } from '../../core/errors.ts';
import type { Fingerprint } from '../state.ts';
import { removeShard } from './failure.ts';

/**
 * Which shards have vectors of another embedder than most, as a folder that was brought back from another index: their
 * scores cannot be compared with those of the others.
 * @param fingerprints of each shard; undefined for one that is gone. Of two that are as frequent, the first holds.
 */
export function strangersAmong(fingerprints: readonly (Fingerprint | undefined)[]): readonly boolean[] {
  const shapes = fingerprints.map((one) => one && `${one.embedder} ${one.dimensions}`);
  const counts = new Map<string, number>();
  for (const shape of shapes) if (shape !== undefined) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  let most: string | undefined;
  for (const [shape, count] of counts) if (most === undefined || count > counts.get(most)!) most = shape;
  return shapes.map((shape) => shape !== undefined && shape !== most);
}

/** @param folder of a shard that is a stranger among the others */
export function strangerAt(folder: string): IbidError {
  return new IbidError('INDEX_MISMATCH', `the vectors in ${folder} are of another embedder than those of most shards`, {
    hint: `Bring back the folder that belongs there, or ${removeShard(folder)}`,
  });
}
