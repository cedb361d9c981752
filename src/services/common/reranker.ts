import { IbidError } from '../../core/errors.ts';
import type { Reranker } from '../../retrieve/rerank.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import type { CommonService } from '../../wire/common/index.ts';

export interface CommonRerankerOptions {
  /** As the server names it. */
  readonly model: string;
  /** Longest passage that the model reads, in tokens; a longer one is cut. @default 512 */
  readonly maxTokens?: number | undefined;
  /** @default 0 for a server without a key, else unknown: a budget then needs it */
  readonly usdPerMillionTokens?: number | undefined;
}

const MAX_TOKENS = 512;
/** No text has more characters to a token for long. */
const CHARS_PER_TOKEN = 6;

/** A reranking model of a server of the common dialect. @throws IbidError INVALID_ARGUMENT */
export function commonReranker(service: CommonService, options: CommonRerankerOptions, isKeyless: boolean): Reranker {
  const { model, maxTokens = MAX_TOKENS, usdPerMillionTokens: price = isKeyless ? 0 : undefined } = options;
  if (typeof model !== 'string' || model.trim() === '') {
    throw new IbidError('INVALID_ARGUMENT', 'a reranker needs `model`, the name of a model');
  }
  const costOf = (tokens: number): number | undefined => (price === undefined ? undefined : (tokens * price) / 1e6);
  /** Some servers give the model's raw numbers. Found out with the first score that is no share, and kept. */
  let isRaw = false;
  const textsOf = (passages: readonly { readonly title: string; readonly text: string }[]): string[] =>
    passages.map(({ title, text }) =>
      [title, text]
        .filter((part) => part !== '')
        .join('\n')
        .slice(0, maxTokens * CHARS_PER_TOKEN),
    );
  const tokensOf = (query: string, documents: readonly string[]): number =>
    documents.reduce((sum, text) => sum + countTokens(text), countTokens(query) * documents.length);
  return {
    id: model,
    estimateUsd: (query, passages) => costOf(price === 0 ? 0 : tokensOf(query, textsOf(passages))),
    score: async (query, passages, { signal, onSilence } = {}) => {
      const documents = textsOf(passages);
      const { scores, tokens } = await service.rerank({ model, query, documents }, { signal, onSilence });
      isRaw ||= scores.some((score) => score < 0 || score > 1);
      const costUsd = costOf(tokens ?? (price === 0 ? 0 : tokensOf(query, documents))) ?? 0;
      return { scores: isRaw ? scores.map((score) => 1 / (1 + Math.exp(-score))) : scores, costUsd };
    },
  };
}
