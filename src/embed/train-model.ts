import { contentTokens } from '../text/analysis.ts';
import type { EmbedDocument } from './contract.ts';
import { Kernels, lane, type SparseRows } from './kernels.ts';
import { encodeModel, maxTermBytes } from './local-model.ts';
import { packedBytes, packVector } from './quantise.ts';
import { dominantRows, subspaceBytes } from './subspace.ts';
import { type TrainingChunk, TrainingSet } from './training-set.ts';
import { absent, buildVocabulary, type Vocabulary, weighBag } from './vocabulary.ts';

export interface LocalTrainingSettings {
  readonly seed: number;
  /** A multiple of 32. */
  readonly dimensions: number;
  readonly maxVocabulary: number;
  readonly maxChunks: number;
}

/** Power iterations of the subspace search. */
const iterations = 0;
const minChunks = 2;
/** More directions than this share of the chunks would only repeat the chunks. */
const rankShare = 0.6;

/** Collects a sample of a corpus and trains a model on it, synchronously: the worker's side of `createLocalTrainer`. */
export class ModelTraining {
  readonly #settings: LocalTrainingSettings;
  readonly #set: TrainingSet;

  constructor(settings: LocalTrainingSettings) {
    this.#settings = settings;
    this.#set = new TrainingSet({ analyse: contentTokens, seed: settings.seed, maxChunks: settings.maxChunks });
  }

  add(document: EmbedDocument): void {
    this.#set.add(document);
  }

  finish(): Uint8Array {
    const { seed, dimensions, maxVocabulary, maxChunks } = this.#settings;
    const { chunks, terms } = this.#set.finish();
    const usable = (term: string): boolean => term.isWellFormed() && Buffer.byteLength(term) <= maxTermBytes;
    const vocabulary = buildVocabulary(chunks, terms, { minChunks, maxTerms: maxVocabulary, usable });
    let unknown = 0;
    let tokens = 0;
    const bags = chunks.map((chunk) => {
      const numbers = numbersOf(chunk, vocabulary);
      for (const number of numbers) if (number === absent) unknown++;
      tokens += numbers.length;
      return weighBag(numbers, vocabulary.weight);
    });
    const { magnitude, codes } = trainVectors(bags, vocabulary, dimensions, seed);
    return encodeModel(
      {
        dimensions,
        seed,
        chunksSeen: this.#set.chunksSeen,
        trainedOnChunks: chunks.length,
        maxChunks,
        unknownShare: tokens === 0 ? 0 : unknown / tokens,
      },
      vocabulary.terms,
      vocabulary.weight,
      magnitude,
      codes,
    );
  }
}

function numbersOf(chunk: TrainingChunk, { numberOf }: Vocabulary): Uint32Array {
  const out = new Uint32Array(chunk.title.length + chunk.headings.length + chunk.text.length);
  let at = 0;
  for (const part of [chunk.title, chunk.headings, chunk.text]) for (const term of part) out[at++] = numberOf[term]!;
  return out;
}

function trainVectors(
  bags: readonly ReturnType<typeof weighBag>[],
  { terms }: Vocabulary,
  dimensions: number,
  seed: number,
): { readonly magnitude: Float32Array; readonly codes: Uint8Array } {
  const entries = bags.reduce((sum, bag) => sum + bag.terms.length, 0);
  const k = new Kernels();
  k.reserve(subspaceBytes(bags.length, terms.length, entries, dimensions));
  const matrix: SparseRows = {
    rows: bags.length,
    columns: terms.length,
    start: k.words(bags.length + 1),
    column: k.words(entries),
    value: k.floats(entries),
  };
  let at = 0;
  bags.forEach((bag, row) => {
    matrix.column.set(bag.terms, at);
    matrix.value.set(bag.values, at);
    at += bag.terms.length;
    matrix.start[row + 1] = at;
  });
  const rank = Math.min(dimensions, Math.ceil(rankShare * bags.length), terms.length);
  const vectors = dominantRows(k, matrix, { width: dimensions, rank, iterations, seed });
  const magnitude = new Float32Array(terms.length);
  const codes = new Uint8Array(terms.length * packedBytes(dimensions));
  for (let term = 0; term < terms.length; term++) {
    const vector = vectors.subarray(term * dimensions, (term + 1) * dimensions);
    magnitude[term] = packVector(vector, codes, term * packedBytes(dimensions));
  }
  return { magnitude, codes };
}

export const dimensionStep: number = lane;
