import { IbidError } from '../core/errors.ts';
import type { EmbedDocument, Embedder } from '../embed/contract.ts';
import type { EmbedUsage, ExpectedTime } from '../embed/service/contract.ts';
import type { PaidEmbedder } from '../embed/service/embedder.ts';
import type { BatchLimits } from '../ingest/batch.ts';
import type { Vectors } from '../ingest/vectors.ts';

/** Model and dimensions of a service's embedder by its id, `name@dimensions`; undefined for the local one. */
export function paidModelOf(id: string): { readonly model: string; readonly dimensions: number } | undefined {
  const parts = /^(embed-[^@]+)@(\d+)$/.exec(id);
  return parts ? { model: parts[1]!, dimensions: Number(parts[2]) } : undefined;
}

/**
 * What a paid run gathers before it commits. Each batch ends in a request that is not full, and in a wait for the last answer: with four
 * times as many chunks as usual that is one request in forty. A crash loses nothing that was paid for, since vectors are kept as they
 * arrive; the documents are read again.
 */
export const paidBatches: Partial<BatchLimits> = { chunks: 16_384, characters: 48 * 2 ** 20, ageMs: 300_000 };

/** The embedder of a service: there from the start, never trained. */
export class PaidVectors implements Vectors {
  readonly untrained: boolean = false;
  readonly sampleChunks: number = 0;
  readonly commit: Partial<BatchLimits> = paidBatches;
  readonly id: string;
  readonly dimensions: number;
  readonly #paid: PaidEmbedder | undefined;

  /** @param paid absent where there is no key: documents can still be removed and renamed, but none be added */
  constructor(id: string, dimensions: number, paid: PaidEmbedder | undefined) {
    this.id = id;
    this.dimensions = dimensions;
    this.#paid = paid;
  }

  static of(paid: PaidEmbedder): PaidVectors {
    return new PaidVectors(paid.id, paid.dimensions, paid);
  }

  async train(): Promise<void> {}

  /** @throws IbidError KEY_MISSING */
  async embedder(): Promise<Embedder> {
    if (this.#paid) return this.#paid;
    throw new IbidError('KEY_MISSING', `the index was made with "${this.id}", and there is no key for its service`, {
      hint: 'Set IBID_SEARCH_API_KEY and IBID_SEARCH_BASE_URL, or build with `--rebuild --embedder local`.',
    });
  }

  usage(): EmbedUsage | undefined {
    return this.#paid?.usage;
  }

  async close(): Promise<void> {
    await this.#paid?.close();
  }
}

/** Of vectors that cost money; undefined for others. */
export function usageOf(vectors: Vectors): EmbedUsage | undefined {
  return vectors.usage?.();
}

/** Passes events on; when they end in an error, says first what was paid for. */
export async function* tellingPaid<E>(
  events: AsyncIterable<E>,
  usage: () => EmbedUsage | undefined,
): AsyncGenerator<E | { readonly type: 'paid'; readonly embedding: EmbedUsage }, void, undefined> {
  try {
    yield* events;
  } catch (error) {
    const embedding = usage();
    if (embedding && embedding.requests + embedding.unanswered.attempts > 0) yield { type: 'paid', embedding };
    throw error;
  }
}

/** Counts what embedding would send and cost, and sends nothing: for dry runs. */
export class EstimatingVectors implements Vectors {
  readonly untrained: boolean = false;
  readonly sampleChunks: number = 0;
  readonly commit: Partial<BatchLimits> = paidBatches;
  readonly #paid: PaidEmbedder;
  readonly #sum = { requests: 0, chunks: 0, cachedChunks: 0, tokens: 0, costUsd: 0 };
  readonly #foretold = new Set<string>();
  #expected: ExpectedTime | undefined;

  constructor(paid: PaidEmbedder) {
    this.#paid = paid;
  }

  async train(): Promise<void> {}

  async embedder(): Promise<Embedder> {
    const paid = this.#paid;
    return {
      id: paid.id,
      dimensions: 0,
      limits: paid.limits,
      embedDocuments: async (documents) => {
        await this.add(documents);
        return documents.map(({ chunks }) => chunks.map(() => new Int8Array(0)));
      },
      embedQuery: async () => new Int8Array(0),
      close: async () => {},
    };
  }

  /** Counts some documents in. */
  async add(documents: readonly EmbedDocument[]): Promise<void> {
    const estimate = await this.#paid.estimate(documents, this.#foretold);
    for (const key of ['requests', 'chunks', 'cachedChunks', 'tokens', 'costUsd'] as const)
      this.#sum[key] += estimate[key];
    this.#expected = await this.#paid.expect(this.#sum);
  }

  usage(): EmbedUsage {
    return {
      ...this.#sum,
      fill: 0,
      unanswered: { attempts: 0, maxUsd: 0 },
      ...(this.#expected ? { expected: this.#expected } : {}),
    };
  }
}
