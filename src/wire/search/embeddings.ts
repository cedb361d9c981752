import { objectOf } from '../../core/arguments.ts';
import { isRecord } from '../../core/records.ts';
import { byIndex, infoOf, shaped, type Where } from '../http/answer.ts';
import type { Call, Operation } from '../http/contract.ts';
import { sumCosts } from '../http/cost.ts';
import { ask } from '../http/endpoint.ts';
import { isTooLong } from '../http/errors.ts';
import { serviceCost } from './answer-parse.ts';
import type { SearchContext } from './context.ts';
import { type CheckedEmbeddings, checkEmbeddings } from './embedding-check.ts';
import { decodeVector, type EncodingFormat } from './embedding-decode.ts';
import type {
  ContextualRequest,
  Embeddings,
  EmbeddingsOptions,
  EmbeddingsReply,
  EmbeddingsRequest,
  EmbeddingsUsage,
  Vector,
} from './embedding-types.ts';
import { type Open, optionalQuantity, optionalText } from './parse.ts';
import { embeddingsListPrice } from './prices.ts';
import { settledEmbeddings } from './settled.ts';

export function embeddings(context: SearchContext): Embeddings {
  const { profile, operations } = context;

  return {
    async create<E extends EncodingFormat>(request: EmbeddingsRequest<E>, options: EmbeddingsOptions = {}) {
      const checked = checkEmbeddings(profile, request, 'embedding', options);
      const { dimensions, encoding } = checked;
      const { input, ...body } = request;
      const texts = typeof input === 'string' ? [input] : input;
      const operation = operations['embeddings.create'];
      const read: Job<string, Vector<E>>['read'] = (where, at, entry) => {
        const vector = decodeVector(where, `${at}.embedding`, entry.embedding, dimensions, encoding);
        return vector as Vector<E>; // the encoding that was asked for decides which of the two arrays it is
      };
      return embed(context, { operation, input: texts, body, checked, options, read });
    },

    async contextual<E extends EncodingFormat>(request: ContextualRequest<E>, options: EmbeddingsOptions = {}) {
      const checked = checkEmbeddings(profile, request, 'contextual', options);
      const { dimensions, encoding } = checked;
      const { input, ...body } = request;
      const operation = operations['embeddings.contextual'];
      const read: Job<readonly string[], readonly Vector<E>[]>['read'] = (where, at, entry, document) =>
        byIndex(where, `${at}.data`, entry.data, document.length).map((chunk, index) => {
          const place = `${at}.data[${index}].embedding`;
          return decodeVector(where, place, chunk.embedding, dimensions, encoding) as Vector<E>; // as above
        });
      return embed(context, { operation, input, body, checked, options, read });
    },

    estimateCost(request, options = {}) {
      objectOf(request, 'the request');
      // Which of the two it is follows from the input; the checks say what does not fit together.
      const nested = Array.isArray(request.input) && Array.isArray(request.input[0]);
      const { model, tokens } = checkEmbeddings(profile, request, nested ? 'contextual' : 'embedding', options);
      const cost = embeddingsListPrice(profile.prices, model.name, tokens);
      return options.countTokens === undefined ? cost : { ...cost, maxUsd: cost.usd };
    },
  };
}

/** One request, and how an entry of its answer is read. */
interface Job<I, V> {
  readonly operation: Operation;
  readonly input: readonly I[];
  readonly body: object;
  readonly checked: CheckedEmbeddings;
  readonly options: EmbeddingsOptions;
  /** @param item the part of the input that the entry is for */
  read(where: Where, at: string, entry: Record<string, unknown>, item: I): V;
}

/** Sends one request and reads its entries; in halves when it is too long and that was wanted. */
async function embed<I, V>(context: SearchContext, job: Job<I, V>): Promise<EmbeddingsReply<V>> {
  const { input, checked, options } = job;
  try {
    return await embedAtOnce(context, job);
  } catch (error) {
    if (options.halve !== true || input.length < 2 || !isTooLong(error)) throw error;
    const middle = Math.ceil(input.length / 2);
    const half = (part: readonly I[]): Promise<EmbeddingsReply<V>> => {
      const tokens = Math.ceil((checked.tokens * part.length) / input.length);
      return embed(context, { ...job, input: part, checked: { ...checked, tokens } });
    };
    const first = await half(input.slice(0, middle));
    return joined(first, await half(input.slice(middle)));
  }
}

async function embedAtOnce<I, V>(context: SearchContext, job: Job<I, V>): Promise<EmbeddingsReply<V>> {
  const { operation, input, body, options } = job;
  const { model, dimensions, encoding, tokens } = job.checked;
  const call: Call = {
    // The format is always said: clients of the compatible format default to floats, which the service refuses.
    json: { ...body, input, model: model.wireName, encoding_format: encoding, ...options.extraBody },
    estimate: { inputTokens: tokens },
    attributes: { 'gen_ai.request.model': model.wireName, 'gen_ai.embeddings.dimension.count': dimensions },
    settle: settledEmbeddings,
    options,
  };
  const { reply, where } = await ask({ wiring: context, operation, call });
  const { data, ...rest } = shaped<Open & { model?: unknown; usage?: unknown }>(where, reply.body, {});
  const entries = byIndex(where, 'data', data, input.length);
  const vectors = entries.map((entry, index) => job.read(where, `data[${index}]`, entry, input[index]!));
  const usage: EmbeddingsUsage = isRecord(rest.usage) ? rest.usage : {};
  const billed = optionalQuantity(usage.total_tokens) ?? optionalQuantity(usage.prompt_tokens) ?? tokens;
  return {
    vectors,
    dimensions,
    encoding,
    model: optionalText(rest.model) ?? model.wireName,
    usage,
    cost: serviceCost(usage.cost) ?? embeddingsListPrice(context.profile.prices, model.name, billed),
    responses: [rest],
    infos: [infoOf(reply)],
  };
}

function joined<V>(a: EmbeddingsReply<V>, b: EmbeddingsReply<V>): EmbeddingsReply<V> {
  const sum = (field: 'prompt_tokens' | 'total_tokens'): number =>
    (optionalQuantity(a.usage[field]) ?? 0) + (optionalQuantity(b.usage[field]) ?? 0);
  return {
    ...a,
    vectors: [...a.vectors, ...b.vectors],
    usage: { prompt_tokens: sum('prompt_tokens'), total_tokens: sum('total_tokens') },
    cost: sumCosts([a.cost, b.cost]),
    responses: [...a.responses, ...b.responses],
    infos: [...a.infos, ...b.infos],
  };
}
