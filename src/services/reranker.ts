import type { CallOptions } from '../core/types.ts';
import type { Reranker, RerankPassage, RerankScores } from '../retrieve/rerank.ts';
import { jsonOutput, type MessageRequest, type MessagesService } from '../wire/messages/index.ts';
import { costOf } from './language-model.ts';
import { scoresOf, scoresSchema, scoresTokens, scoringQuestion, scoringRules } from './scored-list.ts';

interface ServiceRerankerOptions {
  /** @default the reranker of the service's profile */
  readonly model?: string | undefined;
}

const CACHED = 500;

const output = jsonOutput<unknown>(scoresSchema);

/** The scores that one client has received: no list is paid for twice. */
const known = new WeakMap<MessagesService, Map<string, readonly number[]>>();

/** A model of the messages service as a reranker: one call with structured output for the whole list. */
export function serviceReranker(service: MessagesService, options: ServiceRerankerOptions = {}): Reranker {
  const { model = service.profile.defaults.reranker } = options;
  const cache = known.get(service) ?? new Map<string, readonly number[]>();
  known.set(service, cache);
  return {
    id: model,
    estimateUsd: (query, passages) => {
      const request = requestOf(model, query, passages);
      return cache.has(keyOf(request)) ? 0 : service.estimateCost(request)?.usd;
    },
    score: async (query, passages, { signal, onSilence }: CallOptions = {}): Promise<RerankScores> => {
      const request = requestOf(model, query, passages);
      const key = keyOf(request);
      const before = cache.get(key);
      if (before) return { scores: before, costUsd: 0 };
      const message = await service.create(request, { signal, onSilence });
      const scores = scoresOf(await output.parse(message), passages.length);
      if (cache.size >= CACHED) cache.delete(cache.keys().next().value!);
      cache.set(key, scores);
      return { scores, costUsd: costOf(service, message, request) };
    },
  };
}

function requestOf(model: string, query: string, passages: readonly RerankPassage[]): MessageRequest {
  return {
    model,
    max_tokens: scoresTokens(passages.length),
    system: scoringRules,
    messages: [{ role: 'user', content: scoringQuestion(query, passages) }],
    output_config: { format: output.format },
  };
}

function keyOf({ model, messages }: MessageRequest): string {
  return `${model}\n${String(messages[0]!.content)}`;
}
