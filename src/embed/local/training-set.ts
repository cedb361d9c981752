import type { EmbedChunk, EmbedDocument } from '../contract.ts';
import { mix } from './random.ts';
import { TermTable } from './term-table.ts';

/**
 * The keys (`termKey`) of a text's content tokens, in order; read before the next call. Training, documents and queries
 * must have the same tokens.
 */
type KeysOf = (text: string) => ArrayLike<number>;

/** One chunk in the training: the term numbers of its title, its headings and its text, one after the other. */
export interface TrainingChunk {
  /** Number of its document; the chunks of a document are consecutive. */
  readonly document: number;
  readonly tokens: Uint32Array;
  readonly titleEnd: number;
  readonly headingsEnd: number;
  /** Ends of the text's sentences in `tokens`, ascending. */
  readonly sentenceEnds: Uint32Array;
}

interface TrainingSetOptions {
  readonly keysOf: KeysOf;
  readonly seed: number;
  readonly maxChunks: number;
}

/** The heading path of a chunk. */
export function headingText({ headings }: EmbedChunk): string {
  return headings.join('\n');
}

const sentenceBreak = /(?<=[.!?])\s+|(?<=[。！？।])|\n+/u;

/**
 * Chooses a uniform sample from a stream of unknown length: the chunks with the smallest hash of seed and ordinal. The
 * choice depends only on seed and number of chunks.
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

  /** True when the chunk may be in the sample; ordinals must ascend. */
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
 * The chunks with their documents sorted by two hashes of all their terms; documents with equal hashes keep their
 * order.
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

/** Maximum size of the kept chunks, as a multiple of the sample, before the surplus is removed. */
const slack = 1.25;

/**
 * A uniform sample of at most `maxChunks` of the added chunks. Only chunks that may be in the sample are analysed.
 * Memory: 4 bytes for each token and sentence of at most 1.25 · `maxChunks` chunks, and no strings.
 */
export class TrainingSet {
  readonly #options: TrainingSetOptions;
  readonly #sampler: ChunkSampler;
  #kept: { readonly hash: number; readonly ordinal: number; readonly chunk: TrainingChunk }[] = [];
  #seen = 0;
  #documents = 0;
  /** Of the chunk that is being encoded. */
  #tokens = new Uint32Array(1024);
  #length = 0;

  constructor(options: TrainingSetOptions) {
    this.#options = options;
    this.#sampler = new ChunkSampler(options.seed, options.maxChunks);
  }

  /** One more than the largest ordinal so far. */
  get chunksSeen(): number {
    return this.#seen;
  }

  /** @param ordinals of the document's chunks, ascending; absent: they follow the chunks added before */
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
   * The sample with numbered terms, and the keys of the terms. Documents are sorted by content, so that the model does
   * not depend on the order of a folder's files; `added` has the chunks in the order of their ordinals. The set cannot
   * be used again.
   */
  finish(): {
    readonly chunks: readonly TrainingChunk[];
    readonly keys: Uint32Array;
    readonly added: readonly { readonly ordinal: number; readonly chunk: TrainingChunk }[];
  } {
    this.#thin();
    const table = new TermTable(100_000);
    const added = this.#kept;
    const chunks = byContent(added.map((k) => k.chunk));
    this.#kept = [];
    for (const { tokens } of chunks) for (let i = 0; i < tokens.length; i++) tokens[i] = table.add(tokens[i]!);
    return { chunks, keys: table.keys(), added };
  }

  #thin(): void {
    const { maxChunks } = this.#options;
    if (this.#kept.length <= maxChunks) return;
    this.#kept.sort((a, b) => a.hash - b.hash || a.ordinal - b.ordinal);
    this.#kept = this.#kept.slice(0, maxChunks).sort((a, b) => a.ordinal - b.ordinal);
  }

  #encode(title: string, chunk: EmbedChunk): TrainingChunk {
    this.#length = 0;
    const titleEnd = this.#append(title);
    const headingsEnd = this.#append(headingText(chunk));
    const ends: number[] = [];
    for (const sentence of chunk.text.split(sentenceBreak)) {
      const before = this.#length;
      const end = this.#append(sentence);
      if (end > before) ends.push(end);
    }
    return {
      document: this.#documents,
      tokens: this.#tokens.slice(0, this.#length),
      titleEnd,
      headingsEnd,
      sentenceEnds: Uint32Array.from(ends),
    };
  }

  /** @returns the number of tokens so far */
  #append(text: string): number {
    const keys = this.#options.keysOf(text);
    if (this.#length + keys.length > this.#tokens.length) {
      const larger = new Uint32Array(2 * (this.#length + keys.length));
      larger.set(this.#tokens);
      this.#tokens = larger;
    }
    this.#tokens.set(keys, this.#length);
    this.#length += keys.length;
    return this.#length;
  }
}
