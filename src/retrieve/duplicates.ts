/** Two chunks are near-duplicates when their term sequences share at least this much of their shingles. */
const SIMILAR = 0.8;
const SHINGLE = 3;
/** Fewer terms than this say too little to be called a copy of one another, unless they are equal. */
const MIN_TERMS = 8;

function shingles(terms: Uint32Array): Set<number> {
  const set = new Set<number>();
  for (let i = 0; i + SHINGLE <= terms.length; i++) {
    let hash = 0;
    for (let j = i; j < i + SHINGLE; j++) hash = (Math.imul(hash, 0x9e3779b1) + terms[j]!) | 0;
    set.add(hash ^ (hash >>> 15));
  }
  return set;
}

/**
 * Tells whether a text was, near enough, seen before: Jaccard similarity of its term triples with one seen earlier.
 * Near-duplicates are not remembered themselves.
 */
export class DuplicateFilter {
  readonly #seen: { readonly terms: Uint32Array; readonly shingles: Set<number> }[] = [];

  /** @param terms hashes of the text's terms, in order */
  isCopy(terms: Uint32Array): boolean {
    const own = shingles(terms);
    for (const seen of this.#seen) if (similar(terms, own, seen.terms, seen.shingles)) return true;
    this.#seen.push({ terms, shingles: own });
    return false;
  }
}

function similar(a: Uint32Array, aShingles: Set<number>, b: Uint32Array, bShingles: Set<number>): boolean {
  if (a.length < MIN_TERMS || b.length < MIN_TERMS) return a.length === b.length && a.every((term, i) => term === b[i]);
  const [small, large] = aShingles.size <= bShingles.size ? [aShingles, bShingles] : [bShingles, aShingles];
  if (small.size < SIMILAR * large.size) return false;
  let shared = 0;
  for (const shingle of small) if (large.has(shingle)) shared++;
  return shared >= SIMILAR * (small.size + large.size - shared);
}
