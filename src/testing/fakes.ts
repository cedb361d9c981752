import type { LanguageModel } from '../answer/language-model.ts';
import { hash32 } from '../core/hash.ts';
import type { Embedder } from '../embed/contract.ts';
import { toInt8 } from '../embed/int8.ts';
import type { Reranker } from '../retrieve/rerank.ts';
import type { Speaker } from '../speak/contract.ts';
import { turnByTurn } from '../speak/turn-by-turn.ts';
import type { Transcriber } from '../transcribe/contract.ts';
import type { WebPage, WebSearch } from '../web/contract.ts';

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Share of the query's words that stand in a text, in [0, 1]. */
function overlap(query: string, text: string): number {
  const words = new Set(wordsOf(query));
  const found = new Set(wordsOf(text).filter((word) => words.has(word)));
  return words.size === 0 ? 0 : found.size / words.size;
}

/**
 * An embedder that counts words: each word adds 1 to a component chosen by its hash. @param dimensions from 1
 */
export function fakeEmbedder(dimensions: number = 64): Embedder {
  const embed = (text: string): Int8Array => {
    const counts = new Float32Array(dimensions);
    for (const word of wordsOf(text)) counts[hash32(word) % dimensions]! += 1;
    return toInt8(counts);
  };
  return {
    id: `fake-words-${dimensions}`,
    dimensions,
    embedDocuments: async (documents, { signal } = {}) => {
      signal?.throwIfAborted();
      return documents.map(({ chunks }) => chunks.map(({ text }) => embed(text)));
    },
    embedQuery: async (query) => embed(query),
  };
}

/** A model that answers with the passage that shares most words with the question, and cites it. It costs nothing. */
export function fakeLanguageModel(): LanguageModel {
  return {
    id: 'fake-model',
    contextTokens: 100_000,
    maxOutputTokens: 1000,
    citesPassages: true,
    estimateUsd: () => 0,
    async *write({ turns, sources }, { signal } = {}) {
      signal?.throwIfAborted();
      const question = turns.at(-1)!.text;
      const passages = sources.flatMap(({ id, passages: texts }) => texts.map((text, first) => ({ id, first, text })));
      const best = passages.toSorted((a, b) => overlap(question, b.text) - overlap(question, a.text))[0];
      yield { type: 'text', block: 0, text: best?.text.trim() ?? question };
      if (best)
        yield { type: 'citation', block: 0, citation: { source: best.id, first: best.first, end: best.first + 1 } };
      yield { type: 'blockEnd', block: 0 };
      const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
      yield { type: 'stop', stop: 'end', usage, costUsd: 0 };
    },
  };
}

/** A reranker that scores by the share of the query's words. It costs nothing. */
export function fakeReranker(): Reranker {
  return {
    id: 'fake-reranker',
    estimateUsd: () => 0,
    score: async (query, passages, { signal } = {}) => {
      signal?.throwIfAborted();
      return { scores: passages.map(({ title, text }) => overlap(query, `${title} ${text}`)), costUsd: 0 };
    },
  };
}

/** A web of some pages, found by shared words. It costs nothing. */
export function fakeWebSearch(pages: readonly WebPage[]): WebSearch {
  return {
    id: 'fake-web',
    estimateUsd: () => 0,
    search: async ({ queries, limit }, { signal } = {}) => {
      signal?.throwIfAborted();
      const found = (query: string): WebPage[] =>
        pages
          .map((page) => ({ page, share: overlap(query, [page.title, ...page.extracts].join(' ')) }))
          .filter(({ share }) => share > 0)
          .sort((a, b) => b.share - a.share)
          .slice(0, limit)
          .map(({ page }) => page);
      return { lists: queries.map((query) => ({ query, pages: found(query) })), costUsd: 0, failed: [] };
    },
  };
}

/** A transcriber that hears a word each half second where the sound is not all zero. It costs nothing. */
export function fakeTranscriber(words: readonly string[] = ['hello', 'there']): Transcriber {
  return {
    id: 'fake-ears',
    limits: { bytes: 1e9, seconds: 36_000 },
    price: () => 0,
    async transcribe({ seconds, open }, { signal }) {
      signal?.throwIfAborted();
      const bytes = Buffer.concat(await Array.fromAsync(open()));
      const isSilent = bytes.subarray(44).every((byte) => byte === 0);
      const count = isSilent ? 0 : Math.floor(seconds * 2);
      return {
        transcript: {
          language: 'en',
          words: Array.from({ length: count }, (_, i) => ({
            text: words[i % words.length]!,
            startMs: 500 * i,
            endMs: 500 * i + 400,
          })),
        },
      };
    },
  };
}

/** A speaker that hums 60 ms for each character. It costs nothing. */
export function fakeSpeaker(): Speaker {
  const sampleRate = 8000;
  return {
    id: 'fake-voice',
    formats: ['pcm'],
    limits: { characters: 10_000, voices: 10 },
    voices: ['low', 'high'],
    price: () => 0,
    speak: (turns, { signal }) =>
      turnByTurn(turns, async function* ({ text, voice }) {
        signal?.throwIfAborted();
        const hertz = voice === 'high' ? 440 : 220;
        const audio = Buffer.alloc(2 * Math.round(0.06 * text.length * sampleRate));
        for (let i = 0; i < audio.length / 2; i++) {
          audio.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * hertz * i) / sampleRate)), 2 * i);
        }
        yield { audio, sampleRate };
      }),
  };
}
