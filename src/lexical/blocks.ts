import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { ByteReader, ByteWriter, damaged } from './bytes.ts';
import type { SegmentBlock } from './contract.ts';
import type { BlockEntry, SegmentHeader } from './header.ts';
import { PostingsEncoder } from './postings.ts';

/**
 * Target size of a block before compression, in bytes: a query reads little, and the number of stored rows stays low.
 */
const BLOCK_BYTES = 16_384;

/**
 * Writes terms with their postings into blocks. An entry holds: number of bytes shared with the previous term, number
 * of further bytes, the further bytes (UTF-8), number of postings, length of the postings in bytes, postings. The first
 * entry of a block shares nothing. Blocks are deflated, which saves a quarter to a third.
 */
export class BlockWriter {
  readonly blocks: SegmentBlock[] = [];
  readonly directory: BlockEntry[] = [];
  readonly #out = new ByteWriter();
  readonly #postings = new ByteWriter();
  readonly #encoder = new PostingsEncoder(this.#postings);
  readonly #utf8 = new TextEncoder();
  /** UTF-8 of this term and of the one before, each in memory that the next but one takes over. */
  #term = new Uint8Array(256);
  #previous = new Uint8Array(256);
  #previousLength = 0;
  #firstTerm = '';
  #count = 0;

  /** Begins the postings of the next term. `add` and `endTerm` follow. */
  startTerm(): void {
    this.#postings.clear();
    this.#encoder.start();
    this.#count = 0;
  }

  add(row: number, text: number, title: number, headings: number): void {
    this.#encoder.add(row, text, title, headings);
    this.#count++;
  }

  /** @param term greater, in code units, than the previous term; a term without postings is left out */
  endTerm(term: string): void {
    if (this.#count === 0) return;
    if (this.#term.length < 3 * term.length) this.#term = new Uint8Array(3 * term.length);
    const bytes = this.#term;
    const previous = this.#previous;
    const length = this.#utf8.encodeInto(term, bytes).written;
    if (this.#out.length === 0) {
      this.#firstTerm = term;
      this.#previousLength = 0;
    }
    let shared = 0;
    const limit = Math.min(length, this.#previousLength);
    while (shared < limit && bytes[shared] === previous[shared]) shared++;
    this.#out.varint(shared);
    this.#out.varint(length - shared);
    this.#out.append(bytes.subarray(shared, length));
    this.#out.varint(this.#count);
    this.#out.varint(this.#postings.length);
    this.#out.append(this.#postings.view());
    this.#term = previous;
    this.#previous = bytes;
    this.#previousLength = length;
    if (this.#out.length >= BLOCK_BYTES) this.#close();
  }

  finish(): void {
    if (this.#out.length > 0) this.#close();
  }

  #close(): void {
    const bytes = new Uint8Array(deflateRawSync(this.#out.view(), { level: 6 }));
    this.blocks.push({ firstTerm: this.#firstTerm, bytes });
    this.directory.push({ firstTerm: this.#firstTerm, checksum: crc32(bytes) });
    this.#out.clear();
  }
}

/** One dictionary entry of a block. `postings` stands at the first posting. */
export interface BlockTerm {
  readonly term: string;
  readonly count: number;
  readonly postings: ByteReader;
}

/** All entries of an opened block, in order. */
export function* blockTerms(bytes: Uint8Array): Generator<BlockTerm, void, undefined> {
  const input = new ByteReader(bytes);
  const decoder = new TextDecoder();
  let term = new Uint8Array(0);
  while (!input.done) {
    const shared = input.varint();
    const own = input.take(input.varint());
    if (shared > term.length) throw damaged('a term shares more bytes than the previous term has');
    const next = new Uint8Array(shared + own.length);
    next.set(term.subarray(0, shared));
    next.set(own, shared);
    term = next;
    const count = input.varint();
    yield { term: decoder.decode(term), count, postings: new ByteReader(input.take(input.varint())) };
  }
}

/**
 * Passes on the terms of an opened block that begin with `start` (UTF-8), in order, each with the number of its
 * postings. Strings are made of these alone.
 */
export function eachTermFrom(bytes: Uint8Array, start: Uint8Array, visit: (term: string, count: number) => void): void {
  const input = new ByteReader(bytes);
  let term = Buffer.alloc(256);
  let length = 0;
  while (!input.done) {
    const shared = input.varint();
    const own = input.take(input.varint());
    if (shared > length) throw damaged('a term shares more bytes than the previous term has');
    length = shared + own.length;
    if (length > term.length) term = Buffer.concat([term, Buffer.alloc(length)]);
    term.set(own, shared);
    const count = input.varint();
    input.take(input.varint());
    if (beginsWith(term, length, start))
      visit(term.toString(isAscii(term, length) ? 'latin1' : 'utf8', 0, length), count);
  }
}

function beginsWith(term: Uint8Array, length: number, start: Uint8Array): boolean {
  if (length < start.length) return false;
  for (let i = 0; i < start.length; i++) if (term[i] !== start[i]) return false;
  return true;
}

function isAscii(term: Uint8Array, length: number): boolean {
  for (let i = 0; i < length; i++) if (term[i]! > 0x7f) return false;
  return true;
}

/** The postings of one term in an opened block. */
export interface BlockPostings {
  readonly count: number;
  /** The byte of the block at which they begin. */
  readonly offset: number;
  readonly postings: ByteReader;
}

/** The postings of those terms of an opened block that have at least `least` of them. */
export function* commonPostings(bytes: Uint8Array, least: number): Generator<BlockPostings, void, undefined> {
  const input = new ByteReader(bytes);
  while (!input.done) {
    input.varint();
    input.take(input.varint());
    const count = input.varint();
    const length = input.varint();
    const offset = input.position;
    const postings = input.take(length);
    if (count >= least) yield { count, offset, postings: new ByteReader(postings) };
  }
}

/**
 * Looks up one term in an opened block. Postings of other terms are not decoded.
 * @returns `undefined` when the block does not hold the term
 */
export function findTerm(bytes: Uint8Array, term: Uint8Array): BlockPostings | undefined {
  const input = new ByteReader(bytes);
  let matched = 0; // leading bytes of `term` that the previous entry shares
  while (!input.done) {
    const shared = input.varint();
    const own = input.take(input.varint());
    const count = input.varint();
    const postingsLength = input.varint();
    if (shared <= matched) {
      matched = shared;
      let i = 0;
      while (i < own.length && matched < term.length && own[i] === term[matched]) {
        i++;
        matched++;
      }
      if (i === own.length && matched === term.length)
        return { count, offset: input.position, postings: new ByteReader(input.take(postingsLength)) };
    }
    input.take(postingsLength);
  }
  return undefined;
}

/**
 * Checks and inflates a stored block.
 * @throws IbidError INDEX_DAMAGED when the checksum does not match
 */
export function openBlock(stored: Uint8Array, entry: BlockEntry): Uint8Array {
  if (crc32(stored) !== entry.checksum) throw damaged(`the block of "${entry.firstTerm}" does not match its checksum`);
  return inflateRawSync(stored);
}

/** The last block whose first term is not greater than `term`; -1 without such a block. */
export function blockOf({ directory }: Pick<SegmentHeader, 'directory'>, term: string): number {
  let low = 0;
  let high = directory.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (directory[middle]!.firstTerm <= term) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The blocks that may hold terms which begin with `start`. */
export function blocksFrom(segment: Pick<SegmentHeader, 'directory'>, start: string): number[] {
  const blocks: number[] = [];
  for (let block = Math.max(0, blockOf(segment, start)); block < segment.directory.length; block++) {
    const { firstTerm } = segment.directory[block]!;
    if (firstTerm > start && !firstTerm.startsWith(start)) break;
    blocks.push(block);
  }
  return blocks;
}
