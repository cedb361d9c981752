import { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';
import { Composer } from './compose.ts';
import type { EmbedDocument, Embedder } from './contract.ts';
import { lane } from './kernels.ts';
import { decodeModel } from './local-model.ts';
import { type LocalTrainingSettings, ModelTraining } from './train-model.ts';

export interface LocalTrainingOptions extends CallOptions {
  /** @default 1 */
  readonly seed?: number | undefined;
  /** Components of a vector, a multiple of 32 from 32 to 1,024. @default 256 */
  readonly dimensions?: number | undefined;
  /** Most terms that get a vector. @default 40,000 */
  readonly maxVocabulary?: number | undefined;
  /** Most chunks that are looked at, a uniform sample of all. @default 20,000 */
  readonly maxChunks?: number | undefined;
  /** Whether to sharpen the vectors on pairs of texts that belong together. @default true */
  readonly sharpen?: boolean | undefined;
}

function resolve(options: LocalTrainingOptions): LocalTrainingSettings {
  const settings = {
    seed: options.seed ?? 1,
    dimensions: options.dimensions ?? 256,
    maxVocabulary: options.maxVocabulary ?? 40_000,
    maxChunks: options.maxChunks ?? 20_000,
    sharpen: options.sharpen ?? true,
  };
  const { seed, dimensions, maxVocabulary, maxChunks } = settings;
  const bad = (name: string, value: number, wanted: string): IbidError =>
    new IbidError('INVALID_ARGUMENT', `${name} is ${value}`, { hint: `Give ${wanted}.` });
  if (!Number.isInteger(seed)) throw bad('seed', seed, 'an integer');
  if (!(Number.isInteger(dimensions / lane) && dimensions >= lane && dimensions <= 1024)) {
    throw bad('dimensions', dimensions, `a multiple of ${lane} from ${lane} to 1024`);
  }
  if (!(Number.isInteger(maxVocabulary) && maxVocabulary >= 1 && maxVocabulary <= 1_000_000)) {
    throw bad('maxVocabulary', maxVocabulary, 'an integer from 1 to 1,000,000');
  }
  if (!(Number.isInteger(maxChunks) && maxChunks >= 1 && maxChunks <= 1_000_000)) {
    throw bad('maxChunks', maxChunks, 'an integer from 1 to 1,000,000');
  }
  return settings;
}

/**
 * Trains an embedding model on (a sample of) the chunks of a corpus, with no data but theirs.
 * Equal documents in equal order, equal options: equal bytes.
 * @returns the model, for `openLocalEmbedder` and for storage
 */
export async function trainLocalEmbedder(
  sample: Iterable<EmbedDocument> | AsyncIterable<EmbedDocument>,
  options: LocalTrainingOptions = {},
): Promise<Uint8Array> {
  const training = new ModelTraining(resolve(options));
  for await (const document of sample) {
    options.signal?.throwIfAborted();
    training.add(document);
  }
  return training.finish();
}

/** @throws IbidError INDEX_DAMAGED or INDEX_SCHEMA when the bytes are no model of this version */
export function openLocalEmbedder(model: Uint8Array): Embedder {
  const opened = decodeModel(model);
  const composer = new Composer(opened);
  const { id, dimensions } = opened.info;
  return {
    id,
    dimensions,
    limits: {
      documents: 256,
      chunks: 1024,
      tokens: Number.POSITIVE_INFINITY,
      tokensPerDocument: Number.POSITIVE_INFINITY,
    },
    async embedDocuments(documents, options = {}) {
      const out: Int8Array[][] = [];
      for (const document of documents) {
        options.signal?.throwIfAborted();
        out.push(composer.passage({ document, from: 0, to: document.chunks.length }));
      }
      return out;
    },
    async embedQuery(query, options = {}) {
      options.signal?.throwIfAborted();
      return composer.query(query);
    },
    async close() {},
  };
}
