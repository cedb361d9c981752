import type { CallOptions } from '../../core/types.ts';
import type { EmbedChunk, EmbedDocument } from '../contract.ts';
import type { EmbeddedSample, TrainedModel } from './train-model.ts';
import { type LocalTrainingOptions, resolveTrainingOptions } from './training-options.ts';
import { ChunkSampler } from './training-set.ts';
import type { SampledDocument, WorkerJob } from './worker.ts';
import { WorkerLink } from './worker-link.ts';

/** Trains a model in another process while the caller reads documents. */
export interface LocalTrainer extends AsyncDisposable {
  /** Resolves when there is room for more. With more than `maxChunks` chunks, their order decides which are used. */
  add(documents: readonly EmbedDocument[], options?: CallOptions): Promise<void>;
  /** The trained model; afterwards the trainer is closed. An abort stops the process. */
  finish(options?: CallOptions): Promise<Uint8Array>;
  /** The same, with the vectors of each added document, in order; undefined where the sample has not all its chunks. */
  finishAndEmbed(options?: CallOptions): Promise<{
    readonly model: Uint8Array;
    readonly vectors: readonly (readonly Int8Array[] | undefined)[];
  }>;
  close(): Promise<void>;
}

/** Maximum number of unanswered batches before `add` waits. */
const maxInFlight = 8;

/**
 * Memory does not depend on the size of the corpus (defaults in brackets): the tokens of `1.25 · maxChunks` [25,000]
 * chunks at 4 bytes each; during the training, `dimensions · 4` bytes [1 KB] for each chunk of the sample [20,000] and
 * each term [40,000], 32 bytes for each entry of their matrix (distinct terms of a chunk, some 100), and up to 60 for
 * each distinct term of the sample. Chunks outside the sample are neither sent to the process nor analysed.
 * @throws IbidError INVALID_ARGUMENT
 */
export function createLocalTrainer(options: LocalTrainingOptions = {}): LocalTrainer {
  const settings = resolveTrainingOptions(options);
  const sampler = new ChunkSampler(settings.seed, settings.maxChunks);
  const link = new WorkerLink('process');
  link.begin({ train: settings } satisfies WorkerJob);
  const inFlight = new Set<Promise<void>>();
  let failure: unknown;
  let seen = 0;
  /** Ordinals of the first chunks of the documents. */
  const firsts: number[] = [];

  const sample = (document: EmbedDocument): SampledDocument | undefined => {
    const chunks: EmbedChunk[] = [];
    const ordinals: number[] = [];
    firsts.push(seen);
    for (const { text, headings } of document.chunks) {
      const ordinal = seen++;
      if (!sampler.accepts(ordinal)) continue;
      chunks.push({ text, headings });
      ordinals.push(ordinal);
    }
    if (chunks.length === 0) return undefined;
    return { document: { title: document.title, chunks }, ordinals: Uint32Array.from(ordinals) };
  };

  const finish = async (embeds: boolean, { signal }: CallOptions): Promise<TrainedModel> => {
    try {
      await Promise.all(inFlight);
      if (failure) throw failure;
      return await link.request<TrainedModel>({ kind: 'finish', chunksSeen: seen, embeds }, { signal });
    } finally {
      await link.close();
    }
  };

  return {
    async add(documents, { signal } = {}) {
      signal?.throwIfAborted();
      if (failure) throw failure;
      const sampled = documents.map(sample).filter((s) => s !== undefined);
      if (sampled.length === 0) return;
      const sent: Promise<void> = link
        .request<void>({ kind: 'add', documents: sampled })
        .catch((error) => {
          failure = error;
        })
        .finally(() => inFlight.delete(sent));
      inFlight.add(sent);
      while (inFlight.size >= maxInFlight) await Promise.race(inFlight);
      if (failure) throw failure;
    },
    async finish(options = {}) {
      return (await finish(false, options)).model;
    },
    async finishAndEmbed(options = {}) {
      const { model, sample } = await finish(true, options);
      return { model, vectors: byDocument(sample!, [...firsts, seen]) }; // it was asked for
    },
    close: () => link.close(),
    [Symbol.asyncDispose]: () => link.close(),
  };
}

/** @param bounds ordinals of the first chunks of the documents, and the number of all chunks */
function byDocument(
  { ordinals, vectors }: EmbeddedSample,
  bounds: readonly number[],
): (readonly Int8Array[] | undefined)[] {
  const dimensions = vectors.length / ordinals.length;
  let at = 0;
  return bounds.slice(1).map((end, i) => {
    const from = at;
    while (at < ordinals.length && ordinals[at]! < end) at++;
    if (at - from < end - bounds[i]!) return undefined;
    return Array.from({ length: at - from }, (_, row) =>
      vectors.subarray((from + row) * dimensions, (from + row + 1) * dimensions),
    );
  });
}

/** Number of chunks per message to the process: what a socket takes at once, so that the process always has the next. */
export const batchChunks = 64;

/**
 * Trains an embedding model on the chunks of a corpus, without other data, in a process of its own. Equal documents
 * with equal options give equal bytes: in any order up to `maxChunks` chunks, beyond that only in equal order.
 * @param sample the corpus or a part of it; at most `maxChunks` of its chunks are used, chosen uniformly
 * @returns the model, for storage and for `openLocalEmbedder`
 * @throws IbidError INVALID_ARGUMENT
 */
export async function trainLocalEmbedder(
  sample: Iterable<EmbedDocument> | AsyncIterable<EmbedDocument>,
  options: LocalTrainingOptions = {},
): Promise<Uint8Array> {
  const { signal } = options;
  await using trainer = createLocalTrainer(options);
  let batch: EmbedDocument[] = [];
  let chunks = 0;
  for await (const document of sample) {
    batch.push(document);
    chunks += document.chunks.length;
    if (chunks < batchChunks) continue;
    await trainer.add(batch, { signal });
    batch = [];
    chunks = 0;
  }
  await trainer.add(batch, { signal });
  return await trainer.finish({ signal });
}
