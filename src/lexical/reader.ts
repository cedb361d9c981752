import type { CallOptions } from '../core/types.ts';
import { BlockCache } from './block-cache.ts';
import { blockOf, blocksFrom, eachTermFrom, findTerm } from './blocks.ts';
import { ByteReader } from './bytes.ts';
import type { SegmentSource, TermPostings } from './contract.ts';
import { type FoundPostings, joined, keptSkipTables } from './found-postings.ts';
import { decodeHeader, type SegmentHeader } from './header.ts';
import { SizedCache } from './lru.ts';
import { decodePostings, PostingsBuffer } from './postings.ts';
import { copyColumns, copyHeader, emptyColumns, LiveSums } from './row-columns.ts';
import { COMMON_FROM, type SkipTable } from './skip-table.ts';
import { countOf, SkippedPostings, sizeOf } from './skipped-postings.ts';

export interface LexicalReaderOptions {
  /** Bound of the cache of blocks, in bytes. @default 33554432 */
  readonly blockCacheBytes?: number | undefined;
  /** Bound of the cache of decoded postings, in bytes. @default 33554432 */
  readonly postingsCacheBytes?: number | undefined;
  /** A term with at least so many postings is not decoded as a whole. @default 8192 */
  readonly commonFrom?: number | undefined;
}

/** The parts of a segment header that the arrays of the reader do not hold. */
interface OpenSegment
  extends Pick<SegmentSource, 'base' | 'readBlocks' | 'readInflated' | 'readSkipTables'>,
    Pick<SegmentHeader, 'directory'> {
  readonly rows: number;
}

/** A reader whose ordinals begin at `base` in a united one. */
interface UnitedReader {
  readonly base: number;
  readonly rows: number;
  readonly reader: LexicalReader;
}

const ENTRY_BYTES = 200;
/** Decoded dictionaries may take this part of what the blocks may. */
const DICTIONARY_SHARE = 8;
/** Of a term in a dictionary, with its entry in the map. */
const DICTIONARY_ENTRY_BYTES = 80;

/**
 * All segments of a snapshot as one inverted index over its ordinals. Statistics count live rows only: scores depend
 * neither on how rows are spread over segments nor on deleted rows that still wait for a merge.
 */
export class LexicalReader {
  /** All ordinals are less than this. Some may be dead or belong to no segment. */
  readonly rows: number;
  readonly liveRows: number;
  /** Rows below this count in the statistics. Less than `rows` only in a reader made by `extended`. */
  readonly counted: number;
  /** Tokens of the text, title and heading path of each row, by ordinal; dead rows included. */
  readonly textLengths: Uint32Array;
  readonly titleLengths: Uint32Array;
  readonly headingLengths: Uint32Array;
  /** First ordinal, and one past the last, of the document of each ordinal. */
  readonly documentFirst: Uint32Array;
  readonly documentEnd: Uint32Array;
  /** Means over live rows; 0 without live rows. */
  readonly averageTextLength: number;
  readonly averageTitleLength: number;
  readonly averageHeadingLength: number;
  readonly #segments: readonly OpenSegment[];
  readonly #isLive: (ordinal: number) => boolean;
  readonly #blocks: BlockCache;
  readonly #postings: SizedCache<string, TermPostings>;
  /** Of `termsFrom`, by what the terms begin with: the words of a query that nothing holds are many, their letters few. */
  readonly #dictionaries: SizedCache<string, ReadonlyMap<string, number>>;
  readonly #commonFrom: number;
  /** Whether all rows of a segment are live and make the statistics, by number, once somebody has asked. */
  readonly #whole: boolean[] = [];
  /** The reader whose rows come before those of the segments. */
  readonly #below: LexicalReader | undefined;
  /** True for a reader made by `restricted`: rows beside its own must not show, not even in the order of its terms. */
  readonly isRestricted: boolean;

  /** Several readers as one: the rows of each begin at its base. No data is read or decoded again. */
  static united(parts: readonly UnitedReader[], options: LexicalReaderOptions = {}): LexicalReader {
    const last = parts.at(-1);
    const live = new Uint8Array(last ? last.base + last.rows : 0);
    for (const { base, rows, reader } of parts)
      for (let row = 0; row < rows; row++) if (reader.isLive(row)) live[base + row] = 1;
    return new LexicalReader([], (ordinal) => live[ordinal] === 1, options, undefined, undefined, parts);
  }

  private constructor(
    segments: readonly SegmentSource[],
    isLive: (ordinal: number) => boolean,
    {
      blockCacheBytes = 32 * 2 ** 20,
      postingsCacheBytes = 32 * 2 ** 20,
      commonFrom = COMMON_FROM,
    }: LexicalReaderOptions,
    below?: { readonly reader: LexicalReader; readonly decides: boolean },
    whole?: LexicalReader,
    parts: readonly UnitedReader[] = [],
  ) {
    this.#below = whole ? whole.#below : below?.reader;
    this.isRestricted = whole !== undefined || below?.reader.isRestricted === true;
    const opened = segments
      .map((source) => ({ source, header: decodeHeader(source.header) }))
      .sort((a, b) => a.source.base - b.source.base);
    const united = parts.flatMap(({ base, reader }) =>
      reader.#segments.map((segment) => ({ ...segment, base: base + segment.base })),
    );
    const own = opened.map(({ source, header: { directory, textLengths } }) => {
      const { base, readBlocks, readInflated, readSkipTables } = source;
      return { base, readBlocks, readInflated, readSkipTables, directory, rows: textLengths.length };
    });
    this.#segments = whole ? whole.#segments : [...united, ...own];
    this.#isLive = isLive;
    this.#blocks = whole ? whole.#blocks : new BlockCache(blockCacheBytes);
    this.#postings = new SizedCache(postingsCacheBytes);
    this.#dictionaries = whole ? whole.#dictionaries : new SizedCache(blockCacheBytes / DICTIONARY_SHARE);
    this.#commonFrom = commonFrom;
    this.rows = this.#segments.reduce(
      (end, segment) => Math.max(end, segment.base + segment.rows),
      this.#below?.rows ?? 0,
    );
    this.counted = below?.decides ? below.reader.rows : this.rows;
    const columns = whole ?? emptyColumns(this.rows);
    this.textLengths = columns.textLengths;
    this.titleLengths = columns.titleLengths;
    this.headingLengths = columns.headingLengths;
    this.documentFirst = columns.documentFirst;
    this.documentEnd = columns.documentEnd;
    const sums = new LiveSums();
    if (below) {
      copyColumns(columns, below.reader, 0);
      sums.addMeans(below.reader);
    }
    for (const { base, reader } of parts) {
      copyColumns(columns, reader, base);
      sums.addWholeMeans(reader);
    }
    for (const { source, header } of opened) {
      const { base } = source;
      copyHeader(columns, header, base);
      const end = Math.min(base + header.textLengths.length, this.counted);
      for (let row = base; row < end; row++) if (isLive(row)) sums.add(columns, row);
    }
    for (let row = 0; whole && row < this.rows; row++) if (isLive(row)) sums.add(columns, row);
    this.liveRows = sums.rows;
    this.averageTextLength = sums.mean(sums.text);
    this.averageTitleLength = sums.mean(sums.title);
    this.averageHeadingLength = sums.mean(sums.headings);
  }

  /**
   * @param segments their ranges of ordinals do not overlap
   * @throws IbidError INDEX_DAMAGED when a header cannot be read
   */
  static open(
    segments: readonly SegmentSource[],
    isLive: (ordinal: number) => boolean,
    options: LexicalReaderOptions = {},
  ): LexicalReader {
    return new LexicalReader(segments, isLive, options);
  }

  /**
   * This reader with further rows at the end, such as passages for one query. No data is read or decoded again.
   * @param segments begin at `rows` or later; all their rows are live
   * @param decides whether the statistics stay those of this reader: rows found by their words would distort them
   */
  extended(segments: readonly SegmentSource[], { decides }: { readonly decides: boolean }): LexicalReader {
    const own = this.rows;
    return new LexicalReader(
      segments,
      (ordinal) => ordinal >= own || this.isLive(ordinal),
      {},
      { reader: this, decides },
    );
  }

  /**
   * This reader as if it held the given rows alone: all statistics are theirs. No data is read or decoded again.
   * @param rows whole documents, so that the rows around a row are among them
   */
  restricted(rows: { has(ordinal: number): boolean }, options: LexicalReaderOptions = {}): LexicalReader {
    const isIn = (ordinal: number): boolean => this.isLive(ordinal) && rows.has(ordinal);
    return new LexicalReader([], isIn, options, undefined, this);
  }

  isLive(ordinal: number): boolean {
    return this.#isLive(ordinal);
  }

  /** `[first, end)`: the ordinals of the document that contains `ordinal`. */
  documentRange(ordinal: number): readonly [first: number, end: number] {
    return [this.documentFirst[ordinal] ?? 0, this.documentEnd[ordinal] ?? 0];
  }

  /**
   * Postings of each term, in the order of `terms`; empty arrays for a term without live rows. The arrays are shared:
   * do not write to them.
   * @throws IbidError INDEX_DAMAGED when a block or its postings cannot be read
   */
  async terms(terms: readonly string[], { signal }: CallOptions = {}): Promise<TermPostings[]> {
    const found = new Map<string, TermPostings>();
    const missing: string[] = [];
    for (const term of new Set(terms)) {
      const known = this.#postings.get(term);
      if (known === undefined) missing.push(term);
      else found.set(term, known);
    }
    if (missing.length > 0) {
      signal?.throwIfAborted();
      const [below, entries] = await Promise.all([
        this.#below?.terms(missing, { signal }),
        Promise.all(this.#segments.map((_, i) => this.#find(i, missing))),
      ]);
      const ofTerm = missing.map((_, t) => entries.flatMap((ofSegment) => ofSegment[t] ?? []));
      const tables = await keptSkipTables(this.#segments, ofTerm.filter((ofOne) => this.#isCommon(ofOne)).flat());
      signal?.throwIfAborted();
      for (let t = 0; t < missing.length; t++) {
        const own = this.#decode(missing[t]!, ofTerm[t]!, tables);
        const postings = below ? joined(below[t]!, own) : own;
        this.#postings.set(postings.term, postings, sizeOf(postings) + ENTRY_BYTES);
        found.set(postings.term, postings);
      }
    }
    return terms.map((term) => found.get(term)!);
  }

  /** Live rows that hold each term. */
  async counts(terms: readonly string[], options: CallOptions = {}): Promise<readonly number[]> {
    return (await this.terms(terms, options)).map(countOf);
  }

  /**
   * The terms that begin with `start`, each with the number of its postings, dead rows included. The map is shared.
   * @param mostBlocks undefined comes back where more blocks would have to be read
   */
  async termsFrom(
    start: string,
    mostBlocks: number,
    { signal }: CallOptions = {},
  ): Promise<ReadonlyMap<string, number> | undefined> {
    const below = this.#below ? await this.#below.termsFrom(start, mostBlocks, { signal }) : new Map<string, number>();
    const ranges = this.#segments.map((segment) => blocksFrom(segment, start));
    if (!below || ranges.reduce((sum, blocks) => sum + blocks.length, 0) > mostBlocks) return undefined;
    const known = this.#dictionaries.get(start);
    if (known) return known;
    const opened = await Promise.all(this.#segments.map((segment, i) => this.#blocks.open(segment, i, ranges[i]!)));
    signal?.throwIfAborted();
    const found = new Map(below);
    const utf8 = new TextEncoder().encode(start);
    let units = 0;
    for (const blocks of opened) {
      for (const bytes of blocks.values()) {
        eachTermFrom(bytes, utf8, (term, count) => {
          found.set(term, (found.get(term) ?? 0) + count);
          units += term.length;
        });
      }
    }
    this.#dictionaries.set(start, found, units + found.size * DICTIONARY_ENTRY_BYTES);
    return found;
  }

  /** The postings of each term in a segment; undefined where it has none. */
  async #find(number: number, terms: readonly string[]): Promise<(FoundPostings | undefined)[]> {
    const segment = this.#segments[number]!;
    const wanted = terms.map((term) => blockOf(segment, term));
    const loaded = await this.#blocks.open(segment, number, new Set(wanted));
    const encoder = new TextEncoder();
    return wanted.map((block, t) => {
      const bytes = loaded.get(block);
      const found = bytes && findTerm(bytes, encoder.encode(terms[t]!));
      return found && { segment: number, block, ...found };
    });
  }

  #isWhole(number: number): boolean {
    let whole = this.#whole[number];
    if (whole === undefined) {
      const { base, rows } = this.#segments[number]!;
      whole = base + rows <= this.counted;
      for (let row = base; whole && row < base + rows; row++) whole = this.#isLive(row);
      this.#whole[number] = whole;
    }
    return whole;
  }

  /** Postings at most: exact unless rows are dead. */
  #most(found: readonly FoundPostings[]): number {
    return found.reduce((sum, { segment, count }) => sum + Math.min(count, this.#segments[segment]!.rows), 0);
  }

  #isCommon(found: readonly FoundPostings[]): boolean {
    return this.#most(found) >= this.#commonFrom;
  }

  #decode(term: string, found: readonly FoundPostings[], tables: ReadonlyMap<FoundPostings, SkipTable>): TermPostings {
    if (this.#isCommon(found)) {
      const stored = found.map((one) => {
        const { base, rows } = this.#segments[one.segment]!;
        const table = tables.get(one);
        const isWhole = table !== undefined && this.#isWhole(one.segment);
        const postings = new ByteReader(one.postings.bytes.slice()); // a view would keep its block
        return { base, rows, count: one.count, postings, table, isWhole };
      });
      return new SkippedPostings(term, stored, this.#isLive, this);
    }
    // Postings of a common word take megabytes, and growth would leave as much garbage.
    const buffer = new PostingsBuffer(this.#most(found));
    for (const { segment, postings, count } of found) {
      const { base, rows } = this.#segments[segment]!;
      decodePostings(postings, count, rows, base, buffer, (row) => this.#isLive(base + row));
    }
    const fitting = <T extends Uint16Array | Uint32Array>(array: T): T =>
      array.length === buffer.length ? array : (array.slice(0, buffer.length) as T);
    return {
      term,
      ordinals: fitting(buffer.rows),
      text: fitting(buffer.text),
      title: fitting(buffer.title),
      headings: fitting(buffer.headings),
    };
  }
}
