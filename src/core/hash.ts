/**
 * 32-bit hash of a string's UTF-16 code units: FNV-1a with a final avalanche step. For sampling and hash tables, not as
 * an identity.
 * @see Fowler, Noll & Vo; finaliser of MurmurHash3 (Appleby)
 */
export function hash32(text: string, seed: number = 0): number {
  let h = (0x811c9dc5 ^ seed) | 0;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return avalanche(h);
}

/** Spreads 32 bits, so that each bit of the result depends on all. */
export function avalanche(bits: number): number {
  let h = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
