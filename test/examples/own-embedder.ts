import { type Embedder, toInt8 } from '../../src/index.ts';

/** Pairs of letters, hashed into 256 components: texts that share many pairs lie near each other. */
function embed(text: string): Int8Array {
  const counts = new Float32Array(256);
  const letters = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  for (let i = 0; i + 2 < letters.length; i++) {
    const pair = letters.charCodeAt(i) * 31 * 31 + letters.charCodeAt(i + 1) * 31 + letters.charCodeAt(i + 2);
    counts[pair % 256]! += 1;
  }
  return toInt8(counts);
}

/** An embedder of one's own. A model's vectors of floats become int8 with `toInt8`. */
export const ownEmbedder: Embedder = {
  id: 'letters-3@256', // part of the index: another id means another index
  dimensions: 256,
  limits: { documents: 8, chunks: 64 }, // what one call takes at most
  async embedDocuments(documents, { signal } = {}) {
    signal?.throwIfAborted();
    return documents.map(({ title, chunks }) => chunks.map(({ text }) => embed(`${title} ${text}`)));
  },
  async embedQuery(query) {
    return embed(query);
  },
};
