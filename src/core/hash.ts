/**
 * 32-bit hash of a string's UTF-16 code units: FNV-1a with a final avalanche step. For sampling and hash tables, not as
 * an identity.
 * @see Fowler, Noll & Vo; finaliser of MurmurHash3 (Appleby)
 */
export function hash32(text: string, seed: number = 0): number {
  let h = (0x811c9dc5 ^ seed) | 0;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
