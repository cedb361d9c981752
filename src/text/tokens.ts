import { createRequire } from 'node:module';
import { hashSpan, SpanTable } from './span-table.ts';
import { mergedCount } from './token-merge.ts';
import { asciiPieceEnd } from './token-pieces.ts';
import { TokenRanks } from './token-ranks.ts';

interface Vocabulary {
  readonly ranks: TokenRanks;
  /** Matches the piece at its `lastIndex`, inside which tokens are merged. */
  readonly piece: RegExp;
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
  const ranks = new TokenRanks(table.length);
  table.forEach((token, rank) => {
    if (typeof token !== 'string') ranks.add(Uint8Array.from(token), rank);
    else ranks.add(scratch.subarray(0, writeUtf8(token, 0, token.length)), rank);
  });
  return { ranks, piece: new RegExp(O200K_TOKEN_SPLIT_REGEX.source, 'uy') };
}

/** UTF-8 of the piece being counted; larger for a larger one, which is rare. */
let scratch = new Uint8Array(1024);

/** Writes `text[start, end)` to `scratch`. @returns its length in bytes */
function writeUtf8(text: string, start: number, end: number): number {
  const most = (end - start) * 3;
  if (most > scratch.length) scratch = new Uint8Array(most);
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7f) return utf8.encodeInto(text.slice(start, end), scratch).written;
    scratch[at - start] = unit;
  }
  return end - start;
}

const utf8 = new TextEncoder();

/** Longer pieces are rare, and mostly not words. */
const rememberedChars = 32;
/** Bounds of what is remembered: 2 to 3 MB. Beyond them it starts afresh. */
const rememberedPieces = 65_536;
const rememberedUnits = 8 * rememberedPieces;
let pieces: SpanTable | undefined;
/** Tokens of each remembered piece; one of 32 code units has at most three bytes each. */
const counts = new Uint8Array(rememberedPieces);

/**
 * Tokens of a text in the o200k_base encoding, exact; what spells a special token ("<|endoftext|>") counts as plain text.
 * The vocabulary is loaded with the first call, which is why it is not a plain import. Time is linear but for a logarithm
 * in the length of the longest word; a word of several million characters is counted in parts, off by a token or two.
 */
export function countTokens(text: string): number {
  vocabulary ??= load();
  const { ranks, piece } = vocabulary;
  let count = 0;
  try {
    for (let at = 0; at < text.length; ) {
      let end = asciiPieceEnd(text, at);
      if (end < 0) {
        piece.lastIndex = at;
        piece.test(text); // always matches: every character is in one of its classes
        end = piece.lastIndex;
      }
      count += countPiece(ranks, text, at, end);
      at = end;
    }
    return count;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // One word of many million characters exhausts the regular expression's stack; halves miscount their seam by a token or two.
    const middle = text.length >> 1;
    return countTokens(text.slice(0, middle)) + countTokens(text.slice(middle));
  }
}

function countPiece(ranks: TokenRanks, text: string, start: number, end: number): number {
  if (end - start > rememberedChars) {
    const length = writeUtf8(text, start, end);
    return mergedCount(ranks, scratch, length);
  }
  pieces ??= new SpanTable(rememberedPieces);
  const hash = hashSpan(text, start, end);
  const known = pieces.find(text, start, end, hash);
  if (known >= 0) return counts[known]!;
  const length = writeUtf8(text, start, end);
  const count = mergedCount(ranks, scratch, length);
  if (pieces.size === rememberedPieces || pieces.units + rememberedChars > rememberedUnits) pieces.clear();
  counts[pieces.add(text, start, end, hash)] = count;
  return count;
}
