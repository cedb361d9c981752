import type { StoredChunk } from '../core/types.ts';
import { SizedCache } from '../lexical/lru.ts';
import type { Snapshot } from '../store/contract.ts';
import { allWords, documentTokens } from '../text/analysis.ts';
import { gramText } from './grams.ts';
import { hashTerm } from './hash.ts';

/** A fetched chunk in the forms the second stage compares. */
export interface AnalysedChunk {
  readonly chunk: StoredChunk;
  /** Hashes of the title's terms, in order. */
  readonly title: Uint32Array;
  /** Hashes of the text's terms, in order. */
  readonly text: Uint32Array;
  /** Hashes of the innermost heading's distinct words, function words included. */
  readonly heading: Uint32Array;
  /** Title and text, ready for character n-grams. */
  readonly grams: string;
}

const CACHE_BYTES = 96 * 2 ** 20;

/** Chunks of one snapshot, fetched and analysed once while they fit in memory. */
export class ChunkCache {
  static readonly #ofSnapshot = new WeakMap<Snapshot, ChunkCache>();
  readonly #snapshot: Snapshot;
  readonly #chunks = new SizedCache<number, AnalysedChunk>(CACHE_BYTES);

  private constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  static of(snapshot: Snapshot): ChunkCache {
    let cache = ChunkCache.#ofSnapshot.get(snapshot);
    if (cache === undefined) {
      cache = new ChunkCache(snapshot);
      ChunkCache.#ofSnapshot.set(snapshot, cache);
    }
    return cache;
  }

  /** In the order asked for. */
  async get(ordinals: readonly number[]): Promise<AnalysedChunk[]> {
    const found = ordinals.map((ordinal) => this.#chunks.get(ordinal));
    const missing = ordinals.filter((_, i) => found[i] === undefined);
    if (missing.length > 0) {
      const fetched = await this.#snapshot.fetch(missing);
      let next = 0;
      for (let i = 0; i < ordinals.length; i++) {
        if (found[i] !== undefined) continue;
        const analysed = analyse(fetched[next++]!);
        found[i] = analysed;
        this.#chunks.set(ordinals[i]!, analysed, sizeOf(analysed));
      }
    }
    return found as AnalysedChunk[]; // every hole was filled above
  }
}

function analyse(chunk: StoredChunk): AnalysedChunk {
  return {
    chunk,
    title: Uint32Array.from(documentTokens(chunk.title), hashTerm),
    text: Uint32Array.from(documentTokens(chunk.text), hashTerm),
    heading: Uint32Array.from(new Set(allWords(chunk.headings.at(-1) ?? '')), hashTerm),
    grams: gramText(`${chunk.title} ${chunk.text}`),
  };
}

function sizeOf({ chunk, title, text, grams }: AnalysedChunk): number {
  return 1000 + 2 * (chunk.text.length + grams.length) + 4 * (title.length + text.length);
}
