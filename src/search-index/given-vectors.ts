import { IbidError } from '../core/errors.ts';
import type { EmbedDocument, Embedder } from '../embed/contract.ts';
import { ownEmbedderOf } from '../embed/own.ts';
import type { EmbedUsage, ExpectedTime, KeepingEmbedder } from '../embed/service/contract.ts';
import type { BatchLimits } from '../ingest/batch.ts';
import type { Vectors } from '../ingest/vectors.ts';
import { keyMissing } from '../services/providers.ts';

/** Embedder id of an index without vectors: there were no documents to train on. */
export const UNTRAINED = 'untrained';

/** Model and dimensions of a service's embedder from its id, `name@dimensions`; undefined for other embedders. */
export function serviceModelOf(id: string): { readonly model: string; readonly dimensions: number } | undefined {
  const parts = ownEmbedderOf(id) === undefined ? /^(.+)@(\d+)$/.exec(id) : null;
  return parts ? { model: parts[1]!, dimensions: Number(parts[2]) } : undefined;
}

/** True for the id of a local embedder, which is trained on the documents. */
export function isLocal(id: string): boolean {
  return serviceModelOf(id) === undefined && ownEmbedderOf(id) === undefined;
}

/**
 * Bounds of a commit with a service's embedder. Each batch ends with a partly filled request and a wait for the last
 * answer; four times the usual number of chunks makes that one request in forty. A crash loses nothing that was billed,
 * because vectors are stored when they arrive; only the documents are read again.
 */
export const serviceBatches: Partial<BatchLimits> = { chunks: 16_384, characters: 48 * 2 ** 20, ageMs: 300_000 };

/** Vectors of an embedder that needs no training: a service's, or the caller's own. */
export class GivenVectors implements Vectors {
  readonly untrained: boolean = false;
  readonly sampleChunks: number = 0;
  readonly id: string;
  readonly dimensions: number;
  readonly commit: Partial<BatchLimits> | undefined;
  readonly #embedder: Embedder | IbidError;
  readonly #usage: (() => EmbedUsage) | undefined;

  private constructor(
    { id, dimensions }: Pick<Embedder, 'id' | 'dimensions'>,
    embedder: Embedder | IbidError,
    usage?: () => EmbedUsage,
  ) {
    this.id = id;
    this.dimensions = dimensions;
    this.#embedder = embedder;
    this.#usage = usage;
    this.commit = serviceModelOf(id) && serviceBatches;
  }

  /** @param keeper knows what was used; absent for an embedder that does not say */
  static of(embedder: Embedder, keeper: Pick<KeepingEmbedder, 'usage'> | undefined): GivenVectors {
    return new GivenVectors(embedder, embedder, keeper && (() => keeper.usage));
  }

  /** For an index whose embedder is not available: documents can be removed and renamed, but not added. */
  static missing(made: Pick<Embedder, 'id' | 'dimensions'>, why: IbidError): GivenVectors {
    return new GivenVectors(made, why);
  }

  async addSample(): Promise<void> {}

  async train(): Promise<void> {}

  /** @throws IbidError the reason, when the embedder is not available */
  async embedder(): Promise<Embedder> {
    if (this.#embedder instanceof IbidError) throw this.#embedder;
    return this.#embedder;
  }

  usage(): EmbedUsage | undefined {
    return this.#usage?.();
  }

  async close(): Promise<void> {
    if (!(this.#embedder instanceof IbidError)) await this.#embedder.close?.();
  }
}

/** @throws IbidError INDEX_MISMATCH when the index has vectors of another embedder */
export function checkEmbedder(made: string | undefined, embedder: string | undefined): void {
  if (embedder === undefined || made === embedder || made === UNTRAINED) return;
  throw new IbidError('INDEX_MISMATCH', `the index was made with "${made}", not with "${embedder}"`, {
    hint: 'Use the embedder the index was made with, or change the index with `reembed`.',
  });
}

/** The error for an embedder that is not available. */
export function embedderMissing(id: string): IbidError {
  const own = ownEmbedderOf(id);
  if (own === undefined) {
    const instead = "Or rebuild the index with `embedder: 'local'`, which needs none.";
    return keyMissing('search', `embedding with "${id}"`, instead);
  }
  return new IbidError(
    'INDEX_MISMATCH',
    `the index was made with the caller's own embedder "${own}", which was not given`,
    {
      hint: 'Pass it to openIndex as `embedder`, or rebuild the index with another one.',
    },
  );
}

/** Estimates what embedding would send and cost; sends nothing. For dry runs. */
export class EstimatingVectors implements Vectors {
  readonly untrained: boolean = false;
  readonly sampleChunks: number = 0;
  readonly commit: Partial<BatchLimits> = serviceBatches;
  readonly #service: KeepingEmbedder;
  readonly #sum = { requests: 0, chunks: 0, cachedChunks: 0, tokens: 0, costUsd: 0 };
  readonly #foretold = new Set<string>();
  #expected: ExpectedTime | undefined;

  constructor(service: KeepingEmbedder) {
    this.#service = service;
  }

  async addSample(): Promise<void> {}

  async train(): Promise<void> {}

  async embedder(): Promise<Embedder> {
    return {
      id: this.#service.id,
      dimensions: 0,
      embedDocuments: async (documents) => {
        await this.add(documents);
        return documents.map(({ chunks }) => chunks.map(() => new Int8Array(0)));
      },
      embedQuery: async () => new Int8Array(0),
    };
  }

  /** Adds documents to the estimate. */
  async add(documents: readonly EmbedDocument[]): Promise<void> {
    const estimate = await this.#service.estimate(documents, this.#foretold);
    for (const key of ['requests', 'chunks', 'cachedChunks', 'tokens', 'costUsd'] as const)
      this.#sum[key] += estimate[key];
    this.#expected = await this.#service.expect(this.#sum);
  }

  usage(): EmbedUsage {
    return {
      ...this.#sum,
      fill: 0,
      unanswered: { attempts: 0, maxUsd: 0 },
      ...(this.#expected ? { expected: this.#expected } : {}),
    };
  }

  async close(): Promise<void> {}
}
