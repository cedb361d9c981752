import type { EmbedChunk, EmbedDocument } from '../contract.ts';
import { mix } from './random.ts';
import { TermTable, termKey } from './term-table.ts';

/** The tokens of a text that carry meaning, in order; the same function must serve training, documents and queries. */
export type Analyse = (text: string) => readonly string[];

/** What training keeps of one chunk: the term numbers of its title, its headings and its text, one after the other. */
export interface TrainingChunk {
  /** Which document it is of; the chunks of a document follow each other. */
  readonly document: number;
  readonly tokens: Uint32Array;
  readonly titleEnd: number;
  readonly headingsEnd: number;
  /** Where the sentences of the text end in `tokens`, ascending. */
  readonly sentenceEnds: Uint32Array;
}

export interface TrainingSetOptions {
  readonly analyse: Analyse;
  readonly seed: number;
  readonly maxChunks: number;
}

/** The heading path above a chunk. */
export function headingText({ headings }: EmbedChunk): string {
  return headings.join('\n');
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
    if (this.#hashes.length >= slack * this.#maxChunks) {
      this.#hashes = this.#hashes.sort((a, b) => a - b).slice(0, this.#maxChunks);
      this.#below = this.#hashes.at(-1)! + 1;
    }
    return true;
  }
}

/**
 * The chunks with their documents sorted by two hashes of all their terms; equal documents keep their order, which
 * nothing can tell.
 */
function byContent(chunks: readonly TrainingChunk[]): TrainingChunk[] {
  const documents: { readonly hashes: readonly [number, number]; readonly chunks: TrainingChunk[] }[] = [];
  for (let from = 0; from < chunks.length; ) {
    let end = from + 1;
    while (end < chunks.length && chunks[end]!.document === chunks[from]!.document) end++;
    const own = chunks.slice(from, end);
    documents.push({ hashes: [contentHash(own, 1), contentHash(own, 2)], chunks: own });
    from = end;
  }
  documents.sort((a, b) => a.hashes[0] - b.hashes[0] || a.hashes[1] - b.hashes[1]);
  return documents.flatMap((document) => document.chunks);
}

function contentHash(chunks: readonly TrainingChunk[], seed: number): number {
  let hash = mix(seed);
  for (const { tokens, titleEnd, headingsEnd, sentenceEnds } of chunks) {
    for (const key of tokens) hash = mix(hash ^ key);
    for (const end of [titleEnd, headingsEnd, ...sentenceEnds]) hash = mix(hash ^ end);
  }
  return hash;
}

/** Chunks beyond the sample, as a share of it, that are kept until the next sorting out. */
const slack = 1.25;

/**
 * A uniform sample of at most `maxChunks` of the chunks added to it. Only chunks that may be in it are analysed.
 * Memory: 4 bytes for each token and sentence of at most 1.25 · `maxChunks` chunks, and no strings.
 */
export class TrainingSet {
  readonly #options: TrainingSetOptions;
  readonly #sampler: ChunkSampler;
  #kept: { readonly hash: number; readonly ordinal: number; readonly chunk: TrainingChunk }[] = [];
  #seen = 0;
  #documents = 0;

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
    this.#documents++;
    document.chunks.forEach((chunk, i) => {
      const ordinal = ordinals?.[i] ?? this.#seen;
      this.#seen = ordinal + 1;
      if (!this.#sampler.accepts(ordinal)) return;
      this.#kept.push({ hash: this.#sampler.hash(ordinal), ordinal, chunk: this.#encode(document.title, chunk) });
      if (this.#kept.length >= slack * this.#options.maxChunks) this.#thin();
    });
  }

  /**
   * The sample, its terms numbered, and their keys. Documents stand in an order of their content's, whatever the order
   * they were added in: what is learnt from them must not hang on how a folder was walked. The set is used up.
   */
  finish(): { readonly chunks: readonly TrainingChunk[]; readonly keys: Uint32Array } {
    this.#thin();
    const table = new TermTable(100_000);
    const chunks = byContent(this.#kept.map((k) => k.chunk));
    this.#kept = [];
    for (const { tokens } of chunks) for (let i = 0; i < tokens.length; i++) tokens[i] = table.add(tokens[i]!);
    return { chunks, keys: table.keys() };
  }

  #thin(): void {
    const { maxChunks } = this.#options;
    if (this.#kept.length <= maxChunks) return;
    this.#kept.sort((a, b) => a.hash - b.hash || a.ordinal - b.ordinal);
    this.#kept = this.#kept.slice(0, maxChunks).sort((a, b) => a.ordinal - b.ordinal);
  }

  #encode(title: string, chunk: EmbedChunk): TrainingChunk {
    const { analyse } = this.#options;
    const keys = Array.from(analyse(title), termKey);
    const titleEnd = keys.length;
    for (const term of analyse(headingText(chunk))) keys.push(termKey(term));
    const headingsEnd = keys.length;
    const ends: number[] = [];
    for (const sentence of chunk.text.split(sentenceBreak)) {
      const before = keys.length;
      for (const term of analyse(sentence)) keys.push(termKey(term));
      if (keys.length > before) ends.push(keys.length);
    }
    return {
      document: this.#documents,
      tokens: Uint32Array.from(keys),
      titleEnd,
      headingsEnd,
      sentenceEnds: Uint32Array.from(ends),
    };
  }
}
