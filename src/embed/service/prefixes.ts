import type { ServiceModel, VectorCache } from './contract.ts';
import { keyOf, type Piece } from './plan.ts';

/** Cosine from which two vectors are one, but for rounding to int8. */
const SAME = 0.999;

/**
 * Shorter vectors out of longer ones that are paid for already. The reference says that the dimensions are Matryoshka
 * ones, and only "probably" that a shorter vector is the beginning of the longer: so the first document of a model that
 * could be cut is paid for at the shorter length and compared, and what came of it is noted beside the vectors. Nothing
 * is scaled anew, since only cosines are compared.
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
   * The vectors of these pieces cut from longer ones, by the pieces' keys; pieces without any are left out.
   * @param lengths dimensions the model's vectors were paid for in
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

  /**
   * Whether a shorter vector of the model is the beginning of the longer one; undefined until a comparison has told.
   */
  async arePrefixes(): Promise<boolean | undefined> {
    const noted = await this.#cache?.note?.(this.#name);
    return noted === undefined ? undefined : noted === 'true';
  }

  /**
   * Compares what was cut with what the service gives for the same texts, and notes it. @returns whether cutting is
   * right
   */
  async learn(cut: readonly Int8Array[], given: readonly Int8Array[]): Promise<boolean> {
    const right = cut.length === given.length && cut.every((row, i) => cosine(row, given[i]!) >= SAME);
    await this.#cache?.putNote?.(this.#name, String(right));
    return right;
  }
}

/** 0 where one of them is zero: it proves nothing. */
function cosine(a: Int8Array, b: Int8Array): number {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    dot += a[i]! * b[i]!;
    aa += a[i]! * a[i]!;
    bb += b[i]! * b[i]!;
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
}
