import type { EmbedDocument } from './contract.ts';
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

const sentenceBreak = /(?<=[.!?])\s+|(?<=[。！？।])|\n+/u;

/**
 * A uniform sample of the chunks added to it, at most `maxChunks`: those with the smallest hash of seed and ordinal, so
 * it depends on nothing but the order of chunks. Only sampled chunks are analysed.
 *
 * Memory: 4 bytes for each token of at most twice `maxChunks` chunks, and the dictionary of the terms seen in chunks
 * that were in the sample at some time, `maxChunks · (1 + ln(chunks / maxChunks))` of them.
 */
export class TrainingSet {
  readonly #options: TrainingSetOptions;
  readonly #numbers = new Map<string, number>();
  #kept: { readonly hash: number; readonly ordinal: number; readonly chunk: TrainingChunk }[] = [];
  #below = 2 ** 32;
  #seen = 0;

  constructor(options: TrainingSetOptions) {
    this.#options = options;
  }

  /** How many chunks were added, sampled or not. */
  get chunksSeen(): number {
    return this.#seen;
  }

  add(document: EmbedDocument): void {
    let title: Uint32Array | undefined;
    for (const chunk of document.chunks) {
      const ordinal = this.#seen++;
      const hash = mix(mix(ordinal) ^ this.#options.seed);
      if (hash >= this.#below) continue;
      title ??= this.#encode(document.title);
      const headings = this.#encode(chunk.headings.join('\n'));
      this.#kept.push({ hash, ordinal, chunk: { title, headings, ...this.#encodeSentences(chunk.text) } });
      if (this.#kept.length >= 2 * this.#options.maxChunks) this.#thin();
    }
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
    this.#below = this.#kept[maxChunks]!.hash;
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
