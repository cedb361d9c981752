import type { SparseRow } from '../../vector/float-kernels.ts';
import type { TrainingChunk } from './training-set.ts';

interface VocabularyOptions {
  /** Terms in fewer chunks are left out. */
  readonly minChunks: number;
  /** When there are more terms, those in the most chunks stay. */
  readonly maxTerms: number;
}

/** The terms of a model, by ascending key, with their weights. */
export interface Vocabulary {
  readonly keys: Uint32Array;
  /** Log-entropy weight of each term, in [0.02, 1]. */
  readonly weight: Float32Array;
  /** Number of chunks of the sample with each term. */
  readonly chunksWith: Uint32Array;
  /**
   * Expected share of unknown tokens in a new document of the same kind: the tokens of a sampled document whose terms
   * would be left out if that document were not in the sample.
   */
  readonly unknownShare: number;
  /** Vocabulary number of each term number of the training set; `absent` for a term that is left out. */
  readonly numberOf: Uint32Array;
}

export const absent = 0xffffffff;
const minWeight = 0.02;

/** The vocabulary numbers of all tokens of a chunk. */
export function numbersOf(chunk: TrainingChunk, { numberOf }: Pick<Vocabulary, 'numberOf'>): Uint32Array {
  return chunk.tokens.map((term) => numberOf[term]!);
}

/**
 * Keeps the terms in at least `minChunks` and at most half of the chunks. The weight is 1 minus the normalised entropy
 * of the distribution of a term's occurrences over the chunks: 1 when all are in one chunk, near 0 when they are in
 * all.
 * @see Dumais 1991, doi:10.3758/BF03203370 (log-entropy weighting)
 */
export function buildVocabulary(
  chunks: readonly TrainingChunk[],
  keys: Uint32Array,
  { minChunks, maxTerms }: VocabularyOptions,
): Vocabulary {
  const counts = new Uint32Array(keys.length);
  const inChunks = new Uint32Array(keys.length);
  const occurrences = new Float64Array(keys.length);
  const spread = new Float64Array(keys.length); // Σ f ln f
  for (const { tokens } of chunks) {
    for (let i = 0; i < tokens.length; i++) counts[tokens[i]!]!++;
    for (let i = 0; i < tokens.length; i++) {
      const term = tokens[i]!;
      const f = counts[term]!;
      if (f === 0) continue; // a repetition
      counts[term] = 0;
      inChunks[term]!++;
      occurrences[term]! += f;
      if (f > 1) spread[term]! += f * Math.log(f);
    }
  }
  const most = Math.max(minChunks, chunks.length / 2);
  let known: number[] = [];
  for (let term = 0; term < keys.length; term++) {
    if (inChunks[term]! >= minChunks && inChunks[term]! <= most) known.push(term);
  }
  if (known.length > maxTerms) {
    known = known.sort((a, b) => inChunks[b]! - inChunks[a]! || keys[a]! - keys[b]!).slice(0, maxTerms);
  }
  known.sort((a, b) => keys[a]! - keys[b]!);
  const numberOf = new Uint32Array(keys.length).fill(absent);
  const weight = new Float32Array(known.length);
  const scale = Math.log(Math.max(2, chunks.length));
  known.forEach((term, number) => {
    numberOf[term] = number;
    // Σ p ln p with p = f / F is (Σ f ln f) / F − ln F.
    const total = occurrences[term]!;
    weight[number] = Math.max(minWeight, 1 + (spread[term]! / total - Math.log(total)) / scale);
  });
  return {
    keys: Uint32Array.from(known, (t) => keys[t]!),
    weight,
    chunksWith: Uint32Array.from(known, (t) => inChunks[t]!),
    numberOf,
    unknownShare: heldOutUnknownShare(chunks, inChunks, numberOf, minChunks),
  };
}

function heldOutUnknownShare(
  chunks: readonly TrainingChunk[],
  inChunks: Uint32Array,
  numberOf: Uint32Array,
  minChunks: number,
): number {
  /** The last chunk, counted from 1, that had the term. */
  const lastChunk = new Uint32Array(inChunks.length);
  const inDocument = new Uint32Array(inChunks.length);
  let all = 0;
  let unknown = 0;
  for (let first = 0, end = 0; first < chunks.length; first = end) {
    for (; end < chunks.length && chunks[end]!.document === chunks[first]!.document; end++) {
      const { tokens } = chunks[end]!;
      for (let i = 0; i < tokens.length; i++) {
        const term = tokens[i]!;
        if (lastChunk[term] === end + 1) continue;
        lastChunk[term] = end + 1;
        inDocument[term]!++;
      }
    }
    for (let chunk = first; chunk < end; chunk++) {
      const { tokens } = chunks[chunk]!;
      all += tokens.length;
      for (let i = 0; i < tokens.length; i++) {
        const term = tokens[i]!;
        if (numberOf[term] === absent || inChunks[term]! - inDocument[term]! < minChunks) unknown++;
      }
    }
    for (let chunk = first; chunk < end; chunk++) {
      const { tokens } = chunks[chunk]!;
      for (let i = 0; i < tokens.length; i++) inDocument[tokens[i]!] = 0;
    }
  }
  return all === 0 ? 0 : unknown / all;
}

/** Entries of the arrays of a `BagMemory`. */
const leastRoom = 2 ** 16;

/** Memory for many bags, since an array for each would cost more than its weights. `clear` gives it to the next ones. */
export class BagMemory {
  #terms: Uint32Array = new Uint32Array(0);
  #values: Float32Array = new Float32Array(0);
  #used = 0;

  clear(): void {
    this.#used = 0;
  }

  /** Two arrays with room for so many entries, until `keep` says how many are used. */
  take(entries: number): SparseRow {
    if (this.#used + entries > this.#terms.length) {
      // earlier bags keep the old arrays
      const room = Math.max(leastRoom, 2 * entries);
      this.#terms = new Uint32Array(room);
      this.#values = new Float32Array(room);
      this.#used = 0;
    }
    const end = this.#used + entries;
    return { terms: this.#terms.subarray(this.#used, end), values: this.#values.subarray(this.#used, end) };
  }

  keep(entries: number): void {
    this.#used += entries;
  }
}

/**
 * `(1 + ln frequency) · weight` of each term, scaled to length 1.
 * @param numbers vocabulary numbers in any order, with repetitions; `absent` is skipped
 * @param memory holds the bag
 */
export function weighBag(numbers: Uint32Array, weight: Float32Array, memory: BagMemory): SparseRow {
  const { terms, values } = memory.take(numbers.length);
  terms.set(numbers);
  terms.sort();
  let distinct = 0;
  let norm = 0;
  // in place: a distinct term stands no later than where it was read
  for (let i = 0; i < terms.length; ) {
    const term = terms[i]!;
    let j = i + 1;
    while (j < terms.length && terms[j] === term) j++;
    if (term === absent) break;
    const value = (1 + Math.log(j - i)) * weight[term]!;
    terms[distinct] = term;
    values[distinct++] = value;
    norm += value * value;
    i = j;
  }
  memory.keep(distinct);
  const scale = norm > 0 ? 1 / Math.sqrt(norm) : 0;
  for (let i = 0; i < distinct; i++) values[i]! *= scale;
  return { terms: terms.subarray(0, distinct), values: values.subarray(0, distinct) };
}
