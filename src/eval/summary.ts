/** 0 of nothing. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The value that a share of the values lies below; 0 of nothing.
 * @param share in [0, 1]
 * @param method between two values: `linear` interpolates; `nearest` takes the value at rank ⌈share·n⌉; `above` takes
 * the next one where the share of the values is whole, so that no less than the share lies below
 */
export function quantile(
  values: Iterable<number>,
  share: number,
  method: 'linear' | 'nearest' | 'above' = 'linear',
): number {
  const sorted = Float64Array.from(values).sort();
  const last = sorted.length - 1;
  if (last < 0) return 0;
  if (method === 'nearest') return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
  if (method === 'above') return sorted[Math.min(last, Math.floor(share * sorted.length))]!;
  const at = share * last;
  const below = Math.floor(at);
  const low = sorted[below]!;
  return low + (sorted[Math.min(below + 1, last)]! - low) * (at - below);
}
