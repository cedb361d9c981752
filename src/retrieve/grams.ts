import { foldWord, isApostrophe, isUnseen, mayChange, plainRun } from '../text/analysis/fold.ts';
import { COMBINING, isPunctuation } from '../text/analysis/plain-text.ts';
import { scanWords } from '../text/analysis/scan.ts';
import { codeUnitsOf } from '../text/code-units.ts';
import { B, K1 } from './lexical-scores.ts';

export const GRAM_SIZE = 4;
const BITS = 18;
const SPACE = 0x20;
const APOSTROPHE = 0x27;
const SMALL_S = 0x73;
const SHARP_S = 0xdf;
/** One more than the greatest value of `gramAt`. */
export const GRAM_HASHES: number = 1 << BITS;
/** Per hash: 1 + the number of the query's gram, while `scoreGrams` runs; 0 otherwise. */
const slots = new Uint16Array(GRAM_HASHES);
/**
 * The same by the upper bits of the hash, 1 = there is such a gram: small enough to stay in the processor's nearest
 * cache.
 */
const FILTER_BITS = 12;
const filter = new Uint8Array(1 << FILTER_BITS);

/** Words in one spelling and lower case, every run of other characters one space, one space at both ends. */
export function gramText(text: string): string {
  const normal = text.normalize('NFC');
  const folds = mayChange(normal);
  const read = folds ? normal : normal.toLowerCase();
  let out = ' ';
  scanWords(read, (start, end, unspaced) => {
    const run = read.slice(start, end);
    const word = unspaced ? plainRun(run).toLowerCase() : folds ? foldWord(run) : run;
    if (word !== '') out += `${word} `;
  });
  return out;
}

/** The hash of the 4-gram that begins at an index of `text`, at least 4 before its end. */
export function gramAt(text: string, at: number): number {
  return gramOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2), text.charCodeAt(at + 3));
}

function gramOf(first: number, second: number, third: number, fourth: number): number {
  let hash = Math.imul(first, 31) + second;
  hash = Math.imul(hash, 0x5bd1e995) + third;
  hash = Math.imul(hash, 0x27d4eb2f) + fourth;
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> (32 - BITS);
}

/** The character 4-grams of a query with what each is worth. */
interface QueryGrams {
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

/** Code units of all texts of one call of `scoreGrams`, one behind the other. */
let units = new Uint16Array(2 ** 16);

/** For each code unit before: its lower case, or a space, as `gramText` gives it; 0 = it depends on its neighbours. */
let folded: Uint16Array | undefined;

function foldedUnits(): Uint16Array {
  return Uint16Array.from({ length: COMBINING }, (_, unit) => {
    const character = String.fromCharCode(unit);
    const text = gramText(character);
    return isApostrophe(unit) || isUnseen(character) || text.length > 3 ? 0 : text.charCodeAt(text.length >> 1);
  });
}

/**
 * Writes what `gramText` makes of a text to `units`. Western letters and punctuation go there directly; a text with
 * others is normalised as a whole.
 * @returns where it ends
 */
function writeGramText(text: string, from: number): number {
  folded ??= foldedUnits();
  const fold = folded;
  const most = from + 2 * text.length + 2;
  if (most > units.length) reserve(most, from);
  const read = codeUnitsOf(text);
  const into = units;
  let end = from;
  into[end++] = SPACE;
  let last = SPACE;
  for (let at = 0; at < text.length; at++) {
    const unit = read[at]!;
    let next = unit < COMBINING ? fold[unit]! : 0;
    if (next === 0) {
      if (unit === SHARP_S) {
        into[end++] = SMALL_S;
        next = SMALL_S;
      } else if (isApostrophe(unit)) {
        const after = read[at + 1]!;
        const follows = after < COMBINING ? fold[after]! : isPunctuation(after) ? SPACE : 0;
        if (follows === 0 && !isApostrophe(after)) return writeNormalised(text, from);
        next = last !== SPACE && follows > SPACE ? APOSTROPHE : SPACE;
      } else if (isPunctuation(unit)) next = SPACE;
      else return writeNormalised(text, from);
    }
    // of several spaces one stays; without a branch, because the processor could not predict it
    into[end] = next;
    end += -((next ^ SPACE) | (last ^ SPACE)) >>> 31;
    last = next;
  }
  if (last !== SPACE) into[end++] = SPACE;
  return end;
}

function writeNormalised(text: string, from: number): number {
  const normalised = gramText(text);
  const end = from + normalised.length;
  if (end > units.length) reserve(end, from);
  for (let at = 0; at < normalised.length; at++) units[from + at] = normalised.charCodeAt(at);
  return end;
}

/** Makes room for `most` units, of which the first `kept` are kept. */
function reserve(most: number, kept: number): void {
  const larger = new Uint16Array(2 * most);
  larger.set(units.subarray(0, kept));
  units = larger;
}

/**
 * The share of the query's gram weight that each text holds, saturated and length-normalised as BM25 does with words.
 * @param texts as they are read: `gramText` of each is what counts
 * @returns values in [0, 1]
 */
export function scoreGrams({ hashes, weights }: QueryGrams, texts: readonly string[]): Float64Array {
  const scores = new Float64Array(texts.length);
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (let t = 0; t < texts.length; t++) {
    end = writeGramText(texts[t]!, end);
    ends[t] = end;
  }
  const average = end / (texts.length || 1) || 1;
  const counts = new Uint32Array(hashes.length);
  for (let i = 0; i < hashes.length; i++) {
    slots[hashes[i]!] = i + 1;
    filter[hashes[i]! >>> (BITS - FILTER_BITS)] = 1;
  }
  for (let t = 0, start = 0; t < texts.length; t++) {
    counts.fill(0);
    countGrams(start, ends[t]!, counts);
    const norm = K1 * (1 - B + (B * (ends[t]! - start)) / average);
    let score = 0;
    for (let i = 0; i < counts.length; i++)
      if (counts[i]! > 0) score += (weights[i]! * counts[i]!) / (counts[i]! + norm);
    scores[t] = score;
    start = ends[t]!;
  }
  for (const hash of hashes) slots[hash] = 0;
  filter.fill(0);
  return scores;
}

/** Counts the query's grams in `units`, from `start` to `end`. */
function countGrams(start: number, end: number, counts: Uint32Array): void {
  const text = units;
  let [first, second, third] = [text[start]!, text[start + 1]!, text[start + 2]!];
  for (let at = start + GRAM_SIZE - 1; at < end; at++) {
    const fourth = text[at]!;
    const hash = gramOf(first, second, third, fourth);
    first = second;
    second = third;
    third = fourth;
    if (filter[hash >>> (BITS - FILTER_BITS)] === 0) continue;
    const slot = slots[hash]!;
    if (slot !== 0) counts[slot - 1]!++;
  }
}
