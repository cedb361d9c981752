import { IbidError } from '../core/errors.ts';
import type { SendTexts, ServiceModel } from '../embed/service/contract.ts';
import { ServiceEmbedder, type ServiceEmbedderSettings } from '../embed/service/embedder.ts';
import { countTokens } from '../text/tokens/tokens.ts';
import { isTooLong } from '../wire/http/errors.ts';
// not through the door of `wire/search/`: every index knows this file, and behind the door is what speaks HTTP
import { embeddingLimits } from '../wire/search/embedding-check.ts';

import type { SearchService } from '../wire/search/index.ts';
import { findModel } from '../wire/search/models.ts';

export interface ServiceEmbedderOptions extends Omit<ServiceEmbedderSettings, 'model' | 'send'> {
  /** `embed-context-v1-0.6b` and its like: contextual models see a chunk's neighbours, `embed-v1-…` only the chunk. */
  readonly model: string;
  /** From 128 to the model's own; fewer cost less room, not less money. @default the model's own */
  readonly dimensions?: number | undefined;
}

/**
 * The embedding models of the search service behind the `Embedder` contract.
 * @throws IbidError INVALID_ARGUMENT for a model or dimensions the service does not have
 */
export function openServiceEmbedder(service: SearchService, options: ServiceEmbedderOptions): ServiceEmbedder {
  const { model: name, dimensions, ...rest } = options;
  const model = modelOf(service, name, dimensions);
  return new ServiceEmbedder({
    ...rest,
    model,
    send: model.contextual ? contextual(service, model) : plain(service, model),
  });
}

/** The entry of a model in the service's reference. @throws IbidError INVALID_ARGUMENT */
export function modelOf({ profile }: SearchService, name: string, dimensions: number | undefined): ServiceModel {
  const contextual = findModel(profile.models, 'contextual', name);
  const found = contextual ?? findModel(profile.models, 'embedding', name);
  if (!found) {
    const known = profile.models.filter(({ kind }) => kind !== 'answer').map((model) => model.name);
    throw new IbidError('INVALID_ARGUMENT', `there is no embedding model "${name}"`, {
      hint: `Use ${known.join(', ')}.`,
    });
  }
  const most = found.dimensions ?? 0;
  const wanted = dimensions ?? most;
  if (!Number.isSafeInteger(wanted) || wanted < embeddingLimits.minDimensions || wanted > most || wanted % 8 !== 0) {
    throw new IbidError(
      'INVALID_ARGUMENT',
      `"${name}" has ${embeddingLimits.minDimensions} to ${most} dimensions, in steps of 8, not ${wanted}`,
    );
  }
  return {
    name: found.name,
    dimensions: wanted,
    contextual: contextual !== undefined,
    limits: {
      documents: embeddingLimits.items,
      chunks: embeddingLimits.chunks,
      tokens: embeddingLimits.requestTokens,
      tokensPerDocument: found.contextTokens,
    },
    usdPerMillionTokens: profile.prices.embeddings[found.name],
  };
}

function contextual(service: SearchService, { name, dimensions }: ServiceModel): SendTexts {
  return async (texts, { signal, onUnanswered }) => {
    const reply = await tooLongIsOurs(() =>
      service.embeddings.contextual({ model: name, dimensions, input: texts }, { signal, onUnanswered, countTokens }),
    );
    return {
      vectors: reply.vectors,
      tokens: reply.usage.total_tokens ?? reply.usage.prompt_tokens,
      costUsd: reply.cost.usd,
    };
  };
}

function plain(service: SearchService, { name, dimensions }: ServiceModel): SendTexts {
  return async (texts, { signal, onUnanswered }) => {
    const reply = await tooLongIsOurs(() =>
      service.embeddings.create(
        { model: name, dimensions, input: texts.flat() },
        { signal, onUnanswered, countTokens },
      ),
    );
    const { usage, cost } = reply;
    return {
      vectors: reply.vectors.map((vector) => [vector]),
      tokens: usage.total_tokens ?? usage.prompt_tokens,
      costUsd: cost.usd,
    };
  };
}

/** The service's tokenizer is not ours: what it finds too long is sent again in halves. */
export async function tooLongIsOurs<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!isTooLong(error)) throw error;
    throw new IbidError('REQUEST_TOO_LARGE', 'the service counts more tokens than it takes', { cause: error });
  }
}
