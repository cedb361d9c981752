import { objectOf } from '../../core/arguments.ts';
import { IbidError } from '../../core/errors.ts';
import { probabilityOf } from '../../core/logistic.ts';
import type { CallOptions } from '../../core/types.ts';
import type { Reranker, RerankPassage } from '../../retrieve/rerank.ts';
import { countTokens } from '../../text/tokens/tokens.ts';
import type { ChatCompletion, CommonRerankReply } from '../../wire/common/index.ts';
import { WireError } from '../../wire/http/errors.ts';
import { scoresOf, scoresSchema, scoresTokens, scoringQuestion, scoringRules } from '../scored-list.ts';
import { chatRequest, mayBeginInside, THINKING_TOKENS, usageOf, type WriterParts } from './chat.ts';
import { ThoughtFilter } from './thoughts.ts';

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

/**
 * A reranking model of a server of the common dialect. Where the server has no path for reranking, as Ollama, a model
 * that writes scores the list: in JSON by a schema, or as it can. @throws IbidError INVALID_ARGUMENT
 */
export function commonReranker(
  { service, abilities, isKeyless, thinkers }: Pick<WriterParts, 'service' | 'abilities' | 'isKeyless' | 'thinkers'>,
  options: CommonRerankerOptions,
): Reranker {
  const {
    model,
    maxTokens = MAX_TOKENS,
    usdPerMillionTokens: price = isKeyless ? 0 : undefined,
  } = objectOf(options, 'the options', 'model');
  if (typeof model !== 'string' || model.trim() === '') {
    throw new IbidError('INVALID_ARGUMENT', 'a reranker needs `model`, the name of a model');
  }
  const costOf = (tokens: number): number | undefined => (price === undefined ? undefined : (tokens * price) / 1e6);
  /** Some servers give the model's raw numbers. Found out with the first score that is no share, and kept. */
  let isRaw = false;
  const textsOf = (passages: readonly RerankPassage[]): string[] =>
    passages.map((passage) => textOf(passage).slice(0, maxTokens * CHARS_PER_TOKEN));
  const byChat = async (query: string, passages: readonly RerankPassage[], call: CallOptions) => {
    const { scores, tokens } = await scoredByChat({ service, abilities, thinkers }, model, query, passages, call);
    return { scores, costUsd: costOf(tokens) ?? 0 };
  };
  return {
    id: model,
    estimateUsd: (query, passages) =>
      costOf(price === 0 ? 0 : tokensOf(query, textsOf(passages)) + scoresTokens(passages.length)),
    score: async (query, passages, { signal, onSilence } = {}) => {
      const call = { signal, onSilence };
      if (abilities.lacks(model, 'rerank')) return await byChat(query, passages, call);
      const documents = textsOf(passages);
      let reply: CommonRerankReply;
      try {
        reply = await service.rerank({ model, query, documents }, call);
      } catch (error) {
        if (!(error instanceof WireError) || error.code !== 'REMOTE_NOT_FOUND') throw error;
        const scored = await byChat(query, passages, call);
        abilities.note(model, 'rerank');
        return scored;
      }
      const { scores, tokens } = reply;
      isRaw ||= scores.some((score) => score < 0 || score > 1);
      const costUsd = costOf(tokens ?? (price === 0 ? 0 : tokensOf(query, documents))) ?? 0;
      return { scores: isRaw ? scores.map(probabilityOf) : scores, costUsd };
    },
  };
}

function textOf({ title, text }: RerankPassage): string {
  return [title, text].filter((part) => part !== '').join('\n');
}

/** The query is read once with each document. */
function tokensOf(query: string, documents: readonly string[]): number {
  return documents.reduce((sum, text) => sum + countTokens(text), countTokens(query) * documents.length);
}

/** A model that writes scores the list; one that was seen thinking gets room for it, and is asked again. */
async function scoredByChat(
  { service, abilities, thinkers }: Pick<WriterParts, 'service' | 'abilities' | 'thinkers'>,
  model: string,
  query: string,
  passages: readonly RerankPassage[],
  call: CallOptions,
): Promise<{ scores: number[]; tokens: number }> {
  const messages = [
    { role: 'system', content: scoringRules },
    { role: 'user', content: scoringQuestion(query, passages) },
  ] as const;
  const schema = {
    type: 'json_schema',
    json_schema: { name: 'scores', schema: scoresSchema, strict: true },
  } as const;
  const ask = () =>
    abilities.adapt(model, ['response_format', 'max_tokens'], () => {
      const { stream_options: _, ...request } = chatRequest(
        { abilities },
        { model, temperature: undefined },
        {
          messages,
          max_tokens: scoresTokens(passages.length) + (thinkers.has(model) ? THINKING_TOKENS : 0),
          ...(abilities.lacks(model, 'response_format') ? {} : { response_format: schema }),
        },
      );
      return service.chat.create(request, call);
    });
  const inputTokens = messages.reduce((sum, { content }) => sum + countTokens(content), 0);
  let tokens = 0;
  for (;;) {
    const reply = await ask();
    const usage = usageOf(reply, inputTokens);
    tokens += usage.inputTokens + usage.outputTokens;
    const isCut = reply.finishReason === 'length' && !thinkers.has(model);
    if (!isCut) return { scores: scoresOf(jsonIn(answerOf(reply, model)), passages.length), tokens };
    thinkers.add(model); // what it thought has left no room for its answer
  }
}

/** Without what the model has thought aloud. */
function answerOf({ text }: ChatCompletion, model: string): string {
  const filter = new ThoughtFilter(mayBeginInside.test(model));
  const told = [...filter.push(text), ...filter.end()];
  return told.map((one) => (one.type === 'text' ? one.text : '')).join('');
}

/** The object in a text, which a model may have put between words. Undefined where there is none. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    return undefined;
  }
}
