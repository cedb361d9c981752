import { yieldToEventLoop } from '../core/event-loop.ts';
import { type BlockTerm, BlockWriter, blockTerms, openBlock } from './blocks.ts';
import type { SegmentBlock, SegmentData, SegmentSource } from './contract.ts';
import { decodeHeader, encodeHeader, type SegmentHeader } from './header.ts';
import { decodePostings, PostingsBuffer } from './postings.ts';

interface MergeSource {
  readonly segment: Pick<SegmentSource, 'header' | 'readBlocks'>;
  /** @param row of the segment, from 0. Absent: all rows are live. */
  readonly isLive?: ((row: number) => boolean) | undefined;
}

interface MergedSegment {
  readonly data: SegmentData;
  /** For each source: the new row of each old row; `DROPPED` for a dead row. */
  readonly rows: readonly Uint32Array[];
}

export const DROPPED = 0xffff_ffff;

/** Takes finished blocks; `first` is the number of the first one in the merged segment. */
type BlockSink = (blocks: readonly SegmentBlock[], first: number) => Promise<void>;

/** Bounds of the memory of a merge: blocks read ahead by all sources, by one at least; bytes that wait for the sink. */
const READ_AHEAD = 256;
const LEAST_READ_AHEAD = 8;
const SINK_BYTES = 4 * 2 ** 20;

/** Work between two turns of the event loop, about a millisecond. A term counts as `TERM_COST` postings. */
const POSTINGS_A_TURN = 50_000;
const TERM_COST = 20;

/**
 * Merges segments into one: the live rows of the first source in their order, then those of the second, and so on.
 * Documents without a live row are left out.
 * @param sink receives the blocks as they are finished; the result then has no blocks
 * @param sinkBytes the sink is called when more bytes than this wait
 */
export async function mergeSegments(
  sources: readonly MergeSource[],
  sink?: BlockSink,
  sinkBytes: number = SINK_BYTES,
): Promise<MergedSegment> {
  const headers = sources.map(({ segment }) => decodeHeader(segment.header));
  const { rows, header } = renumber(sources, headers);
  const readAhead = Math.max(LEAST_READ_AHEAD, Math.floor(READ_AHEAD / sources.length));
  const cursors = await Promise.all(sources.map((source, i) => TermCursor.open(source, headers[i]!, readAhead)));
  const writer = new BlockWriter();
  const hand = async (): Promise<void> => {
    const blocks = writer.blocks.splice(0);
    if (blocks.length > 0) await sink?.(blocks, writer.directory.length - blocks.length);
  };
  const buffer = new PostingsBuffer();
  let postings = 0; // since the last turn of the event loop
  for (;;) {
    const term = leastTerm(cursors);
    if (term === undefined) break;
    if (postings >= POSTINGS_A_TURN) {
      postings = 0;
      await yieldToEventLoop();
    }
    writer.startTerm();
    for (let i = 0; i < cursors.length; i++) {
      const cursor = cursors[i]!;
      if (cursor.current?.term !== term) continue;
      const map = rows[i]!;
      postings += TERM_COST + cursor.current.count;
      buffer.length = 0;
      decodePostings(cursor.current.postings, cursor.current.count, map.length, 0, buffer);
      for (let p = 0; p < buffer.length; p++) {
        const row = map[buffer.rows[p]!]!;
        if (row !== DROPPED) writer.add(row, buffer.text[p]!, buffer.title[p]!, buffer.headings[p]!);
      }
      const loading = cursor.advance();
      if (loading !== undefined) await loading;
    }
    writer.endTerm(term);
    if (sink && writer.blocks.length > 0 && writer.blocks.reduce((sum, { bytes }) => sum + bytes.length, 0) > sinkBytes)
      await hand();
  }
  writer.finish();
  if (sink) await hand();
  return { data: { header: encodeHeader({ ...header, directory: writer.directory }), blocks: writer.blocks }, rows };
}

function renumber(
  sources: readonly MergeSource[],
  headers: readonly SegmentHeader[],
): { rows: Uint32Array[]; header: Omit<SegmentHeader, 'directory'> } {
  const documentRows: number[] = [];
  const textLengths: number[] = [];
  const titleLengths: number[] = [];
  const headingLengths: number[] = [];
  const rows = headers.map((header, i) => {
    const isLive = sources[i]!.isLive;
    const map = new Uint32Array(header.textLengths.length);
    let row = 0;
    for (const count of header.documentRows) {
      const before = textLengths.length;
      for (const end = row + count; row < end; row++) {
        if (isLive !== undefined && !isLive(row)) {
          map[row] = DROPPED;
          continue;
        }
        map[row] = textLengths.length;
        textLengths.push(header.textLengths[row]!);
        titleLengths.push(header.titleLengths[row]!);
        headingLengths.push(header.headingLengths[row]!);
      }
      if (textLengths.length > before) documentRows.push(textLengths.length - before);
    }
    return map;
  });
  return {
    rows,
    header: {
      documentRows: Uint32Array.from(documentRows),
      textLengths: Uint32Array.from(textLengths),
      titleLengths: Uint32Array.from(titleLengths),
      headingLengths: Uint32Array.from(headingLengths),
    },
  };
}

function leastTerm(cursors: readonly TermCursor[]): string | undefined {
  let least: string | undefined;
  for (const { current } of cursors) {
    if (current !== undefined && (least === undefined || current.term < least)) least = current.term;
  }
  return least;
}

/** Iterates over the dictionary of one stored segment. */
class TermCursor {
  current: BlockTerm | undefined;
  readonly #source: MergeSource;
  readonly #header: SegmentHeader;
  #terms: Iterator<BlockTerm, void, undefined> | undefined;
  #loaded: Uint8Array[] = [];
  #nextBlock = 0;
  readonly #readAhead: number;

  private constructor(source: MergeSource, header: SegmentHeader, readAhead: number) {
    this.#source = source;
    this.#header = header;
    this.#readAhead = readAhead;
  }

  static async open(source: MergeSource, header: SegmentHeader, readAhead: number): Promise<TermCursor> {
    const cursor = new TermCursor(source, header, readAhead);
    await cursor.advance();
    return cursor;
  }

  /** Moves to the next term. @returns a promise only when blocks must be read first */
  advance(): Promise<void> | undefined {
    for (;;) {
      const next = this.#terms?.next();
      if (next !== undefined && next.done !== true) {
        this.current = next.value;
        return undefined;
      }
      this.#terms = undefined;
      const block = this.#loaded.shift();
      if (block !== undefined) this.#terms = blockTerms(block);
      else if (this.#nextBlock < this.#header.directory.length) return this.#load();
      else {
        this.current = undefined;
        return undefined;
      }
    }
  }

  async #load(): Promise<void> {
    const directory = this.#header.directory;
    const first = this.#nextBlock;
    this.#nextBlock = Math.min(first + this.#readAhead, directory.length);
    const indices = Array.from({ length: this.#nextBlock - first }, (_, i) => first + i);
    const blocks = await this.#source.segment.readBlocks(indices);
    this.#loaded = blocks.map((bytes, i) => openBlock(bytes, directory[first + i]!));
    await this.advance();
  }
}
