import type { StoredChunk } from '../core/types.ts';
import { SizedCache } from '../lexical/lru.ts';
import type { ChunkRow, Snapshot } from '../store/contract.ts';
import { allWords } from '../text/analysis/analysis.ts';
import { nameOfTitle } from '../text/title-line.ts';
import { hashTerm } from './hash.ts';
import { TermHashes } from './term-hashes.ts';

/** Words met by any search of the process. */
const terms = new TermHashes();

/** A fetched chunk in the forms the second stage compares, each made when it is first asked for. */
export class AnalysedChunk {
  readonly #row: ChunkRow;
  #title: Uint32Array | undefined;
  #name: Uint32Array | undefined;
  #text: Uint32Array | undefined;
  #heading: Uint32Array | undefined;

  constructor(row: ChunkRow) {
    this.#row = row;
  }

  get chunk(): StoredChunk {
    return this.#row.chunk;
  }

  /** What its character n-grams are taken from. */
  get titleAndText(): string {
    return `${this.#row.title} ${this.#row.text}`;
  }

  /** Hashes of the title's terms, in order. */
  get title(): Uint32Array {
    this.#title ??= terms.of(this.#row.title);
    return this.#title;
  }

  /** Hashes of the terms of what the title calls its page, in order. */
  get name(): Uint32Array {
    this.#name ??= terms.of(nameOfTitle(this.#row.title));
    return this.#name;
  }

  /** Hashes of the text's terms, in order. */
  get text(): Uint32Array {
    this.#text ??= terms.of(this.#row.text);
    return this.#text;
  }

  /** Hashes of the innermost heading's distinct words, function words included. */
  get heading(): Uint32Array {
    this.#heading ??= Uint32Array.from(new Set(allWords(this.#row.headings.at(-1) ?? '')), hashTerm);
    return this.#heading;
  }

  /** An upper bound of its memory, in bytes. */
  get size(): number {
    return 1000 + 3 * this.#row.text.length;
  }
}

const CACHE_BYTES = 64 * 2 ** 20;

/** Chunks of a snapshot, fetched and analysed once while they fit in memory; a later snapshot keeps those it has. */
export class ChunkCache {
  static readonly #ofRows = new WeakMap<object, SizedCache<number, AnalysedChunk>>();
  readonly #snapshot: Snapshot;
  readonly #chunks: SizedCache<number, AnalysedChunk>;

  private constructor(snapshot: Snapshot, chunks: SizedCache<number, AnalysedChunk>) {
    this.#snapshot = snapshot;
    this.#chunks = chunks;
  }

  static of(snapshot: Snapshot): ChunkCache {
    const rows = snapshot.rowMemory ?? snapshot;
    let chunks = ChunkCache.#ofRows.get(rows);
    if (chunks === undefined) {
      chunks = new SizedCache(snapshot.cacheBytes ?? CACHE_BYTES);
      ChunkCache.#ofRows.set(rows, chunks);
    }
    return new ChunkCache(snapshot, chunks);
  }

  /** In the order asked for. */
  async get(ordinals: readonly number[]): Promise<AnalysedChunk[]> {
    const found = ordinals.map((ordinal) => this.#chunks.get(ordinal));
    const missing = ordinals.filter((_, i) => found[i] === undefined);
    if (missing.length > 0) {
      const fetched = await this.#snapshot.rowsAt(missing);
      let next = 0;
      for (let i = 0; i < ordinals.length; i++) {
        if (found[i] !== undefined) continue;
        const analysed = new AnalysedChunk(fetched[next++]!);
        found[i] = analysed;
        this.#chunks.set(ordinals[i]!, analysed, analysed.size);
      }
    }
    return found as AnalysedChunk[]; // every hole was filled above
  }
}
