/** The embedding model behind the service; `documents` are chunks in document order. */
export interface ServedEmbedder {
  embed(
    documents: readonly (readonly string[])[],
    options: { readonly model: string; readonly dimensions: number; readonly nativeDimensions: number },
  ): Promise<readonly (readonly Int8Array[])[]> | readonly (readonly Int8Array[])[];
}

/** Non-zero components of one feature, as a share of all: with 1,024 dimensions every word lights 64 of them. */
const DENSITY = 1 / 16;

/** Share of a chunk's vector that comes from its document; chunks nearby weigh more, so that order shows too. */
const CONTEXT_SHARE = 0.25;

/** Chunks on either side that are seen; further ones would weigh less than a tenth. */
const REACH = 8;

/** Spread of a component before tanh: wide enough to use the int8 range, narrow enough not to saturate. */
const SPREAD = 0.6;

/**
 * A stand-in that behaves like the real family: similar texts get similar vectors, a chunk's vector depends on the
 * chunks around it, a shorter vector is the prefix of the longer one, vectors are not normalised, and each model has a
 * space of its own.
 */
export const hashedEmbedder: ServedEmbedder = {
  embed(documents, { model, dimensions, nativeDimensions }) {
    const salt = hash(model, 0);
    return documents.map((chunks) => {
      const own = chunks.map((chunk) => project(chunk, nativeDimensions, salt));
      return own.map((vector, at) => squash(mix(vector, surroundings(own, at)), dimensions));
    });
  },
};

/** FNV-1a with a final mix, so that near strings land far apart. */
function hash(text: string, seed: number): number {
  let state = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}

function features(text: string): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (feature: string, weight: number) => weights.set(feature, (weights.get(feature) ?? 0) + weight);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    add(`w:${word}`, word.length < 4 ? 0.3 : 1);
    for (let at = 0; at + 3 <= word.length; at++) add(`g:${word.slice(at, at + 3)}`, 0.25);
  }
  // Text without letters still has a direction of its own.
  if (weights.size === 0) add(`t:${text}`, 1);
  return weights;
}

function project(text: string, size: number, salt: number): Float64Array {
  const vector = new Float64Array(size);
  const hits = Math.max(1, Math.round(size * DENSITY));
  for (const [feature, count] of features(text)) {
    const weight = 1 + Math.log(1 + count) - Math.LN2;
    let state = hash(feature, salt) | 1;
    for (let hit = 0; hit < hits; hit++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      const at = (state >>> 1) % size;
      vector[at] = vector[at]! + (state & 1 ? weight : -weight);
    }
  }
  return unit(vector);
}

function unit(vector: Float64Array): Float64Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const scale = sum === 0 ? 0 : 1 / Math.sqrt(sum);
  return vector.map((value) => value * scale);
}

/** Mean of the document seen from one chunk: each chunk within reach counts 1 / (1 + its distance). */
function surroundings(own: readonly Float64Array[], from: number): Float64Array {
  const mean = new Float64Array(own[0]!.length);
  const first = Math.max(0, from - REACH);
  const last = Math.min(own.length - 1, from + REACH);
  for (let chunk = first; chunk <= last; chunk++) {
    const weight = 1 / (1 + Math.abs(chunk - from));
    const vector = own[chunk]!;
    for (let at = 0; at < mean.length; at++) mean[at] = mean[at]! + weight * vector[at]!;
  }
  return unit(mean);
}

function mix(vector: Float64Array, context: Float64Array): Float64Array {
  return unit(vector.map((value, at) => (1 - CONTEXT_SHARE) * value + CONTEXT_SHARE * context[at]!));
}

function squash(vector: Float64Array, dimensions: number): Int8Array {
  const scale = SPREAD * Math.sqrt(vector.length);
  return Int8Array.from(vector.subarray(0, dimensions), (value) => Math.round(127 * Math.tanh(value * scale)));
}
