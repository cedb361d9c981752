/** Two chunks are near-duplicates when their term sequences share at least this much of their shingles. */
const SIMILAR = 0.8;
const SHINGLE = 3;
/** Fewer terms than this say too little to be called a copy of one another, unless they are equal. */
const MIN_TERMS = 8;

/** Hashes of the term triples, ascending, each once: sorted numbers compare faster than sets of them. */
function shinglesOf(terms: Uint32Array): Int32Array {
  const all = new Int32Array(Math.max(0, terms.length - SHINGLE + 1));
  for (let i = 0; i < all.length; i++) {
    let hash = 0;
    for (let j = i; j < i + SHINGLE; j++) hash = (Math.imul(hash, 0x9e3779b1) + terms[j]!) | 0;
    all[i] = hash ^ (hash >>> 15);
  }
  all.sort();
  let count = 0;
  for (let i = 0; i < all.length; i++) if (i === 0 || all[i] !== all[i - 1]) all[count++] = all[i]!;
  return all.subarray(0, count);
}

/**
 * Tells whether a text was, near enough, seen before: Jaccard similarity of its term triples with one seen earlier.
 * Near-duplicates are not remembered themselves.
 */
export class DuplicateFilter {
  readonly #seen: { readonly terms: Uint32Array; readonly shingles: Int32Array }[] = [];

  /** @param terms hashes of the text's terms, in order */
  isCopy(terms: Uint32Array): boolean {
    const shingles = shinglesOf(terms);
    for (const seen of this.#seen) if (similar(terms, shingles, seen.terms, seen.shingles)) return true;
    this.#seen.push({ terms, shingles });
    return false;
  }
}

function similar(a: Uint32Array, aShingles: Int32Array, b: Uint32Array, bShingles: Int32Array): boolean {
  if (a.length < MIN_TERMS || b.length < MIN_TERMS) return a.length === b.length && a.every((term, i) => term === b[i]);
  const fewer = Math.min(aShingles.length, bShingles.length);
  const more = Math.max(aShingles.length, bShingles.length);
  if (fewer < SIMILAR * more) return false;
  const shared = sharedOf(aShingles, bShingles);
  return shared >= SIMILAR * (fewer + more - shared);
}

/** How many numbers two ascending lists share. */
function sharedOf(a: Int32Array, b: Int32Array): number {
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const difference = a[i]! - b[j]!;
    if (difference === 0) shared++;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  return shared;
}
