import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { IbidError } from '../../core/errors.ts';
import { hashSpan, SpanTable } from '../span-table.ts';
import { ShortPieces } from './memory.ts';
import { mergedCount } from './merge.ts';
import { asciiPieceEnd } from './pieces.ts';
import { ranksOf, type SharedRanks, TokenRanks } from './ranks.ts';

interface Vocabulary {
  readonly ranks: TokenRanks;
  /** Matches the piece at its `lastIndex`. Tokens are merged only inside a piece. */
  readonly piece: RegExp;
}

let vocabulary: Vocabulary | undefined;

/**
 * Loads a table of the package without its encoder. The table is read from a file, because the same one as a module has
 * two hundred thousand strings, which take longer to make than the table. The encoder merges a piece in quadratic time
 * (a word of a million letters would take hours), refuses texts that spell a special token, and keeps texts in memory,
 * because its cache has slices of them as keys.
 */
function load(): Vocabulary {
  const require = createRequire(import.meta.url);
  const lines = readFileSync(require.resolve('gpt-tokenizer/data/o200k_base.tiktoken'));
  return { ranks: ranksOf(lines), piece: pieceOf(require) };
}

function pieceOf(require: NodeJS.Require): RegExp {
  const { O200K_TOKEN_SPLIT_REGEX } =
    require('gpt-tokenizer/encodingParams/constants') as typeof import('gpt-tokenizer/encodingParams/constants');
  return new RegExp(O200K_TOKEN_SPLIT_REGEX.source, 'uy');
}

/** The vocabulary for `adoptVocabulary` in other threads: each would take 40 ms and 10 MB to load its own. */
export function shareVocabulary(): SharedRanks {
  vocabulary ??= load();
  return vocabulary.ranks.share();
}

/** Takes the vocabulary that another thread shares. */
export function adoptVocabulary(ranks: SharedRanks): void {
  vocabulary ??= { ranks: TokenRanks.attach(ranks), piece: pieceOf(createRequire(import.meta.url)) };
}

/** UTF-8 of the current piece; grows for a longer piece, which is rare. */
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

/** Longer pieces are rare and mostly not words. */
const rememberedChars = 32;
/** Bounds of the two caches, about 3 MB together: short ASCII pieces, other pieces. A full cache is cleared. */
const rememberedShort = 65_536;
const rememberedPieces = 16_384;
const rememberedUnits = 16 * rememberedPieces;
let shortPieces: ShortPieces | undefined;
let pieces: SpanTable | undefined;
/** Tokens of each cached piece; at most 96 (32 code units of three bytes). */
const counts = new Uint8Array(rememberedPieces);

/**
 * Exact number of tokens of a text in the o200k_base encoding; the spelling of a special token ("<|endoftext|>") counts
 * as plain text. The first call loads the vocabulary. Time is linear in the text, with a logarithm of its longest word;
 * a word of several million characters is counted in parts, which may add a token or two.
 */
export function countTokens(text: string): number {
  vocabulary ??= load();
  const { ranks, piece } = vocabulary;
  let count = 0;
  try {
    for (let at = 0; at < text.length; ) {
      const end = pieceEnd(piece, text, at);
      count += countPiece(ranks, text, at, end);
      at = end;
    }
    return count;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // A word of many million characters exhausts the stack of the regular expression. Two halves may differ from the
    // whole by a token or two at their border.
    const middle = text.length >> 1;
    return countTokens(text.slice(0, middle)) + countTokens(text.slice(middle));
  }
}

function pieceEnd(piece: RegExp, text: string, at: number): number {
  const end = asciiPieceEnd(text, at);
  if (end >= 0) return end;
  piece.lastIndex = at;
  piece.test(text); // always matches: every character is in one of its classes
  return piece.lastIndex;
}

/**
 * A piece that ends at least so far before the end of a part ends there in the whole text too: the regular expression
 * reads no further.
 */
const lookahead = 4;
/** Code units of a text whose pieces are kept at a time. */
const windowChars = 65_536;

/** Ends of the pieces of the current window, and the sum of tokens up to each end. All counters share these arrays. */
let ends = new Uint32Array(4096);
let sums = new Uint32Array(4096);
/** Number of the counter that filled the arrays. */
let owner = 0;
let counters = 0;

interface CountLimits {
  readonly timeoutMs?: number | undefined;
  readonly tokens?: number | undefined;
}

/**
 * Counts tokens of many parts of one text: blocks, sentences, packed chunks. The pieces of the text are found and
 * counted once. In a part only the pieces at both ends are split again, because only these may differ from the whole
 * text.
 */
export class TokenCounter {
  readonly #text: string;
  readonly #deadline: number;
  #left: number;
  readonly #number = ++counters;
  /** The pieces of `[#from, #to)` are in `ends`. */
  #from = 0;
  #to = 0;
  #pieces = 0;

  /** @param limits of a text that is cut: counting takes nearly all of the time */
  constructor(text: string, limits: CountLimits = {}) {
    this.#text = text;
    this.#deadline = performance.now() + (limits.timeoutMs ?? Number.POSITIVE_INFINITY);
    this.#left = limits.tokens ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Takes the tokens of a part that was cut off from those that the text may have.
   * @throws IbidError FILE_TOO_LARGE
   */
  spend(tokens: number): void {
    this.#left -= tokens;
    if (this.#left >= 0) return;
    throw new IbidError('FILE_TOO_LARGE', 'the text is more than one document may have', { hint: 'Split the file.' });
  }

  /**
   * Tokens of `text.slice(start, end)`, equal to `countTokens`.
   * @throws IbidError FILE_TIMEOUT
   */
  count(start: number, end: number): number {
    if (performance.now() > this.#deadline) {
      throw new IbidError('FILE_TIMEOUT', 'cutting the text into chunks took too long', { hint: 'Split the file.' });
    }
    const part = this.#text.slice(start, end);
    if (end - start > windowChars || end - start < lookahead) return countTokens(part);
    try {
      if (owner !== this.#number || start < this.#from || end > this.#to) this.#look(start);
      return this.#countWithin(part, start, end);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return countTokens(part); // handles a word of a million letters
    }
  }

  #look(from: number): void {
    vocabulary ??= load();
    const { ranks, piece } = vocabulary;
    const { length } = this.#text;
    const to = Math.min(length, from + windowChars);
    const text = from === 0 && to === length ? this.#text : this.#text.slice(from, to);
    owner = 0; // until the arrays are complete
    if (ends.length < text.length) {
      ends = new Uint32Array(windowChars);
      sums = new Uint32Array(windowChars);
    }
    let pieces = 0;
    let sum = 0;
    for (let at = 0; at < text.length; ) {
      const end = pieceEnd(piece, text, at);
      sum += countPiece(ranks, text, at, end);
      ends[pieces] = from + end;
      sums[pieces++] = sum;
      at = end;
    }
    owner = this.#number;
    this.#pieces = pieces;
    this.#from = from;
    this.#to = to;
  }

  #countWithin(part: string, start: number, end: number): number {
    const { ranks, piece } = vocabulary!; // loaded by #look
    // The first end at or after `start`; earlier pieces do not matter.
    let known = this.#firstEndFrom(start);
    let at = start;
    let count = 0;
    // Split until a piece of the part ends where a piece of the whole does: from there on both are equal.
    while (at < end) {
      while (known < this.#pieces && ends[known]! < at) known++;
      if (at === this.#from || ends[known] === at) break;
      const next = start + pieceEnd(piece, part, at - start);
      count += countPiece(ranks, part, at - start, next - start);
      at = next;
    }
    if (at >= end) return count;
    const sure = this.#firstEndFrom(end - lookahead + 1) - 1; // the last piece that the part's end cannot change
    if (sure >= 0 && ends[sure]! > at) {
      count += sums[sure]! - (at === this.#from ? 0 : sums[known]!);
      at = ends[sure]!;
    }
    while (at < end) {
      const next = start + pieceEnd(piece, part, at - start);
      count += countPiece(ranks, part, at - start, next - start);
      at = next;
    }
    return count;
  }

  /** Index of the first piece that ends at or after `at`. */
  #firstEndFrom(at: number): number {
    let low = 0;
    let high = this.#pieces;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function countPiece(ranks: TokenRanks, text: string, start: number, end: number): number {
  shortPieces ??= new ShortPieces(rememberedShort);
  const known = shortPieces.find(text, start, end);
  if (known > 0) return known;
  if (known < 0) return countLonger(ranks, text, start, end);
  const length = writeUtf8(text, start, end);
  const count = mergedCount(ranks, scratch, length);
  shortPieces.add(length, count);
  return count;
}

/** Counts a piece that is long or not ASCII. */
function countLonger(ranks: TokenRanks, text: string, start: number, end: number): number {
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
