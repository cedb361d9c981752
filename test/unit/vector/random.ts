export interface RandomSource {
  /** In [0, 1). */
  next(): number;
  /** Both ends included. */
  integer(from: number, to: number): number;
  /** Mean 0, variance 1. */
  normal(): number;
}

/** A seeded generator (mulberry32), so that a failure can be repeated. */
export function randomSource(seed: number): RandomSource {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    integer: (from, to) => from + Math.floor(next() * (to - from + 1)),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}
