import { cosineOf } from '../int8.ts';
import type { ServiceModel, VectorCache } from './contract.ts';
import { keyOf, type Piece } from './plan.ts';

/** Least cosine of two vectors that differ only by rounding to int8. */
const SAME = 0.999;

/**
 * Cuts shorter vectors from longer ones that were already billed. The service's reference describes Matryoshka
 * dimensions, but does not guarantee that a shorter vector is the beginning of the longer one. So one document is
 * requested at the shorter length and compared, and the result is noted in the cache. The cut vectors are not scaled,
 * because only cosines are compared.
 */
export class LongerVectors {
  readonly #model: ServiceModel;
  readonly #cache: VectorCache | undefined;
  readonly #name: string;

  constructor(model: ServiceModel, cache: VectorCache | undefined) {
    this.#model = model;
    this.#cache = cache;
    this.#name = `prefix-${model.name}`;
  }

  /**
   * Vectors of pieces, cut from longer ones, by the key of the piece. Pieces without longer vectors are left out.
   * @param lengths dimensions of the model's billed vectors
   */
  async cut(pieces: readonly Piece[], lengths: Iterable<number>): Promise<Map<string, readonly Int8Array[]>> {
    const { name, dimensions, contextual, limits, usdPerMillionTokens } = this.#model;
    const cut = new Map<string, readonly Int8Array[]>();
    for (const length of lengths) {
      if (length <= dimensions || !this.#cache) continue;
      const longer = { name, dimensions: length, contextual, limits, usdPerMillionTokens };
      const keys = new Map(pieces.map(({ key, texts }) => [keyOf(longer, texts), key]));
      for (const [key, rows] of await this.#cache.get([...keys.keys()])) {
        cut.set(
          keys.get(key)!,
          rows.map((row) => row.slice(0, dimensions)),
        );
      }
    }
    return cut;
  }

  /** True when a shorter vector of the model is the beginning of the longer one; undefined before a comparison. */
  async arePrefixes(): Promise<boolean | undefined> {
    const noted = await this.#cache?.note?.(this.#name);
    return noted === undefined ? undefined : noted === 'true';
  }

  /**
   * Compares cut vectors with the service's vectors for the same texts, and notes the result.
   * @returns true when they are equal
   */
  async learn(cut: readonly Int8Array[], given: readonly Int8Array[]): Promise<boolean> {
    const right = cut.length === given.length && cut.every((row, i) => cosineOf(row, given[i]!) >= SAME);
    await this.#cache?.putNote?.(this.#name, String(right));
    return right;
  }
}
