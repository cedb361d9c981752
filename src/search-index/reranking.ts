import { IbidError } from '../core/errors.ts';
import type { Meter } from '../core/meter.ts';
import type { CallOptions } from '../core/types.ts';
import { searchReranked } from '../retrieve/rerank.ts';
import type { SearchHit } from '../retrieve/search.ts';
import type { IndexServices } from './sessions.ts';

/** A model of the messages service that scores the first hits of a search, all in one call. */
export interface RerankChoice {
  /** @default 'assistant-small-4-5' */
  readonly model?: string | undefined;
  /** Hits that are scored. @default 20 */
  readonly candidates?: number | undefined;
  /** Share of the model's score in the new one, in [0, 1]. @default 0.5 */
  readonly trust?: number | undefined;
}

export interface RerankCall extends CallOptions {
  readonly meter?: Meter | undefined;
  readonly onWarning?: ((warning: IbidError) => void) | undefined;
}

/**
 * A search with its first hits reranked. Where the model fails or the budget does not pay for it, the hits come as they were and
 * `onWarning` is told.
 * @throws IbidError KEY_MISSING without a client of the messages service; INVALID_ARGUMENT
 */
export async function findReranked(
  query: string,
  limit: number,
  find: (limit: number) => Promise<readonly SearchHit[]>,
  choice: true | RerankChoice,
  { messages }: IndexServices,
  { meter, signal, onWarning }: RerankCall,
): Promise<readonly SearchHit[]> {
  const { model, candidates, trust } = choice === true ? {} : choice;
  if (!messages) {
    throw new IbidError('KEY_MISSING', 'reranking needs the messages service, and there is no key for it', {
      hint: 'Set IBID_MESSAGES_API_KEY and IBID_MESSAGES_BASE_URL, or pass `services: { messages }` to openIndex.',
    });
  }
  const { serviceReranker } = await import('../services/reranker.ts'); // only now: it brings what speaks HTTP
  const options = { candidates, trust, meter, signal };
  const { hits, error } = await searchReranked(query, limit, find, serviceReranker(messages, { model }), options);
  if (error instanceof IbidError) onWarning?.(error);
  return hits;
}
