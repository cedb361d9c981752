import { IbidError } from '../core/errors.ts';
import type { CallOptions } from '../core/types.ts';
import type { EmbedDocument, Embedder } from '../embed/contract.ts';
import type { DistantEmbedding } from '../embed/local/distant.ts';
import {
  createLocalTrainer,
  type LocalEmbedder,
  type LocalEmbedderOptions,
  openLocalEmbedder,
  startEmbedThreads,
  trainLocalEmbedder,
} from '../embed/local/embedder.ts';
import { batchChunks, type LocalTrainer } from '../embed/local/trainer.ts';
import type { Vectors } from '../ingest/vectors.ts';

/** Maximum number of chunks for training; more improve the model little and cost memory. */
export const SAMPLE_CHUNKS = 12_000;

/** The embedder that is trained on the documents themselves and stored in the index. */
export class LocalVectors implements Vectors {
  readonly sampleChunks: number = SAMPLE_CHUNKS;
  readonly #load: () => Promise<Uint8Array>;
  readonly #adopt: (model: Uint8Array, embedder: Embedder) => Promise<void>;
  readonly #threads: number;
  readonly #distant: DistantEmbedding | undefined;
  #untrained: boolean;
  #isNew = false;
  #embedder: LocalEmbedder | undefined;
  #trainer: LocalTrainer | undefined;
  #adopting: Promise<void> | undefined;
  /** Documents that the trainer has not got yet. */
  #sample: EmbedDocument[] = [];
  #sampled = 0;
  /** Of the chunks sampled, those that the trainer has got. */
  #handed = 0;
  /** What the training made of the documents of the sample. */
  #embedded: readonly (readonly Int8Array[] | undefined)[] = [];

  /**
   * @param untrained the index has no model yet
   * @param load reads the model of an index that has one
   * @param adopt stores a new model and makes it the index's own, before any of its vectors is written
   * @param threads that embed; 0: the caller's
   * @param distant other processes that embed; then no thread does
   */
  constructor(
    untrained: boolean,
    load: () => Promise<Uint8Array>,
    adopt: (model: Uint8Array, embedder: Embedder) => Promise<void>,
    threads: number,
    distant?: DistantEmbedding,
  ) {
    this.#threads = distant ? 0 : threads;
    this.#distant = distant;
    this.#untrained = untrained;
    this.#load = load;
    this.#adopt = adopt;
  }

  get isAhead(): boolean {
    return this.#threads > 0 || this.isDistant;
  }

  get isDistant(): boolean {
    return this.#distant !== undefined;
  }

  get untrained(): boolean {
    return this.#untrained;
  }

  /** Trained by this run: on the first documents of the index, to which a later check would compare it. */
  get isNew(): boolean {
    return this.#isNew;
  }

  #opening(): LocalEmbedderOptions {
    return { threads: this.#threads, distant: this.#distant };
  }

  async embedder(): Promise<LocalEmbedder> {
    if (this.#untrained) throw new IbidError('INVALID_ARGUMENT', 'the local embedder is not trained yet');
    if (this.#embedder) return this.#embedder;
    const model = await this.#load();
    this.#embedder ??= openLocalEmbedder(model, this.#opening()); // another call may have been faster
    return this.#embedder;
  }

  expectSample(): void {
    this.#startedTrainer();
  }

  async addSample(document: EmbedDocument, options: CallOptions = {}): Promise<void> {
    this.#sample.push(document);
    this.#sampled += document.chunks.length;
    if (this.#sampled - this.#handed >= batchChunks) await this.#handSample(options);
  }

  async #handSample(options: CallOptions): Promise<LocalTrainer> {
    const documents = this.#sample;
    this.#sample = [];
    this.#handed = this.#sampled;
    const trainer = this.#startedTrainer();
    await trainer.add(documents, options);
    return trainer;
  }

  #startedTrainer(): LocalTrainer {
    this.#trainer ??= createLocalTrainer({ maxChunks: SAMPLE_CHUNKS });
    return this.#trainer;
  }

  async train(options: CallOptions = {}): Promise<void> {
    const trainer = await this.#handSample(options);
    // of a smaller sample the training leaves nothing to embed, and no documents follow
    const started = this.#sampled < SAMPLE_CHUNKS ? [] : startEmbedThreads(this.#sampled, this.#threads);
    try {
      const model = this.#distant ? await trainer.finish(options) : await this.#finishAndEmbed(trainer, options);
      this.#trainer = undefined;
      const embedder = openLocalEmbedder(model, { ...this.#opening(), started });
      this.#adopting = this.#adopt(model, embedder);
      this.#adopting.catch(() => {}); // thrown where it is awaited
      this.#embedder = embedder;
      this.#untrained = false;
      this.#isNew = true;
    } finally {
      if (this.#untrained) await Promise.all(started.map((link) => link.close()));
    }
  }

  async #finishAndEmbed(trainer: LocalTrainer, options: CallOptions): Promise<Uint8Array> {
    const { model, vectors } = await trainer.finishAndEmbed(options);
    this.#embedded = vectors;
    return model;
  }

  takeSample(): readonly (readonly Int8Array[] | undefined)[] {
    const embedded = this.#embedded;
    this.#embedded = [];
    return embedded;
  }

  async adopted(): Promise<void> {
    await this.#adopting;
  }

  /**
   * Ends the embedding threads, which a later call starts again, and a training that is not done. A model that is being
   * stored is stored before: whoever closes gives the index away.
   */
  async close(): Promise<void> {
    await this.#adopting?.catch(() => {}); // thrown by `adopted`
    const trainer = this.#trainer;
    this.#trainer = undefined;
    await trainer?.close();
    const embedder = this.#embedder;
    this.#embedder = undefined;
    await embedder?.close?.();
  }
}

/** Trains a model and opens it. The same documents in the same order give the same model. */
export async function trainedOn(
  sample: Iterable<EmbedDocument> | AsyncIterable<EmbedDocument>,
  signal: AbortSignal | undefined,
): Promise<{ readonly model: Uint8Array; readonly embedder: LocalEmbedder }> {
  const model = await trainLocalEmbedder(sample, { maxChunks: SAMPLE_CHUNKS, signal });
  return { model, embedder: openLocalEmbedder(model) };
}
