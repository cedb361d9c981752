import { createRequire } from 'node:module';
import { mergedCount } from './token-merge.ts';

/** Rank of each token of o200k_base by its bytes, one character (code 0 to 255) per byte. */
type Ranks = ReadonlyMap<string, number>;

interface Vocabulary {
  readonly ranks: Ranks;
  /** Splits a text into the pieces inside which tokens are merged. */
  readonly split: RegExp;
}

let vocabulary: Vocabulary | undefined;

/**
 * The package's tables without its encoder: the encoder merges a piece in quadratic time (a word of a million letters would
 * take hours), refuses texts that spell a special token, and its cache keeps the texts alive whose slices are its keys.
 */
function load(): Vocabulary {
  const require = createRequire(import.meta.url);
  const { default: table } =
    require('gpt-tokenizer/bpeRanks/o200k_base') as typeof import('gpt-tokenizer/bpeRanks/o200k_base');
  const { O200K_TOKEN_SPLIT_REGEX } =
    require('gpt-tokenizer/encodingParams/constants') as typeof import('gpt-tokenizer/encodingParams/constants');
  const ranks = new Map<string, number>();
  table.forEach((token, rank) => {
    ranks.set(typeof token === 'string' ? bytesOf(token) : String.fromCharCode(...token), rank);
  });
  return { ranks, split: O200K_TOKEN_SPLIT_REGEX };
}

const ascii = /^[\0-\x7F]*$/;

/** UTF-8 bytes of a text, one character per byte. */
function bytesOf(text: string): string {
  return ascii.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** Longer pieces are rare, and mostly not words. */
const cachedChars = 32;
/** V8 copies slices up to this length; a longer key would keep the whole text it was cut from alive, and is copied here. */
const copiedChars = 12;
const cacheSize = 50_000;
const cache = new Map<string, number>();

/** Longer texts are split step by step: slower, but without an array of all pieces. */
const matchAtOnceChars = 100_000;

/**
 * Tokens of a text in the o200k_base encoding, exact; what spells a special token ("<|endoftext|>") counts as plain text.
 * The vocabulary is loaded with the first call, which is why it is not a plain import. Time is linear but for a logarithm
 * in the length of the longest word; a word of several million characters is counted in parts, off by a token or two.
 */
export function countTokens(text: string): number {
  if (text === '') return 0;
  vocabulary ??= load();
  const { ranks, split } = vocabulary;
  let count = 0;
  if (text.length <= matchAtOnceChars) {
    for (const piece of text.match(split) ?? []) count += countPiece(ranks, piece);
    return count;
  }
  try {
    split.lastIndex = 0;
    for (let match = split.exec(text); match; match = split.exec(text)) count += countPiece(ranks, match[0]);
    return count;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // One word of many million characters exhausts the regular expression's stack; halves miscount their seam by a token or two.
    const middle = text.length >> 1;
    return countTokens(text.slice(0, middle)) + countTokens(text.slice(middle));
  }
}

function countPiece(ranks: Ranks, piece: string): number {
  if (piece.length <= cachedChars) {
    const known = cache.get(piece);
    if (known !== undefined) return known;
  }
  const bytes = bytesOf(piece);
  const count = ranks.has(bytes) ? 1 : mergedCount(ranks, bytes);
  if (piece.length <= cachedChars) {
    if (cache.size >= cacheSize) cache.clear();
    cache.set(piece.length <= copiedChars ? piece : Buffer.from(piece, 'utf16le').toString('utf16le'), count);
  }
  return count;
}
