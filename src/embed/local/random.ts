/** A seeded stream of uniform 32-bit integers (splitmix32): equal seeds give equal streams on every machine. */
export function randomWords(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    return mix(state);
  };
}

/** A uniform number in [0, 1) from the stream. */
export function unit(next: () => number): number {
  return next() / 4_294_967_296;
}

/** A well mixed, unsigned 32-bit hash of an integer. */
export function mix(value: number): number {
  let x = value ^ (value >>> 16);
  x = Math.imul(x, 0x21f0aaad);
  x ^= x >>> 15;
  x = Math.imul(x, 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}
