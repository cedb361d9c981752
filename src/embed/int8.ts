import { IbidError } from '../core/errors.ts';

/**
 * A vector as int8, scaled so that its largest component is ±127. A zero vector stays zero. The scale does not change a
 * cosine.
 * @throws IbidError INVALID_ARGUMENT when a component is not a finite number
 */
export function toInt8(vector: ArrayLike<number>): Int8Array {
  if (typeof vector?.length !== 'number') throw new IbidError('INVALID_ARGUMENT', 'a vector must be a list of numbers');
  let largest = 0;
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]!));
  const out = new Int8Array(vector.length);
  if (largest === 0) return out;
  if (!Number.isFinite(largest))
    throw new IbidError('INVALID_ARGUMENT', 'a vector has a component that is not a finite number');
  const scale = 127 / largest;
  for (let i = 0; i < vector.length; i++) out[i] = Math.round(vector[i]! * scale);
  return out;
}

/** 0 when one of them is the zero vector. */
export function cosineOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    aa += a[i]! * a[i]!;
    bb += b[i]! * b[i]!;
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
}
