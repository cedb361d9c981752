import type { EmbedChunk, EmbedDocument } from './contract.ts';
import { mix } from './random.ts';

/** The tokens of a text that carry meaning, in order; the same function must serve training, documents and queries. */
export type Analyse = (text: string) => readonly string[];

/** What training keeps of one chunk: term numbers of its set's dictionary. */
export interface TrainingChunk {
  readonly title: Uint32Array;
  readonly headings: Uint32Array;
  readonly text: Uint32Array;
  /** Where sentences end in `text`, ascending; the last is its length. */
  readonly sentenceEnds: Uint32Array;
}

export interface TrainingSetOptions {
  readonly analyse: Analyse;
  readonly seed: number;
  readonly maxChunks: number;
}

/** What stands above a chunk: its heading path and the context it was given. */
export function headingText({ headings, context }: EmbedChunk): string {
  return [...headings, context ?? ''].join('\n');
}

const sentenceBreak = /(?<=[.!?])\s+|(?<=[。！？।])|\n+/u;

/**
 * Decides which chunks of a stream of unknown length are in a uniform sample: those with the smallest hash of seed and
 * ordinal. It depends on nothing but the number of chunks.
 */
export class ChunkSampler {
  readonly #seed: number;
  readonly #maxChunks: number;
  #hashes: number[] = [];
  #below = 2 ** 32;

  constructor(seed: number, maxChunks: number) {
    this.#seed = seed;
    this.#maxChunks = maxChunks;
  }

  hash(ordinal: number): number {
    return mix(mix(ordinal) ^ this.#seed);
  }

  /** Whether the chunk may be in the sample; ordinals ascend. */
  accepts(ordinal: number): boolean {
    const hash = this.hash(ordinal);
    if (hash >= this.#below) return false;
    this.#hashes.push(hash);
    if (this.#hashes.length >= 2 * this.#maxChunks) {
      this.#hashes = this.#hashes.sort((a, b) => a - b).slice(0, this.#maxChunks);
      this.#below = this.#hashes.at(-1)! + 1;
    }
    return true;
  }
}

/**
 * A uniform sample of at most `maxChunks` of the chunks added to it. Only chunks that may be in it are analysed.
 *
 * Memory: 4 bytes for each token of at most twice `maxChunks` chunks, and the dictionary of the terms seen in chunks
 * that were in the sample at some time, `maxChunks · (1 + ln(chunks / maxChunks))` of them.
 */
export class TrainingSet {
  readonly #options: TrainingSetOptions;
  readonly #sampler: ChunkSampler;
  readonly #numbers = new Map<string, number>();
  #kept: { readonly hash: number; readonly ordinal: number; readonly chunk: TrainingChunk }[] = [];
  #seen = 0;

  constructor(options: TrainingSetOptions) {
    this.#options = options;
    this.#sampler = new ChunkSampler(options.seed, options.maxChunks);
  }

  /** One more than the largest ordinal so far. */
  get chunksSeen(): number {
    return this.#seen;
  }

  /** @param ordinals of the document's chunks, ascending; absent: they follow those added before */
  add(document: EmbedDocument, ordinals?: ArrayLike<number>): void {
    let title: Uint32Array | undefined;
    document.chunks.forEach((chunk, i) => {
      const ordinal = ordinals?.[i] ?? this.#seen;
      this.#seen = ordinal + 1;
      if (!this.#sampler.accepts(ordinal)) return;
      const hash = this.#sampler.hash(ordinal);
      title ??= this.#encode(document.title);
      const headings = this.#encode(headingText(chunk));
      this.#kept.push({ hash, ordinal, chunk: { title, headings, ...this.#encodeSentences(chunk.text) } });
      if (this.#kept.length >= 2 * this.#options.maxChunks) this.#thin();
    });
  }

  /** The sample in the order it was added, and the term of each number. */
  finish(): { readonly chunks: readonly TrainingChunk[]; readonly terms: readonly string[] } {
    this.#thin();
    return { chunks: this.#kept.map((k) => k.chunk), terms: [...this.#numbers.keys()] };
  }

  #thin(): void {
    const { maxChunks } = this.#options;
    if (this.#kept.length <= maxChunks) return;
    this.#kept.sort((a, b) => a.hash - b.hash || a.ordinal - b.ordinal);
    this.#kept = this.#kept.slice(0, maxChunks).sort((a, b) => a.ordinal - b.ordinal);
  }

  #encode(text: string): Uint32Array {
    return Uint32Array.from(this.#options.analyse(text), (term) => this.#number(term));
  }

  #encodeSentences(text: string): { text: Uint32Array; sentenceEnds: Uint32Array } {
    const tokens: number[] = [];
    const ends: number[] = [];
    for (const sentence of text.split(sentenceBreak)) {
      for (const term of this.#options.analyse(sentence)) tokens.push(this.#number(term));
      if (tokens.length > (ends.at(-1) ?? 0)) ends.push(tokens.length);
    }
    return { text: Uint32Array.from(tokens), sentenceEnds: Uint32Array.from(ends) };
  }

  #number(term: string): number {
    let number = this.#numbers.get(term);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(term, number);
    }
    return number;
  }
}
