import { Kernels, type SparseRow } from '../../vector/float-kernels.ts';
import type { EmbedDocument } from '../contract.ts';
import { Composer } from './compose.ts';
import { decodeModel, encodeModel } from './model.ts';
import { type CodeBits, magnitude, packedBytes, packVector } from './quantise.ts';
import { sharpen, sharpenBytes } from './sharpen.ts';
import { dominantRows, spreadColumns, subspaceBytes } from './subspace.ts';
import { termKey } from './term-table.ts';
import { TermValues } from './term-values.ts';
import { TrainingSet } from './training-set.ts';
import { BagMemory, buildVocabulary, numbersOf, type Vocabulary, weighBag } from './vocabulary.ts';

export interface LocalTrainingSettings {
  readonly seed: number;
  /** A multiple of 32. */
  readonly dimensions: number;
  readonly maxVocabulary: number;
  readonly maxChunks: number;
  /** Sharpen the vectors on pairs of texts that belong together. */
  readonly sharpen: boolean;
}

export interface TrainedModel {
  readonly model: Uint8Array<ArrayBuffer>;
  readonly sample?: EmbeddedSample | undefined;
}

/**
 * The vectors of the sample, chunk after chunk. Those of a document are what an embedder makes where all its chunks are
 * in the sample.
 */
export interface EmbeddedSample {
  /** Ascending. */
  readonly ordinals: Uint32Array<ArrayBuffer>;
  readonly vectors: Int8Array<ArrayBuffer>;
}

/**
 * Power iterations of the subspace search. One finds the strong directions; after three the weak directions also depend
 * on the matrix and not on the random start, which ranks slightly better.
 */
const iterations = 3;
/** A term in only one chunk is near to no other chunk. */
const minChunks = 2;
/** Bits per component by the number of chunks with the term. Most terms are rare, so few bits save most there. */
const bitsFor = (chunks: number): CodeBits => (chunks <= 5 ? 1 : chunks <= 100 ? 2 : 4);
/**
 * Maximum rank as a share of the chunks and of the terms: more directions would separate every chunk and term from all
 * others.
 */
const chunkShare = 0.6;
const termShare = 0.25;

/** Collects a sample of a corpus and trains a model on it, synchronously: the worker's part of `createLocalTrainer`. */
export class ModelTraining {
  readonly #settings: LocalTrainingSettings;
  readonly #set: TrainingSet;

  constructor(settings: LocalTrainingSettings) {
    this.#settings = settings;
    const keys = new TermValues(termKey);
    const { seed, maxChunks } = settings;
    this.#set = new TrainingSet({ keysOf: (text) => keys.of(text), seed, maxChunks });
  }

  /** @param ordinals of the chunks in the corpus; absent: they follow the chunks added before */
  add(document: EmbedDocument, ordinals?: ArrayLike<number>): void {
    this.#set.add(document, ordinals);
  }

  /**
   * @param chunksSeen chunks of the whole corpus
   * @param embeds whether the sample is embedded with the model, without being analysed again
   */
  finish(chunksSeen: number, embeds: boolean): TrainedModel {
    const { seed, dimensions, maxVocabulary, maxChunks } = this.#settings;
    const { chunks, keys, added } = this.#set.finish();
    const vocabulary = buildVocabulary(chunks, keys, { minChunks, maxTerms: maxVocabulary });
    const { weight, unknownShare } = vocabulary;
    const vectors = trainVectors(chunks, vocabulary, this.#settings);
    const factor = new Float32Array(weight.length);
    const bits = Array.from(vocabulary.chunksWith, bitsFor);
    const codes = new Uint8Array(bits.reduce((sum, b) => sum + packedBytes(dimensions, b), 0));
    let at = 0;
    bits.forEach((b, term) => {
      const vector = vectors.subarray(term * dimensions, (term + 1) * dimensions);
      const size = magnitude(vector);
      factor[term] = weight[term]! * size;
      packVector(vector, size, b, codes, at);
      at += packedBytes(dimensions, b);
    });
    const header = { dimensions, seed, chunksSeen, trainedOnChunks: chunks.length, maxChunks, unknownShare };
    const model = encodeModel(header, vocabulary.keys, factor, bits, codes);
    return embeds ? { model, sample: embedSample(model, added, vocabulary) } : { model };
  }
}

/** Documents with about this many chunks are embedded at a time. */
const chunksAtOnce = 1024;

function embedSample(
  model: Uint8Array,
  added: ReturnType<TrainingSet['finish']>['added'],
  vocabulary: Vocabulary,
): EmbeddedSample {
  const composer = new Composer(decodeModel(model));
  const vectors = new Int8Array(added.length * composer.dimensions);
  let documents: Uint32Array[][] = [];
  let from = 0;
  added.forEach(({ chunk }, i) => {
    const isNext = i > 0 && chunk.document !== added[i - 1]!.chunk.document;
    if (isNext && i - from >= chunksAtOnce) {
      vectors.set(composer.numbered(documents), from * composer.dimensions);
      documents = [];
      from = i;
    }
    if (isNext || i === 0) documents.push([]);
    documents.at(-1)!.push(numbersOf(chunk, vocabulary));
  });
  vectors.set(composer.numbered(documents), from * composer.dimensions);
  return { ordinals: Uint32Array.from(added, ({ ordinal }) => ordinal), vectors };
}

/** One row of `dimensions` floats for each term of the vocabulary. */
function trainVectors(
  chunks: ReturnType<TrainingSet['finish']>['chunks'],
  vocabulary: Vocabulary,
  { dimensions, seed, sharpen: sharpened }: LocalTrainingSettings,
): Float32Array {
  const { keys, weight } = vocabulary;
  const numbered = chunks.map((chunk) => ({ ...chunk, tokens: numbersOf(chunk, vocabulary) }));
  const memory = new BagMemory();
  const bags: SparseRow[] = numbered.map(({ tokens }) => weighBag(tokens, weight, memory));
  const entries = bags.reduce((sum, bag) => sum + bag.terms.length, 0);
  const k = new Kernels();
  k.reserve(subspaceBytes(bags.length, keys.length, entries, dimensions) + sharpenBytes(dimensions));
  const matrix = k.matrix(bags, keys.length);
  const rank = Math.min(dimensions, Math.ceil(chunkShare * bags.length), Math.ceil(termShare * keys.length));
  const vectors = dominantRows(k, matrix, { width: dimensions, rank, iterations, seed });
  if (sharpened) sharpen(k, vectors, numbered, { width: dimensions, seed, weight });
  // A packed component cannot be zero: all terms would have the value of an empty column in common.
  if (hasEmptyColumn(vectors, keys.length, dimensions)) spreadColumns(k, vectors, keys.length, dimensions, seed);
  return vectors;
}

function hasEmptyColumn(vectors: Float32Array, rows: number, width: number): boolean {
  const used = new Uint8Array(width);
  for (let i = 0; i < rows * width; i++) if (vectors[i] !== 0) used[i % width] = 1;
  return used.includes(0);
}
