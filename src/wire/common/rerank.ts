import { objectOf } from '../../core/arguments.ts';
import { isRecord } from '../../core/records.ts';
import { byIndex, infoOf, invalidAnswer, shapedList } from '../http/answer.ts';
import type { Operation } from '../http/contract.ts';
import { ask } from '../http/endpoint.ts';
import { quantityOf } from './read.ts';
import type { CommonContext } from './routes.ts';
import type { CommonCallOptions, CommonRerankReply, CommonRerankRequest } from './types.ts';

/**
 * Scores of documents. Asked as most servers take it (`documents`, answered with `results`); a server that has no such
 * path is asked as text-embeddings-inference takes it (`texts`, answered with a list).
 */
export function commonRerank({ transport, routes }: CommonContext) {
  return async (request: CommonRerankRequest, options: CommonCallOptions = {}): Promise<CommonRerankReply> => {
    const { extraBody, ...rest } = options;
    objectOf(request, 'the request');
    const { query, documents } = request;
    const send = (operation: Operation, json: object) => ({
      operation,
      send: () =>
        ask({
          wiring: { transport, profile: undefined },
          operation,
          call: { json: { ...json, ...extraBody }, options: rest },
        }),
    });
    const { reply, where } = await routes.first(
      'rerank',
      ({ rerank }) => send(rerank, request),
      ({ rerank }) => send(rerank, { query, texts: documents, truncate: true }),
    );
    const { body } = reply;
    const list = isRecord(body) ? (body.results ?? body.data) : body;

    const entries = shapedList<Record<string, unknown>>(where, list, { index: 'number' }, 'results');
    if (entries.length !== documents.length) {
      throw invalidAnswer(where, `${documents.length} documents gave ${entries.length} scores`);
    }
    const scores = byIndex(where, 'results', list, documents.length).map((entry, i) => {
      const score = entry.relevance_score ?? entry.score;
      if (typeof score === 'number' && Number.isFinite(score)) return score;
      throw invalidAnswer(where, `results[${i}] has no score`);
    });
    const usage = isRecord(body) && isRecord(body.usage) ? body.usage : {};
    return { scores, tokens: quantityOf(usage.total_tokens), info: infoOf(reply) };
  };
}
