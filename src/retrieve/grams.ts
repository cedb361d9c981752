import { scanWords } from '../text/analysis-scan.ts';
import { B, K1 } from './lexical-scores.ts';

export const GRAM_SIZE = 4;
const BITS = 18;
/** One more than the greatest value of `gramAt`. */
export const GRAM_HASHES: number = 1 << BITS;
/** Per hash: 1 + the number of the query's gram, while `scoreGrams` runs; 0 otherwise. */
const slots = new Uint16Array(GRAM_HASHES);

/** Lower case, every run of other characters one space, one space at both ends. */
export function gramText(text: string): string {
  const lower = text.normalize('NFC').toLowerCase();
  let out = ' ';
  scanWords(lower, (start, end) => {
    out += `${lower.slice(start, end)} `;
  });
  return out;
}

/** The hash of the 4-gram that begins at an index of `text`, at least 4 before its end. */
export function gramAt(text: string, at: number): number {
  let hash = Math.imul(text.charCodeAt(at), 31) + text.charCodeAt(at + 1);
  hash = Math.imul(hash, 0x5bd1e995) + text.charCodeAt(at + 2);
  hash = Math.imul(hash, 0x27d4eb2f) + text.charCodeAt(at + 3);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> (32 - BITS);
}

/** The character 4-grams of a query with what each is worth. */
export interface QueryGrams {
  readonly hashes: readonly number[];
  /** Parallel to `hashes`; sums to 1 (or 0 when there are no grams). */
  readonly weights: readonly number[];
}

/** @param weightOf what the gram that begins at an index of `text` is worth, relative to the others */
export function queryGrams(text: string, weightOf: (at: number) => number): QueryGrams {
  const weights = new Map<number, number>();
  let sum = 0;
  for (let at = 0; at + GRAM_SIZE <= text.length && weights.size < 0xfffe; at++) {
    const hash = gramAt(text, at);
    if (weights.has(hash)) continue;
    const weight = weightOf(at);
    if (weight <= 0) continue;
    weights.set(hash, weight);
    sum += weight;
  }
  return { hashes: [...weights.keys()], weights: [...weights.values()].map((weight) => weight / sum) };
}

/**
 * The share of the query's gram weight that each text holds, saturated and length-normalised as BM25 does with words.
 * @param texts as `gramText` makes them
 * @returns values in [0, 1]
 */
export function scoreGrams({ hashes, weights }: QueryGrams, texts: readonly string[]): Float64Array {
  const scores = new Float64Array(texts.length);
  const average = texts.reduce((sum, text) => sum + text.length, 0) / (texts.length || 1) || 1;
  const counts = new Uint32Array(hashes.length);
  for (let i = 0; i < hashes.length; i++) slots[hashes[i]!] = i + 1;
  for (let t = 0; t < texts.length; t++) {
    const text = texts[t]!;
    counts.fill(0);
    for (let at = 0; at + GRAM_SIZE <= text.length; at++) {
      const slot = slots[gramAt(text, at)]!;
      if (slot !== 0) counts[slot - 1]!++;
    }
    const norm = K1 * (1 - B + (B * text.length) / average);
    let score = 0;
    for (let i = 0; i < counts.length; i++)
      if (counts[i]! > 0) score += (weights[i]! * counts[i]!) / (counts[i]! + norm);
    scores[t] = score;
  }
  for (const hash of hashes) slots[hash] = 0;
  return scores;
}
